"""A text becomes "gap sentence gap sentence … gap", and nothing is lost.

Gaps are white space, line breaks, indentation, list bullets and markers as "a)", and signs such as emoji, arrows and
"====" that stand before or after a sentence, or around it; sentences are what lies between. In the
header of a mail, so are labels such as "Subject:"; elsewhere one of a single word is a sentence of its own.
Tabs, upright lines with space around, runs of three spaces or more (two in a line that has such runs, and where a line
begins with a time or an option of a program, as "-v, --verbose"), dots that lead to a page, and line breaks separate,
unless a line is wrapped. Between them, `sentencex` finds the sentences of the language.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from itertools import accumulate, chain, pairwise
from typing import TYPE_CHECKING

import sentencex

from service.pipeline.finders.placeholders import merge_spans
from service.pipeline.finders.signs import EMOJI, SMILEY
from service.pipeline.segmentation.edges import without_edges
from service.pipeline.segmentation.joints import goes_on
from service.pipeline.segmentation.layout import columns, crumbs, labelled, valued
from service.pipeline.segmentation.wrapping import UNFINISHED, find_paragraphs
from service.types import Segmented, Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = ["cut", "segment"]

_NUMBER = re.compile(r"\d[\d.:,]*+")
_NUMBERED = re.compile(r"\((\d{1,2})\)\s")
_IN_WORDS = re.compile(
    r"\b(?:eine[mnrs]?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|elf|zwölf|[a-zäöüß]{0,9}(?:zehn|z?wanzig|[zß]ig))$"
)
"""Fünf of "fünf (5) Werktage"."""
_CLOSING = re.compile(r"(?:[*_~]{1,3}|‘)(?:\s+|$)")
"""A sign of emphasis, or what ends ‚a quotation.‘ in German."""
_FACE = re.compile(rf"{EMOJI}|[:;=]")
"""What every emoji and smiley has; most texts have none, and are done with."""
_FELT = re.compile(rf"(?=\W)(?<=[\w.!?])\s*(?:{EMOJI}++|{SMILEY})\s+(?=[\"„“]?[A-ZÄÖÜ])")
"""How a sentence ends that has a face instead of a full stop."""
_SUBJECT = re.compile(r"(?<!\S)(?:du|er|he|i|ich|she|they|we|wir)$")
"""Of a sentence whose verb is a sign, as in "I ❤ Berlin"."""

# Where to cut a sentence that is too long, best first; what is matched becomes the gap, with signs of a quotation.
_SPACE = r"(?:[ \t]*(?:\r\n|\n)(?:[ \t]*>)+[ \t]*|\s+)"
_CUTS = (
    re.compile(rf"(?<=[;:]){_SPACE}|(?<=\s[–—]){_SPACE}"),
    re.compile(rf"(?<=,){_SPACE}"),
    re.compile(_SPACE),
)

_UNIT_END = re.compile(r"(?<=\d [ghlmst]\.\s)(?=[A-Z])")
"""After 45 l., which to `sentencex` is the initial of a name."""
_WIDE_SPACE = re.compile(f"[{''.join(char for char in map(chr, range(0x80, 0x3001)) if char.isspace())}]")
"""`sentencex` (1.0.32) panics where such white space, of several bytes, comes between a capital and a full stop."""

_WINDOW = 2000
"""Characters looked at together. On some texts, such as closing quotes without end, `sentencex` takes time that grows
with the square of their length, and so does Unicode normalisation on combining marks."""


def segment(text: str, language: str, kept: Sequence[Span] = ()) -> Segmented:
    """Split a text of `language` (ISO 639-1), but not within the spans of it that are to be kept.

    The text has no lone surrogates; the spans are in order, none overlapping another.
    """
    signs = (span for span in kept if not _NUMBER.fullmatch(text, span.start, span.end))  # of a section, or a log
    ends = {place for span in signs for place in (span.start, span.end - 1)}
    whole = frozenset(kept)
    gaps, sentences, gap = [], [], ""
    place = 0
    for chunk in _chunks(text, language, kept):
        start, end = without_edges(chunk, place, ends, whole)
        place += len(chunk)
        if start < end and not _is_between_fields(text, place - len(chunk), place):
            gaps.append(gap + chunk[:start])
            sentences.append(chunk[start:end])
            gap = chunk[end:]
        else:
            gap += chunk
    return Segmented(gaps=(*gaps, gap), sentences=tuple(sentences))


def _is_between_fields(text: str, start: int, end: int) -> bool:
    """Whether a part of a text is what stands between words in a table with commas.

    That is a comma, or a number, which would be two as 49,99.
    """
    part, beside = text[start:end], (text[max(start - 1, 0) : start], text[end : end + 1])
    return ("," in beside or (part == "," and any(beside))) and not any(map(str.isalpha, part))


def _chunks(text: str, language: str, kept: Sequence[Span]) -> Iterable[str]:
    """Sentences, and what else is set apart, with all that is around them: together they are the text."""
    cells = chain.from_iterable(map(columns, text.splitlines(keepends=True)))
    parts = chain.from_iterable(labelled(cell, language) for cell in cells)
    lines = chain.from_iterable(_sentences(part, language) for part in parts)
    chunks: Iterable[str] = chain.from_iterable(map(crumbs, chain.from_iterable(map(_felt, lines))))
    chunks = chain.from_iterable(valued(chunk, language) for chunk in chunks)
    wrapped = [span for paragraph in find_paragraphs(text) for span in paragraph.breaks] if "\n" in text else []
    return _joined(chunks, merge_spans([*kept, *map(_around, wrapped)])) if kept or wrapped else chunks


def _around(span: Span) -> Span:
    return Span(span.start - 1, span.end + 1)


def _felt(chunk: str) -> Iterator[str]:
    """The sentences of what has been taken for one, where emoji or smileys end them."""
    start = 0
    for end in _FELT.finditer(chunk) if _FACE.search(chunk) else ():
        before = chunk[start : end.start()].lower()
        if not UNFINISHED.search(before) and not _SUBJECT.search(before):
            yield chunk[start : end.end()]
            start = end.end()
    yield chunk[start:]


def _joined(chunks: Iterable[str], kept: Sequence[Span]) -> Iterator[str]:
    """The same chunks, but those between which lies the inside of a span as one."""
    waiting, end, spans = [], 0, iter(kept)
    span = next(spans, None)
    for chunk in chunks:
        waiting.append(chunk)
        end += len(chunk)
        while span and span.end <= end:
            span = next(spans, None)
        if span is None or span.start >= end:
            yield "".join(waiting)
            waiting.clear()
    if waiting:
        yield "".join(waiting)


def _sentences(line: str, language: str) -> list[str]:
    """Consecutive parts of one line that together are the line, none longer than the window."""
    parts, start = [], 0
    while len(line) - start > _WINDOW:
        taken = _first(line[start : start + _WINDOW], language)
        parts += taken
        start += sum(map(len, taken))
    return [*parts, *_split(line[start:], language)]


def _first(window: str, language: str) -> list[str]:
    """The first sentences of a text that goes on: at least a quarter of the window, so that the end is reached soon.

    The next window begins where they end. What ends in the last quarter is left to it: a bracket or quotation that
    is open there makes the end of a sentence uncertain.
    """
    quarter = len(window) // 4
    sentences = _split(window, language)
    ends = list(accumulate(map(len, sentences)))
    for count in (bisect_right(ends, len(window) - quarter), len(sentences) - 1):
        if count and ends[count - 1] >= quarter:
            return sentences[:count]
    left, gap, _ = cut(window)
    return [left + gap]


def _split(text: str, language: str) -> list[str]:
    """Sentences with the white space around them; together they are the text."""
    if not text or text.isspace():
        return [text]
    plain = _WIDE_SPACE.sub(" ", text)
    try:
        parts: list[str] = sentencex.segment(language, plain)
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # the library is in Rust, whose panics are no Exception here
            raise
        return [text]
    # Everything above relies on it: should the library ever drop a character, the text stays whole.
    if "".join(parts) != plain:
        return [text]
    if language == "en":
        parts = list(chain.from_iterable(map(_UNIT_END.split, parts)))
    parts = _rejoined(parts, language)
    return [text[end - len(part) : end] for part, end in zip(parts, accumulate(map(len, parts)), strict=True)]


def _rejoined(parts: Sequence[str], language: str) -> list[str]:
    """Sentences, those that are none put together: after an abbreviation or an ordinal number, and within a name.

    A sign of emphasis right after a full stop belongs to what it ends, and so does a closing quotation mark.
    """
    text = "".join(parts)
    joined: list[str] = []
    place = 0
    for part in parts:
        closing = _CLOSING.match(part)
        if joined and (goes_on(joined[-1], text, place, language) or _is_out_of_order(text, place)):
            joined[-1] += part
        elif joined and closing and not joined[-1][-1].isspace():
            joined[-1] += closing[0]
            joined += filter(None, [part[closing.end() :]])
        else:
            joined.append(part)
        place += len(part)
    return joined


def _is_out_of_order(text: str, place: int) -> bool:
    """Whether a number in brackets there numbers no item: it is in words before it, or does not follow another."""
    found, before = _NUMBERED.match(text, place), text[:place].rstrip()
    if not found or not before[-1:].isalnum():
        return False
    return bool(_IN_WORDS.search(before)) or (int(found[1]) > 1 and f"({int(found[1]) - 1})" not in before)


def cut(sentence: str, kept: Sequence[Span] = ()) -> tuple[str, str, str]:
    """Cut a sentence of two characters or more in two: left part, gap, right part; together they are the sentence.

    The cut is at the clause boundary nearest the middle, or at a space, or, in a word without end, between two
    characters. Cuts in the outer quarters are not considered, so that repeated cutting ends soon and leaves no crumbs.
    Neither part is empty or has white space at the cut; the gap also has what quotes the next line (>). No cut is
    within a span that is to be kept, unless the sentence is nothing else.
    """
    middle, quarter = len(sentence) / 2, len(sentence) / 4
    inside = {place for span in kept for place in range(span.start + 1, span.end)}
    for pattern in _CUTS:
        found = [m for m in pattern.finditer(sentence) if abs((m.start() + m.end()) / 2 - middle) <= quarter]
        found = [
            m
            for m in found
            if m.start() > 0 and m.end() < len(sentence) and inside.isdisjoint(range(m.start(), m.end() + 1))
        ]
        if found:
            best = min(found, key=lambda m: abs((m.start() + m.end()) / 2 - middle))
            return sentence[: best.start()], best[0], sentence[best.end() :]
    places = [i for i, (_, right) in enumerate(pairwise(sentence), 1) if not unicodedata.combining(right)]
    places = [i for i in places if i not in inside] or places
    place = min(places, key=lambda i: abs(i - middle), default=len(sentence) // 2)
    left, right = sentence[:place].rstrip(), sentence[place:].lstrip()
    return left, sentence[len(left) : len(sentence) - len(right)], right
