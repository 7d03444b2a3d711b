"""The batches that the service's planner makes of sentences which all wait from the start, and their way through."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import TYPE_CHECKING, TypeVar

from service.app import batcher_limits
from service.pipeline.batching.planning import plan
from service.settings import Settings
from service.types import Batch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from service.engine.protocol import Engine
    from service.pipeline.batching.planning import BatchBudget
    from service.types import EngineInfo

__all__ = ["on_lanes", "padded_batches", "planned_batches", "served_batches"]

B = TypeVar("B")
R = TypeVar("R")


def planned_batches(lengths: Sequence[int], budget: BatchBudget, lookahead: int) -> Iterator[list[int]]:
    """Indices of every batch that the service's planner forms, one after another, until nothing waits."""
    waiting = list(range(len(lengths)))
    while waiting:
        places = plan([lengths[index] for index in waiting[:lookahead]], budget)
        yield [waiting[place] for place in places]
        taken = set(places)
        waiting = [index for place, index in enumerate(waiting) if place not in taken]


def padded_batches(sources: Sequence[Sequence[int]], budget: BatchBudget, lookahead: int) -> Iterator[Batch]:
    """The same of token ids, ready to be run."""
    for rows in planned_batches([len(source) for source in sources], budget, lookahead):
        yield Batch.pad([sources[index] for index in rows])


def served_batches(sources: Sequence[Sequence[int]], engine: EngineInfo) -> list[Batch]:
    """As the service's defaults for that engine have them."""
    served = batcher_limits(Settings.model_construct(), engine)
    return list(padded_batches(sources, served.budget, served.lookahead))


def on_lanes(engine: Engine, run: Callable[[Engine, B], R], batches: Iterable[B]) -> list[R]:
    """Run every batch on the next lane that is free, as the service does; results in the order of the batches."""
    free: SimpleQueue[Engine] = SimpleQueue()
    for lane in engine.lanes:
        free.put(lane)

    def one(batch: B) -> R:
        lane = free.get()
        try:
            return run(lane, batch)
        finally:
            free.put(lane)

    with ThreadPoolExecutor(len(engine.lanes)) as threads:
        return list(threads.map(one, batches))
