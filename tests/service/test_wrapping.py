"""Wrapped lines: sentences are read whole, and translations wrapped again; other lines stay lines."""

from __future__ import annotations

import textwrap
import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.bundle import Dictionary
from service.pipeline.segmentation.sentences import cut, segment
from service.pipeline.segmentation.wrapping import find_paragraphs, unwrap, wrap
from service.types import Span
from tests.service.support import translate

if TYPE_CHECKING:
    import httpx

ENGLISH = Dictionary(b"understand\tverstehen\n")
MAIL = """\
Dear Anna,

thank you for your mail. I have attached the invoice for October
and the contract that we discussed last week. Could you please
sign it and send it back to me by Friday?

> On Monday you wrote that the delivery will be delayed until the
> end of the month. Is this still true?

- The first item of a list is longer than a line, so it is wrapped
  and its second line is indented.
- The second is not.

Best regards
Tom
"""


def test_a_mail() -> None:
    """Sentences go on over lines that are full; greetings, items and paragraphs are by themselves."""
    assert [" ".join(one.split()) for one in segment(MAIL, "en").sentences] == [
        "Dear Anna,",
        "thank you for your mail.",
        "I have attached the invoice for October and the contract that we discussed last week.",
        "Could you please sign it and send it back to me by Friday?",
        "On Monday you wrote that the delivery will be delayed until the > end of the month.",
        "Is this still true?",
        "The first item of a list is longer than a line, so it is wrapped and its second line is indented.",
        "The second is not.",
        "Best regards",
        "Tom",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Settings\nUser interface\nKeyboard and mouse\nabout",
        (
            "Zahlbar innerhalb von 14 Tagen ohne Abzug. Bei Zahlung innerhalb von 7 Tagen gewähren wir 2 % Skonto.\n"
            "Bankverbindung: Sparkasse Musterstadt, IBAN DE89 3704 0044 0532 0130 00, BIC COBADEFFXXX\n"
            "Steuernummer: 123/456/78901, USt-IdNr.: DE123456789"
        ),
        (
            "Häufig (kann bis zu 1 von 10 Behandelten betreffen): Kopfschmerzen, Schwindel, Übelkeit\n"
            "Gelegentlich (kann bis zu 1 von 100 Behandelten betreffen): Hautausschlag, Juckreiz\n"
            "Sehr selten (kann bis zu 1 von 10.000 Behandelten betreffen): Fieber"
        ),
        "a man is riding a bicycle down the street in the city\na woman in a red coat waits for the bus",
        "How to install the software on a new computer\nWhat to do when the installation was not successful",
        "Everything was said, and then they went home again.\nthe next day they came back.",
        "name of the column in the table | what it means to us\nwidth of the column | how much there is",
        "The following files are needed to install the software:\nsetup.exe and its folder",
        "word " * 30 + "\nand another line that follows a line that is far too long",
        "It was many and many a year ago,\n   In a kingdom by the sea,\nThat a maiden there lived whom you may know",
        "The first party has agreed to sell the goods; and\nThe second party has agreed to purchase the same goods",
        "Die erste Partei hat dem Verkauf der Ware zugestimmt; und\nDie zweite Partei hat dem Kauf der Ware zugestimmt",
        "",
        "\n\n",
    ],
)
def test_lines_that_are_not_wrapped(text: str) -> None:
    """Labels, captions, headings, tables, verse, and lines that end as sentences do."""
    assert find_paragraphs(text) == []


def test_a_german_letter_begins_with_a_small_letter() -> None:
    """After the greeting, two lines are enough to tell."""
    mail = (
        "Hallo Anna,\n\nwann kommt ihr denn an den Feiertagen? Wir würden\nuns freuen, wenn ihr schon am 25. da seid."
    )
    assert segment(mail, "de").sentences == (
        "Hallo Anna,",
        "wann kommt ihr denn an den Feiertagen?",
        "Wir würden\nuns freuen, wenn ihr schon am 25. da seid.",
    )


def test_german_nouns_have_capitals() -> None:
    """A line may begin with one: where others are wrapped, or the one before ends with a word that wants more."""
    text = "Gerne senden wir Ihnen unser Angebot über 25 Stühle zu einem\nPreis von 49,90 Euro."
    assert segment(text, "de").sentences == (text,)
    unsure = "Wir hatten in der letzten Woche sehr viel Regen, leider auch\nSchnee."
    assert len(segment(unsure, "de").sentences) == 2
    assert segment(f"{text}\n\n{unsure}", "de").sentences == (text, unsure)


