"""A document as literal text with slots in it, and blocks made from text and markup."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from service.formats.document import is_language
from service.types import FORBIDDEN, Block, Inline, InlineKind, Span

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Sequence

    from service.types import Document

__all__ = [
    "BlockBuilder",
    "LabelledDocument",
    "Slot",
    "SlottedDocument",
    "is_translatable",
    "line_end",
    "lines_of",
    "peel",
    "spaced",
    "weave",
    "with_codes",
    "with_spaces",
]

_CLOSERS = ".,;:!?)]}…»”’"
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_SEPARATED = re.compile(r"\d[.,]\d")
_UNTRANSLATABLE = re.compile(f"[{FORBIDDEN}]")
"""An escape can write it."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for a block. `write` gives what stands there; `raw` stands there as long as the block is as it was.

    `raw` is None where translations stand beside their sources: there is nothing yet.
    """

    block: Block
    write: Callable[[Block], str]
    raw: str | None = None


class SlottedDocument:
    """Literal text with slots."""

    def __init__(self, parts: Sequence[str | Slot]) -> None:
        self._parts = parts
        self.blocks = tuple(part.block for part in parts if isinstance(part, Slot))

    def towards(self, _source: str, _target: str) -> Document:
        """See `service.formats.Document`."""
        return self

    def render(self, blocks: Sequence[Block]) -> str:
        """See `service.formats.Document`."""
        if len(blocks) != len(self.blocks):
            msg = f"{len(blocks)} blocks for {len(self.blocks)} slots"
            raise ValueError(msg)
        remaining = iter(blocks)
        return "".join(part if isinstance(part, str) else _fill(part, next(remaining)) for part in self._parts)


class LabelledDocument(SlottedDocument):
    """One that says which language it is in.

    Args:
        parts: as of any.
        label: finds what says so; its group is the language, and what is found ends with it.
        within: which parts may have it.
    """

    def __init__(self, parts: Sequence[str | Slot], label: re.Pattern[str], within: Container[int]) -> None:
        super().__init__(parts)
        self._label = label
        self._within = within

    def towards(self, source: str, target: str) -> SlottedDocument:
        """See `service.formats.Document`."""

        def renamed(found: re.Match[str]) -> str:
            return found[0].removesuffix(found[1]) + target if is_language(found[1], source) else found[0]

        return SlottedDocument(
            [
                self._label.sub(renamed, part) if isinstance(part, str) and index in self._within else part
                for index, part in enumerate(self._parts)
            ]
        )


class BlockBuilder:
    """Puts a block together from its text and markup, in order.

    An end of an element that lacks the other end, or lies across another element, becomes a `SINGLE`. So do
    characters that no text may hold, written by `escape`.
    """

    def __init__(self, escape: Callable[[str], str]) -> None:
        self._escape = escape
        self._text: list[str] = []
        self._length = 0
        self._inlines: list[Inline] = []
        self._kept: list[Span] = []
        self._open: list[tuple[str, int]] = []
        self._open_names: dict[str, int] = {}

    @property
    def length(self) -> int:
        """Of the text so far."""
        return self._length

    def text(self, text: str) -> None:
        """Text without markup, escapes resolved."""
        done = 0
        for found in _UNTRANSLATABLE.finditer(text):
            self._append(text[done : found.start()])
            self.single(self._escape(found.group()))
            done = found.end()
        self._append(text[done:])

    def keep(self, text: str) -> None:
        """Text that must not be translated."""
        start = self._length
        self.text(text)
        self.keep_from(start)

    def keep_from(self, start: int) -> None:
        """Text from `start` to here must not be translated; nothing before it may be kept later."""
        while self._kept and self._kept[-1].start >= start:
            self._kept.pop()
        if self._length > start:
            self._kept.append(Span(start, self._length))

    def single(self, code: str) -> int:
        """Markup that stands for itself. Returns its element."""
        self._mark(code, InlineKind.SINGLE)
        return self._inlines[-1].element

    def open(self, code: str, name: str) -> None:
        """The start of an element; the next `close` of that name ends it."""
        self._open.append((name, len(self._inlines)))
        self._open_names[name] = self._open_names.get(name, 0) + 1
        self._mark(code, InlineKind.SINGLE)  # until its end is found

    def close(self, code: str, name: str) -> None:
        """The end of an element."""
        if not self._open_names.get(name):
            self.single(code)
            return
        while True:
            top, index = self._open.pop()
            self._open_names[top] -= 1
            if top == name:
                break
        opening = self._inlines[index]
        self._inlines[index] = replace(opening, kind=InlineKind.OPEN)
        self._inlines.append(Inline(self._length, code, InlineKind.CLOSE, opening.element))

    def build(self) -> Block:
        """The block of everything so far."""
        return Block("".join(self._text), tuple(self._inlines), tuple(self._kept))

    def _append(self, text: str) -> None:
        self._text.append(text)
        self._length += len(text)

    def _mark(self, code: str, kind: InlineKind) -> None:
        self._inlines.append(Inline(self._length, code, kind, len(self._inlines)))


def weave(block: Block, escape: Callable[[str], str]) -> str:
    """The block as its document writes it: the text escaped, the markup as it is."""
    parts = []
    done = 0
    for inline in sorted(block.inlines, key=lambda inline: inline.at):
        parts += [escape(block.text[done : inline.at]), inline.code]
        done = inline.at
    parts.append(escape(block.text[done:]))
    return "".join(parts)


def peel(block: Block) -> tuple[str, Block, str]:
    """Take off the markup that begins or ends the block or is around all of it: (before, the rest, after)."""
    inlines, end = block.inlines, len(block.text)
    first, last = 0, len(inlines)
    while first < last:
        head, tail = inlines[first], inlines[last - 1]
        if head.at == 0 and head.kind is InlineKind.SINGLE:
            first += 1
        elif tail.at == end and tail.kind is InlineKind.SINGLE:
            last -= 1
        elif head.at == 0 and tail.at == end and head.element == tail.element:
            first, last = first + 1, last - 1
        else:
            break
    before = "".join(inline.code for inline in inlines[:first])
    after = "".join(inline.code for inline in inlines[last:])
    return before, replace(block, inlines=inlines[first:last]), after


def with_spaces(code: str, text: str, at: int, *, before: bool = True, after: bool = True) -> str:
    """Markup before character `at` of a text, with a space on these sides where the text lacks and needs it."""
    left = " " if before and at > 0 and not text[at - 1].isspace() else ""
    right = " " if after and at < len(text) and not text[at].isspace() and text[at] not in _CLOSERS else ""
    return f"{left}{code}{right}"


def spaced(block: Block, elements: Container[int]) -> Block:
    """The block with a space on either side of the markup of these elements, where it needs one."""
    inlines = tuple(
        replace(one, code=with_spaces(one.code, block.text, one.at)) if one.element in elements else one
        for one in block.inlines
    )
    return replace(block, inlines=inlines)


def with_codes(block: Block, codes: Sequence[tuple[str, str]], known: re.Pattern[str]) -> Block:
    """The block with markup in the place of the words that stood for it. None is lost: at worst it is at the end.

    Args:
        block: has the words.
        codes: each word, and the markup that it stands for, in order.
        known: finds all of the words.
    """
    if not codes:
        return block
    waiting: dict[str, deque[str]] = {}
    for word, code in codes:
        waiting.setdefault(word, deque()).append(code)
    text: list[str] = []
    inlines: list[Inline] = []
    remaining = deque(sorted(block.inlines, key=lambda inline: inline.at))
    done = length = 0
    for found in known.finditer(block.text):
        if not (codes_left := waiting.get(found[0])):
            continue
        while remaining and remaining[0].at <= found.start():
            inline = remaining.popleft()
            inlines.append(replace(inline, at=length + max(0, inline.at - done)))
        text.append(block.text[done : found.start()])
        length += found.start() - done
        done = found.end()
        inlines.append(Inline(length, codes_left.popleft(), InlineKind.SINGLE, -1))
    text.append(block.text[done:])
    inlines += [replace(inline, at=length + max(0, inline.at - done)) for inline in remaining]
    end = length + len(block.text) - done
    inlines += [Inline(end, code, InlineKind.SINGLE, -1) for rest in waiting.values() for code in rest]
    return replace(block, text="".join(text), inlines=tuple(inlines))


def is_translatable(text: str) -> bool:
    """Is there a letter in it, or a number that the other language may write otherwise?"""
    return any(map(str.isalpha, text)) or bool(_SEPARATED.search(text))


def lines_of(text: str) -> list[str]:
    """Its lines, with what ends them. Only CR, LF and both together end one."""
    return _LINE.findall(text)


def line_end(line: str) -> str:
    """What ends a line, if anything."""
    return line[len(line.rstrip("\r\n")) :]


def _fill(slot: Slot, block: Block) -> str:
    if slot.raw is not None and block.text == slot.block.text and block.inlines == slot.block.inlines:
        return slot.raw
    return slot.write(block)
