"""The half of the day that English times are in: a German sentence may tell it, and may leave it open.

The network writes one half or the other, as the texts do that it has learned from: 8 Uhr is 8 o'clock, unless the
sentence says more, and 8 Uhr heute Abend is 8:00 p.m.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from service.pipeline.edits import Edit
from service.pipeline.finders.full_stops import full_stop
from service.pipeline.numbers.numerals import read_numbers, read_source
from service.pipeline.numbers.times_of_day import HALF_A_DAY, PART_OF_DAY, RANGE, hour_of_uhr
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["check_halves"]

_UHR = re.compile(rf"(?:{RANGE}(?:1?\d|2[0-4]))?\sUhr\b(?!\s\d)(?:\s{PART_OF_DAY})?")
"""Uhr, -12 Uhr, Uhr abends."""
_HALF = re.compile(r"\s?[ap]\.?m\b\.{0,2}", re.IGNORECASE)
"""Am, p.m.; p.m.. that ends a sentence."""


def check_halves(sentence: str, target: str) -> list[Edit]:
    """What to write for full hours and their halves, wherever it is clear which of the sentence each is.

    What is right is written, too, and is not to be changed by who knows less: others see what the network has read.

    Args:
        sentence: in German, as it was written.
        target: its translation.
    """
    if "Uhr" not in sentence:
        return []
    ours, theirs = defaultdict[int, list[int | None]](list), defaultdict[int, list[Span]](list)
    for face, hour in _hours(sentence):
        ours[face].append(hour)
    for hour, span in _hours_of_halves(target) if ours else ():
        theirs[_face(hour)].append(span)
    edits = []
    for face, hours in ours.items():
        if len(hours) != len(theirs[face]) or len({*hours}) > 1:
            continue  # which is which cannot be told
        edits += [Edit(span, _written(face, hours[0], target, span)) for span in theirs[face]]
    return edits


def _hours(german: str) -> Iterator[tuple[int, int | None]]:
    """Of each full hour what a clock shows, and the hour of 24, or None if it may be either."""
    for number in read_source(german, "de"):
        found = _UHR.match(german, number.span.end) if number.text.isdecimal() else None
        if found and len(number.text) <= len("24") and (hour := int(number.text)) <= 2 * HALF_A_DAY:
            yield _face(hour), hour_of_uhr(german, number.span.start, hour, found["part"] or "")


def _hours_of_halves(english: str) -> Iterator[tuple[int, Span]]:
    """Each full hour that has a half of the day, as one of 24, and where it stands with that."""
    for number in read_numbers(english, "en"):
        half = _HALF.match(english, number.span.end)
        if half and number.strict and len(number.meant) == 1:
            yield int(number.meant[0]), Span(number.span.start, half.end())


def _face(hour: int) -> int:
    return hour % HALF_A_DAY or HALF_A_DAY


def _written(face: int, hour: int | None, text: str, span: Span) -> str:
    if hour is None:
        return f"{face} o'clock{full_stop(text, span.end)}"
    return f"{face}:00 {'p' if hour % (2 * HALF_A_DAY) >= HALF_A_DAY else 'a'}.m."
