"""Has each date of a sentence its month in the translation? A lost one is put back, a wrong one put right.

The network often keeps the day and drops the month: "am 28. Juni" became "on 28".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from model.bundle import Direction
    from service.pipeline.numerals import Number

__all__ = ["check_dates"]

_MONTHS = {
    "en": (
        *("January Jan", "February Feb", "March Mar", "April Apr", "May", "June Jun", "July Jul", "August Aug"),
        *("September Sept Sep", "October Oct", "November Nov", "December Dec"),
    ),
    "de": (
        *("Januar Jänner Jan", "Februar Feber Feb", "März Mrz", "April Apr", "Mai", "Juni Jun", "Juli Jul"),
        *("August Aug", "September Sept Sep", "Oktober Okt", "November Nov", "Dezember Dez"),
    ),
}
"""Names of each month, the one to write first. Written small, "may" is none."""
_NUMBERS = {
    language: {name: number for number, names in enumerate(months) for name in names.split()}
    for language, months in _MONTHS.items()
}
_MONTH = {
    language: rf"\b(?P<month>{'|'.join(sorted(names, key=len, reverse=True))})\b"
    for language, names in _NUMBERS.items()
}
_ANY_MONTH = {language: re.compile(pattern) for language, pattern in _MONTH.items()}

_DAY = r"(?<![\w.,:/-])(?P<day>0?[1-9]|[12]\d|3[01])"
_ORDINAL = "(?:st|nd|rd|th)"
_DATE = {
    "en": (
        re.compile(rf"{_DAY}{_ORDINAL}?(?: of)?\s{_MONTH['en']}"),
        re.compile(rf"{_MONTH['en']}\.?\s(?P<day>0?[1-9]|[12]\d|3[01]){_ORDINAL}?(?![\w:/]|[.,]\d)"),
    ),
    "de": (re.compile(rf"{_DAY}\.\s{{0,2}}{_MONTH['de']}"),),
}
_AFTER_DAY = {"en": re.compile(_ORDINAL), "de": re.compile(r"\.(?=\s|$)")}
_THE = re.compile(r"\bthe\s$", re.IGNORECASE)
_LONGEST_BEFORE = 5


class _Date(NamedTuple):
    """A day of a month (from 0), and where the two stand."""

    day: int
    month: int
    day_span: Span
    month_span: Span


def check_dates(
    source: str, target: str, theirs: Sequence[Number], direction: Direction
) -> tuple[list[tuple[Span, str]], bool]:
    """Compare the days with a month of a sentence and its translation.

    Args:
        source: the sentence.
        target: its translation.
        theirs: the numbers of the translation.
        direction: of the translation.

    Returns:
        Spans of the translation and what to put there, and whether no month is missing after that.
    """
    ours = _dates(source, direction.source)
    if not ours:
        return [], True
    written = _dates(target, direction.target)
    names = _MONTHS[direction.target]
    _drop_pairs(ours, written, lambda one, other: (one.day, one.month) == (other.day, other.month))
    alone = _months_alone(source, direction.source)  # that of "im Mai" may have got a day of another month
    swapped = _drop_pairs(ours, written, lambda one, other: one.day == other.day and other.month not in alone)
    edits = [(other.month_span, names[one.month].split()[0]) for one, other in swapped]
    _drop_pairs(ours, written, lambda one, other: one.month == other.month)  # a wrong day is no matter of months
    others = _months_alone(target, direction.target)
    lost = []
    for date in ours:
        if any({str(date.day), str(date.month + 1)} <= {*one.parts} for one in theirs if len(one.parts) > 1):
            continue  # 4.7.2024
        if date.month in others:  # "im Oktober, am 7."
            others.remove(date.month)
        else:
            lost.append(date)
    days = {date.day_span for date in _dates(target, direction.target)}
    for date in lost:
        without = [one.span for one in theirs if one.span not in days and _is_day(one, date.day)]
        if len(without) != 1 or sum(other.day == date.day for other in lost) > 1:
            return edits, False
        edits.append(_with_month(target, without[0], names[date.month].split()[0], direction.target))
    return edits, True


def _dates(text: str, language: str) -> list[_Date]:
    found = (match for pattern in _DATE[language] for match in pattern.finditer(text))
    dates: list[_Date] = []
    for match in sorted(found, key=lambda match: match.start()):
        date = _Date(
            int(match["day"]), _NUMBERS[language][match["month"]], Span(*match.span("day")), Span(*match.span("month"))
        )
        if not dates or date.month_span != dates[-1].month_span:  # "5 May 10": the day before the month is its day
            dates.append(date)
    return dates


def _months_alone(text: str, language: str) -> list[int]:
    """The months that have no day."""
    dated = {date.month_span.start for date in _dates(text, language)}
    found = _ANY_MONTH[language].finditer(text)
    return [_NUMBERS[language][match["month"]] for match in found if match.start() not in dated]


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


def _is_day(number: Number, day: int) -> bool:
    return number.parts == (str(day),) and not (number.clock or number.amount) and number.text.isdecimal()


def _with_month(target: str, day: Span, month: str, language: str) -> tuple[Span, str]:
    after = _AFTER_DAY[language].match(target, day.end)
    if language == "de":
        return (Span(after.end(), after.end()), f" {month}") if after else (Span(day.end, day.end), f". {month}")
    if after and _THE.search(target[max(0, day.start - _LONGEST_BEFORE) : day.start]):
        return Span(after.end(), after.end()), f" of {month}"
    return Span(day.start, day.start), f"{month} "
