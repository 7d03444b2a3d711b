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

import zipfile
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from model.bundle.errors import ManifestError
from model.bundle.fingerprints import Fingerprints
from model.bundle.tokenizer import BLANK_ID

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

    _Contexts = tuple[list[tuple[int, int, float]], float]
    """Of the n-grams that were counted after a context, the longest first: all but their last token, how many tokens
    they have, and the backoffs to come to them; and the backoffs to come to the last token alone."""

__all__ = ["WORD", "LanguageModel", "hashed", "id_bits", "last", "packed", "quantised"]

_STEPS, _LOWEST = 16.0, -14.0
_LEVELS: list[float] = (np.arange(256) / _STEPS + _LOWEST).tolist()
WORD = 64
"""Bits that a packed n-gram may have."""

_KINDS = {
    "probs1": np.uint8,
    "backoffs1": np.uint8,
    "probs": np.uint8,
    "backoffs": np.uint8,
}

_REMEMBERED = 1 << 14
"""N-grams whose places are remembered: those of a sentence are asked for again and again."""

_MULTIPLIERS = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_SALT = 0x9E3779B97F4A7C15
_ALL_BITS = 0xFFFFFFFFFFFFFFFF


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
            self.order = int(arrays["order"])
            # views give out numbers in half the time in which arrays do
            self._probs1, self._backoffs1, self._probs, self._backoffs = (
                np.ascontiguousarray(arrays[name], kind).data for name, kind in _KINDS.items()
            )
            entries = Fingerprints(arrays["prints"], arrays["buckets"])
            sound = (
                self.order > 1
                and len(entries) == len(self._probs) == len(self._backoffs)
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
        self._find = _finder(entries)
        self._masks = [int(last(length, self._bits)) for length in range(self.order + 1)]
        self._contexts = self._reader()

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

    def extended(self, context: int, token: int) -> int:
        """The context after one more token."""
        return (context << self._bits | token) & self._masks[self.order - 1]

    def log_prob(self, context: int, token: int) -> float:
        """Natural log of the probability of a token after a context; of the blank, that the text ends there.

        Args:
            context: `start`, or from `extended`.
            token: an id.
        """
        counted, backoffs = self._contexts(context)
        for shifted, length, so_far in counted:
            place = self._find(shifted | token, length)
            if place is not None:
                return so_far + _LEVELS[self._probs[place]]
        return backoffs + _LEVELS[self._probs1[token]]

    def _reader(self) -> Callable[[int], _Contexts]:
        """What tells after which of a context's last tokens anything was counted."""
        # no reference to the model, which would keep it alive
        find, masks, bits, backoffs, backoffs1 = self._find, self._masks, self._bits, self._backoffs, self._backoffs1

        @lru_cache(_REMEMBERED)
        def read(context: int) -> _Contexts:
            counted = []
            so_far = 0.0
            for length in range(len(masks) - 2, 1, -1):
                shorter = context & masks[length]
                place = find(shorter, length)
                if place is not None:
                    counted.append((shorter << bits, length + 1, so_far))
                    so_far += _LEVELS[backoffs[place]]
            one = context & masks[1]
            counted.append((one << bits, 2, so_far))
            return counted, so_far + _LEVELS[backoffs1[one]]

        return read


def _finder(entries: Fingerprints) -> Callable[[int, int], int | None]:
    """What gives the place of an n-gram of so many tokens, if it is there."""

    @lru_cache(_REMEMBERED)
    def find(ngram: int, length: int) -> int | None:
        mixed = (ngram + length * _SALT) & _ALL_BITS  # as `hashed` does
        mixed = ((mixed ^ (mixed >> 30)) * _MULTIPLIERS[0]) & _ALL_BITS
        mixed = ((mixed ^ (mixed >> 27)) * _MULTIPLIERS[1]) & _ALL_BITS
        return entries.place(mixed ^ (mixed >> 31))

    return find
