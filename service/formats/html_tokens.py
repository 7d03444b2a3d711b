"""HTML as a sequence of tokens with their places, cut as browsers cut it (the WHATWG standard's tokenizer).

Libraries that parse HTML give a tree, and write it anew; here every byte outside the text has to stay. Only of `<%…%>`,
which no browser gets to see, nothing is markup; and in XHTML `/>` ends any element, which it does not elsewhere.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "SCRIPTLET",
    "Attribute",
    "Token",
    "TokenKind",
    "attributes_of",
    "start_tag",
    "tokenise",
    "unescape",
]

_WS = r" \t\n\f\r"
# Possessive (`++`, `*+`): what does not match fails at once. A quote that is never closed makes no attribute.
_ATTRIBUTE = (
    rf"(=?[^{_WS}/>=]++|=)"
    rf"(?:[{_WS}]*+=[{_WS}]*+(\"[^\"]*+\"|'[^']*+'|(?![\"'])[^{_WS}>]++|(?=>))|(?![{_WS}]*+=))"
)
SCRIPTLET = r"<%(?:[^<%]|<(?!%)|%(?!>))*+%>"
_WITH_SCRIPTLETS = (
    rf"(?:[{_WS}/]++|(?!{SCRIPTLET}){_ATTRIBUTE})*+"
    rf"(?:{SCRIPTLET}(?:[{_WS}/]++|(?!{SCRIPTLET}){_ATTRIBUTE})*+){{0,20}}+"  # no more: else floods are quadratic
)
_TAG = re.compile(rf"<(/?)([a-zA-Z][^{_WS}/>]*+)((?:{_WITH_SCRIPTLETS}|(?:[{_WS}/]++|{_ATTRIBUTE})*+)(?=>))>")
_ATTRIBUTES = re.compile(_ATTRIBUTE)
_MARKUP = re.compile(r"<(?=[a-zA-Z!?/])")
_MARKUP_OR_SCRIPTLET = re.compile(rf"{_MARKUP.pattern}|{SCRIPTLET}")
_COMMENT_END = re.compile(r"--!?>")
_RAW = frozenset({"script", "style", "textarea", "xmp", "iframe", "noembed", "noframes"})
_FOREIGN = frozenset({"svg", "math"})
_XHTML = re.compile(
    r"\A\ufeff?\s*+<\?xml\s|<html(?=\s)[^<>]*?\sxmlns\s*+=\s*+[\"']http://www\.w3\.org/1999/xhtml[\"']", re.IGNORECASE
)
_XML_ENDS = (" /", "\t/", "\r/", "\n/", '"/', "'/")  # <a href=b/> is no empty element, wherever it is

_NUMBER = re.compile(r"&#([0-9]{8,}|[xX][0-9a-fA-F]{7,});?")
_REFERENCE = re.compile(r"&(?:#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[a-zA-Z][a-zA-Z0-9]{0,31}(?:;|(?![a-zA-Z0-9=])))")


class TokenKind(StrEnum):
    """What a token is.

    `EMPTY`: an element that its start tag ends; `RAW`: one of which nothing is text, like a script; `OTHER`: a comment
    and the like.
    """

    TEXT = "text"
    OPEN = "open"
    CLOSE = "close"
    EMPTY = "empty"
    RAW = "raw"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Token:
    """Characters `start` to `end` of the source; `name`, of an element, in lower case."""

    kind: TokenKind
    start: int
    end: int
    name: str = ""


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute with a value: characters `start` to `end` of the source, quotes included."""

    name: str
    start: int
    end: int
    value: str


def tokenise(source: str) -> Iterator[Token]:
    """All of the source in tokens, consecutive and none empty."""
    place, text = 0, 0
    is_xml = _XHTML.search(source) is not None
    while found := _MARKUP_OR_SCRIPTLET.search(source, place):
        start = found.start()
        if source.startswith("<%", start):
            place = found.end()
            continue
        token = _markup(source, start, is_xml=is_xml)
        if text < start:
            yield Token(TokenKind.TEXT, text, start)
        yield token
        place = text = token.end
        if token.kind is TokenKind.OPEN and token.name == "title":
            place = text = _end_of("title", source, token.end)
            if token.end < place:
                yield Token(TokenKind.TEXT, token.end, place)
        elif token.kind is TokenKind.OPEN and token.name == "plaintext":
            place = text = len(source)
            if token.end < place:
                yield Token(TokenKind.OTHER, token.end, place)
    if text < len(source):
        yield Token(TokenKind.TEXT, text, len(source))


