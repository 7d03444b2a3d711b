"""What stands in a source of an XLIFF document: text and inline elements, and the target made from it.

Elements around text (`g`, `pc`, `mrk`) and those that stand for formatting become inlines. Those that stand for a
value ("{0}", "%s", "{{ name }}"), or in the place of a word for nobody knows what, become text that is not to be
translated: a sentence is read with a word there. Those that break the line end a sentence.
The sign that marks a key in an interface string is kept, see `service.formats.accelerators`.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from service.formats.accelerators import put_back, take_out
from service.formats.slots import BlockBuilder, Slot, is_translatable, spaced, with_codes
from service.types import InlineKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from service.types import Block

__all__ = ["Content", "written_attributes", "written_target"]

_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SPACE = re.compile(r"\s+")
_ATTRIBUTE = re.compile(r"""(?<!\s)\s+([^\s=/>]+)\s*=\s*("[^"]*"|'[^']*')""")
_PAIRED = {"g", "pc", "mrk"}
_OPENING = {"bx": "rid", "bpt": "rid", "sc": "id", "sm": "id"}
_CLOSING = {"ex": "rid", "ept": "rid", "ec": "startRef", "em": "startRef"}
_ANGULAR = re.compile(r"(START|CLOSE)_(.+?)(?:_\d+)?")
"""What Angular names the ends of its elements; the number is that of the start tag."""
_VALUE = re.compile(
    r"\{\s?\w{1,40}, (?:plural|select),.{1,300}\}"
    r"|\{\{[^{}]{1,80}\}\}|\$?\{[^{}]{1,80}\}|%[\w.-]{1,40}%|%\(\w{1,40}\)[a-zA-Z]"
    r"|%(?:\d{1,2}\$)?[#0+-]*\d*(?:\.\d+)?(?:hh|ll|[hlqzt])?[@a-zA-Z]"
)
_BREAK = re.compile(r"\s*<br\b", re.IGNORECASE)
_ID = re.compile(r"[\w.-]{1,40}")
_BEFORE_WORD = re.compile(r"[\s(\[{<\"'„“”‚‘’«»‹›/=#@$€£–—-]\Z")
_AFTER_WORD = re.compile(r"[\s.,;:!?)\]}>\"'…“”‘’«»‹›/%°€–—-]")


@dataclass(slots=True)
class _Mark:
    """Markup, as written: bytes `start` to `end`. `value` is what it stands for in the text, if it does.

    `stand_in` is the value of what tells nothing of itself, should it stand where a word does.
    """

    kind: InlineKind
    start: int
    end: int
    name: str = ""
    value: str = ""
    stand_in: str = ""
    keep: bool = False
    breaks_line: bool = False


@dataclass(frozen=True, slots=True)
class _Layout:
    """Elements of a block that stand for a line break, with one after them, and those with a space on either side."""

    breaks: set[int] = field(default_factory=set)
    spaced: set[int] = field(default_factory=set)


@dataclass(slots=True)
class _Segment:
    """Bytes `start` to `end`, read as one text."""

    start: int
    items: list[str | _Mark] = field(default_factory=list)
    end: int = 0


@dataclass(slots=True)
class _Open:
    """An inline element being read."""

    name: str
    mark: _Mark
    segment: bool = False


