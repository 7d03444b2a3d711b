"""Which words a language has (decision 0014).

The frames of a CTC network are independent of each other. Where it wavers between two words, or between two ways of
writing one, it may write half of either: what comes out (`Übersetzungsetzung`) is no word at all. The beam search asks
this whether it is, whenever a prefix has come to the end of one. And whether it is the one before once more: the two
frames of a token may each write it (`die Frau Frau`).

    ngrams.de.npz
        word_prints, word_buckets   find the words by a hash of their letters: see `fingerprints`

A word is a run of letters, capital or not. One in which a letter is spelled in bytes is not judged.
"""

from __future__ import annotations

import hashlib
import re
import string
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from model.bundle.arrays import read_arrays
from model.bundle.errors import ManifestError
from model.bundle.fingerprints import entries, has, table
from model.bundle.search import UNJUDGED, Flaws, Words, in_vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from model.bundle.search import Entries
    from model.bundle.tokenizer import Tokenizer

    Step = tuple[str | None, tuple[str, ...], str | None]
    """What a token adds to the unfinished word, words it has whole, and what it begins: see `_step`."""

__all__ = ["WORD", "Lexicon", "word_table", "words_in"]

WORD = re.compile(r"[^\W\d_]+")
"""A run of letters."""

_PRINTS, _BUCKETS = "word_prints", "word_buckets"
_HASH_BYTES = 8
_MOST_CACHED = 10_000
_APOSTROPHES = "'’"


def words_in(text: str) -> list[str]:
    """The words of a text, one after another, in lower case."""
    return [word.lower() for word in WORD.findall(text)]


def word_table(words: Iterable[str]) -> dict[str, NDArray[Any]]:
    """The arrays of a lexicon, by name.

    Args:
        words: distinct, in lower case.
    """
    _, found = table(_hashes(words))
    return {_PRINTS: found["prints"], _BUCKETS: found["buckets"]}


class Lexicon:
    """Tells of what tokens write whether it is words."""

    def __init__(self, arrays: dict[str, NDArray[Any]], tokenizer: Tokenizer) -> None:
        """Take the arrays of `word_table`.

        Raises:
            ValueError: they do not fit together.
        """
        self._tokenizer = tokenizer
        self._known = entries(arrays[_PRINTS], arrays[_BUCKETS])
        self.table = _table(self._known, tokenizer.written)

    @classmethod
    def open(cls, path: Path, tokenizer: Tokenizer) -> Lexicon | None:
        """Read the words in the file of a language model; None if it has none.

        Raises:
            ManifestError: they cannot be read.
        """
        arrays = read_arrays(path, (_PRINTS, _BUCKETS))
        if not {_PRINTS, _BUCKETS} <= set(arrays):
            return None
        try:
            return cls(arrays, tokenizer)
        except (ValueError, TypeError, IndexError) as error:
            msg = f"the words in {path.name} are malformed: {error}"
            raise ManifestError(msg) from error

    def __contains__(self, word: str) -> bool:
        """Whether there is a word, whatever its capitals."""
        return has(self._known, _hash(word.lower()))

    def flaws(self, ids: Sequence[int], source: Sequence[int] = ()) -> Flaws:
        """What is wrong with the words that tokens write; those of the source count as known.

        Raises:
            ValueError: one is no token.
        """
        tokens = np.array(ids, np.int64)
        if not in_vocabulary(tokens, self._tokenizer.vocabulary_size):
            msg = "the vocabulary has no such token"
            raise ValueError(msg)
        return self.table.flaws(tokens, self.hashes(source))

    def hashes(self, ids: Sequence[int]) -> NDArray[np.uint64]:
        """Of the words that tokens write, each once."""
        return _hashes(set(words_in(self._tokenizer.decode(ids))))


def _table(known: Entries, written: Sequence[str | None]) -> Words:
    """The words there are, and what each token writes, as the search asks for them."""
    letters = bytearray()
    whole: list[str] = []
    steps = []
    for text in written:
        head, ended, tail = _step(text)
        step = []
        for piece in (head, tail):
            encoded = (piece or "").lower().encode()
            step += [len(letters), UNJUDGED if piece is None else len(encoded)]
            letters += encoded
        steps.append([*step[:2], len(whole), len(ended), *step[2:], _is_gap(text, head, ended, tail)])
        whole += [word.lower() for word in ended]
    return Words(known, np.array(steps, np.int64), np.array(letters, np.uint8), _hashes(whole))


def _step(text: str | None) -> Step:
    """What a token adds to the unfinished word, which words it has whole, and what it begins.

    The last is None where nothing ends with it; the first is None where what it writes is not known by itself.
    """
    if text is None:
        return None, (), None
    runs = list(WORD.finditer(text))
    if len(runs) == 1 and runs[0].group() == text:
        return text, (), None
    head = text[: runs[0].end()] if runs and runs[0].start() == 0 else ""
    tail = text[runs[-1].start() :] if runs and runs[-1].end() == len(text) else ""
    whole = tuple(run.group() for run in runs if run.start() > 0 and run.end() < len(text))
    return head, whole, tail


def _is_gap(text: str | None, head: str | None, whole: Sequence[str], tail: str | None) -> bool:
    """Whether between the word that a token ends and the one that it begins is hardly anything."""
    if text is None or head is None or tail is None or whole:
        return False
    return not text[len(head) : len(text) - len(tail)].strip(_APOSTROPHES + string.whitespace)


def _hashes(words: Iterable[str]) -> NDArray[np.uint64]:
    return np.array([_hash(word) for word in words], np.uint64)


@lru_cache(_MOST_CACHED)
def _hash(word: str) -> int:
    return int.from_bytes(hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=_HASH_BYTES).digest())
