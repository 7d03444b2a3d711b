"""Memory that was freed, given back to the system."""

from __future__ import annotations

import ctypes
import sys

__all__ = ["give_back"]


def give_back() -> None:
    """Have the C library return what it keeps for later, which after an engine is a lot. Only glibc needs asking."""
    if sys.platform == "linux" and (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)):
        trim(0)
