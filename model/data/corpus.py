"""Parallel text, read and cleaned.

What is read: TSV files (English, German, optionally a source name), plain or .gz or .xz; pairs of
text files that differ only in their language suffix (`news.en`, `news.de`, also .gz or .xz); and
directories, searched for both.

What is dropped, and counted: empty sides, sides too long, pairs out of proportion, copies,
duplicates, sides in the other language, and anything found in a file of held-out text.
"""

from __future__ import annotations

import gzip
import hashlib
import lzma
import zlib
from collections import Counter
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from itertools import islice
from typing import TYPE_CHECKING, BinaryIO, TypeVar, cast

from model.bundle import file_record, fold, normalise

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

__all__ = [
    "Cleaner",
    "CorpusError",
    "Pair",
    "check_existing",
    "chunks",
    "digest",
    "files_of",
    "matches",
    "read_lines",
    "read_pairs",
    "without_partners",
]

_Item = TypeVar("_Item")

_COMPRESSIONS = (".gz", ".xz")


class CorpusError(ValueError):
    """A corpus cannot be read; the message names the file and line."""


@dataclass(frozen=True, slots=True)
class Pair:
    """One sentence in both languages, and the name of the collection it came from."""

    english: str
    german: str
    source: str

    def side(self, language: str) -> str:
        """The sentence in "en" or "de"."""
        return self.english if language == "en" else self.german


def read_lines(path: Path) -> Iterator[str]:
    """Lines of a text file, decompressed by suffix, without their line ends and without a mark of the byte order.

    Raises:
        CorpusError: the file cannot be read, or is not UTF-8.
    """
    number = 0
    try:
        with _open(path) as file:
            for line in file:
                number += 1
                yield line.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
    except UnicodeDecodeError as error:
        msg = f"{path}, line {number}: {error}"
        raise CorpusError(msg) from error
    except (OSError, EOFError, lzma.LZMAError, zlib.error) as error:
        msg = f"{path}, after line {number}: {error}"
        raise CorpusError(msg) from error


def _open(path: Path) -> BinaryIO:
    if path.suffix == ".gz":
        return cast("BinaryIO", gzip.open(path))
    return cast("BinaryIO", lzma.open(path)) if path.suffix == ".xz" else path.open("rb")


def read_pairs(paths: Iterable[Path]) -> Iterator[Pair]:
    """All pairs under the given files and directories.

    A TSV line needs two or three fields; a line with fewer is an error, since it means that the
    file is not what it seems to be.

    Raises:
        CorpusError: nothing to read, a file that cannot be read, or one of a pair alone.
    """
    for file in files_of(paths):
        name, kind = _split_suffixes(file)
        yield from _read_tsv(file, name) if kind == "tsv" else _read_aligned(file, name)


def files_of(paths: Iterable[Path]) -> list[Path]:
    """The files under the given files and directories that pairs are read from; of aligned ones the English file.

    Raises:
        CorpusError: there is none, one does not exist or is no corpus, or one of a pair is alone.
    """
    given = list(paths)
    check_existing(given)
    files = []
    for path in without_partners(given):
        for file in without_partners(sorted(path.rglob("*"))) if path.is_dir() else [path]:
            if _split_suffixes(file)[1] in {"tsv", "en"}:
                files.append(file)
            elif not path.is_dir():
                msg = f"{file}: expected .tsv, or a pair .en and .de (each also .gz or .xz)"
                raise CorpusError(msg)
    if not files:
        where = f" in {', '.join(map(str, given))}" if given else ""
        msg = f"no text found{where}: give TSV files, pairs of .en and .de files, or directories of them"
        raise CorpusError(msg)
    return files


def check_existing(paths: Iterable[Path]) -> None:
    """Tell of all files and folders that are not there.

    Raises:
        CorpusError: there are some.
    """
    if missing := [str(path) for path in paths if not path.exists()]:
        msg = f"no such file or folder: {', '.join(missing)}"
        raise CorpusError(msg)


def digest(paths: Iterable[Path]) -> str:
    """Hexadecimal digits that tell the text of files and directories from any other, and from another order of it."""
    both = ((file, _partner(file, "de")) if _split_suffixes(file)[1] == "en" else (file,) for file in files_of(paths))
    records = [f"{file.name} {file_record(file).sha256}" for files in both for file in files]
    return hashlib.sha256("\n".join(records).encode()).hexdigest()


def matches(name: str, pattern: str) -> bool:
    """Whether a source has this name, or one of the pattern: `wiki[2020]` is a name like any other."""
    return name == pattern or fnmatchcase(name, pattern)


