"""Second stage: a text becomes "gap sentence gap sentence … gap", and nothing is lost.

Gaps are white space, line breaks, indentation and list bullets; sentences are what lies between.
Line breaks, tabs and runs of three spaces or more always separate: a sentence wrapped over two
lines is read as two (a known limit: the text alone does not tell a wrapped line from a heading or
an item of a list). Between them, `sentencex` finds the sentences of the language.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from itertools import accumulate, chain, pairwise

import sentencex

from service.types import Segmented

__all__ = ["cut", "segment"]

_BULLET = re.compile(r"(?:[-*+•‣◦·–—>#]+\s+)+")
_COLUMN = re.compile(r"(\t+| {3,})")

# Where to cut a sentence that is too long, best first; what is matched becomes the gap.
_CUTS = (
    re.compile(r"(?<=[;:])\s+|(?<=\s[–—])\s+"),
    re.compile(r"(?<=,)\s+"),
    re.compile(r"\s+"),
)

_WINDOW = 2000
"""Characters looked at together. On some texts, such as closing quotes without end, `sentencex` takes time that grows
with the square of their length, and so does Unicode normalisation on combining marks."""


def segment(text: str, language: str) -> Segmented:
    """Split a text of `language` (ISO 639-1). The text has no lone surrogates."""
    gaps, sentences, gap = [], [], ""
    cells = chain.from_iterable(_COLUMN.split(line) for line in text.splitlines(keepends=True))
    for chunk in chain.from_iterable(_sentences(cell, language) for cell in cells):
        core = chunk.strip()
        start = chunk.index(core)
        if core and (bullet := _BULLET.match(core)):
            start += bullet.end()
            core = core[bullet.end() :]
        if core:
            gaps.append(gap + chunk[:start])
            sentences.append(core)
            gap = chunk[start + len(core) :]
        else:
            gap += chunk
    return Segmented(gaps=(*gaps, gap), sentences=tuple(sentences))


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
    parts: list[str] = sentencex.segment(language, text)
    # Everything above relies on it: should the library ever drop a character, the text stays whole.
    return parts if "".join(parts) == text else [text]


def cut(sentence: str) -> tuple[str, str, str]:
    """Cut a sentence of two characters or more in two: left part, gap, right part; together they are the sentence.

    The cut is at the clause boundary nearest the middle, or at a space, or, in a word without
    end, between two characters. Cuts in the outer quarters are not considered, so that repeated
    cutting ends soon and leaves no crumbs. Neither part is empty or has white space at the cut.
    """
    middle, quarter = len(sentence) / 2, len(sentence) / 4
    for pattern in _CUTS:
        found = [m for m in pattern.finditer(sentence) if abs((m.start() + m.end()) / 2 - middle) <= quarter]
        found = [m for m in found if m.start() > 0 and m.end() < len(sentence)]
        if found:
            best = min(found, key=lambda m: abs((m.start() + m.end()) / 2 - middle))
            return sentence[: best.start()], best[0], sentence[best.end() :]
    places = [i for i, (_, right) in enumerate(pairwise(sentence), 1) if not unicodedata.combining(right)]
    place = min(places, key=lambda i: abs(i - middle), default=len(sentence) // 2)
    return sentence[:place], "", sentence[place:]
