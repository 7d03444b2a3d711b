"""Ordinal numbers: days of months are read in figures, on the 20th of May, and times in words, for the twentieth time.

In words they are read as *third* (`lists/substitutes/ordinals.tsv`); for *the 20th time* the network has *die 20. Zeit*
(decision 0036).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from service.pipeline.edits import Edit
from service.pipeline.lists import as_listed
from service.pipeline.numbers.calendar import WHOLE_MONTH
from service.pipeline.numbers.cardinals import in_words
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["all_ordinals", "ordinal_in_words", "read_ordinals"]

_ORDINALS = {
    "en": {"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth"},
    "de": {"ein": "erst", "drei": "dritt", "sieben": "siebt", "acht": "acht"},
}
"""Those that are not made of the number like all others."""
_LEAST_IN_ST = 20
_ENDINGS = {"en": ("",), "de": ("e", "em", "en", "er", "es")}


def ordinal_in_words(number: int, language: str) -> str:
    """One of 1 to 999: twenty-first; of a German one what its endings are put to: einundzwanzigst."""
    words = in_words(number, language)
    if language == "de":
        return _ORDINALS["de"].get(words) or f"{words}{'t' if number < _LEAST_IN_ST else 'st'}"
    *before, last = re.split("([- ])", words)
    made = _ORDINALS["en"].get(last) or f"{re.sub('ve$', 'f', re.sub('y$', 'ie', last))}th"
    return "".join((*before, made))


def all_ordinals(most: int, language: str) -> dict[str, int]:
    """Those from the first to that of `most`, in words with all their endings, and which each is."""
    numbers = range(1, most + 1)
    return {ordinal_in_words(one, language) + ending: one for one in numbers for ending in _ENDINGS[language]}


_DAYS = {language: all_ordinals(31, language) for language in ("en", "de")}
_DAY = {
    language: rf"(?<![\w.,'-])(?P<day>(?i:{'|'.join(sorted(days, key=len, reverse=True))}))"
    for language, days in _DAYS.items()
}
_FIGURES = {"en": {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd", 31: "st"}, "de": {}}
_OTHERS = {"en": "th", "de": "."}
"""What follows a day in figures, most of them."""
_MONTH = {language: re.compile(rf"\b{month}\b") for language, month in WHOLE_MONTH.items()}
"""In every text in which something can be found."""
_PATTERNS = {
    "en": (
        re.compile(rf"{_DAY['en']}(?=\s(?:day\s)?(?:of\s)?{WHOLE_MONTH['en']}\b)"),
        re.compile(
            rf"(?P<before>\b(?i:by|from|on|since|until)\s)?\b{WHOLE_MONTH['en']}\s(?P<the>the\s)?{_DAY['en']}(?![\w'’-])"
        ),
    ),
    "de": (re.compile(rf"{_DAY['de']}(?=\s{WHOLE_MONTH['de']}\b)"),),
}
"""The twentieth of May, May the twentieth, on May twentieth, but not "March first"; am zwanzigsten Mai."""
_TIMES = {
    "en": re.compile(r"(?<![\w.,'-])(?P<ordinal>(?P<number>[1-9]\d?)(?:st|nd|rd|th))(?=\s(?:consecutive\s)?time\b)"),
    "de": re.compile(r"\b(?:(?P<das>[Dd]as)|[Zz]um)\s(?P<ordinal>(?P<number>[1-9]\d?)\.)(?=\sMal\b)"),
}
"""The 20th time, zum 20. Mal."""


def read_ordinals(text: str, language: str) -> Iterator[Edit]:
    """What to read for days of months in words and for times in figures, in no order."""
    if _MONTH[language].search(text):
        yield from _days(text, language)
    for found in _TIMES[language].finditer(text):
        ending = "" if language == "en" else "e" if found["das"] else "en"
        yield Edit(Span(*found.span("ordinal")), ordinal_in_words(int(found["number"]), language) + ending)


def _days(text: str, language: str) -> Iterator[Edit]:
    days: dict[Span, str] = {}
    for pattern in _PATTERNS[language]:
        for found in pattern.finditer(text):
            if pattern.groups == 1 or found["before"] or found["the"]:
                days[Span(*found.span("day"))] = as_listed(found["day"])
    for span, written in days.items():
        day = _DAYS[language][written]
        yield Edit(span, f"{day}{_FIGURES[language].get(day, _OTHERS[language])}")
