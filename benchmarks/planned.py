"""The batches that the service's planner makes of sentences which all wait from the start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from service.pipeline.planning import plan

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from service.pipeline.planning import BatchBudget

__all__ = ["planned_batches"]


def planned_batches(lengths: Sequence[int], budget: BatchBudget, lookahead: int) -> Iterator[list[int]]:
    """Indices of every batch that the service's planner forms, one after another, until nothing waits."""
    waiting = list(range(len(lengths)))
    while waiting:
        places = plan([lengths[index] for index in waiting[:lookahead]], budget)
        yield [waiting[place] for place in places]
        taken = set(places)
        waiting = [index for place, index in enumerate(waiting) if place not in taken]
