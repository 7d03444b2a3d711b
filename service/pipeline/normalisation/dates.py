"""Dates are read with the name of their month.

12.03.2024 is 12. März 2024, 12/31/2023 is December 31, 2023, and Mar 4 is March 4; in Q1 2024 is in the first quarter
of 2024, and the eighties are the 1980s.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from service.pipeline.edits import Edit
from service.pipeline.finders.full_stops import full_stop
from service.pipeline.lists import as_listed
from service.pipeline.numbers.calendar import (
    ANY_MONTH,
    DAY_OF_MONTH,
    HOUR,
    MINUTES,
    MONTHS,
    ORDINAL_ENDING,
    QUARTER_OF_YEAR,
    SHORT_DAY,
    WHOLE_DAY,
    WHOLE_MONTH,
    WHOLE_MONTHS,
    YEAR,
)
from service.pipeline.numbers.cardinals import TENS
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "dates_alone",
    "dates_in_figures",
    "day_to_day",
    "decades",
    "quarters",
    "short_months",
    "slashed_dates",
]

# German dates in figures: of several that follow one another, what shows one to be a date shows it of all.
_DATE = (
    rf"(?P<day>{DAY_OF_MONTH})\.\s?(?P<month>0?[1-9]|1[0-2])\."
    rf"(?:\s?(?P<year>{YEAR}|(?<!\s)(?:1[0-8])?\d\d)(?!\d))?+(?!\d)"
)
"""12.03.2024, 7. 8. 1955, 3.4.55, 3.4."""
_A_DATE = re.sub(r"\?P<\w+>", "?:", _DATE)
_TO = (
    r"(?:\s?[-–]\s?|,\s|,?\s(?:und|u\.|sowie|oder|bis(?:\s(?:zum|einschließlich|einschl\.|inkl\.))?)"
    r"\s(?:de[mn]\s|am\s)?)"
)
"""Between dates: 3.4. – 5.4., 3.4. und 5.4., zwischen dem 3.4. und dem 5.4."""
_IN_FIGURES = re.compile(rf"(?<![\w.,:/-])(?:{DAY_OF_MONTH}\.?[-–])?{_A_DATE}(?:{_TO}{_A_DATE})*+(?![\w/]|[.,-]\w)")
"""12.03.2024, 10.-16.8.2008, 3.4. und 5.4."""
_ONE_IN_FIGURES = re.compile(_DATE)
_DASH = re.compile(rf"(?<=[\d.])\s?[-–]\s?(?={_A_DATE})")
"""Before a date, where the network takes it for a hyphen."""
_TO_DAY = " bis "
_FULL_YEAR = re.compile(r"\d{4}")
_WORD = re.compile(r"[^\W\d_][^\W_]")
"""Two letters, or a stand-in: Köln, 12.12.2024."""
_BEFORE_DATE = re.compile(
    r"\b(?:(?i:am|vom|v\.|zum|de[mn]|d\.|seit|ab|bis|spätestens|einschließlich|geb\.|geboren)|\w*[Dd]atum:|Stand:|Termin:"
    rf"|(?:{WHOLE_DAY['de']}|{SHORT_DAY['de']})[.,]{{0,2}})"
    rf"\s(?:{DAY_OF_MONTH}\.{_TO}){{0,3}}$"
)
"""Am, Sa., vom 3. bis: what stands before the day of a month, and hardly before a section or a version."""
_SUBJECT = re.compile(r"\b[Dd]er\s$")
_RANGE_OF_DAYS = re.compile(r"\d\d?\.(?:\d\d?\.)?\s?[-–]\s?\d\d?\.\d")
_AFTER_DATE = re.compile(r",?\s(?:(?:um|ab|gegen|von)\s)?\d\d?(?:[.:]\d\d)?(?:\s?[-–]\s?\d\d?(?:[.:]\d\d)?)?\sUhr\b")
"""Um 9 Uhr, 8.30-10 Uhr."""
_IN_ROUND_BRACKETS = re.compile(r"\(\d\d\.\d\d\.\)")
_NOUN_AFTER = re.compile(r"\s[A-ZÄÖÜ]")
_LONGEST_BEFORE = 60
_OF = " v. "
_NAMES = r"(?:\b(?:Version|Release|Kernel|Kapitel|Abschnitt|Punkt|Ziffer|Artikel|Nr\.)\w*+|§)\s?"
_NAMED = re.compile(rf"{_NAMES}$")
"""Version, Kapitel. Before a date with a year: it is none."""
_HAS_NAMED = re.compile(rf"\b(?:Version|Release|Kernel)|{_NAMES}(?=\d)")
"""In a text with one of these, what may also be a version or a section is no date."""

# English dates in figures, and quarters.
_SLASHED = re.compile(
    rf"(?<![\w.,:/-])(?P<first>0?[1-9]|[12]\d|3[01])/(?P<second>0?[1-9]|[12]\d|3[01])/(?P<year>{YEAR})(?![\w/]|[.,-]\w)"
)
"""12/31/2023, 31/12/2023, 8/8/2023: English dates of which it may be sure what is the day, there being no month 31."""
_MONTHS = 12
_QUARTER = re.compile(QUARTER_OF_YEAR)
_DECADES = {f"{ten[:-1]}ies": number for ten, number in zip(TENS["en"], range(20, 100, 10), strict=True)}
_DECADE = re.compile(
    r"(?:\b[Tt]he\s(?:(?:early|late|mid|roaring|swinging)[\s-])?|(?<=ies\sand\s)|(?<=ies\sor\s))"
    rf"(?P<decade>(?i:{'|'.join(_DECADES)}))\b"
)
"""The eighties, the late eighties and nineties."""
_OF_TEMPERATURES = re.compile(r"\b(?:degree|temperature|weather)s?\b", re.IGNORECASE)
_QUARTERS = ("first", "second", "third", "fourth")
_CENTURY = 50
"""Years of two digits are of this century up to here."""

# Short names of months, and dates with names.
_SHORT_MONTHS = {
    language: {short: names[0] for names in months for short in names[1:]} for language, months in MONTHS.items()
}


def _short_month(language: str) -> re.Pattern[str]:
    """What finds a short month before a day or a year, and after a day."""
    month = rf"(?:{'|'.join(sorted(_SHORT_MONTHS[language], key=len, reverse=True))})(?![\w'’-])\.?"
    day = f"{DAY_OF_MONTH}{ORDINAL_ENDING}?"
    before, after = (rf"{DAY_OF_MONTH}\.\s?", YEAR) if language == "de" else (rf"{day}(?:\sof)?\s", f"{day}|{YEAR}")
    return re.compile(
        rf"(?<![\w.'’-])(?P<before>{month})(?=\s(?:{after})(?![\w/]|[.,:]\d))|(?<![\w.,:/]){before}(?P<after>{month})"
    )


_MONTH_OF_DAY = rf"{ANY_MONTH['de']}(?![\w'’])"
_DASH_BETWEEN = re.compile(
    rf"(?<![\w.,:/-]){DAY_OF_MONTH}\.(?:\s{_MONTH_OF_DAY}\.?)?(?P<dash>\s?[-–]\s?)(?={DAY_OF_MONTH}\.\s{_MONTH_OF_DAY})"
)
"""1. – 12. April, 25. März - 6. Apr."""
_SHORT_MONTH = {language: _short_month(language) for language in MONTHS}
_ALONE = re.compile(
    rf"(?:^|[:|–—]\s|\s[-&]\s|\()(?P<weekday>{WHOLE_DAY['en']},?)\s(?P<month>{WHOLE_MONTH['en']})\s(?P<day>{DAY_OF_MONTH})(?P<ending>{ORDINAL_ENDING})?"
    rf"(?P<year>,?\s{YEAR}(?!\w)(?P<apart>,?))?(?![\w/-]|\s(?:and|or|to)\b)"
)
"""Monday, March 3, 2025 of a heading or a line of a form: no preposition is before it."""
_CLOCK_FOLLOWS = re.compile(rf"\s{HOUR}{MINUTES}")


def dates_in_figures(text: str) -> Iterator[Edit]:
    """German dates with the name of the month, unless they are all of the text."""
    if not _WORD.search(text):
        return
    has_named = _HAS_NAMED.search(text)
    for found in _IN_FIGURES.finditer(text):
        before = text[max(0, found.start() - _LONGEST_BEFORE) : found.start()]
        has_year = _FULL_YEAR.search(found[0]) and not _NAMED.search(before)
        if has_year or (not has_named and _is_date(text, found, before)):
            if before.endswith(_OF):
                yield Edit(Span(found.start() - len(_OF), found.start()), " vom ")
            edits = [Edit(Span(*dash.span()), _TO_DAY) for dash in _DASH.finditer(text, found.start(), found.end())]
            edits += [
                Edit(Span(*one.span()), _with_name_of_month(one) + full_stop(text, one.end()))
                for one in _ONE_IN_FIGURES.finditer(text, found.start(), found.end())
            ]
            yield from sorted(edits, key=lambda edit: edit.span.start)


def _is_date(text: str, found: re.Match[str], before: str) -> bool:
    """Whether what stands around a day and a month in figures, or another day before them, shows that they are such."""
    if _BEFORE_DATE.search(before) or _RANGE_OF_DAYS.match(found[0]) or _AFTER_DATE.match(text, found.end()):
        return True
    if _IN_ROUND_BRACKETS.match(text, max(0, found.start() - 1)):
        return True
    return bool(_SUBJECT.search(before)) and not _NOUN_AFTER.match(text, found.end())


def _with_name_of_month(date: re.Match[str]) -> str:
    name = f"{int(date['day'])}. {WHOLE_MONTHS['de'][int(date['month']) - 1]}"
    year = date["year"] or ""
    if len(year) == 2:  # noqa: PLR2004 - without its century
        year = f"{20 if int(year) <= _CENTURY else 19}{year}"
    return f"{name} {year}".rstrip()


def slashed_dates(text: str) -> Iterator[Edit]:
    """English dates with the name of the month, unless they are all of the text.

    From 01/04/2024 to 31/03/2027: the day of one of them tells that of the others.
    """
    if not _WORD.search(text):
        return
    dates = [(one, int(one["first"]), int(one["second"])) for one in _SLASHED.finditer(text)]
    day_first = {first > _MONTHS for _, first, second in dates if min(first, second) <= _MONTHS < max(first, second)}
    for date, first, second in dates:
        is_sure = first == second or max(first, second) > _MONTHS or len(day_first) == 1
        if not is_sure or min(first, second) > _MONTHS:
            continue
        if first > _MONTHS or first == second or (second <= _MONTHS and day_first == {True}):
            written = f"{first} {WHOLE_MONTHS['en'][second - 1]}"
        else:
            written = f"{WHOLE_MONTHS['en'][first - 1]} {second},"
        yield Edit(Span(*date.span()), f"{written} {date['year']}")


def short_months(text: str, language: str) -> Iterator[Edit]:
    """The whole names of months that a day or a year is beside."""
    for found in _SHORT_MONTH[language].finditer(text):
        span = Span(*found.span(found.lastgroup or 0))
        short = text[span.start : span.end]
        point = full_stop(text, span.end) if short.endswith(".") else ""
        yield Edit(span, _SHORT_MONTHS[language][short.rstrip(".")] + point)


def day_to_day(text: str) -> Iterator[Edit]:
    """1. – 12. April is 1. bis 12. April: the network takes a dash for a hyphen."""
    for found in _DASH_BETWEEN.finditer(text) if "-" in text or "–" in text else ():
        yield Edit(Span(*found.span("dash")), _TO_DAY)


def quarters(text: str) -> Iterator[Edit]:
    """Quarters of a year in words."""
    for found in _QUARTER.finditer(text):
        quarter = f"the {_QUARTERS[int(found['number']) - 1]} quarter of {found['year']}"
        yield Edit(Span(*found.span("quarter")), quarter)


def decades(text: str) -> Iterator[Edit]:
    """The eighties are the 1980s, unless temperatures are."""
    for found in _DECADE.finditer(text) if not _OF_TEMPERATURES.search(text) else ():
        yield Edit(Span(*found.span("decade")), f"19{_DECADES[as_listed(found['decade'])]}s")


def dates_alone(text: str) -> Iterator[Edit]:
    """A date that stands for itself with the day first; else the network writes "Samstag, dem 19. Juli"."""
    for found in _ALONE.finditer(text):
        year = found["year"] or ""
        end = found.end()
        if year:
            has_time = _CLOCK_FOLLOWS.match(text, end)
            year = f" {year.strip(', ')}{',' if has_time or found['apart'] else ''}"
        date = f"{found['weekday']} {found['day']}{found['ending'] or ''} {found['month']}{year}"
        yield Edit(Span(found.start("weekday"), end), date)
