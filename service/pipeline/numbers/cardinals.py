"""Numbers that are written in words: twenty-three, zweihundertfünfzig.

Those from 13 on, which the network mostly garbles, are read in figures (decision 0036). What it knows well is left out:
smaller numbers, English tens, German hundreds and thousands.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from service.pipeline.edits import blank
from service.pipeline.lists import as_listed
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["TENS", "UNITS", "Cardinal", "find_cardinals", "german_value", "in_words"]

UNITS = {
    "en": ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
    "de": ("ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun"),
}
_TEENS = {
    "en": (
        *("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen"),
        *("sixteen", "seventeen", "eighteen", "nineteen"),
    ),
    "de": ("zehn", "elf", "zwölf", "dreizehn", "vierzehn", "fünfzehn", "sechzehn", "siebzehn", "achtzehn", "neunzehn"),
}
TENS = {
    "en": ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"),
    "de": ("zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"),
}
_VALUES = {
    language: {word: n for n, word in enumerate((*units, *_TEENS[language]), 1)}
    | {word: n * 10 for n, word in enumerate(TENS[language], 2)}
    for language, units in UNITS.items()
}
_NAMES = {language: {value: word for word, value in its.items()} for language, its in _VALUES.items()}
_VALUES["de"]["dreissig"] = 30
_TENS_OF_GERMAN = range(20, 100, 10)
_HUNDRED, _THOUSAND = 100, 1000
_LEAST = 13
"""The network knows smaller ones, as both languages mostly write these in words."""
_LONGEST = 5
"""Digits; from this on thousands are set apart: 1200, but 10.000."""


def _one_of(*words: str) -> str:
    return f"(?:{'|'.join(words)})"


# English

_UNIT, _TEEN, _TEN = (_one_of(*words["en"]) for words in (UNITS, _TEENS, TENS))
_BELOW_100 = rf"(?:{_TEN}(?:-{_UNIT}\b|\s{_UNIT}\b(?!-))?|{_TEEN}|{_UNIT})\b"
_BELOW_1000 = rf"(?:(?:{_TEEN}|{_UNIT}|a)\shundred\b(?:(?:\sand)?\s{_BELOW_100})?|{_BELOW_100})"
_YEAR = rf"(?:(?:seven|eigh|nine)teen|twenty)\s(?:{_TEN}(?:-{_UNIT})?|{_TEEN})\b"
_HOUR = rf"(?:{_UNIT}|ten|eleven|twelve|noon|midnight)\b"
_ENGLISH = re.compile(
    r"(?<![\w.,'-])(?<!\d\s)"
    rf"(?:(?P<year>{_YEAR})"
    rf"|(?P<thousands>{_BELOW_1000}|a)\sthousand\b(?:,?(?:\sand)?\s(?P<rest>{_BELOW_1000}))?|(?P<whole>{_BELOW_1000}))"
    rf"(?!\s(?:past|to|minutes\s(?:past|to))\s{_HOUR}|-?(?:odd|some|something|fold|ish)\b|['’]|\s(?:hundreds?|thousands?|\w+ties)\b)"
    rf"(?!-(?:{_TEN}|{_TEEN}|{_UNIT})|-\w+th\b|-(?:first|second|third)\b)",
    re.IGNORECASE,
)
_KNOWN = frozenset({*TENS["en"], "a hundred", "one hundred", "a thousand", "one thousand"} - {"seventy"})
"""To the network, which takes seventy for seven, and fünfhundert for five."""
_RANGE_BEFORE = re.compile(rf"\b(?:{_UNIT}|{_TEEN}|{_TEN}|\d+)\s(?:or|to|and|by)\s$", re.IGNORECASE)
"""Two or of two or three hundred, where the two are hundreds as well."""
_LONGEST_BEFORE = 20
_MEASURE = "(?:minute|hour|day|week|month|year|decade|mile|metre|meter)"
_AND_A_HALF = re.compile(
    rf"(?<![\w.,'-])(?:(?P<number>{_BELOW_100})\sand\sa\shalf(?=\s(?!of\b|dozen\b)[a-z])"
    rf"|(?P<whole>{_BELOW_100}|an?)(?P<unit>\s{_MEASURE})s?\sand\sa\shalf\b)",
    re.IGNORECASE,
)
"""Two and a half years, an hour and a half."""

# German

_GERMAN = re.compile(
    r"(?<![\w.,'-])(?P<number>[^\W\d_]{0,40}?(?i:zehn|[zß]ig|ssig|hundert|tausend)[^\W\d_]{0,40}?)"
    r"(?P<more>(?:jährig|prozentig|köpfig|stündig|tägig|minütig)[a-z]{0,2}|mal|fach(?:e[mnrs]?)?)?(?![\w'’]|-\w)"
)
_KNOWN_IN_GERMAN = frozenset(
    f"{number}{round_}" for number in ("", *UNITS["de"]) for round_ in ("hundert", "tausend")
) - {"fünfhundert", "hundert"}
_SOME = re.compile(r"\b(?:paar|einige|mehrere|viele)\s$", re.IGNORECASE)
"""Some hundred."""
_MINUTES = re.compile(
    rf"(?<![\w-])(?P<hour>{_one_of(*UNITS['de'], 'zehn', 'elf', 'zwölf')})\sUhr\s(?P<minutes>[a-zäöüß]{{4,}})\b"
)
"""Sechs Uhr dreißig."""
_ONE_AND_A_HALF = re.compile(r"(?<![\w-])(?:anderthalb(?:e[nrs]?)?|ein(?:und)?einhalb)(?![\w-])", re.IGNORECASE)
_HOUR_MINUTES = 60
_BEFORE_HOUR = re.compile(rf"\s(?:vor|nach)\s{_one_of(*UNITS['de'], 'eins', 'zehn', 'elf', 'zwölf')}\b")
_WITHIN_SENTENCE = re.compile(r"\S\s$")
_PROMISING = {
    "en": re.compile("teen|ty|hundred|thousand|half", re.IGNORECASE),
    "de": re.compile("zehn|[zß]ig|ssig|hundert|tausend|Uhr |[tn]halb", re.IGNORECASE),
}
"""Every text in which something can be found matches."""


class Cardinal(NamedTuple):
    """Where a number stands in words, and what is read instead: 23, 6:30 Uhr, 30-jährig."""

    span: Span
    figures: str


def find_cardinals(text: str, language: str) -> Iterator[Cardinal]:
    """Those that are read in figures, in no order. A part of a name is none."""
    if _PROMISING[language].search(text):
        yield from _english(text) if language == "en" else _german(text)


def in_words(number: int, language: str) -> str:
    """A number of 1 to 999, or so many thousand, as it is written before a noun: one hundred and one, zweitausend."""
    if number and number % _THOUSAND == 0:
        return in_words(number // _THOUSAND, language) + (" thousand" if language == "en" else "tausend")
    hundreds, rest = divmod(number, _HUNDRED)
    names = _NAMES[language]
    if language == "en":
        ten, unit = divmod(rest, 10)
        last = names.get(rest) or f"{names[ten * 10]}-{names[unit]}" if rest else ""
        return " and ".join(part for part in (f"{names[hundreds]} hundred" if hundreds else "", last) if part)
    ten, unit = divmod(rest, 10)
    last = names.get(rest) or f"{names[unit]}und{names[ten * 10]}" if rest else ""
    return ("" if not hundreds else "hundert" if hundreds == 1 else f"{names[hundreds]}hundert") + last


def _english(text: str) -> Iterator[Cardinal]:
    halves = [Cardinal(Span(*found.span()), _with_half(found)) for found in _AND_A_HALF.finditer(text)]
    yield from halves
    for found in _ENGLISH.finditer(blank(text, [one.span for one in halves]) if halves else text):
        written, value = as_listed(found[0]), _english_value(found)
        may_be_range = "hundred" in written or "thousand" in written
        before = max(0, found.start() - _LONGEST_BEFORE), found.start()
        is_known = written in _KNOWN and not text.startswith("-", found.end())  # thirty, but no thirty-year-old
        if value < _LEAST or is_known or (may_be_range and _RANGE_BEFORE.search(text, *before)):
            continue
        if not _is_name(text, found.start()):
            yield Cardinal(Span(*found.span()), _figures(value, ","))


def _with_half(found: re.Match[str]) -> str:
    """2.5, or 1.5 hours."""
    unit = f"{found['unit']}s" if found["unit"] else ""
    return f"{_sum(found['number'] or found['whole'])}.5{unit}"


def _english_value(found: re.Match[str]) -> int:
    if year := found["year"]:
        century, _, rest = as_listed(year).partition(" ")
        return _VALUES["en"][century] * _HUNDRED + _sum(rest)
    if thousands := found["thousands"]:
        return _sum(thousands) * _THOUSAND + _sum(found["rest"] or "")
    return _sum(found["whole"])


def _sum(words: str) -> int:
    """Of a number below 1000; of an article 1."""
    value = 0
    for word in re.findall("[a-z]+", as_listed(words)):
        value = value * _HUNDRED if word == "hundred" else value + _VALUES["en"].get(word, word in ("a", "an"))
    return value


def _german(text: str) -> Iterator[Cardinal]:
    done = 0
    for found in _MINUTES.finditer(text):
        minutes = german_value(found["minutes"])
        if 0 < minutes < _HOUR_MINUTES:
            done = found.end()
            yield Cardinal(Span(*found.span()), f"{_VALUES['de'][found['hour']]}:{minutes:02} Uhr")
    for found in _ONE_AND_A_HALF.finditer(text):
        yield Cardinal(Span(*found.span()), "1,5")
    for found in _GERMAN.finditer(text):
        written, more, start = as_listed(found["number"]), found["more"] or "", found.start()
        if start < done or written in _KNOWN_IN_GERMAN or (value := german_value(written)) < _LEAST:
            continue
        if _is_name(text, start) or (not more and _BEFORE_HOUR.match(text, found.end())):
            continue
        if written == "hundert" and (more or _SOME.search(text, max(0, start - _LONGEST_BEFORE), start)):
            continue
        ending = " Mal" if more == "mal" else f"-{more}" if more else ""
        yield Cardinal(Span(*found.span()), _figures(value, ".") + ending)


def german_value(word: str) -> int:
    """Of a number below a million; 0 if the word is none."""
    before, thousand, after = word.rpartition("tausend")
    thousands = _below_thousand(before) if before else 1
    rest = _below_thousand(after.removeprefix("und")) if after else 0
    if (thousand and not thousands) or (after and not rest):
        return 0
    return (thousands * _THOUSAND if thousand else 0) + rest


def _below_thousand(word: str) -> int:
    before, hundred, after = word.rpartition("hundert")
    hundreds = _VALUES["de"].get(before, 0) if before else 1
    rest = _below_hundred(after.removeprefix("und")) if after else 0
    if (hundred and not hundreds) or (after and not rest) or hundreds >= _VALUES["de"]["zwanzig"]:
        return 0
    return (hundreds * _HUNDRED if hundred else 0) + rest


def _below_hundred(word: str) -> int:
    if word in _VALUES["de"]:
        return _VALUES["de"][word]
    unit, _, ten = word.partition("und")
    is_number = unit in UNITS["de"] and _VALUES["de"].get(ten, 0) in _TENS_OF_GERMAN
    return _VALUES["de"][unit] + _VALUES["de"][ten] if is_number else 0


def _is_name(text: str, start: int) -> bool:
    """Whether a word has a capital within a sentence."""
    return text[start].isupper() and _WITHIN_SENTENCE.search(text, max(0, start - 2), start) is not None


def _figures(value: int, mark: str) -> str:
    digits = str(value)
    return f"{digits[:-3]}{mark}{digits[-3:]}" if len(digits) >= _LONGEST else digits
