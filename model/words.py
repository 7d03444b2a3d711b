"""Collect the words of a corpus, for the lexicon that the search asks."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from model.bundle.lexicon import words_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from model.bundle import Tokenizer

__all__ = ["LEAST_OCCURRENCES", "known_words"]

LEAST_OCCURRENCES = 3
"""What occurs less often is as likely a slip of the pen."""


def known_words(sentences: Iterable[Sequence[int]], tokenizer: Tokenizer) -> list[str]:
    """The distinct words of packed sentences, in lower case, that occur often enough, sorted."""
    counts: Counter[str] = Counter()
    for ids in sentences:
        counts.update(words_in(tokenizer.decode(ids)))
    return sorted(word for word, count in counts.items() if count >= LEAST_OCCURRENCES)
