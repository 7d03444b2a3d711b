"""The numbers of a text and what each comes to, as its language writes them.

1,250.5 is 1.250,5 in German; 3/10/2024 has the parts of 10.3.2024; 2 million is 2000000; words may stand for numbers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from service.pipeline.lists import as_listed
from service.pipeline.numbers.amounts import is_amount, is_name, is_price
from service.pipeline.numbers.calendar import HOUR, MONTHS
from service.pipeline.numbers.times_of_day import is_time, time_of_day
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from model.bundle import Direction
    from service.pipeline.numbers.times_of_day import TimeOfDay
    from service.types import Link

__all__ = [
    "Both",
    "Number",
    "Words",
    "count_numbers",
    "has_digits",
    "in_24_hours",
    "localised",
    "read_numbers",
    "read_source",
    "runs_of_digits",
]

_DIGIT = re.compile(r"\d")
_DIGITS = re.compile(r"\d+")
_SPACE = re.compile(r"\s")
_HUNDREDS = re.compile(r"\d{3}(?!\d)")
_APART = "'’\u00a0\u202f"
"""Beside point and comma, what may stand between a thousand and its hundreds. A usual space may be between numbers."""

_NUMBER = re.compile(rf"\d++(?:(?:[.,:/]|[{_APART}](?=\d{{3}}(?!\d)))\d++)*+")
"""5, 1,250.5, 12.03.2024, 3:30, 1'000."""
_ONE_NUMBER = {
    "en": re.compile(rf"(?!0)\d{{1,3}}(?:[,{_APART}]\d{{3}})++(?:\.\d++)?|\d++\.\d++"),
    "de": re.compile(rf"(?!0)\d{{1,3}}(?:[.{_APART}]\d{{3}})++(?:,\d++)?|\d++,\d++"),
}
"""1,250.5 and 1.250,5. No thousands begin with a nought: 0.125 is no German number, and stays."""

_DECIMAL = re.compile(rf"\d{{1,3}}(?:[.,{_APART}]\d{{3}})++(?:[.,]\d++)?|\d++[.,]\d++")
"""One number of either language."""
_RATIO = re.compile(r"\d++[.,]\d++:\d++(?:[.,]\d++)?")
"""1.5:1. In 1:23.45, a time, it is the seconds that have a point."""

_HOUR = re.compile(HOUR)
_ROUND = re.compile(r"\d{1,3}(?:[.,]\d{3})++")
"""1,000, 12.345.678."""
_JOINED_BEFORE, _JOINED_AFTER = re.compile(r"(?<!\d)(\d[\d.,]{0,20}+)-$"), re.compile(r"-(\d[\d.,]{0,20}+)")
"""9- and -9 of 12.345.678-9."""
_LONGEST_BEFORE = 24
_NUMBER_SIGNS = {"#", "№"}
_UNCLEAR = re.compile(r"(?!0)\d{1,3}\.\d{3}")
"""A price in an English text that may have thousands, as others write them."""
_CENTS = re.compile(r"\d++\.\d\d")
"""12.50."""
_POINT = {"en": ".", "de": ","}
_SWAPPED = str.maketrans(".,", ",.")

_SCALES = {
    "en": {"hundred": 2, "thousand": 3, "k": 3, "million": 6, "billion": 9, "bn": 9, "trillion": 12},
    "de": {"tausend": 3, "tsd": 3, "mio": 6, "million": 6, "mrd": 9, "milliarde": 9, "billion": 12},
}
"""How many noughts what follows a number adds to it."""
_SCALE = {
    "en": re.compile(r"\s?(hundred|thousand|million|billion|trillion|bn\b|k\b)", re.IGNORECASE),
    "de": re.compile(r"\s(tausend|tsd|mio|million|mrd|milliarde|billion)", re.IGNORECASE),
}
"""After a number: million, Mio., k."""

