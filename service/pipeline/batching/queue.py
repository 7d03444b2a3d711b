"""What waits for the engine, and which of it goes next. Lanes take from it in their own threads.

The row that is due first goes next, and with it others that may share its batch; when a request is due says
`admission`.

How many go together depends on how many wait. Where there is no padding, batches are hardly faster than one row after
another, and nobody can overtake what has been taken: then a batch is a small share of what waits. Else lanes that are
idle share what waits, and one that is the only one takes as much as a batch has room for.
"""

from __future__ import annotations

import heapq
import itertools
import time
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import TYPE_CHECKING, Any

from service.pipeline.batching.planning import plan

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Iterable

    from service.pipeline.batching.planning import BatchBudget
    from service.pipeline.batching.work import Work

__all__ = ["Done", "Item", "Queue"]

_SHARES = 4
"""For each lane, of what waits, where there is no padding."""


@dataclass(slots=True, eq=False)
class Item:
    """One row waiting, and what its caller waits for. `due` and `submitted` are times of `time.monotonic`."""

    work: Work[Any, Any]
    row: Any
    length: int
    due: float
    done: asyncio.Future[Done]
    submitted: float = field(default_factory=time.monotonic)


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a row, and when the call that ran it began and ended, on `time.monotonic`."""

    result: Any
    started: float
    finished: float


class Queue:
    """Rows in the order in which they are due. Every method may be called from any thread.

    Args:
        lanes: how many take from it.
        lookahead: how many rows one plan considers.
    """

    def __init__(self, lanes: int, lookahead: int) -> None:
        self._lanes = lanes
        self._lookahead = lookahead
        self._lock = Lock()
        self._places: dict[Item, tuple[float, int]] = {}  # the oldest first
        self._ages = itertools.count()

    def __len__(self) -> int:
        return len(self._places)

    @property
    def oldest_age_s(self) -> float:
        """Seconds that the oldest row has waited; 0 when none waits."""
        with self._lock:
            oldest = next(iter(self._places), None)
        return time.monotonic() - oldest.submitted if oldest else 0.0

    def add(self, items: Iterable[Item]) -> None:
        """Rows begin to wait."""
        with self._lock:
            self._places |= {item: (item.due, next(self._ages)) for item in items}

    def remove(self, items: Iterable[Item]) -> list[Item]:
        """Take out what still waits of some rows."""
        with self._lock:
            return [item for item in items if self._places.pop(item, None)]

    def clear(self) -> list[Item]:
        """Take out all."""
        with self._lock:
            items = list(self._places)
            self._places.clear()
            return items

    def take(self, budget: BatchBudget, idle: int) -> list[Item]:
        """Take out the next batch, rows of equal work; none if nothing waits.

        Args:
            budget: of a batch.
            idle: lanes that run nothing, that of the caller included.
        """
        with self._lock:
            if not self._places:
                return []
            work = min(self._places, key=self._places.__getitem__).work
            alike = (item for item in self._places if item.work == work)
            candidates = heapq.nsmallest(self._lookahead, alike, key=self._places.__getitem__)
            chosen = plan([item.length for item in candidates], replace(budget, tokens=self._share(budget, idle)))
            items = [candidates[index] for index in chosen]
            for item in items:
                del self._places[item]
            return items

    def _share(self, budget: BatchBudget, idle: int) -> int:
        """Tokens of the next batch, at most."""
        shares = idle if budget.padded else max(idle, _SHARES * self._lanes)
        waiting = sum(item.length for item in itertools.islice(self._places, self._lookahead))
        return min(budget.at_once, -(-waiting // shares)) if shares > 1 else budget.at_once
