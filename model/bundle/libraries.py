"""What is written in C: libraries that are built when the package is installed (`hatch_build.py`)."""

from __future__ import annotations

import ctypes
import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["digest_of", "load_library", "sources_of"]

_INSTALL = "install the package again: make serve, make test, or pip install"


def load_library(path: Path) -> ctypes.CDLL:
    """A library that was built from the C files beside it.

    Raises:
        ImportError: it is missing, made for another machine, or of other sources than those beside it.
    """
    try:
        library = ctypes.CDLL(str(path))
    except OSError as error:
        msg = f"{path.name}, which is built when the package is installed, cannot be loaded ({error}); {_INSTALL}"
        raise ImportError(msg) from error
    library.reder_source.restype = ctypes.c_char_p
    # in a checkout somebody may have changed the one without the other
    sources = sources_of(path)
    if sources and library.reder_source().decode() != digest_of(sources):
        msg = f"{path.name} was built from other C files than there are; {_INSTALL}"
        raise ImportError(msg)
    return library


def sources_of(path: Path) -> list[Path]:
    """The C files beside a library, headers included, as `hatch_build.py` has them."""
    return sorted(path.parent.glob("*.[ch]"))


def digest_of(sources: list[Path]) -> str:
    """What a library that is built from these files says of itself."""
    return hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()