# For each number the words that may stand for it. German ones are beginnings, since German writes them together with
# what follows: fünfjährig, zweiter.
_WORDS = {
    "en": (
        "0 zero no midnight|1 one a an once first|2 two twice second both|3 three third|4 four fourth|5 five fifth|"
        "6 six sixth|7 seven seventh|8 eight eighth|9 nine ninth|10 ten tenth|11 eleven eleventh|"
        "12 twelve twelfth dozen noon|13 thirteen thirteenth|14 fourteen fourteenth|15 fifteen fifteenth|"
        "16 sixteen sixteenth|17 seventeen seventeenth|18 eighteen eighteenth|19 nineteen nineteenth|"
        "20 twenty twentieth|24 midnight|30 thirty thirtieth|40 forty fortieth|50 fifty fiftieth|60 sixty sixtieth|"
        "70 seventy seventieth|80 eighty eightieth|90 ninety ninetieth|100 hundred hundredth|1000 thousand thousandth"
    ),
    "de": (
        "0 null kein mitternacht|1 ein erst|2 zwei zweit beide|3 drei dritt|4 vier|5 fünf|6 sechs|7 sieb|8 acht|9 neun|"
        "10 zehn|11 elf|12 zwölf dutzend mittags?\\b|13 dreizehn|14 vierzehn|15 fünfzehn|16 sechzehn|17 siebzehn|"
        "18 achtzehn|19 neunzehn|20 zwanzig|24 mitternacht|30 dreißig dreissig|40 vierzig|50 fünfzig|60 sechzig|"
        "70 siebzig|80 achtzig|90 neunzig|100 hundert|1000 tausend"
    ),
}
_AFTER_WORD = {"en": r"(?![^\W_])", "de": ""}


def _patterns(table: str, after: str) -> dict[str, re.Pattern[str]]:
    rows = (row.partition(" ") for row in table.split("|"))
    return {
        value: re.compile(rf"(?<![^\W_])(?:{words.replace(' ', '|')}){after}", re.IGNORECASE)
        for value, _, words in rows
    }


# 21 to 99, unless they are 30, 40 and so on: "twenty-first", "einundzwanzig".
_UNITS = {
    "en": "one|two|three|four|five|six|seven|eight|nine|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth",
    "de": "ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun",
}
_TENS = {
    "en": "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety",
    "de": "zwanzig|dreißig|vierzig|fünfzig|sechzig|siebzig|achtzig|neunzig",
}
_PLACES = {
    language: {
        word: place % 9 + first
        for first, words in ((1, _UNITS[language]), (2, _TENS[language]))
        for place, word in enumerate(words.split("|"))
    }
    for language in _UNITS
}
_COMPOUND = {
    "en": re.compile(rf"\b(?P<tens>{_TENS['en']})[-\s](?P<unit>{_UNITS['en']})\b", re.IGNORECASE),
    "de": re.compile(rf"\b(?P<unit>{_UNITS['de']})und(?P<tens>{_TENS['de']})", re.IGNORECASE),
}
"""Twenty-one, einundzwanzig."""

_WORD_PATTERNS = {language: _patterns(_WORDS[language], after) for language, after in _AFTER_WORD.items()}
_MONTH_PATTERNS = {
    language: {
        str(number): re.compile(rf"(?<![^\W_])(?:{'|'.join(names)})s?(?![^\W_])", re.IGNORECASE)
        for number, names in enumerate(months, 1)
    }
    for language, months in MONTHS.items()
}


@dataclass(frozen=True)
class Words:
    """What the words of a text in a language stand for. Each number is looked for once, when it is asked for."""

    text: str
    language: str
    _known: dict[str, bool] = field(default_factory=dict)

    def has(self, parts: Iterable[str], number: Number) -> bool:
        """Whether there are words for parts of a number; of a month only, if they are of a date."""
        may_be_date = len(number.parts) > 1 and not number.clock and not {".", ","}.issubset(number.text)
        return all(
            self.has_number(part)
            or (may_be_date and self.has_month(part))
            or (number.time is not None and part == number.meant[0] and self.has_number(number.parts[0]))
            for part in parts
        )

    def has_number(self, value: str) -> bool:
        """Whether there is a word for a number."""
        if value not in self._known:
            words = _WORD_PATTERNS[self.language].get(value)
            self._known[value] = bool(words and words.search(self.text)) or value in self._compounds
        return self._known[value]

    def has_month(self, value: str) -> bool:
        """Whether there is the name of the month that has this number in the year."""
        words = _MONTH_PATTERNS[self.language].get(value)
        return bool(words and words.search(self.text))

    @cached_property
    def _compounds(self) -> set[str]:
        places, found = _PLACES[self.language], _COMPOUND[self.language].finditer(self.text)
        return {str(places[as_listed(one["tens"])] * 10 + places[as_listed(one["unit"])]) for one in found}


