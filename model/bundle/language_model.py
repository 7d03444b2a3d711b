"""A language model over token ids: how well a text reads, whatever it translates (decision 0011).

The frames of a CTC network are independent of each other, so it cannot weigh one word against the next. Counted
n-grams can, and counting a corpus takes seconds where learning it takes days. The beam search asks this model for
log p(token | the tokens before), and adds it to what the network says.

Made by `model.ngrams`; here it is read and asked. An n-gram that was counted has a probability; one that was not has
that of its last n-1 tokens, times a weight of the context that it lacks (Katz 1987's backoff).

    ngrams.de.npz
        order                tokens of the longest n-grams
        probs1, backoffs1    uint8 [vocabulary], of single tokens
        probs, backoffs      uint8 [entries], of all longer n-grams together
        prints               uint16 [entries], a fingerprint of each
        buckets              uint32 [buckets + 1], where the entries of each bucket start

Texts begin and end with the blank, which none contains. An n-gram is found by a hash of its ids and their number: the
upper bits are its bucket, the lower ones its fingerprint. One in several thousand that were never counted is taken for
another. Natural logs are kept in steps of 1/16, from -14 up.
"""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING, Any

import numpy as np

from model.bundle.errors import ManifestError
from model.bundle.tokenizer import BLANK_ID

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

__all__ = ["WORD", "LanguageModel", "hashed", "id_bits", "last", "packed", "quantised", "table"]

_STEPS, _LOWEST = 16.0, -14.0
_LEVELS = (np.arange(256) / _STEPS + _LOWEST).astype(np.float32)
WORD = 64
"""Bits that a packed n-gram may have."""

_BUCKET = 8
"""Entries in a bucket, on average at most."""

_MULTIPLIERS = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_SALT = np.uint64(0x9E3779B97F4A7C15)
_PRINT_MASK = np.uint64(0xFFFF)


def id_bits(vocabulary_size: int) -> int:
    """Bits that hold any id."""
    return max(1, (vocabulary_size - 1).bit_length())


def packed(context: NDArray[np.uint64], token: NDArray[np.uint64], bits: int) -> NDArray[np.uint64]:
    """Tokens in one number, the last in the lowest bits: `context` with one more."""
    return (context << np.uint64(bits)) | token


def last(length: int, bits: int) -> np.uint64:
    """A mask: of packed tokens, the last `length`."""
    return np.uint64((1 << (bits * length)) - 1)


def quantised(logs: NDArray[np.floating[Any]]) -> NDArray[np.uint8]:
    """Natural logs as they are kept."""
    steps: NDArray[np.uint8] = np.clip(np.rint((logs - _LOWEST) * _STEPS), 0, 255).astype(np.uint8)
    return steps


def hashed(ngrams: NDArray[np.uint64], lengths: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Hashes of packed n-grams and their lengths: every bit depends on every bit (the finaliser of SplitMix64)."""
    mixed = ngrams + lengths * _SALT
    mixed = (mixed ^ (mixed >> np.uint64(30))) * _MULTIPLIERS[0]
    mixed = (mixed ^ (mixed >> np.uint64(27))) * _MULTIPLIERS[1]
    hashes: NDArray[np.uint64] = mixed ^ (mixed >> np.uint64(31))
    return hashes


def table(hashes: NDArray[np.uint64]) -> tuple[NDArray[np.int64], dict[str, NDArray[Any]]]:
    """How n-grams are kept.

    Args:
        hashes: [entries].

    Returns:
        The order in which their probabilities are to be kept, and the arrays that find them.
    """
    bits = max(1, (len(hashes) // _BUCKET).bit_length())
    sizes = np.bincount((hashes >> np.uint64(64 - bits)).astype(np.int64), minlength=1 << bits)
    order = np.argsort(hashes, kind="stable")
    return order, {
        "buckets": np.concatenate([[0], np.cumsum(sizes)]).astype(np.uint32),
        "prints": (hashes[order] & _PRINT_MASK).astype(np.uint16),
    }


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
            self._probs1, self._backoffs1 = (_LEVELS[arrays[name]] for name in ("probs1", "backoffs1"))
            self._buckets, self._prints = arrays["buckets"], arrays["prints"]
            self._probs, self._backoffs = arrays["probs"], arrays["backoffs"]
            sizes = np.diff(self._buckets.astype(np.int64))
            self._bucket_bits = len(sizes).bit_length() - 1
            self._widest = int(sizes.max())
            sound = (
                self.order > 1
                and len(sizes) == 1 << self._bucket_bits > 1
                and sizes.min() >= 0
                and int(self._buckets[-1]) == len(self._prints) == len(self._probs) == len(self._backoffs) > 0
                and len(self._probs1) == len(self._backoffs1)
                and self.order * id_bits(len(self._probs1)) <= WORD
            )
        except (KeyError, IndexError, TypeError, ValueError) as error:
            msg = f"the language model is malformed: {error!r}"
            raise ManifestError(msg) from error
        if not sound:
            msg = "the language model is malformed: its arrays do not fit together"
            raise ManifestError(msg)
        self.vocabulary_size = len(self._probs1)
        self._bits = id_bits(self.vocabulary_size)
        self._lengths = np.arange(2, self.order + 1, dtype=np.uint64)[:, None]
        self._masks = np.array([[last(length, self._bits)] for length in range(2, self.order + 1)])

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
        return packed(contexts, tokens.astype(np.uint64), self._bits) & last(self.order - 1, self._bits)

    def log_probs(
        self, contexts: NDArray[np.uint64], rows: NDArray[np.int64], tokens: NDArray[np.int64]
    ) -> NDArray[np.float32]:
        """Natural log of the probability of tokens after contexts; of the blank, that the text ends there.

        Args:
            contexts: [contexts], from `start` or `extended`.
            rows: [queries], the context of each query.
            tokens: [queries], ids.

        Returns:
            [queries].
        """
        ngrams = packed(contexts[rows], tokens.astype(np.uint64), self._bits)
        wanted = hashed(ngrams & self._masks, self._lengths)
        needed = hashed(contexts & self._masks[:-1], self._lengths[:-1])
        places = self._find(np.concatenate([wanted.ravel(), needed.ravel()]))
        of_ngrams = places[: wanted.size].reshape(wanted.shape)
        of_contexts = places[wanted.size :].reshape(needed.shape)
        backoffs = [self._backoffs1[(contexts & last(1, self._bits)).astype(np.int64)]]
        backoffs += [np.where(found >= 0, _LEVELS[self._backoffs.take(found, mode="clip")], 0) for found in of_contexts]
        results: NDArray[np.float32] = self._probs1[tokens]
        for found, backoff in zip(of_ngrams, backoffs, strict=True):
            results = np.where(found >= 0, _LEVELS[self._probs.take(found, mode="clip")], results + backoff[rows])
        return results

    def _find(self, hashes: NDArray[np.uint64]) -> NDArray[np.int64]:
        """[queries], the place of each n-gram, or -1."""
        bucket = (hashes >> np.uint64(64 - self._bucket_bits)).astype(np.int64)
        start, end = self._buckets[bucket].astype(np.int64), self._buckets[bucket + 1].astype(np.int64)
        places = start[:, None] + np.arange(self._widest)
        same = self._prints.take(places, mode="clip") == (hashes & _PRINT_MASK).astype(np.uint16)[:, None]
        same &= places < end[:, None]
        return np.where(same.any(axis=1), start + same.argmax(axis=1), -1)
