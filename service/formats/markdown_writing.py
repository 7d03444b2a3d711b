"""Translated text becomes Markdown again: escaped where it must be, and read once more to be sure of it."""

from __future__ import annotations

import re
from collections import ChainMap
from dataclasses import dataclass
from enum import Enum, auto
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from service.formats.flow import Woven
from service.formats.markdown_flavours import FOOTNOTE
from service.formats.markdown_math import MATH_SIGNS, MathSigns
from service.formats.markdown_tokens import markdown, marks_of
from service.types import InlineKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from markdown_it.token import Token

    from service.formats.flow import Flow
    from service.types import Block

__all__ = ["LINE_START", "Container", "MarkdownWriter"]

_EMPHASIS = frozenset({"em", "strong", "s"})
_NESTING = _EMPHASIS | {"link"}
_PUNCTUATION = r"!-/:-@\[-`{-~"
_SPECIAL = re.compile(
    rf"\\(?=[{_PUNCTUATION}]|$)"
    r"|[\[\]]"
    r"|\*(?!(?<=\s\*)\s)"  # a star between spaces means nothing
    r"|_(?!(?<=[^\W_]_)[^\W_])"  # nor does an underscore within a word
    r"|<(?=[a-zA-Z/!?]|$)"
    r"|~(?=~|$)|(?<=~)~"
    rf"|[{MATH_SIGNS}]"
)
_RUN = re.compile(r"(?<=([^\\*_\n]))([*_]+)(?=([^\\*_\n]))")
_BRACKET = re.compile(r"\[(?!\^)|\]")
_ESCAPED_BRACKET = re.compile(r"[\\\n][\[\]]")
_REFERENCE = re.compile(r"&(?=#?\w{1,32};)")
_MAYBE_MARKUP = re.compile(r"[\[*_~]")
_NEWLINES = re.compile(r"[\r\n]+")
_BAR = re.compile(r"(?<!\\)\|")
LINE_START = re.compile(r"\s*(?:(#{1,6}|[-+]|={1,}|-{2,}|>)|\d{1,9}([.)]))(?=\s|$)|\s*(>)")
"""What makes a line the start of a block; the group is where a backslash helps against it."""
_ITEM_START = re.compile(r"(\[)(?=[ xX]\]|!)")
"""What would be the box of a task or the kind of an alert."""
_ALL = re.compile(rf"[{_PUNCTUATION}]")
_HEADING_END = re.compile(r"(?:(?<=\s)|^)#(?=#*\s*$)")


class Container(Enum):
    """What text stands in; each has marks of its own that text must not be taken for."""

    PARAGRAPH = auto()
    HEADING = auto()
    UNDERLINED = auto()
    CELL = auto()
    BARE_CELL = auto()


_CELLS = frozenset({Container.CELL, Container.BARE_CELL})
_BEGIN_LINE = frozenset({Container.PARAGRAPH, Container.UNDERLINED, Container.BARE_CELL})
_BARS = {Container.CELL: r"\|", Container.BARE_CELL: r"\|", Container.UNDERLINED: "&#124;"}
"""A bar ends a cell; any bar in a line above one of dashes makes a table of them."""


