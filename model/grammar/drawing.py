"""Chance, and the words that it chooses from."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from model.grammar.lexicon import Lexicon

__all__ = ["Draw"]

_Item = TypeVar("_Item")


class Draw:
    """What every sentence is drawn with: the same seed draws the same sentences."""

    def __init__(self, lexicon: Lexicon, seed: int) -> None:
        self.lexicon = lexicon
        self._random = Random(seed)

    def one_of(self, items: Sequence[_Item]) -> _Item:
        """Any of them, all as likely."""
        return self._random.choice(items)

    def weighted(self, items: Sequence[_Item], weights: Sequence[float]) -> _Item:
        """Any of them, the likelier the greater its weight."""
        return self._random.choices(items, weights)[0]

    def two_of(self, items: Sequence[_Item]) -> tuple[_Item, _Item]:
        """Two different ones."""
        first, second = self._random.sample(items, 2)
        return first, second

    def chance(self, share: float) -> bool:
        """True in this share (0 to 1) of all cases."""
        return self._random.random() < share
