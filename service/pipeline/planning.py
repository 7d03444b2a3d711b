"""Which of the waiting sentences form the next batch: a pure function of their lengths.

One forward pass costs about `overhead + items x longest`, in tokens. Sorted by length, an optimal
partition of the waiting sentences into batches is a partition into neighbours, found by dynamic
programming: ``best[i] = min over j of best[j] + overhead + (i - j) x length[i - 1]``. Of that
partition the batch that holds the oldest sentence runs now, so nothing starves; the rest is
planned anew, with whatever has arrived by then.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["BatchBudget", "plan"]


@dataclass(frozen=True, slots=True)
class BatchBudget:
    """Limits and costs of one batch.

    `tokens` counts padding; `overhead` is the fixed cost of a batch, in tokens.
    """

    tokens: int
    items: int
    overhead: int


def plan(lengths: Sequence[int], budget: BatchBudget) -> list[int]:
    """Choose the next batch.

    Args:
        lengths: tokens of each waiting sentence, oldest first; at least one sentence.
        budget: a sentence longer than it goes alone.

    Returns:
        Indices into `lengths`, shortest sentence first; 0, the oldest, is among them.
    """
    order = np.argsort(np.asarray(lengths), kind="stable")
    ascending = np.asarray(lengths)[order]
    count = len(ascending)
    best = np.zeros(count + 1)
    start = np.zeros(count + 1, dtype=np.int64)
    for end in range(1, count + 1):
        longest = int(ascending[end - 1])
        fits = max(1, min(budget.items, budget.tokens // longest, end))
        begins = np.arange(end - fits, end)
        costs = best[begins] + budget.overhead + (end - begins) * longest
        choice = int(costs.argmin())
        best[end], start[end] = costs[choice], begins[choice]
    oldest = int(np.flatnonzero(order == 0)[0])
    end = count
    while start[end] > oldest:
        end = int(start[end])
    chosen: list[int] = order[start[end] : end].tolist()
    return chosen
