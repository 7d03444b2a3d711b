"""The card that travels with a bundle."""

from __future__ import annotations

from pathlib import Path

from model.bundle import Bundle
from model.model_card import render_card, sources_of

SHIPPED = Path(__file__).parents[2] / "bundles" / "reder-small"


def test_sources_are_read_back() -> None:
    """A card written with the sources that another card tells of tells of the same."""
    card = (SHIPPED / "MODEL_CARD.md").read_text(encoding="utf-8")
    sources = sources_of(card)
    assert len(sources) > 50
    assert ("ding-dictionary", "Debian trans-de-en 1.9-6", "GPL-2+") in sources
    again = render_card(Bundle.open(SHIPPED, verify=False).manifest, scores=[], round_trip={}, sources=sources)
    assert sources_of(again) == sources
    assert again[again.index("## Data") : again.index("## Limits")] in card


def test_a_card_without_sources() -> None:
    """A card that names no sources gives none."""
    card = render_card(Bundle.open(SHIPPED, verify=False).manifest, scores=[], round_trip={}, sources=[])
    assert sources_of(card) == []
