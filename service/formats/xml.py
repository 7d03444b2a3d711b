"""XML, whole documents and fragments of text with elements in it, as clients of DeepL's API send them.

An element that stands among words follows them. One that holds a text of its own ends those around it: what HTML reads
as a block does, and so do several elements with nothing else beside them. White space is text; every byte outside the
text stays. Elements that HTML keeps or never reads (code, scripts), and those that the caller names, come back whole.

Markup is not checked: what lacks its other end stands for itself, entities of HTML are known, and others kept. Nothing
is ever expanded or fetched.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from functools import partial
from html.entities import html5
from itertools import count
from typing import TYPE_CHECKING

from service.formats.document import InvalidDocument
from service.formats.html_elements import BLOCKS, KEPT
from service.formats.slots import BlockBuilder, Slot, SlottedDocument, is_translatable, peel, spaced, weave, with_codes
from service.formats.xml_tokens import CDATA, CDATA_END, Token, TokenKind, paired, tokenise

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

    from service.types import Block

__all__ = ["XmlRules", "parse_xml"]

_REFERENCE = re.compile(r"&(?:#(?:([0-9]{1,7})|[xX]([0-9a-fA-F]{1,6}))|([A-Za-z][A-Za-z0-9._-]{0,40}));")
_LINE_SPACE = re.compile(r"[ \t]*[\r\n]\s*")
_STAND_IN = re.compile(r"\{([0-9]{1,9})\}")
_CONTROLS = frozenset(map(chr, (*range(0x20), *range(0x7F, 0xA0), *range(0xD800, 0xE000))))
_LAST = 0x10FFFF

_UNREAD = KEPT | {"iframe", "math", "pre", "script", "style", "svg", "textarea"}
_INLINE_NAMES = "a abbr b bdi bdo cite data del dfn em font g i ins mark ph q s small span strong sub sup time u x"
_INLINE = frozenset(_INLINE_NAMES.split())
"""Elements that stand among words even where there are none beside them, of HTML and of translators' tools."""


@dataclass(frozen=True, slots=True)
class XmlRules:
    """How to read the elements of a document, whose names they are.

    Args:
        ignored: come back whole, untranslated.
        splitting: hold texts of their own.
        inline: never do.
        outline: whether the document's structure is told from itself, too.
        lines: whether a line break ends a sentence; else it is a space.
    """

    ignored: frozenset[str] = frozenset()
    splitting: frozenset[str] = frozenset()
    inline: frozenset[str] = frozenset()
    outline: bool = True
    lines: bool = True

    def keeps(self, name: str) -> bool:
        """Whether the element comes back whole."""
        return name in self.ignored or name.lower() in _UNREAD

    def splits(self, name: str) -> bool:
        """Whether the element ends the text around it, wherever it stands."""
        return name in self.splitting or (self.outline and name.lower() in BLOCKS and name not in self.inline)


def parse_xml(source: str, rules: XmlRules) -> SlottedDocument:
    """See `service.formats.parse`.

    Raises:
        InvalidDocument: a tag, a comment or the like does not end.
    """
    return SlottedDocument(_Reader(source, rules).read(0, len(source)))


@dataclass(slots=True)
class _Level:
    """What stands directly in an element: which elements, and what is between them.

    `children` are the indices of start tags, `words` says whether there is text, `opaque` whether there is markup that
    is no such element, `parted` whether a border lies in it. `lines`: there is a line break before each child but the
    first; `tight`: not so much as a space. `gap` is the white space since the last child.
    """

    children: list[int] = field(default_factory=list)
    words: bool = False
    opaque: bool = False
    parted: bool = False
    lines: bool = True
    tight: bool = True
    gap: str = ""

    def add_text(self, text: str) -> None:
        if text.strip():
            self.words = True
        else:
            self.gap += text

    def add_child(self, index: int) -> None:
        if self.children:
            self.lines &= "\n" in self.gap
            self.tight &= not self.gap
        self.gap = ""
        self.children.append(index)

    @property
    def is_outline(self) -> bool:
        """Whether its elements part the text: several, on lines of their own or without so much as a space between."""
        return len(self.children) > 1 and not self.words and (self.lines or (self.tight and not self.opaque))


