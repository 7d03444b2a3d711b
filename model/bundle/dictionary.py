"""What single words may become, as a corpus tells it (decision 0019).

    dictionary.en-de.tsv.gz     a line for each word, in the order of UTF-8: the word and, after tabs, its translations,
                                the likeliest first

The text is kept as it is, with an index of one word in `_STRIDE`: as objects of Python's, all words would take ten
times as much memory.
"""

from __future__ import annotations

import gzip
import re
import zlib
from bisect import bisect_right
from functools import lru_cache
from operator import lt
from typing import TYPE_CHECKING

import numpy as np

from model.bundle.errors import ManifestError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from model.bundle.direction import Direction

__all__ = [
    "LONGEST_ABBREVIATION",
    "UMLAUTS",
    "WORD",
    "Dictionary",
    "dictionary_file",
    "spellings",
    "write_dictionary_file",
]

WORD = r"[^\W\d_]+(?:[-'’][^\W\d_]+)*"
"""A pattern of what has an entry."""

LONGEST_ABBREVIATION = 4
"""Letters of what is in capitals: of more, it is a word."""

UMLAUTS = {"ae": "ä", "oe": "ö", "ue": "ü"}
"""What two letters may stand for."""

_UMLAUT = re.compile("|".join(UMLAUTS), re.IGNORECASE)
_SHARP_S = re.compile("ss", re.IGNORECASE)
_COGNATE_END = re.compile(r"[^\W\d_]")
"""What follows a word in another that is made of it, as in Versionsnummer; after a hyphen it may be a name."""

_LINE_END = ord("\n")
_FIRST_COLUMN = re.compile(rb"^([^\t\n]+)\t[^\n]", re.MULTILINE)
"""A word that has a translation."""
_STRIDE = 64
"""Lines from one that the index has to the next: so many are looked through at once."""
_MOST_CACHED = 10_000

_MOST_LETTERS, _MOST_PAIRS = 2, 6
"""Letters, and pairs of letters, that are in one but not in the other of words that are alike."""
_MOST_BYTES = 2
"""Bytes that one of them is longer."""

_SLOTS = 1 << 21
"""Hashes that are told apart: a byte of each says whether any word has it. Most that are not known have none that one
has, and are told in a tenth of the time of looking for them."""

_NO_LETTER = 31


def _letter_codes() -> NDArray[np.uint8]:
    """For each byte of UTF-8 a number: that of the letter that it ends, of both languages, or else `_NO_LETTER`."""
    codes = np.full(256, _NO_LETTER, np.uint8)
    for letters in ("abcdefghijklmnopqrstuvwxyzäöüß", "ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÜẞ"):
        codes[[letter.encode()[-1] for letter in letters]] = range(len(letters))
    return codes


_LETTER_CODES = _letter_codes()


class _Alike:
    """Finds words that are much like another by the letters, and the pairs of letters, that are in them.

    Args:
        words: in UTF-8, none empty.
    """

    def __init__(self, words: Sequence[bytes]) -> None:
        lengths = np.array(list(map(len, words)), np.int64)
        letters, pairs = _shapes(words, lengths)
        self._order = np.argsort(lengths, kind="stable")
        self._lengths, self._letters, self._pairs = (array[self._order] for array in (lengths, letters, pairs))

    def places(self, word: bytes) -> NDArray[np.intp]:
        """Which of the words they are, in no order."""
        length = len(word)
        start, end = np.searchsorted(self._lengths, [length - _MOST_BYTES, length + _MOST_BYTES + 1])
        letters, pairs = _shapes([word], np.array([length]))
        near = start + np.flatnonzero(np.bitwise_count(self._letters[start:end] ^ letters) <= _MOST_LETTERS)
        near = near[np.bitwise_count(self._pairs[near] ^ pairs) <= _MOST_PAIRS]
        places: NDArray[np.intp] = self._order[near]
        return places


