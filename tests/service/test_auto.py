"""dir=auto: each text goes its own way, what is done already stays as it is, and doubt is told."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

from service.formats import registry
from service.formats.html import parse_html
from service.pipeline.detection import UNCERTAIN, Detection, detect
from service.types import Format

if TYPE_CHECKING:
    import httpx

    from service.app import Loaded
    from service.formats.flow import FlowDocument
    from tests.service.support import Served

ENGLISH = "Two men are standing in front of a shop."
GERMAN = "Der Hund läuft am Strand entlang."


def translate(client: httpx.Client, text: str | list[str], **query: str) -> dict[str, Any]:
    """An answer that must be a success."""
    answer = client.post("/translate", params={"dir": "auto"} | query, json={"text": text})
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


def test_both_ways_at_once(client: httpx.Client) -> None:
    """Texts of both languages in one request come back in order, each as with its own direction."""
    alone = {
        way: client.post(f"/translate?dir={way}", json={"text": text}).json()["translations"][0]["text"]
        for way, text in (("en-de", ENGLISH), ("de-en", GERMAN))
    }
    told = translate(client, [ENGLISH, GERMAN, ENGLISH])
    assert told["dir"] == "auto"
    assert [one["dir"] for one in told["translations"]] == ["en-de", "de-en", "en-de"]
    assert [one["text"] for one in told["translations"]] == [alone[one["dir"]] for one in told["translations"]]
    assert [one["detected"]["language"] for one in told["translations"]] == ["en", "de", "en"]
    assert all(one["detected"]["confidence"] > UNCERTAIN for one in told["translations"])
    assert not any(one["unchanged"] for one in told["translations"])


def test_what_is_done_already_stays(client: httpx.Client) -> None:
    """Text in the target language comes back as it came, and is said to; its neighbours are translated."""
    text = f"  {GERMAN}\n\n\tZwei Männer reden!  "
    done, other = translate(client, [text, ENGLISH], target="de")["translations"]
    assert (done["text"], done["dir"], done["unchanged"], done["confidence"]) == (text, None, True, 1.0)
    assert done["detected"]["language"] == "de"
    assert (other["dir"], other["unchanged"]) == ("en-de", False)
    assert other["text"] != ENGLISH


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("He was fast", "en"),
        ("I was here in April.", "en"),
        ("I am Reinkarr.", "en"),
        ("Start im Winter", "de"),
        ("Er ist Student.", "de"),
        ("Tom ist da.", "de"),
    ],
)
def test_function_words_settle_it(client: httpx.Client, text: str, language: str) -> None:
    """A short text that is spelt much as in the other language is done already, or is translated, by its small words.

    All three APIs say so.
    """
    (done,) = translate(client, text, target=language)["translations"]
    assert (done["text"], done["unchanged"], done["detected"]["language"]) == (text, True, language)
    other = "de" if language == "en" else "en"
    assert translate(client, text, target=other)["translations"][0]["dir"] == f"{language}-{other}"
    libre = client.post("/translate", json={"q": text, "source": "auto", "target": language}).json()
    assert (libre["translatedText"], libre["detectedLanguage"]["language"]) == (text, language)
    (deepl,) = client.post("/v2/translate", json={"text": [text], "target_lang": language}).json()["translations"]
    assert (deepl["text"], deepl["detected_source_language"]) == (text, language.upper())


def test_doubt_is_not_taken_for_done(client: httpx.Client) -> None:
    """A word that both languages have is translated where somebody asks for that, and the doubt is told."""
    (found,) = translate(client, "Hand", target="en")["translations"]
    assert found["detected"]["confidence"] < UNCERTAIN
    assert (found["dir"], found["unchanged"]) == ("de-en", False)
    (deepl,) = client.post("/v2/translate", json={"text": ["Hand"], "target_lang": "EN"}).json()["translations"]
    assert deepl["detected_source_language"].lower() == found["detected"]["language"]


def test_blank_texts_go_nowhere(client: httpx.Client) -> None:
    """With a target and without, and whatever the others do, they come back as they are, and are said to."""
    for query in ({"target": "de"}, {}):
        blank, other, space = translate(client, ["", ENGLISH, " \n"], **query)["translations"]
        assert [(one["text"], one["dir"], one["unchanged"]) for one in (blank, space)] == [
            ("", None, True),
            (" \n", None, True),
        ]
        assert (other["dir"], other["unchanged"]) == ("en-de", False)


def test_text_without_words(client: httpx.Client) -> None:
    """Numbers, blank lines and other scripts have confidence 0, and survive."""
    told = translate(client, ["42", "", "日本語", ENGLISH])["translations"]
    assert [one["detected"]["confidence"] for one in told[:3]] == [0, 0, 0]
    assert [one["text"] for one in told[:2]] == ["42", ""]


def test_the_language_of_a_document_is_that_of_its_text(client: httpx.Client) -> None:
    """Markup is English whatever the language; a document that is none is refused at its place."""
    attributes = " ".join(f'data-{name}="the house and the dog are here"' for name in ("first", "second", "third"))
    (found,) = translate(client, f"<article {attributes}><p>{GERMAN}</p></article>", format="html")["translations"]
    assert (found["dir"], found["detected"]["language"]) == ("de-en", "de")
    wrong = client.post("/translate?dir=auto&format=json", json={"text": ['{"a": "Two men."}', "{"]})
    assert wrong.status_code == 422
    assert [one["location"] for one in wrong.json()["errors"]] == ["body.text.1"]


@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
def test_a_document_is_parsed_once(served: Served, monkeypatch: pytest.MonkeyPatch, accept: str) -> None:
    """What was parsed to detect the language is what is translated, with the text of attributes if that is wanted."""
    parsed: list[str] = []

    def noting(source: str, *, attributes: bool = False) -> FlowDocument:
        parsed.append(source)
        return parse_html(source, attributes=attributes)

    monkeypatch.setitem(registry._PARSERS, Format.HTML, noting)
    texts = [f'<p title="{GERMAN}">{GERMAN}</p>', f"<p>{ENGLISH}</p>", f"<p>{GERMAN} {GERMAN}</p>"]
    answer = served.client.post(
        "/translate?dir=auto&format=html&attributes=true", json={"text": texts}, headers={"Accept": accept}
    )
    assert answer.status_code == 200
    assert r"title=\"Der Hund" not in answer.text
    assert parsed == texts


def test_nothing_is_told_that_was_not_asked_for(client: httpx.Client) -> None:
    """With a named direction an answer is as it always was."""
    answer = client.post("/translate?dir=en-de", json={"text": ENGLISH}).json()
    assert [sorted(one) for one in answer["translations"]] == [["confidence", "text"]]


def test_limits_hold_for_the_whole_request(client: httpx.Client) -> None:
    """What is wrong is told at its place among all texts, whichever way they go."""
    answer = client.post("/translate?dir=auto", json={"text": [ENGLISH, GERMAN, "a\0"]})
    assert answer.status_code == 422
    assert [one["location"] for one in answer.json()["errors"]] == ["body.text.2"]


def test_it_is_counted_and_timed(served: Served) -> None:
    """The log and the metrics call the direction auto where there are several; detection is a stage of its own."""
    before = served.metric("reder_requests_total", route="/translate", dir="auto", quality="fast", code="200")
    answer = served.client.post("/translate?dir=auto", json={"text": [ENGLISH, GERMAN]})
    assert "detect;dur=" in answer.headers["server-timing"]
    after = served.metric("reder_requests_total", route="/translate", dir="auto", quality="fast", code="200")
    assert after == before + 1


@pytest.mark.parametrize("language", ["en", "de"])
def test_sentences_are_told_apart(loaded: Loaded, language: str) -> None:
    """Of the bundle's canary sentences hardly one is taken for the other language, and none with confidence."""
    found = [detect(text) for text in loaded.bundle.canary(language)]
    wrong = [one for one in found if one.language != language]
    assert len(wrong) <= 0.02 * len(found)
    assert all(one.confidence < 0.9 for one in wrong)


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("Der Hund läuft am Strand.", 0.95, 1.0),
        ("Bonjour tout le monde, comment allez-vous ?", 0.0, UNCERTAIN),
        ("Ik ga naar huis en dan eten we brood", 0.0, 0.1),
        ("Gisteren zijn we naar de markt gegaan en hebben we veel fruit gekocht.", 0.0, 0.1),
        ("Ayer fuimos al mercado y compramos muchas frutas para la semana.", 0.0, 0.1),
        ("Ieri siamo andati al mercato e abbiamo comprato molta frutta.", 0.0, 0.1),
        ("Wczoraj poszliśmy na targ i kupiliśmy dużo owoców.", 0.0, 0.1),
        ("Igår gick vi till marknaden och köpte mycket frukt.", 0.0, 0.1),
        ("Yesterday we went to the market and bought a lot of fruit.", 0.95, 1.0),
        ("Angela Merkel visited Paris", 0.5, UNCERTAIN),
        ("Angela Merkel of the CDU", 0.9, 1.0),
        ("Bot in NOT", 0.5, UNCERTAIN),
        ("Pick-up Service Berlin", 0.5, 0.9),
        ("Frankfurt a. M. Tower", UNCERTAIN, 0.9),
        ("Les enfants du paradis", 0.0, UNCERTAIN),
        ("Hand", 0.5, 0.6),
        ("Hallo!", 1.0, 1.0),
        ("Der Hund 日本語日本語日本語日本語", 0.0, 0.4),
        ("Пойдем домой", 0.0, 0.0),
        ("12345 %$!", 0.0, 0.0),
        ("", 0.0, 0.0),
    ],
)
def test_confidence_is_honest(text: str, least: float, most: float) -> None:
    """High for a plain sentence; undecided for what may be either language; low for what is in neither."""
    assert least <= detect(text).confidence <= most


def test_no_text_takes_long() -> None:
    """Only the beginning of a text is read: a word of 100,000 letters takes lingua seconds."""
    started = time.process_time()
    for text in ("a" * 100_000, "der " * 25_000, "ß" * 100_000, "\u0301" * 100_000, "x1" * 50_000):
        assert 0 <= detect(text).confidence <= 1
    assert time.process_time() - started < 0.5
    assert detect("1" * 100_000 + GERMAN) == Detection("en", 0.0)
