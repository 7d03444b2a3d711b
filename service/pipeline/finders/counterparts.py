"""Abbreviations that have others for counterparts: m/w/d is m/f/d, and GDP is BIP.

Words cannot be put for them, or the network reads these no better. `counterparts.tsv` has them.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from service.pipeline.edits import with_capital
from service.pipeline.finders.match import Match
from service.pipeline.lists import pairs_of
from service.pipeline.numbers.calendar import ANY_MONTH, DAYS, MONTHS, QUARTER_OF_YEAR, WHOLE_MONTHS
from service.pipeline.numbers.numerals import has_digits
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from model.bundle import Direction

__all__ = ["find_counterparts", "find_day"]

_FILE = "counterparts.tsv"
_AFTER_NUMBER = "# "
_NUMBER_SIGN = "#"
_BEFORE_NUMBER = " …"
_QUARTER = re.compile(r"(?<![\w./&-])Q[1-9](?![\w&/-]|\.\w)")
"""Q4 of "Q4 results" and "Q4 2024 results", or a car's name; its own counterpart."""
_IN_WORDS = re.compile(QUARTER_OF_YEAR)
"""English ones that are read in words."""

_LETTERS = re.compile(r"(?<![\w.,/&–-])[A-Z][-–][A-Z](?![\w&/–-])")
"""A–E, of which the network makes one word."""

_SIZE = r"(?:[2-9]?X{1,4}[SL]|[SML])"
_SIZES = re.compile(rf"(?<![\w.,/&–-])(?:{_SIZE}\s?[-–/]\s?{_SIZE}|[2-9]?X{{1,4}}[SL])(?![\w&/–-]|\s[-–]\s?[A-Z])")
"""S–XXL, XXL, M/L."""
_DURATION = re.compile(r"(?<![\w.,-])(?:\d{1,3}[dh]\s?)?\d{1,3}[hm]\s?\d{1,2}[ms](?!\w)")
"""1h 45m, 3m 20s."""
_SET = re.compile(r"(?<![\w-])(?P<number>\d{1,3})er[- ]?(?P<what>Set|Pack)(?![\w-])")
"""4er-Set, of which the network makes nothing."""

_STATES = {"en": {"on": "ein", "off": "aus"}, "de": {"ein": "on", "an": "on", "aus": "off"}}
"""Of a switch, which the network leaves out."""
_STATE = {
    "en": re.compile(r"(?:(?<=\w:\s)(?:[Oo](?:n|ff)|ON|OFF)|^(?:On|Off|ON|OFF))$"),
    "de": re.compile(r"(?:(?<=\w:\s)(?:[Aa](?:n|us)|[Ee]in|EIN|AN|AUS)|^(?:Ein|Aus|EIN|AUS))$"),
}
"""After a label, and as one."""
_LONGEST_STATE = 6
"""With what is before it: "e: off"."""


def _month_to_month(language: str) -> re.Pattern[str]:
    month = ANY_MONTH[language]
    return re.compile(rf"(?<![\w.'’-])({month})(?:(?<!May|Mai)\.)?(\s?[-–]\s?)({month})(?![\w'’-])(?:\.(?!\s*$))?")


_MONTH_TO_MONTH = {language: _month_to_month(language) for language in MONTHS}
"""May–June, Jan.-Mar."""
_WORDS_OR_DAYS = ("So", "Sun")
"""Short days that are words with a capital letter, too: the star, or a company."""


