"""A language model over token ids: how well a text reads, whatever it translates (decision 0011).

The frames of a CTC network are independent of each other, so it cannot weigh one word against the next. Counted
n-grams can, and counting a corpus takes seconds where learning it takes days. The beam search asks this model for
log p(token | the tokens before), and adds it to what the network says.

Made by `model.ngrams`; here it is read and asked. An n-gram that was counted has a probability; one that was not has
that of its last n-1 tokens, times a weight of the context that it lacks (Katz 1987's backoff).

    ngrams.de.npz
        order                 tokens of the longest n-grams
        probs.1, backoffs.1   uint8 [vocabulary]
        probs.N, backoffs.N   uint8 [entries], of N tokens; the longest have no backoffs
        prints.N              uint16 [entries], a fingerprint of each
        buckets.N             uint32 [buckets + 1], where the entries of each bucket start

Texts begin and end with the blank, which none contains. An n-gram is found by a hash of its ids: the upper bits are
its bucket, the lower ones its fingerprint. One in several thousand that were never counted is taken for another.
Natural logs are kept in steps of 1/16, from -14 up.
"""

from __future__ import annotations

import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from model.bundle.errors import ManifestError
from model.bundle.tokenizer import BLANK_ID

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

__all__ = ["LanguageModel", "id_bits", "packed", "quantised", "table"]

_STEPS, _LOWEST = 16.0, -14.0
_LEVELS = (np.arange(256) / _STEPS + _LOWEST).astype(np.float32)
_BUCKET = 8
"""Entries in a bucket, on average at most."""

_MULTIPLIERS = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_PRINT_MASK = np.uint64(0xFFFF)


def id_bits(vocabulary_size: int) -> int:
    """Bits that hold any id."""
    return max(1, (vocabulary_size - 1).bit_length())


def packed(context: NDArray[np.uint64], token: NDArray[np.uint64], bits: int) -> NDArray[np.uint64]:
    """Tokens in one number, the last in the lowest bits: `context` with one more."""
    return (context << np.uint64(bits)) | token


def quantised(logs: NDArray[np.floating[Any]]) -> NDArray[np.uint8]:
    """Natural logs as they are kept."""
    steps: NDArray[np.uint8] = np.clip(np.rint((logs - _LOWEST) * _STEPS), 0, 255).astype(np.uint8)
    return steps


@dataclass(frozen=True, slots=True)
class _Table:
    """All n-grams of one length, by their hashes. `longest` is the size of the largest bucket.

    The longest n-grams are nobody's context: their `backoffs` are empty.
    """

    bits: int
    buckets: NDArray[np.uint32]
    prints: NDArray[np.uint16]
    probs: NDArray[np.uint8]
    backoffs: NDArray[np.uint8]
    longest: int

    def find(self, ngrams: NDArray[np.uint64]) -> NDArray[np.int64]:
        """[queries], the place of each n-gram, or -1."""
        hashes = _hash(ngrams)
        if not len(self.prints):
            return np.full(len(hashes), -1)
        bucket = (hashes >> np.uint64(64 - self.bits)).astype(np.int64)
        start, end = self.buckets[bucket].astype(np.int64), self.buckets[bucket + 1].astype(np.int64)
        places = start[:, None] + np.arange(self.longest)
        prints = self.prints.take(places, mode="clip")
        found = (prints == (hashes & _PRINT_MASK).astype(np.uint16)[:, None]) & (places < end[:, None])
        first = found.argmax(axis=1)
        rows = np.arange(len(first))
        return np.where(found[rows, first], places[rows, first], -1)


