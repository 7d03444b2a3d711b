"""Numbers in words are read in figures: twenty-three is 23 (decision 0036).

Nobody could tell from the words whether the network has them right; figures are compared with those of the sentence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from service.pipeline.edits import Edit, apply
from service.pipeline.numbers.cardinals import find_cardinals

if TYPE_CHECKING:
    from service.pipeline.edits import Edited

__all__ = ["in_figures"]


def in_figures(text: str, language: str) -> Edited:
    """A text with figures for its numbers in words that the network does not know."""
    found = sorted(find_cardinals(text, language), key=lambda one: one.span.start)
    return apply(text, [Edit(one.span, one.figures) for one in found])
