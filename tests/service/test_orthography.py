"""Words in capitals, and nouns without: read as they are usually written, and written as they were."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.bundle import Dictionary
from service.pipeline.normalisation.orthography import in_capitals, respell, retyped
from service.types import Link, Span
from tests.service.support import translate

if TYPE_CHECKING:
    import httpx


def known(*words: str) -> Dictionary:
    """A dictionary that has some words, whatever they mean."""
    return Dictionary(b"".join(f"{word}\tx\n".encode() for word in sorted(words, key=str.encode)))


GERMAN = known(
    "Tür",
    "bitte",
    "geschlossen",
    "halten",
    "ich",
    "habe",
    "keine",
    "Zeit",
    "Straße",
    "heiß",
    "heiße",
    "große",
    "neue",
    "Lässt",
    "über",
    "Masse",
    "USB",
    "BIOS",
    "sehr",
    "der",
)
ENGLISH = known(
    "please",
    "keep",
    "this",
    "door",
    "closed",
    "Berlin",
    "very",
    "important",
    "NASA",
    "I",
    "is",
    "new",
    "not",
    "NOT",
    "may",
    "march",
)
EVERYTHING = "text"
TWO_LETTERS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})


@pytest.mark.parametrize(
    ("language", "text", "read", "capitals"),
    [
        ("de", "BITTE TÜR GESCHLOSSEN HALTEN!", "Bitte Tür geschlossen halten!", EVERYTHING),
        ("de", "USB-STICK GESCHLOSSEN", "USB-Stick geschlossen", EVERYTHING),
        ("de", "HOCHSPANNUNG!", "Hochspannung!", EVERYTHING),
        ("de", "„TÜR“ 2 ÖFFNEN", "„Tür“ 2 Öffnen", EVERYTHING),
        ("de", "DER BIOS-MASSE X1 GESCHLOSSEN", "Der BIOS-Masse X1 geschlossen", EVERYTHING),
        ("de", "STRASSE", "Straße", EVERYTHING),
        ("en", "It is NOT [CLOSED], DON'T", "It is NOT [Closed], don't", "CLOSED DON'T"),
        ("en", "a NEW DOOR", "a new door", "NEW DOOR"),
        ("de", "Das ist SEHR gut.", "Das ist sehr gut.", "SEHR"),
        ("de", "Das ist ICH und SEHR.", "Das ist ICH und sehr.", "SEHR"),
        ("de", "Er lässt dich, Anna.", "Er lässt dich, Anna.", ""),
        ("de", "Das BIOS ist GESCHLOSSEN", "Das BIOS ist geschlossen", "GESCHLOSSEN"),
        ("de", "Die Strasse ist heiss, die Masse nicht.", "Die Straße ist heiß, die Masse nicht.", ""),
        ("de", "Ich habe keine zeit", "Ich habe keine Zeit", ""),
        ("de", "ich habe keine zeit", "ich habe keine Zeit", ""),
        ("de", "zeit, masse", "Zeit, Masse", ""),
        ("de", "A zeit in bern", "A zeit in bern", ""),
        ("de", "Anna und Otto: keine zeit", "Anna und Otto: keine zeit", ""),
        ("de", "Grosse Tuer fuer Muellers", "Große Tür fuer Muellers", ""),
        ("de", "TUER", "Tür", EVERYTHING),
        ("de", "UEBER", "Über", EVERYTHING),
        ("de", "neue zeit", "neue Zeit", ""),
        ("de", "Heisse Zeit in Bern", "Heiße Zeit in Bern", ""),
        ("de", "NVIDIA", "NVIDIA", ""),
        ("de", "HTML", "HTML", ""),
        ("de", "", "", ""),
        ("en", "PLEASE KEEP THIS DOOR CLOSED.", "Please keep this door closed.", EVERYTHING),
        ("en", "KEEP CLOSED MAY 5 AND 1 MARCH, DEC 24", "Keep closed May 5 and 1 March, Dec 24", EVERYTHING),
        ("en", "THIS DOOR MAY MARCH", "This door may march", EVERYTHING),
        ("en", "NASA DOOR IN BERLIN", "NASA door in Berlin", EVERYTHING),
        ("en", "This is VERY IMPORTANT.", "This is very important.", "VERY IMPORTANT"),
        ("en", "It is NOT, US.", "It is NOT, US.", ""),
        ("en", "i keep this in berlin", "I keep this in Berlin", ""),
        ("en", "I keep this in berlin", "I keep this in berlin", ""),
        ("en", "keep this w/o i, w/e i", "keep this w/o I, w/e I", ""),
        ("en", "keep this, i) keep that or (i) keep i", "keep this, i) keep that or (i) keep I", ""),
    ],
)
def test_text_as_it_is_usually_written(language: str, text: str, read: str, capitals: str) -> None:
    """As the dictionary has the words; what is not known is a name, or as it was.

    German nouns have capitals; an English text is taken to lack some only if it has none.
    """
    edited, capital_spans = respell(text, GERMAN if language == "de" else ENGLISH, language)
    assert edited.text == read
    shouted = [text] if capitals == EVERYTHING else capitals.split()
    back = map(edited.back, capital_spans)
    assert [text[span.start : span.end] for span in back] == shouted


@given(st.one_of(st.text(), st.text("ABCdefSsßÄ .", max_size=40)), st.sampled_from(["de", "en"]))
def test_the_same_letters_are_read(text: str, language: str) -> None:
    """Whatever the text, but for capitals, ß and umlauts; and each place in one is one in the other."""
    edited, capitals = respell(text, GERMAN, language)
    one, other = (spelt.upper().casefold().translate(TWO_LETTERS) for spelt in (edited.text, text))
    assert one == other
    assert edited.back(Span(0, len(edited.text))) == Span(0, len(text))
    for span in capitals:
        assert text[edited.back(span).start : edited.back(span).end].isupper()


def test_which_words_get_capitals() -> None:
    """All that is a word, if all was in capitals; else what is linked with a word that was."""
    links = [Link(Span(0, 4), Span(9, 13)), Link(Span(5, 9), Span(0, 3))]
    assert list(in_capitals((Span(0, 9),), "Read this", "Lies 2 das X1", links)) == [Span(0, 4), Span(7, 10)]
    assert list(in_capitals((Span(5, 9),), "Read this", "das sollst lies", links)) == [Span(0, 3)]
    assert list(in_capitals((), "Read this", "Lies das", links)) == []
    both = [Link(Span(0, 4), Span(0, 7)), Link(Span(5, 14), Span(0, 7))]
    assert list(in_capitals((Span(0, 4), Span(5, 14)), "very important", "wichtig", both)) == [Span(0, 7)]


@pytest.mark.parametrize(
    ("direction", "text"),
    [
        ("en-de", "A man in a red coat is waiting for the bus."),
        ("de-en", "Zwei Männer stehen auf der Straße."),
        ("de-en", "Eine Frau läuft über die Straße."),
    ],
)
def test_a_sentence_in_capitals(client: httpx.Client, direction: str, text: str) -> None:
    """It becomes the same sentence, in capitals."""
    expected = translate(client, direction, text, quality="good")[0]["text"]
    assert translate(client, direction, text.upper(), quality="good")[0]["text"] == expected.upper()


def test_a_sentence_without_capitals(client: httpx.Client) -> None:
    """German nouns are known without their capitals, and ß and umlauts as two letters."""
    expected = translate(client, "de-en", "Zwei Männer stehen auf der Straße.", quality="good")[0]["text"]
    for text in ("Zwei männer stehen auf der straße.", "Zwei Maenner stehen auf der Strasse."):
        assert translate(client, "de-en", text, quality="good")[0]["text"] == expected


def test_what_is_kept_is_kept_as_it_is(client: httpx.Client) -> None:
    """Placeholders, addresses and markup in a sentence in capitals stay, and its words are in capitals."""
    text = "PLEASE SEND {name} TO <b>info@example.com</b>."
    german = translate(client, "en-de", text, quality="good", format="html")[0]["text"]
    assert (
        german.count("{name}") == german.count("info@example.com") == german.count("<b>") == german.count("</b>") == 1
    )
    assert german.replace("{name}", "").replace("info@example.com", "").replace("b>", "").isupper()


def test_a_term_in_capitals(client: httpx.Client) -> None:
    """A glossary's term is written as it is there."""
    body = {"text": "THE MUSEUM IS OPEN TODAY.", "glossary": [{"source": "museum", "target": "Glyptothek"}]}
    german = client.post("/translate?dir=en-de", json=body).json()["translations"][0]["text"]
    assert "Glyptothek" in german
    assert german.replace("Glyptothek", "").isupper()


