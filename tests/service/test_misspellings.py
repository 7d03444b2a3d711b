"""Misspelt words: read as they were meant, and names, rare words and other languages as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.bundle import DE_EN, EN_DE, Bundle
from service.pipeline.normalisation.likelihood import Likelihood
from service.pipeline.normalisation.misspellings import Corrector, slip_cost
from service.types import Span
from tests.cli.support import BUNDLE
from tests.service.support import translate

if TYPE_CHECKING:
    import httpx

    from model.bundle import Direction


def corrector(direction: Direction) -> Corrector:
    """Of the source of a direction, with what the bundle has."""
    bundle = Bundle.open(BUNDLE, verify=False)
    fluency = bundle.fluency()[direction.reverse]
    likelihood = Likelihood(fluency.model, bundle.tokenizer)
    return Corrector(direction.source, bundle.dictionaries()[direction], fluency.lexicon, likelihood)


ENGLISH, GERMAN = corrector(EN_DE), corrector(DE_EN)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Please seperate the two files.", "Please separate the two files."),
        ("He definately wants to come tommorow.", "He definitely wants to come tomorrow."),
        ("I dont know what hes talking about.", "I don't know what he's talking about."),
        ("Thats not what I ment, youre wrong.", "That's not what I meant, you're wrong."),
        ("There are alot of pepole in the garden.", "There are a lot of people in the garden."),
        ("the enviroment is realy importnat", "the environment is really important"),
        ("The managment has recieved teh documants.", "The management has received the documents."),
        ("Open the setings dialog (and clsoe it).", "Open the settings dialog (and close it)."),
    ],
)
def test_english(text: str, meant: str) -> None:
    """Letters left out, too many, doubled, swapped or others; apostrophes and spaces left out; several at once."""
    assert ENGLISH.correct(text).text == meant


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Das ist warscheinlich nicht richtig.", "Das ist wahrscheinlich nicht richtig."),
        ("Wir haben die Bestelung gestern erhaltn.", "Wir haben die Bestellung gestern erhalten."),
        ("Wir treffen uns am Mitwoch am Bahnof.", "Wir treffen uns am Mittwoch am Bahnhof."),
        ("Er ist nähmlich müde.", "Er ist nämlich müde."),
        ("Könen Sie mir helfen?", "Können Sie mir helfen?"),
        ("Entschuldigng für die Verspätug!", "Entschuldigung für die Verspätung!"),
    ],
)
def test_german(text: str, meant: str) -> None:
    """The same, nouns too."""
    assert GERMAN.correct(text).text == meant


@pytest.mark.parametrize(
    ("corrector", "text", "meant"),
    [
        (ENGLISH, "I think your right.", "I think you're right."),
        (ENGLISH, "She is taller then me.", "She is taller than me."),
        (ENGLISH, "Their are many people, and we where there.", "There are many people, and we were there."),
        (ENGLISH, "im not sure if its raining", "I'm not sure if it's raining"),
        (GERMAN, "Ich weiß, das er kommt.", "Ich weiß, dass er kommt."),
        (GERMAN, "Ihr seit alle eingeladen.", "Ihr seid alle eingeladen."),
        (GERMAN, "Dass ist gut, das kann mann wissen.", "Das ist gut, das kann man wissen."),
        (GERMAN, "Wen du kommst, ist es gut.", "Wenn du kommst, ist es gut."),
    ],
)
def test_words_that_are_confused(corrector: Corrector, text: str, meant: str) -> None:
    """A word written for another that sounds alike is read as that, if the words around it leave little doubt."""
    assert corrector.correct(text).text == meant
    assert corrector.correct(meant).text == meant


@pytest.mark.parametrize(
    "text",
    [
        "We met Lodin and Shnur in Begovaya.",
        "Install kubectl and run systemctl restart nginx, then check journalctl.",
        "my username is xkcdfan",
        "Edit docs/setings.txt, foo.setings or setings_old; setings@example.org",
        "MyClass reads the recieveBuffer and the RECIEVE flag.",
        "Je ne comprends pas pourquoi il pleut.",
        "The lorem ipsum dolor sit amet consectetur adipiscing elit.",
        "Thu is a day. Tue, too.",
        "His trousers, the color and the colour; a sunburnt seal.",
        "",
        "§ 3: 42 %",
        "\ud800 \u0000 \u0301",
    ],
)
def test_english_that_stays(text: str) -> None:
    """Names, identifiers, what no slip explains, other languages, and what is no word."""
    assert ENGLISH.correct(text).text == text


@pytest.mark.parametrize(
    "text",
    [
        "Der Datenschutzbeauftragte prüft die Auftragsverarbeitungsvereinbarung.",
        "Frau Kowalczyk und Herr Özdemir treffen Frau Schulze-Gävernitz.",
        "Die Oma strickt Socken und häkelt Topflappen.",
        "Bitte committen und pushen, dann mergen wir den Branch.",
        "Grüezi mitenand, das ist ein Velo.",
    ],
)
def test_german_that_stays(text: str) -> None:
    """Compounds that nobody has written before, names, and words that few write."""
    assert GERMAN.correct(text).text == text


@given(st.one_of(st.text(), st.text("abcdeilnrst T.'", max_size=60)), st.sampled_from([ENGLISH, GERMAN]))
def test_whatever_the_text(text: str, corrector: Corrector) -> None:
    """Only words change, and places are found again."""
    edited = corrector.correct(text)
    assert edited.back(Span(0, len(edited.text))) == Span(0, len(text))
    for old, new in zip(edited.old, edited.new, strict=True):
        assert text[old.start : old.end].isalpha()
        assert edited.text[new.start : new.end] != text[old.start : old.end]


@pytest.mark.parametrize(
    ("typed", "meant", "likelier"),
    [
        ("recieve", "receive", "recite"),
        ("ocurred", "occurred", "scurred"),
        ("proffesional", "professional", "proffesionaly"),
        ("dont", "don't", "dot"),
        ("untill", "until", "untilt"),
        ("runing", "running", "ruling"),
    ],
)
def test_slips_that_are_likely(typed: str, meant: str, likelier: str) -> None:
    """Swapped letters, doubled ones and apostrophes are likelier than other letters; what takes two slips is none."""
    cost, other = slip_cost(typed, meant), slip_cost(typed, likelier)
    assert cost is not None
    assert other is None or cost < other
    assert slip_cost(typed, "something") is None
    assert slip_cost("tax", "thx") is None


@pytest.mark.parametrize(
    ("direction", "text", "meant"),
    [
        ("de-en", "Ein Mann fährt Fahrad im Wald.", "Ein Mann fährt Fahrrad im Wald."),
        ("de-en", "ZWEI HUNDE SPIELEN IM SCHNE.", "ZWEI HUNDE SPIELEN IM SCHNEE."),
        ("en-de", "Two dogs are runing thruogh the snow.", "Two dogs are running through the snow."),
        ("en-de", "tommorow", "tomorrow"),
    ],
)
def test_the_same_translation(client: httpx.Client, direction: str, text: str, meant: str) -> None:
    """A misspelt text is translated as the one that was meant, and says so; its words are linked where they stand."""
    one, other = translate(client, direction, [text, meant], quality="good", details="true")
    assert one["text"] == other["text"]
    (segment,), (expected,) = one["segments"], other["segments"]
    assert "spelling" in segment["flags"]
    assert "spelling" not in expected["flags"]
    assert segment["source"]["text"] == text
    linked = {text[start:end] for start, end, *_ in segment["alignment"]}
    assert linked <= set(text.replace(".", " .").split()) | {text}


def test_what_is_kept_is_not_corrected(client: httpx.Client) -> None:
    """Placeholders, markup, and terms of a glossary are as they were; words around them are read as they were meant."""
    text = "Pleese open <b>{setings}</b> and the <code>seperate</code> Foobr dialog."
    glossary = [{"source": "Foobr", "target": "Fubar"}]
    answer = client.post("/translate?dir=en-de&quality=good&format=html", json={"text": text, "glossary": glossary})
    german = answer.json()["translations"][0]["text"]
    assert "<b>{setings}</b>" in german
    assert "<code>seperate</code>" in german
    assert "Fubar" in german