class Number(NamedTuple):
    """A number of a text.

    Args:
        span: where it stands.
        text: how it is written.
        parts: its value or, of a date, a time or a version, their values, written without needless digits.
        meant: what that comes to with what stands beside it: "2 million", "4 pm", "half past 4".
        time: the time of day that it is, if what stands beside it says so.
        noughts: how many a million and the like adds to it.
        clock: whether it is written as a time of day, of whatever half.
        amount: whether a currency sign, a unit, a million or the like is beside it: no version, no section.
        fixed: whether it is written alike in both languages: the name of something, or of a value that is not clear.
    """

    span: Span
    text: str
    parts: tuple[str, ...]
    meant: tuple[str, ...]
    time: TimeOfDay | None = None
    noughts: int = 0
    clock: bool = False
    amount: bool = False
    fixed: bool = False

    @property
    def strict(self) -> bool:
        """Whether it is what is meant and nothing else."""
        return self.time is not None and self.time.strict

    @property
    def spoken(self) -> bool:
        """Whether it is a time that the other language may name by another hour."""
        return self.time is not None and self.time.spoken

    @property
    def face(self) -> tuple[str, ...]:
        """Its parts, of a time on the hour the hour alone."""
        return self.parts[:1] if self.parts[1:] == ("0",) else self.parts

    @property
    def value(self) -> tuple[str, ...]:
        """Its parts, a time's as they are meant."""
        return self.meant if self.time else self.parts


@dataclass(frozen=True, slots=True)
class Both:
    """A sentence, its translation, and the numbers of both: `ours` and `theirs`."""

    source: str
    target: str
    links: Sequence[Link]
    direction: Direction
    ours: list[Number]
    theirs: list[Number]


def has_digits(text: str) -> bool:
    """Whether there may be a number in it."""
    return bool(_DIGIT.search(text))


def count_numbers(text: str) -> int:
    """How many there are. Reading them takes longer."""
    return len(_NUMBER.findall(text))


def read_numbers(text: str, language: str) -> list[Number]:
    """All of a text, in order."""
    return [number for found in _NUMBER.finditer(text) for number in _read(text, _sides(found), language)]


def read_source(text: str, language: str) -> list[Number]:
    """All of a sentence, in order; in German, too, £12.50 is twelve and a half."""
    numbers = read_numbers(text, language)
    if language != "de":
        return numbers
    return [
        one._replace(parts=(value := _parts(one.text, "en")), meant=value, fixed=True)
        if _CENTS.fullmatch(one.text) and not one.noughts and is_price(text, one.span)
        else one
        for one in numbers
    ]


def _sides(found: re.Match[str]) -> list[Span]:
    """Each number of a ratio that has a decimal, as 7.9/10 and 1.5:1 have; a date or a time is one alone."""
    number, mark = found[0], "/" if "/" in found[0] else ":"
    sides = number.split(mark)
    if not any(map(_DECIMAL.fullmatch, sides)) or (mark == ":" and not _RATIO.fullmatch(number)):
        return [Span(*found.span())]
    starts = accumulate((len(side) + 1 for side in sides), initial=found.start())
    return [Span(start, start + len(side)) for start, side in zip(starts, sides, strict=False)]  # one start follows


