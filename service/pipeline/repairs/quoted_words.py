"""Single words in quotation marks or brackets that the network lost: *is "shipped"* as *ist "Get"*.

There it has no sentence to go by. What the dictionary has for the word comes in the place of what is no word, or of
one of a few letters that stands for a longer one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from model.bundle.dictionary import WORD
from service.pipeline.edits import Edit
from service.pipeline.single_words import check_word
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from model.bundle import Dictionary, Direction

__all__ = ["find_quoted_words"]

_QUOTED = re.compile(rf"(?<!\w)(?:[\"“„”»«](?P<word>{WORD})[\"”“«»]|\[(?P<bracketed>{WORD})\])(?!\w)")
_WRITTEN = re.compile(
    r"(?<!\w)(?:[\"“„”»«](?P<word>[^\"“„”»«\s\[\]'‘’]*)[\"”“'‘’]|\[(?P<bracketed>[^\"“„”\s\[\]]*)\])(?!\w)"
)
"""The network may take a single mark for the last one."""
_SHORT, _LONG = 3, 4
"""Letters that a piece has at most, and the word that it stands for at least, or two more than the piece."""
_MARKS = {"word": re.compile('["“„”»«]'), "bracketed": re.compile(r"[\[\]]")}


def find_quoted_words(
    source: str, target: str, dictionaries: Mapping[Direction, Dictionary], direction: Direction
) -> Iterator[Edit]:
    """What to write within the marks; nothing unless there are as many marks as in the sentence."""
    known, back = dictionaries.get(direction), dictionaries.get(direction.reverse)
    if not known or not back:
        return
    for kind, mark in _MARKS.items():
        ours = [one for one in _QUOTED.finditer(source) if one[kind]]
        theirs = [one for one in _WRITTEN.finditer(target) if one[kind] is not None] if ours else []
        if not len(ours) == len(theirs) == len(mark.findall(source)) / 2:
            continue  # some are around several words: which is which is not known
        for one, other in zip(ours, theirs, strict=True):
            word = check_word(one[kind], other[kind], known, direction)
            if word and word.is_replaced and _is_piece(one[kind], other[kind], back):
                yield Edit(Span(*other.span(kind)), word.text)


def _is_piece(word: str, written: str, known: Dictionary) -> bool:
    """Whether it is of a few letters for a longer word, or no word of the language."""
    if len(written) <= _SHORT:
        return len(word) >= min(_LONG, len(written) + 2)
    return written.isalpha() and not known.translations(written) and not known.translations(written.lower())
