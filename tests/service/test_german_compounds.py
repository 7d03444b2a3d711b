"""German compounds that nobody listed are read as their last part."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from model.bundle import DE_EN, Dictionary
from service.pipeline.edits import apply
from service.pipeline.lists import lines_of
from service.pipeline.protection.rereading import in_known_words
from service.pipeline.protection.restoration import restore
from service.pipeline.protection.stand_ins import protect
from service.pipeline.substitution.german_compounds import find_compound
from service.pipeline.substitution.substitutes import find_substitutes

if TYPE_CHECKING:
    import httpx

KNOWN = Dictionary(b"Hauptbahnhof\tstation\nInternet\tInternet\nSpielplatz\tplayground\nWeltkarte\tmap\nder\tthe\n")
UNKNOWN = Dictionary(b"")
BOUND_S = 2.0
"""Of processor time."""


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Die Palliativpflege ist gut.", "Die Pflege ist gut."),
        ("Er spielte auf zwei Abendkonzerten.", "Er spielte auf zwei Konzerten."),
        ("Gesundheitsforschungsinstitute und ein Museum", "Institute und ein Museum"),
        ("Er sah die Weltkarten.", "Er sah die Karten."),
        ("Die Kastanienpflege ist gut.", "Die Pflege ist gut."),
    ],
)
def test_what_is_read(text: str, read: str) -> None:
    """The head, in the form of the compound; of a listed one also if the network has seen it."""
    assert apply(text, find_substitutes(text, DE_EN, KNOWN)[0]).text == read


@pytest.mark.parametrize(
    "text",
    [
        "Auf dem Hauptbahnhof, wegen eines Hauptbahnhofs und bei Spielplätzen",
        "Das Konzert im Museum, abendkonzerte, Abendkonzerte-, Qwertzkonzert, ABENDKONZERTE",
        "Herr Hausmann fuhr von Sommerberg nach Abendstein.",
        "Abend-Konzerte, Abendkonzert-Karten",
        "Eisenherz",
        "Das Konsultieren",
    ],
)
def test_what_is_not(text: str) -> None:
    """What the network has seen in any form, names, and what has a part that is not known or is no name."""
    assert find_substitutes(text, DE_EN, KNOWN) == ([], ())
    assert find_substitutes("Die Palliativpflege", DE_EN) == ([], ())


@pytest.mark.parametrize(
    ("sentence", "written", "expected"),
    [
        ("Die Palliativpflege ist gut.", "The care is good.", "The palliative care is good."),
        ("Abendkonzerte", "Concerts", "Evening concerts"),
        ("ein Forschungsinstitut", "a institute", "a research institute"),
        ("zwei Tageskarten", "two maps", "two day tickets"),
        ("ein Polizeimotorrad", "a motorcycle", "a police motorcycle"),
    ],
)
def test_what_becomes_of_it(sentence: str, written: str, expected: str) -> None:
    """The head has before it what the first part is in English."""
    restored = restore(in_known_words(protect(sentence, [], []), DE_EN, KNOWN), written, [], DE_EN)
    assert restored.text == expected
    assert "kept" not in restored.flags


def test_the_lists() -> None:
    """Parts are there once, as they stand in a compound."""
    modifiers = [form for line in lines_of("compounds/modifiers.tsv") for form in line.split("\t")[0].split(", ")]
    heads = [line.split("\t")[1].split(", ") for line in lines_of("compounds/heads.tsv")]
    assert all(form.islower() and len(form) > 1 for form in modifiers)
    assert all(form[0].isupper() and form[1:].islower() for forms in heads for form in forms)
    compounds = [line.split("\t")[0] for line in lines_of("compounds/compounds.tsv")]
    for parts in (modifiers, [forms[0] for forms in heads], compounds):
        assert len(parts) == len(set(parts))
    listed = (line.split("\t") for line in lines_of("compounds/compounds.tsv"))
    assert [german for german, english in listed if english != "-" and not find_compound(german, UNKNOWN)] == []


def test_floods_take_no_time() -> None:
    """Time is in proportion to the length."""
    started = time.process_time()
    for flood in ("Abendkonzert ", "Abend", "Abend-", "Abend-Konzert-", "A"):
        find_substitutes(flood * (100_000 // len(flood)), DE_EN, KNOWN)
    assert time.process_time() - started < BOUND_S


def test_through_the_service(client: httpx.Client) -> None:
    """They are in the translation, also where they are all of a text."""
    texts = ["Sie saß zwei Jahre in einem Inselgefängnis.", "Abendkonzert"]
    answer = client.post("/translate?dir=de-en", json={"text": texts}).json()
    assert "island prison" in answer["translations"][0]["text"]
    assert answer["translations"][1]["text"] == "Evening concert"