class _Reader:
    def __init__(self, source: str, rules: XmlRules) -> None:
        self._source = source
        self._rules = rules
        taken = {int(found[1]) for found in _STAND_IN.finditer(source)}
        self._numbers = (number for number in count(1) if number not in taken)

    def read(self, start: int, end: int) -> list[str | Slot]:
        """A part of the source as what stays, and slots for its text."""
        tokens = self._collapsed(paired(list(tokenise(self._source, start, end))))
        borders = self._borders(tokens)
        parts: list[str | Slot] = []
        run = _Run(self._source, self._numbers, self._rules)
        for index, token in enumerate(tokens):
            if index not in borders:
                run.add(token, token.partner if token.kind is TokenKind.CLOSE and token.partner is not None else index)
                continue
            parts += [*run.finish(), *self._border(token)]
            run = _Run(self._source, self._numbers, self._rules)
        return [*parts, *run.finish()]

    def _border(self, token: Token) -> list[str | Slot]:
        if token.kind is not TokenKind.NESTED:
            return [self._source[token.start : token.end]]
        start, end = token.start + len(CDATA), token.end - len(CDATA_END)
        try:
            return [CDATA, *self.read(start, end), CDATA_END]
        except InvalidDocument:
            return [self._source[token.start : token.end]]

    def _collapsed(self, tokens: list[Token]) -> list[Token]:
        """The tokens with each element that is to be kept as one of them."""
        kept: list[Token] = []
        places: dict[int, int] = {}
        index = 0
        while index < len(tokens):
            token = tokens[index]
            places[index] = len(kept)
            if token.kind in {TokenKind.OPEN, TokenKind.SINGLE} and (token.keep or self._rules.keeps(token.name)):
                if token.kind is TokenKind.SINGLE:
                    token.kind = self._kind_of_empty(token.start, token.end)
                elif token.partner is not None:
                    last = tokens[token.partner].end
                    empty = token.partner == index + 1
                    kind = self._kind_of_empty(token.start, last) if empty else TokenKind.KEPT
                    index = token.partner
                    token = Token(kind, token.start, last, token.name)
            kept.append(token)
            index += 1
        for token in kept:
            token.partner = None if token.partner is None else places[token.partner]
        return kept

    def _kind_of_empty(self, start: int, end: int) -> TokenKind:
        """An element without content stands for a word if it is written like one, else for markup."""
        around = self._source[max(0, start - 1) : start] + self._source[end : end + 1]
        return TokenKind.SINGLE if any(map(str.isalnum, around)) else TokenKind.KEPT

    def _borders(self, tokens: Sequence[Token]) -> set[int]:
        """Which tokens end the text before them. Where one lies in an element, both ends of that are borders too."""
        borders: set[int] = set()
        levels = [_Level()]
        for index, token in enumerate(tokens):
            level = levels[-1]
            if token.kind is TokenKind.TEXT:
                level.add_text(self._source[token.start : token.end])
            elif token.kind is TokenKind.OPEN and token.partner is not None:
                level.add_child(index)
                levels.append(_Level())
            elif token.kind is TokenKind.CLOSE and token.partner is not None:
                if self._parted(levels.pop(), tokens, borders) or self._rules.splits(token.name):
                    borders |= {token.partner, index}
                    levels[-1].parted = True
            elif self._is_border(token):
                borders.add(index)
                level.parted = True
            else:
                level.opaque |= token.kind is not TokenKind.OTHER
        self._parted(levels.pop(), tokens, borders)
        return borders

    def _is_border(self, token: Token) -> bool:
        if token.kind is TokenKind.OTHER:
            return self._source.startswith(("<?xml", "<!DOCTYPE"), token.start)
        return token.kind is TokenKind.NESTED or self._rules.splits(token.name)

    def _parted(self, level: _Level, tokens: Sequence[Token], borders: set[int]) -> bool:
        """Whether there is a border in a level that is complete, those of its outline included."""
        names = {tokens[child].name for child in level.children}
        if self._rules.outline and level.is_outline and names.isdisjoint(self._rules.inline | _INLINE):
            borders.update(level.children)
            borders.update(partner for child in level.children if (partner := tokens[child].partner) is not None)
            level.parted = True
        return level.parted


