"""How a batch is cut for cores that each work by themselves."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["PART_TOKENS", "cut"]

PART_TOKENS = 512
"""About as many tokens as one core computes at once at its best; what more of them leave between two operators is more
than its cache holds."""


def cut(lengths: NDArray[np.int64], cores: int) -> list[slice]:
    """Neighbouring rows as parts of about as many tokens each, and as many parts for every core.

    Args:
        lengths: tokens of each row, int64 [batch]; neighbours alike in length leave little padding.
        cores: how many there are.

    Returns:
        The rows of each part, in order. There are fewer parts than cores if there are hardly more rows than cores.
    """
    total = int(lengths.sum())
    count = cores * -(-total // (cores * PART_TOKENS))
    middles = lengths.cumsum() - lengths / 2
    part = (middles * count // total).astype(np.int64)
    edges = [0, *(np.flatnonzero(np.diff(part)) + 1).tolist(), len(lengths)]
    return [slice(begin, end) for begin, end in itertools.pairwise(edges)]
