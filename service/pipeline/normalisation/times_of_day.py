"""Times of day are read in figures and with minutes, English ones with am or pm in 24 hours.

2 to 4 pm is 14:00 to 16:00, at 3 pm on May 5 is on 5 May at 15:00, 9–18 Uhr is 9:00 Uhr bis 18:00 Uhr, halb acht and
half past seven are 7:30, and um fünf nach zwölf is um 12:05. The network takes 8:00 Uhr for the morning, whatever is
beside it: 8 Uhr abends is 20:00 Uhr.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from service.pipeline.edits import Edit
from service.pipeline.finders.full_stops import full_stop
from service.pipeline.lists import as_listed
from service.pipeline.numbers.calendar import (
    DAY_OF_MONTH,
    HOUR,
    MINUTES,
    ORDINAL_ENDING,
    WHOLE_DAY,
    WHOLE_MONTH,
    YEAR,
)
from service.pipeline.numbers.times_of_day import (
    BEFORE_TIME,
    HALF_A_DAY,
    HOURS,
    PART_OF_DAY,
    hour_of_24,
    hour_of_uhr,
    spoken_time,
    time_on_face,
)
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "few_minutes",
    "half_days",
    "hour_signs",
    "o_clock",
    "parts_of_day",
    "spoken_times",
    "times_in_brackets",
    "times_of_dates",
]

_BEGIN = r"(?<![\w.,:/])"
_O_CLOCK = re.compile(
    rf"{_BEGIN}(?<!\d:\s)(?:(?P<begin>{HOUR})(?P<begin_minutes>{MINUTES})?(?P<to>\s?[-–]\s?|\s(?:bis|und|oder)\s))?+"
    rf"(?P<end>{HOUR})(?P<end_minutes>{MINUTES})?\sUhr\b(?:\s(?P<later>[0-5]\d)(?![\w%€$]|[.,:]\d|\s[A-ZÄÖÜ€%]))?+"
    rf"(?P<after>\s{PART_OF_DAY})?+"
)
"""10 Uhr, 10.30 Uhr, 10 Uhr 30, 10-12 Uhr, 10 bis 12 Uhr, 8 Uhr abends."""
_NUMBERS = {"fünf": 5, "zehn": 10, "zwanzig": 20, "five": 5, "ten": 10, "twenty": 20}
_SPOKEN_HOUR = {language: rf"(?P<hour>1[0-2]|[1-9]|{'|'.join(hours)})\b" for language, hours in HOURS.items()}
_SPOKEN = {
    "de": re.compile(
        rf"\b(?P<minutes>halb|viertel (?:vor|nach)|dreiviertel)\s{_SPOKEN_HOUR['de']}"
        r"(?![.,:-]\d|\s(?!Uhr)(?-i:[A-ZÄÖÜ]))"
        r"(?P<clock>\sUhr\b|(?=\s(?:abends|morgens|nachts|nachmittags|früh)\b))?",
        re.IGNORECASE,
    ),
    "en": re.compile(
        r"(?<!\bfrom )(?<!\bfrom a )\b(?:a\s(?=quarter))?"
        r"(?P<minutes>(?:half|quarter|five|ten|twenty(?:[- ]five)?)\spast|quarter\sto)"
        rf"\s{_SPOKEN_HOUR['en']}(?:\so['’]clock\b)?"
        r"(?![%/-]|[.,:]\w|\s(?:billion|dollars|euros|hundred|million|of|per|people|third|thousand|times)\b)",
        re.IGNORECASE,
    ),
}
"""Halb acht, Viertel nach 7 Uhr; half past seven, a quarter to 8 o'clock."""
_FEW_MINUTES = {
    "de": re.compile(
        r"\b(?i:um|gegen|bis|ab|ist|schon|erst)\s(?P<time>(?P<minutes>5|10|20|25|[Ff]ünf|[Zz]ehn|[Zz]wanzig)"
        rf"\s(?P<side>vor|nach)\s{_SPOKEN_HOUR['de']})(?![.,:-]\d|\s(?!Uhr)(?-i:[A-ZÄÖÜ\d]))"
    ),
    "en": re.compile(
        r"\b(?:at|by|until|till|before|after|around|(?:it['’]s|it\sis|it\swas)(?:\s(?:already|only|just|about))?)\s"
        rf"(?P<time>(?P<minutes>five|ten|twenty)\s(?P<side>to)\s{_SPOKEN_HOUR['en']}(?:\so['’]clock\b)?)"
        r"(?=[.,;!?)](?!\w)|$|\s(?:and|but|every|in|on|so|this|today|tomorrow|tonight|when)\b)",
        re.IGNORECASE,
    ),
}
"""Um 5 nach 12, gegen zehn vor acht Uhr, at five to two; without such a word before it, minutes may be points."""
_PART_OF_DAY = re.compile(
    rf"{_BEGIN}(?:{_SPOKEN_HOUR['en']}\so['’]clock|(?P<hour_of_12>1[0-2]|[1-9])(?P<minutes>:[0-5]\d))"
    r"\sin\sthe\s(?:morning|(?P<late>afternoon|evening))\b",
    re.IGNORECASE,
)
"""5 o'clock in the afternoon, 7:40 in the evening."""
_HAS_HOUR_SIGN = re.compile(r"\d\s?h(?!\w)")
_HOUR_SIGN = re.compile(
    r"(?:\b(?i:um|gegen|gg\.)\s(?:[01]?\d|2[0-4])|\b[Aa]b\s(?:1\d|2[0-4])"
    rf"|\b{BEFORE_TIME}\s(?:[01]?\d|2[0-4])[.:][0-5]\d)(?P<sign>\s?h)(?![\w/-])"
    r"(?!\s(?:länger|kürzer|später|früher|ver|erhöh|reduzier|überschr))"
)
"""Um 19h, gegen 20 h, ab 17h, bis 20.15 h; 4:30 h alone may be how long something takes."""
_HALF_DAYS = re.compile(
    rf"{_BEGIN}(?P<begin>{HOUR})(?P<begin_minutes>{MINUTES})?(?:\s?(?P<half>[ap])\.?m\b\.?)?"
    rf"(?P<to>\s?[-–]\s?|\s(?:to|until|till|(?P<and>and))\s)(?P<end>{HOUR})(?P<end_minutes>{MINUTES})?"
    r"\s?(?P<end_half>[ap])\.?m\b\.?",
    re.IGNORECASE,
)
"""9-5 pm, 9:30 am to 5 p.m.; between 9 am and 5 pm."""
_BETWEEN = "between "

