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
    ours, theirs, direction = both.ours, both.theirs, both.direction
    edits, sound = [], True
    for noughts in sorted({one.noughts for one in ours} & _WRITTEN["en"].keys()):
        said = [
            len(_WORDS[language][noughts].findall(text.lower()))
            for language, text in ((direction.source, both.source), (direction.target, both.target))
        ]
        values = [one.parts for one in ours if one.noughts == noughts]
        bare = [
            one
            for one, after in zip_longest(theirs, theirs[1:])
            if not one.noughts and one.parts in values and not _shares(one, after, both.target)
        ]
        others = {one.parts for one in ours if one.noughts != noughts}
        has = [one.parts for one in theirs if one.noughts == noughts]
        lost = [one for one in bare if values.count(one.parts) > has.count(one.parts)]
        if said[0] <= said[1] or not lost:
            continue
        word, ending = _WRITTEN[direction.target][noughts]
        is_clear = len(lost) <= said[0] - said[1] and not any(one.parts in others for one in lost)
        sound = sound and is_clear
        edits += [
            Edit(Span(one.span.end, one.span.end), f" {word}{ending if one.parts != ('1',) else ''}")
            for one in lost
            if is_clear
        ]
    return edits, sound


def _shares(one: Number, after: Number | None, target: str) -> bool:
    return bool(after and after.noughts and SHARED.fullmatch(target, one.span.end, after.span.start))
