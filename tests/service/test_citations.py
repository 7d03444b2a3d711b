"""Paragraphs and articles of German laws are written as one does in English."""

from __future__ import annotations

import pytest

from model.bundle import DE_EN, EN_DE
from service.pipeline.finders.citations import find_citations


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("Es gilt Art. 6 Abs. 1 lit. f DSGVO.", ["Art. 6(1)(f) GDPR"]),
        ("nach Artikel 6 Absatz 1 Satz 1 Buchstabe f DS-GVO", ["Article 6(1) sentence 1 lit. f GDPR"]),
        ("§ 823 BGB, § 5 Abs. 1a Nr. 3 EStG und §7 SGB II", ["§ 823 BGB", "§ 5(1a) no. 3 EStG", "§ 7 SGB II"]),
        ("Gemäß § 5 Abs. 2 des Gesetzes", ["§ 5(2)"]),
        ("nach §§ 437 Nr. 3, 280 Abs. 1 und 281 BGB", ["§§ 437 no. 3, 280(1) and 281 BGB"]),
        ("§§ 1 Abs. 2 Nr. 3, 4 KSchG, § 5 Abs. 1", ["§§ 1(2) no. 3, 4 KSchG", "§ 5(1)"]),
        ("Absatz 1 Satz 2 gilt, nach Abs. 3 Nr. 1 auch Absatz 4.", ["Paragraph 1 sentence 2", "paragraph 3 no. 1"]),
        ("§ 433 Abs. 1 BGB-Regel", ["§ 433(1)"]),
    ],
)
def test_into_english(text: str, english: list[str]) -> None:
    """All of it, with the law if that is abbreviated."""
    found = list(find_citations(text, DE_EN))
    assert [one.target for one in found] == english


@pytest.mark.parametrize(
    "text",
    [
        "§ 1 Geltungsbereich",
        "§§ 3, 4 und 5 der Satzung",
        "§ 3 Abs. 1, 2 und 3 BauGB",
        "Art. 5 der Verordnung",
        "auf diese Art. 6 Personen kamen.",
        "§ 5 DER SATZUNG",
    ],
)
def test_others_stay(text: str) -> None:
    """A number alone is left to the network, and so are several."""
    assert not list(find_citations(text, DE_EN))


def test_english_stays() -> None:
    """Other countries count otherwise."""
    assert not list(find_citations("Art. 6 Abs. 1 lit. f DSGVO", EN_DE))
