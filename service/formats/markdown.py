"""Markdown: CommonMark with tables, strikethrough, front matter, footnotes, task lists and HTML inside.

Headings, paragraphs, list items and cells are the blocks. Emphasis and links follow their words; addresses, code,
front matter and definitions of references stay byte for byte. A paragraph of several lines becomes one line once it
is translated, but for what other flavours read line by line: footnotes, definitions, fences of admonitions, formulas.
What has been written is read again, to be sure that it says what it should. Links to headings of the document follow
them, if their anchors are made as GitHub makes them.

Titles of links and admonitions, and values in front matter, are not text. HTML in a quotation is text only where it has
one line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from service.formats.document import BYTE_ORDER_MARK, Cut
from service.formats.flow import FlowDocument
from service.formats.html import html_flows
from service.formats.markdown_anchors import anchors_of
from service.formats.markdown_inline import InlineReader
from service.formats.markdown_tokens import markdown
from service.formats.markdown_writing import LINE_START, Container, MarkdownWriter
from service.formats.slots import is_translatable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markdown_it.token import Token

    from service.formats.flow import Flow
    from service.types import Block

__all__ = ["cut_markdown", "parse_markdown"]

_FRONT_MATTER = re.compile(
    r"(?:\ufeff)?(---|\+\+\+)[ \t]*(?:\r\n|\n|\r)(?:[\s\S]*?(?:\r\n|\n|\r))?\1[ \t]*(?:\r\n|\n|\r|\Z)"
)
_SETTINGS = re.compile(r"(?:[a-z][\w-]*:(?: .*)?(?:\n|\Z))+")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|\Z)")


def parse_markdown(source: str, *, attributes: bool = False) -> FlowDocument:
    """See `service.formats.parse`. With `attributes`, those of HTML inside that people read are text too."""
    body, tokens, references = _tokens(source)
    reader = _MarkdownReader(source, body, references, attributes=attributes)
    reader.read(tokens)
    return _MarkdownDocument(source, reader, anchors_of(tokens))


def cut_markdown(source: str) -> Iterator[Cut]:
    """See `service.formats.split`. At a blank line between two blocks that are in no other.

    Each part has the definitions of all references: the first at its end, for it may begin with front matter, the last
    at its beginning, for it may end with code that is open. A blank line keeps other parts from having front matter.
    """
    body, tokens, references = _tokens(source)
    starts = [found.start() for found in _LINE.finditer(source, body)]
    definitions = "".join(f"[{label}]: <{one['href']}>\n" for label, one in references.items())
    yield Cut(0)
    for token in tokens:
        line = token.map[0] if token.map and token.level == 0 else 0
        if line and not source[starts[line - 1] : starts[line]].strip(" \t\r\n"):
            yield Cut(starts[line], closing=definitions, opening=f"{definitions}\n")
    yield Cut(len(source))


def _tokens(source: str) -> tuple[int, list[Token], dict[str, Any]]:
    """Where what is before the text ends, the tokens of what follows, and the definitions of references."""
    front = _FRONT_MATTER.match(source)
    body = front.end() if front else int(source.startswith(BYTE_ORDER_MARK))
    environment: dict[str, Any] = {}
    tokens = markdown().parse(source[body:], environment)
    return body, tokens, environment.get("references", {})


@dataclass(frozen=True, slots=True)
class _Content:
    """The content of one block, and where in the source each of its characters is."""

    text: str
    offsets: Sequence[int]
    begins_line: bool = False


class _MarkdownReader:
    def __init__(self, source: str, body: int, references: dict[str, Any], *, attributes: bool) -> None:
        self._source = source
        self._attributes = attributes
        self._lines = [found.span() for found in _LINE.finditer(source, body)]
        self._writers = {container: MarkdownWriter(source, references, container) for container in Container}
        self.flows: list[Flow] = []
        self.fragments: list[tuple[int, int]] = []

    def read(self, tokens: Sequence[Token]) -> None:
        """Read all blocks."""
        cells: Iterator[_Content] = iter(())
        for index, token in enumerate(tokens):
            if token.type == "tr_open" and token.map:
                cells = self._cells(token.map[0])
            elif token.type == "html_block" and (place := self._html(token)):
                self.flows += html_flows(self._source, *place, attributes=self._attributes)
            elif token.type == "inline" and token.map and is_translatable(token.content):
                before = tokens[index - 1]
                if before.markup == "-" and self._are_settings(token, token.map[0]):
                    continue
                if before.type in {"th_open", "td_open"}:
                    container, content = _cell(token.content, cells)
                elif before.type == "heading_open" and before.markup.startswith("#"):
                    container, content = Container.HEADING, self._heading(token)
                else:
                    container = Container.UNDERLINED if before.type == "heading_open" else Container.PARAGRAPH
                    content = self._paragraph(token)
                if content:
                    writer = self._writers[container]
                    reader = InlineReader(
                        self._source, content.text, content.offsets, writer, attributes=self._attributes
                    )
                    self.flows += reader.read(token.children or ())
                    self.fragments += reader.fragments

    def _are_settings(self, heading: Token, first: int) -> bool:
        """Whether what CommonMark takes for an underlined heading is the front matter of a slide, between two lines."""
        return first > 0 and self._line(first - 1)[1] == "---" and bool(_SETTINGS.fullmatch(heading.content))

    def _line(self, number: int) -> tuple[int, str]:
        """Where a line of the body begins, and the line."""
        start, end = self._lines[number]
        return start, self._source[start:end].rstrip("\r\n")

    def _html(self, token: Token) -> tuple[int, int] | None:
        """Where a block of HTML begins and ends. None if quotation marks stand between its lines."""
        if token.map is None:
            return None
        first, last = token.map
        for number, content in enumerate(token.content.split("\n")[1 : last - first], first + 1):
            _, line = self._line(number)
            if line[: len(line) - len(content.lstrip())].strip():
                return None
        start, line = self._line(first)
        # Before it on its line may stand marks of what it is in.
        return start + max(line.find("<"), 0), self._lines[last - 1][1]

    def _paragraph(self, token: Token) -> _Content | None:
        """Each line of the content is the end of one of the source; before it are indentation and quotation marks."""
        offsets: list[int] = []
        for number, content in enumerate(token.content.split("\n"), token.map[0] if token.map else 0):
            start, line = self._line(number)
            text = content.lstrip()
            place = len(line.rstrip()) - len(text.rstrip())
            if not line.startswith(text, place):
                return None
            # A tab before it may have been cut in two, and become spaces of which there are none in the source.
            offsets += (start + max(place - 1, 0) for _ in range(len(content) - len(text)))
            offsets += range(start + place, start + place + len(text))
            offsets.append(start + len(line))  # the line break
        offsets.pop()
        return _Content(token.content, offsets)

    def _heading(self, token: Token) -> _Content | None:
        """Nothing that stands before a heading's text on its line has letters; the text has."""
        start, line = self._line(token.map[0] if token.map else 0)
        place = line.find(token.content)
        if place < 0:
            return None
        return _Content(token.content, range(start + place, start + place + len(token.content)))

    def _cells(self, number: int) -> Iterator[_Content]:
        """What stands between the bars of a line, an escaped bar being text."""
        start, line = self._line(number)
        text: list[str] = []
        offsets: list[int] = []
        begins_line = True
        for place, character in enumerate(line):
            escaped = line[place - 1 : place] == "\\"
            if character == "|" and not escaped:
                yield _Content("".join(text), offsets, begins_line)
                text, offsets, begins_line = [], [], False
                continue
            if character == "|":
                text.pop()
                offsets.pop()
            text.append(character)
            offsets.append(start + place)
        yield _Content("".join(text), offsets, begins_line)