def _read(text: str, spans: Sequence[Span], language: str) -> Iterator[Number]:
    """The numbers there; those of one ratio are amounts if one of them is."""
    is_ratio = len(spans) > 1 and text[spans[0].end] == ":"
    amounts = is_ratio or any(is_amount(text, span) for span in spans)
    for span in spans:
        number = text[span.start : span.end]
        parts = _parts(number, language) if not _is_in_identifier(text, span) else _each(number)
        clock, amount = is_time(text, span), amounts
        may_be_hour = parts[1:] == ("0",) and (not amount or ":" in number) and bool(_HOUR.fullmatch(parts[0]))
        meant, noughts = parts[:1] if may_be_hour else parts, 0
        if time := time_of_day(text, span, language):
            meant = time.meant
            parts = time.written if time.strict else parts
        elif scale := _SCALE[language].match(text, span.end):
            noughts = _SCALES[language][as_listed(scale[1])]
            meant = _written_out(parts[0], noughts) if len(parts) == 1 else parts
        amount = amount or noughts > 0
        fixed = _is_fixed(text, span, language, amount=amount) and not noughts
        yield Number(span, number, parts, meant, time, noughts, clock or bool(time), amount, fixed)


def runs_of_digits(numbers: Iterable[Number], text: str) -> list[str]:
    """The digits of each number, in any order; thousands with one space between them are one."""
    runs: list[str] = []
    end = None
    for number in numbers:
        digits = "".join(_DIGIT.findall(number.text))
        if end is not None and _SPACE.fullmatch(text, end, number.span.start) and _HUNDREDS.match(number.text):
            runs[-1] += digits
        else:
            runs.append(digits)
        end = number.span.end
    return sorted(runs)


def localised(number: Number) -> str:
    """The number as the other language writes it; dates and times as they are, but for hours of 24 from "4 pm"."""
    if number.strict:
        return in_24_hours(number)
    return number.text.translate(_SWAPPED) if len(number.parts) == 1 and not number.fixed else number.text


def in_24_hours(number: Number) -> str:
    """The number, if it is a time with the hour that is meant."""
    return _DIGITS.sub(number.meant[0], number.text, count=1) if number.time else number.text


def _parts(text: str, language: str) -> tuple[str, ...]:
    if not _ONE_NUMBER[language].fullmatch(text):
        return _each(text)
    whole, _, fraction = text.partition(_POINT[language])
    return (_canonical("".join(_DIGIT.findall(whole)), fraction),)


def _each(text: str) -> tuple[str, ...]:
    return tuple(_canonical(part, "") for part in _DIGITS.findall(text))


def _is_in_identifier(text: str, span: Span) -> bool:
    """Whether thousands are none: #1.234, or 12.345.678-9, where a hyphen joins them with what ends no range."""
    if not _ROUND.fullmatch(text, span.start, span.end):
        return False
    own = _size(text[span.start : span.end])
    before = _JOINED_BEFORE.search(text[max(0, span.start - _LONGEST_BEFORE) : span.start])
    after = _JOINED_AFTER.match(text, span.end)
    if before and (before[1].startswith("0") or _size(before[1]) >= own):
        return True
    return text[span.start - 1 : span.start] in _NUMBER_SIGNS or bool(after and _size(after[1]) <= own)


def _is_fixed(text: str, span: Span, language: str, *, amount: bool) -> bool:
    number = text[span.start : span.end]
    if not ("." in number or "," in number):
        return False
    if not amount:
        return is_name(text, span)
    return language == "en" and bool(_UNCLEAR.fullmatch(number)) and is_price(text, span)


def _size(digits: str) -> tuple[int, str]:
    """To be compared as whole numbers are."""
    plain = "".join(_DIGITS.findall(digits))
    return len(plain), plain


def _canonical(whole: str, fraction: str) -> str:
    """Without needless digits. Not as an int: of those Python reads only so many digits."""
    fraction = fraction.rstrip("0")
    return (whole.lstrip("0") or "0") + (f".{fraction}" if fraction else "")


def _written_out(number: str, noughts: int) -> tuple[str, ...]:
    """A number with its million."""
    whole, _, fraction = number.partition(".")
    return (_canonical(whole + fraction[:noughts].ljust(noughts, "0"), fraction[noughts:]),)
