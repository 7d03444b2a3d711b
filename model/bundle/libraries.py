"""What is written in C: libraries that are built when the package is installed (`hatch_build.py`)."""

from __future__ import annotations

import ctypes
import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["load_library"]

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
    sources = sorted(path.parent.glob("*.[ch]"))
    if sources and library.reder_source().decode() != _digest(sources):
        msg = f"{path.name} was built from other C files than there are; {_INSTALL}"
        raise ImportError(msg)
    return library


def _digest(sources: list[Path]) -> str:
    """As `hatch_build.py` has it."""
    return hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()
