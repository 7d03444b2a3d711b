"""Inches: a 27" monitor is a 27-Zoll-Monitor.

The network takes the sign for a quotation mark, and loses letters of Zoll.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from service.pipeline.finders.match import Match
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from model.bundle import Direction

__all__ = ["find_inches"]

_INCHES = re.compile(
    r"(?<![\w.,/:'’′\"“„-])(?<![\"″]\s[x×]\s)(?P<number>\d{1,3}(?:\.\d{1,2})?)"
    r"(?:(?P<sign>[\"″])(?!\w|\s?[x×]\s?\d)|[- ]inch(?=\s[A-Za-z])(?!\s(?:by|x)\b))"
)
"""27", 15.6-inch, but not the last of 6'2" or of 9" x 13"."""
_QUOTATION_MARK = re.compile(r"(?P<after_number>(?<=\d))?[\"“”]")
_MOST = 40
"""Inches of a text of which it is asked whether they are: more are in no sentence."""
_NOUN = re.compile(
    r"\s(?!(?:and|as|at|but|by|deep|for|from|high|in|is|long|of|off|on|or|tall|than|thick|to|was|wide|with)\b)[A-Za-z]"
)
"""What follows 27" that is of that size."""


def find_inches(text: str, direction: Direction) -> Iterator[Match]:
    """Those of an English text, each in German, but for signs that may be quotation marks."""
    if direction.source != "en" or not ('"' in text or "″" in text or "inch" in text):
        return
    for found in islice(_INCHES.finditer(text), _MOST):
        if found["sign"] == '"' and _is_open(text, found.start("sign")):
            continue
        joint = "-" if _NOUN.match(text, found.end()) else " "
        yield Match(Span(*found.span()), f"{found['number'].replace('.', ',')}{joint}Zoll")


def _is_open(text: str, end: int) -> bool:
    """Whether a quotation has begun, and does not end before there; after a number a mark begins none."""
    is_open = False
    for mark in _QUOTATION_MARK.finditer(text, 0, end):
        is_open = not is_open and mark["after_number"] is None
    return is_open