class Content:
    """The content of one `source`, `seg-source` or `target`, told of its parts as they are read.

    Args:
        data: the document.
        version: of XLIFF, 1 or 2.
        natives: for each `dataRef` of XLIFF 2, what stands in the original.
        preserve: line breaks and runs of spaces mean what they look like.
        segmented: segments are marked in it.
        line_end: what ends the document's lines.
    """

    def __init__(
        self, data: bytes, version: int, natives: Mapping[str, str], *, preserve: bool, segmented: bool, line_end: str
    ) -> None:
        self._data = data
        self._version = version
        self._natives = natives
        self._preserve = preserve
        self._segmented = segmented
        self._line_end = line_end
        self._whole = _Segment(0)
        self._current: _Segment | None = None
        self._open: list[_Open] = []
        self._native: int | None = None  # how many elements were open before the one whose content is not text
        self._native_text: list[str] = []
        self.segments: list[_Segment] = []

    def text(self, text: str) -> None:
        """Text, entities resolved."""
        if self._native is not None:
            self._native_text.append(text)
            return
        if not self._preserve:
            text = _SPACE.sub(lambda found: _collapsed(found[0]), text)
        self._add(text)

    def other(self, start: int, end: int) -> None:
        """A comment or processing instruction."""
        if self._native is None:
            self._add(_Mark(InlineKind.SINGLE, start, end))

    def start(self, name: str, attributes: Mapping[str, str], start: int, end: int) -> None:
        """A start tag."""
        keep = name == "mrk" and (attributes.get("mtype") == "protected" or attributes.get("translate") == "no")
        mark = _Mark(InlineKind.SINGLE, start, end, keep=keep)
        segment = self._segmented and self._current is None and name == "mrk" and attributes.get("mtype") == "seg"
        above = self._open[-1].mark.start if self._open else 0
        self._open.append(_Open(name, mark, segment))
        if self._native is not None:
            return
        if segment:
            self._current = _Segment(end)
        elif name in _PAIRED:
            mark.kind, mark.name = InlineKind.OPEN, name
            self._add(mark)
        else:
            if name in {"x", "ph"}:
                self._stand(mark, attributes)
            self._pair(mark, name, attributes, above)
            self._native = len(self._open) - 1
            self._native_text = []

    def end(self, start: int, end: int) -> None:
        """An end tag; at the same place as its start tag's end where there is none."""
        opened = self._open.pop()
        if self._native is not None:
            if self._native == len(self._open):
                opened.mark.end = end
                if self._version == 1 and opened.name == "ph" and (native := "".join(self._native_text)).strip():
                    opened.mark.value = opened.mark.value or _as_value(native)
                    opened.mark.breaks_line |= bool(_BREAK.match(native))
                    opened.mark.stand_in = ""
                self._native = None
                self._add(opened.mark)
        elif opened.segment and self._current:
            self._current.end = start
            self.segments.append(self._current)
            self._current = None
        elif start == end:
            opened.mark.kind = InlineKind.SINGLE
        else:
            self._add(_Mark(InlineKind.CLOSE, start, end, opened.name, keep=opened.mark.keep))

    def has_text(self) -> bool:
        """Is there more in it than markup and white space?"""
        items = (item for segment in (self._whole, *self.segments) for item in segment.items)
        return any(isinstance(item, str) and item.strip() for item in items)

    def written(self, start: int, end: int, *, whole: bool) -> list[str | Slot]:
        """What to write in the target for bytes `start` to `end`: the same, with slots for the text. Nothing for none.

        One slot if `whole`, else one for each segment that the document marks.
        """
        if whole:
            self._whole.start, self._whole.end = start, end
        parts: list[str | Slot] = []
        for segment in [self._whole] if whole else self.segments:
            part = self._slot(segment)
            parts += [self._data[start : segment.start].decode(), part]
            start = segment.end
        parts.append(self._data[start:end].decode())
        return parts if any(parts) else []

    def _add(self, item: str | _Mark) -> None:
        (self._current or self._whole).items.append(item)

    def _pair(self, mark: _Mark, name: str, attributes: Mapping[str, str], above: int) -> None:
        """Let ends that are elements of their own find each other, if they stand in the same element."""
        for kind, references in ((InlineKind.OPEN, _OPENING), (InlineKind.CLOSE, _CLOSING)):
            if name in references and not mark.value:
                reference = attributes.get(references[name]) or attributes.get("id", "")
                mark.kind, mark.name = kind, f"{reference} {above}"
        if name == "x" and not mark.value and (end := _ANGULAR.fullmatch(attributes.get("id", ""))):
            mark.kind = InlineKind.OPEN if end[1] == "START" else InlineKind.CLOSE
            mark.name = f"{end[2]} {above}"

    def _stand(self, mark: _Mark, attributes: Mapping[str, str]) -> None:
        """Note what an element without a counterpart stands for, as far as its attributes tell."""
        native = self._natives.get(attributes.get("dataRef", ""), "")
        shown = [*(attributes.get(key, "") for key in ("equiv-text", "disp", "equiv")), native]
        kinds = [attributes.get(key, "") for key in ("ctype", "type", "subType")]
        mark.value = next(filter(None, map(_as_value, shown)), "")
        mark.breaks_line = kinds[0] == "lb" or kinds[2] == "xlf:lb" or any(map(_BREAK.match, shown))
        found = _ID.fullmatch(attributes.get("id", ""))
        if found and not any((*shown, *kinds)) and not _ANGULAR.fullmatch(found[0]):
            mark.stand_in = f"{{{found[0]}}}"

    def _slot(self, segment: _Segment) -> str | Slot:
        _take_for_words(segment.items)
        values = [item for item in segment.items if isinstance(item, _Mark) and item.value]
        block, layout = self._block(segment, with_values=bool(values))
        known = re.compile("|".join(sorted({re.escape(mark.value) for mark in values}, key=len, reverse=True)))
        if values and len(known.findall(block.text)) != len(values):
            values = []
            block, layout = self._block(segment, with_values=False)
        if not _has_text(block):
            return self._data[segment.start : segment.end].decode()
        codes = [(mark.value, self._code(mark)) for mark in values]
        block, accelerator = take_out(block)
        write = partial(
            _write, accelerator=accelerator, codes=codes, known=known, layout=layout, line_end=self._line_end
        )
        return Slot(block, write)

    def _block(self, segment: _Segment, *, with_values: bool) -> tuple[Block, _Layout]:
        builder = BlockBuilder(_escape)
        kept: list[int] = []
        layout = _Layout()
        last = max((at for at, item in enumerate(segment.items) if isinstance(item, str) and item.strip()), default=-1)
        since: list[int] = []  # single marks since the last text
        after_space = False
        for index, item in enumerate(segment.items):
            if isinstance(item, str):
                # A space on either side of a mark is one for who reads without it.
                both = bool(since) and after_space and item.startswith(" ") and index <= last
                layout.spaced.update(since if both else ())
                text = item[1:] if both else item
                builder.text(text)
                since, after_space = [], text.endswith(" ") if text else after_space
            elif item.value and with_values:
                builder.keep(item.value)
                since, after_space = [], False
            elif item.breaks_line:
                layout.breaks.add(builder.single(self._code(item)))
                builder.text("\n")
                since, after_space = [], False
            elif item.kind is InlineKind.OPEN:
                builder.open(self._code(item), item.name)
                kept += [builder.length] if item.keep else []
            elif item.kind is InlineKind.CLOSE:
                if item.keep:
                    builder.keep_from(kept.pop())
                builder.close(self._code(item), item.name)
            else:
                since.append(builder.single(self._code(item)))
        return builder.build(), layout

    def _code(self, mark: _Mark) -> str:
        return self._data[mark.start : mark.end].decode()