@dataclass(frozen=True, slots=True)
class MarkdownWriter:
    """Writes the flows of one kind of block. `references` are the definitions of the document."""

    source: str
    references: dict[str, Any]
    container: Container

    def write(self, flow: Flow, block: Block, rewritten: Callable[[int, int], str], *, literal: str = "") -> str:
        """The flow around another block.

        Emphasis that cannot be written where it now is, such as around a part of a word with a punctuation mark at
        its edge, is left out. As a last resort the flow stays as it was. `literal` is the text as the source writes
        it, with line breaks in place of markup: where it does without escapes, so may this.
        """
        signs = MathSigns.of(literal)
        pieces = _without_empty(flow.weave(block, partial(self._escape, signs=signs), rewritten))
        for attempt in self._attempts(pieces, literal, signs):
            written = self._join(attempt)
            if self._reads_as(written, attempt):
                return written
        return self.source[flow.start : flow.end]

    def write_alternative(self, _flow: Flow, block: Block, _rewritten: Callable[[int, int], str], *, name: str) -> str:
        """The text of a picture, and its name after it."""
        return f"{self._escape(block.text)}{name}"

    def _attempts(self, pieces: list[Woven], literal: str, signs: MathSigns) -> Iterator[list[Woven]]:
        bare = self._bare(pieces, literal, signs)
        if bare != pieces:
            yield bare
        yield pieces
        stars = [
            piece._replace(written=piece.written.replace("_", "*")) if piece.name in _EMPHASIS else piece
            for piece in pieces
        ]
        yield stars
        if any(piece.name in _EMPHASIS for piece in pieces):
            plain = [piece for piece in pieces if piece.half or piece.name not in _EMPHASIS]
            yield plain
            pieces = plain
        yield [piece if piece.kind else piece._replace(written=self._escape_all(piece.text)) for piece in pieces]

    def _bare(self, pieces: list[Woven], literal: str, signs: MathSigns) -> list[Woven]:
        """Stars, underscores and brackets without backslashes, where the source has such without.

        So an address or a formula comes back as it was. Whether the flow says what it should is read later, but not
        together with what is around it: what could be markup with that must not have been any in the source.
        """
        runs = {run for _, run in _runs(literal)}
        text = "".join(piece.text for piece in pieces if not piece.kind)
        brackets = "[" in literal and not _ESCAPED_BRACKET.search(literal) and _is_no_link(text)

        def escape(text: str) -> str:
            text = _NEWLINES.sub(" ", text)
            bare = {place + one for place, run in _runs(text) if run in runs for one in range(len(run[1]))}
            if brackets:
                bare.update(found.start() for found in _BRACKET.finditer(text))
            return self._escape(text, bare, signs)

        return [piece if piece.kind else piece._replace(written=escape(piece.text)) for piece in pieces]

    def _escape(self, text: str, bare: AbstractSet[int] = frozenset(), signs: MathSigns | None = None) -> str:
        """Escaped but for what stands at the places `bare`. Of the signs of formulas those are that `signs` says."""
        text = _NEWLINES.sub(" ", text)
        escaped_signs = signs.escaped_in(text) if signs else frozenset()

        def escape(found: re.Match[str]) -> str:
            place, sign = found.start(), found[0]
            return sign if (place not in escaped_signs if sign in MATH_SIGNS else place in bare) else f"\\{sign}"

        escaped = _SPECIAL.sub(escape, text)
        # Before a backtick a backslash may count for nothing: a code span could have begun in a line before.
        escaped = _REFERENCE.sub("&amp;", escaped).replace("`", "&#96;")
        return escaped.replace("|", _BARS.get(self.container, "|"))

    def _escape_all(self, text: str) -> str:
        escaped = _ALL.sub(r"\\\g<0>", _NEWLINES.sub(" ", text)).replace(r"\`", "&#96;")
        return escaped.replace(r"\|", _BARS.get(self.container, r"\|"))

    def _join(self, pieces: Sequence[Woven]) -> str:
        written = [piece.written for piece in pieces]
        for index, (piece, following) in enumerate(pairwise(written)):
            if piece.endswith("!") and following.startswith("[") and not pieces[index].kind:
                written[index] = f"{piece[:-1]}\\!"  # no picture
        text = "".join(written).strip(" \t")
        if self.container in _BEGIN_LINE:
            first = next((piece for piece in pieces if piece.written), None)
            if first and not first.kind and (found := LINE_START.match(text) or _ITEM_START.match(text)):
                place = found.start(found.lastindex or 0)
                text = f"{text[:place]}\\{text[place:]}"
        if self.container is Container.HEADING:
            text = _HEADING_END.sub(r"\\#", text)
        if self.container in _CELLS and text.endswith("\\"):
            text += " "  # else the bar after it would be text
        return text

    def _reads_as(self, written: str, pieces: Sequence[Woven]) -> bool:
        """Whether it says what it should, with the elements it should have, where it stands."""
        before, after = _other_halves(pieces)
        pieces = [*before, *pieces, *after]
        written = "".join((*(piece.written for piece in before), written, *(piece.written for piece in after)))
        environment: dict[str, Any] = {"references": ChainMap({}, self.references)}
        if self.container in _CELLS:
            if _BAR.search(written):
                return False
            written = written.replace(r"\|", "|")
        opening = "# " if self.container in {*_CELLS, Container.HEADING} else ""
        tokens = markdown().parse(opening + written, environment)
        block = "heading" if opening else "paragraph"
        if [token.type for token in tokens] != [f"{block}_open", "inline", f"{block}_close"]:
            return False
        return _outline(_read(tokens[1])) == _outline(_meant(pieces, environment))