def without_partners(paths: Iterable[Path]) -> list[Path]:
    """All but the German files of pairs, which are read with the English ones.

    Raises:
        CorpusError: one of them is there without the English one.
    """
    given = list(paths)
    german = [path for path in given if _split_suffixes(path)[1] == "de" and not path.is_dir()]
    for path in german:
        if (partner := _partner(path, "en")) not in given:
            msg = f"{path} is one of a pair: give {partner} as well"
            raise CorpusError(msg)
    return [path for path in given if path not in german]


def _split_suffixes(path: Path) -> tuple[str, str]:
    """`news.en.gz` to (`news`, `en`)."""
    bare = path.with_suffix("") if path.suffix in _COMPRESSIONS else path
    return bare.stem, bare.suffix.removeprefix(".")


def _partner(path: Path, language: str) -> Path:
    """The file of a pair that is in another language: `news.en.gz` to `news.de.gz`."""
    compression = path.suffix if path.suffix in _COMPRESSIONS else ""
    return path.with_name(f"{_split_suffixes(path)[0]}.{language}{compression}")


def _read_tsv(path: Path, name: str) -> Iterator[Pair]:
    for number, line in enumerate(read_lines(path), 1):
        if not line.strip():
            continue
        if "\r" in line:
            msg = f"{path}, line {number}: carriage returns within it; lines end with LF, or CR and LF"
            raise CorpusError(msg)
        parts = line.split("\t")
        if len(parts) < 2:  # noqa: PLR2004 - English and German
            msg = f"{path}, line {number}: expected English, a tab, German; found {len(parts)} field"
            raise CorpusError(msg)
        yield Pair(parts[0], parts[1], parts[2] if len(parts) > 2 and parts[2] else name)  # noqa: PLR2004


def _read_aligned(english: Path, name: str) -> Iterator[Pair]:
    german = _partner(english, "de")
    if not german.is_file():
        msg = f"{english} has no partner {german.name}"
        raise CorpusError(msg)
    try:
        for left, right in zip(read_lines(english), read_lines(german), strict=True):
            yield Pair(left, right, name)
    except ValueError as error:
        if isinstance(error, CorpusError):
            raise
        msg = f"{english} and {german.name} differ in their number of lines"
        raise CorpusError(msg) from error


def chunks(items: Iterable[_Item], size: int) -> Iterator[list[_Item]]:
    """The items in lists of `size`; the last may be shorter."""
    iterator = iter(items)
    while chunk := list(islice(iterator, size)):
        yield chunk


@dataclass(slots=True)
class Cleaner:
    """Passes good pairs on and counts the rest by reason in `dropped`.

    Args:
        max_characters: longest side kept.
        max_ratio: longest side over shortest, in characters, each counted 10 longer than it is so
            that short strings have room.
        held_out: folded sentences (`fold`) that must not be trained on; either side counts.
        is_other_language: says whether a text (first argument) is clearly *not* in the language
            (second argument); see `language.py`.
    """

    max_characters: int = 600
    max_ratio: float = 2.5
    held_out: frozenset[str] = frozenset()
    is_other_language: Callable[[str, str], bool] | None = None
    dropped: Counter[str] = field(default_factory=Counter)
    _seen: set[int] = field(default_factory=set)

    def clean(self, pairs: Iterable[Pair]) -> Iterator[Pair]:
        """Normalised pairs that pass every check, in order."""
        for pair in pairs:
            english, german = (" ".join(normalise(side).split()) for side in (pair.english, pair.german))
            if reason := self._reason_to_drop(english, german):
                self.dropped[reason] += 1
            else:
                yield Pair(english, german, pair.source)

    def _reason_to_drop(self, english: str, german: str) -> str | None:
        """The first reason that applies; cheap ones are asked first."""
        return self._bad_form(english, german) or self._bad_content(english, german)

    def _bad_form(self, english: str, german: str) -> str | None:
        longest, shortest = max(len(english), len(german)), min(len(english), len(german))
        reasons = {
            "empty": shortest == 0,
            "too long": longest > self.max_characters,
            "out of proportion": (longest + 10) / (shortest + 10) > self.max_ratio,
            "damaged encoding": "\ufffd" in english or "\ufffd" in german,
        }
        return next((reason for reason, applies in reasons.items() if applies), None)

    def _bad_content(self, english: str, german: str) -> str | None:
        left, right = fold(english), fold(german)
        key = hash((left, right))
        reasons = {
            "no letters": not left or not right,
            "held out": left in self.held_out or right in self.held_out,
            "copy": left == right and len(english.split()) > 3,  # noqa: PLR2004 - names and terms may be equal
            "duplicate": key in self._seen,
        }
        self._seen.add(key)
        if reason := next((reason for reason, applies in reasons.items() if applies), None):
            return reason
        other = self.is_other_language
        return "wrong language" if other and (other(english, "en") or other(german, "de")) else None