def written_target(opening: str, state: Mapping[str, str | None], inner: Sequence[str | Slot]) -> list[str | Slot]:
    """A target with this start tag, in this state, around `inner`."""
    tag = written_attributes(opening, state)
    name = tag[1:].split(maxsplit=1)[0].rstrip("/>")
    return [f"{tag[:-1].removesuffix('/').rstrip()}>", *inner, f"</{name}>"]


def written_attributes(tag: str, values: Mapping[str, str | None]) -> str:
    """A start tag with these attributes set, or taken away where they are None."""
    remaining = dict(values)

    def rewritten(found: re.Match[str]) -> str:
        if found[1] not in values:
            return found[0]
        value = remaining.pop(found[1], None)
        return "" if value is None else f' {found[1]}="{value}"'

    tag = _ATTRIBUTE.sub(rewritten, tag)
    added = "".join(f' {name}="{value}"' for name, value in remaining.items() if value is not None)
    end = len(tag) - (2 if tag.endswith("/>") else 1)
    return f"{tag[:end].rstrip() if added else tag[:end]}{added}{tag[end:]}"


def _take_for_words(items: Sequence[str | _Mark]) -> None:
    """Give a value to marks that tell nothing of themselves and stand where a word would."""
    following = ""
    fits: list[_Mark] = []
    for item in reversed(items):
        if isinstance(item, str):
            following = item or following
        elif item.stand_in and (not following or _AFTER_WORD.match(following)):
            fits.append(item)
    before = ""
    for item in items:
        if isinstance(item, str):
            before = item or before
        elif fits and item is fits[-1]:
            fits.pop()
            item.value = item.stand_in if not before or _BEFORE_WORD.search(before[-1]) else ""


def _has_text(block: Block) -> bool:
    """Is there something in it to translate that is not kept?"""
    bounds = [0, *(place for span in block.kept for place in (span.start, span.end)), len(block.text)]
    return any(is_translatable(block.text[low:high]) for low, high in zip(bounds[::2], bounds[1::2], strict=True))


def _write(
    block: Block,
    *,
    accelerator: str,
    codes: Sequence[tuple[str, str]],
    known: re.Pattern[str],
    layout: _Layout,
    line_end: str,
) -> str:
    block = with_codes(spaced(put_back(block, accelerator), layout.spaced), codes, known)
    parts, done = [], 0
    for inline in sorted(block.inlines, key=lambda inline: inline.at):
        parts += [_escape(block.text[done : inline.at]).replace("\n", line_end), inline.code]
        done = max(done, inline.at)
        if inline.element in layout.breaks:
            done += block.text.startswith("\n", done)
    return "".join((*parts, _escape(block.text[done:]).replace("\n", line_end)))


def _collapsed(space: str) -> str:
    """White space as a reader of XML takes it, but for blank lines: they part paragraphs."""
    breaks = space.count("\n")
    return space if not breaks else "\n\n" if breaks > 1 else " "


def _as_value(text: str) -> str:
    return text if _VALUE.fullmatch(text) else ""


def _escape(text: str) -> str:
    return html.escape(_NOT_XML.sub("", text), quote=False).replace("\r", "&#13;")