def test_details_of_capitals(client: httpx.Client) -> None:
    """Segments and links are places in the text as it was and as it is answered."""
    text = "DIE STRASSE IST GROSS. ALLES IST GUT."
    answer = client.post("/translate?dir=de-en&details=true", json={"text": text}).json()
    one = answer["translations"][0]
    for segment in one["segments"]:
        source, target = segment["source"], segment["target"]
        assert text[source["start"] : source["end"]] == source["text"]
        assert one["text"][target["start"] : target["end"]] == target["text"]
        for start, end, begins, ends in segment["alignment"]:
            assert 0 <= start < end <= len(source["text"])
            assert 0 <= begins < ends <= len(target["text"])


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (',,Das ist gut", sagte er.', '"Das ist gut", sagte er.'),
        ("Sie rief: ,,Nein!''", 'Sie rief: "Nein!"'),
        ("``No,'' he said.", '"No," he said.'),
        ("''No,'' he said.", '"No," he said.'),
        ("Peter`s Auto, geht´s", "Peter's Auto, geht's"),
        ("a,,b", "a,,b"),
        ("a 5'' pipe, ''", "a 5'' pipe, ''"),
        ("the rock''", "the rock''"),
        ("'it''s'", "'it''s'"),
        ("5´ und ´neu´ und `code`", "5´ und ´neu´ und `code`"),
    ],
)
def test_signs_as_they_are_usually_typed(text: str, read: str) -> None:
    """Commas and quotes twice are quotation marks, an accent between letters is an apostrophe, and nothing else is."""
    assert retyped(text).text == read


def test_an_accent_is_read_as_an_apostrophe(client: httpx.Client) -> None:
    """The vocabulary lacks it, but it is not kept from the network."""
    answer = client.post("/translate?dir=de-en", json={"text": "Wie geht´s dir?"})
    assert "´" not in answer.json()["translations"][0]["text"]
