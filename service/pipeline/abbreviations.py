"""Abbreviations are read as what they stand for (decision 0023).

The network has seen few of them often enough, and a point within a sentence misleads it. `abbreviations.tsv` has them;
of several possibilities, as forms of an adjective, the one that reads best is taken.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from service.pipeline.edits import Edit, apply
from service.pipeline.lists import lines_of
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from service.pipeline.edits import Edited
    from service.pipeline.likelihood import Likelihood

__all__ = ["Entry", "entries", "expand"]

_FILE = "abbreviations.tsv"
_NUMBER = "#"
_SPACE = "[ \u00a0\u202f]?"
_DOT = "."
_MOST_JUDGED = 10
"""Abbreviations of a text of which it is asked which form reads best: more are in no sentence."""
_AFTER_SENTENCE = " \"'”“’»)"
_DAYS = {
    "de": ("bis", "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag"),
    "en": ("to", "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"),
}
"""How one reads from one to another, and days, of which the first letters are abbreviations; some are words, too."""
_DAY_LETTERS = {"de": 2, "en": 3}


class _Days(NamedTuple):
    """What finds days of the week that follow each other, and each of them or the dash between them."""

    several: re.Pattern[str]
    part: re.Pattern[str]
    words: dict[str, str]


def _days_of(language: str) -> _Days:
    to, days = _DAYS[language]
    words = {day[: _DAY_LETTERS[language]]: day for day in days.split()}
    day = rf"(?:{'|'.join(words)})(?!\w)\.?"
    several = rf"(?<!\w){day}(?:(?:\s?[-–,/+&]\s?|\s(?:{to}|und|and)\s){day})+"
    return _Days(re.compile(several), re.compile(rf"{day}|\s?[-–]\s?"), words | {"": f" {to} "})


_SEVERAL_DAYS = {language: _days_of(language) for language in _DAYS}


class Entry(NamedTuple):
    """What an abbreviation, `text`, stands for; beside a number only, if so said; and whether it may also be a word."""

    text: str
    after_number: bool
    before_number: bool
    meanings: tuple[str, ...]
    is_uncertain: bool


def expand(text: str, language: str, likelihood: Likelihood | None) -> Edited:
    """A text with words for its abbreviations."""
    edited = apply(text, _days(text, language))
    return edited.then(apply(edited.text, _edits(edited.text, language, likelihood)))


def _days(text: str, language: str) -> Iterator[Edit]:
    """Words for days of the week of which one follows the other, as in Mo-Fr."""
    several, part, words = _SEVERAL_DAYS[language]
    for found in several.finditer(text):
        for one in part.finditer(text, found.start(), found.end()):
            word = words[one[0].strip().strip(".-–")]
            yield Edit(Span(*one.span()), word + _full_stop(text, one))


def _edits(text: str, language: str, likelihood: Likelihood | None) -> Iterator[Edit]:
    pattern, known = _finder(language)
    for number, found in enumerate(pattern.finditer(text)):
        entry = known[(found.lastindex or 1) - 1]
        meanings = [_like(found[0], one) + _full_stop(text, found) for one in entry.meanings]
        if entry.is_uncertain:
            meanings.append(found[0])
        best = meanings[-1 if entry.is_uncertain else 0]
        if likelihood and len(meanings) > 1 and number < _MOST_JUDGED:
            best = likelihood.best(text[: found.start()], text[found.end() :], dict.fromkeys(meanings, 0.0))
        if best != found[0]:
            yield Edit(Span(*found.span()), best)


def _full_stop(text: str, abbreviation: re.Match[str]) -> str:
    """The point of an abbreviation that ends a sentence, too."""
    is_last = abbreviation[0].endswith(_DOT) and not text[abbreviation.end() :].strip(_AFTER_SENTENCE)
    return _DOT if is_last else ""


def _like(abbreviation: str, meaning: str) -> str:
    """With a capital letter if the abbreviation has one, unless all of it is in capitals."""
    if abbreviation[0].isupper() and not abbreviation.isupper():
        return meaning[0].upper() + meaning[1:]
    return meaning


@cache
def entries(language: str) -> list[Entry]:
    """The list of one language."""
    rows = (line.split("\t") for line in lines_of(_FILE))
    return [_entry(abbreviation, meanings) for its, abbreviation, meanings in rows if its == language]


def _entry(abbreviation: str, meanings: str) -> Entry:
    return Entry(
        abbreviation.removeprefix(f"{_NUMBER} ").removesuffix(f" {_NUMBER}"),
        abbreviation.startswith(_NUMBER),
        abbreviation.endswith(_NUMBER),
        tuple(meanings.removesuffix("?").split("|")),
        meanings.endswith("?"),
    )


@cache
def _finder(language: str) -> tuple[re.Pattern[str], list[Entry]]:
    """What finds abbreviations, each in a group of its own, and what they are.

    Groups are slow to try, and hardly a word is one: without them it is asked first.
    """
    longest_first = sorted(entries(language), key=lambda entry: len(entry.text), reverse=True)
    patterns = [_pattern(entry) for entry in longest_first]
    groups = "|".join(f"({pattern})" for pattern in patterns)
    return re.compile(rf"(?<![\w.@/\\-])(?={'|'.join(patterns)})(?:{groups})"), longest_first


def _pattern(entry: Entry) -> str:
    """What finds an abbreviation as a whole word, with a capital or without, and with or without spaces in it."""
    first, rest = entry.text[0], re.escape(entry.text[1:]).replace(r"\ ", _SPACE)
    pattern = (f"[{first}{first.upper()}]" if first.islower() else re.escape(first)) + rest
    if entry.after_number:
        pattern += rf"(?<=[0-9][ \u00a0\u202f]{pattern})"
    return pattern + (rf"(?={_SPACE}[0-9])" if entry.before_number else r"(?![\w@/\\-]|\.\w)")
