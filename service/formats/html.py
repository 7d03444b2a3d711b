"""HTML, pages and fragments, broken ones too.

Text is what stands between block-level tags; inline tags follow their words. Elements of code and those marked
`translate="no"` (or `class="notranslate"`, or named `ignore`) are kept, the others come back byte for byte but for
their text, and for the language that `html` says a page is in. Scripts, styles, `pre`, `textarea`, comments and
drawings are never touched, nor are the tags of templates; those that say when or how often a text is there end the one
before. Names of pictures in a font for such (`<i class="material-icons">home</i>`) are pictures.

What a style sheet does to an element is not known: text in a `span` that is displayed as a block is read together with
the text around it, and white space counts for one space even where it is displayed as it is.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from service.formats.document import is_language
from service.formats.flow import Flow, FlowDocument, FlowReader
from service.formats.footnotes import is_footnote_mark
from service.formats.html_elements import BLOCKS, SEEN, VOID, is_closed_by, is_text, is_translated
from service.formats.html_templates import BRANCH, OPENS_TAG, STATEMENT, TEMPLATE_TAG, TEMPLATE_TAGS, WRITES
from service.formats.html_tokens import Attribute, Token, TokenKind, attributes_of, start_tag, tokenise, unescape
from service.formats.html_writing import escape_attribute, write_attribute, write_text
from service.formats.slots import is_translatable
from service.types import Block, Span

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping, Sequence

__all__ = ["html_flows", "parse_html"]

_ENDING = re.compile(r"[^\W\d_]{1,3}")
"""What may stand between two tags of templates and end the word before."""

_NO_PROSE = re.compile(r"(?:.*:)?[\s|/·•›»→–—-]*+", re.DOTALL)
"""What may stand between the items of a menu, or introduce it."""

_BOLD = frozenset({"b", "strong"})
_VALUE_LABEL = re.compile(r"\s*[A-ZÄÖÜ][^.:!?<>]{0,30}:\s*")
"""Two of them in a line have each a value: the second one begins another text."""

_ICON = re.compile(r"""\sclass=["']?[^"'<>=]*\bmaterial-(?:icons|symbols)\b""")
_TEXT_AND_END = [TokenKind.TEXT, TokenKind.CLOSE]

_FAR = 4
"""Tokens from a start tag to its text, at most."""

_MOST_IN_MARK = 16
"""Tokens of a footnote mark; no more are looked at."""


def parse_html(source: str, *, attributes: bool = False, ignored: Container[str] = ()) -> FlowDocument:
    """See `service.formats.parse`.

    Args:
        source: the document.
        attributes: those that people read are text too.
        ignored: names, in small letters, of elements that are not to be translated.
    """
    reader = _read(source, 0, len(source), attributes=attributes, ignored=ignored)
    return _Page(source, reader.flows, reader.languages)


def html_flows(source: str, start: int, end: int, *, attributes: bool) -> list[Flow]:
    """The text of a part of a source."""
    return _read(source, start, end, attributes=attributes, ignored=()).flows


def _read(source: str, start: int, end: int, *, attributes: bool, ignored: Container[str]) -> _HtmlReader:
    reader = _HtmlReader(source, attributes=attributes, ignored=ignored)
    tokens = tokenise(source[start:end])
    reader.read([replace(token, start=token.start + start, end=token.end + start) for token in tokens])
    return reader


class _Page(FlowDocument):
    """`languages` are the attributes that name that of the whole document."""

    def __init__(self, source: str, flows: Sequence[Flow], languages: Sequence[Attribute]) -> None:
        super().__init__(source, flows)
        self._languages = languages

    def towards(self, source: str, target: str) -> FlowDocument:
        """See `service.formats.Document`."""
        named = [one for one in self._languages if is_language(one.value, source)]
        quotes = [self._source[one.start] in "\"'" for one in named]
        spans = [Span(one.start + quoted, one.end - quoted) for one, quoted in zip(named, quotes, strict=True)]
        return FlowDocument(self._source, self._flows, dict.fromkeys(spans, target))


class _HtmlReader:
    def __init__(self, source: str, *, attributes: bool, ignored: Container[str]) -> None:
        self._source = source
        self._attributes = attributes
        self._ignored = ignored
        self._reader = FlowReader(source, write_text)
        self._stack: list[tuple[str, bool]] = []  # open elements, and whether what is in them is translated
        self._counts: dict[str, int] = {}
        self._blocks: list[int] = []  # places of the block-level ones in the stack
        self._menus: frozenset[int] = frozenset()  # where in the source the tags of links are that are not in prose
        self._labelled = False  # whether a label begins the flow
        self.flows: list[Flow] = []
        self.languages: list[Attribute] = []

    def read(self, tokens: list[Token]) -> None:
        """Read the whole document."""
        self._menus = frozenset(_menus(self._source, tokens))
        index = 0
        while index < len(tokens):
            token = tokens[index]
            index += 1
            if token.kind is TokenKind.OPEN:
                index = self._footnote_mark(tokens, index) or self._open(tokens, index)
            elif token.kind is TokenKind.EMPTY:
                self._open(tokens, index)
            elif token.kind is TokenKind.CLOSE:
                self._close(token)
            elif token.kind is TokenKind.TEXT and self._translates:
                self._words(token)
            elif self._translates and self._source.startswith(WRITES, token.start):
                self._reader.keep(token.start, token.end, self._source[token.start : token.end], ("", ""))
            elif token.kind is not TokenKind.TEXT and STATEMENT.match(self._source, token.start, token.end):
                self._finish()
            elif token.kind is not TokenKind.TEXT:
                if token.kind is TokenKind.RAW:
                    self._read_attributes(start_tag(self._source, token))
                self._reader.single(token.start, token.end, seen=token.name in SEEN)
        self._finish()

    @property
    def _translates(self) -> bool:
        return not self._stack or self._stack[-1][1]

    def _words(self, token: Token) -> None:
        """Read text; in it, tags of templates are kept as they are written."""
        done, in_word = token.start, False
        for found in TEMPLATE_TAGS.finditer(self._source, token.start, token.end):
            if done < found.start() and not (in_word and _ENDING.fullmatch(self._source, done, found.start())):
                self._reader.words(done, found.start(), unescape(self._source[done : found.start()]))
            tags = [*TEMPLATE_TAG.finditer(self._source, *found.span())]
            statements = [STATEMENT.match(tag[0]) is not None for tag in tags]
            for tag, is_statement in zip(tags, statements, strict=True) if any(statements) else [(found, False)]:
                if is_statement:
                    self._finish()
                else:
                    self._reader.keep(*tag.span(), tag[0], ("", ""))
            before = self._source[found.start() - 1 : found.start()]
            in_word = statements[-1] and before.isalpha() and not BRANCH.search(found[0])
            done = found.end()
        if done < token.end:
            self._reader.words(done, token.end, unescape(self._source[done : token.end]))

    def _open(self, tokens: list[Token], index: int) -> int:
        """Read a start tag, the token before `index`. Returns where to go on."""
        token = tokens[index - 1]
        is_block = token.name in BLOCKS
        is_empty = token.name in VOID or token.kind is TokenKind.EMPTY
        if is_block:
            self._finish()
            self._close_implied(token.name)
        else:
            self._begin_item(tokens, index)
        if self._is_icon(tokens, index):
            self._read_attributes(token)
            self._reader.single(token.start, tokens[index + 1].end, seen=True)
            return index + 2
        attributes = self._attributes_of(token)
        translates = self._is_translated(token, attributes)
        if not is_block and self._translates and not translates and not is_empty:
            if end := self._keep(tokens, index):
                return end
            self._finish()
        if translates:
            self._read_attributes(token, attributes)
        is_seen = token.name in SEEN or (token.name not in VOID and self._source.endswith("/>", 0, token.end))
        if is_empty:
            if not is_block:
                self._reader.single(token.start, token.end, seen=is_seen)
            return index
        if is_block:
            self._blocks.append(len(self._stack))
        else:
            self._reader.open(token.start, token.end, token.name, seen=is_seen)
        self._stack.append((token.name, translates))
        self._counts[token.name] = self._counts.get(token.name, 0) + 1
        return index

    def _is_icon(self, tokens: list[Token], index: int) -> bool:
        """Whether an element, whose start tag is before `index`, holds the name of a picture in a font for such."""
        token = tokens[index - 1]
        if token.kind is TokenKind.EMPTY or [one.kind for one in tokens[index : index + 2]] != _TEXT_AND_END:
            return False
        return token.name == "mat-icon" or _ICON.search(self._source, token.start, token.end) is not None

    def _begin_item(self, tokens: list[Token], index: int) -> None:
        """Begin another text, if an element, whose start tag is before `index`, does so within a block.

        Two links without a space between them are two items of a menu, wherever they are, and so are a link and another
        element with words that touch; and of labels before values, the second one ends the first one's value.
        """
        token, is_label = tokens[index - 1], self._is_label(tokens, index)
        is_item = index > 1 and tokens[index - 2].kind is TokenKind.CLOSE and self._is_item(tokens, index)
        if token.start in self._menus or is_item or (is_label and self._labelled):
            self._finish()
        if not self._reader.tail.strip():
            self._labelled = is_label

    def _is_item(self, tokens: list[Token], index: int) -> bool:
        """Whether an element, whose start tag is before `index` and after an end tag, is an item of a menu."""
        before, token = tokens[index - 2].name, tokens[index - 1].name
        if before == token == "a":
            return True
        text = next((one for one in tokens[index : index + _FAR] if one.kind is TokenKind.TEXT), None)
        if "a" not in {before, token} or token in {"sub", "sup"} or text is None:
            return False
        return all(
            map(_is_word_or_arrow, (self._reader.tail[-1:], unescape(self._source[text.start : text.end][:8])[:1]))
        )

    def _is_label(self, tokens: list[Token], index: int) -> bool:
        """Whether an element, whose start tag is before `index`, is what stands before a value: <b>Size:</b> 12."""
        if tokens[index - 1].name not in _BOLD or index + 1 >= len(tokens) or tokens[index].kind is not TokenKind.TEXT:
            return False
        text = self._source[tokens[index].start : tokens[index + 1].start]
        return tokens[index + 1].kind is TokenKind.CLOSE and bool(_VALUE_LABEL.fullmatch(text))

    def _close(self, token: Token) -> None:
        if token.name in BLOCKS:
            self._finish()
        elif self._translates:
            self._reader.close(token.start, token.end, token.name)
        if self._counts.get(token.name):
            translated = self._translates
            while self._pop() != token.name:
                pass
            if translated != self._translates:
                self._finish()
        if token.start in self._menus:
            self._finish()

    def _keep(self, tokens: list[Token], index: int) -> int:
        """Keep the element whole whose start tag is before `index`; 0 if it holds a block or does not end."""
        opening, depth, text = tokens[index - 1], 1, []
        for place in range(index, len(tokens)):
            token = tokens[place]
            if token.kind is TokenKind.TEXT:
                text.append(unescape(self._source[token.start : token.end]))
            elif token.name in BLOCKS:
                return 0
            elif token.name == opening.name and token.kind in {TokenKind.OPEN, TokenKind.CLOSE}:
                depth += 1 if token.kind is TokenKind.OPEN else -1
            if depth == 0:
                codes = self._source[opening.start : opening.end], self._source[token.start : token.end]
                self._reader.keep(opening.start, token.end, "".join(text), codes)
                return place + 1
        return 0

    def _footnote_mark(self, tokens: list[Token], index: int) -> int:
        """Read a footnote mark whose start tag is before `index`; 0 if that is none, else where to go on."""
        end = _end_of_raised(tokens, index) if self._translates else 0
        inside = tokens[index - 1 : end]
        following = self._source[inside[-1].end : inside[-1].end + 1] if inside else ""
        texts = (unescape(self._source[one.start : one.end]) for one in inside if one.kind is TokenKind.TEXT)
        linked = any(one.name == "a" for one in inside)
        if following.isalnum() or not is_footnote_mark("".join(texts), self._reader.tail, linked=linked):
            return 0
        for one in inside:
            if one.kind is TokenKind.OPEN:
                self._read_attributes(one)
        self._reader.single(inside[0].start, inside[-1].end)
        return end

    def _is_translated(self, token: Token, attributes: Mapping[str, Attribute]) -> bool:
        return is_translated(token.name, attributes, around=self._translates) and token.name not in self._ignored

    def _read_attributes(self, token: Token, attributes: Mapping[str, Attribute] | None = None) -> None:
        """Those of a start tag that name a page's language, and if they are asked for those that people read.

        Of a tag that is not read yet, as it says.
        """
        if token.name == "html" and not self.languages:
            self.languages = [one for one in attributes_of(self._source, token) if one.name in {"lang", "xml:lang"}]
        if not self._attributes:
            return
        if attributes is None:
            attributes = self._attributes_of(token)
            if not self._is_translated(token, attributes):
                return
        self.flows += [
            flow
            for one in attributes.values()
            if is_text(token.name, one, attributes) and (flow := self._attribute(one))
        ]

    def _attributes_of(self, token: Token) -> dict[str, Attribute]:
        if self._attributes or "translate" in self._source[token.start : token.end].lower():
            return {one.name: one for one in attributes_of(self._source, token)}
        return {}

    def _attribute(self, attribute: Attribute) -> Flow | None:
        text = " ".join(attribute.value.split())
        if not is_translatable(text) or self._source[attribute.start] == "{":  # an expression, as in label={a}
            return None
        if any(escape_attribute(tags[0]) != tags[0] for tags in TEMPLATE_TAGS.finditer(text)):
            return None  # could not be written so that the engine reads it
        if OPENS_TAG.search(TEMPLATE_TAGS.sub("", text)):
            return None  # a quotation mark within the tag has ended the value: title="{% translate "Edit" %}"
        return Flow(attribute.start, attribute.end, Block(text), write_attribute)

    def _close_implied(self, name: str) -> None:
        """Some start tags end an element before them, whose end tag may be left out."""
        while self._blocks:
            last = self._stack[self._blocks[-1]][0]
            if not is_closed_by(last, name):
                return
            while self._pop() != last:
                pass

    def _pop(self) -> str:
        name, _ = self._stack.pop()
        self._counts[name] -= 1
        if self._blocks and self._blocks[-1] == len(self._stack):
            self._blocks.pop()
        return name

    def _finish(self) -> None:
        self._labelled = False
        if flow := self._reader.finish():
            self.flows.append(flow)


def _menus(source: str, tokens: list[Token]) -> Iterator[int]:
    """Where the tags of links begin that are the items of a menu: several, and hardly a word but theirs.

    Elements that a page has made up, such as `my-button`, are taken for such items likewise.
    """
    tags: list[Token] = []
    is_prose = in_link = False
    for token in tokens:
        if token.name in BLOCKS:
            yield from _items(tags, is_prose=is_prose)
            tags, is_prose, in_link = [], False, False
        elif token.name in {"a", "slot"} or "-" in token.name:
            tags.append(token)
            in_link = token.kind is TokenKind.OPEN
        elif token.kind is TokenKind.TEXT and not in_link and not is_prose:
            is_prose = not _NO_PROSE.fullmatch(unescape(source[token.start : token.end]))
    yield from _items(tags, is_prose=is_prose)


def _items(tags: list[Token], *, is_prose: bool) -> list[int]:
    several = sum(tag.kind is TokenKind.OPEN for tag in tags) > 1
    return [tag.start for tag in tags] if several and not is_prose else []


def _end_of_raised(tokens: list[Token], index: int) -> int:
    """The index after a `sup`, or a link around one, whose start tag is before `index`; 0 if it is neither, or long."""
    opening = tokens[index - 1]
    if opening.name != "sup" and (opening.name != "a" or index == len(tokens) or tokens[index].name != "sup"):
        return 0
    depth = 1
    for place in range(index, min(index + _MOST_IN_MARK, len(tokens))):
        token = tokens[place]
        if token.name in BLOCKS or token.kind is TokenKind.RAW:
            return 0
        if token.kind in {TokenKind.OPEN, TokenKind.CLOSE} and token.name not in VOID:
            depth += 1 if token.kind is TokenKind.OPEN else -1
        if depth == 0:
            whole = token.name == opening.name and "sup" in {opening.name, tokens[place - 1].name}
            return place + 1 if whole else 0
    return 0


def _is_word_or_arrow(char: str) -> bool:
    return char.isalnum() or char in {*"«»‹›←→…"}
