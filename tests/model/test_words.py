"""The words of a lexicon, collected from text."""

from __future__ import annotations

from pathlib import Path

from model.bundle import Tokenizer
from model.words import LEAST_OCCURRENCES, LEAST_SHARE, known_words

SHIPPED = Path(__file__).parents[2] / "bundles" / "reder-small" / "tokenizer.model"


def test_what_was_cut_off_is_no_word() -> None:
    """What seldom stands alone, but often begins a word, is left out; what is as rare and begins none is a word."""
    tokenizer = Tokenizer(SHIPPED)
    assert tokenizer.decode(tokenizer.encode("Verkehr")[:1]) == "Ver"
    texts = ["ver", "vor", "Verkehr"] * LEAST_OCCURRENCES
    assert known_words(map(tokenizer.encode, texts), tokenizer) == ["ver", "verkehr", "vor"]
    texts += ["Verkehr"] * int(LEAST_OCCURRENCES / LEAST_SHARE)
    assert known_words(map(tokenizer.encode, texts), tokenizer) == ["verkehr", "vor"]
