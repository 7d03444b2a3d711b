"""Names of companies: they stay, with their legal form."""

from __future__ import annotations

import time

import pytest

from model.bundle import DE_EN, EN_DE, Dictionary, Direction
from service.pipeline.finders.companies import find_companies

DICTIONARY = Dictionary(b"Grundschule\tschool\nVogel\tbird\n")
BOUND_S = 2.0
"""Of processor time, for 100,000 characters."""


def found(text: str) -> list[str]:
    """What is kept."""
    return [written for _, written in find_companies(text, DE_EN, DICTIONARY)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Die Müller Maschinenbau GmbH liefert.", ["Müller Maschinenbau GmbH"]),
        ("an die Stadtwerke Musterstadt GmbH & Co. KG", ["Stadtwerke Musterstadt GmbH & Co. KG"]),
        ("Vertrag mit der Vogel & Söhne OHG", ["Vogel & Söhne OHG"]),
        ("Die Firma Vogel AG und die Deutsche Post AG", ["Vogel AG", "Deutsche Post AG"]),
        ("Rechnung der Blumen Koch e. K.", ["Blumen Koch e. K."]),
        ("Der TSV Grünwald 1921 e. V. lädt ein.", ["TSV Grünwald 1921 e. V."]),
        ("Förderverein der Grundschule e.V.", []),
        ("Eine GmbH haftet, der Geschäftsführer der GmbH nicht.", []),
        ("5 mg/kg KG, HRB 12345 AG, im UG", []),
        ("DIE VOGEL AG", []),
    ],
)
def test_companies(text: str, names: list[str]) -> None:
    """Every word with a capital before the legal form, but for articles and who they are."""
    assert found(text) == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Northgate Insurance plc", ["Northgate Insurance plc"]),
        ("The contract of Green Leaf Ltd. and White Horse Media, LLC", ["Green Leaf Ltd.", "White Horse Media, LLC"]),
        ("Did Red Bull GmbH pay? Because Apple Inc. did", ["Red Bull GmbH", "Apple Inc."]),
        ("In March, Bank of Scotland plc was sold.", ["Bank of Scotland plc"]),
        (
            "Contact Tom of Tate and Vogel & Sons Ltd or our partner Red Bull GmbH.",
            ["Vogel & Sons Ltd", "Red Bull GmbH"],
        ),
        ("An LLC is limited, the plc too; Incoming, PLCs", []),
        ("GREEN LEAF LTD", []),
    ],
)
def test_english_companies(text: str, names: list[str]) -> None:
    """The same in English."""
    assert [written for _, written in find_companies(text, EN_DE, DICTIONARY)] == names


@pytest.mark.parametrize("unit", ["Vogel ", "Vogel AG ", "& ", "Die ", "e. V. ", "Leaf Ltd ", "of and "])
@pytest.mark.parametrize("direction", [DE_EN, EN_DE])
def test_floods_take_no_time(unit: str, direction: Direction) -> None:
    """Time is in proportion to the length."""
    started = time.process_time()
    list(find_companies(unit * (100_000 // len(unit)), direction, DICTIONARY))
    assert time.process_time() - started < BOUND_S
