"""What begins at a price, a time or a date: *from €12* is *ab 12 €*, for which the network writes *von*."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from service.pipeline.edits import Edit, with_capital
from service.pipeline.numbers.calendar import DAY_OF_MONTH, HOUR, MINUTES, ORDINAL_ENDING, WHOLE_DAY, WHOLE_MONTH
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["check_lower_bounds"]

_PRICE = r"(?:[$€£¤] ?\d[\d.,]*|\d[\d.,]* ?(?:€|\$|£|¤|[Ee]uros?|[Dd]ollars?|[Pp]ounds?|Pfund)(?!\w))"
_CLOCK = rf"{HOUR}(?:{MINUTES})?"
_HALF = r"(?: ?[ap]\.?m\b\.?)"
_TO = r"(?! ?(?:to|until|till|through|[-–/]) ?\S)"
_PRICE_IN_ENGLISH = re.compile(rf"\bfrom (?:only |just |as little as |about )?{_PRICE}{_TO}", re.IGNORECASE)
_TIME_IN_ENGLISH = re.compile(rf"\bfrom (?:about )?{_CLOCK}(?:{_HALF}|(?= ?[.,;!?)]|$)){_TO}", re.IGNORECASE)
_CHANGES = re.compile(
    r"\b(?:away|chang\w+|cut|decreas\w+|discount\w+|down|drop\w*|f[ae]ll\w*|go(?:es)?|grew|increas\w+|lower\w+|rais\w+"
    rf"|reduc\w+|r[io]se\w*|up|went)\b.*\bfrom {_PRICE}|\bto {_PRICE}",
    re.IGNORECASE,
)
"""What changes from one price to another."""
_NAMES = re.compile(r"\b(?:bus|flight|meeting|news|recording|train)(?:es|s)? from\b", re.IGNORECASE)
"""What is named by its time: the train from 3 pm."""
_DAY = rf"{DAY_OF_MONTH}{ORDINAL_ENDING}?"
_DATE = rf"(?:(?:the )?{_DAY} (?:of )?{WHOLE_MONTH['en']}|{WHOLE_MONTH['en']}(?: {_DAY})?|{WHOLE_DAY['en']})"
_DATE_IN_ENGLISH = re.compile(
    r"\b(?:appl(?:y|ies)|available|begins?|bookable|closed|effective|open|possible|starts?|vacant|valid)(?: again)?"
    rf" from {_DATE}\b(?! ?\d)(?!,? (?:\d{{4}} )?(?:to|until|till|through)\b| ?[-–/])",
    re.IGNORECASE,
)
_FROM_DATE = re.compile(
    rf"\b(?:[Vv]om (?=\d{{1,2}}\. {WHOLE_MONTH['de']})|[Vv]o[mn] (?={WHOLE_DAY['de']}|{WHOLE_MONTH['de']}))"
    r"(?!.{0,40} (?:an|bis)\b)"
)
_FROM_PRICE = re.compile(r"\b[Vv]on (?=(?:nur )?[$€£¤]? ?\d(?![\d.,]* (?:[€$£¤] |\w+ )?(?:an|auf|bis|Uhr)\b))")
"""The sign may have been lost, and be put back."""
_FROM_TIME = re.compile(rf"\b[Vv]on (?={_CLOCK} (?:Uhr|[AaPp]\.?[Mm]\b)(?! (?:an|bis)\b))")


def check_lower_bounds(source: str, german: str) -> Iterator[Edit]:
    """*Ab* for each *von* that an English sentence does not mean."""
    if "rom " not in source:
        return
    for meant, excuse, written in (
        (_PRICE_IN_ENGLISH, _CHANGES, _FROM_PRICE),
        (_TIME_IN_ENGLISH, _NAMES, _FROM_TIME),
        (_DATE_IN_ENGLISH, _NAMES, _FROM_DATE),
    ):
        if meant.search(source) and not excuse.search(source):
            for found in written.finditer(german):
                ab = "ab dem" if found[0].endswith("m ") and german[found.end()].isdigit() else "ab"
                yield Edit(Span(found.start(), found.end() - 1), with_capital(ab) if found[0][0].isupper() else ab)
