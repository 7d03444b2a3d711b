"""Which time of day a number is, if what stands beside it makes it one: 4 pm is 16 Uhr, half past 7 is halb 8."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from service.pipeline.edits import Edit
from service.pipeline.lists import as_listed
from service.types import Span

__all__ = [
    "BEFORE_TIME",
    "HALF_A_DAY",
    "HOURS",
    "PART_OF_DAY",
    "RANGE",
    "TimeOfDay",
    "begins_range",
    "ends_range",
    "german_hour",
    "hour_of_24",
    "hour_of_uhr",
    "in_twelve_hours",
    "is_certain",
    "is_time",
    "spoken_time",
    "time_of_day",
    "time_on_face",
]

BEFORE_TIME = (
    r"(?:(?i:um|gegen|gg\.|(?:ab|bis|von)(?=\s(?:0?[7-9]|1\d|2[0-4])\D))|(?:Abfahrt|Ankunft|Beginn|Einlass|Start):?)"
)
"""What stands before 19.30 h, a time of day. Few hours after "von" are rather how long something takes."""
HALF_A_DAY = 12
HOURS = {
    "de": ("eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf"),
    "en": ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
}
"""Of a clock, in words."""
PART_OF_DAY = (
    r"(?P<on>[Aa]m\s|[Ii]n\sder\s|(?:heute|gestern|morgen)\s)?"
    r"(?P<part>(?i:nachmittags?|abends?|mittags?|nachts?|morgens|vormittags|früh))\b"
)
"""What a German text says after a time: abends, in der Nacht, heute Abend."""
_PART_BEFORE = re.compile(
    r"(?P<part>nachmittag|abend|vormittag|mittag|nacht|früh|(?<=am\s|en\s|te\s|rn\s)morgen|morgen(?=s))s?,?\s"
    r"(?:(?:so|schon|erst|etwa|kurz)\s)?(?:um|gegen|ab|bis|von|vor|nach|zwischen)\s"
    r"(?:(?:etwa|ca\.|circa|rund|genau|punkt)\s)?$",
    re.IGNORECASE,
)
"""Heute Abend um, Freitagabend gegen, nachts von; morgen um is none, am Morgen um is."""
_HOURS_OF_PARTS = {
    "nachmittag": {12: 12, 1: 13, 2: 14, 3: 15, 4: 16, 5: 17, 6: 18, 7: 19},
    "abend": {5: 17, 6: 18, 7: 19, 8: 20, 9: 21, 10: 22, 11: 23},
    "mittag": {11: 11, 12: 12, 1: 13, 2: 14, 3: 15},
    "nacht": {9: 21, 10: 22, 11: 23, 12: 0},
}
"""Of twelve hours the one of 24 in each part of the day; another is not meant by it: am Abend bis 1 Uhr."""
_OF_24 = re.compile(r"(?<![\d.,:])(?:1[3-9]|2[0-4]|0\d?|(?:[01]?\d|2[0-4])[.:][0-5]\d)\s?(?:Uhr|h)\b")
"""An hour that is one of 24, or is written with minutes, as those of a timetable are."""
_DAY = 24
_MORNING = 6
"""Noon reaches to six o'clock; night is before midnight from six o'clock on."""

_TIME = re.compile(r"(\d\d?)(?:[:.]\d\d){0,2}+")
"""7, 7:30, 7.30, 14:30:15."""
_DIGITS = re.compile(r"\d+")

RANGE = r"\s?(?:[-–—]|to|till|until|and|or|bis|und|oder)\s?"
"""Between two times: 7-9, 7 to 9, 7 bis 9."""
_END = rf"(?:{RANGE}\d[\d:.]{{0,4}}+)"

# What says after a time which half of the day it is in. After pm and am the number means nothing else. Words, and a pm
# that follows the end of a range, leave it open: "8 Uhr abends" is 8 as well as 20, "9 to 5 pm" begins in the morning.
_HALVES = {
    "en": re.compile(
        rf"""
        \s?(?:(?P<pm>p\.?m)|(?P<am>a\.?m))\b
        | {_END}\s?(?:(?P<to_pm>p\.?m)|(?P<to_am>a\.?m))\b
        | (?:\so['’]clock)?\s(?:(?:in\sthe|this)\s(?:(?P<late>afternoon|evening)|(?P<early>morning))
            | (?:at\s)?(?:(?P<noon>noon)|(?P<night>(?:mid|to)?night)))\b
        """,
        re.IGNORECASE | re.VERBOSE,
    ),
    "de": re.compile(
        rf"""
        \s?(?:(?P<pm>p\.?m)|(?P<am>a\.m))\b                                # "am" is a word
        | {_END}?(?:\sUhr)?(?:\sam|\sin\sder)?\s
          (?:(?P<late>nachmittags?|abends?)|(?P<early>vormittags?|morgens?|früh)|(?P<noon>mittags?)|(?P<night>nachts?))\b
        """,
        re.IGNORECASE | re.VERBOSE,
    ),
}
_HALVES_BEFORE = {
    "en": re.compile(r"(?:(?P<late>afternoon|evening)|(?P<night>night))\sat\s$", re.IGNORECASE),
    "de": re.compile(
        r"(?:(?P<late>nachmittag|abend)|(?P<noon>mittag)|(?P<night>nacht))s?\s(?:um|gegen|ab|bis)\s$", re.IGNORECASE
    ),
}
"""Afternoon at, abends um."""
_HALF = re.compile(r"\s?([ap])(?=\.?m\b)", re.IGNORECASE)
"""p of 3 pm, a of 3 a.m."""
_CLOCK = re.compile(r"\sUhr\b")
_LATER = re.compile(r"abend|(?<!vor)mittag|(?<!weih)nacht|\bp\.?m\b", re.IGNORECASE)
"""Where a German sentence has one of these, 8 Uhr may be 20 Uhr; else it has 24 hours, as written German does."""
_TOLD_AFTER = re.compile(r"\s?(?:Uhr|o['’]clock)\b", re.IGNORECASE)
"""Uhr, o'clock."""
_TOLD_BEFORE = re.compile(r"\b(?:um|gegen|at)\s$", re.IGNORECASE)
"""Um, at."""
_BEGINNING = re.compile(rf"\d{RANGE}$")
"""7- before 9."""
_REST = re.compile(rf"{RANGE}\d")
"""-9 after 7."""
_LONGEST_BEFORE = 30
_STRICT = {"pm", "am"}
_LATE = {"p", "pm", "to_pm", "late"}

_SPOKEN = re.compile(
    r"\b(half past|quarter past|quarter to|halb|viertel nach|viertel vor|dreiviertel)\s$", re.IGNORECASE
)
"""Half past, halb: what comes before an hour."""
_MINUTES = {
    "half past": 30,
    "quarter past": 15,
    "five past": 5,
    "ten past": 10,
    "twenty past": 20,
    "twenty five past": 25,
    "twenty-five past": 25,
    "quarter to": -15,
    "halb": -30,
    "viertel nach": 15,
    "viertel vor": -15,
    "dreiviertel": -15,
}
"""From the hour that is named after these words to the time. "Halb 8" is half past 7."""
_HOUR = 60


class TimeOfDay(NamedTuple):
    """A time, each part a number without needless noughts.

    Args:
        written: hour and what follows it, as they stand there.
        meant: the hour of 24 and, unless they are nought, minutes; of a spoken time those on a clock's face.
        strict: whether it is what is meant and nothing else.
        spoken: whether words before it make another time of it, which the other language may name by another hour.
    """

    written: tuple[str, ...]
    meant: tuple[str, ...]
    strict: bool
    spoken: bool = False


def time_of_day(text: str, span: Span, language: str) -> TimeOfDay | None:
    """The time that a number of a text is, if what stands around it says that it is one, and in which half of a day."""
    time = _TIME.fullmatch(text, span.start, span.end)
    if not time or int(time[1]) > _DAY:
        return None
    written = tuple(part.lstrip("0") or "0" for part in _DIGITS.findall(time[0]))
    hour, before = int(time[1]), _before(text, span.start)
    if time[0].isdigit() and 0 < hour <= HALF_A_DAY and (spoken := _SPOKEN.search(before)):
        return TimeOfDay(written, _on_the_face(hour, _MINUTES[as_listed(spoken[1])]), strict=True, spoken=True)
    found = _HALVES[language].match(text, span.end) or _HALVES_BEFORE[language].search(before)
    if not found or not found.lastgroup:
        return None
    minutes = () if written[1:] == ("0",) else written[1:]
    return TimeOfDay(written, (hour_of_24(hour, found.lastgroup), *minutes), strict=found.lastgroup in _STRICT)


def ends_range(text: str, start: int) -> bool:
    """Whether a range ends with the number that starts there: in "9 to 5 pm" nothing tells the half of the first."""
    return bool(_BEGINNING.search(_before(text, start)))


def begins_range(text: str, end: int) -> bool:
    """Whether a range begins with the number that ends there."""
    return bool(_REST.match(text, end))


def is_time(text: str, span: Span) -> bool:
    """Whether a number is written as a time of day, or stands where one does, whichever half of the day it is in."""
    if not _TIME.fullmatch(text, span.start, span.end):
        return False
    told = _TOLD_AFTER.match(text, span.end) or _TOLD_BEFORE.search(_before(text, span.start))
    return bool(told) or ":" in text[span.start : span.end]


def is_certain(text: str, span: Span) -> bool:
    """Whether a number of a German text is a time of 24 hours: 19 Uhr; 7 Uhr unless the evening is spoken of."""
    time = _TIME.fullmatch(text, span.start, span.end)
    if not time or int(time[1]) > _DAY or not _CLOCK.match(text, span.end):
        return False
    return not 0 < int(time[1]) < HALF_A_DAY or not _LATER.search(text)


def in_twelve_hours(text: str, span: Span, time: str) -> Edit | None:
    """What to write for a number of an English text that am or pm follows, and that is to be a time of 24 hours.

    Args:
        text: such as "at 15pm".
        span: of the number.
        time: such as "15" or "13.45".

    Returns:
        "3 p" in place of the number with the letter after it; None if neither am nor pm follows.
    """
    half, digits = _HALF.match(text, span.end), _DIGITS.match(time)
    if not half or not digits:
        return None
    hour = int(digits[0]) % _DAY
    letter = "p" if hour >= HALF_A_DAY else "a"
    if half[1].isupper():
        letter = letter.upper()
    minutes = time[digits.end() :].replace(".", ":")
    gap = text[span.end : half.start(1)] or " "
    return Edit(Span(span.start, half.end(1)), f"{hour % HALF_A_DAY or HALF_A_DAY}{minutes}{gap}{letter}")


def hour_of_24(hour: int, half: str) -> str:
    """The hour of 24 for one of 12 in a half of the day, such as "pm".

    One beyond is of 24 already, whatever follows: nobody means 2 o'clock by 14 am.
    """
    if hour > HALF_A_DAY:
        return str(hour % _DAY)
    face = hour % HALF_A_DAY
    is_late = half in _LATE or (half == "noon" and face < _MORNING) or (half == "night" and face >= _MORNING)
    return str(face + HALF_A_DAY if is_late else face)


def hour_of_uhr(text: str, start: int, hour: int, part: str = "") -> int | None:
    """The hour of 24 that a German text means by one that is followed by *Uhr*; None if it may be in either half.

    Args:
        text: in which a part of the day may stand before the hour, or times that show whether it has 24 hours.
        start: of the hour.
        hour: as it is written.
        part: the part of the day that stands after it: abends.
    """
    if not part and (before := _PART_BEFORE.search(_before(text, start))):
        part = before["part"]
    if part:
        return _HOURS_OF_PARTS.get(as_listed(part).removesuffix("s"), {}).get(hour, hour)
    return hour if not 0 < hour <= HALF_A_DAY or _has_hours_of_24(text) else None


@lru_cache(maxsize=16)  # asked for each time of a text
def _has_hours_of_24(text: str) -> bool:
    return _OF_24.search(text) is not None


def german_hour(hour: int) -> str:
    """The word that stands before *Uhr* for an hour of twelve."""
    return "ein" if hour == 1 else HOURS["de"][hour - 1]


def spoken_time(words: str, hour: int) -> str:
    """The time that an hour is with words such as halb before it, as on a clock's face."""
    return time_on_face(hour, _MINUTES[as_listed(words)])


def time_on_face(hour: int, later: int) -> str:
    """The time that is so many minutes later, or earlier, than an hour, as on a clock's face."""
    face, minutes = _on_the_face(hour, later)
    return f"{face}:{minutes.zfill(2)}"


def _before(text: str, start: int) -> str:
    return text[max(0, start - _LONGEST_BEFORE) : start]


def _on_the_face(hour: int, later: int) -> tuple[str, ...]:
    """Hour and minutes, so many minutes later, or earlier, than the hour."""
    minutes = hour * _HOUR + later
    return str((minutes // _HOUR - 1) % HALF_A_DAY + 1), str(minutes % _HOUR)
