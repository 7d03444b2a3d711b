"""Subtitles, SubRip (.srt) and WebVTT: the lines of one caption are one text, times and settings are not.

The lines are joined to be translated, and broken again about where they were. A line that begins with a dash or
">>" (another speaker) or a note of music stays a line of its own.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_left
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from service.formats.document import BYTE_ORDER_MARK, Cut, InvalidDocument
from service.formats.slots import (
    BlockBuilder,
    LabelledDocument,
    Slot,
    SlottedDocument,
    is_translatable,
    line_end,
    lines_of,
    peel,
    weave,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from service.types import Block

__all__ = ["cut_subtitles", "parse_subtitles"]

_VTT = "WEBVTT"
_LANGUAGE = re.compile(r"\ALanguage:[ \t]*([A-Za-z0-9-]{2,35})(?=\s*\Z)")
"""A line of the header, as YouTube writes it."""
_TIME = r"(?:\d{1,4}:)?\d{1,2}:\d{1,2}[.,:]\d{1,3}"
_ARROW = re.compile("--+>")
"""Of any length: what is written for one must not end in one."""
_TIMES = re.compile(rf"\s*{_TIME}\s*-->\s*{_TIME}(?:\s|$)")
_ALMOST_TIMES = re.compile(r"\s*\d{1,4}\s?[:.,;]\s?\d")
_NUMBER = re.compile(r"\s*\d+\s*")
_OWN_LINE = re.compile(r"(?:<[^<>]*>|\{[^{}]*\})*\s*(?:[-\u2010-\u2015]\s*[^\s\d-]|[\u2669-\u266c#]|>>|&gt;&gt;)")
_SPEAKER = re.compile(r"(?:[-\u2010-\u2015]|>>|&gt;&gt;)\s*(?!</)(?=[^\s\d-])")
_WITHIN = re.compile(r"<(?:\d+:)?\d\d:\d\d\.\d{3}>")
# Elements of both formats, WebVTT's times within a caption, and the overrides SubRip took over from SSA: {\an8}.
_MARKUP = re.compile(
    r"<(?P<end>/?)(?P<name>b|i|u|s|font|c|v|lang|ruby|rt)(?:[\s.][^<>]{0,1000})?>"
    rf"|{_WITHIN.pattern}|\{{\\[^{{}}]{{0,1000}}\}}",
    re.IGNORECASE,
)
_LINE_ENDS = re.compile(r"[\r\n]")
_NEIGHBOURS = 4
"""How many spaces on either side are considered for a line break."""


@dataclass(frozen=True, slots=True)
class _Break:
    """A line ended at this share of the caption's text; `stop` if it ended with a punctuation mark."""

    share: float
    stop: bool


def parse_subtitles(source: str) -> SlottedDocument:
    """See `service.formats.parse`."""
    lines, vtt = lines_of(source), _is_vtt(source)
    times = _find_times(lines)
    parts: list[str | Slot] = [*lines[: times[0]]]
    for index, following in zip(times, [*times[1:], None], strict=True):
        parts.append(lines[index])
        parts += _caption(lines[index + 1 : following], last=following is None, vtt=vtt)
    header = next((index for index, line in enumerate(lines) if _is_blank(line)), 0) if vtt else 0
    return LabelledDocument(parts, _LANGUAGE, range(header))


def cut_subtitles(source: str) -> Iterator[Cut]:
    """See `service.formats.split`. Before a caption, its number or name going with it."""
    lines, vtt = lines_of(source), _is_vtt(source)
    starts = [0, *accumulate(map(len, lines))]
    yield Cut(0)
    for before, place in pairwise(_find_times(lines)):
        first = place
        if vtt:
            while first > before + 1 and not _is_blank(lines[first - 1]):
                first -= 1
            if first == before + 1:  # no blank line: what would be the name is text of the caption before
                continue
        elif first > before + 1 and _NUMBER.fullmatch(lines[first - 1]):
            first -= 1
        yield Cut(starts[first], opening=f"{_VTT}\n\n" if vtt else "")
    yield Cut(len(source))


def _is_vtt(source: str) -> bool:
    return source.removeprefix(BYTE_ORDER_MARK).startswith(_VTT)


def _find_times(lines: Sequence[str]) -> list[int]:
    times = [index for index, line in enumerate(lines) if "-->" in line and _is_times(line, index)]
    if not times:
        msg = "no caption: there is no line with a start and an end"
        raise InvalidDocument(msg)
    return times


def _is_times(line: str, index: int) -> bool:
    if _TIMES.match(line):
        return True
    if _ALMOST_TIMES.match(line):
        msg = f"line {index + 1}: not a start and an end in hours, minutes, seconds and milliseconds"
        raise InvalidDocument(msg)
    return False


