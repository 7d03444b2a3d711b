"""Dates, times of day and seconds are read as the network has often seen them written (decision 0023).

12.03.2024 is 12. März 2024, 12/31/2023 is December 31, 2023, Mar 4 is March 4, in Q1 2024 is in the first quarter of
2024, 2 to 4 pm is 14:00 to 16:00, at 3 pm on May 5 is on 5 May at 15:00, 9–18 Uhr is 9:00 Uhr bis 18:00 Uhr, halb acht
and half past seven are 7:30, um fünf nach zwölf is um 12:05, 60s is 60 seconds, and 3-mal is 3 Mal.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from service.pipeline.edits import Edit, apply
from service.pipeline.lists import as_listed
from service.pipeline.numbers.calendar import (
    ANY_MONTH,
    DAY_OF_MONTH,
    HOUR,
    MINUTES,
    MONTHS,
    ORDINAL_ENDING,
    SHORT_DAY,
    WHOLE_DAY,
    WHOLE_MONTH,
    WHOLE_MONTHS,
    YEAR,
)
from service.pipeline.numbers.times_of_day import (
    BEFORE_TIME,
    HALF_A_DAY,
    hour_of_24,
    spoken_time,
    time_on_face,
)
from service.pipeline.segmentation.joints import full_stop
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from service.pipeline.edits import Edited

__all__ = ["write_out"]

_PROMISING = {
    "en": re.compile(r"[0-9PpQq](?:(?<=[0-9])|ast\s|uarter\s)"),
    "de": re.compile(r"[0-9FfHhVvZz](?:(?<=[0-9])|alb|iertel|ünf|ehn|wanzig)"),
}
"""Every text in which something can be found matches; most sentences do not, and are done with."""

_BEGIN, _END = r"(?<![\w.,:/])", r"(?![\w/]|[.,:]\d)"

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
_SLASHED = re.compile(
    rf"(?<![\w.,:/-])(?P<first>0?[1-9]|[12]\d|3[01])/(?P<second>0?[1-9]|[12]\d|3[01])/(?P<year>{YEAR})(?![\w/]|[.,-]\w)"
)
"""12/31/2023, 31/12/2023, 8/8/2023: English dates of which it may be sure what is the day, there being no month 31."""
_MONTHS = 12
_QUARTER = re.compile(
    r"(?i:\b(?:before|by|during|for|from|in|of|since|through|to|until)\s)"
    rf"(?P<quarter>Q(?P<number>[1-4])(?:\s(?:of\s)?|/)(?P<year>{YEAR}))(?![\w%/-]|[.,]\d"
    r"|\s(?!(?:and|are|but|for|had|has|have|than|was|were|will|with)\b)[a-z]{3})"
)
"""In Q1 2024, by Q4/2023. Not those of another noun: the Q1 2024 results."""
_QUARTERS = ("first", "second", "third", "fourth")
_CENTURY = 50
"""Years of two digits are of this century up to here."""

_SHORT_MONTHS = {
    language: {short: names[0] for names in months for short in names[1:]} for language, months in MONTHS.items()
}


def _short_month(language: str) -> re.Pattern[str]:
    """What finds a short month before a day or a year, and after a day."""
    month = rf"(?:{'|'.join(sorted(_SHORT_MONTHS[language], key=len, reverse=True))})(?![\w'’-])\.?"
    day = f"{DAY_OF_MONTH}{ORDINAL_ENDING}?"
    before, after = (rf"{DAY_OF_MONTH}\.\s?", YEAR) if language == "de" else (rf"{day}(?:\sof)?\s", f"{day}|{YEAR}")
    return re.compile(rf"(?<![\w.'’-])(?P<before>{month})(?=\s(?:{after}){_END})|{_BEGIN}{before}(?P<after>{month})")


_MONTH_OF_DAY = rf"{ANY_MONTH['de']}(?![\w'’])"
_DASH_BETWEEN = re.compile(
    rf"(?<![\w.,:/-]){DAY_OF_MONTH}\.(?:\s{_MONTH_OF_DAY}\.?)?(?P<dash>\s?[-–]\s?)(?={DAY_OF_MONTH}\.\s{_MONTH_OF_DAY})"
)
"""1. – 12. April, 25. März - 6. Apr."""
_SHORT_MONTH = {language: _short_month(language) for language in MONTHS}

# Times.
_O_CLOCK = re.compile(
    rf"{_BEGIN}(?<!\d:\s)(?:(?P<begin>{HOUR})(?P<begin_minutes>{MINUTES})?(?P<to>\s?[-–]\s?|\s(?:bis|und|oder)\s))?+"
    rf"(?P<end>{HOUR})(?P<end_minutes>{MINUTES})?\sUhr\b(?:\s(?P<later>[0-5]\d)(?![\w%€$]|[.,:]\d|\s[A-ZÄÖÜ€%]))?+"
)
"""10 Uhr, 10.30 Uhr, 10 Uhr 30, 10-12 Uhr, 10 bis 12 Uhr."""
_HOURS = {
    "de": ("eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf"),
    "en": ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
}
_NUMBERS = {"fünf": 5, "zehn": 10, "zwanzig": 20}
_SPOKEN_HOUR = {language: rf"(?P<hour>1[0-2]|[1-9]|{'|'.join(hours)})\b" for language, hours in _HOURS.items()}
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
_FEW_MINUTES = re.compile(
    r"\b(?i:um|gegen|bis|ab|ist|schon|erst)\s(?P<time>(?P<minutes>5|10|20|25|[Ff]ünf|[Zz]ehn|[Zz]wanzig)"
    rf"\s(?P<side>vor|nach)\s{_SPOKEN_HOUR['de']})(?![.,:-]\d|\s(?!Uhr)(?-i:[A-ZÄÖÜ\d]))"
)
"""Um 5 nach 12, gegen zehn vor acht Uhr; without such a word before it, minutes may be points."""
_HAS_HOUR_SIGN = re.compile(r"\d\s?h(?!\w)")
_HOUR_SIGN = re.compile(
    r"(?:\b(?i:um|gegen|gg\.)\s(?:[01]?\d|2[0-4])|\b[Aa]b\s(?:1\d|2[0-4])"
    rf"|\b{BEFORE_TIME}\s(?:[01]?\d|2[0-4])[.:][0-5]\d)(?P<sign>\s?h)(?![\w/-])"
    r"(?!\s(?:länger|kürzer|später|früher|ver|erhöh|reduzier|überschr))"
)
"""Um 19h, gegen 20 h, ab 17h, bis 20.15 h; 4:30 h alone may be how long something takes."""
_TIMES = re.compile(r"(?<![\w.,:/-])(?:(?P<once>1)|\d{1,3})(?P<mal>[- ]?mal)(?![\w-]|\s\d)")
"""3-mal, 3mal, 3 mal; not 3 mal 4."""
_HALF_DAYS = re.compile(
    rf"{_BEGIN}(?P<begin>{HOUR})(?P<begin_minutes>{MINUTES})?(?:\s?(?P<half>[ap])\.?m\b\.?)?"
    rf"(?P<to>\s?[-–]\s?|\s(?:to|until|till)\s)(?P<end>{HOUR})(?P<end_minutes>{MINUTES})?\s?(?P<end_half>[ap])\.?m\b\.?",
    re.IGNORECASE,
)
"""9-5 pm, 9:30 am to 5 p.m."""

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
_ALONE = re.compile(
    rf"(?:^|[:|–—]\s|\s[-&]\s|\()(?P<weekday>{_WEEKDAY},?)\s(?P<month>{_MONTH})\s(?P<day>{DAY_OF_MONTH})(?P<ending>{ORDINAL_ENDING})?"
    rf"(?P<year>,?\s{YEAR}(?!\w)(?P<apart>,?))?(?![\w/-]|\s(?:and|or|to)\b)"
)
"""Monday, March 3, 2025 of a heading or a line of a form: no preposition is before it."""
_CLOCK_FOLLOWS = re.compile(rf"\s{HOUR}{MINUTES}")
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
        edited = edited.then(apply(text, edits))
    return edited


# ------------------------------------------------------------------------------------------ dates


def _dates_in_figures(text: str) -> Iterator[Edit]:
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


def _slashed_dates(text: str) -> Iterator[Edit]:
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


def _short_months(text: str, language: str) -> Iterator[Edit]:
    """The whole names of months that a day or a year is beside."""
    for found in _SHORT_MONTH[language].finditer(text):
        span = Span(*found.span(found.lastgroup or 0))
        short = text[span.start : span.end]
        point = full_stop(text, span.end) if short.endswith(".") else ""
        yield Edit(span, _SHORT_MONTHS[language][short.rstrip(".")] + point)


def _day_to_day(text: str) -> Iterator[Edit]:
    """1. – 12. April is 1. bis 12. April: the network takes a dash for a hyphen."""
    for found in _DASH_BETWEEN.finditer(text) if "-" in text or "–" in text else ():
        yield Edit(Span(*found.span("dash")), _TO_DAY)


def _quarters(text: str) -> Iterator[Edit]:
    """Quarters of a year in words."""
    for found in _QUARTER.finditer(text):
        quarter = f"the {_QUARTERS[int(found['number']) - 1]} quarter of {found['year']}"
        yield Edit(Span(*found.span("quarter")), quarter)


# ------------------------------------------------------------------------------------------ times


def _spoken(text: str, language: str) -> Iterator[Edit]:
    """Halb acht and half past seven are 7:30, in whichever half of the day."""
    for found in _SPOKEN[language].finditer(text):
        hour = found["hour"]
        number = int(hour) if hour.isdecimal() else _HOURS[language].index(as_listed(hour)) + 1
        clock = " Uhr" if language == "de" and found["clock"] is not None else ""
        yield Edit(Span(*found.span()), spoken_time(found["minutes"], number) + clock)


def _few_minutes(text: str) -> Iterator[Edit]:
    """Um 5 nach 12 is um 12:05."""
    for found in _FEW_MINUTES.finditer(text):
        hour, minutes = found["hour"], as_listed(found["minutes"])
        number = int(hour) if hour.isdecimal() else _HOURS["de"].index(as_listed(hour)) + 1
        later = int(minutes) if minutes.isdecimal() else _NUMBERS[minutes]
        yield Edit(Span(*found.span("time")), time_on_face(number, later if found["side"] == "nach" else -later))


def _hour_signs(text: str) -> Iterator[Edit]:
    """Um 19h is um 19 Uhr."""
    for found in _HOUR_SIGN.finditer(text) if _HAS_HOUR_SIGN.search(text) else ():
        yield Edit(Span(*found.span("sign")), " Uhr")


def _how_often(text: str) -> Iterator[Edit]:
    """3-mal is 3 Mal, which keeps its number; 1-mal is einmal."""
    for found in _TIMES.finditer(text):
        yield Edit(Span(*found.span()), "einmal") if found["once"] else Edit(Span(*found.span("mal")), " Mal")


def _o_clock(text: str) -> Iterator[Edit]:
    """10 Uhr, 10.30 Uhr and 10 Uhr 30 with a colon; 10 bis 12 Uhr and 10-12 Uhr with Uhr twice.

    After a dash, the network has only the end in twelve hours.
    """
    for found in _O_CLOCK.finditer(text):
        begin = ""
        if found["begin"]:
            to = found["to"] if found["to"].strip().isalpha() else " bis "
            begin = f"{_time(found, 'begin')} Uhr{to}"
        end = f"{int(found['end'])}:{found['later']}" if found["later"] else _time(found, "end")
        yield Edit(Span(*found.span()), f"{begin}{end} Uhr")


def _half_days(text: str) -> Iterator[Edit]:
    """From one time to another, of which the last has am or pm, in 24 hours."""
    for found in _HALF_DAYS.finditer(text):
        half = found["end_half"].lower()
        begins = (found["half"] or half).lower()
        if not found["half"] and int(found["begin"]) % HALF_A_DAY > int(found["end"]) % HALF_A_DAY:
            begins = "a" if half == "p" else "p"  # 9 to 5 pm
        point = full_stop(text, found.end())
        times = _time(found, "begin", begins), _time(found, "end", half)
        yield Edit(Span(*found.span()), found["to"].join(times) + point)


def _in_brackets(text: str) -> Iterator[Edit]:
    """A time with am or pm that a bracket follows, in 24 hours, and without the preposition that begins it."""
    for found in _IN_BRACKETS.finditer(text):
        if found["half"]:
            yield Edit(Span(*found.span()), _time(found, "time", found["half"].lower()))


def _dates_alone(text: str) -> Iterator[Edit]:
    """A date that stands for itself with the day first; else the network writes "Samstag, dem 19. Juli"."""
    for found in _ALONE.finditer(text):
        year = found["year"] or ""
        end = found.end()
        if year:
            has_time = _CLOCK_FOLLOWS.match(text, end)
            year = f" {year.strip(', ')}{',' if has_time or found['apart'] else ''}"
        date = f"{found['weekday']} {found['day']}{found['ending'] or ''} {found['month']}{year}"
        yield Edit(Span(found.start("weekday"), end), date)


def _times_of_dates(text: str) -> Iterator[Edit]:
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
    return f"{hour}:{(found[f'{name}_minutes'] or '.00')[1:]}"


def _seconds(text: str) -> Iterator[Edit]:
    """60s is 60 seconds, or one 1 second."""
    for found in _SECONDS.finditer(text):
        yield Edit(Span(*found.span("unit")), " second" if found["number"] == "1" else " seconds")


# Later ones know dates and times as earlier ones write them: whole names of months, minutes, 24 hours.
_STEPS: dict[str, tuple[Callable[[str], Iterator[Edit]], ...]] = {
    "de": (
        _dates_in_figures,
        _day_to_day,
        partial(_short_months, language="de"),
        partial(_spoken, language="de"),
        _few_minutes,
        _hour_signs,
        _o_clock,
        _how_often,
    ),
    "en": (
        _slashed_dates,
        partial(_short_months, language="en"),
        _quarters,
        partial(_spoken, language="en"),
        _half_days,
        _in_brackets,
        _dates_alone,
        _times_of_dates,
        _seconds,
    ),
}
