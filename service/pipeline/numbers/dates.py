"""Has each date of a sentence its month in the translation? A lost one is put back, a wrong one put right.

The network often keeps the day and drops the month: "am 28. Juni" became "on 28".
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from service.pipeline.edits import Edit
from service.pipeline.lists import as_listed
from service.pipeline.numbers.calendar import (
    ANY_MONTH,
    DAY_OF_MONTH,
    MONTHS,
    ORDINAL_ENDING,
    SHORT_DAY,
    WHOLE_DAY,
    WHOLE_MONTH,
    WHOLE_MONTHS,
    YEAR,
)
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from model.bundle import Direction
    from service.pipeline.numbers.numerals import Both, Number

__all__ = ["check_dates", "repeated_days"]

_NUMBERS = {name: number for months in MONTHS.values() for number, names in enumerate(months) for name in names}
_ANY_CASE = {as_listed(name): number for name, number in _NUMBERS.items()}

_DAY = f"(?P<day>{DAY_OF_MONTH})"
"""3, 03 or 31."""
_BEGIN, _END = r"(?<![\w.,:/])", r"(?![\w:/]|[.,]\d)"
_ORDINAL = rf"(?:{ORDINAL_ENDING}|\.)?"
"""3rd, 3."""
_TO = r"\s?(?:[-–/,]|\b(?:and|or|to|through|until|und|oder|bis|bis zum)\b)\s?(?:the |den |dem |zum )?"
"""Between two days of one month: 3-5, 3 and 5, 3. bis zum 5."""


def _patterns(names: str, point: str) -> tuple[re.Pattern[str], ...]:
    """A day with its month, in either order. Without its capital letter a month may be another word: may, march."""
    month = rf"(?<![^\W\d_])(?P<month>{names})(?![^\W\d_])"
    return (
        re.compile(rf"{_BEGIN}{_DAY}{point}(?: of)?\s{{0,2}}{month}"),
        re.compile(rf"{month}\.?\s{_DAY}{ORDINAL_ENDING}?{_END}"),
    )


_SAID = {"en": _patterns(ANY_MONTH["en"], f"{ORDINAL_ENDING}?"), "de": _patterns(ANY_MONTH["de"], r"\.")}
"""Of a sentence as its language writes it."""
_WRITTEN = _patterns(f"(?i:{ANY_MONTH['en']}|{ANY_MONTH['de']})", _ORDINAL)
"""Of a translation, which may have a month of the other language, or lack a point."""
_ALONE = {language: re.compile(rf"\b(?P<month>{names})\b") for language, names in ANY_MONTH.items()}
"""A month, with or without a day."""

_AGAIN = r"(?P<again>[.,]?\s(?P=month)\b(?!\s\d\d?\b(?!:\d)))"
_REPEATED = {
    "en": (re.compile(rf"\b(?P<month>{ANY_MONTH['en']})\s\d{{1,4}}{ORDINAL_ENDING}?(?:,?\s\d{{4}})?{_AGAIN}"),),
    "de": (
        re.compile(rf"\b(?P<again>(?P<month>{ANY_MONTH['de']})\s)(?=\d\d?\.\s(?P=month)\b)"),
        re.compile(rf"\b(?P<month>{ANY_MONTH['de']})\s\d{{4}}{_AGAIN}"),
    ),
}
"""May 31, 2024 May; Mai 31. Mai: a month that is named twice, and which of the two is to go."""

_RANGE_BEFORE = re.compile(rf"{_BEGIN}{_DAY}{_ORDINAL}{_TO}$")
"""10. und of 10. und 16. August."""
_RANGE_AFTER = re.compile(rf"{_ORDINAL}{_TO}{_DAY}{_ORDINAL}(?![\w:]|[.,]\d)")
"""-21 of March 19-21."""
_LONGEST_BEFORE = 24

_BEFORE_DAY = re.compile(
    r"(?:^|\b(?:on|by|from|since|until|till|to|of|the|before|after|and|am|zum|vom|bis|den|dem|ab|seit|nach|vor|und"
    rf"|(?:{WHOLE_DAY['en']}|{WHOLE_DAY['de']}),?"
    rf"|(?:{SHORT_DAY['en']}|tues|thurs?)(?:[.,]|\.,)?|{SHORT_DAY['de']}(?:[.,]|\.,)))\s*$",
    re.IGNORECASE,
)
"""On, by Monday, am, Di. What stands before the day of a month, and hardly before a number of things."""
_AFTER_DAY = {"en": re.compile(rf"{ORDINAL_ENDING}(?![^\W_])"), "de": re.compile(r"\.(?=[\s,;)]|$)")}
"""rd of 3rd, the point of 3."""
_IS_DAY = {"en": re.compile(rf"{ORDINAL_ENDING}?(?:[,;.)]|\s|$)"), "de": re.compile(r"\.?(?:[,;)]|\s+(?![A-ZÄÖÜ])|$)")}
"""What follows it: a thing, in German with a capital letter, makes it a number."""
_YEAR = re.compile(rf"{ORDINAL_ENDING}?\.?,?\s{YEAR}\b")
"""A year after a day: 3, 2024; 3rd 2024."""
_YEAR_NEXT = re.compile(rf"\s{YEAR}\b")
_WITHOUT_COMMA = re.compile(rf"\b{WHOLE_MONTH['en']}\s{DAY_OF_MONTH}{ORDINAL_ENDING}?(?=\s{YEAR}\b)")
"""March 4 of "March 4 2024"."""
_SAME_DAY = re.compile(
    rf"\b(?P<again>(?P<day>{DAY_OF_MONTH})\s)(?P<month>{WHOLE_MONTH['en']})\s(?P=day)(?=,?\s(?:(?P=month)\s)?\d{{4}}\b)"
)
"""1 July 1 of "1 July 1 July 2020"."""
_THE = re.compile(r"\bthe\s$", re.IGNORECASE)


class _Date(NamedTuple):
    """A day of a month (from 0), and where the two stand; `shared` if the month is that of another day as well."""

    day: int
    month: int
    day_span: Span
    month_span: Span
    shared: bool = False


def check_dates(both: Both) -> tuple[list[Edit], bool]:
    """Compare the days with a month of a sentence and its translation, and how often it has each month.

    Returns:
        What to change in the translation, and whether no month is missing after that.
    """
    source, target, direction = both.source, both.target, both.direction
    edits, is_complete = _lost_months(both)
    repeated = [
        Edit(span, "," if direction.target == "en" and _YEAR_NEXT.match(target, span.end) else "")
        for span in _repeated(source, target, direction)
    ]
    commas = _before_years(target) if direction.target == "en" else ()
    return [*repeated, *commas, *edits], is_complete


def repeated_days(extra: Sequence[Number], english: str) -> Iterator[tuple[Number, Span]]:
    """Days that stand before and after their month, and the first with its space: numbers that are `extra`."""
    for found in _SAME_DAY.finditer(english):
        number = next(
            (one for one in extra if one.text == found["day"] and found.start() <= one.span.start < found.end()), None
        )
        if number:
            yield number, Span(*found.span("again"))


def _before_years(english: str) -> Iterator[Edit]:
    """A comma between the day and the year, if a month is before the day."""
    for found in _WITHOUT_COMMA.finditer(english):
        yield Edit(Span(found.end(), found.end()), ",")


def _repeated(source: str, target: str, direction: Direction) -> Iterator[Span]:
    """Months beside a day or a year that the translation has once more than the sentence."""
    for found in (found for pattern in _REPEATED[direction.target] for found in pattern.finditer(target)):
        month = _NUMBERS[found["month"]]
        ours = _months_alone(source, (), direction.source).count(month)
        if 0 < ours < _months_alone(target, (), direction.target).count(month):
            yield Span(*found.span("again"))


def _lost_months(both: Both) -> tuple[list[Edit], bool]:
    """What to write for months that are lost or wrong, and whether none is missing after that."""
    source, target, theirs, direction = both.source, both.target, both.theirs, both.direction
    ours = _dates(source, _SAID[direction.source])
    if not ours:
        return [], True
    written = _dates(target, _WRITTEN)
    alone, others = _months_alone(source, ours, direction.source), _months_alone(target, written, direction.target)
    days, months = {date.day_span for date in written}, Counter(date.month_span for date in written)
    names = WHOLE_MONTHS[direction.target]
    _drop_pairs(ours, written, lambda one, other: (one.day, one.month) == (other.day, other.month))
    swapped = _drop_pairs(  # a month without a day, as of "im Mai", may have got one
        ours, written, lambda one, other: one.day == other.day and other.month not in alone and not other.shared
    )
    if any(months[other.month_span] > 1 for _, other in swapped):  # of a range whose other end may be right
        return [], False
    edits = [Edit(other.month_span, names[one.month]) for one, other in swapped]
    _drop_pairs(ours, written, lambda one, other: one.month == other.month)  # a wrong day is no matter of months
    days -= {other.day_span for other in written if other.shared}  # "December 24 to 1" had another month
    lost = [date for date in ours if not date.shared and not _is_in_figures(date, theirs)]
    for month in others:  # "im Oktober, am 7."
        if found := next((date for date in lost if date.month == month), None):
            lost.remove(found)
    for date in lost:
        without = [one.span for one in theirs if one.span not in days and _may_be_day(one, date.day, target, direction)]
        if len(without) != 1 or sum(other.day == date.day for other in lost) > 1:
            return edits, False
        edits.append(_with_month(target, without[0], names[date.month], direction.target))
    return edits, True


def _dates(text: str, patterns: Sequence[re.Pattern[str]]) -> list[_Date]:
    found = (match for pattern in patterns for match in pattern.finditer(text))
    dates: list[_Date] = []
    for match in sorted(found, key=lambda match: match.start()):
        date = _Date(
            int(match["day"]),
            _ANY_CASE[as_listed(match["month"])],
            Span(*match.span("day")),
            Span(*match.span("month")),
        )
        if not dates or date.month_span != dates[-1].month_span:  # "5 May 10": the day before the month is its day
            dates.append(date)
    days = {date.day_span for date in dates}
    return [*dates, *(one for date in dates for one in _shared(text, date) if one.day_span not in days)]


def _shared(text: str, date: _Date) -> Iterator[_Date]:
    """Other days of that month: the first of "10. und 16. August", the last of "March 19-21"."""
    start = min(date.day_span.start, date.month_span.start)
    while before := _RANGE_BEFORE.search(text[max(0, start - _LONGEST_BEFORE) : start]):
        start = max(0, start - _LONGEST_BEFORE) + before.start()
        yield date._replace(day=int(before["day"]), day_span=Span(start, start + len(before["day"])), shared=True)
    end = date.day_span.end
    while date.month_span.start < date.day_span.start and (after := _RANGE_AFTER.match(text, end)):
        end = after.end("day")
        yield date._replace(day=int(after["day"]), day_span=Span(*after.span("day")), shared=True)


def _months_alone(text: str, dates: Sequence[_Date], language: str) -> list[int]:
    """The months that have none of some days."""
    dated = {date.month_span.start for date in dates}
    return [_NUMBERS[match["month"]] for match in _ALONE[language].finditer(text) if match.start() not in dated]


def _drop_pairs(
    ours: list[_Date], theirs: list[_Date], are_alike: Callable[[_Date, _Date], bool]
) -> list[tuple[_Date, _Date]]:
    """Take out of both, and return, those that are alike, one with one."""
    pairs = []
    for one in list(ours):
        other = next((other for other in theirs if are_alike(one, other)), None)
        if other:
            ours.remove(one)
            theirs.remove(other)
            pairs.append((one, other))
    return pairs


def _is_in_figures(date: _Date, numbers: Sequence[Number]) -> bool:
    """Whether it is among them as 4.7.2024 is; 4:07 is a time."""
    dates = [one.parts for one in numbers if len(one.parts) > 1 and ":" not in one.text]
    return any({str(date.day), str(date.month + 1)} <= {*parts} for parts in dates)


def _may_be_day(number: Number, day: int, target: str, direction: Direction) -> bool:
    """Whether a number of the translation can be a day that has lost its month."""
    if number.parts != (str(day),) or number.clock or number.amount or not number.text.isdecimal():
        return False
    start, end = number.span.start, number.span.end
    told = _BEFORE_DAY.search(target[max(0, start - _LONGEST_BEFORE) : start])
    ordinal = direction.target == "en" and _AFTER_DAY["en"].match(target, end)
    return bool((told or ordinal or _YEAR.match(target, end)) and _IS_DAY[direction.target].match(target, end))


def _with_month(target: str, day: Span, month: str, language: str) -> Edit:
    after = _AFTER_DAY[language].match(target, day.end)
    if language == "de":
        place = after.end() if after else day.end
        return Edit(Span(place, place), f" {month}" if after else f". {month}")
    if after and _THE.search(target[max(0, day.start - _LONGEST_BEFORE) : day.start]):
        return Edit(Span(after.end(), after.end()), f" of {month}")
    return Edit(Span(day.start, day.start), f"{month} ")
