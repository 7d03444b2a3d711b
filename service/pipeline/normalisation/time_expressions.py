"""Dates, times of day and seconds are read as the network has often seen them written (decision 0023).

12.03.2024 is 12. März 2024, at 3 pm on May 5 is on 5 May at 15:00, halb acht is 7:30, 60s is 60 seconds, and 3-mal is
3 Mal.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from service.pipeline.edits import Edit, apply
from service.pipeline.normalisation.dates import (
    dates_alone,
    dates_in_figures,
    day_to_day,
    decades,
    quarters,
    short_months,
    slashed_dates,
)
from service.pipeline.normalisation.times_of_day import (
    few_minutes,
    half_days,
    hour_signs,
    o_clock,
    parts_of_day,
    spoken_times,
    times_in_brackets,
    times_of_dates,
)
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from service.pipeline.edits import Edited

__all__ = ["write_out"]

_PROMISING = {
    "en": re.compile(r"[0-9FfOoPpQqTt](?:(?<=[0-9])|ast\s|uarter\s|(?:ive|en|wenty)\sto\s|['’]clock\s|(?<=t)ies\b)"),
    "de": re.compile(r"[0-9FfHhVvZz](?:(?<=[0-9])|alb|iertel|ünf|ehn|wanzig)"),
}
"""Every text in which something can be found matches; most sentences do not, and are done with."""
_TIMES = re.compile(r"(?<![\w.,:/-])(?:(?P<once>1)|\d{1,3})(?P<mal>[- ]?mal)(?![\w-]|\s\d)")
"""3-mal, 3mal, 3 mal; not 3 mal 4."""
_SECONDS = re.compile(
    r"(?i:\b(?:in|after|every|for|within|than|takes?|took|lasts?|least|most|about|waits?)\s|[:=]\s?)"
    r"(?P<number>\d{1,3}+(?:\.\d{1,3}+)?)(?P<unit>s)(?![\w'’-]|\s(?:and|or|to)\s\d)"
    r"(?!\s(?!(?:after|ago|and|at|before|between|by|for|if|later|on|or|to|until|when|while|with)\b)[\w'])"
)
"""In 60s, timeout: 2.5s. Not the sixties, as in "in 60s style"."""


def write_out(text: str, language: str) -> Edited:
    """A text with dates, times and durations as they are read."""
    edited = apply(text, ())
    if not _PROMISING[language].search(text):
        return edited
    for step in _STEPS[language]:
        text = edited.text
        edits = [edit for edit in step(text) if text[edit.span.start : edit.span.end] != edit.text]
        edited = edited.then(apply(text, edits)) if edits else edited
    return edited


def _how_often(text: str) -> Iterator[Edit]:
    """3-mal is 3 Mal, which keeps its number; 1-mal is einmal."""
    for found in _TIMES.finditer(text):
        yield Edit(Span(*found.span()), "einmal") if found["once"] else Edit(Span(*found.span("mal")), " Mal")


def _seconds(text: str) -> Iterator[Edit]:
    """60s is 60 seconds, or one 1 second."""
    for found in _SECONDS.finditer(text):
        yield Edit(Span(*found.span("unit")), " second" if found["number"] == "1" else " seconds")


# Later ones know dates and times as earlier ones write them: whole names of months, minutes, 24 hours.
_STEPS: dict[str, tuple[Callable[[str], Iterator[Edit]], ...]] = {
    "de": (
        dates_in_figures,
        day_to_day,
        partial(short_months, language="de"),
        partial(spoken_times, language="de"),
        partial(few_minutes, language="de"),
        hour_signs,
        o_clock,
        _how_often,
    ),
    "en": (
        slashed_dates,
        partial(short_months, language="en"),
        quarters,
        decades,
        partial(spoken_times, language="en"),
        partial(few_minutes, language="en"),
        parts_of_day,
        half_days,
        times_in_brackets,
        dates_alone,
        times_of_dates,
        _seconds,
    ),
}
