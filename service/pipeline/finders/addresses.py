"""Streets with the number of a house before them, as English has it: 118 Queen's Road is no "Königin Straßen"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from service.pipeline.finders.match import Match
from service.pipeline.numbers.calendar import ANY_MONTH
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from model.bundle import Direction

__all__ = ["find_addresses"]

_NUMBER = r"(?!(?:19|20)\d\d\b)\d{1,4}[A-Za-z]?(?:[-–/]\d{1,4}[A-Za-z]?)?"
_STREET = (
    "(?:Avenue|Boulevard|Crescent|Drive|Gardens|Lane|Road|Row|Square|Street|Terrace"
    r"|(?:Ave|Blvd|Rd|St)\b\.?(?!\s[A-Z]))"
)
_ADDRESS = re.compile(
    rf"(?<![\w.,/-]){_NUMBER}\s(?!{ANY_MONTH['en']}\b)(?:[A-Z][\w'’.-]{{0,30}}\s){{1,3}}{_STREET}(?![\w-])"
)


def find_addresses(text: str, direction: Direction) -> Iterator[Match]:
    """Those of an English text, in order."""
    if direction.source == "en":
        for found in _ADDRESS.finditer(text):
            yield Match(Span(*found.span()), found[0])
