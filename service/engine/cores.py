"""How many cores there are to use, and who goes first on them."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import suppress

__all__ = ["step_back", "usable_cores"]

_STEP = 5
_LOWEST = 19


def usable_cores() -> int:
    """Cores this process may run on, where the system tells; libraries' own defaults count all."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def step_back() -> None:
    """Have this thread, and those that it starts, let others of the process go first.

    Inference can take every core for as long as there is work. What the other threads do is short, and somebody waits
    for it: with ten times too much to do on one core, requests are refused in half the time.
    Only Linux has priorities of threads, and where a sandbox forbids to change them, all stay as they are.
    """
    if sys.platform == "linux":
        with suppress(OSError):
            # one step below the main thread, not below what it has: that it may have from one that stepped back
            priority = os.getpriority(os.PRIO_PROCESS, os.getpid()) + _STEP
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), min(priority, _LOWEST))
