"""How many cores there are to use, and who goes first on them."""

from __future__ import annotations

import math
import os
import sys
import threading
from contextlib import suppress
from pathlib import Path, PurePosixPath

__all__ = ["step_back", "usable_cores"]

_STEP = 5
_LOWEST = 19


def usable_cores(system: Path = Path("/")) -> int:
    """Cores this process may keep busy, where the system tells; libraries' own defaults count all of the machine.

    A container limited to some processor time (`docker run --cpus`, a Kubernetes limit, systemd's CPUQuota) sees all
    cores, and one that uses them all is stopped for most of each tenth of a second.

    Args:
        system: the root of the file system that tells of such a limit.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return math.ceil(min(cores, _cpu_limit(system)))


def _cpu_limit(system: Path) -> float:
    """How many cores' time the process's control groups leave it; without a limit, infinite."""
    return min(map(_limit_of, _control_groups(system)))


def _limit_of(group: Path) -> float:
    """A control group's own limit, of either version."""
    with suppress(OSError, ValueError, ZeroDivisionError):
        if (both := group / "cpu.max").exists():
            quota, period = both.read_text(encoding="ascii").split()
        else:
            quota, period = ((group / f"cpu.cfs_{name}_us").read_text(encoding="ascii") for name in ("quota", "period"))
        limit = int(quota) / int(period)
        if limit > 0:  # neither "max" nor -1
            return limit
    return math.inf


def _control_groups(system: Path) -> set[Path]:
    """The process's own and those that it is in. A container often sees its own as the root of all."""
    mounted = system / "sys/fs/cgroup"
    groups = {mounted, mounted / "cpu"}
    with suppress(OSError, ValueError):
        for line in (system / "proc/self/cgroup").read_text(encoding="utf-8").splitlines():
            _, controllers, path = line.split(":", 2)
            if not controllers or "cpu" in controllers.split(","):
                root = mounted / "cpu" if controllers else mounted
                own = PurePosixPath(path.lstrip("/"))
                groups |= {root / group for group in (own, *own.parents)}
    return groups


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
