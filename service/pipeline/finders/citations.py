"""Paragraphs and articles of German laws: "Art. 6 Abs. 1 lit. f DSGVO" is "Art. 6(1)(f) GDPR".

Of so many numbers and abbreviations the network loses some, and its vocabulary lacks the paragraph sign.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from service.pipeline.edits import with_capital
from service.pipeline.finders.match import Match
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from model.bundle import Direction

__all__ = ["find_citations"]

_NUMBER = r"[1-9]\d{0,3}[a-z]?"
"""6, 312 or 312a."""
_PLACE = (
    rf"(?P<number>{_NUMBER})(?:\s(?:Abs\.|Absatz)\s?(?P<paragraph>{_NUMBER}))?"
    r"(?:\s(?:S\.|Satz)\s?(?P<sentence>\d{1,2}))?"
    rf"(?:\s(?:Nr\.|Nummer|Ziff\.|Ziffer)\s?(?P<point>{_NUMBER}))?"
    r"(?:\s(?:lit\.|Buchst\.|Buchstabe)\s?(?P<letter>[a-z])\)?)?"
)
_LAW = r"(?P<law>DS-GVO|SGB\s[IVX]{1,4}|[A-ZÄÖÜ]\w{0,9}[A-Z])(?![\w-])"
_CITATION = re.compile(
    rf"(?<!\w)(?P<what>§|Art\.|Artikel|Abs\.|Absatz)\s?{_PLACE}(?:\s{_LAW})?"
    r"(?![\w.,]?\w|(?:,|\s?[-–]|\s(?:und|oder|bis))\s?\d)"
)
"""Art. 6 Abs. 1 S. 1 lit. f DSGVO, § 312a BGB, Absatz 1 Satz 2; of several after one sign, none."""
_ONE = re.compile(_PLACE)
_ANY_PLACE = re.sub(r"\?P<\w+>", "?:", _PLACE)
_AND = {" und ": " and ", " oder ": " or ", " bis ": " to "}
_SEVERAL = re.compile(
    rf"(?P<signs>§§\s?)(?P<first>{_ANY_PLACE})(?P<rest>(?:(?:,\s|{'|'.join(_AND)}){_ANY_PLACE}){{1,9}})\s{_LAW}"
)
"""§§ 437 Nr. 3, 280 Abs. 1 und 281 BGB."""
_WHAT = {"Artikel": "Article", "Abs.": "paragraph", "Absatz": "paragraph"}
_LAWS = {"DSGVO": "GDPR", "DS-GVO": "GDPR"}


def find_citations(text: str, direction: Direction) -> Iterator[Match]:
    """Those of a German text that name more than a number, each as one writes it in English."""
    if direction.source != "de" or text.isupper():
        return
    several = list(_SEVERAL.finditer(text)) if "§§" in text else []
    for found in several:
        places = _ONE.sub(lambda one: _in_english(one, ""), found["first"] + found["rest"])
        for german, english in _AND.items():
            places = places.replace(german, english)
        yield Match(Span(*found.span()), f"{found['signs']}{places} {_LAWS.get(found['law'], found['law'])}")
    for found in _CITATION.finditer(text):
        if any(one.start() <= found.start() < one.end() for one in several):
            continue
        if any(map(found.group, ("paragraph", "sentence", "point", "letter", "law"))):
            law = _LAWS.get(found["law"], found["law"])
            what = _WHAT.get(found["what"], found["what"])
            what = what if found.start() else with_capital(what)
            yield Match(Span(*found.span()), f"{_in_english(found, f'{what} ')}{f' {law}' if law else ''}")


def _in_english(citation: re.Match[str], what: str) -> str:
    is_apart = citation["sentence"] or citation["point"]
    parts = (
        ("{}", f"{what}{citation['number']}"),
        ("({})", citation["paragraph"]),
        (" sentence {}", citation["sentence"]),
        (" no. {}", citation["point"]),
        (" lit. {}" if is_apart else "({})", citation["letter"]),
    )
    return "".join(form.format(part) for form, part in parts if part)
