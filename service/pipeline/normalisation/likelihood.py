"""How likely words are where they stand, by the language model of their language."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from model.bundle import LanguageModel, Tokenizer

__all__ = ["Likelihood"]

_AROUND = 30
"""Characters before words, and after them, by which they are judged: the model sees no further."""


class Likelihood:
    """Tells which words a text has at a place most likely."""

    def __init__(self, model: LanguageModel, tokenizer: Tokenizer) -> None:
        self._model = model
        self._tokenizer = tokenizer

    def best(self, before: str, after: str, costs: Mapping[str, float]) -> str:
        """The likeliest of some words between two parts of a text.

        Args:
            before: what they follow.
            after: what follows them.
            costs: what is taken off the log probability of each.
        """
        before, after = before[-_AROUND:], after[:_AROUND]
        return max(costs, key=lambda word: self._log_prob(before + word + after) - costs[word])

    def _log_prob(self, text: str) -> float:
        return self._model.log_prob_of(self._tokenizer.encode(text))
