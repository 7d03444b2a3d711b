"""The text of one Markdown block: its markup becomes the parts of flows, a hard line break ends one."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from service.formats.flow import Flow, FlowReader
from service.formats.footnotes import is_footnote_mark
from service.formats.html import html_flows
from service.formats.html_elements import BLOCKS, SEEN, VOID, is_translated
from service.formats.html_tokens import Token, TokenKind, attributes_of, tokenise
from service.formats.markdown_flavours import ATTRIBUTES, FOOTNOTE
from service.formats.markdown_tokens import Mark, marks_of, visible_text
from service.formats.slots import is_translatable
from service.types import Block

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from markdown_it.token import Token as MarkdownToken

    from service.formats.markdown_writing import MarkdownWriter

__all__ = ["InlineReader"]

_WORD = re.compile(r"\S+")
_NO_WORDS = re.compile(rf"{FOOTNOTE.pattern}|(?P<last>(?<=\s){ATTRIBUTES}(?=\s*\Z))")
"""The mark of a footnote, attributes at the end of a heading."""
_PREFIX = re.compile(r"\[[ xX]\](?=\s)|(?P<alert>\[![A-Za-z][\w-]*(?: [^\[\]\n]*)?\][+-]?)(?=\s|$)")
"""What begins an item of a task list, or an alert, whose title may follow it."""

_MOST_IN_MARK = 8
"""Pieces of markup in a footnote mark written as HTML; no more are looked at."""

_FRAGMENT = re.compile(r"\]\([ \t]*<?#([^\s<>()\\]+)")
"""The end of a link to a place in the same document."""

_LINE = re.compile(
    r"""
    (?P<titled> :{3,}\ ?[a-z]+\ +(?=[^\s:={}][^:={}\n]*(?:\n|\Z)) )  # ::: note Title
    | (?P<whole>
      (?: :{3,}(?:\{.*(?:\n:[\w-]+:.*)*+|.*)                # :::note, :::{note} and its options in lines of their own
        | (?:[!?]{3}\+?\ [a-z]+|={3}[!+]?)(?:\ "[^"\n]*")? # !!! note "Title", === "Tab"
        | /{3,}(?:\ [a-z][\w-]*(?:\ +\|\ .*)?)?              # /// note | Title, ///
        | ::[a-z][\w-]*(?:::|(?:\[[^\[\]\n]*\])?\{[^{}\n]*\})  # ::name::, ::name{attributes}
        | \[!(?:INCLUDE|code-\w+)\ ?\[[^\[\]\n]*\]\([^()\n]*\)\]
        | \([\w.:-]+\)=                                     # (label)=
        | \{[:\#%][^{}\n]*\} | \{\{[^{}\n]*\}\}             # {: .class }, {% tag %}
        | \[\[?_?(?:toc|TOC)_?\]?\]                        # where a table of contents goes
        | \$\$[^$]*\$\$                                    # a formula, of several lines maybe
        | <<<\ .* | -+8<-.*                                 # a file that is included
      )[ \t]*(?=\n|\Z)
    )
    | """
    + FOOTNOTE.pattern
    + r""": | \*\[[^\[\]\n]+\]: | [:~%|*+-](?=[ \t])  # before a footnote, an abbreviation, a definition, or an item
    """,
    re.VERBOSE,
)
"""What other flavours than CommonMark, to which it is text, read line by line. Items are text where they are indented
below a footnote."""


_TITLE = re.compile(r"\n[^\n]{1,40}\n[:.!]?")
"""What a flow that is a title has been so far, with a line break for either end of its one element. A line that was
broken for its length would be longer."""


class InlineReader:
    """Reads the content of one block.

    Args:
        source: the document.
        content: the block's, without indentation and the marks of what it is in.
        offsets: for each character of `content`, where in the source it is.
        writer: puts changed text back.
        attributes: those of HTML that people read are text too.
    """

    def __init__(
        self, source: str, content: str, offsets: Sequence[int], writer: MarkdownWriter, *, attributes: bool
    ) -> None:
        self._source = source
        self._content = content
        self._offsets = offsets
        self._writer = writer
        self._attributes = attributes
        self._reader = FlowReader(source, writer.write)
        self._flows: list[Flow] = []
        self.fragments: list[tuple[int, int]] = []  # where in the source are names of places in it that links lead to
        self._literal: list[str] = []  # the text of the flow as it is written, line breaks for markup
        self._label = 0  # where the text of the link begins that is open
        self._link_end = 0
        self._reference: tuple[int, int, str] | None = None  # the end of the last one: its place, how to write it

    def read(self, tokens: Sequence[MarkdownToken]) -> list[Flow]:
        """The flows of the content, of which these are the tokens."""
        marks = marks_of(tokens)
        tags = {index: tag for index, mark in enumerate(marks) if mark.type == "html_inline" and (tag := _tag(mark))}
        ends = self._ends(tags)
        done, alone = self._begin_line(0, marks[0].start if marks else len(self._content))
        index = 0
        while index < len(marks):
            mark = marks[index]
            if mark.start < done:  # in a line that stands for itself
                index += 1
                continue
            self._words(done, mark.start)
            if mark.type == "softbreak" and (
                alone or _LINE.match(self._content, mark.end) or self._ends_title(marks, index)
            ):
                self._finish()
                index += 1
                most = marks[index].start if index < len(marks) else len(self._content)
                done, alone = self._begin_line(mark.end, most)
                continue
            last = index
            if mark.type == "html_inline":
                last = self._tag(marks, index, tags.get(index), ends.get(index))
            elif mark.type == "link_open" and self._content.startswith("^", mark.end):  # a footnote after all
                last = next(place for place in range(index, len(marks)) if marks[place].type == "link_close")
                self._reader.single(*self._span(mark.start, marks[last].end))
            else:
                self._mark(mark)
            self._literal.append(_literal(mark))
            done, index = marks[last].end, last + 1
        self._words(done, len(self._content))
        self._finish()
        return self._flows

    def _span(self, start: int, end: int) -> tuple[int, int]:
        """The place in the source of a part of the content, which is not empty."""
        return self._offsets[start], self._offsets[end - 1] + 1

    def _name(self, start: int, end: int) -> str:
        """The name of a reference, on one line."""
        return " ".join(self._raw(*found.span()) for found in _WORD.finditer(self._content, start, end))

    def _raw(self, start: int, end: int) -> str:
        return self._source[slice(*self._span(start, end))] if start < end else ""

    def _ends_title(self, marks: Sequence[Mark], index: int) -> bool:
        """Whether all of the flow up to a line break is one strong element, a title, and a sentence follows."""
        if index == 0 or marks[index - 1].type != "strong_close" or not _TITLE.fullmatch("".join(self._literal)):
            return False
        return not self._content[marks[index].end :].lstrip()[:1].islower()

    def _begin_line(self, start: int, most: int) -> tuple[int, bool]:
        """Read what begins a line, up to the next mark at `most`. Returns its end, and whether the line stays alone."""
        found = _LINE.match(self._content, start) or (None if start else _PREFIX.match(self._content))
        if found is None or (found.end() > most and found.lastgroup != "whole"):
            return start, False
        self._reader.single(*self._span(start, found.end()))
        return found.end(), found.lastgroup is not None

    def _words(self, start: int, end: int) -> None:
        self._literal.append(self._content[start:end])
        for found in _NO_WORDS.finditer(self._content, start, end):
            if found["last"] and end < len(self._content):
                break
            if start < found.start():
                self._reader.words(*self._span(start, found.start()), self._content[start : found.start()])
            self._reader.single(*self._span(*found.span()))
            start = found.end()
        if start < end:
            self._reader.words(*self._span(start, end), self._content[start:end])

    def _mark(self, mark: Mark) -> None:
        start, end = self._span(mark.start, mark.end)
        kind, _, side = mark.type.rpartition("_")
        if mark.type == "hardbreak":
            self._finish()
        elif mark.type in {"code_inline", "autolink"}:
            self._reader.keep(start, end, mark.text, ("", ""))
        elif mark.type == "image":
            self._reader.single(start, end, seen=True)
            self._alternative_text(mark)
        elif mark.type == "link_close":
            self._close_link(mark)
        elif mark.type == "link_open":
            if self._link_end and self._content[self._link_end : mark.start].isspace():
                self._finish()  # two links side by side are two items of a menu
            self._label = mark.end
            self._reader.open(start, end, kind)
        elif side == "open":
            self._reader.open(start, end, kind)
        elif side == "close":
            self._reader.close(start, end, kind)
        else:
            self._reader.words(start, end, mark.text)

    def _close_link(self, mark: Mark) -> None:
        start, end = self._span(mark.start, mark.end)
        code = ""
        if self._content[mark.start : mark.end] in {"]", "][]"}:
            # The text of a reference is its name too, and is about to change.
            code = f"][{self._name(self._label, mark.start)}]"
            self._reference = start, end, code
        self._reader.close(start, end, "link", code)
        self._link_end = mark.end
        self._note_fragment(mark)

    def _note_fragment(self, mark: Mark) -> None:
        """Note where the end of a link leads to, if that is in the document."""
        start, end = self._span(mark.start, mark.end)
        if found := _FRAGMENT.match(self._source[start:end]):
            self.fragments.append((start + found.start(1), start + found.end(1)))

    def _alternative_text(self, mark: Mark) -> None:
        text = " ".join(visible_text(mark.token.children or ()).split())
        if is_translatable(text):
            start = mark.start + len("![")
            end, name = start + len(mark.token.content), ""
            if self._content[end : mark.end] in {"]", "][]"}:  # the text is the name too, as that of a link
                end, name = mark.end - 1, f"][{self._name(start, end)}"
            write = partial(self._writer.write_alternative, name=name)
            self._flows.append(Flow(*self._span(start, end), Block(text), write))

    def _tag(self, marks: list[Mark], index: int, tag: Token | None, end: int | None) -> int:
        """Read HTML. Returns the last mark that belongs to it: of an element that is kept, its end tag."""
        mark = marks[index]
        place = self._span(mark.start, mark.end)
        raw = self._content[mark.start : mark.end]
        if self._attributes and tag and tag.kind is TokenKind.OPEN and self._source[slice(*place)] == raw:
            self._flows += html_flows(self._source, *place, attributes=True)
        if tag is None or tag.kind not in {TokenKind.OPEN, TokenKind.CLOSE}:
            self._reader.single(*place)
        elif tag.name == "br" or (tag.name in BLOCKS and not (end is not None and _is_kept(tag, raw))):
            self._finish()
        elif tag.name in VOID or raw.endswith("/>"):
            self._reader.single(*place, seen=tag.name in SEEN or tag.name not in VOID)
        elif tag.kind is TokenKind.CLOSE:
            self._reader.close(*place, f"<{tag.name}")
        elif end is not None and _is_kept(tag, raw):
            codes = self._raw(mark.start, mark.end), self._raw(marks[end].start, marks[end].end)
            for one in marks[index:end]:
                if one.type == "link_close":
                    self._note_fragment(one)
            self._reader.keep(*self._span(mark.start, marks[end].end), self._text_of(marks[index : end + 1]), codes)
            return end
        elif end is not None and tag.name == "sup" and self._is_footnote_mark(marks[index : end + 1][:_MOST_IN_MARK]):
            self._reader.single(*self._span(mark.start, marks[end].end), self._text_of(marks[index : end + 1]))
            return end
        else:
            self._reader.open(*place, f"<{tag.name}")
        return index

    def _is_footnote_mark(self, marks: list[Mark]) -> bool:
        """Whether these, from the start tag of a `sup` to its end tag, have nothing but that."""
        if marks[-1].token.content.lower() != "</sup>" or any(mark.type == "link_open" for mark in marks):
            return False
        linked = any(mark.token.content.startswith("<a") for mark in marks)
        return is_footnote_mark(self._text_of(marks), self._reader.tail, linked=linked)

    def _text_of(self, marks: Sequence[Mark]) -> str:
        """What is read from the first to the last of these."""
        text = []
        for mark, following in pairwise(marks):
            text += [self._content[mark.end : following.start], following.text]
        return "".join(text)

    @staticmethod
    def _ends(tags: dict[int, Token]) -> dict[int, int]:
        """For each start tag that has one, its end tag."""
        waiting: dict[str, list[int]] = {}
        ends = {}
        for index, tag in tags.items():
            if tag.kind is TokenKind.OPEN:
                waiting.setdefault(tag.name, []).append(index)
            elif tag.kind is TokenKind.CLOSE and waiting.get(tag.name):
                ends[waiting[tag.name].pop()] = index
        return ends

    def _finish(self) -> None:
        flow, literal, reference = self._reader.finish(), "".join(self._literal), self._reference
        self._literal, self._reference = [], None
        if flow:
            flow = replace(flow, write=partial(self._writer.write, literal=literal))
            if reference and flow.end <= reference[0]:  # it is in the text of the reference
                flow = _with_reference(flow, *reference)
            self._flows.append(flow)


def _with_reference(flow: Flow, start: int, end: int, code: str) -> Flow:
    """The flow and what follows it up to the end of a reference, which is written as `code`."""

    def write(_flow: Flow, block: Block, rewritten: Callable[[int, int], str]) -> str:
        return f"{flow.write(flow, block, rewritten)}{rewritten(flow.end, start)}{code}"

    return replace(flow, end=end, write=write)


def _literal(mark: Mark) -> str:
    if mark.type == "softbreak":
        return " "
    return f"\\{mark.text}" if mark.type == "text_special" else "\n"


def _tag(mark: Mark) -> Token | None:
    return next(tokenise(mark.token.content), None)


def _is_kept(tag: Token, raw: str) -> bool:
    attributes = {one.name: one for one in attributes_of(raw, tag)} if "translate" in raw.lower() else {}
    return not is_translated(tag.name, attributes, around=True)