class _Run:
    """Text, and the markup in it, as one block."""

    def __init__(self, source: str, numbers: Iterator[int], rules: XmlRules) -> None:
        self._source = source
        self._numbers = numbers
        self._rules = rules
        self._tokens: list[tuple[Token, int]] = []
        self._builder = BlockBuilder(_escape)
        self._codes: list[tuple[str, str]] = []  # what stands for elements, and these
        self._spaced: set[int] = set()
        self._since: list[int] = []  # marks that stand for themselves, after a space and since the last text
        self._after_space = False
        self._ended = False  # no words follow

    def add(self, token: Token, element: int) -> None:
        """The next token; its element has this number."""
        self._tokens.append((token, element))

    def finish(self) -> list[str | Slot]:
        """What to write: a slot for the text, and what is before and after it."""
        if not self._tokens:
            return []
        start, end = self._tokens[0][0].start, self._tokens[-1][0].end
        self._tokens = _with_empty_ones_whole(self._tokens)
        last = max((at for at, (token, _) in enumerate(self._tokens) if self._has_words(token)), default=-1)
        for index, (token, element) in enumerate(self._tokens):
            self._ended = index > last
            self._take(token, element)
        before, block, after = peel(self._builder.build())
        if not is_translatable(block.text):
            return [self._source[start:end]]
        raw = self._source[start + len(before) : end - len(after)]
        return [before, Slot(block, partial(_write, codes=self._codes, elements=self._spaced), raw), after]

    def _has_words(self, token: Token) -> bool:
        if token.kind is not TokenKind.TEXT:
            return token.kind is TokenKind.KEPT
        text = self._source[token.start : token.end] if token.text is None else token.text
        return bool(_REFERENCE.sub(_in_words, text).strip())

    def _take(self, token: Token, element: int) -> None:
        code = self._source[token.start : token.end]
        if token.kind is TokenKind.TEXT and token.text is not None:
            self._words(token.text)
        elif token.kind is TokenKind.TEXT:
            self._read(code)
        elif token.kind is TokenKind.KEPT:
            self._keep(code)
        elif token.kind in {TokenKind.OPEN, TokenKind.CLOSE} and token.partner is not None:
            self._since = []
            mark = self._builder.open if token.kind is TokenKind.OPEN else self._builder.close
            mark(code, str(element))
        else:
            single = self._builder.single(code)
            self._since += [single] if self._after_space else []

    def _read(self, text: str) -> None:
        """Text with references in it."""
        done = 0
        for found in _REFERENCE.finditer(text):
            self._words(text[done : found.start()])
            done = found.end()
            if (meant := _meaning(found)) is None:
                self._keep(found[0])
            elif meant in _CONTROLS:
                self._builder.single(found[0])
            else:
                self._words(meant)
        self._words(text[done:])

    def _words(self, text: str) -> None:
        if not self._rules.lines:
            text = _LINE_SPACE.sub(" ", text)
        if self._since and not self._ended and text.startswith(" "):
            # People see one space, not one before and one after.
            text = text[1:]
            self._spaced.update(self._since)
            self._since = []
        if text:
            self._builder.text(text)
            self._since, self._after_space = [], text.endswith(" ")

    def _keep(self, code: str) -> None:
        """What must come back as it is. It is read as a word, as it would be in the place of which it stands."""
        stand_in = f"{{{next(self._numbers)}}}"
        self._codes.append((stand_in, code))
        self._builder.keep(stand_in)
        self._since, self._after_space = [], False


def _with_empty_ones_whole(tokens: Sequence[tuple[Token, int]]) -> list[tuple[Token, int]]:
    """The same, each element without text as the one mark that it is, as if it had no end tag."""
    whole: list[tuple[Token, int]] = []
    empty: dict[int, int] = {}  # where elements begin, without text since
    for token, element in tokens:
        if token.kind is TokenKind.CLOSE and (place := empty.pop(element, None)) is not None:
            whole[place:] = [(Token(TokenKind.SINGLE, whole[place][0].start, token.end, token.name), element)]
            continue
        if token.kind in {TokenKind.TEXT, TokenKind.KEPT}:
            empty.clear()
        elif token.kind is TokenKind.OPEN:
            empty[element] = len(whole)
        whole.append((token, element))
    return whole


def _in_words(reference: re.Match[str]) -> str:
    """What a reference puts between words: nothing where it becomes a mark."""
    meant = _meaning(reference)
    return reference[0] if meant is None else "" if meant in _CONTROLS else meant


def _meaning(reference: re.Match[str]) -> str | None:
    """The character that is meant; None for an entity that is not known here, and a number that is none of XML's."""
    decimal, hexadecimal, name = reference.groups()
    if name:
        return html5.get(f"{name};")
    number = int(decimal) if decimal else int(hexadecimal, 16)
    return chr(number) if 0 < number <= _LAST else None


def _write(block: Block, *, codes: Sequence[tuple[str, str]], elements: Container[int]) -> str:
    return weave(with_codes(spaced(block, elements), codes, _STAND_IN), _escape)


def _escape(text: str) -> str:
    return html.escape(text, quote=False)