def _caption(lines: list[str], *, last: bool, vtt: bool) -> Iterable[str | Slot]:
    """What stands between two lines of times: the caption, blank lines, and the number or name of the next one."""
    end = len(lines)
    if not last and not vtt and lines and _NUMBER.fullmatch(lines[-1]):
        end -= 1
    start = 0
    while start < end:
        stop = start + 1
        if lines[start].strip():
            while stop < end and lines[stop].strip() and not _OWN_LINE.match(lines[stop]):
                stop += 1
            yield from _text(lines[start:stop], vtt=vtt)
        elif vtt and _is_blank(lines[start]):  # it ends the caption: a comment or the next one's name may follow
            stop = end
            yield from lines[start:stop]
        else:
            yield lines[start]
        start = stop
    yield from lines[end:]


def _is_blank(line: str) -> bool:
    """Whether a line of WebVTT is. One with a space is not: YouTube writes such before the words of a caption."""
    return not line.rstrip("\r\n")


def _text(lines: Sequence[str], *, vtt: bool) -> Iterable[str | Slot]:
    """Lines that are read as one text."""
    raw = "".join(lines)
    escape = partial(_escape_vtt, greater="&gt;" if "&gt;" in raw else ">") if vtt else str
    builder = BlockBuilder(escape)
    ends: list[int] = []
    for line in lines:
        if ends:
            builder.text(" ")
        _read(line.strip(), builder, html.unescape if vtt else str)
        ends.append(builder.length)
    before, block, after = peel(builder.build())
    if not is_translatable(block.text):
        yield from lines
        return
    breaks = [_Break(end / len(block.text), block.text[end - 1 : end] in set(".,;:!?…")) for end in ends[:-1]]
    ending = line_end(lines[0])
    write = partial(_write, before=before, after=after, breaks=breaks, ending=ending, escape=escape)
    body = raw.rstrip("\r\n")
    yield Slot(block, write, raw=body)
    yield raw[len(body) :]


def _read(line: str, builder: BlockBuilder, unescape: Callable[[str], str]) -> None:
    done = 0
    for found in _MARKUP.finditer(line):
        _words(line, done, found.start(), builder, unescape)
        done = found.end()
        if found["name"] is None:
            builder.single(found.group())
        elif found["end"]:
            builder.close(found.group(), found["name"].lower())
        else:
            builder.open(found.group(), found["name"].lower())
    _words(line, done, len(line), builder, unescape)


def _words(line: str, start: int, end: int, builder: BlockBuilder, unescape: Callable[[str], str]) -> None:
    """Text of a line; what says that another speaks is none."""
    if start < end and not builder.length and (speaker := _SPEAKER.match(line, start)):
        builder.single(speaker[0])
        start = speaker.end()
    builder.text(unescape(line[start:end]))


def _write(
    block: Block, *, before: str, after: str, breaks: Sequence[_Break], ending: str, escape: Callable[[str], str]
) -> str:
    # A line end would end the caption early, and this arrow is for times alone.
    text = list(_ARROW.sub(lambda arrow: "-" + ">" * (len(arrow[0]) - 1), _LINE_ENDS.sub(" ", block.text)))
    for place in _places(text, breaks):
        text[place] = "\n"
    written = _in_order(weave(replace(block, text="".join(text)), escape))
    return before + written.replace("\n", ending) + after


def _in_order(text: str) -> str:
    """Times within a caption have followed their words; from one to the next they must grow."""
    times = iter(sorted(_WITHIN.findall(text), key=lambda time: (len(time), time)))
    return _WITHIN.sub(lambda _: next(times), text)


def _places(text: Sequence[str], breaks: Sequence[_Break]) -> Iterable[int]:
    """A space for each line break: the nearest, but after a punctuation mark rather if the line ended with one."""
    words = [index for index, character in enumerate(text) if not character.isspace()] or [0]
    spaces = [index for index, character in enumerate(text) if character == " " and words[0] < index < words[-1]]
    first = 0
    for left, one in zip(range(len(breaks), 0, -1), breaks, strict=True):
        near = bisect_left(spaces, one.share * len(text))
        limit = len(spaces) - left + 1
        low = max(first, min(near - _NEIGHBOURS, limit - 1))
        high = min(limit, max(low + 1, near + _NEIGHBOURS))
        if low < high:
            cost = partial(_cost, text=text, one=one)
            best = min(range(low, high), key=lambda index: cost(spaces[index]))
            yield spaces[best]
            first = best + 1


def _cost(place: int, *, text: Sequence[str], one: _Break) -> float:
    """How far a line break at this place is from where it should be, in characters."""
    away = abs(place - one.share * len(text))
    return away if not one.stop or text[place - 1] in ".,;:!?…" else away + len(text) / 4


def _escape_vtt(text: str, greater: str) -> str:
    text = html.escape(text, quote=False).replace("&gt;", greater).replace("\xa0", "&nbsp;")
    return text.replace("\u200e", "&lrm;").replace("\u200f", "&rlm;")