def table(ngrams: NDArray[np.uint64]) -> tuple[NDArray[np.int64], dict[str, NDArray[Any]]]:
    """How n-grams of one length are kept.

    Args:
        ngrams: [entries], packed, none twice.

    Returns:
        The order in which their probabilities are to be kept, and the arrays that find them.
    """
    bits = max(1, (len(ngrams) // _BUCKET).bit_length())
    hashes = _hash(ngrams)
    order = np.argsort(hashes, kind="stable")
    sizes = np.bincount((hashes >> np.uint64(64 - bits)).astype(np.int64), minlength=1 << bits)
    return order, {
        "buckets": np.concatenate([[0], np.cumsum(sizes)]).astype(np.uint32),
        "prints": (hashes[order] & _PRINT_MASK).astype(np.uint16),
    }


def _hash(ngrams: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Every bit depends on every bit (the finaliser of SplitMix64)."""
    mixed = (ngrams ^ (ngrams >> np.uint64(30))) * _MULTIPLIERS[0]
    mixed = (mixed ^ (mixed >> np.uint64(27))) * _MULTIPLIERS[1]
    return mixed ^ (mixed >> np.uint64(31))


class LanguageModel:
    """Log probabilities of tokens after others.

    What came before is known by one number, its last tokens packed: `start` is the beginning of a text.
    """

    start = np.uint64(BLANK_ID)

    def __init__(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Take the arrays of a file, by name.

        Raises:
            ManifestError: one is missing, or they do not fit together.
        """
        try:
            self.order = int(arrays["order"])
            self._probs, self._backoffs = (_LEVELS[arrays[f"{name}.1"]] for name in ("probs", "backoffs"))
            self._tables = [_read_table(arrays, length) for length in range(2, self.order + 1)]
        except (KeyError, IndexError, TypeError, ValueError) as error:
            msg = f"the language model is malformed: {error!r}"
            raise ManifestError(msg) from error
        self.vocabulary_size = len(self._probs)
        self._bits = id_bits(self.vocabulary_size)
        self._context_mask = self._mask(self.order - 1)

    @classmethod
    def open(cls, path: Path) -> LanguageModel:
        """Read a file.

        Raises:
            ManifestError: it cannot be read, or is not one.
        """
        try:
            with np.load(path, allow_pickle=False) as archive:
                return cls(dict(archive))
        except (OSError, ValueError, EOFError, zipfile.BadZipFile) as error:
            msg = f"{path.name} is not a language model: {error}"
            raise ManifestError(msg) from error

    def extended(self, contexts: NDArray[np.uint64], tokens: NDArray[np.int64]) -> NDArray[np.uint64]:
        """The context after one more token each."""
        return packed(contexts, tokens.astype(np.uint64), self._bits) & self._context_mask

    def log_probs(self, contexts: NDArray[np.uint64], tokens: NDArray[np.int64]) -> NDArray[np.float32]:
        """Natural log of the probability of each token after its context; of the blank, that the text ends there.

        Args:
            contexts: [queries], from `start` or `extended`.
            tokens: [queries], ids.
        """
        ngrams = packed(contexts, tokens.astype(np.uint64), self._bits)
        results = np.zeros(len(ngrams), np.float32)
        left = np.arange(len(ngrams))
        for length in range(self.order, 1, -1):
            counted = self._tables[length - 2]
            places = counted.find(ngrams[left] & self._mask(length))
            known = places >= 0
            results[left[known]] += _LEVELS[counted.probs[places[known]]]
            left = left[~known]
            if not len(left):
                return results
            results[left] += self._backoff((ngrams[left] >> np.uint64(self._bits)) & self._mask(length - 1), length - 1)
        results[left] += self._probs[tokens[left]]
        return results

    def _backoff(self, contexts: NDArray[np.uint64], length: int) -> NDArray[np.float32]:
        """Log weight of contexts of `length` tokens; 0 of those that were not counted."""
        if length == 1:
            weights: NDArray[np.float32] = self._backoffs[contexts.astype(np.int64)]
            return weights
        counted = self._tables[length - 2]
        places = counted.find(contexts)
        return np.where(places >= 0, _LEVELS[counted.backoffs[places]], np.float32(0))

    def _mask(self, length: int) -> np.uint64:
        """Of packed tokens, the last `length`."""
        return np.uint64((1 << (self._bits * length)) - 1)


def _read_table(arrays: dict[str, NDArray[Any]], length: int) -> _Table:
    """The n-grams of one length. Raises ValueError where the arrays do not fit together."""
    buckets, prints, probs = (arrays[f"{name}.{length}"] for name in ("buckets", "prints", "probs"))
    is_longest = length == int(arrays["order"])
    backoffs = np.zeros(0, np.uint8) if is_longest else arrays[f"backoffs.{length}"]
    sizes = np.diff(buckets.astype(np.int64))
    bits = len(sizes).bit_length() - 1
    sound = (
        bits
        and len(sizes) == 1 << bits
        and sizes.min() >= 0
        and int(buckets[-1]) == len(prints) == len(probs)
        and (is_longest or len(backoffs) == len(probs))
    )
    if not sound:
        msg = f"n-grams of {length} tokens do not fit together"
        raise ValueError(msg)
    return _Table(bits, buckets, prints, probs, backoffs, int(sizes.max()))
