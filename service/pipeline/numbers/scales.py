"""Has each million of a sentence its word in the translation? "$28M to $69M" became "28 Millionen Dollar auf 69"."""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import TYPE_CHECKING

from service.pipeline.edits import Edit
from service.pipeline.numbers.amounts import SHARED
from service.types import Span

if TYPE_CHECKING:
    from service.pipeline.numbers.numerals import Both, Number

__all__ = ["SCALES", "check_scales"]

SCALES = {"en": "thousand|(?:[mb]|tr)illion", "de": "Tausend|Million(?:en)?|Milliarden?|Billion(?:en)?"}
"""For a pattern: what stands between a number and its currency."""

_WORDS = {
    "en": {6: re.compile(r"million|\bmn\b"), 9: re.compile(r"(?<!r)billion|\bbn\b"), 12: re.compile("trillion")},
    "de": {6: re.compile("mio\\b|million"), 9: re.compile("mrd\\b|milliarde"), 12: re.compile("billion")},
}
"""What tells of so many noughts, in small letters."""
_WRITTEN = {
    "en": {6: ("million", ""), 9: ("billion", ""), 12: ("trillion", "")},
    "de": {6: ("Million", "en"), 9: ("Milliarde", "n"), 12: ("Billion", "en")},
}
"""What is written for them, and the ending of more than one."""


def check_scales(both: Both) -> tuple[list[Edit], bool]:
    """What to write for words that are lost, and whether none is after that."""
    edits: list[Edit] = []
    is_complete = True
    for noughts in sorted({one.noughts for one in both.ours} & _WRITTEN["en"].keys()):
        missing = _count(both.source, both.direction.source, noughts)
        missing -= _count(both.target, both.direction.target, noughts)
        lost = _without_word(both, noughts)
        if missing <= 0 or not lost:
            continue
        others = {one.parts for one in both.ours if one.noughts != noughts}
        if len(lost) > missing or any(one.parts in others for one in lost):
            is_complete = False
            continue
        word, ending = _WRITTEN[both.direction.target][noughts]
        edits += [
            Edit(Span(one.span.end, one.span.end), f" {word}{ending if one.parts != ('1',) else ''}") for one in lost
        ]
    return edits, is_complete


def _count(text: str, language: str, noughts: int) -> int:
    return len(_WORDS[language][noughts].findall(text.lower()))


def _without_word(both: Both, noughts: int) -> list[Number]:
    """Numbers of the translation that should have a word for so many noughts, and have none."""
    values = [one.parts for one in both.ours if one.noughts == noughts]
    has = [one.parts for one in both.theirs if one.noughts == noughts]
    return [
        one
        for one, after in zip_longest(both.theirs, both.theirs[1:])
        if not one.noughts and values.count(one.parts) > has.count(one.parts) and not _shares(one, after, both.target)
    ]


def _shares(one: Number, after: Number | None, target: str) -> bool:
    """Whether the word of the number that follows is that of both: 5 to 10 million."""
    return bool(after and after.noughts and SHARED.fullmatch(target, one.span.end, after.span.start))
