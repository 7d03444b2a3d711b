"""What pairs of words, one of a sentence and one of a translation, say for the translation (decision 0039).

word_pairs.en-de.npz    `weights`: int8, a power of two of them, in steps of `STEP`
                        `per_word`: float32, of each word of a translation

Words are taken in three ways: as they are; by their kind, which is the word itself if it is short, and its end if it is
longer; and as two kinds in a row. A hash finds the place of a pair among the weights; what is rare shares its own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

import numpy as np

from model.bundle.arrays import read_arrays
from model.bundle.direction import read_each
from model.bundle.errors import ManifestError

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from model.bundle.direction import Direction

__all__ = [
    "STEP",
    "Difference",
    "WordPairs",
    "count_words",
    "differences",
    "read_word_pairs",
    "summed",
    "word_pairs_file",
]

STEP = 1 / 42
"""Of a weight, as a logarithm of how likely a translation is: the largest is 3."""

_WORD = re.compile(r"\w+(?:['’]\w+)?|[^\w\s]")
_SHORT = 4
_END = 2
"""Letters: of a word that is its own kind, at most, and of the end that is the kind of another."""
_USUAL_WORDS = 8
"""Of a sentence; in a longer one each word says less of one of its translation."""
_KNOWN_WORDS = 1 << 14
_ANY = 1
"""A word that every sentence has: what pairs with it speaks for itself."""
_WAYS = (
    # of the sentence, of the translation: kinds, two kinds in a row, words as they are
    (0, 0),
    (1, 0),
    (0, 1),
    (2, 2),
)
_MULTIPLIERS = tuple(np.uint64(odd) for odd in (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0xD6E8FEB86659FD93))
_BITS = 64


class Difference(NamedTuple):
    """Of what tells translations apart, in one way of pairing.

    `places` is int64 [source's, translations'], of the weight of each pair; `shares` is float32 [translations,
    translations'], how much of it a translation has: nothing of what it lacks.
    """

    places: NDArray[np.int64]
    shares: NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class WordPairs:
    """Weights of all pairs, int8, and what a word of a translation is worth beside them.

    Weights that are to choose what is close to a right translation favour short ones: what is not there is not wrong.
    `per_word` makes up for it.
    """

    weights: NDArray[np.int8]
    per_word: float = 0.0

    @classmethod
    def open(cls, path: Path) -> WordPairs:
        """Read a file.

        Raises:
            ManifestError: it has no such weights.
        """
        arrays = read_arrays(path)
        weights, per_word = arrays.get("weights"), arrays.get("per_word")
        if weights is None or weights.dtype != np.int8 or weights.ndim != 1 or weights.size.bit_count() != 1:
            msg = f"{path.name} has no weights of word pairs: int8, a power of two of them"
            raise ManifestError(msg)
        if per_word is None or per_word.dtype != np.float32 or per_word.shape or not np.isfinite(per_word):
            msg = f"{path.name} does not say what a word is worth: one float32"
            raise ManifestError(msg)
        return cls(weights, float(per_word))

    def save(self, path: Path) -> None:
        """Write a file."""
        with path.open("wb") as file:
            np.savez_compressed(file, weights=self.weights, per_word=np.float32(self.per_word))

    def gains(self, source: str, translations: Sequence[str]) -> list[float]:
        """What to add to how likely each of several translations of a sentence is, as a logarithm.

        What all of them have is left out: only what is between them means something.
        """
        if not translations:
            return []
        read = [_read(translation) for translation in translations]
        between = _differences(_read(source), read, len(self.weights))
        words = np.array([one.length for one in read])
        gains: list[float] = (STEP * summed(between, self.weights) + self.per_word * (words - words.mean())).tolist()
        return gains


def differences(source: str, translations: Sequence[str], size: int) -> list[Difference]:
    """What tells translations of a sentence apart, with places among so many weights, a power of two."""
    return _differences(_read(source), [_read(translation) for translation in translations], size)


def _differences(source: _Read, translations: Sequence[_Read], size: int) -> list[Difference]:
    kinds, *others = source.items
    ours = [_array({*kinds, _ANY}), *map(_array, others)]
    scale = _USUAL_WORDS / (_USUAL_WORDS + len(ours[0]))
    found = []
    for salt, (own, other) in enumerate(_WAYS):
        each = [one.items[other] for one in translations]
        everywhere = each[0].intersection(*each) if each else set()
        between = sorted(set().union(*each) - everywhere)
        if between:
            has = np.array([[item in items for item in between] for items in each], np.float32)
            found.append(Difference(_places(ours[own], _array(between), salt, size), scale * has))
    return found


def summed(between: Sequence[Difference], weights: NDArray[Any]) -> NDArray[np.float32] | float:
    """Of each translation the weights of its pairs, by its shares of them; 0 where nothing tells translations apart."""
    return sum((shares @ weights[places].sum(axis=0, dtype=np.float32) for places, shares in between), 0.0)


def count_words(text: str) -> int:
    """How many words and signs a text has."""
    return len(_WORD.findall(text))


def read_word_pairs(folder: Path, files: Container[str]) -> dict[Direction, WordPairs]:
    """The word pairs in a folder that are among some files.

    Raises:
        ManifestError: one is malformed.
    """
    return read_each(folder, files, word_pairs_file, WordPairs.open)


def word_pairs_file(direction: Direction) -> str:
    """What the file of a direction is called, in a bundle and elsewhere."""
    return f"word_pairs.{direction}.npz"


class _Read(NamedTuple):
    """Of a text numbers for the kinds of its words, two kinds in a row, and the words as they are; how many it has."""

    items: tuple[set[int], set[int], set[int]]
    length: int


def _read(text: str) -> _Read:
    words = [_numbered(word) for word in _WORD.findall(text)]
    in_a_row = {crc32(after.kind, before.with_space) for before, after in pairwise([_START, *words, _END_MARK])}
    items = {word.kind_number for word in words}, in_a_row, {word.number for word in words}
    return _Read(items, len(words))


class _Numbered(NamedTuple):
    """A word's kind, and numbers for that, for that and a space, and for the word as it is."""

    kind: bytes
    kind_number: int
    with_space: int
    number: int


@lru_cache(maxsize=_KNOWN_WORDS)
def _numbered(word: str) -> _Numbered:
    lower = word.lower()
    kind = lower if len(word) <= _SHORT else ("^" if word[0].isupper() else "~") + lower[-_END:]
    return _of_kind(kind, lower)


def _of_kind(kind: str, word: str = "") -> _Numbered:
    written = kind.encode("utf-8", "surrogatepass")
    number = crc32(written)
    return _Numbered(written, number, crc32(b" ", number), crc32(f"={word}".encode("utf-8", "surrogatepass")))


_START, _END_MARK = _of_kind("<"), _of_kind(">")


def _array(numbers: Iterable[int]) -> NDArray[np.uint64]:
    return np.array(sorted(numbers), np.uint64)


def _places(ours: NDArray[Any], theirs: NDArray[Any], salt: int, size: int) -> NDArray[np.int64]:
    one, other, mixed = _MULTIPLIERS
    pairs = (ours[:, None] * one) ^ (theirs[None, :] * other + np.uint64(salt))
    places: NDArray[np.int64] = (pairs * mixed >> np.uint64(_BITS - size.bit_length() + 1)).astype(np.int64)
    return places
