"""Words that do not exist become those that the sentence shows to be meant; rare words, forms and compounds stay."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from model.bundle import DE_EN, DIRECTIONS, EN_DE, Bundle
from service.pipeline.edits import apply
from service.pipeline.writing import nonwords

if TYPE_CHECKING:
    from model.bundle import Direction
    from service.pipeline.repairs.nonwords import NonWords

BOUND_S = 5.0
"""Of processor time, for 5,000 characters: a piece has at most 128 tokens."""


@pytest.fixture(scope="module")
def finders() -> dict[Direction, NonWords]:
    """With the dictionaries and the lexicon of the bundle that is served by default."""
    bundle = Bundle.open(Path("bundles/reder-medium"), verify=False)
    return nonwords(bundle.dictionaries(), bundle.fluency())


@pytest.mark.parametrize(
    ("source", "target", "direction", "expected"),
    [
        # stutters
        ("Er sagt es oft.", "He sayss it often.", DE_EN, "He says it often."),
        ("Die Muslimbruderschaft", "The Muslim Brotherhoodhood", DE_EN, "The Muslim Brotherhood"),
        ("several specialists", "mehrere Sspezialisten", EN_DE, "mehrere Spezialisten"),
        # what a word of the sentence may become
        ("Er kaufte Zigaretten.", "He bought garettes.", DE_EN, "He bought cigarettes."),
        ("Eine enorme Stadt", "An enorous city", DE_EN, "An enormous city"),
        ("Die Preise sind gestiegen.", "Prices have increasedn.", DE_EN, "Prices have increased."),
        ("Das ist unnötig.", "This is unneces.", DE_EN, "This is unnecessary."),
        ("Korruption gibt es auch hier.", "Cortion exists here, too.", DE_EN, "Corruption exists here, too."),
        ("mit viel Optimismus", "with a lot ofoptimism", DE_EN, "with a lot of optimism"),
        ("with large buildings", "mit großen Gebäudenmt", EN_DE, "mit großen Gebäuden"),
        ("the criminal world", "die riminelle Welt", EN_DE, "die kriminelle Welt"),
        ("of the Mexican president", "derxikanische Präsident", EN_DE, "Mexikanische Präsident"),
        ("It has no access.", "Es hat keine Zugangskonen.", EN_DE, "Es hat keine Zugang."),
        # parts of compounds
        ("of cancer complications", "von Krebsmlikationen", EN_DE, "von Krebskomplikationen"),
        ("the science perspective", "die Wissenschaftsspektive", EN_DE, "die Wissenschaftsperspektive"),
        # names
        ("Die Seele des Boekenberg", "The soul of the ekenberg", DE_EN, "The soul of the Boekenberg"),
    ],
)
def test_what_is_meant(
    finders: dict[Direction, NonWords], source: str, target: str, direction: Direction, expected: str
) -> None:
    """Of a garbled word, what is like it: without a stutter, a translation, a part of a compound, or a name."""
    assert apply(target, finders[direction].find(source, target)).text == expected


@pytest.mark.parametrize(
    ("source", "target", "direction"),
    [
        ("The state ministries rejected the reforms.", "Die Staatsministerien wiesen die Reformen zurück.", EN_DE),
        ("a strong-willed woman with an infrared lamp", "eine willensstarke Frau mit einer Infrarotlampe", EN_DE),
        ("the holiest place and a highway official", "der heiligste Ort und ein Autobahnbeamter", EN_DE),
        ("a journey to Tajikistan with Swetlana", "eine Reise nach Tadschikistan mit Swetlana", EN_DE),
        ("Immigration inspection and a bulletproof window", "Einwanderungsprüfstelle und Panzerglasfenster", EN_DE),
        ("die texanische Bevölkerung in Texas", "the Texan population", DE_EN),
        ("Die Privatisierung der Bahn", "The privatisation of the railway, and its privatization", DE_EN),
        ("Sie ist eine banale Person.", "Frobnication of zorkmids", DE_EN),
        ("Gadomskis Beitrag in Pompeji", "Gadomski's contribution in Pompeii", DE_EN),
        ("Siehe www.zigaretten.de und NASA-Zigaretten", "See www.garettes.de and GARETTES", DE_EN),
    ],
)
def test_words_that_stay(finders: dict[Direction, NonWords], source: str, target: str, direction: Direction) -> None:
    """Compounds, forms, other spellings, names, words like nothing in the sentence, addresses and abbreviations."""
    assert not [*finders[direction].find(source, target)]


def test_bundles_without_dictionaries() -> None:
    """Nothing tells what is meant; without a lexicon the dictionaries do."""
    bundle = Bundle.open(Path("bundles/reder-medium"), verify=False)
    dictionaries = bundle.dictionaries()
    assert not nonwords({EN_DE: dictionaries[EN_DE]}, bundle.fluency())
    (edit,) = nonwords(dictionaries, {})[DE_EN].find("Er kaufte Zigaretten.", "He bought garettes.")
    assert edit.text == "cigarettes"


@pytest.mark.parametrize("direction", DIRECTIONS, ids=str)
def test_time_is_bounded(finders: dict[Direction, NonWords], direction: Direction) -> None:
    """Whatever the words are: all unknown, much alike, or one letter many times."""
    source = " ".join(f"Zigarettenf{letter}abrik cigarette" for letter in "abcdefghijklmnopqrstuvwxyz" * 6)
    started = time.process_time()
    for target in ("garettenfxa garettes " * 200, "a" * 5_000, "ab" * 20 + " " + "Zigarettensfabriksgarette " * 190):
        assert len([*finders[direction].find(source[:5_000], target)]) <= 10
    assert time.process_time() - started < BOUND_S
