"""Text with inline markup, as HTML and Markdown have it, found at its place in a document.

A `FlowReader` is told what stands where: words, markup, text that must be kept. It makes a `Flow` of it, which has
the `Block` that people read, white space as they see it. A `FlowDocument` is a source with flows in it; what is in
no flow, and every flow whose block comes back as it was, stays byte for byte.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from service.formats.footnotes import TAIL
from service.formats.slots import is_translatable, with_spaces
from service.types import FORBIDDEN, Block, Inline, InlineKind, Span

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from service.types import Document

__all__ = ["Flow", "FlowDocument", "FlowReader", "Woven"]

_SPACE = re.compile(r"[ \t\n\r\f]+")
_INVISIBLE = re.compile(rf"[{FORBIDDEN}\u00ad]")
"""What no text may hold but a character reference can write; soft hyphens."""
_BLANK = r"[\s\u034f\u200b-\u200f\u2060\ufeff]"
"""White space, and what has no width. Mails fill up with both what is shown of them before they are opened."""
_LEADING, _TRAILING = re.compile(rf"{_BLANK}+"), re.compile(rf"(?<!{_BLANK}){_BLANK}+\Z")
_UNSEEN = re.compile(rf"(?:{_BLANK}|\u00ad)+")
_REFERENCE = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});")
_LONGEST_REFERENCE = 34


@dataclass(slots=True, eq=False)
class _Part:
    """What stands at `start` to `end` of the source: words, markup, or (with `opening`) an element to keep whole.

    `name`, of markup, is that of its element, `code` how it is written if not as in the source. `_pair` sets `element`,
    and `half`: which end it is, where it has become a `SINGLE` because the other end is missing.
    `seen` is markup that takes up room in the line, like a picture. Where there is a space on either side of it, or of
    an element without text, `space_before` and `space_after` say so.
    """

    start: int
    end: int
    text: str = ""
    kind: InlineKind | None = None
    name: str = ""
    code: str = ""
    opening: str | None = None
    closing: str = ""
    element: int = -1
    half: InlineKind | None = None
    seen: bool = False
    space_before: bool = False
    space_after: bool = False

    @property
    def is_words(self) -> bool:
        return self.kind is None and self.opening is None

    @property
    def is_visible(self) -> bool:
        return self.kind is None and bool(_stripped(self.text))


class Woven(NamedTuple):
    """A piece of a flow as its document writes it.

    `text` is what people read of it, `kind` that of markup, `half` says which end a `SINGLE` is of an element whose
    other end is elsewhere.
    """

    written: str
    text: str
    kind: InlineKind | None = None
    name: str = ""
    half: InlineKind | None = None


@dataclass(frozen=True, slots=True)
class Flow:
    """A block at its place in the source. `marks` has what an inline of it stands for, by its element and kind."""

    start: int
    end: int
    block: Block
    write: Callable[[Flow, Block, Callable[[int, int], str]], str]
    marks: dict[tuple[int, InlineKind], _Part] = field(default_factory=dict)

    def weave(self, block: Block, escape: Callable[[str], str], rewritten: Callable[[int, int], str]) -> list[Woven]:
        """Markup and escaped text, in order.

        Args:
            block: the flow's, translated.
            escape: makes text a part of the document.
            rewritten: gives a part of the source, what is nested in it translated.
        """
        pieces: list[Woven] = []
        done, written = 0, -1
        for inline, following in zip(block.inlines, (*block.inlines[1:], None), strict=False):
            text, done = block.text[done : inline.at], max(done, inline.at)
            if inline.element == written:  # the end of a kept element that is written already
                continue
            if text:
                pieces.append(Woven(escape(text), text))
            part = self.marks[inline.element, inline.kind]
            if part.opening is None:
                code = part.code or rewritten(part.start, part.end)
                code = with_spaces(code, block.text, inline.at, before=part.space_before, after=part.space_after)
                pieces.append(Woven(code, part.text, inline.kind, part.name, part.half))
            elif inline.kind is InlineKind.CLOSE:
                pieces.append(Woven(part.closing, "", inline.kind))
            elif following and (following.element, block.text[inline.at : following.at]) == (inline.element, part.text):
                pieces.append(Woven(rewritten(part.start, part.end), part.text, InlineKind.SINGLE, part.name))
                written = inline.element
            else:
                pieces.append(Woven(part.opening, "", inline.kind))
        if text := block.text[done:]:
            pieces.append(Woven(escape(text), text))
        return pieces


class FlowReader:
    """Collects the parts of a flow, in order."""

    def __init__(self, source: str, write: Callable[[Flow, Block, Callable[[int, int], str]], str]) -> None:
        self._source = source
        self._write = write
        self._parts: list[_Part] = []
        self.tail = ""

    def words(self, start: int, end: int, text: str) -> None:
        """Text, escapes resolved. The last of it is then in `tail`."""
        self._parts.append(_Part(start, end, _visible(text)))
        self._end_with(text)

    def keep(self, start: int, end: int, text: str, codes: tuple[str, str]) -> None:
        """An element whose text must not be translated; `codes` are its ends."""
        core = _stripped(text)
        if not core:
            self.single(start, end, seen=True)
            return
        if text[0].isspace():
            self._parts.append(_Part(start, start, " "))
        self._parts.append(_Part(start, end, _visible(core), opening=codes[0], closing=codes[1]))
        if text[-1].isspace():
            self._parts.append(_Part(end, end, " "))
        self._end_with(text)

    def open(self, start: int, end: int, name: str, *, seen: bool = False) -> None:
        """The start of an element; the next `close` of that name ends it. `seen` as in `single`."""
        self._parts.append(_Part(start, end, kind=InlineKind.OPEN, name=name, seen=seen))

    def close(self, start: int, end: int, name: str, code: str = "") -> None:
        """The end of an element, written as `code` once the flow has changed."""
        self._parts.append(_Part(start, end, kind=InlineKind.CLOSE, name=name, code=code))

    def single(self, start: int, end: int, text: str = "", *, seen: bool = False) -> None:
        """Markup that stands for itself, whatever `text` is in it; `seen` if it takes up room, as a picture does."""
        self._parts.append(_Part(start, end, text, InlineKind.SINGLE, seen=seen))

    def finish(self) -> Flow | None:
        """The flow so far, and begin another. None if there was nothing in it to translate."""
        parts, self._parts, self.tail = self._parts, [], ""
        if not any(part.is_words and is_translatable(part.text) for part in parts):
            return None
        _pair(parts)
        parts = _without_edges(parts)
        first, last = parts[0], parts[-1]
        start = self._after_space(first) if first.is_words else first.start
        end = self._before_space(last) if last.is_words else last.end
        flow = Flow(start, end, _block(parts, self._source), self._write)
        for part in parts:
            if part.opening is not None:
                flow.marks[part.element, InlineKind.OPEN] = flow.marks[part.element, InlineKind.CLOSE] = part
            elif part.kind:
                flow.marks[part.element, part.kind] = part
        return flow

    def _end_with(self, text: str) -> None:
        self.tail = (self.tail + text[-TAIL:])[-TAIL:]

    def _after_space(self, part: _Part) -> int:
        start = part.start
        while start < part.end:
            reference = _REFERENCE.match(self._source, start, part.end)
            end = reference.end() if reference else start + 1
            if not _is_unseen(self._source[start:end]):
                break
            start = end
        return start

    def _before_space(self, part: _Part) -> int:
        end = part.end
        while end > part.start:
            start = self._source.rfind("&", max(part.start, end - _LONGEST_REFERENCE), end)
            if start < 0 or not _REFERENCE.fullmatch(self._source, start, end):
                start = end - 1
            if not _is_unseen(self._source[start:end]):
                break
            end = start
        return end


class FlowDocument:
    """A source with flows in it. They are in order; one may lie within the markup of another.

    `edits` say by which text a stretch outside of all flows is replaced.
    """

    def __init__(self, source: str, flows: Sequence[Flow], edits: Mapping[Span, str] | None = None) -> None:
        self._source = source
        self._edits = edits or {}
        self._flows = sorted(flows, key=lambda flow: (flow.start, -flow.end))
        self._starts = [flow.start for flow in self._flows]
        self.blocks = tuple(flow.block for flow in self._flows)

    def towards(self, _source: str, _target: str) -> Document:
        """See `service.formats.Document`."""
        return self

    def render(self, blocks: Sequence[Block]) -> str:
        """See `service.formats.Document`."""
        if len(blocks) != len(self.blocks):
            msg = f"{len(blocks)} blocks for {len(self.blocks)}"
            raise ValueError(msg)

        def inside(start: int, end: int) -> str:
            return rewritten(start, end, range(bisect_right(self._starts, start), bisect_left(self._starts, end)))

        def rewritten(start: int, end: int, indices: range) -> str:
            pieces, done = [], start
            for index in indices:
                flow = self._flows[index]
                if flow.start >= done and blocks[index] != flow.block:
                    pieces += [self._edited(done, flow.start), flow.write(flow, blocks[index], inside)]
                    done = flow.end
            return "".join((*pieces, self._edited(done, end)))

        return rewritten(0, len(self._source), range(len(blocks)))

    def _edited(self, start: int, end: int) -> str:
        """A stretch of the source, edits made."""
        pieces, done = [], start
        for span, text in self._edits.items():
            if done <= span.start and span.end <= end:
                pieces += [self._source[done : span.start], text]
                done = span.end
        return "".join((*pieces, self._source[done:end]))


def _pair(parts: list[_Part]) -> None:
    """Number the elements. What lacks its other end, or crosses another element, is left for itself."""
    pending: dict[str, int] = {}
    paired: set[int] = set()
    stack: list[_Part] = []
    for index, part in enumerate(parts):
        part.element = index
        if part.kind is InlineKind.OPEN:
            stack.append(part)
            pending[part.name] = pending.get(part.name, 0) + 1
        elif part.kind is InlineKind.CLOSE and pending.get(part.name):
            while stack:
                other = stack.pop()
                pending[other.name] -= 1
                if other.name == part.name:
                    part.element = other.element
                    paired |= {index, other.element}
                    break
    for index, part in enumerate(parts):
        if part.kind in {InlineKind.OPEN, InlineKind.CLOSE} and index not in paired:
            part.kind, part.half = InlineKind.SINGLE, part.kind


def _without_edges(parts: list[_Part]) -> list[_Part]:
    """Without the markup before and after all text, unless its other end is inside."""
    visible = [index for index, part in enumerate(parts) if part.is_visible]
    first, last = visible[0], visible[-1]
    closed = {part.element for part in (*parts[:first], *parts[last + 1 :]) if part.kind is InlineKind.CLOSE}
    dropped = {part.element for part in parts[last + 1 :] if part.kind is InlineKind.OPEN}
    start, end = 0, len(parts)
    while start < first:
        part = parts[start]
        if part.kind is InlineKind.OPEN and part.element not in closed:
            break
        dropped.add(part.element)
        start += 1
    while end - 1 > last:
        part = parts[end - 1]
        if part.kind is InlineKind.CLOSE and part.element not in dropped:
            break
        end -= 1
    return parts[start:end]


def _block(parts: list[_Part], source: str) -> Block:
    """What people read: white space is one space each, none at the edges."""
    texts: list[str] = []
    inlines: list[Inline] = []
    kept: list[Span] = []
    length, spaced = 0, True
    since: list[_Part] = []  # marks since the last text
    for part in parts:
        code = part.code or source[part.start : part.end]
        if part.opening is not None:
            span = Span(length, length + len(part.text))
            inlines.append(Inline(span.start, part.opening, InlineKind.OPEN, part.element))
            inlines.append(Inline(span.end, part.closing, InlineKind.CLOSE, part.element))
            kept.append(span)
            text = part.text
        elif part.kind:
            inlines.append(Inline(length, code, part.kind, part.element))
            since.append(part)
            continue
        else:
            text = part.text
            if spaced and text.startswith(" "):
                text = text[1:]
                _note_spaces(since)
                since = []
        if text:
            texts.append(text)
            length += len(text)
            spaced = text.endswith(" ")
            since = []
    full = "".join(texts)
    lead = len(found[0]) if (found := _LEADING.match(full)) else 0
    text = _stripped(full)
    return Block(
        text,
        tuple(Inline(min(max(one.at - lead, 0), len(text)), one.code, one.kind, one.element) for one in inlines),
        tuple(Span(span.start - lead, span.end - lead) for span in kept),
    )


def _note_spaces(marks: Sequence[_Part]) -> None:
    """Between these marks there is no text, before and after them a space: note it where people see both."""
    closed = {mark.element for mark in marks if mark.kind is InlineKind.CLOSE}
    seen: list[_Part] = []
    depth = 0  # of elements without text
    for mark in marks:
        is_end = mark.kind is InlineKind.CLOSE and depth > 0
        is_start = mark.kind is InlineKind.OPEN and (depth > 0 or mark.element in closed)
        seen += [mark] if is_start or is_end or mark.seen else []
        depth += is_start - is_end
    if seen:
        seen[0].space_before = seen[-1].space_after = True


def _visible(text: str) -> str:
    return _INVISIBLE.sub("", _SPACE.sub(" ", text))


def _stripped(text: str) -> str:
    """Without what is blank at its ends."""
    found = _LEADING.match(text)
    return _TRAILING.sub("", text[found.end() if found else 0 :])


def _is_unseen(written: str) -> bool:
    """Whether a character, or a reference to one, is blank or a soft hyphen."""
    return _UNSEEN.fullmatch(html.unescape(written)) is not None
