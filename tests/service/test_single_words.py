"""A text of one word: what the network writes is held against the dictionary."""

from __future__ import annotations

import pytest

from model.bundle import Dictionary
from service.pipeline.single_words import check_word

GERMAN = Dictionary(b"Kehle\tthroat\tgorge\ngelten\tapply\nsofort\timmediately\tat once\n")
ENGLISH = Dictionary(b"eliminate\tbeseitigen\teliminieren\nrecent\tneu\tj\xc3\xbcngst\nthroat\tKehle\n")


@pytest.mark.parametrize(
    ("source", "written", "dictionary", "text"),
    [
        ("Kehle", "sch", GERMAN, "throat"),
        ("Kehle", "", GERMAN, "throat"),
        ("Kehle", "Throat", GERMAN, "Throat"),
        ("Kehle", "gorge", GERMAN, "gorge"),
        ("Kehle:", "sch:", GERMAN, "throat:"),
        ("Kehle…", "throat ...", GERMAN, "throat ..."),
        ("gelten", "to apply", GERMAN, "to apply"),
        ("Sofort!", "ly!", GERMAN, "Immediately!"),
        ("sofort", "to immediately", GERMAN, "immediately"),
        ("SOFORT", "NOW", GERMAN, "IMMEDIATELY"),
        ("Eliminate", "E", ENGLISH, "Beseitigen"),
        ("recent", "neuen", ENGLISH, "neuen"),
        ("recent", "letzten", ENGLISH, "neu"),
        ("throat", "Kehlen", ENGLISH, "Kehle"),
    ],
)
def test_word_that_is_known(source: str, written: str, dictionary: Dictionary, text: str) -> None:
    """What is listed stays as the network wrote it, adjectives with any ending; else the first is taken."""
    word = check_word(source, written, dictionary)
    assert word is not None
    assert word.text == text
    assert word.is_replaced == (text != written)
    assert text not in word.others


@pytest.mark.parametrize("source", ["Haus", "die Kehle", "Kehle und Hals", "42", "Kehle 2", "„Kehle“", "", "…"])
def test_what_is_left_to_the_network(source: str) -> None:
    """A word that is not known, more than one, and what is none."""
    assert check_word(source, "anything", GERMAN) is None


def test_other_translations() -> None:
    """The rest of what is listed, with the same punctuation, the likeliest first."""
    replaced, listed = check_word("Kehle.", "x", GERMAN), check_word("eliminate", "eliminieren", ENGLISH)
    assert replaced is not None
    assert listed is not None
    assert replaced.others == ("gorge.",)
    assert listed.others == ("beseitigen",)
