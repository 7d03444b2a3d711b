"""The numbers of a text and what each comes to, as its language writes them.

1,250.5 is 1.250,5 in German; 3/10/2024 has the parts of 10.3.2024; 2 million is 2000000.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from service.pipeline.lists import as_listed
from service.pipeline.numbers.amounts import is_amount, is_name, is_price
from service.pipeline.numbers.calendar import HOUR
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
    ours: Sequence[Number]
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


@lru_cache(maxsize=64)  # all candidates for a sentence are compared with it
def read_source(text: str, language: str) -> tuple[Number, ...]:
    """All of a sentence, in order; in German, too, £12.50 is twelve and a half."""
    numbers = read_numbers(text, language)
    if language != "de":
        return tuple(numbers)
    return tuple(
        one._replace(parts=(value := _parts(one.text, "en")), meant=value, fixed=True)
        if _CENTS.fullmatch(one.text) and not one.noughts and is_price(text, one.span)
        else one
        for one in numbers
    )


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
    return (_read_one(text, span, language, amount=amounts) for span in spans)


def _read_one(text: str, span: Span, language: str, *, amount: bool) -> Number:
    """The number there, which is an `amount` if it is said to be one, or a million and the like is beside it."""
    number = text[span.start : span.end]
    parts = _parts(number, language) if not _is_in_identifier(text, span) else _each(number)
    may_be_hour = parts[1:] == ("0",) and (not amount or ":" in number) and bool(_HOUR.fullmatch(parts[0]))
    meant, noughts = parts[:1] if may_be_hour else parts, 0
    if time := time_of_day(text, span, language):
        meant = time.meant
        parts = time.written if time.strict else parts
    elif scale := _SCALE[language].match(text, span.end):
        noughts = _SCALES[language][as_listed(scale[1])]
        meant = _written_out(parts[0], noughts) if len(parts) == 1 else parts
    amount = amount or noughts > 0
    return Number(
        span,
        number,
        parts,
        meant,
        time=time,
        noughts=noughts,
        clock=time is not None or is_time(text, span),
        amount=amount,
        fixed=not noughts and _is_fixed(text, span, language, amount=amount),
    )


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
