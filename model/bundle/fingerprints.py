"""Finds entries by a hash, with two bytes for each: how n-grams and words are kept.

The upper bits of a hash are its bucket, the lower ones its fingerprint. One in several thousand that were never put in
is taken for another.

    prints    uint16 [entries], the fingerprint of each, bucket by bucket
    buckets   uint32 [buckets + 1], where the entries of each bucket start
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Fingerprints", "table"]

_BITS = 64
_BUCKET = 8
"""Entries in a bucket, on average at most."""

_PRINT_MASK = 0xFFFF


def table(hashes: NDArray[np.uint64]) -> tuple[NDArray[np.int64], dict[str, NDArray[Any]]]:
    """How entries are kept.

    Args:
        hashes: [entries].

    Returns:
        The order in which whatever belongs to the entries is to be kept, and the arrays that find them.
    """
    bits = max(1, (len(hashes) // _BUCKET).bit_length())
    sizes = np.bincount((hashes >> np.uint64(_BITS - bits)).astype(np.int64), minlength=1 << bits)
    order = np.argsort(hashes, kind="stable")
    return order, {
        "buckets": np.concatenate([[0], np.cumsum(sizes)]).astype(np.uint32),
        "prints": (hashes[order] & np.uint64(_PRINT_MASK)).astype(np.uint16),
    }


class Fingerprints:
    """The arrays of `table`, to be asked.

    Raises:
        ValueError: they do not fit together.
    """

    def __init__(self, prints: NDArray[Any], buckets: NDArray[Any]) -> None:
        # views give out numbers in half the time in which arrays do
        self._prints = np.ascontiguousarray(prints, np.uint16).data
        self._buckets = np.ascontiguousarray(buckets, np.uint32).data
        sizes = np.diff(buckets.astype(np.int64))
        bits = len(sizes).bit_length() - 1
        if not (len(sizes) == 1 << bits > 1 and sizes.min() >= 0 and int(self._buckets[-1]) == len(self._prints) > 0):
            msg = "buckets and fingerprints do not fit together"
            raise ValueError(msg)
        self._shift = _BITS - bits

    def __len__(self) -> int:
        return len(self._prints)

    def place(self, hashed: int) -> int | None:
        """Which entry has this hash; None if none does."""
        bucket = hashed >> self._shift
        start = self._buckets[bucket]
        found = self._prints[start : self._buckets[bucket + 1]].tolist()
        wanted = hashed & _PRINT_MASK
        return start + found.index(wanted) if wanted in found else None
