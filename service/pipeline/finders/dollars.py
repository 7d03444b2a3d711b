"""Signs of currencies that the vocabulary lacks are read as dollars, and dollars are written as what they were.

Only if all prices of a text are in one currency: nobody could tell afterwards which dollars are which.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from service.pipeline.edits import Edit
from service.pipeline.numbers.amounts import CURRENCY_SIGNS
from service.pipeline.numbers.scales import SCALES
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

__all__ = ["DOLLAR", "READ_AS_DOLLARS", "find_prices", "only_currency", "without_dollars"]

DOLLAR = "$"
READ_AS_DOLLARS = {"€": {"en": "euro", "de": "Euro"}, "£": {"en": "pound", "de": "Pfund"}}
"""Signs, and what each is called where the network writes the word: with an s if English does."""

_DOLLARS = re.compile(r"(?:\bUS[- ]?)?(?:\$|(?i:\bdollar(s?)\b))")
"""$, US-$, US dollars."""
_PRICE = re.compile(
    rf"([{CURRENCY_SIGNS}])(?=\s?[-−–]?\d)"
    rf"|(?:\d(?:,[-–—]{{1,2}})?|(?<=[\d\s])(?:Tsd|Mio|Mrd|{SCALES['de']}|{SCALES['en']}|bn|[mk])\b\.?)\s?([{CURRENCY_SIGNS}])(?!\w)"
)
"""€5, € -5, 5 €, 5,- €, 5 Mio. €."""


def find_prices(text: str, signs: AbstractSet[str]) -> list[Span]:
    """Where one of some signs stands beside a number."""
    if signs.isdisjoint(text):
        return []
    found = (Span(*one.span(one.lastindex or 0)) for one in _PRICE.finditer(text))
    return [span for span in found if text[span.start : span.end] in signs]


def only_currency(text: str, prices: Sequence[Span]) -> str:
    """The sign of all prices of a text, if no other is in it, nor dollars."""
    signs = {text[span.start : span.end] for span in prices}
    return signs.pop() if len(signs) == 1 and not _DOLLARS.search(text) else ""


def without_dollars(text: str, sign: str, language: str) -> list[Edit]:
    """What to write for the dollars of a text, signs and words, to have another currency."""
    name = READ_AS_DOLLARS[sign][language]
    return [
        Edit(Span(*one.span()), sign if one[0].endswith(DOLLAR) else name + (one[1] if language == "en" else ""))
        for one in _DOLLARS.finditer(text)
    ]
