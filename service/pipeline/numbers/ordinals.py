"""Ordinal numbers that are written in words: twentieth, fünfundzwanzigste.

The network takes many for others, *neunzehnten Jahrhundert* for *ninth century*. They are read in figures (decision
0036), and stay so: the 19th century.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from service.pipeline.lists import as_listed
from service.pipeline.numbers.calendar import ANY_MONTH
from service.pipeline.numbers.cardinals import TENS, Cardinal, german_value, is_name
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["ORDINAL_UNITS", "find_ordinals"]

ORDINAL_UNITS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
"""Of one to nine."""
_TEEN_STEMS = ("thir", "four", "fif", "six", "seven", "eigh", "nine")
_TEENS = ("tenth", "eleventh", "twelfth", *(f"{stem}teenth" for stem in _TEEN_STEMS))
_TENS = {ten: value for value, ten in zip(range(20, 100, 10), TENS["en"], strict=True)}
_ROUND = {f"{ten[:-1]}ieth": value for ten, value in _TENS.items()}
_VALUES = dict(zip((*ORDINAL_UNITS, *_TEENS), range(1, 20), strict=True)) | _TENS | _ROUND
_ENGLISH = re.compile(
    r"(?<![\w.,'-])(?<!(?:hundre|housan)d\s)(?<!hundred\sand\s)"
    rf"(?:({'|'.join(_TENS)})(?:-|\s(?!second))({'|'.join(ORDINAL_UNITS)})|({'|'.join((*_TEENS, *_ROUND))}))"
    rf"(?![\w'’-]|\sof\b(?!\s{ANY_MONTH['en']}))",
    re.IGNORECASE,
)
"""Not a twentieth of something, nor a twenty second film."""
_MOST = 100
_ENDINGS = {1: "st", 2: "nd", 3: "rd"}

_GERMAN = re.compile(
    r"(?<![\w.,'-])([^\W\d_]{0,40}?(?i:zehn|elf|zwölf))te[mnrs]?(?=PLACE)"
    r"|(?<![\w.,'-])([^\W\d_]{0,40}?(?i:[zß]ig|ssig))ste[mnrs]?(?=PLACE)".replace(
        "PLACE", r"\s(?:[a-zäöüß]{2,30}e[mnrs]?\s)?[A-ZÄÖÜ]"
    )
)
"""Before a noun: der zwölfte lange Tag, but not er wurde zwölfter."""
_PATTERNS = {"en": _ENGLISH, "de": _GERMAN}
_PROMISING = {
    "en": re.compile(r"enth|lfth|ieth|ty[-\s][efnst]", re.IGNORECASE),
    "de": re.compile("zehnte|lfte|igste", re.IGNORECASE),
}
"""Every text in which something can be found matches."""


def find_ordinals(text: str, language: str) -> Iterator[Cardinal]:
    """Those that are read in figures: from 10 to 99. A part of a name is none."""
    if not _PROMISING[language].search(text):
        return
    for found in _PATTERNS[language].finditer(text):
        words = [as_listed(word) for word in found.groups() if word]
        value = sum(_VALUES[word] for word in words) if language == "en" else german_value(words[0])
        if 0 < value < _MOST and not is_name(text, found.start()):
            yield Cardinal(Span(*found.span()), f"{value}{_english_ending(value) if language == 'en' else '.'}")


def _english_ending(value: int) -> str:
    return "th" if value // 10 % 10 == 1 else _ENDINGS.get(value % 10, "th")
