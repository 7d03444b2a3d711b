"""Lists of words, in files beside this one; each begins with what is in it and in which columns, and who reads it."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["WAYS", "as_listed", "given_names", "is_given_name", "kinds_of", "lines_of", "pairs_of", "rows_of"]

WAYS = {"en-de": "=>", "de-en": "=<"}
"""How lists of English and German say that a line holds in a direction: both ways, or this one."""

_GIVEN_NAMES = "given_names.txt"
_OTHER_CASES = str.maketrans("\u017f\u0131\u0130", "sii")
"""To a pattern that ignores case, ſ, ı and İ are cases of these letters."""


def lines_of(name: str) -> list[str]:
    """The lines of a list, without blank ones and comments; of a folder those of all lists in it, by their names."""
    found = resources.files(__package__).joinpath(name)
    files = sorted(found.iterdir(), key=lambda file: file.name) if found.is_dir() else [found]
    lines = (line for file in files for line in file.read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def rows_of(name: str) -> list[list[str]]:
    """The columns of the lines of a list, which tabs divide."""
    return [line.split("\t") for line in lines_of(name)]


@cache
def kinds_of(name: str) -> Mapping[str, frozenset[str]]:
    """The words of each kind, of a list whose lines have a kind and words of it: her: Anna Berta."""
    words: dict[str, list[str]] = {}
    for kind, _, its in (line.partition(": ") for line in lines_of(name)):
        words.setdefault(kind, []).extend(its.split())
    return {kind: frozenset(its) for kind, its in words.items()}


def pairs_of(name: str, direction: str) -> list[tuple[str, str]]:
    """Source and target of the lines that hold in a direction, of a list of ways, English and German."""
    both = [(english, german) for way, english, german in rows_of(name) if way in WAYS[direction]]
    return both if direction == "en-de" else [(german, english) for english, german in both]


def as_listed(word: str) -> str:
    """As a list in lower case has what a pattern has found in any case, and with any white space between its words."""
    return " ".join(word.translate(_OTHER_CASES).lower().split())


def given_names() -> Mapping[str, frozenset[str]]:
    """Common given names by whose they are: `her`, `him`."""
    return kinds_of(_GIVEN_NAMES)


def is_given_name(word: str) -> bool:
    """Whether a word is a common given name, whoever has it."""
    return any(word in names for names in given_names().values())
