"""Memory: what stays is left in peace, and what was freed is given back to the system."""

from __future__ import annotations

import ctypes
import gc
import os
import sys
from contextlib import suppress

__all__ = ["collect_seldom", "give_back", "settle", "share_arenas"]

_M_ARENA_MAX = -8  # of glibc's malloc.h
_ARENAS = 2

_ALLOCATIONS = 10_000
"""Between two looks of the garbage collector at what is new; by default 700."""


def share_arenas() -> None:
    """Have all threads take memory from few pools, before any is started. Whoever sets MALLOC_ARENA_MAX knows better.

    The C library would give each thread a pool of its own, and what one thread frees stays in its pool. Bundles are
    loaded by other threads each time: after twenty of them the process had half as much again as after the first.
    """
    if sys.platform == "linux" and "MALLOC_ARENA_MAX" not in os.environ:
        with suppress(AttributeError):  # another C library
            ctypes.CDLL(None).mallopt(_M_ARENA_MAX, _ARENAS)


def collect_seldom() -> None:
    """Have the garbage collector look less often.

    While all is read in hardly anything is garbage, and half of the time would go to finding that out, again and again.
    Nor is of a request, and to look for it with every other one takes one part in forty of the event loop's time.
    """
    gc.set_threshold(_ALLOCATIONS)


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