@pytest.mark.parametrize(
    ("language", "text", "line"),
    [
        ("en", "He would\nlike it.", "He would like it."),
        ("en", "He would \r\n\t like it.", "He would like it."),
        ("en", "He would\n> > like it.", "He would like it."),
        ("de", "Die Über-\nsetzung", "Die Übersetzung"),
        ("de", "die Vor-\nund Nachteile", "die Vor- und Nachteile"),
        ("de", "die X-\nAchse", "die X- Achse"),
        ("en", "to under-\nstand well-\nknown names", "to understand well-known names"),
        ("en", "a - b", "a - b"),
    ],
)
def test_one_line(language: str, text: str, line: str) -> None:
    """A break is a space, or nothing where a word was hyphenated."""
    edited = unwrap(text, ENGLISH, language)
    assert edited.text == line
    assert edited.back(Span(0, len(line))) == Span(0, len(text))


SOME = ["er", "geht", "heute", "mit", "seinen", "alten", "freunden", "durch", "die", "stadt,"]
WORDS = st.lists(st.sampled_from(SOME), min_size=40)


@given(WORDS, st.integers(60, 90), st.sampled_from(["", "> ", "    "]))
def test_what_was_wrapped_is_one_sentence_and_wrapped_again(words: list[str], width: int, lead: str) -> None:
    """Whatever the width and what lines begin with; no line is longer, and the words are the same."""
    sentence = "Hier " + " ".join(words) + " nach Hause."
    text = textwrap.fill(sentence, width, initial_indent=lead, subsequent_indent=lead)
    assert segment(text, "de").sentences == (text.removeprefix(lead),)
    (paragraph,) = find_paragraphs(text)
    again = wrap(sentence, len(lead), paragraph)
    assert unwrap(again.text, None, "de").text == sentence
    assert all(len(line) <= paragraph.width for line in (lead + again.text).split("\n"))


def test_a_sign_begins_no_line() -> None:
    """It stays with the number or word before it, though the line gets longer."""
    (paragraph,) = find_paragraphs("This is the longest of all lines of this one,\nand it goes on.")
    sentence = "This costs very much, as everybody can tell, 49.90 € and more – or not."
    assert wrap(sentence, 0, paragraph).text.split("\n") == [
        "This costs very much, as everybody can tell,",
        "49.90 € and more – or not.",
    ]
    assert wrap(sentence, 40, paragraph).text.startswith("This\ncosts")
    assert "50 €" in wrap(f"{'x' * 42} 50 € is much.", 0, paragraph).text


@given(st.text(st.sampled_from("aB. ,-\n\r>\t"), max_size=300))
def test_any_lines(text: str) -> None:
    """Breaks are between words, in order, within their paragraph; reading a text in one line loses nothing else."""
    for paragraph in find_paragraphs(text * 3):
        for one in paragraph.breaks:
            assert paragraph.span.start < one.start < one.end < paragraph.span.end
            assert not (text * 3)[one.start : one.end].replace(">", "").strip()
    assert "\n" not in unwrap(text, None, "en").text


def test_a_long_wrapped_sentence_is_cut_between_words() -> None:
    """What quoted lines begin with belongs to the gap."""
    left, gap, right = cut("one two three four five six\n > > seven eight nine ten eleven twelve")
    assert (left.split()[-1], gap, right.split()[0]) == ("six", "\n > > ", "seven")


@pytest.mark.parametrize(
    "text", ["a" + " " * 100_000 + "b\n", "> " * 50_000, "\n" * 100_000, "a-\n" * 30_000, "x y\n" * 25_000]
)
def test_hostile_lines_take_no_time(text: str) -> None:
    """Work grows with the length of a text, not with its square."""
    started = time.process_time()
    find_paragraphs(text)
    unwrap(text, None, "de")
    assert time.process_time() - started < 5


def test_a_wrapped_text_is_translated_like_one_that_is_not(client: httpx.Client) -> None:
    """The same words, in lines that are no longer; and every place that is told of is where it says."""
    flat = "\n".join(" ".join(one.replace("\n>", " ").split()) for one in segment(MAIL, "en").sentences)
    wrapped, expected = translate(client, "en-de", [MAIL, flat], quality="good", details="true")
    assert [one["target"]["text"].replace(">", "").split() for one in wrapped["segments"]] == [
        one["target"]["text"].split() for one in expected["segments"]
    ]
    assert max(map(len, wrapped["text"].splitlines())) <= max(map(len, MAIL.splitlines()))
    assert "\n> " in wrapped["text"]
    for segment_ in wrapped["segments"]:
        source, target = segment_["source"], segment_["target"]
        assert MAIL[source["start"] : source["end"]] == source["text"]
        assert wrapped["text"][target["start"] : target["end"]] == target["text"]
        assert all(0 <= start < end <= len(target["text"]) for *_, start, end in segment_["alignment"])


def test_a_stream_tells_the_same(client: httpx.Client) -> None:
    """Segments that are told of one by one are wrapped as those of the whole answer."""
    body = {"text": MAIL}
    whole = client.post("/translate?dir=en-de&quality=fast&details=true", json=body).json()["translations"][0]
    headers = {"Accept": "text/event-stream"}
    streamed = client.post("/translate?dir=en-de&quality=fast&details=true", json=body, headers=headers).text
    for one in whole["segments"]:
        assert one["target"]["text"].replace("\n", "\\n") in streamed
