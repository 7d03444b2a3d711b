"""Sentences typed without a mark at their end are read with one, and written without it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.pipeline.lists import kinds_of, lines_of
from service.pipeline.normalisation.end_marks import missing_end_mark
from tests.service.support import translate

if TYPE_CHECKING:
    import httpx


@pytest.mark.parametrize(
    ("text", "language", "mark"),
    [
        ("A group of men are loading cotton onto a truck", "en", "."),
        ("Please tell me when it is ready", "en", "."),
        ("Anna's not coming to the party", "en", "."),
        ("Hidden files and folders of all users", "en", ""),
        ("Show hidden files and folders first", "en", ""),
        ("I am hungry", "en", "."),
        ("It's worth a try", "en", "."),
        ("My car won't start", "en", "."),
        ("Dragon's breath and fire", "en", ""),
        ("I/O error log", "en", ""),
        ("Police seek witnesses", "en", "."),
        ("Press escape to leave", "en", ""),
        ("Rents continue to rise", "en", "."),
        ("Court rejects complaint", "en", "."),
        ("How it works", "en", ""),
        ("Files that have changed", "en", ""),
        ("To be continued", "en", ""),
        ("He waits", "en", ""),
        ("They came back in the year 2012", "en", ""),
        ("The file could not be saved.", "en", ""),
        ("This is what the people saw and the", "en", ""),
        ("where is the station", "en", "?"),
        ("What's your name", "en", "?"),
        ("How many files are new", "en", "?"),
        ("Can you send me the file again", "en", "?"),
        ("Don't you have it", "en", "?"),
        ("What you need to know about it", "en", ""),
        ("How to install the program", "en", ""),
        ("Do the dishes before we have to leave", "en", "."),
        ("Have the report read by all users", "en", "."),
        ("Eine Gruppe von Männern lädt Baumwolle auf einen Lastwagen", "de", "."),
        ("Das Paket ist noch nicht da", "de", "."),
        ("Versteckte Dateien und Ordner aller Benutzer anzeigen", "de", ""),
        ("Wir treffen uns am 3", "de", ""),
        ("wo ist der bahnhof", "de", "?"),
        ("Und wie lange dauert die Fahrt", "de", "?"),
        ("Welche Farbe hat das Auto", "de", "?"),
        ("kommst du morgen", "de", "?"),
        ("Ist das dein Auto", "de", "?"),
        ("Ist es kalt, heizen wir das Haus", "de", "."),
        ("Fast das ganze Haus", "de", ""),
        ("Mir ist kalt", "de", "."),
        ("Ich liebe dich", "de", "."),
        ("Ich oder du", "de", ""),
        ("Polizei sucht Zeugen", "de", "."),
        ("Mieten steigen weiter", "de", "."),
        ("Preise steigen und fallen", "de", ""),
        ("Dateien öffnen mit", "de", ""),
        ("Zur nächsten Seite gehen", "de", ""),
        ("Bildschirm weiß schalten", "de", ""),
        ("Der letzte Tritt", "de", ""),
        ("Wie man Reis kocht", "de", ""),
        ("Rechteck, auf welches das Fenster zeigt", "de", ""),
        ("Wie man ein Programm installiert", "de", ""),
        ("Was Sie über Ihren Vertrag wissen müssen", "de", "."),
        ("", "de", ""),
    ],
)
def test_what_is_missing(text: str, language: str, mark: str) -> None:
    """A full stop after a sentence, a question mark after a question, and nothing after a label."""
    assert missing_end_mark(text, language) == mark


def test_the_list_of_verbs_has_each_once() -> None:
    """In small letters, and in none but the kinds that are read."""
    lines = [line.partition(": ") for line in lines_of("finite_verbs.txt")]
    assert {kind for kind, _, _ in lines} == {"en-third", "en-several", "de-third", "de-several"}
    for language in ("en", "de"):
        verbs = [verb for kind, _, its in lines if kind.startswith(language) for verb in its.split()]
        assert all(verb.islower() for verb in verbs)
        assert len(verbs) == len(set(verbs))
    assert not kinds_of("finite_verbs.txt")["en-third"] & kinds_of("verbs.txt")["third"]


@given(st.text(), st.sampled_from(["de", "en"]))
def test_any_text_has_an_answer(text: str, language: str) -> None:
    """Whatever it is."""
    assert missing_end_mark(text, language) in {"", ".", "?"}


@pytest.mark.parametrize("text", ["who " * 25_000 + "is", "wo, " * 25_000 + "ist", "a" * 100_000, "'" * 100_000 + "ab"])
def test_long_text_takes_no_long_time(text: str) -> None:
    """It grows with the text alone."""
    started = time.process_time()
    for language in ("de", "en"):
        missing_end_mark(text, language)
    assert time.process_time() - started < 2


@pytest.mark.parametrize("quality", ["fast", "good"])
@pytest.mark.parametrize(
    ("text", "direction"),
    [
        ("Two dogs are playing in the snow", "en-de"),
        ("Where is the dog", "en-de"),
        ("I have asked {name} to help you", "en-de"),
        ("Zwei Hunde spielen im Schnee mit einem Ball", "de-en"),
        ("Das Kind spielt mit einem %s im Garten", "de-en"),
        ("Wo ist der Hund", "de-en"),
        ("Hund rettet Kind", "de-en"),
    ],
)
def test_the_mark_is_the_networks_alone(client: httpx.Client, text: str, direction: str, quality: str) -> None:
    """The translation is that of the sentence with its mark, but for the mark; places lead to the text as it is."""
    mark = missing_end_mark(text, direction[:2])
    assert mark
    bare, marked = translate(client, direction, [text, text + mark], quality=quality, details="true")
    assert bare["text"] == marked["text"].removesuffix(mark)
    assert bare["text"][-1:].isalpha()
    (segment,) = bare["segments"]
    assert segment["source"]["text"] == text
    assert segment["alignment"]
    assert all(link[1] <= len(text) and link[3] <= len(bare["text"]) for link in segment["alignment"])
