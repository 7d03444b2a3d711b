"""English articles fit the words after them."""

from __future__ import annotations

import pytest

from model.bundle import DE_EN
from service.pipeline.edits import apply
from service.pipeline.protection.restoration import restore
from service.pipeline.protection.stand_ins import protect
from service.pipeline.repairs.articles import check_articles


def corrected(target: str, source: str = "Ein Satz.", language: str = "en") -> str:
    """The translation as it should read."""
    return apply(target, check_articles(source, target, language)).text


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("A early test of a age of a old man.", "An early test of an age of an old man."),
        ("a hour, a honest heir, a unimportant uncle", "an hour, an honest heir, an unimportant uncle"),
        ("such a idea", "such an idea"),
    ],
)
def test_a_becomes_an_before_a_vowel(target: str, expected: str) -> None:
    """What counts is the sound."""
    assert corrected(target) == expected


@pytest.mark.parametrize(
    "target",
    [
        "A user of a European university has a one-way ticket, a unique union and a uniform.",
        "an apple, a house, a historical event, an hour",
        "the vitamin A intake, Option A applies",
        "a and b are in a, a of, a in",
        "a USB stick, a e.g. test, l'a ete, a.m. a.k.a. it-a old",
        "a X1, a {unit}, a 8 inch screen",
    ],
)
def test_what_fits_or_is_no_article_stays(target: str) -> None:
    """So do letters, abbreviations, and an article whose noun is not there."""
    assert corrected(target) == target


def test_a_letter_of_the_sentence_is_none() -> None:
    """Where the German has the letter, the English may."""
    assert corrected("The a option", "Die a Option") == "The a option"
    assert corrected("Ein a oder", language="de") == "Ein a oder"


def test_beside_what_is_put_back() -> None:
    """The article is put right along with everything else."""
    protected = protect("{name} ist ein Onkel.", [], [])
    assert restore(protected, "X1 is a uncle.", [], DE_EN).text == "{name} is an uncle."
