"""Times of day in short sentences: in how many the network keeps the time and its half of the day, and the service."""

from __future__ import annotations

import asyncio
import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from benchmarks.in_process import share_kept
from benchmarks.options import Limit  # noqa: TC001 - typer reads annotations at run time
from cli.errors import reporting
from model.bundle import Bundle, BundleError
from service.pipeline.numbers.cardinals import in_words

if TYPE_CHECKING:
    from model.bundle import Direction

__all__ = ["clock_times", "is_kept"]

_SENTENCES = {
    "en": ("We are meeting {}.", "The course starts {}.", "She called {}.", "The shop closes {}."),
    "de": ("Wir treffen uns {}.", "Der Kurs beginnt {}.", "Sie rief {} an.", "Der Laden schließt {}."),
}
_NIGHT, _MORNING, _AFTERNOON, _EVENING = range(1, 5), range(5, 12), range(13, 18), range(18, 24)
_OF_24_HOURS = {
    "en": (
        ("at {h} am", 0, (*_NIGHT, *_MORNING)),
        ("at {h} pm", 0, (*_AFTERNOON, *_EVENING)),
        ("at {h}:30 a.m.", 30, _MORNING),
        ("at {h}:15 p.m.", 15, _EVENING),
        ("at {h} in the morning", 0, _MORNING),
        ("at {h} o'clock in the afternoon", 0, _AFTERNOON),
        ("tomorrow evening at {h}", 0, _EVENING),
    ),
    "de": (
        ("um {h24} Uhr", 0, (*_AFTERNOON, *_EVENING)),
        ("um {h24}:30 Uhr", 30, range(1, 24)),
        ("um {h} Uhr morgens", 0, _MORNING),
        ("um {h} Uhr abends", 0, _EVENING),
        ("nachmittags um {h} Uhr", 0, _AFTERNOON),
        ("heute Abend um {h} Uhr", 0, _EVENING),
        ("nachts um {h} Uhr", 0, _NIGHT),
    ),
}
"""How times are told, the minutes after the hour, and of which hours."""
_OF_12_HOURS = {
    "en": (
        ("at {word} o'clock", 0),
        ("at half past {word}", 30),
        ("at a quarter past {word}", 15),
        ("at ten past {word}", 10),
        ("at a quarter to {word}", -15),
        ("at five to {word}", -5),
    ),
    "de": (
        ("um {word} Uhr", 0),
        ("um halb {word}", -30),
        ("um Viertel nach {word}", 15),
        ("um zehn nach {word}", 10),
        ("um Viertel vor {word}", -15),
        ("um fünf vor {word}", -5),
    ),
}
"""The same where the half of the day is left open, and minutes after the hour."""

_HALF, _QUARTER, _HOUR, _NOON = 30, 15, 60, 12 * 60
_EARLY = {"en": r"\bmorning|\ba\.?m\b", "de": r"morgens\b|früh|vormittag"}
_LATE = {"en": r"afternoon|evening|tonight|\bp\.?m\b", "de": r"nachmittag|abend"}
"""What tells of a half of the day; both have hours of the night."""


def clock_times(
    bundle: Annotated[Path, typer.Option(help="The bundle.")] = Path("bundles/reder-medium"),
    limit: Limit = None,
) -> None:
    """Translate four sentences with each of some 140 times; count those that tell it, in no other half of the day.

    Example:
        python -m benchmarks clock-times
    """
    with reporting(BundleError):
        opened = Bundle.open(bundle)
    typer.echo(asyncio.run(share_kept(opened, partial(_cases, limit=limit), is_kept, "time kept")))


def _cases(direction: Direction, *, limit: int | None) -> list[tuple[str, str]]:
    """Each sentence with each time, and a pattern for its translation."""
    source, target = direction.source, direction.target
    times = [
        (time.format(h=hour % 12 or 12, h24=hour), accepted(hour * _HOUR + minutes, target))
        for time, minutes, hours in _OF_24_HOURS[source]
        for hour in hours[:limit]
    ]
    times += [
        (time.format(word=in_words(hour, source)), accepted(hour * _HOUR + minutes, target, half_is_open=True))
        for time, minutes in _OF_12_HOURS[source]
        for hour in range(2, 13)[:limit]
    ]
    return [(sentence.format(time), pattern) for time, pattern in times for sentence in _SENTENCES[source]]


def is_kept(pattern: str, text: str) -> bool:
    """Whether a translation tells the time."""
    return re.search(pattern, text, re.IGNORECASE) is not None


def accepted(minutes: int, language: str, *, half_is_open: bool = False) -> str:
    """A pattern for texts that tell a time, given in minutes since midnight, and do not put it in the other half."""
    hour, minute = divmod(minutes, _HOUR)
    shown = rf"[:.]{minute:02}" if minute else r"(?:[:.]00)?"
    of_12 = rf"(?<![\w:.])(?:{hour % 12 or 12}{shown}|{'|'.join(_spoken(hour, minute, language))})(?![\w:])"
    if half_is_open:
        return rf"{of_12}|(?<!\d){hour % 12 + 12}{shown}(?![\d:])"
    is_late = minutes >= _NOON
    of_24 = rf"(?<!\d){hour}{shown}(?![\d:])"
    told = rf"(?=.*(?:{_LATE[language]}|nacht)).*{of_12}" if is_late and language == "de" else of_12
    return rf"^(?!.*(?:{(_EARLY if is_late else _LATE)[language]})).*(?:{told}|{of_24})"


def _spoken(hour: int, minute: int, language: str) -> list[str]:
    """Patterns for a time in words, of twelve hours."""
    this, following = (in_words((hour + n) % 12 or 12, language) for n in (0, 1))
    if minute == 0:
        return [this if this != "ein" else "eins?"]
    if language == "en":
        names = {_QUARTER: "(?:a )?quarter", _HALF: "half"}
        past, before = names.get(minute, in_words(minute, "en")), names.get(_HOUR - minute)
        return [f"{past} past {this}", f"{before or in_words(_HOUR - minute, 'en')} to {following}"]
    if minute == _HALF:
        return [f"halb {following}s?"]
    names = {_QUARTER: "viertel"}
    past, before = (names.get(one) or in_words(one, "de") for one in (minute, _HOUR - minute))
    return [f"{past} (?:minuten )?nach {this}s?", f"{before} (?:minuten )?vor {following}s?"]
