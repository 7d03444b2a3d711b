"""Numbers that were in words, and have been read in figures, are in words again: vierzig Leute, forty people."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from service.pipeline.edits import Edit, with_capital
from service.pipeline.numbers.cardinals import find_cardinals, in_words
from service.types import Span

if TYPE_CHECKING:
    from model.bundle import Direction

__all__ = ["reworded"]

_ALONE = re.compile(r"(?<![\w.,:/$€£¥#+~-])(?<![$€£¥] )(?:\d{2,3}|\d000)(?![\w%‰°$€£¥/:'’-]|[.,]\d|\s[%$€£¥°:]|\.\s)")
"""Figures with nothing that wants them, as a sign, a unit or a decimal has."""
_BEGIN = re.compile(r"[^\w]*")


def reworded(sentence: str, target: str, direction: Direction) -> list[Edit]:
    """What to write for figures that stand for a word of the sentence, and for nothing else that it has.

    Args:
        sentence: as it was written.
        target: its translation, with figures.
        direction: of the translation.
    """
    counts = Counter(one.figures for one in find_cardinals(sentence, direction.source))
    if not counts:
        return []
    there = Counter(re.findall(r"\d+", sentence))
    found = [one for one in _ALONE.finditer(target) if counts[one[0]] and not there[one[0]]]
    written = Counter(one[0] for one in found)
    edits = []
    for one in found:
        if written[one[0]] == counts[one[0]]:
            words = in_words(int(one[0]), direction.target)
            begins = _BEGIN.fullmatch(target, 0, one.start()) is not None
            edits.append(Edit(Span(*one.span()), with_capital(words) if begins else words))
    return edits
