"""Finds entries by a hash, with two bytes for each: how n-grams and words are kept.

The upper bits of a hash are its bucket, the lower ones its fingerprint. One in several thousand that were never put in
is taken for another.

    prints    uint16 [entries], the fingerprint of each, bucket by bucket
    buckets   uint32 [buckets + 1], where the entries of each bucket start
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from model.bundle.search import Entries

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["entries", "has", "table"]

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


def entries(prints: NDArray[Any], buckets: NDArray[Any]) -> Entries:
    """The arrays of `table`, as the search asks them.

    Raises:
        ValueError: they do not fit together.
    """
    prints, buckets = np.array(prints, np.uint16), np.array(buckets, np.uint32)  # as C will see them
    flat = prints.ndim == buckets.ndim == 1
    sizes = np.diff(buckets.astype(np.int64))
    bits = len(sizes).bit_length() - 1
    if not (flat and len(sizes) == 1 << bits > 1 and sizes.min() >= 0 and buckets[0] == 0 < buckets[-1] == len(prints)):
        msg = "buckets and fingerprints do not fit together"
        raise ValueError(msg)
    return Entries(prints, buckets, _BITS - bits)


def has(entries: Entries, hash_: int) -> bool:
    """Whether there is an entry with a hash."""
    bucket = hash_ >> entries.shift
    start, end = entries.buckets[bucket], entries.buckets[bucket + 1]
    return hash_ & _PRINT_MASK in entries.prints[start:end].tolist()  # a few; NumPy takes longer to begin
