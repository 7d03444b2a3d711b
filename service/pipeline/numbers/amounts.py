"""What stands beside a number: a currency sign, a percent sign or a unit makes an amount of it, "Section" a name.

An amount is always written as its language writes numbers. 3.5 alone may be a version or a section.
"""

from __future__ import annotations

import re
import unicodedata

from service.types import Span

__all__ = ["ANY_CURRENCY", "CURRENCY_SIGNS", "SHARED", "is_amount", "is_name", "is_price", "sign_of"]

CURRENCY_SIGNS = "$\u00a2\u00a3\u00a5\u20a0-\u20cf"
"""For a set in a pattern, without the next."""
ANY_CURRENCY = "¤"
"""Stands for a sign that is kept."""
SHARED = re.compile(r"\s?(?:[-–/,]|[-–,]?\s?\b(?:to|and|or|bis|und|oder|auf|sowie)\b)\s?")
"""Between two numbers of which the last may have the sign, or the word, of both."""

_SIGN = rf"[{CURRENCY_SIGNS}{ANY_CURRENCY}]"
_DEGREES = "°‰"
_UNIT_SIGNS = re.compile("[kcdm]?m[²³]|° ?[CF]")
"""Of areas, volumes and temperatures: kept, since the vocabulary lacks one of their signs."""
_SECTION = "§"

_CODES = "T?EUR|USD|GBP|CHF|DM|JPY|CNY|PLN|CZK|HUF|SEK|NOK|DKK|RUB|INR"
_MONEY = r"dollars?|(?:US[- ])?Dollars?|euros?|Euros?|Pfund|Cent"
_UNITS = (
    r"[kcm]?m|(?<=\s)m?s|[km]?g|[mcd]?l|km/h|mph|[kMGT]i?B|[kMG]bit/s|[kMG]?Hz|[kM]?Wh?|kcal|px|pt|"
    rf"[km]?V|mA|A(?!\s[a-z])|k?Nm|[mµ]mol(?:/l)?|{_CODES}|"
    rf"{_MONEY}|per ?cent|Prozent|pounds?|cents?|inch(?:es)?|feet|miles?|kilomet(?:er|re)s?|met(?:er|re)s?|"
    "gal|oz|lbs?|ft|hp|rpm|dB|[hkM]?Pa|lit(?:er|re)s?|gallons?|ounces?|tonnes?|fold|times|points?|Liter|"
    "hours?|minutes?|seconds?|days?|weeks?|months?|years?|degrees?|"
    "Stunden?|Minuten?|Sekunden?|Tage[ns]?|Wochen?|Monate[ns]?|Jahre?[ns]?"
)
_COUNTED = "people|persons?|Personen|Menschen|Leuten?"
"""Only whole numbers are of them. In "with Python 3.5 people can" it is none."""

_END = r"(?![^\W_]|-\d)"
"""After a unit. In 1.8g-5, a version, there is none."""
_SIGN_BEFORE = rf"(?<!\d)(?:{_SIGN}|(?<!\d\s){_SIGN}\s{{1,4}})[-+−–]?$"
"""The second of "$5 $6" is of 6, that of "5 $ 6" of 5."""
_SIGN_AFTER = rf"\s{{0,2}}{_SIGN}(?!\d)"
_MONEY_BEFORE = rf"{_SIGN_BEFORE}|\b(?:{_CODES})\s?$"
_MORE_OR_LESS = "±≤≥≈"
_EQUALS = (
    rf"(?<![\w.])(?:[^\W\d_]|[A-Z]{{2,3}})(?:_\w{{1,3}})?\s{{0,2}}[=<>{_MORE_OR_LESS}]\s{{0,4}}[-−]?$"
    r"|\b(?:pH|SD|SEM|CI|BMI)\s$"
    rf"|[{_MORE_OR_LESS}]\s{{0,4}}$"
)
"""P >, of a variable of few letters, as in p > 0.05 and SE = 1.1; pH."""
_BEFORE = re.compile(rf"{_MONEY_BEFORE}|{_EQUALS}")
"""€, € -, EUR: what an amount follows."""
_AFTER = re.compile(rf"{_SIGN_AFTER}|\s{{0,4}}±|\s{{0,2}}(?:[%{_DEGREES}]|(?:(?<=\d)[-/])?(?:{_UNITS}){_END})")
"""€, %, °, km, -inch: what follows one."""
_BEFORE_MONEY = re.compile(_MONEY_BEFORE)
_MONEY_AFTER = re.compile(rf"{_SIGN_AFTER}|\s?(?:{_CODES}|{_MONEY}){_END}")
"""€, EUR, dollars."""
_COUNTED_AFTER = re.compile(rf"\s{{1,2}}(?:{_COUNTED}){_END}")
"""People, Personen."""
_VERSION = re.compile(r"\b(?:version|release)\s$", re.IGNORECASE)
_NO_AMOUNT = "802.11"
"""802.11g is a wireless network."""

