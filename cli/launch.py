"""Start the processes of a training run on this machine, and end them together."""

from __future__ import annotations

import os
import signal
import socket
from contextlib import contextmanager
from typing import TYPE_CHECKING

from torch import multiprocessing
from torch.multiprocessing.spawn import ProcessExitedException, ProcessRaisedException, spawn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from multiprocessing.queues import SimpleQueue
    from types import FrameType

    from torch.multiprocessing.spawn import ProcessContext

__all__ = ["LaunchError", "Stopped", "launch"]

_GRACE_S = 15.0
"""How long the others may take to end by themselves when one has failed."""

_ENVIRONMENT = {
    # One thread each: the processes share the cores, one for each.
    "OMP_NUM_THREADS": "1",
    # By default glibc hands large blocks back to the system when they are freed, and the next update
    # faults every page in again: up to half of an update on a CPU. So keep what was once allocated.
    # (A high MALLOC_MMAP_THRESHOLD_ would not do: glibc ignores one above 32 MiB.)
    "MALLOC_MMAP_MAX_": "0",
    "MALLOC_TRIM_THRESHOLD_": str(1 << 36),
    "MALLOC_TOP_PAD_": str(1 << 28),
}


class LaunchError(RuntimeError):
    """The run failed; the message is that of the process that failed."""


class Stopped(Exception):  # noqa: N818 - not an error: somebody asked for it
    """A signal ended the run before there was anything to save."""


def launch(work: Callable[[], None], processes: int, *, foreseen: tuple[type[Exception], ...]) -> None:
    """Run `work` in several processes that find each other as those of torchrun do, and wait for all.

    SIGINT and SIGTERM are passed on: `work` decides how to end. If this process is killed, the
    others are interrupted too (on Linux).

    Args:
        work: importable, and with arguments that can be pickled.
        processes: how many.
        foreseen: errors of `work` that become a `LaunchError`; another one keeps its traceback.

    Raises:
        LaunchError: a process failed or was killed; all have ended.
        Stopped: see there.
    """
    for name, value in _ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    failures: SimpleQueue[str] = multiprocessing.get_context("spawn").SimpleQueue()
    arguments = (work, processes, _free_port(), foreseen, failures)
    context: ProcessContext = spawn(_start, arguments, nprocs=processes, join=False)
    with _passing_signals_on(context) as received:
        try:
            while not context.join(grace_period=_GRACE_S):
                pass
        except (ProcessExitedException, ProcessRaisedException) as error:
            if not failures.empty():
                raise LaunchError(failures.get()) from error
            if received:
                raise Stopped from error
            if isinstance(error, ProcessRaisedException):
                raise
            msg = f"{error}; start it again to go on from the last checkpoint"
            raise LaunchError(msg) from error


def _start(
    rank: int,
    work: Callable[[], None],
    processes: int,
    port: int,
    foreseen: tuple[type[Exception], ...],
    failures: SimpleQueue[str],
) -> None:
    """In each process: say who is who as torchrun does, then work."""
    os.environ |= {
        "RANK": str(rank),
        "LOCAL_RANK": str(rank),
        "WORLD_SIZE": str(processes),
        "MASTER_ADDR": "127.0.0.1",
        "MASTER_PORT": str(port),
    }
    try:
        work()
    except foreseen as error:
        failures.put(str(error))
        raise SystemExit(1) from error


@contextmanager
def _passing_signals_on(context: ProcessContext) -> Iterator[list[int]]:
    """Pass SIGINT and SIGTERM on to the processes; gives the list of those received."""
    received: list[int] = []

    def pass_on(number: int, _frame: FrameType | None) -> None:
        received.append(number)
        for process in context.processes:
            if process.is_alive():
                process.terminate()

    earlier = {number: signal.signal(number, pass_on) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield received
    finally:
        for number, handler in earlier.items():
            signal.signal(number, handler)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