# English times with their dates.
_HALF_DAY = rf"(?P<time>{HOUR})(?P<time_minutes>{MINUTES})?(?:\s?(?P<half>(?i:[ap]))\.?(?i:m)\b\.?)?"
_IN_BRACKETS = re.compile(rf"(?:(?<=[(\[])at\s)?{_BEGIN}{_HALF_DAY}(?<=[Mm.])(?=[)\]])")
"""11 p.m. of (at 11 p.m.), whose point the network takes for the end of a sentence."""
_MONTH, _WEEKDAY = WHOLE_MONTH["en"], WHOLE_DAY["en"]
_DAY = rf"{DAY_OF_MONTH}{ORDINAL_ENDING}?"
_MONTH_FIRST = re.compile(rf"({_MONTH})\s({_DAY})(?!\d),?")
"""May 5th, of May 5th, 2024."""
_DAY_AND_MONTH = (
    rf"(?P<date>(?:{_WEEKDAY},?\s)?(?:(?:the\s)?{_DAY}(?:\sof)?\s{_MONTH}|{_MONTH}\s{_DAY})(?!\w)"
    rf"(?:,?\s{YEAR}(?!\w))?)"
)
_NO_MORE = (
    r"(?!\s?[-–—/]|[.:]\d|\s(?:to|until|till|through)\b"
    rf"|,?\s(?:(?:and|or)\s)?(?:(?:at|on|the)\s){{0,2}}(?:\d|{_MONTH}\b|{_WEEKDAY}\b))"
)
"""After one of several days or times there is more."""
_TIME_OF_DATE = (
    re.compile(
        rf"\b(?P<before>[Aa]t|[Bb]y|[Uu]ntil|[Bb]efore|[Aa]fter|[Ff]rom)\s{_HALF_DAY}\son\s{_DAY_AND_MONTH}{_NO_MORE}"
    ),
    re.compile(rf"\b(?P<before>[Oo]n)\s{_DAY_AND_MONTH},?\sat\s{_HALF_DAY}{_NO_MORE}(?!\w)"),
)
"""At 3 pm on May 5, on May 5 at 3 pm."""


def spoken_times(text: str, language: str) -> Iterator[Edit]:
    """Halb acht and half past seven are 7:30, in whichever half of the day."""
    for found in _SPOKEN[language].finditer(text):
        clock = " Uhr" if language == "de" and found["clock"] is not None else ""
        yield Edit(Span(*found.span()), spoken_time(found["minutes"], _hour(found, language)) + clock)


def few_minutes(text: str, language: str) -> Iterator[Edit]:
    """Um 5 nach 12 is um 12:05, at five to two is at 1:55."""
    for found in _FEW_MINUTES[language].finditer(text):
        minutes = as_listed(found["minutes"])
        later = int(minutes) if minutes.isdecimal() else _NUMBERS[minutes]
        time = time_on_face(_hour(found, language), later if found["side"] == "nach" else -later)
        yield Edit(Span(*found.span("time")), time)