def attributes_of(source: str, token: Token) -> list[Attribute]:
    """The attributes of a start tag that have a value; of two with one name, the first."""
    found = {}
    end = token.start + 1 + len(token.name)
    while match := _ATTRIBUTES.search(source, end, token.end - 1):
        end = match.end()
        name = match[1].lower()
        if name not in found:
            value = match[2] or ""
            quoted = value[:1] in {'"', "'"}
            value = _unescape_attribute(value[1:-1] if quoted else value)
            found[name] = Attribute(name, *match.span(2), value)
    return list(found.values())


def start_tag(source: str, token: Token) -> Token:
    """That of an element which is one token."""
    found = _TAG.match(source, token.start)
    return Token(TokenKind.OPEN, token.start, found.end() if found else token.end, token.name)


def unescape(text: str) -> str:
    """Character references resolved. Numbers too large for a character are U+FFFD."""
    return html.unescape(_NUMBER.sub(_number, text)) if "&" in text else text


def _unescape_attribute(text: str) -> str:
    """The same by the rules for attributes: in a web address, `&copy=1` is none."""
    return _REFERENCE.sub(lambda found: unescape(found[0]), text) if "&" in text else text


def _number(found: re.Match[str]) -> str:
    digits = found[1].lstrip("xX").lstrip("0")
    most = 6 if found[1][0] in "xX" else 7
    return "\ufffd" if len(digits) > most else found[0]


def _markup(source: str, start: int, *, is_xml: bool) -> Token:
    """The markup at `start`, where a `<` is. What never ends goes to the end of the source, as in browsers."""
    match = _TAG.match(source, start)
    if match is None:
        return Token(TokenKind.OTHER, start, _end_of_other(source, start))
    name = match[2].lower()
    if match[1]:
        return Token(TokenKind.CLOSE, start, match.end(), name)
    if is_xml and (match[3] == "/" or match[3].endswith(_XML_ENDS)):
        return Token(TokenKind.EMPTY, start, match.end(), name)
    if name in _RAW:
        end = _end_of(name, source, match.end())
        closing = _TAG.match(source, end)
        return Token(TokenKind.RAW, start, closing.end() if closing else len(source), name)
    if name in _FOREIGN and not match[3].endswith("/"):
        return Token(TokenKind.RAW, start, _end_of_foreign(name, source, match.end()), name)
    return Token(TokenKind.OPEN, start, match.end(), name)


def _end_of_other(source: str, start: int) -> int:
    if source.startswith("<!--", start):
        if source.startswith((">", "->"), start + 4):
            return source.index(">", start) + 1
        found = _COMMENT_END.search(source, start + 4)
        return found.end() if found else len(source)
    if source[start + 1] not in "!?" and source[start + 2 : start + 3].isalpha():
        return len(source)  # a tag that never ends
    opening = source[start : start + 5].lower()
    end = source.find("?>", start) + 2 if opening.startswith(("<?php", "<?=")) else source.find(">", start) + 1
    return end if end > 1 else len(source)


def _end_of(name: str, source: str, start: int) -> int:
    """Where the end tag of an element begins in which no other tags are read."""
    found = re.compile(rf"</{name}(?=[{_WS}/>])", re.IGNORECASE | re.ASCII).search(source, start)
    return found.start() if found else len(source)


def _end_of_foreign(name: str, source: str, start: int) -> int:
    """Where an element ends that may hold others of its name."""
    depth, place = 1, start
    while found := _MARKUP.search(source, place):
        tag = _TAG.match(source, found.start())
        if tag is None:
            cdata = source.startswith("<![CDATA[", found.start())
            place = source.find("]]>", found.start()) + 3 if cdata else _end_of_other(source, found.start())
            if cdata and place < found.start():
                break
            continue
        place = tag.end()
        if tag[2].lower() == name and (tag[1] or not tag[3].endswith("/")):
            depth += -1 if tag[1] else 1
        if depth == 0:
            return place
    return len(source)