class _MarkdownDocument(FlowDocument):
    def __init__(self, source: str, reader: _MarkdownReader, anchors: list[str]) -> None:
        super().__init__(source, reader.flows)
        linked = {unquote(source[start:end]) for start, end in reader.fragments}
        self._anchors = anchors if linked.intersection(anchors) else []  # of headings, if there are links to them

    def render(self, blocks: Sequence[Block]) -> str:
        """See `service.formats.Document`."""
        written = super().render(blocks)
        return self._linked(written) if self._anchors else written

    def _linked(self, written: str) -> str:
        """The document as it was written, its links leading to what has become of the headings."""
        body, tokens, references = _tokens(written)
        anchors = anchors_of(tokens)
        if anchors == self._anchors or len(anchors) != len(self._anchors):
            return written
        now = dict(zip(self._anchors, anchors, strict=True))
        reader = _MarkdownReader(written, body, references, attributes=False)
        reader.read(tokens)
        parts, done = [], 0
        for start, end in sorted(reader.fragments):
            if anchor := now.get(unquote(written[start:end])):
                parts += [written[done:start], anchor]
                done = end
        return "".join((*parts, written[done:]))


def _cell(content: str, cells: Iterator[_Content]) -> tuple[Container, _Content | None]:
    """Find a cell: it is the next of these. Before the first stands what the table stands in, and maybe no bar."""
    for cell in cells:
        text = cell.text.strip()
        if text.endswith(content) and not any(map(str.isalnum, text[: len(text) - len(content)])):
            place = len(cell.text.rstrip()) - len(content)
            found = _Content(content, cell.offsets[place : place + len(content)])
            bare = cell.begins_line and not LINE_START.match(content)
            return (Container.BARE_CELL if bare else Container.CELL), found
    return Container.CELL, None
