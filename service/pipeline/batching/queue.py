"""What waits for the engine, and which of it goes next. Lanes take from it in their own threads.

The row that is due first goes next, and with it others that may share its batch; when it is due says `admission`.

How many go together depends on how many wait. Where there is no padding, batches are hardly faster than one row after
another, and nobody can overtake what has been taken: then a batch is a small share of what waits. Else lanes that are
idle share what waits, and one that is the only one takes as much as a batch has room for.
"""

from __future__ import annotations

import itertools
import time
from bisect import bisect_left, insort
from collections import defaultdict
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import TYPE_CHECKING, Any

from service.pipeline.batching.planning import plan

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Iterable

    from service.pipeline.batching.admission import Admission
    from service.pipeline.batching.planning import BatchBudget
    from service.pipeline.batching.work import Work

__all__ = ["Done", "Item", "Queue"]

_SHARES = 4
"""For each lane, of what waits, where there is no padding."""

_Place = tuple[float, int]
"""When a row is due, and how many came before it: no two have the same."""


@dataclass(slots=True, eq=False)
class Item:
    """One row waiting, of which request, and what its caller waits for.

    `due` and `submitted` are times of `time.monotonic`.
    """

    work: Work[Any, Any]
    row: Any
    length: int
    due: float
    admission: Admission
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
        self._places: dict[Item, _Place] = {}  # the oldest first
        self._in_order: defaultdict[Work[Any, Any], list[tuple[_Place, Item]]] = defaultdict(list)
        self._tokens = 0
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
            for item in items:
                place = item.due, next(self._ages)
                self._places[item] = place
                insort(self._in_order[item.work], (place, item))
                self._tokens += item.length

    def remove(self, items: Iterable[Item]) -> list[Item]:
        """Take out what still waits of some rows."""
        with self._lock:
            waiting = [item for item in items if item in self._places]
            for item in waiting:
                in_order = self._in_order[item.work]
                del in_order[bisect_left(in_order, (self._places[item],))]  # which comes just before the row with it
                self._forget(item)
            return waiting

    def clear(self) -> list[Item]:
        """Take out all."""
        with self._lock:
            items = list(self._places)
            self._places.clear()
            self._in_order.clear()
            self._tokens = 0
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
            in_order = min(filter(None, self._in_order.values()))  # lists compare by their first row
            candidates = in_order[: self._lookahead]
            lengths = [item.length for _, item in candidates]
            chosen = plan(lengths, replace(budget, tokens=self._share(budget, idle)))
            items = [candidates[index][1] for index in chosen]
            for index in sorted(chosen, reverse=True):
                del in_order[index]
            for item in items:
                self._forget(item)
            return items

    def _share(self, budget: BatchBudget, idle: int) -> int:
        """Tokens of the next batch, at most."""
        shares = idle if budget.padded else max(idle, _SHARES * self._lanes)
        return min(budget.at_once, -(-self._tokens // shares)) if shares > 1 else budget.at_once

    def _forget(self, item: Item) -> None:
        del self._places[item]
        self._tokens -= item.length