def find_counterparts(text: str, direction: Direction) -> Iterator[Match]:
    """Those of a text that are listed, each with what the other language writes."""
    pattern, written = _read(str(direction))
    for found in pattern.finditer(text):
        target = written[found[0]]
        begins = not found.start() and found[0][1:2].islower()  # Gleis, but no N/A
        ends = found[0].endswith(".") and target[-1].islower() and not text[found.end() :].strip()
        span = Span(found.start(), found.end() - ends)  # the point is that of the sentence, too
        yield Match(span, with_capital(target) if begins else target)
    if "-" in text or "–" in text:  # most sentences have neither, and are done with
        for found in _MONTH_TO_MONTH[direction.source].finditer(text):
            first, last = (_month(found[group], direction) for group in (1, 3))
            yield Match(Span(*found.span()), f"{first}{found[2]}{last}")
    for pattern in _own_counterparts(text):
        yield from (Match(Span(*found.span()), found[0]) for found in pattern.finditer(text))
    if "Q" in text:
        in_words = {one.start("quarter") for one in _IN_WORDS.finditer(text)} if direction.source == "en" else ()
        quarters = (found for found in _QUARTER.finditer(text) if found.start() not in in_words)
        yield from (Match(Span(*found.span()), found[0]) for found in quarters)
    if direction.source == "de" and ("Set" in text or "Pack" in text):
        for found in _SET.finditer(text):
            what = found["what"] if not found.start() else found["what"].lower()
            yield Match(Span(*found.span()), f"{what} of {found['number']}")
    if state := _STATE[direction.source].search(text, max(0, len(text) - _LONGEST_STATE)):
        yield Match(Span(*state.span()), _state(state[0], direction))


def find_day(text: str, direction: Direction, beside: Collection[str]) -> str | None:
    """The abbreviation of the day that an abbreviation which is all of a text stands for: Mo of Mon, Mo: of Mon:.

    Args:
        text: such as "Mon".
        direction: of the translation.
        beside: all texts, as cells of a table; "So" and "Sun" are words unless there are other days.
    """
    days, others = DAYS[direction.source], DAYS[direction.target]
    day = text.rstrip(".:")
    point = text[len(day) :]
    is_word = day in _WORDS_OR_DAYS and point != ":" and sum(f"{one}{point}" in beside for one in days) < 2  # noqa: PLR2004
    if day not in days or len(point) > 1 or is_word:
        return None
    return dict(zip(days, others, strict=True))[day] + point


def _own_counterparts(text: str) -> Iterator[re.Pattern[str]]:
    """What finds those that both languages write alike; for most texts nothing is to be looked for."""
    has_dash = "-" in text or "–" in text
    if has_dash:
        yield _LETTERS
    if has_dash or any(sign in text for sign in ("XL", "XS", "/")):
        yield _SIZES
    if has_digits(text):
        yield _DURATION


def _state(word: str, direction: Direction) -> str:
    """The same state of a switch, with the capitals of the word."""
    written = _STATES[direction.source][word.lower()]
    return written if word.islower() else written.upper() if word.isupper() else written.capitalize()


def _month(name: str, direction: Direction) -> str:
    """What the other language calls a month."""
    place = next(place for place, names in enumerate(MONTHS[direction.source]) if name in names)
    return WHOLE_MONTHS[direction.target][place]


@cache
def _read(direction: str) -> tuple[re.Pattern[str], dict[str, str]]:
    """What finds the abbreviations of one direction, and the counterpart of each.

    Each alternative begins with one character, so that those between are skipped.
    """
    by_first: dict[str, list[str]] = {}
    written: dict[str, str] = {}
    for source, target in sorted(pairs_of(_FILE, direction), key=lambda pair: len(pair[0]), reverse=True):
        text = source.removeprefix(_AFTER_NUMBER).removesuffix(_BEFORE_NUMBER)
        first, rest = re.escape(text[0]), re.escape(text[1:])
        before, after = rf"(?<![\w./&-]{first})", r"(?![\w/&-]|\.\w)"
        if source.startswith(_AFTER_NUMBER):
            before = rf"(?<=[0-9½¼¾⅓⅔][ \u00a0\u202f]{first})"
        if source.endswith(_BEFORE_NUMBER):
            after = "(?=[ \u00a0\u202f][0-9])"
        elif text.endswith(_NUMBER_SIGN):
            after = r"(?=\d)"
        by_first.setdefault(first, []).append(f"{before}{rest}{after}")
        written[text] = target.removeprefix(_AFTER_NUMBER).removesuffix(_BEFORE_NUMBER)
    return re.compile("|".join(f"{first}(?:{'|'.join(rests)})" for first, rests in by_first.items())), written
