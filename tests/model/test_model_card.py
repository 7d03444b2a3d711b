"""The card that travels with a bundle."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from model.bundle import DIRECTIONS, EN_DE, Bundle, Fluency, LanguageModel, WordPairs
from model.model_card import Tables, render_card, sources_of
from model.ngrams import estimate, save

SHIPPED = Path(__file__).parents[2] / "bundles" / "reder-small"


def test_sources_are_read_back() -> None:
    """A card written with the sources that another card tells of tells of the same."""
    card = (SHIPPED / "MODEL_CARD.md").read_text(encoding="utf-8")
    sources = sources_of(card)
    assert len(sources) > 50
    assert ("ding-dictionary", "Debian trans-de-en 1.9-6", "GPL-2+") in sources
    again = render_card(
        Bundle.open(SHIPPED, verify=False).manifest, scores=[], round_trip={}, sources=sources, fluency={}
    )
    assert sources_of(again) == sources
    assert again[again.index("## Data") : again.index("## Limits")] in card


def test_a_card_without_sources() -> None:
    """A card that names no sources gives none."""
    card = render_card(Bundle.open(SHIPPED, verify=False).manifest, scores=[], round_trip={}, sources=[], fluency={})
    assert sources_of(card) == []
    assert "language model" not in card


def test_a_card_tells_of_language_models(tmp_path: Path) -> None:
    """How long their n-grams are, and how much they count in the search."""
    ngrams = estimate(np.array([1, 2, 1, 2]), np.array([0, 2, 4]), vocabulary_size=9, order=3, threshold=0.0)
    save(ngrams, tmp_path / "ngrams.npz")
    fluency = Fluency(LanguageModel.open(tmp_path / "ngrams.npz"), weight=0.25, bonus=1.5)
    manifest = Bundle.open(SHIPPED, verify=False).manifest
    card = render_card(manifest, scores=[], round_trip={}, sources=[], fluency=dict.fromkeys(DIRECTIONS, fluency))
    assert "3-grams counted in the text" in card
    assert "weight 0.25 and 1.5 for each token" in card


def test_a_card_tells_of_word_pairs() -> None:
    """For which directions there are some, and how many weights say something."""
    tables = Tables(word_pairs={EN_DE: WordPairs(np.array([0, -3, 4, 0], np.int8))})
    manifest = Bundle.open(SHIPPED, verify=False).manifest
    card = render_card(manifest, scores=[], round_trip={}, sources=[], fluency={}, tables=tables)
    assert "pairs of words speak" in card
    assert "It has 2 weights en-de." in card
