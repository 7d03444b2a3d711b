"""Letters and marks that a text has as HTML entities: the network reads them, and those it writes are entities again.

As stand-ins they would stand within words: "don&#39;t" would no longer deny anything.
"""

from __future__ import annotations

import re
from html import unescape
from html.entities import codepoint2name
from typing import TYPE_CHECKING

from service.pipeline.edits import Edit
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["encode", "encoded", "find_entities", "without_entities"]

_ENTITY = re.compile("&(?:[A-Za-z]{2,6}|#[0-9]{2,5}|#[xX][0-9A-Fa-f]{2,4});")
_AMPERSAND = "&"
_PARTNERS = {"«": "»", "»": "«", "‹": "›", "›": "‹"}
"""Of guillemets. One without is no quotation mark but leads on or back, as in "&laquo; Back"."""
_FAR = 500
"""Characters between two of them, at most."""
_STRAIGHT = "'\""
_KINDS = ("'‘’‚‛‹›", '"“”„‟«»', _AMPERSAND, "äöüÄÖÜßé")
"""Characters that are read, by kind. Of a kind all are written as entities, if the sentence has one that is."""
_READ = frozenset("".join(_KINDS))
_NAMES = codepoint2name | {ord("'"): "apos"}
_ESCAPED = re.compile("(?:[A-Za-z][A-Za-z0-9]{1,31}|#[0-9xX][0-9A-Fa-f]{0,6});")
"""Follows an ampersand that begins an entity itself, one that is spoken of: &amp;lt;"""


def find_entities(text: str) -> list[Edit]:
    """The entities of a text that the network is to read, each with the character that it stands for."""
    return [Edit(Span(*found.span()), char) for found in _ENTITY.finditer(text) if (char := _read(text, found))]


def without_entities(text: str, span: Span) -> Span:
    """A span without those at its ends."""
    start, end = span.start, span.end
    for found in _ENTITY.finditer(text, start, end):
        if found.start() == start and _read(text, found):
            start = found.end()
    for found in reversed([*_ENTITY.finditer(text, start, end)]):
        if found.end() == end and _read(text, found):
            end = found.start()
    return Span(start, end)


def encode(text: str, entities: Sequence[str]) -> Iterator[Edit]:
    """What to change in a text, so that of the kinds of characters that its sentence has as entities, all are such."""
    for place, char in enumerate(text):
        if (code := encoded(char, entities)) != char:
            yield Edit(Span(place, place + 1), code)


def encoded(text: str, entities: Sequence[str]) -> str:
    """The text after that."""
    return "".join(_encoded(text, entities)) if not _READ.isdisjoint(text) else text


def _encoded(text: str, entities: Sequence[str]) -> Iterator[str]:
    codes = {kind: next((one for one in entities if unescape(one) in kind), "") for kind in _KINDS}
    for char in text:
        code = next((codes[kind] for kind in _KINDS if char in kind), "")
        if not code:
            yield char
        elif unescape(code) in _STRAIGHT:
            yield code
        else:
            yield _like(code, char)


def _read(text: str, entity: re.Match[str]) -> str:
    char = unescape(entity[0])
    if char not in _READ or (char == _AMPERSAND and _ESCAPED.match(text, entity.end())):
        return ""
    if partner := _PARTNERS.get(char):
        around = text[max(0, entity.start() - _FAR) : entity.end() + _FAR]
        return char if partner in unescape(around) else ""
    return char


def _like(code: str, char: str) -> str:
    """The entity of a character: a number if another one is, else its name."""
    if not code.startswith("&#"):
        return f"&{_NAMES.get(ord(char), f'#{ord(char)}')};"
    return f"{code[:3]}{ord(char):x};" if code[2] in "xX" else f"&#{ord(char)};"
