"""Ages are read as so many years: died at 82 is died at the age of 82, turned 40 became 40 years old.

Mitte vierzig is etwa 45 Jahre alt. The network takes *retired at 65* for a time of day, and *turned 40* for a turn.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from service.pipeline.edits import Edit
from service.pipeline.numbers.cardinals import TENS, german_value
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["find_ages"]

_AGE = re.compile(
    r"\b(?:[Dd]ie[sd]?|dying|passe[sd] away|[Rr]etire[sd]?|retiring|[Mm]arr(?:y|ie[sd])|[Gg]raduate[sd]?|pregnant"
    r"|became (?:an?|the) [a-z]+|start(?:ed|s) [a-z]+ing|learn(?:ed|t|s) to [a-z]+) at"
    r"(?P<of> )(?:1[3-9]|[2-9]\d)(?=$|[,;!?)]|\.(?!\d)|\s(?:and|but|after|in|from|with|because)\b)"
    r"|^At(?P<of_first> )(?:1[3-9]|[2-9]\d)(?=,?\s(?:I|you|he|she|we|they)\b)"
)
"""At of died at 82; in at 82 km/h and at 8 it is another."""
_TURNED = re.compile(
    rf"(?P<have>\b(?:has|have|had|['’]ve)\s(?:just\s|already\s)?)?\bturn(?P<ending>ed|s|ing|)"
    rf"\s(?:\d\d|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:{'|'.join(TENS['en'])})(?:-[a-z]+)?)(?P<years>\syears(?:\sold)?)?"
    r"(?=$|[,;!?]|\.(?!\d)|\s(?:last|this|next|on|in|today|yesterday|tomorrow|soon|and|but|when)\b)"
)
"""She turned forty last week; not forty degrees."""
_BECAME = {"ed": "became", "s": "becomes", "ing": "becoming", "": "become"}
_ABOUT = re.compile(rf"\b(?P<part>Anfang|Mitte|Ende)\s(?P<ten>{'|'.join(TENS['de'])})\b(?!\sUhr)")
"""Mitte vierzig."""


def find_ages(text: str, language: str) -> Iterator[Edit]:
    """What to read for those of a text, in no order."""
    yield from _english(text) if language == "en" else _german(text)


def _english(text: str) -> Iterator[Edit]:
    """Died at 82, turned 40."""
    for found in _AGE.finditer(text):
        yield Edit(Span(*found.span(found.lastgroup or 0)), " the age of ")
    for found in _TURNED.finditer(text):
        start = found.start("ending") - len("turn")
        yield Edit(Span(start, found.end("ending")), "become" if found["have"] else _BECAME[found["ending"]])
        if not found["years"]:
            yield Edit(Span(found.end(), found.end()), " years old")


def _german(text: str) -> Iterator[Edit]:
    """Mitte vierzig is etwa 45 Jahre alt."""
    for found in _ABOUT.finditer(text):
        ten = german_value(found["ten"])
        meant = {"Anfang": f"knapp über {ten}", "Mitte": f"etwa {ten + 5}", "Ende": f"fast {ten + 10}"}[found["part"]]
        yield Edit(Span(*found.span()), f"{meant} Jahre alt")
