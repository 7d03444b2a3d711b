"""Memory: what stays is left in peace, and what was freed is given back to the system."""

from __future__ import annotations

import ctypes
import gc
import sys

__all__ = ["give_back", "settle"]


def settle() -> None:
    """Have the garbage collector pass over what there is now, once it has taken what is garbage.

    Else a full collection walks all that was ever loaded, again and again while requests come: nothing else runs for
    those 50 to 100 ms.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def give_back() -> None:
    """Have the C library return what it keeps for later, which after an engine is a lot. Only glibc needs asking.

    What was settled is looked through once more: of that, too, something may be garbage by now.
    """
    if gc.get_freeze_count():
        settle()
    if sys.platform == "linux" and (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)):
        trim(0)