_LETTER_BEFORE = re.compile(r"[^\W\dØø]$")
"""S of ttyS0,9600."""
_MORE = re.compile(r"(?:x\d{1,9}+(?:[.,]\d{1,9}+)?){1,4}+")
"""x4,5 or x3x2 of 3,5x4,5."""
_BRACKETED = re.compile(r"\[\d++[.,]\d++\]|\((?!\d{1,3},\d{3}\))\d++,\d++\)")
"""An index, coordinates. What has thousands within round brackets is how many there are."""
_POINT = re.compile(r"\d++\.\d++")
"""3.5."""
_NAMED = re.compile(
    r"(?:\b(?:Abschnitt(?:e[ns]?)?|Sections?|Artikeln?|Articles?|Kapiteln?|Chapters?|Abbildung|Figure|Tabelle|Table|"
    rf"Version|Release|Nummer|Number|Raum|Room|Zimmer|(?:Art|Abb|Fig|Nr|No)\.)\s?|{_SECTION}\s{{0,4}})$"
)
"""Section, Nr., §: what a number of a section follows."""
_HEADING = re.compile(r"\.(?!\S)")
"""What follows the number of a heading: 3.101. Basics."""
_CAPITALS = re.compile(r"\b[A-ZÄÖÜ]{2,}\s$")
"""IIS before 6.0."""
_CAPITALISED = re.compile(r"\s[A-ZÄÖÜ]")
"""Mitarbeiter after 3.500."""
_LONGEST_BEFORE = 16


def is_amount(text: str, span: Span) -> bool:
    """Whether a number of a text is one."""
    number, before = text[span.start : span.end], _before(text, span)
    if _AFTER.match(text, span.end) or _BEFORE.search(before):
        return number != _NO_AMOUNT and not _VERSION.search(before)
    return "." not in number and bool(_COUNTED_AFTER.match(text, span.end))


def is_price(text: str, span: Span) -> bool:
    """Whether a number of a text has a currency beside it."""
    return bool(_MONEY_AFTER.match(text, span.end) or _BEFORE_MONEY.search(_before(text, span)))


def is_name(text: str, span: Span) -> bool:
    """Whether a number of a text, no amount, names something and is written alike in both languages.

    That is an index, a part of a name, as in ttyS0,9600, and after "Section", or capitals, what has a point: IIS 6,0 is
    of a German decimal comma, and "BASF 3.500 Mitarbeiter" are thousands.
    """
    if span.start and _BRACKETED.match(text, span.start - 1):
        return True
    before = _before(text, span)
    more = _MORE.match(text, span.end)
    if more or _LETTER_BEFORE.search(before):
        return not (more and is_amount(text, Span(span.start, more.end())))  # 3,5x4,5 cm
    if not _POINT.fullmatch(text, span.start, span.end):
        return False
    if _HEADING.match(text, span.end) and span.start < _LONGEST_BEFORE and not before.strip():
        return True  # "3.101. Grundlagen"
    return bool(_NAMED.search(before) or (_CAPITALS.search(before) and not _CAPITALISED.match(text, span.end)))


def sign_of(kept: str) -> str:
    """What of something kept must be seen beside a number: ¤, a degree sign for any unit, §, ±, or nothing."""
    if kept and not kept.strip(_SECTION):
        return _SECTION
    if _UNIT_SIGNS.fullmatch(kept):
        return _DEGREES[0]
    if len(kept) != 1:
        return ""
    return ANY_CURRENCY if unicodedata.category(kept) == "Sc" else kept if kept in _DEGREES + _MORE_OR_LESS else ""


def _before(text: str, span: Span) -> str:
    return text[max(0, span.start - _LONGEST_BEFORE) : span.start]
