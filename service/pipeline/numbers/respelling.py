"""Numbers of a translation that come to what they should, but are written as its readers would not write them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from service.pipeline.edits import Edit
from service.pipeline.numbers.scales import SCALES
from service.pipeline.numbers.times_of_day import HALF_A_DAY, in_twelve_hours
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from service.pipeline.numbers.numerals import Both, Number

__all__ = ["respelled"]

_WITH_COMMA = re.compile(r"[\d.]++,[\d.,]++")
"""12,03,2024; not 1:23,45, which is as it should be."""
_CODE, _WITH_NOUGHT = re.compile(r"0\d{3,}"), re.compile(r"0[1-9]\d*")
"""04109; 060."""
_RACE_TIME = re.compile(r"\d{1,2}(?::[0-5]\d){1,2}[.,]\d{1,2}")
"""1:43.26; no scale, as 1:50.000 is."""
_SCALES = re.compile(rf"\s(?:hundred|{SCALES['en']})(s)\b(?!\sof\b)")


def respelled(both: Both) -> list[Edit]:
    """What to write for them; in no order."""
    ours, theirs, language = both.ours, both.theirs, both.direction.target
    edits = [*_with_points(ours, theirs), *_with_noughts(ours, theirs)]
    edits += _race_times(ours, theirs, language)
    if language == "en":
        edits += [*_impossible_times(theirs, both.target), *_scales(theirs, both.target)]
    return edits


def _impossible_times(numbers: Sequence[Number], english: str) -> list[Edit]:
    """What to write for those that there are not: 15 pm, of "15 Uhr", is 3 pm, and 0:30 am is 12:30 am."""
    times = (one for one in numbers if one.strict and not 0 < int(one.parts[0]) <= HALF_A_DAY)
    edits = (in_twelve_hours(english, one.span, one.text) for one in times)
    return [edit for edit in edits if edit]


def _scales(numbers: Sequence[Number], english: str) -> Iterator[Edit]:
    """What to write for words after numbers that have the *s* of German ones: 3.5 billions, of 3,5 Milliarden."""
    for one in numbers:
        if scale := _SCALES.match(english, one.span.end):
            yield Edit(Span(*scale.span(1)), "")


def _with_points(ours: Sequence[Number], theirs: Sequence[Number]) -> list[Edit]:
    """What to write where commas got into a date or a version, or the number of a room: 12,03,2024 for 12.03.2024."""
    dates = {one.parts: one.text for one in ours if _is_list(one.parts) or (one.fixed and "." in one.text)}
    return [
        Edit(one.span, dates[one.parts])
        for one in theirs
        if _WITH_COMMA.fullmatch(one.text) and "," not in dates.get(one.parts, ",")
    ]


def _with_noughts(ours: Sequence[Number], theirs: Sequence[Number]) -> Iterator[Edit]:
    """What to write for codes that have lost the noughts they begin with, 4109 for 04109, and for 060 that has one."""
    codes = {one.parts: one.text for one in ours if _CODE.fullmatch(one.text)}
    plain = {one.parts: one.text for one in ours if one.text.isdecimal() and not one.clock}
    texts = {*plain.values()}
    for one in theirs:
        if not one.text.isdecimal() or one.clock or one.text in texts:
            continue
        code = (plain if _WITH_NOUGHT.fullmatch(one.text) else codes).get(one.parts, one.text)
        if one.text != code:
            yield Edit(one.span, code)


def _race_times(ours: Sequence[Number], theirs: Sequence[Number], language: str) -> Iterator[Edit]:
    """What to write for times with parts of a second that have the mark of the other language: 1:43.26 in German."""
    mark, other = (",", ".") if language == "de" else (".", ",")
    times = {one.parts for one in ours}
    for one in theirs:
        if one.parts in times and _RACE_TIME.fullmatch(one.text) and other in one.text:
            yield Edit(one.span, one.text.replace(other, mark))


def _is_list(parts: tuple[str, ...]) -> bool:
    return len(parts) > 2  # noqa: PLR2004 - day, month and year