def _shapes(words: Sequence[bytes], lengths: NDArray[np.int64]) -> tuple[NDArray[np.uint32], NDArray[np.uint64]]:
    """A bit for each letter that is in a word, and for each pair of letters, of which some share one."""
    if not words:
        return np.zeros(0, np.uint32), np.zeros(0, np.uint64)
    ends = np.cumsum(lengths + 1) - 1
    places = np.stack([ends - lengths, ends], axis=1)
    codes = _LETTER_CODES[np.frombuffer(b" ".join([*words, b""]), np.uint8)]
    letters = np.where(codes == _NO_LETTER, np.uint32(0), np.uint32(1) << codes.astype(np.uint32))
    pairs = np.uint64(1) << ((codes[:-1] * np.uint64(37) + codes[1:] * np.uint64(11)) & np.uint64(63))
    return (
        np.bitwise_or.reduceat(letters, places.ravel())[::2],
        np.bitwise_or.reduceat(pairs, np.maximum(places - [0, 1], places[:, :1]).ravel())[::2],
    )


class Dictionary:
    """The words of one language, and what they may become in the other."""

    def __init__(self, text: bytes) -> None:
        """Take the lines of a file.

        Raises:
            ValueError: they are not UTF-8, not in order or cut off, or one has a word without a translation.
        """
        text.decode()
        if text and not text.endswith(b"\n"):
            msg = "it is cut off"
            raise ValueError(msg)
        self._text = b"\n" + text
        ends = np.flatnonzero(np.frombuffer(self._text, np.uint8) == _LINE_END)
        self._starts = ends[:-1] + 1
        self._look_up = lru_cache(_MOST_CACHED)(self._search)
        self._translate = lru_cache(_MOST_CACHED)(self._translations)
        words: list[bytes] = _FIRST_COLUMN.findall(text)
        if len(words) < len(self):
            each = enumerate(text.split(b"\n"), start=1)
            malformed = next(number for number, line in each if not _FIRST_COLUMN.match(line))
            msg = f"line {malformed} has no word with a translation"
            raise ValueError(msg)
        if not all(map(lt, words, words[1:])):
            msg = "its words are not in order"
            raise ValueError(msg)
        self._index = words[::_STRIDE]
        slots = np.zeros(_SLOTS, np.uint8)
        slots[np.fromiter(map(hash, map(bytes.decode, words)), np.int64, len(words)) % _SLOTS] = True
        self._slots = slots.tobytes()
        self._alike = _Alike(words)

    @classmethod
    def open(cls, path: Path) -> Dictionary:
        """Read a file.

        Raises:
            ManifestError: it is missing or malformed.
        """
        try:
            content = path.read_bytes()
            dictionary = cls(gzip.decompress(content))
        except (OSError, EOFError, ValueError, zlib.error) as error:
            msg = f"{path.name} is no dictionary: {error}"
            raise ManifestError(msg) from error
        if not content:  # which gzip takes for the empty text
            msg = f"{path.name} is no dictionary: it is empty"
            raise ManifestError(msg)
        return dictionary

    def __len__(self) -> int:
        return len(self._starts)

    def __contains__(self, word: str) -> bool:
        """Whether it is known with just these capitals."""
        return bool(self._find(word))

    def translations(self, word: str, *, nouns_have_capitals: bool = False) -> tuple[str, ...]:
        """What a word may become, the likeliest first; nothing if it is not known.

        A word that is known with other capitals only counts as known, and its translations have the capitals that it
        has; but not a short one in capitals, which is a name: IT, US, WHO. One that is known with a capital and without
        may become what both may: it has a capital as part of a name, of a title that stayed as it was, or as a label.

        Args:
            word: of the language.
            nouns_have_capitals: whether it has: then a word with one is rather the noun.
        """
        return self._translate(word, nouns_have_capitals)

    def _translations(self, word: str, nouns_have_capitals: bool) -> tuple[str, ...]:  # noqa: FBT001 - of one place
        if found := self._find(word):
            small = self._find(word[:1].lower() + word[1:]) if word[:1].isupper() else ()
            if not small:
                return found
            lists = _without_copies(found, word, small), small
            return tuple(_cased(one, word) for one in _united(lists if nouns_have_capitals else lists[::-1]))
        form = "" if word.isupper() and len(word) <= LONGEST_ABBREVIATION else self.usual_form(word)
        return tuple(_cased(one, word) for one in self._find(form)) if form else ()

    def usual_form(self, word: str) -> str:
        """The form of a word that is known: with other capitals, with letters for two that stand for one, ß for ss.

        It is empty if none is.
        """
        forms = (form for spelling in spellings(word) for form in (spelling.lower(), spelling.capitalize()))
        return next((form for form in forms if form in self), "")

    def has_beginning(self, letters: str) -> bool:
        """Whether there are words that begin with some letters and go on, whether a noun or not."""
        return any(self._has_longer(form) for form in (letters, letters.capitalize()))

    def alike(self, word: str) -> list[str]:
        """Words of much the same letters: all that one slip may have made this one of, and others."""
        return [self._word(place).decode() for place in self._alike.places(word.encode())]

    def _find(self, word: str) -> tuple[str, ...]:
        """The translations of a word with just these capitals."""
        return self._look_up(word) if self._slots[hash(word) % _SLOTS] else ()

    def _search(self, word: str) -> tuple[str, ...]:
        wanted = word.encode("utf-8", "surrogatepass")
        if b"\t" in wanted:
            return ()
        line = b"\n%b\t" % wanted
        found = self._text.find(line, *self._near(wanted))
        if found < 0:
            return ()
        translations = found + len(line)
        return tuple(self._text[translations : self._text.index(b"\n", translations)].decode().split("\t"))

    def _has_longer(self, letters: str) -> bool:
        """Words that begin with some letters stand right behind where these would, the letters themselves first."""
        wanted = letters.encode("utf-8", "surrogatepass")
        line, (start, end) = b"\n%b" % wanted, self._near(wanted)
        found = self._text.find(line, start, end)
        if found >= 0 and self._text.startswith(b"\t", found + len(line)):
            found = self._text.find(line, found + 1, end)
        return found >= 0

    def _near(self, word: bytes) -> tuple[int, int]:
        """Of the text what has the line of a word, if it has one, and that of the next."""
        if not self._index:
            return 0, 0
        first = max(bisect_right(self._index, word) - 1, 0) * _STRIDE
        after = first + _STRIDE + 1
        return self._starts[first] - 1, self._starts[after] if after < len(self) else len(self._text)

    def _word(self, index: int) -> bytes:
        start = self._starts[index]
        return self._text[start : self._text.index(b"\t", start)]