def _runs(text: str) -> Iterator[tuple[int, tuple[str, str, str]]]:
    """Stars and underscores within a text, with what tells if they can be markup: the characters beside them."""
    for found in _RUN.finditer(text):
        before, run, after = found.groups()
        yield found.start(), (_side(before), run, _side(after))


def _side(character: str) -> str:
    if character.isspace():
        return " "
    return "a" if character.isalnum() else character


def _is_no_link(text: str) -> bool:
    """Whether its brackets are in pairs, none of which becomes a link or a definition with what is around the text."""
    if "](" in text or "]:" in text:
        return False
    depth = 0
    for character in text:
        depth += (character == "[") - (character == "]")
        if depth < 0:
            return False
    return depth == 0


def _other_halves(pieces: Sequence[Woven]) -> tuple[list[Woven], list[Woven]]:
    """What completes elements that begin in a line before, or end in one after, as far as reading needs it."""
    before: list[Woven] = []
    after: list[Woven] = []
    for piece in pieces:
        if piece.name in _NESTING and piece.half is InlineKind.CLOSE:
            code = "[" if piece.name == "link" else piece.written
            before = [Woven(code, "", InlineKind.OPEN, piece.name), Woven("x ", "x"), *before]
        elif piece.name in _NESTING and piece.half is InlineKind.OPEN:
            code = "](x)" if piece.name == "link" else piece.written
            after = [Woven(" x", "x"), Woven(code, "", InlineKind.CLOSE, piece.name), *after]
    return before, after


def _without_empty(pieces: list[Woven]) -> list[Woven]:
    """Without emphasis around nothing, which cannot be written."""
    left: list[Woven] = []
    for piece in pieces:
        if (
            left
            and piece.kind is InlineKind.CLOSE
            and piece.name in _EMPHASIS
            and left[-1].kind is InlineKind.OPEN
            and left[-1].name == piece.name
        ):
            left.pop()
        else:
            left.append(piece)
    return left


def _meant(pieces: Sequence[Woven], environment: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Text and elements, each with "" for the other."""
    for piece in pieces:
        side = piece.half or piece.kind
        if side in {InlineKind.OPEN, InlineKind.CLOSE} and piece.name in _NESTING:
            yield "", f"{piece.name}_{side}"
        elif piece.kind and piece.text and piece.written.startswith("<") and _MAYBE_MARKUP.search(piece.written):
            # An element of HTML that is kept, markup in it too.
            yield from _read(markdown().parseInline(piece.written, environment)[0])
        else:
            yield piece.text, ""


def _read(token: Token) -> Iterator[tuple[str, str]]:
    """The same of what the parser found."""
    done = 0
    for mark in marks_of(token.children or ()):
        yield token.content[done : mark.start], ""
        if mark.type.rpartition("_")[0] in _NESTING:
            yield "", mark.type
        else:
            yield mark.text, ""
        done = mark.end
    yield token.content[done:], ""


def _outline(pieces: Iterator[tuple[str, str]]) -> list[str]:
    """Text, without white space, and elements, in order."""
    outline, text = [], ""
    for words, element in pieces:
        text += words
        if element:
            outline += [_plain(text), element]
            text = ""
    return [*outline, _plain(text)]


def _plain(text: str) -> str:
    return FOOTNOTE.sub("", "".join(text.split()))
