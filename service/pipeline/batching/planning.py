"""Which of the waiting sentences form the next batch: a pure function of their lengths.

One forward pass costs about `overhead + items x longest`, in tokens. Sorted by length, an optimal
partition of the waiting sentences into batches is a partition into neighbours, found by dynamic
programming: ``best[i] = min over j of best[j] + overhead + (i - j) x length[i - 1]``. Of that
partition the batch that holds the first sentence runs now, so nothing starves; the rest is
planned anew, with whatever has arrived by then. Where there is no padding, the first go first.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["BatchBudget", "default_budget", "default_lookahead", "plan"]

_MOST_LOOKED_AT = 1024
_AT_ONCE = 128


@dataclass(frozen=True, slots=True)
class BatchBudget:
    """Limits and costs of one batch.

    `tokens` counts padding; `overhead` is the fixed cost of a batch, in tokens. `padded` says whether there is any
    padding: whether a sentence takes as long as the longest of its batch.
    """

    tokens: int
    items: int
    overhead: int
    padded: bool = True

    @property
    def at_once(self) -> int:
        """Tokens of one batch, at most: without padding more are hardly faster, and the first waits for the last."""
        return self.tokens if self.padded else min(self.tokens, _AT_ONCE)


def default_budget(provider: str, *, padded: bool = True) -> BatchBudget:
    """What suits a lane of a processor, "cpu" or "cuda", that pads sentences or does not.

    A core gains little from large batches, and what they leave between two operators is more than its cache holds. A
    GPU needs large ones.
    """
    if provider == "cuda":
        return BatchBudget(tokens=16_384, items=512, overhead=1000, padded=padded)
    return BatchBudget(tokens=512, items=32, overhead=16, padded=padded)


def default_lookahead(budget: BatchBudget) -> int:
    """How many waiting sentences a plan considers: several batches, within what takes milliseconds."""
    return min(4 * budget.items, _MOST_LOOKED_AT)


def plan(lengths: Sequence[int], budget: BatchBudget) -> list[int]:
    """Choose the next batch.

    Args:
        lengths: tokens of each waiting sentence, in the order in which they are due; at least one sentence.
        budget: a sentence longer than it goes alone.

    Returns:
        Indices into `lengths`; 0, the first, is among them.
    """
    if len(lengths) == 1:
        return [0]
    if not budget.padded:
        ends = list(itertools.accumulate(lengths[: budget.items]))
        return list(range(max(1, bisect_right(ends, budget.tokens))))
    order = np.argsort(np.asarray(lengths), kind="stable").tolist()
    count = len(order)
    best = np.zeros(count + 1)
    start = [0] * (count + 1)
    sizes = np.arange(count, 0, -1)  # of a batch, by where it begins
    for end in range(1, count + 1):
        longest = lengths[order[end - 1]]
        fits = max(1, min(budget.items, budget.tokens // longest, end))
        costs = best[end - fits : end] + sizes[-fits:] * longest
        choice = int(costs.argmin())
        best[end], start[end] = costs[choice] + budget.overhead, end - fits + choice
    first = order.index(0)
    end = count
    while start[end] > first:
        end = start[end]
    chosen: list[int] = order[start[end] : end]
    return chosen