def spellings(word: str) -> Iterator[str]:
    """A word as it is, and as it may be meant: where ß or umlauts are not on the keyboard, they are two letters."""
    yield word
    umlauts = _UMLAUT.sub(lambda two: UMLAUTS[two[0].lower()], word)
    for spelling in (word, umlauts):
        yield _SHARP_S.sub("ß", spelling)
    yield umlauts
    yield word.replace("ß", "ss")


def _without_copies(translations: Sequence[str], word: str, small: Sequence[str]) -> list[str]:
    """The translations of a word with a capital, without itself: it may have been a part of a name.

    It stays if those without one, `small`, have a word that is made of it.
    """
    ours = word.casefold()
    if any(one.casefold().startswith(ours) and _COGNATE_END.match(one, len(word)) for one in small):
        return [*translations]
    return [one for one in translations if one.casefold() != ours]


def _united(lists: Iterable[Sequence[str]]) -> list[str]:
    """What is in lists, each once: first what is early in one, or in several; of those alike, what is in the first."""
    scores: dict[str, float] = {}
    written: dict[str, str] = {}
    for listed in lists:
        for rank, one in enumerate(listed, 1):
            key = one.casefold()
            scores[key] = scores.get(key, 0.0) + 1 / rank
            written.setdefault(key, one)
    return [written[key] for key in sorted(scores, key=scores.__getitem__, reverse=True)]


def _cased(translation: str, word: str) -> str:
    if word.isupper() and len(word) > 1:
        return translation.upper()
    return translation[:1].upper() + translation[1:] if word[:1].isupper() else translation


def dictionary_file(direction: Direction) -> str:
    """What the file is called, in a bundle and elsewhere."""
    return f"dictionary.{direction}.tsv.gz"


def write_dictionary_file(path: Path, entries: Mapping[str, Sequence[str]]) -> None:
    """Write a file of words and their translations, the same for the same entries."""
    lines = sorted("\t".join((word, *translations)).encode() + b"\n" for word, translations in entries.items())
    path.write_bytes(gzip.compress(b"".join(lines), mtime=0))
