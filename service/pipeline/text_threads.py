"""Stages of work on text: long texts in threads, off the event loop, short ones at once; how long each takes."""

from __future__ import annotations

import asyncio
import math
import time
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Barrier
from typing import TYPE_CHECKING, TypeVar

from service.observability.tracing import note_stage

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = ["Clock", "StageTimes", "TextThreads", "note_longest"]

R = TypeVar("R")

StageTimes = dict[str, float]
"""Seconds by stage, of one request."""

_AT_ONCE = 300
"""Characters whose stages the event loop does itself: most sentences. That takes it a quarter of a millisecond a stage,
and seven where there is nothing but amounts of money. To hand a sentence to a thread and back takes nearly as long as
the work, and the event loop would have to wait for Python's lock all the same."""


_START_S = 10.0
"""Seconds until threads that have started give up waiting for one that has not."""


class Clock:
    """Times stages that follow one another. If they are done in a thread, the wait for it counts with the first."""

    def __init__(self) -> None:
        self.laps: list[tuple[str, float, float]] = []
        self._last = time.perf_counter()

    def lap(self, stage: str) -> None:
        """A stage ends now, and the next begins."""
        now = time.perf_counter()
        self.laps.append((stage, self._last, now - self._last))
        self._last = now


class TextThreads:
    """Where text is worked on. All threads are there from the start: when memory is short, none could be started.

    Args:
        threads: how many may work at the same time.
    """

    def __init__(self, threads: int) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="text")
        all_there = Barrier(threads, timeout=_START_S)
        wait([self._threads.submit(all_there.wait) for _ in range(threads)])

    def close(self) -> None:
        """Give up what waits, and let the threads end; does not wait for them."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def run(
        self, stage_s: StageTimes, last: str, work: Callable[[Clock], R], *, characters: float = math.inf
    ) -> R:
        """Do stages that follow one another in one go, and note how long each took.

        Args:
            stage_s: is told of each stage.
            last: what the last stage is called.
            work: tells the clock where each stage ends but the last.
            characters: how much text it is about; of few, the work is done before this call first yields.
        """
        clock = Clock()

        def timed() -> R:
            result = work(clock)
            clock.lap(last)
            return result

        if characters <= _AT_ONCE:
            result = timed()
        else:
            result = await asyncio.get_running_loop().run_in_executor(self._threads, timed)
        for stage, started, seconds in clock.laps:
            stage_s[stage] = seconds
            note_stage(stage, started, seconds)
        return result


def note_longest(stage_s: StageTimes, times: Sequence[Mapping[str, float]]) -> None:
    """Of stages that ran side by side the longest counts."""
    for its in times:
        stage_s |= {stage: max(seconds, stage_s.get(stage, 0.0)) for stage, seconds in its.items()}
