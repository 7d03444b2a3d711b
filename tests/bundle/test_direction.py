"""The translation direction."""

from __future__ import annotations

import pytest

from model.bundle import DE_EN, DIRECTIONS, EN_DE, Direction


@pytest.mark.parametrize("direction", DIRECTIONS, ids=str)
def test_parse_reads_its_own_text(direction: Direction) -> None:
    """The string form leads back to the value."""
    assert Direction.parse(str(direction)) is direction


def test_reverse() -> None:
    """Each direction is the other's reverse."""
    assert EN_DE.reverse == DE_EN
    assert DE_EN.reverse == EN_DE
    assert (EN_DE.source, EN_DE.target) == ("en", "de")


def test_english_first() -> None:
    """Source and target are told apart by their languages."""
    assert EN_DE.english_first("a man", "ein Mann") == DE_EN.english_first("ein Mann", "a man") == ("a man", "ein Mann")


@pytest.mark.parametrize("text", ["", "en", "en_de", "EN-DE", "en-fr", "en-en", "en-de ", "de-en-de"])
def test_parse_refuses_anything_else(text: str) -> None:
    """An unknown direction is an error that quotes it and lists the known ones."""
    with pytest.raises(ValueError, match="known: en-de, de-en") as error:
        Direction.parse(text)
    assert repr(text) in str(error.value)
