"""XML as a sequence of tokens with their places. It need not be well-formed: what is no markup is text."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from service.formats.document import InvalidDocument

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["CDATA", "CDATA_END", "Token", "TokenKind", "paired", "tokenise"]

CDATA, CDATA_END = "<![CDATA[", "]]>"
"""The ends of a section of character data."""

_NAME_START = r"[A-Za-z_:\u00c0-\U0010ffff]"
_TAG = re.compile(rf"""<(/?)({_NAME_START}[^\s/>=<"']*+)((?:[^<>"']++|"[^"<]*+"|'[^'<]*+')*+)>""")
_TAG_START = re.compile(rf"</?{_NAME_START}")
_DOCTYPE = re.compile(
    r"""<!DOCTYPE(?:[^<>"'\[]++|"[^"]*+"|'[^']*+')*+(?:\[(?:[^\]"']++|"[^"]*+"|'[^']*+')*+\]\s*+)?>"""
)
_ENDS = {"<!--": "-->", CDATA: CDATA_END, "<?": "?>"}
_MARKUP = re.compile(r"</?[A-Za-z][^<>]*+>|<!--")
_UNTRANSLATED = re.compile(r"""\stranslate\s*+=\s*+["']no["']""")


class TokenKind(StrEnum):
    """What a token is.

    `SINGLE`: an element without content; `KEPT`: one with all its content; `OTHER`: a comment and the like; `NESTED`:
    a section of character data that holds markup.
    """

    TEXT = "text"
    OPEN = "open"
    CLOSE = "close"
    SINGLE = "single"
    KEPT = "kept"
    OTHER = "other"
    NESTED = "nested"


@dataclass(slots=True)
class Token:
    """Characters `start` to `end` of the source.

    Of an element, `name` is as written, `keep` if its tag says that it must not be translated, `partner` the index of
    the token that is its other end; of a section of character data, `text` is what it holds.
    """

    kind: TokenKind
    start: int
    end: int
    name: str = ""
    text: str | None = None
    keep: bool = False
    partner: int | None = None


def tokenise(source: str, start: int, end: int) -> Iterator[Token]:
    """A part of the source in tokens, consecutive and none empty.

    Raises:
        InvalidDocument: a tag, a comment or the like does not end.
    """
    text = start
    place = source.find("<", start, end)
    while place >= 0:
        token = _markup(source, place, end)
        if token is None:
            place = source.find("<", place + 1, end)
            continue
        if text < place:
            yield Token(TokenKind.TEXT, text, place)
        yield token
        text = token.end
        place = source.find("<", text, end)
    if text < end:
        yield Token(TokenKind.TEXT, text, end)


def paired(tokens: list[Token]) -> list[Token]:
    """The same, each end of an element with its partner. What lacks it, or crosses another element, has none."""
    open_: list[int] = []
    counts: Counter[str] = Counter()
    for index, token in enumerate(tokens):
        if token.kind is TokenKind.OPEN:
            open_.append(index)
            counts[token.name] += 1
        elif token.kind is TokenKind.CLOSE and counts[token.name]:
            while True:
                other = open_.pop()
                counts[tokens[other].name] -= 1
                if tokens[other].name == token.name:
                    break
            token.partner, tokens[other].partner = other, index
    return tokens


def _markup(source: str, start: int, end: int) -> Token | None:
    """The markup at `start`, where a `<` is; None if that is text.

    Raises:
        InvalidDocument: it does not end.
    """
    if tag := _TAG.match(source, start, end):
        if tag[1]:
            return Token(TokenKind.CLOSE, start, tag.end(), tag[2])
        kind = TokenKind.SINGLE if tag[3].endswith("/") else TokenKind.OPEN
        return Token(kind, start, tag.end(), tag[2], keep=bool(_UNTRANSLATED.search(tag[3])))
    if found := _DOCTYPE.match(source, start, end):
        return Token(TokenKind.OTHER, start, found.end())
    for opening, closing in _ENDS.items():
        inner = start + len(opening)
        if source.startswith(opening, start, end) and (last := source.find(closing, inner, end)) >= 0:
            if opening != CDATA:
                return Token(TokenKind.OTHER, start, last + len(closing))
            content = source[inner:last]
            kind = TokenKind.NESTED if _MARKUP.search(content) else TokenKind.TEXT
            return Token(kind, start, last + len(closing), text=content)
    if source.startswith(("<!", "<?"), start, end) or _TAG_START.match(source, start, end):
        msg = f"markup begins at position {start} that does not end; the sign itself is written &lt;"
        raise InvalidDocument(msg)
    return None
