"""A text of one word: what the network writes is held against the dictionary."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from model.bundle import DE_EN, EN_DE, Dictionary
from service.pipeline.single_words import check_word

if TYPE_CHECKING:
    import httpx


def _dictionary(*lines: str) -> Dictionary:
    return Dictionary("".join(f"{line}\n" for line in lines).replace(" ", "\t").replace("_", " ").encode())


GERMAN = _dictionary(
    *("Gut Gut Good", "Kehle throat gorge", "Leben life lives", "Maria Mary Maria", "Roman novel Roman"),
    *("gelten apply", "gut well good", "leben live", "sofort immediately at_once"),
)
ENGLISH = _dictionary(
    *("Apple Apple", "March März", "Milk Himmelsmilch", "Peter Petrus Peter", "Polish polnisch Polnisch"),
    *("Turkey Türkei", "Winter Winter", "apple Apfel", "eliminate beseitigen eliminieren"),
    *("march marschieren Marsch März", "milk Milch Vollmilch", "polish aufpoliert Nagellack", "recent neu jüngst"),
    *("throat Kehle", "winter Winterkleidung"),
)


@pytest.mark.parametrize(
    ("source", "written", "dictionary", "text"),
    [
        ("Kehle", "sch", GERMAN, "Throat"),
        ("Kehle", "", GERMAN, "Throat"),
        ("Kehle", "Throat", GERMAN, "Throat"),
        ("Kehle", "gorge", GERMAN, "Gorge"),
        ("Kehle:", "sch:", GERMAN, "Throat:"),
        ("gelten", "to apply", GERMAN, "to apply"),
        ("Sofort!", "ly!", GERMAN, "Immediately!"),
        ("sofort", "to immediately", GERMAN, "immediately"),
        ("SOFORT", "NOW", GERMAN, "IMMEDIATELY"),
        ("Eliminate", "E", ENGLISH, "Beseitigen"),
        ("recent", "neuen", ENGLISH, "neuen"),
        ("recent", "letzten", ENGLISH, "neu"),
        ("throat", "Kehlen", ENGLISH, "Kehle"),
        ("Milk", "Milch", ENGLISH, "Milch"),
        ("Milk", "x", ENGLISH, "Milch"),
        ("March", "x", ENGLISH, "März"),
        ("Polish", "x", ENGLISH, "Polnisch"),
        ("Apple", "Apple", ENGLISH, "Apfel"),
        ("Winter", "Winter", ENGLISH, "Winter"),
        ("Turkey", "Truthahn", ENGLISH, "Türkei"),
        ("Recent", "x", ENGLISH, "Neu"),
        ("Peter", "Petrus", ENGLISH, "Peter"),
        ("Gut", "x", GERMAN, "Good"),
        ("Leben", "x", GERMAN, "Life"),
        ("Maria", "Mary", GERMAN, "Maria"),
        ("Roman", "x", GERMAN, "Novel"),
    ],
)
def test_word_that_is_known(source: str, written: str, dictionary: Dictionary, text: str) -> None:
    """What is listed stays as the network wrote it, adjectives with any ending; else the first is taken."""
    word = check_word(source, written, dictionary, DE_EN if dictionary is GERMAN else EN_DE)
    assert word is not None
    assert word.text == text
    assert word.is_replaced == (text.casefold() != written.casefold())
    assert text not in word.others


@pytest.mark.parametrize(("source", "written"), [("Kehle…", "throat ..."), ("Kehle", "throat,"), ("Kehle!", "throat")])
def test_signs_after_a_word_are_those_of_the_source(source: str, written: str) -> None:
    """The network may write others, or some where there is none; that is no other word."""
    word = check_word(source, written, GERMAN, DE_EN)
    assert word is not None
    assert (word.text, word.is_replaced) == (source.replace("Kehle", "Throat"), False)


@pytest.mark.parametrize("source", ["Haus", "die Kehle", "Kehle und Hals", "42", "Kehle 2", "„Kehle“", "", "…"])
def test_what_is_left_to_the_network(source: str) -> None:
    """A word that is not known, more than one, and what is none."""
    assert check_word(source, "anything", GERMAN, DE_EN) is None


def test_other_translations() -> None:
    """The rest of what is listed, with the same punctuation, the likeliest first."""
    replaced = check_word("Kehle.", "x", GERMAN, DE_EN)
    listed = check_word("eliminate", "eliminieren", ENGLISH, EN_DE)
    assert replaced is not None
    assert listed is not None
    assert replaced.others == ("Gorge.",)
    assert listed.others == ("beseitigen",)


COMMON = {
    "de-en": {
        "Vernunft": "reason rationality",
        "Größen": "sizes",
        "zuverlässig": "reliable reliably",
        "Kehle": "throat",
    },
    "en-de": {"eliminate": "beseitigen eliminieren", "crust": "Kruste", "throat": "Kehle Hals", "roads": "Straßen"},
}


@pytest.mark.parametrize("quality", ["fast", "good", "best"])
@pytest.mark.parametrize("direction", COMMON)
def test_common_words(client: httpx.Client, direction: str, quality: str) -> None:
    """Served with the bundle's own dictionary, a common word becomes one of its translations, whatever the quality."""
    words = COMMON[direction]
    answer = client.post(f"/translate?dir={direction}&quality={quality}", json={"text": list(words)}).json()
    found = [one["text"] for one in answer["translations"]]
    assert all(text.lower() in listed.lower().split() for text, listed in zip(found, words.values(), strict=True)), (
        found
    )


def test_details_of_a_word(client: httpx.Client) -> None:
    """A word of the dictionary is flagged, linked as a whole, and has alternatives from there, in any format."""
    body = {"text": "Größen"}
    (one,) = client.post("/translate?dir=de-en&quality=best&details=true&alternatives=3", json=body).json()[
        "translations"
    ]
    (segment,) = one["segments"]
    assert segment["flags"] in ([], ["dictionary"])
    assert segment["alternatives"]
    assert one["text"] not in segment["alternatives"]
    marked = client.post("/translate?dir=de-en&quality=best&format=html", json={"text": "<p><b>Größen</b></p>"}).json()
    assert marked["translations"][0]["text"] == f"<p><b>{one['text']}</b></p>"


def test_labels(client: httpx.Client) -> None:
    """What has a capital becomes what it becomes without, and has one then."""
    labels = {"Milk": "Milch", "Close": "Schließen", "Sister": "Schwester", "March": "März", "Peter": "Peter"}
    answer = client.post("/translate?dir=en-de", json={"text": list(labels)}).json()
    assert [one["text"] for one in answer["translations"]] == list(labels.values())


def test_misspelt_word_of_the_dictionary(client: httpx.Client) -> None:
    """A word that was misspelt and is the dictionary's is flagged for both."""
    answer = client.post("/translate?dir=en-de&details=true", json={"text": "importnat"}).json()
    flags = answer["translations"][0]["segments"][0]["flags"]
    assert "spelling" in flags


@pytest.mark.parametrize(
    ("direction", "text", "expected"),
    [
        ("en-de", "%d dogs", "%d Hunde"),
        ("en-de", "{count} cats", "{count} Katzen"),
        ("en-de", "Roads: {0}", "Straßen: {0}"),
        ("de-en", "%d Hunde", "%d dogs"),
    ],
)
def test_a_word_beside_a_placeholder(client: httpx.Client, direction: str, text: str, expected: str) -> None:
    """A word that is all there is but for a placeholder is one of its translations, too."""
    answer = client.post("/translate", params={"dir": direction}, json={"text": text})
    assert answer.json()["translations"][0]["text"] == expected
