"""Paragraphs and articles of German laws: "Art. 6 Abs. 1 lit. f DSGVO" is "Art. 6(1)(f) GDPR".

Of so many numbers and abbreviations the network loses some, and its vocabulary lacks the paragraph sign.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from service.pipeline.finders.match import Match
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from model.bundle import Direction

__all__ = ["find_citations"]

_NUMBER = r"[1-9]\d{0,3}[a-z]?"
"""6, 312 or 312a."""
_CITATION = re.compile(
    rf"(?<!\w)(?P<what>§|Art\.|Artikel)\s?(?P<number>{_NUMBER})"
    rf"(?:\s(?:Abs\.|Absatz)\s?(?P<paragraph>{_NUMBER}))?"
    r"(?:\s(?:S\.|Satz)\s?(?P<sentence>\d{1,2}))?"
    rf"(?:\s(?:Nr\.|Nummer|Ziff\.|Ziffer)\s?(?P<point>{_NUMBER}))?"
    r"(?:\s(?:lit\.|Buchst\.|Buchstabe)\s?(?P<letter>[a-z])\)?)?"
    r"(?:\s(?P<law>DS-GVO|SGB\s[IVX]{1,4}|[A-ZÄÖÜ]\w{0,9}[A-Z])(?![\w-]))?"
    r"(?![\w.,]?\w|(?:,|\s?[-–]|\s(?:und|oder|bis))\s?\d)"
)
"""Art. 6 Abs. 1 S. 1 lit. f DSGVO, § 312a BGB; of several after one sign, none."""
_LAWS = {"DSGVO": "GDPR", "DS-GVO": "GDPR"}


def find_citations(text: str, direction: Direction) -> Iterator[Match]:
    """Those of a German text that name more than a number, each as one writes it in English."""
    if direction.source != "de" or text.isupper():
        return
    for found in _CITATION.finditer(text):
        if any(map(found.group, ("paragraph", "sentence", "point", "letter", "law"))):
            yield Match(Span(*found.span()), _in_english(found))


def _in_english(citation: re.Match[str]) -> str:
    what = citation["what"].replace("Artikel", "Article")
    law = citation["law"]
    is_apart = citation["sentence"] or citation["point"]
    parts = (
        ("{}", f"{what} {citation['number']}"),
        ("({})", citation["paragraph"]),
        (" sentence {}", citation["sentence"]),
        (" no. {}", citation["point"]),
        (" lit. {}" if is_apart else "({})", citation["letter"]),
        (" {}", _LAWS.get(law, law)),
    )
    return "".join(form.format(part) for form, part in parts if part)
