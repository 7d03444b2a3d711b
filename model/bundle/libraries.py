"""What is written in C: libraries that are built when the package is installed (`hatch_build.py`)."""

from __future__ import annotations

import ctypes
import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["load_library"]

_INSTALL = "install the package again: make serve, make test, or pip install"


def load_library(source: Path) -> ctypes.CDLL:
    """The library that was built from a C file; it lies beside it, and `NAME.c` becomes `_NAME.so`.

    Raises:
        ImportError: it is missing, made for another machine, or of another source than the one beside it.
    """
    path = source.with_name(f"_{source.stem}.so")
    try:
        library = ctypes.CDLL(str(path))
    except OSError as error:
        msg = f"{path.name}, which is built when the package is installed, cannot be loaded ({error}); {_INSTALL}"
        raise ImportError(msg) from error
    library.reder_source.restype = ctypes.c_char_p
    # in a checkout somebody may have changed the one without the other
    if source.exists() and library.reder_source().decode() != hashlib.sha256(source.read_bytes()).hexdigest():
        msg = f"{path.name} was built from another {source.name} than there is; {_INSTALL}"
        raise ImportError(msg)
    return library
