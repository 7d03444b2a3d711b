"""Words that the network merely copied: names of places and German nouns are the other language's, other names stay."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from model.bundle import DE_EN, DIRECTIONS, EN_DE, Dictionary
from service.pipeline.edits import apply
from service.pipeline.protection.restoration import restore
from service.pipeline.protection.stand_ins import protect
from service.pipeline.repairs.copies import find_copies

if TYPE_CHECKING:
    from model.bundle import Direction

BOUND_S = 5.0
"""Of processor time, for 100,000 characters."""


def dictionary(*lines: str) -> Dictionary:
    """The lines, in order, with tabs for spaces."""
    return Dictionary("".join(f"{line}\n" for line in lines).replace(" ", "\t").encode())


DICTIONARIES = {
    DE_EN: dictionary("Berlin Berlin", "Duma Dumah", "Fischer fisherman", "Hand hand", "Mekka Mecca", "Nabel navel"),
    EN_DE: dictionary("Friday Freitag", "Mecca Mekka", "Navel Nabel", "Qatar Katar", "hand Hand", "navel Nabel"),
}


def without_copies(source: str, target: str, direction: Direction) -> str:
    """The translation as it is to be."""
    return apply(target, find_copies(source, target, DICTIONARIES, direction)).text


@pytest.mark.parametrize(
    ("source", "target", "direction", "expected"),
    [
        ("In Mekka brennt es.", "In Mekka there is a fire.", DE_EN, "In Mecca there is a fire."),
        ("Es brennt in Mekka.", "There is a fire in Mekka.", DE_EN, "There is a fire in Mecca."),
        ("the holy city of Mecca", "die heilige Stadt Mecca", EN_DE, "die heilige Stadt Mekka"),
        ("Das ist der Nabel der Welt.", "This is the Nabel of the world.", DE_EN, "This is the navel of the world."),
        ("sein schöner Nabel", "his beautiful Nabel", DE_EN, "his beautiful navel"),
        ("Day 1 (Friday, 3 May)", "Tag 1 (Friday, 3. Mai)", EN_DE, "Tag 1 (Freitag, 3. Mai)"),
        # names, or they may be
        ("on Black Friday again", "am Black Friday wieder", EN_DE, "am Black Friday wieder"),
        ("Fischer gewann.", "Fischer won.", DE_EN, "Fischer won."),
        ("Nabel gewann.", "Nabel won.", DE_EN, "Nabel won."),
        ("Er lebt in Berlin.", "He lives in Berlin.", DE_EN, "He lives in Berlin."),
        ("with Qatar Airways", "mit Qatar Airways", EN_DE, "mit Qatar Airways"),
        ("Mekka-Pilger", "Mekka-pilgrims", DE_EN, "Mekka-pilgrims"),
        ("unter mekka.de", "at Mekka.de", DE_EN, "at Mekka.de"),
        # a sentence that was copied
        ("Der Nabel in Mekka!", "Der Nabel in Mekka", DE_EN, "Der Nabel in Mekka"),
        # words of the other language, and unknown ones
        ("Die Hand ist kalt.", "The Hand is cold.", DE_EN, "The Hand is cold."),
        ("Der Otter schläft.", "The Otter sleeps.", DE_EN, "The Otter sleeps."),
    ],
)
def test_copies(source: str, target: str, direction: Direction, expected: str) -> None:
    """What is spelt otherwise in the other language, and what stands after an article, is translated."""
    assert without_copies(source, target, direction) == expected


def test_without_both_dictionaries() -> None:
    """A bundle that lacks one leaves copies as they are."""
    for direction in DIRECTIONS:
        only = {direction: DICTIONARIES[direction]}
        assert not list(find_copies("In Mekka, Mecca", "To Mekka, Mecca", only, direction))


def test_what_is_kept_stays() -> None:
    """Names that were kept from the network are nobody's copies."""
    protected = protect("Der `Nabel` ist in Mekka.", [], [])
    assert restore(protected, "The X1 is in Mekka.", [], DE_EN, DICTIONARIES).text == "The `Nabel` is in Mecca."


@pytest.mark.parametrize("unit", ["Mekka ", "der Nabel ", "Mekka-", "A", "M ", "e"])
def test_floods_take_no_time(unit: str) -> None:
    """A long text of anything is compared at once."""
    text = unit * (100_000 // len(unit))
    started = time.process_time()
    list(find_copies(text, f"{text} the", DICTIONARIES, DE_EN))
    assert time.process_time() - started < BOUND_S
