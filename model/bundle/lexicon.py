"""Which words a language has (decision 0014).

The frames of a CTC network are independent of each other. Where it wavers between two words, or between two ways of
writing one, it may write half of either: what comes out (`Übersetzungsetzung`) is no word at all. The beam search asks
this whether it is, whenever a prefix has come to the end of one.

    ngrams.de.npz
        word_prints, word_buckets   find the words by a hash of their letters: see `fingerprints`

A word is a run of letters, capital or not. One in which a letter is spelled in bytes is not judged.
"""

from __future__ import annotations

import hashlib
import re
import zipfile
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from model.bundle.errors import ManifestError
from model.bundle.fingerprints import Fingerprints, table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from model.bundle.tokenizer import Tokenizer

    Step = tuple[str | None, tuple[str, ...], str | None]

__all__ = ["Lexicon", "word_table", "words_in"]

_LETTERS = re.compile(r"[^\W\d_]+")
_PRINTS, _BUCKETS = "word_prints", "word_buckets"
_HASH_BYTES = 8
_REMEMBERED = 1 << 14
"""Words that it is remembered of whether they are known: prefixes of one sentence end in the same ones."""


def words_in(text: str) -> list[str]:
    """The words of a text, one after another, in lower case."""
    return [word.lower() for word in _LETTERS.findall(text)]


def word_table(words: Iterable[str]) -> dict[str, NDArray[Any]]:
    """The arrays of a lexicon, by name.

    Args:
        words: distinct, in lower case.
    """
    _, found = table(np.array([_hash(word) for word in words], np.uint64))
    return {_PRINTS: found["prints"], _BUCKETS: found["buckets"]}


class Lexicon:
    """Tells of what tokens write whether it is words.

    The letters of a word that has not ended yet are its state: `start` is none at all, None stands for a word that
    cannot be judged.
    """

    start = ""

    def __init__(self, arrays: dict[str, NDArray[Any]], tokenizer: Tokenizer) -> None:
        """Take the arrays of `word_table`.

        Raises:
            ValueError: they do not fit together.
        """
        words = Fingerprints(arrays[_PRINTS], arrays[_BUCKETS])
        self._knows = lru_cache(_REMEMBERED)(lambda word: words.place(_hash(word)) is not None)
        self._tokenizer = tokenizer
        self._steps = [_step(text) for text in tokenizer.written]

    @classmethod
    def open(cls, path: Path, tokenizer: Tokenizer) -> Lexicon | None:
        """Read the words in the file of a language model; None if it has none.

        Raises:
            ManifestError: they cannot be read.
        """
        try:
            with np.load(path, allow_pickle=False) as archive:
                if not {_PRINTS, _BUCKETS} <= set(archive):
                    return None
                return cls({name: archive[name] for name in (_PRINTS, _BUCKETS)}, tokenizer)
        except (OSError, ValueError, TypeError, EOFError, zipfile.BadZipFile) as error:
            msg = f"the words in {path.name} are malformed: {error}"
            raise ManifestError(msg) from error

    def words(self, ids: Sequence[int]) -> frozenset[str]:
        """The words that tokens write, known or not."""
        return frozenset(words_in(self._tokenizer.decode(ids)))

    def after(self, word: str | None, token: int, spared: frozenset[str]) -> tuple[str | None, int]:
        """One more token.

        Args:
            word: the letters of the word that had not ended before it.
            token: its id.
            spared: words that count as known.

        Returns:
            The letters of the word that has not ended after it, and how many unknown words it ended.
        """
        head, whole, tail = self._steps[token]
        joined = None if word is None or head is None else word + head
        if tail is None:
            return joined, 0
        unknown = int(self.unknown(joined, spared))
        for ended in whole:
            unknown += self.unknown(ended, spared)
        return tail, unknown

    def unknown(self, word: str | None, spared: frozenset[str]) -> bool:
        """Whether letters that have come to an end are a word that does not exist."""
        if not word:
            return False
        lower = word.lower()
        return lower not in spared and not self._knows(lower)


def _step(text: str | None) -> Step:
    """What a token adds to the unfinished word, which words it has whole, and what it begins.

    The last is None where nothing ends with it; the first is None where what it writes is not known by itself.
    """
    if text is None:
        return None, (), None
    runs = list(_LETTERS.finditer(text))
    if len(runs) == 1 and runs[0].group() == text:
        return text, (), None
    head = text[: runs[0].end()] if runs and runs[0].start() == 0 else ""
    tail = text[runs[-1].start() :] if runs and runs[-1].end() == len(text) else ""
    whole = tuple(run.group() for run in runs if run.start() > 0 and run.end() < len(text))
    return head, whole, tail


def _hash(word: str) -> int:
    return int.from_bytes(hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=_HASH_BYTES).digest())