def parts_of_day(text: str) -> Iterator[Edit]:
    """5 o'clock in the afternoon is 5 pm."""
    for found in _PART_OF_DAY.finditer(text):
        hour = found["hour_of_12"] or _hour(found, "en")
        yield Edit(Span(*found.span()), f"{hour}{found['minutes'] or ''} {'pm' if found['late'] else 'am'}")


def _hour(found: re.Match[str], language: str) -> int:
    """In figures or as a word."""
    hour = found["hour"]
    return int(hour) if hour.isdecimal() else HOURS[language].index(as_listed(hour)) + 1


def hour_signs(text: str) -> Iterator[Edit]:
    """Um 19h is um 19 Uhr."""
    for found in _HOUR_SIGN.finditer(text) if _HAS_HOUR_SIGN.search(text) else ():
        yield Edit(Span(*found.span("sign")), " Uhr")


def o_clock(text: str) -> Iterator[Edit]:
    """10 Uhr, 10.30 Uhr and 10 Uhr 30 with a colon; 10 bis 12 Uhr and 10-12 Uhr with Uhr twice.

    After a dash, the network has only the end in twelve hours. Hours beside a part of the day are those of 24.
    """
    for found in _O_CLOCK.finditer(text):
        begin = ""
        if found["begin"]:
            to = found["to"] if found["to"].strip().isalpha() else " bis "
            begin = f"{_hour_of_uhr(found, 'begin')}:{_minutes(found, 'begin')} Uhr{to}"
        end = f"{_hour_of_uhr(found, 'end')}:{found['later'] or _minutes(found, 'end')}"
        after = found["after"] if found["on"] else ""
        yield Edit(Span(*found.span()), f"{begin}{end} Uhr{after}")


def _hour_of_uhr(found: re.Match[str], name: str) -> int:
    """Of 24, if the text tells; else as it is written."""
    written = int(found[name])
    meant = hour_of_uhr(found.string, found.start(), written, found["part"] or "")
    return written if meant is None else meant


def half_days(text: str) -> Iterator[Edit]:
    """From one time to another, of which the last has am or pm, in 24 hours."""
    for found in _HALF_DAYS.finditer(text):
        if found["and"] and text[max(0, found.start() - len(_BETWEEN)) : found.start()].lower() != _BETWEEN:
            continue
        half = found["end_half"].lower()
        begins = (found["half"] or half).lower()
        if not found["half"] and int(found["begin"]) % HALF_A_DAY > int(found["end"]) % HALF_A_DAY:
            begins = "a" if half == "p" else "p"  # 9 to 5 pm
        point = full_stop(text, found.end())
        times = _time(found, "begin", begins), _time(found, "end", half)
        yield Edit(Span(*found.span()), found["to"].join(times) + point)


def times_in_brackets(text: str) -> Iterator[Edit]:
    """A time with am or pm that a bracket follows, in 24 hours, and without the preposition that begins it."""
    for found in _IN_BRACKETS.finditer(text):
        if found["half"]:
            yield Edit(Span(*found.span()), _time(found, "time", found["half"].lower()))


def times_of_dates(text: str) -> Iterator[Edit]:
    """A time with its date: the date first, and of that the day, and the time in 24 hours.

    Of a time that is before its date, the network makes two dates, or one that is both.
    """
    every = (one for pattern in _TIME_OF_DATE for one in pattern.finditer(text))
    for found in sorted(every, key=lambda one: one.start()):
        if found["half"] or ":" in (found["time_minutes"] or ""):
            time = _time(found, "time", (found["half"] or "").lower()) + full_stop(text, found.end())
            if found.start("date") < found.start("time"):
                # apart, so that it stays known which words became the day, and which the time
                if date := _MONTH_FIRST.search(text, *found.span("date")):
                    yield Edit(Span(*date.span()), date.expand(r"\2 \1"))
                yield Edit(Span(found.end("date"), found.start("time")), " at ")
                yield Edit(Span(found.start("time"), found.end()), time)
            else:
                before = {"at": "on", "At": "On"}.get(found["before"], found["before"])
                date_first = _MONTH_FIRST.sub(r"\2 \1", found["date"])
                yield Edit(Span(*found.span()), f"{before} {date_first} at {time}")


def _time(found: re.Match[str], name: str, half: str = "") -> str:
    hour = hour_of_24(int(found[name]), half) if half else str(int(found[name]))
    return f"{hour}:{_minutes(found, name)}"


def _minutes(found: re.Match[str], name: str) -> str:
    return (found[f"{name}_minutes"] or ".00")[1:]
