"""German adverbials of time are read as one word: *bis nächsten Freitag* as *heute*, where a text begins as *leider*.

Of several words that say when, the network loses some, and with them what stands beside: *Bis Freitag muss ich das
abgeben* was *I Friday, I have to give it on*. What it writes for the one word becomes *by next Friday*.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from service.pipeline.edits import with_small_letter
from service.pipeline.numbers.calendar import DAY_OF_MONTH, DAYS, WHOLE_MONTHS, YEAR
from service.pipeline.numbers.times_of_day import HALF_A_DAY, HOURS, PART_OF_DAY, german_hour, hour_of_uhr
from service.pipeline.substitution.listed_words import Form, Word
from service.pipeline.substitution.parts_of_speech import AFTER_ADVERB
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["MOST_WORDS", "find_time_adverbial", "follows_clock"]


def _adverbs(*pairs: tuple[str, str]) -> tuple[Word, ...]:
    return tuple(Word((german,), (english,)) for german, english in pairs)


_READ_FIRST = _adverbs(("leider", "unfortunately"), ("natürlich", "of course"))
_READ_INSIDE = _adverbs(("heute", "today"))
_READ_SINCE = _adverbs(("seit Jahren", "for years"))
"""With this the network has the tense that English needs."""
_DAYS_THAT_STAY = re.compile(r"\b(?:[Hh]eute|[Gg]estern|[Mm]orgen|[Üü]bermorgen|[Jj]etzt)\b")
"""Beside one of these, what else says when belongs to it, or is left to the network."""

MOST_WORDS, _MOST_WORDS_INSIDE = 24, 13
"""Of a sentence in which they are read so: in longer ones the network loses the one word as well."""

_PARTS = {
    "morgen": "morning",
    "vormittag": "morning",
    "früh": "morning",
    "mittag": "noon",
    "nachmittag": "afternoon",
    "abend": "evening",
    "nacht": "night",
}
_WEEKDAYS = dict(zip(DAYS["de"].values(), DAYS["en"].values(), strict=True))
_MONTHS = dict(zip(WHOLE_MONTHS["de"], WHOLE_MONTHS["en"], strict=True))
_SEASONS = {"Frühling": "spring", "Frühjahr": "spring", "Sommer": "summer", "Herbst": "autumn", "Winter": "winter"}
_HOLIDAYS = {"Weihnachten": "Christmas", "Ostern": "Easter", "Pfingsten": "Pentecost", "Silvester": "New Year's Eve"}
_HOURS = {"ein": "one"} | dict(zip(HOURS["de"], HOURS["en"], strict=True))
_NUMBERS = {
    **{number: english for number, english in _HOURS.items() if english != "one"},
    "vierzehn": "fourteen",
    "fünfzehn": "fifteen",
    "zwanzig": "twenty",
    "dreißig": "thirty",
    "paar": "few",
    "ein paar": "a few",
    "einigen": "a few",
    "wenigen": "a few",
    "mehreren": "several",
}
_SHORT = {"Sekunde": "second", "Minute": "minute", "Stunde": "hour", "Tag": "day"}
_LONG = {"Woche": "week", "Monat": "month", "Jahr": "year"}
_UNITS = _SHORT | _LONG
_PLURALS = {
    "Sekunden": "seconds",
    "Minuten": "minutes",
    "Stunden": "hours",
    "Tagen": "days",
    "Wochen": "weeks",
    "Monaten": "months",
    "Jahren": "years",
}
_ACCUSATIVES = {"Tage": "days", "Monate": "months", "Jahre": "years"}
_TODAY = {
    "heute": "today",
    "gestern": "yesterday",
    "morgen": "tomorrow",
    "übermorgen": "the day after tomorrow",
    "vorgestern": "the day before yesterday",
}
_PARTS_OF_TODAY = {
    **{f"heute {part}": f"this {english}" for part, english in _PARTS.items()},
    **{f"gestern {part}": f"yesterday {english}" for part, english in _PARTS.items()},
    **{f"morgen {part}": f"tomorrow {english}" for part, english in _PARTS.items()},
    "heute mittag": "at noon today",
    "gestern mittag": "at noon yesterday",
    "morgen mittag": "at noon tomorrow",
    "heute nacht": "tonight",
    "gestern nacht": "last night",
}
_ENDS = {
    "Wochenende": "the weekend",
    "Monatsende": "the end of the month",
    "Jahresende": "the end of the year",
    "Jahresanfang": "the beginning of the year",
    "Monatsanfang": "the beginning of the month",
}
_BORDERS = {"Anfang": "the beginning", "Mitte": "the middle", "Ende": "the end"}
_GENITIVES = {
    "des Monats": "the month",
    "des Jahres": "the year",
    "der Woche": "the week",
    "nächster Woche": "next week",
    "dieser Woche": "this week",
    "letzter Woche": "last week",
    "nächsten Monats": "next month",
    "dieses Monats": "this month",
    "nächsten Jahres": "next year",
    "dieses Jahres": "this year",
    "letzten Jahres": "last year",
}
_EVENTS = {
    "dem Essen": "the meal",
    "der Mahlzeit": "the meal",
    "dem Frühstück": "breakfast",
    "der Arbeit": "work",
    "der Schule": "school",
    "dem Unterricht": "class",
    "den Ferien": "the holidays",
    "der Pause": "the break",
    "den Sommerferien": "the summer holidays",
    "der Mittagspause": "the lunch break",
    "dem Urlaub": "the holidays",
    "dem Mittagessen": "lunch",
    "dem Abendessen": "dinner",
    "dem Wochenende": "the weekend",
}
_WHILE = {
    "Ferien": "the holidays",
    "Sommerferien": "the summer holidays",
    "Pause": "the break",
    "Mittagspause": "the lunch break",
}
_WHICH = {"nächst": "next", "kommend": "next", "letzt": "last", "vergangen": "last", "dies": "this", "jed": "every"}
_OFTEN = {"einmal": "once", "zweimal": "twice", "dreimal": "three times", "mehrmals": "several times"}
_WORDS = {
    german.lower(): english
    for its in (
        *(_PARTS, _WEEKDAYS, _MONTHS, _SEASONS, _HOLIDAYS, _HOURS, _NUMBERS, _UNITS, _PLURALS, _ACCUSATIVES, _EVENTS),
        *(_PARTS_OF_TODAY, _ENDS, _BORDERS, _GENITIVES, _WHILE, _WHICH, _OFTEN, _TODAY),
    )
    for german, english in its.items()
} | {
    **{
        f"{day}{between}{part}".lower(): f"{its} {english}"
        for between in ("", " ")
        for day, its in _WEEKDAYS.items()
        for part, english in _PARTS.items()
    },
    "Morgen": "morning",
    "mitternacht": "midnight",
}


def _one_of(*words: Iterable[str]) -> str:
    """A pattern of all of these, the longest first."""
    return f"(?:{'|'.join(sorted((word for its in words for word in its), key=len, reverse=True))})"


_PART = _one_of(_PARTS, (part.capitalize() for part in _PARTS))
_DAY = rf"{_one_of(_WEEKDAYS)}(?: ?{_PART})?(?!\w)"
_MONTH = rf"{_one_of(_MONTHS)}(?: {YEAR})?(?!\w)"
_DATE = rf"(?:(?:[1-9]|[12]\d|3[01])\. {_MONTH}|{DAY_OF_MONTH}\.(?:0?[1-9]|1[0-2])\.(?:{YEAR}(?!\d)|(?= \S)))"
_DAY_AND_DATE = rf"{_DAY}, de[mn] {_DATE},?"
_NUMBER = rf"(?:{_one_of(_NUMBERS)}|\d{{1,3}})"
_SPAN = rf"(?:{_NUMBER} {_one_of(_PLURALS)}|eine[mnr]? (?:{_one_of(_UNITS)}|halben Stunde))(?!\w)"
_PART_OF_TODAY = rf"{_one_of(('heute', 'gestern', 'morgen'))} {_PART}(?!\w)"
_LONGER = _one_of(_LONG, _SEASONS, _MONTHS, _WEEKDAYS, ("Wochenende",))
_NEXT = rf"{_one_of(_WHICH)}e[mnrs]? {_LONGER}(?!\w)"
_NEXT_ALONE = rf"{_one_of(_WHICH)}e[ns]? {_LONGER}(?!\w)"
_BORDER = rf"{_one_of(_BORDERS)} (?:{_MONTH}|{_one_of(_GENITIVES)}(?!\w))"
_CLOCK = (
    rf"(?:{_one_of(_HOURS)} Uhr(?! \w*(?:zehn|[sz]ig|ßig|fünf)\b)"
    rf"|(?:1?\d|2[0-4])(?:[:.][0-5]\d)? Uhr(?: (?:am |in der )?{_PART}s?(?!\w))?|Mitternacht)(?!\w| \d)"
)
_BARE_HOUR = r"(?:1?\d|2[0-4])(?:[:.][0-5]\d)?"
"""Of von 9 bis 17 Uhr."""
_HOUR = (  # without Uhr; no number of things
    rf"(?!ein\b){_one_of(_HOURS)}(?!\w|[-:]| (?:Uhr|auf|mal|und|oder)\b| (?:vor|nach) {_one_of(_HOURS)}\b"
    r"| (?!Sie\b|Ihnen\b)[A-ZÄÖÜ]"
    r"| (?!(?:d[aei]\w+|\w*eine[mnr]?|ihre[mnr]?|unsere[mnr]?|alle|hier|wieder) )[a-zäöüß]+e[nrs]? [A-ZÄÖÜ])"
)
_POINT = (
    rf"(?:{_DAY_AND_DATE}|{_DATE}|{_DAY}|{_MONTH}|{_NEXT}|{_BORDER}|{_PART_OF_TODAY}|{_CLOCK}|{_HOUR}"
    rf"|{_one_of(_ENDS, _HOLIDAYS, _TODAY)}(?!\w))"
)
_POINTS = tuple(
    (re.compile(pattern), english)
    for pattern, english in (
        (rf"({_one_of(_HOURS)}) Uhr", "{0} o'clock"),
        (rf"({_DAY}), de[mn] ({_DATE}),?", "{0}, {1}"),
        (rf"(\d+)\. ({_one_of(_MONTHS)})", "{1} {0}"),
        (rf"(\d+)\. ({_one_of(_MONTHS)}) ({YEAR})", "{1} {0}, {2}"),
        (rf"({_one_of(_MONTHS)}) ({YEAR})", "{0} {1}"),
        (rf"({_one_of(_WHICH)})e[mnrs]? Wochenende", "{0} weekend"),
        (rf"({_one_of(_WHICH)})e[mnrs]? (\w+)", "{0} {1}"),
        (rf"({_one_of(_BORDERS)}) (.+)", "{0} of {1}"),
        (r"eine[mnr]? halben Stunde", "half an hour"),
        (r"eine[mnr]? Stunde", "an hour"),
        (rf"eine[mnr]? ({_one_of(_UNITS)})", "a {0}"),
        (rf"({_NUMBER}) (\w+)", "{0} {1}"),
    )
)
_AT, _UNTIL = "{at} {0}", "{until} {0}"
_ADVERBIALS = tuple(
    (re.compile(pattern), english)
    for pattern, english in (
        (rf"bis (?:spätestens )?(?:zum |zur )?({_POINT})", _UNTIL),
        (rf"ab (?:dem )?({_POINT})", "from {0}"),
        (rf"seit (?:dem )?({_POINT})", "since {0}"),
        (rf"seit ({_SPAN})", "for {0}"),
        (rf"(?:an|über|zu) ({_one_of(_HOLIDAYS)})(?!\w)", "at {0}"),
        (rf"vor ({_DAY}|{_one_of(_HOLIDAYS, _EVENTS)}(?!\w)|{_CLOCK})", "before {0}"),
        (rf"nach ({_one_of(_HOLIDAYS, _EVENTS)}(?!\w)|{_CLOCK})", "after {0}"),
        (rf"(?:in|während) de[nr] ({_one_of(_WHILE)})(?!\w)", "during {0}"),
        (rf"vor ({_SPAN})", "{0} ago"),
        (rf"in ({_SPAN})", "in {0}"),
        (rf"nach ({_SPAN})(?! [A-ZÄÖÜ])", "after {0}"),
        (rf"innerhalb (?:von )?({_SPAN})", "within {0}"),
        (rf"alle ({_NUMBER} {_one_of(_PLURALS, _ACCUSATIVES)})(?!\w)", "every {0}"),
        (rf"({_one_of(_OFTEN)}) (?:pro|im|am|in der) ({_one_of(_UNITS)})(?!\w)", "{0} a {1}"),
        (rf"am ({_DAY_AND_DATE}|{_DATE}|{_DAY})", "on {0}"),
        (rf"(?:am|zum) ({_one_of(_ENDS)})(?!\w)", "at {0}"),
        (r"am (Morgen|Vormittag|Nachmittag|Abend)(?!\w)", "in the {0}"),
        (r"am (?:nächst|folgend)en (Tag|Morgen|Abend)(?!\w)", "the next {0}"),
        (r"mitten in der (Nacht)(?!\w)", "in the middle of the {0}"),
        (rf"(?:am|im|in der|in(?= dies| jed)) ({_NEXT})(?! de[rs]\b)", "{0}"),
        (rf"in den (letzt|nächst|kommend|vergangen)en ({_one_of(_PLURALS)})(?!\w)", "in the {0} few {1}"),
        (rf"in den (letzt|nächst|kommend|vergangen)en ({_NUMBER}) ({_one_of(_PLURALS)})(?!\w)", "in the {0} {1} {2}"),
        (rf"im Jahre? ({YEAR})(?!\w)", "in {0}"),
        (rf"im ({_MONTH}|{_one_of(_SEASONS)}(?!\w))", "in {0}"),
        (rf"(?:am )?({_BORDER})", _AT),
        (rf"({_NEXT_ALONE})", "{0}"),
        (rf"({_PART_OF_TODAY})", "{0}"),
        (rf"({_one_of(_TODAY)})(?!\w)", "{0}"),
        (rf"von ({_DAY}) bis ({_DAY})", "from {0} to {1}"),
        (rf"von ({_CLOCK}|{_HOUR}) bis ({_CLOCK}|{_HOUR})", "from {0} to {1}"),
        (rf"von ({_BARE_HOUR}) bis ({_CLOCK})", "from {0} to {1}"),
        (rf"zwischen ({_BARE_HOUR}) und ({_CLOCK})", "between {0} and {1}"),
        (rf"zwischen ({_CLOCK}|{_HOUR}) und ({_CLOCK}|{_HOUR})", "between {0} and {1}"),
        (rf"um ({_CLOCK}|{_HOUR})", "at {0}"),
        (rf"gegen ({_CLOCK}|{_HOUR})", "around {0}"),
    )
)
_BEGINS = re.compile(
    r"(?:ab|alle|a[mn]|bis|gegen|im?n?|innerhalb|mitten|nach|seit|über|um|vo[nr]|während|zum?|zwischen)\b"
    rf"|{_one_of(_WHICH)}e|{_one_of(_OFTEN, _BORDERS, _TODAY)} ",
    re.IGNORECASE,
)
"""What may be one: most words are not, and are done with."""
_IN_MAY = re.compile(
    rf"im (?:Jahre? {YEAR}|{_one_of(_MONTHS, _SEASONS)})\b|in den (?:letzt|nächst|kommend|vergangen)en\b"
)
"""The network has these right within a sentence."""
_CLOCK_BEFORE, _LONGEST_CLOCK = re.compile(r"\d Uhr $"), len("8 Uhr ")
_PART_OF_DAY = re.compile(PART_OF_DAY)
_CLOCK_IN_FIGURES = re.compile(r"(\d+)(?:[:.](\d\d))? Uhr(?: (?:am |in der )?(\w+))?")
_BEFORE_ANOTHER = re.compile(
    rf"{_BARE_HOUR} (?:bis|und) {_BARE_HOUR}(?P<uhr> Uhr(?: (?:am |in der )?{_PART}s?(?!\w))?)"
)
"""What the second of two times says of both: von 2 bis 6 Uhr nachmittags."""
_DATE_IN_FIGURES = re.compile(r"(\d+)\.(\d+)\.(\d+)?")
_SUBJECT = re.compile(
    rf"{_one_of(_WHICH)}es? (?:Woche|Jahr|Wochenende) (?:ist|war|wird|wurde|hat|kann)\b"
    r"(?! (?:ich|du|er|sie|es|wir|ihr|man|der|die|das|niemand|jemand|viele|alle\w*|\w*ein\w*|(?:uns|ih)re?)\b| unser)",
    re.IGNORECASE,
)
"""Diese Woche war schwer, but not diese Woche war ich krank."""
_TWO_PREPOSITIONS = re.compile("(?<=[a-z]) at (?=noon)")
"""By noon tomorrow, but at noon tomorrow."""
_LONGEST_BEFORE = 24
_DETERMINER = re.compile(
    r"\b(?:d(?:er|ie|as|e[mns])|\w*eine?[mnrs]?|vom|zum|zur|beim|ins|jed\w+|dass|ob|weil|wenn)\s$", re.IGNORECASE
)
_ENDS_ARTICLE = re.compile(r"(?<!,\s)\b(?:d(?:er|ie|as|e[mns])|eine?[mnrs]?)\s$", re.IGNORECASE)
_ENDS_TIME = re.compile(rf"(?:\d\.?|Uhr|{_MONTH}|{_DAY})\s$")
_DONE_BY = re.compile(
    r"\b(?:spätestens|bitten?|muss|müssen|musst|soll(?:en|te|ten)?|brauch\w+|benötig\w+|ab(?:zu|ge)?geben|\w*reichen"
    r"|\w*schick(?:en|t)|\w*senden|\w*zahl(?:en|t)|überweisen|erledig\w+|fertig|[Aa]ntwort\w*|mit(?:zu)?teilen"
    r"|an(?:zu)?melden|lernen|lesen|schreiben|\w*lieferte?n?|melden|entscheiden|erhalten)\b"
)
_LASTS = re.compile(
    r"\b(?:\w*warte\w*|bleib\w*|geschlossen|gültig|gilt|geöffnet|offen|gesperrt|dauer\w*|arbeite\w*|schlaf\w*)\b"
)
"""Whether something happens by Friday or lasts until then."""


def find_time_adverbial(text: str, start: int, *, is_first: bool) -> Form | None:
    """An adverbial of time that begins there, in one or several parts, *morgen um acht*; None if there is none.

    Args:
        text: in German.
        start: of a word.
        is_first: whether that is the first of the text.
    """
    most_words = MOST_WORDS if is_first else _MOST_WORDS_INSIDE
    if not _BEGINS.match(text, start) or text.count(" ") >= most_words:
        return None
    found = [*_parts(text, start)]
    if not found and is_first and text[start].isupper():
        found = [*_parts(text[:start] + with_small_letter(text[start:]), start)]
    if not found or found[-1][0] in _TODAY.values():
        return None
    end = found[-1][1]
    read = _read_for(text, Span(start, end), is_first=is_first)
    meant = " ".join(english for english, _ in found)
    word = Word((text[start:end],), (meant,))
    return Form(word.source[0], "", 0, word, read) if read else None


def follows_clock(text: str, start: int) -> bool:
    """Whether the part of the day begins there that belongs to a time: 8 Uhr abends, which is read as 20:00 Uhr."""
    clock = _CLOCK_BEFORE.search(text, max(0, start - _LONGEST_CLOCK), start)
    return clock is not None and _PART_OF_DAY.match(text, start) is not None


def _read_for(text: str, span: Span, *, is_first: bool) -> tuple[Word, ...]:
    """What the network reads instead; nothing if it is to read what is there."""
    if is_first:
        if _SUBJECT.match(text, span.start):
            return ()
        return _READ_FIRST if AFTER_ADVERB["de"].match(text, span.end) else ()
    if _IN_MAY.match(text, span.start) or _DAYS_THAT_STAY.search(text[: span.start] + text[span.end :]):
        return ()
    return _READ_SINCE if text.startswith("seit ", span.start) else _READ_INSIDE


def _parts(text: str, start: int) -> Iterator[tuple[str, int]]:
    """Each with its English and its end; a day alone is one before others only."""
    while True:
        found = next(((match, english) for one, english in _ADVERBIALS if (match := one.match(text, start))), None)
        if not found or _is_part(text[max(0, start - _LONGEST_BEFORE) : start], found[1]):
            return
        match, english = found
        until = "by" if _DONE_BY.search(text) and not _LASTS.search(text) else "until"
        at = "in" if "Mitte" in match[0] else "at"
        groups = range(1, len(match.groups()) + 1)
        written = (_with_hours_of_24(text, match.start(group), match[group]) for group in groups)
        meant = english.format(*map(_in_english, written), until=until, at=at)
        yield _TWO_PREPOSITIONS.sub(" ", meant), match.end()
        start = match.end() + 1


def _with_hours_of_24(text: str, start: int, german: str) -> str:
    """What stands there; of a time in figures the hour that is meant, or a word if it may be in either half."""
    if another := _BEFORE_ANOTHER.match(text, start):
        german += another["uhr"]
    clock = _CLOCK_IN_FIGURES.fullmatch(german)
    if not clock:
        return german
    hour = hour_of_uhr(text, start, int(clock[1]), clock[3] or "")
    minutes = clock[2] or "00"
    if hour is None and minutes == "00":
        return f"{german_hour(int(clock[1]))} Uhr"
    return f"{int(clock[1]) if hour is None else hour}:{minutes} Uhr"


def _is_part(before: str, english: str) -> bool:
    """Whether what is before an adverbial makes it part of something else: das letzte Jahr, Mai bis Juni."""
    if english in {"{0}", _AT} and _DETERMINER.search(before):
        return True
    return _ENDS_ARTICLE.search(before) is not None or (english == _UNTIL and _ENDS_TIME.search(before) is not None)


def _in_english(german: str) -> str:
    if known := _WORDS.get(german) or _WORDS.get(german.lower()):
        return known
    if clock := _CLOCK_IN_FIGURES.fullmatch(german):
        is_late, hour = divmod(int(clock[1]), HALF_A_DAY)
        return f"{hour or HALF_A_DAY}:{clock[2] or '00'} {'p' if is_late == 1 else 'a'}.m."
    if date := _DATE_IN_FIGURES.fullmatch(german):
        day, month, year = date.groups()
        return f"{WHOLE_MONTHS['en'][int(month) - 1]} {int(day)}{f', {year}' if year else ''}"
    for pattern, english in _POINTS:
        if match := pattern.fullmatch(german):
            return english.format(*map(_in_english, match.groups()))
    return german
