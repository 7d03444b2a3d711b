"""Words that the network garbles where a text begins are read after And, which is taken away again."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from model.bundle import DE_EN, EN_DE, Bundle, Direction
from service.pipeline.edits import apply
from service.pipeline.lists import lines_of
from service.pipeline.protection.rereading import after_beginning
from service.pipeline.protection.restoration import restore
from service.pipeline.protection.stand_ins import protect
from service.pipeline.substitution.beginnings import find_beginning
from tests.service.support import BUNDLE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from model.bundle import Dictionary

BOUND_S = 2.0
"""Of processor time, for 200,000 characters; a tenth of a second is needed."""


@pytest.mark.parametrize(
    ("sentence", "direction", "read", "written", "expected"),
    [
        ("Curtains are dear.", EN_DE, "And curtains are dear.", "Und Vorhänge sind teuer.", "Vorhänge sind teuer."),
        ("Curtains, red and old", EN_DE, "And curtains, red and old", "Und rot und alt", "Rot und alt"),
        ("Wear gloves.", EN_DE, "Please wear gloves.", "Bitte tragen Sie Handschuhe.", "Tragen Sie Handschuhe."),
        ("Hacken Sie es.", DE_EN, "Bitte hacken Sie es.", "Please h chop it.", "Chop it."),
        ("Brüder und ich", DE_EN, "Und Brüder und ich", "And brothers and me", "Brothers and me"),
        ("Brüder und ich", DE_EN, "Und Brüder und ich", "Und brothers and me", "Brothers and me"),
        ("Brüder und ich", DE_EN, "Und Brüder und ich", "Brothers and me", "Brothers and me"),
    ],
)
def test_what_is_read(sentence: str, direction: Direction, read: str, written: str, expected: str) -> None:
    """The first letter of the translation is a capital, and no other And is taken away."""
    protected = after_beginning(protect(sentence, [], []), direction.source)
    assert protected.text == read
    assert restore(protected, written, [], direction).text == expected


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Curtains", "en"),
        ("Curtains Ltd opened.", "en"),
        ("CURTAINS ARE DEAR.", "en"),
        ("The curtains are dear.", "en"),
        ("Signs the letter.", "en"),
        ("Brüder Grimm", "de"),
        ("Deckel öffnen.", "de"),
        ("Deckel langsam öffnen", "de"),
        ("Clean rooms are important.", "en"),
        ("Call the doctor.", "en"),
        ("Hacken ist verboten.", "de"),
    ],
)
def test_what_is_not(text: str, language: str) -> None:
    """A word by itself, names, commands, and words after others."""
    assert find_beginning(text, language) == []


@pytest.fixture(scope="module")
def bundle() -> Bundle:
    """Whose dictionaries tell adjectives, and whose tokenizer pieces."""
    return Bundle.open(BUNDLE)


@pytest.fixture(scope="module")
def dictionaries(bundle: Bundle) -> Mapping[Direction, Dictionary]:
    """Of both directions."""
    return bundle.dictionaries()


@pytest.mark.parametrize(
    ("direction", "text", "read"),
    [
        (DE_EN, "Kostenloses WLAN", "Und kostenloses WLAN"),
        (DE_EN, "Günstige Preise für Familien", "Und günstige Preise für Familien"),
        (DE_EN, "Stabile runde Tische aus Holz.", "Und stabile runde Tische aus Holz."),
        (DE_EN, "Günstige Preise für Familien sind selten.", None),
        (DE_EN, "Günstige Preise anzeigen", None),
        (DE_EN, "Günstige Preise für Familien anzeigen", None),
        (DE_EN, "Neue Preise für Familien", None),
        (DE_EN, "Unsere Preise", None),
        (DE_EN, "Bitten Sie", None),
        (EN_DE, "Crowded room", "And crowded room"),
        (EN_DE, "Spacious apartment.", "And spacious apartment."),
        (EN_DE, "Crowded room with a view", None),
        (EN_DE, "Crowded Room", None),
        (EN_DE, "Confirm password", None),
        (EN_DE, "New room", None),
    ],
)
def test_adjectives_of_which_the_network_sees_pieces(
    bundle: Bundle, dictionaries: Mapping[Direction, Dictionary], direction: Direction, text: str, read: str | None
) -> None:
    """Labels and headings that begin with one, in English those of two words; neither commands nor whole sentences."""
    edits = find_beginning(text, direction.source, dictionaries[direction], bundle.tokenizer)
    assert (apply(text, edits).text if edits else None) == read


@pytest.mark.parametrize("text", ["Günstige Preise für ", "Günstige " + "A" * 50_000, "Günstige Preise für A"])
def test_floods_take_no_time(bundle: Bundle, dictionaries: Mapping[Direction, Dictionary], text: str) -> None:
    """Whatever may be such a label is looked at in time that is bounded."""
    started = time.process_time()
    find_beginning((text + "Aa a, " * 20_000)[:100_000], "de", dictionaries[DE_EN], bundle.tokenizer)
    find_beginning(text + "a" * 100_000, "de", dictionaries[DE_EN], bundle.tokenizer)
    assert time.process_time() - started < BOUND_S


def test_the_list() -> None:
    """Each word is there once, and is found."""
    for name, after in (
        ("beginnings.txt", {"en": " is", "de": " is"}),
        ("commands.txt", {"en": " it", "de": " Sie es"}),
    ):
        listed = [
            (language, word)
            for language, _, its in (line.partition(": ") for line in lines_of(name))
            for word in its.split()
        ]
        assert len(set(listed)) == len(listed)
        assert all(find_beginning(word + after[language], language) for language, word in listed)
