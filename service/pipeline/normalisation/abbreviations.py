"""Abbreviations are read as what they stand for (decision 0023).

The network has seen few of them often enough, and a point within a sentence misleads it. `abbreviations.tsv` has them;
of several possibilities, as forms of an adjective, the one that reads best is taken.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from service.pipeline.edits import Edit, apply, with_capital
from service.pipeline.finders.full_stops import full_stop
from service.pipeline.lists import rows_of
from service.pipeline.numbers.calendar import (
    DAYS,
    HOUR,
    MINUTES,
    ORDINAL_ENDING,
    SHORT_DAY,
    WHOLE_DAY,
    WHOLE_MONTH,
)
from service.pipeline.numbers.numerals import has_digits
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from service.pipeline.edits import Edited
    from service.pipeline.normalisation.likelihood import Likelihood

__all__ = ["Entry", "entries", "expand"]

_FILE = "abbreviations.tsv"
_NUMBER = "#"
_ORDINAL = "#."
_NOUN = "*"
_ANY_SPACE = "[ \u00a0\u202f]"
_SPACE = f"{_ANY_SPACE}?"
_MOST_JUDGED = 10
"""Abbreviations of a text of which it is asked which form reads best: more are in no sentence."""
_SHORTEST = 2
"""Characters of an abbreviation that may be a name or a symbol if it begins with a capital: B4, U."""
_GLUED = re.compile(r"(?<![\w.,/-])\d{1,3}(?:\.\d{1,2})?(?P<space>)(?:hrs?|mins?|secs?|wks?|yrs?|lbs?)(?![\w/-]|\.\w)")
"""2hrs, 15mins: numbers with a unit that is abbreviated."""
_ONE = re.compile(r"(?<![\w.,:/-])1\s$")
_SINGULARS = {"beats per minute": "beat per minute", "feet": "foot", "hours a day": "hour a day", "inches": "inch"}
"""Of English units that do not just end with an s."""
_TIME = rf"{HOUR}(?:{MINUTES})?"
"""9, 9:30 or 9.30."""


class _Beside(NamedTuple):
    """What stands beside days of the week of which the first letters alone are written.

    Args:
        to: between two, as one reads it; of a slash, `slash`.
        before: before one that is no word; where it is one, too, the sentence shows it.
        after: the same, after it.
    """

    to: str
    slash: str
    before: str
    after: str


_BESIDE_DAYS = {
    "de": _Beside(
        "bis",
        "und",
        r"(?i:bis|ab|am|seit|jeden|(?:nächst|kommend|dies|letzt|erst|zweit|dritt|viert)en)",
        r"(?:\s?[,/+&]\s?|\s(?:und|u\.)\s)(?:an\s)?Feiertag|,?\s(?:nur\s)?nach\sVereinbarung"
        rf"|[,:]?\s(?:geschl(?:ossen|\.)|Ruhetag|{_TIME}(?:\s?[-–]\s?\d|\s(?:bis\s\d|Uhr)))"
        rf"|,?\s(?:den\s)?\d\d?\.\s?{WHOLE_MONTH['de']}",
    ),
    "en": _Beside(
        "to",
        "and",
        "(?i:until|till|on|from|by|every|next|this|last)",
        rf"\s(?:morning|afternoon|evening|night)\b|[,:]?\s(?:closed(?!\s\w)|{_TIME}(?:\s?[-–]\s?\d|\sto\s\d|\s?[ap]\.?m\b))"
        rf"|,?\s(?:{WHOLE_MONTH['en']}\s\d|\d\d?{ORDINAL_ENDING}?\s{WHOLE_MONTH['en']})"
        r"|\s(?:&|and|or)\s(?:(?:bank|public)\s)?holidays?\b",
    ),
}


class _Days(NamedTuple):
    """What finds days of the week, and each of several or the dash between them.

    Every text in which days can be found has `short` ones; most sentences do not, and are done with.
    """

    short: re.Pattern[str]
    any: re.Pattern[str]
    part: re.Pattern[str]
    words: dict[str, str]


def _days_of(language: str) -> _Days:
    short, beside = DAYS[language], _BESIDE_DAYS[language]
    names = SHORT_DAY[language]
    day = rf"{names}(?!\w)\.?"
    another = rf"(?:\s?[-–,/+&]\s?|\s(?:{beside.to}|und|u\.|oder|and|or)\s){day}"
    several = rf"(?<!\w){day}(?:{another})+"
    before = rf"\b{beside.before}\s(?!Sun)(?!{day}{another}){names}(?![\w.'’-]|\s[A-ZÄÖÜ])"
    one = rf"(?<![\w.'’-]){day}(?={beside.after})"
    return _Days(
        re.compile(rf"{names}(?!\w)"),
        re.compile(f"{several}|{before}|{one}"),
        re.compile(rf"{day}|\s?[-–/]\s?"),
        short | {"": f" {beside.to} ", "/": f" {beside.slash} "},
    )


_ANY_DAYS = {language: _days_of(language) for language in DAYS}
_DAY_TO_DAY = re.compile(
    rf"(?<!from )\b{WHOLE_DAY['en']}(?P<to>\s(?:to|through|thru)\s|\s?[-–]\s?){WHOLE_DAY['en']}\b", re.IGNORECASE
)
_UNTIL = " until "
"""Between days the network takes "to" for "on": Montag am Freitag."""


class Entry(NamedTuple):
    """What an abbreviation, `text`, stands for, and whether it may also be a word.

    If `after` or `before` is not empty, only beside that: a number, an ordinal number or a noun.
    """

    text: str
    after: str
    before: str
    meanings: tuple[str, ...]
    is_uncertain: bool


def expand(text: str, language: str, likelihood: Likelihood | None) -> Edited:
    """A text with words for its abbreviations."""
    edited = apply(text, _days(text, language))
    if language == "en" and (has_digits(edited.text) or "day" in edited.text.lower()):  # most have neither
        for pattern, group, instead in ((_DAY_TO_DAY, "to", _UNTIL), (_GLUED, "space", " ")):
            edits = [Edit(Span(*one.span(group)), instead) for one in pattern.finditer(edited.text)]
            edited = edited.then(apply(edited.text, edits))
    return edited.then(apply(edited.text, _edits(edited.text, language, likelihood)))


def _days(text: str, language: str) -> Iterator[Edit]:
    """Words for days of the week of which one follows the other, as in Mo-Fr, or that a time or a date is beside."""
    short, days, part, words = _ANY_DAYS[language]
    if not short.search(text):
        return
    for found in days.finditer(text):
        for one in part.finditer(text, found.start(), found.end()):
            word = words[one[0].strip().strip(".-–")]
            yield Edit(Span(*one.span()), word + full_stop(text, one.end()))


def _edits(text: str, language: str, likelihood: Likelihood | None) -> Iterator[Edit]:
    for number, (entry, found) in enumerate(_find(text, language)):
        its = entry.meanings
        if entry.after == _NUMBER and _ONE.search(text, 0, found.start()):
            its = tuple(map(_singular, its))
        meanings = [_like(found[0], one) + full_stop(text, found.end()) for one in its]
        if entry.is_uncertain:
            meanings.append(found[0])
        best = meanings[-1 if entry.is_uncertain else 0]
        if likelihood and len(meanings) > 1 and number < _MOST_JUDGED:
            best = likelihood.best(text[: found.start()], text[found.end() :], dict.fromkeys(meanings, 0.0))
        if best != found[0]:
            yield Edit(Span(*found.span()), best)


def _singular(unit: str) -> str:
    return _SINGULARS.get(unit) or unit.removesuffix("s")


def _like(abbreviation: str, meaning: str) -> str:
    """With a capital letter if the abbreviation has one, unless all of it is in capitals."""
    if abbreviation[0].isupper() and not abbreviation.isupper():
        return with_capital(meaning)
    return meaning


@cache
def entries(language: str) -> list[Entry]:
    """The list of one language."""
    return [_entry(abbreviation, meanings) for its, abbreviation, meanings in rows_of(_FILE) if its == language]


def _entry(abbreviation: str, meanings: str) -> Entry:
    before = abbreviation[-1] if abbreviation.endswith((f" {_NUMBER}", f" {_NOUN}")) else ""
    after = next((sign for sign in (_NUMBER, _ORDINAL) if abbreviation.startswith(f"{sign} ")), "")
    return Entry(
        abbreviation.removeprefix(f"{after} ").removesuffix(f" {before}"),
        after,
        before,
        tuple(meanings.removesuffix("?").split("|")),
        meanings.endswith("?"),
    )


def _find(text: str, language: str) -> Iterator[tuple[Entry, re.Match[str]]]:
    """The abbreviations in a text, of several that begin at one place the longest."""
    any_one, by_first = _finder(language)
    place = 0
    while begin := any_one.search(text, place):
        place = begin.start()
        matches = ((entry, _compiled(entry).match(text, place)) for entry in by_first[text[place]])
        entry, found = next((entry, found) for entry, found in matches if found)
        yield entry, found
        place = found.end()


@cache
def _finder(language: str) -> tuple[re.Pattern[str], dict[str, list[Entry]]]:
    """What finds where abbreviations begin, and those that begin with each character, the longest first.

    Hardly a word is one. Each is compiled by itself when it is needed: all of them would take a quarter of a second.
    """
    rests: dict[str, list[str]] = {}
    by_first: dict[str, list[Entry]] = {}
    for entry in sorted(entries(language), key=lambda entry: len(entry.text), reverse=True):
        first, rest = _pattern(entry)
        rests.setdefault(first, []).append(rest)
        for character in _first_characters(entry):
            by_first.setdefault(character, []).append(entry)
    any_one = "|".join(f"{first}(?:{'|'.join(its)})" for first, its in rests.items())
    return re.compile(rf"(?<![\w.@/\\-])(?:{any_one})"), by_first


@cache
def _compiled(entry: Entry) -> re.Pattern[str]:
    return re.compile("".join(_pattern(entry)))


def _first_characters(entry: Entry) -> str:
    """What it may begin with: its first letter and, unless it is very short, that as a capital."""
    first = entry.text[0]
    return first + first.upper() if first.islower() and len(entry.text) > _SHORTEST else first


def _pattern(entry: Entry) -> tuple[str, str]:
    """What finds an abbreviation as a whole word, its first letter and the rest.

    There may be spaces in it or not. A slash may follow a unit alone, as in "40 Std./Woche", and a bracket may be
    around a number: "Abb. [3]".
    """
    first, rest = f"[{re.escape(_first_characters(entry))}]", re.escape(entry.text[1:]).replace(r"\ ", _SPACE)
    if entry.after:
        signs = (r"\.",) if entry.after == _ORDINAL else ("", r"\+")  # 30+ hrs
        rest += f"(?:{'|'.join(f'(?<=[0-9]{sign}{_ANY_SPACE}{first}{rest})' for sign in signs)})"
    if entry.before == _NUMBER:
        return first, rf"{rest}(?={_SPACE}\[?[0-9])"
    if entry.before == _NOUN:
        return first, rf"(?<![0-9] {first})(?<!\b[a-z]\. {first}){rest}(?=\s[A-ZÄÖÜ][a-zäöüß.]{{2}})"
    slash = "" if entry.after and entry.text.endswith(".") else "/"
    return first, rf"{rest}(?![\w@{slash}\\-]|\.\w)"
