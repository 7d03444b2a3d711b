"""Processes that work for this one, and end with it."""

from __future__ import annotations

import multiprocessing
import os
import threading
from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["workers"]


def workers(count: int, prepare: Callable[..., object] | None = None, *arguments: object) -> ProcessPoolExecutor:
    """So many processes, which share nothing with this one. Should it be killed, they end at once, whatever they do.

    Args:
        count: how many.
        prepare: importable; each process calls it first, if it is given.
        arguments: its.
    """
    return ProcessPoolExecutor(count, multiprocessing.get_context("spawn"), _begin, (prepare, arguments))


def _begin(prepare: Callable[..., object] | None, arguments: tuple[object, ...]) -> None:
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if prepare:
        prepare(*arguments)


def _end_with_parent() -> None:
    """Nobody else tells a worker that its parent was killed: it holds an end of its own queue open."""
    if parent := multiprocessing.parent_process():
        parent.join()
        os._exit(1)
