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
        prints, buckets      find them by a hash of their ids and their number: see `fingerprints`

Texts begin and end with the blank, which none contains. Natural logs are kept in steps of 1/16, from -14 up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from model.bundle.arrays import read_arrays
from model.bundle.errors import ManifestError
from model.bundle.fingerprints import entries
from model.bundle.search import Ngrams
from model.bundle.tokenizer import BLANK_ID

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from numpy.typing import NDArray

__all__ = ["WORD", "LanguageModel", "hashed", "id_bits", "last", "packed", "quantised"]

_STEPS, _LOWEST = 16.0, -14.0
WORD = 64
"""Bits that a packed n-gram may have."""

_BYTES = ("probs1", "backoffs1", "probs", "backoffs")

_MULTIPLIERS = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_SALT = 0x9E3779B97F4A7C15


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
    mixed = ngrams + lengths * np.uint64(_SALT)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(_MULTIPLIERS[0])
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(_MULTIPLIERS[1])
    hashes: NDArray[np.uint64] = mixed ^ (mixed >> np.uint64(31))
    return hashes


class LanguageModel:
    """Log probabilities of tokens after others.

    What came before is known by one number, its last tokens packed: `start` is the beginning of a text.
    """

    start = BLANK_ID

    def __init__(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Take the arrays of a file, by name.

        Raises:
            ManifestError: one is missing, or they do not fit together.
        """
        try:
            probs1, backoffs1, probs, backoffs = (np.array(arrays[name], np.uint8) for name in _BYTES)
            found = entries(arrays["prints"], arrays["buckets"])
            order, bits = int(arrays["order"]), id_bits(len(probs1))
            sound = (
                order > 1
                and all(array.ndim == 1 for array in (probs1, backoffs1, probs, backoffs))
                and len(found.prints) == len(probs) == len(backoffs)
                and len(probs1) == len(backoffs1)
                and order * bits <= WORD
            )
        except (KeyError, IndexError, TypeError, ValueError, OverflowError) as error:
            msg = f"the language model is malformed: {error!r}"
            raise ManifestError(msg) from error
        if not sound:
            msg = "the language model is malformed: its arrays do not fit together"
            raise ManifestError(msg)
        self.ngrams = Ngrams(order, bits, (probs1, backoffs1), (probs, backoffs), found)
        self.vocabulary_size = len(probs1)
        self.order = order
        self._bits = bits
        self._context_mask = int(last(order - 1, bits))

    @classmethod
    def open(cls, path: Path) -> LanguageModel:
        """Read a file.

        Raises:
            ManifestError: it cannot be read, or is not one.
        """
        return cls(read_arrays(path))

    def extended(self, context: int, token: int) -> int:
        """The context after one more token."""
        return (context << self._bits | token) & self._context_mask

    def log_prob(self, context: int, *tokens: int) -> float:
        """Natural log of the probability of tokens after a context; of the blank, that the text ends there.

        Args:
            context: `start`, or from `extended`: C does not look whether its tokens are any.
            tokens: ids, one after another.

        Raises:
            ValueError: one is none of the vocabulary.
        """
        for token in tokens:
            if not 0 <= token < self.vocabulary_size:
                msg = f"the language model does not have token {token}"
                raise ValueError(msg)
        return self.ngrams.log_prob(context, tokens)

    def log_prob_of(self, tokens: Iterable[int]) -> float:
        """Natural log of the probability of a text, its end included.

        Raises:
            ValueError: one is none of the vocabulary.
        """
        return self.log_prob(self.start, *tokens, BLANK_ID)
