"""Both clients against the live service."""

from __future__ import annotations

from typing import TYPE_CHECKING

import httpx
import pytest

from reder import (
    AuthenticationError,
    Client,
    InvalidRequestError,
    RederError,
    TooLargeError,
)
from reder._results import read_max_characters
from service.keys import generate
from tests.client.support import KINDS, Either, live_settings, server
from tests.service.support import serve, wait_until

if TYPE_CHECKING:
    from service.app import Loaded
    from service.settings import Settings

ENGLISH = "A man is reading a newspaper on a bench. Two dogs run through the snow."
GERMAN = "Ein Mann liest auf einer Bank die Zeitung."


@pytest.fixture(params=KINDS)
def client(request: pytest.FixtureRequest, url: str) -> Either:
    """Either client of the live service."""
    return Either(request.param, url)


def test_one_text_and_several(client: Either, url: str) -> None:
    """One text gives one translation, several give a list in order: what the service answers without the client."""
    texts = [ENGLISH, "It snows."]
    answer = httpx.post(f"{url}/translate", params={"dir": "en-de"}, json={"text": texts}).json()["translations"]
    one, several = client.translate(ENGLISH, "en-de"), client.translate(texts, "en-de")
    assert one == several[0]
    assert [{"text": it.text, "confidence": it.confidence} for it in several] == answer
    assert {it.direction for it in several} == {"en-de"}
    assert (one.segments, one.detected, one.unchanged) == ((), None, False)


def test_finds_the_language(client: Either) -> None:
    """With auto each text goes its way, and one that is in the target language already is said to be unchanged."""
    there, back = client.translate([ENGLISH, GERMAN])
    assert (there.direction, back.direction) == ("en-de", "de-en")
    assert there.detected is not None
    assert there.detected.language == "en"
    assert there.detected.confidence > 0.9
    same = client.translate(GERMAN, target="de")
    assert (same.text, same.unchanged, same.direction) == (GERMAN, True, None)


def test_details(client: Either) -> None:
    """Segments lie where they say, words are aligned, reverse scores are rates, and best has alternatives."""
    found = client.translate(ENGLISH, "en-de", quality="best", alternatives=2)
    assert len(found.segments) == 2
    for segment in found.segments:
        assert ENGLISH[segment.source.start : segment.source.end] == segment.source.text
        assert found.text[segment.target.start : segment.target.end] == segment.target.text
        assert 0 < segment.reverse_score <= 1
        assert segment.alignment
        assert all(link.source_end <= len(segment.source.text) for link in segment.alignment)
        assert all(link.target_end <= len(segment.target.text) for link in segment.alignment)
        assert 1 <= len(segment.alternatives) <= 2
        assert segment.target.text not in segment.alternatives


def test_formats_and_glossary(client: Either) -> None:
    """Structure survives, and words of the glossary are what it says, as a mapping or as pairs."""
    source = '{\n  "title": "The museum opens at nine.",\n  "id": 7\n}\n'
    pairs = iter([("museum", "Haus der Kunst")])
    found = client.translate(source, "en-de", format="json", glossary=pairs)
    assert found.text.startswith('{\n  "title": "')
    assert found.text.endswith('",\n  "id": 7\n}\n')
    assert "Haus der Kunst" in found.text
    assert client.translate(source, "en-de", format="json", glossary={"museum": "Haus der Kunst"}) == found


def test_attributes(client: Either) -> None:
    """What attributes say is text on request, at once and in a stream."""
    source = '<p>Text <img alt="A red car"></p>'
    found = client.translate(source, "en-de", format="html", attributes=True)
    assert "Auto" in found.text
    assert client.stream(source, "en-de", format="html", attributes=True)[1][0] == found
    assert "A red car" in client.translate(source, "en-de", format="html", attributes=False).text


def test_options_that_there_are_none_of(client: Either) -> None:
    """They are named, rather than lost."""
    for call in (client.translate, client.stream):
        with pytest.raises(TypeError, match=r"no such option: qualty; there are alternatives, .*quality"):
            call("It snows.", "en-de", qualty="best")


def test_what_is_no_text(client: Either) -> None:
    """The place of it is named, whether or not it would go into the first request."""
    for call in (client.translate, client.stream):
        for place in (1, 99):
            with pytest.raises(TypeError, match=f"^text {place} is no str, but NoneType$"):
                call([*["It snows."] * place, None], "en-de")


def test_streams(client: Either) -> None:
    """Every segment comes once, with its place; together they are what comes at the end, and at once without."""
    texts = [ENGLISH, "It snows. It is cold."]
    segments, translations = client.stream(texts, "en-de", details=True)
    assert translations == client.translate(texts, "en-de", details=True)
    streamed = {(one.text_index, one.segment_index): one.segment for one in segments}
    assert len(segments) == len(streamed) == 4
    assert streamed == {
        (text, index): segment
        for text, translation in enumerate(translations)
        for index, segment in enumerate(translation.segments)
    }


def test_round_trip_and_readiness(client: Either) -> None:
    """A round trip has all three stages; a service that is up is ready and says what it serves."""
    there_and_back = client.roundtrip("Two dogs run.", "en-de")
    assert there_and_back.source == "Two dogs run."
    assert there_and_back.translation.direction == "en-de"
    assert there_and_back.reconstruction.direction == "de-en"
    assert 0 < there_and_back.chrf <= 100
    readiness = client.ready()
    assert (readiness.ready, readiness.reasons) == (True, ())
    assert readiness.bundle


def test_how_much_fits_one_request(client: Either) -> None:
    """The service says it; of one that does not, it is not known."""
    assert client.max_characters() == live_settings().max_characters
    assert read_max_characters({"name": "reder"}) is None


def test_errors(client: Either) -> None:
    """What the service refuses is an error of the right type, with the part that is wrong."""
    with pytest.raises(InvalidRequestError) as caught:
        client.translate(["fine", "not\x00fine"], "en-de")
    assert "text.1" in caught.value.errors[0].location
    with pytest.raises(InvalidRequestError, match="format"):
        client.translate("x", "en-de", format="wordstar")
    with pytest.raises(InvalidRequestError):
        client.translate("{", "en-de", format="json")
    with pytest.raises(InvalidRequestError):
        client.stream("x\x00", "en-de")
    with pytest.raises(TooLargeError):
        client.translate("a " * 60_000, "en-de")
    with pytest.raises(RederError, match="surrogate"):
        client.translate("half \ud83d", "en-de")


def test_errors_name_the_callers_text(client: Either) -> None:
    """Whichever request it went in, and whatever was left out of that: its place is among all texts."""
    for texts, place in (
        (["x"] * 100 + ["a\0b"], 100),
        (["", " ", "ok", "a\0b"], 3),
        (["It snows. " * 1000] * 4 + ["a\0b"], 4),
        (["a\0b"], 0),
    ):
        with pytest.raises(InvalidRequestError) as caught:
            client.translate(texts, "en-de")
        assert [error.location for error in caught.value.errors] == [f"body.text.{place}"]
        assert caught.value.detail.startswith(f"body.text.{place}: control character")
        assert caught.value.detail in str(caught.value)
    with pytest.raises(InvalidRequestError) as caught:
        client.stream(["", "ok", "a\0b"], "en-de")
    assert [error.location for error in caught.value.errors] == ["body.text.2"]


def test_many_texts(client: Either) -> None:
    """Nothing to translate needs no service; texts that are white space come back as they are, among others too."""
    assert client.translate([]) == []
    several = client.translate(["It snows.", " \n", ""], "en-de")
    assert [it.text for it in several[1:]] == [" \n", ""]
    assert several[0] == client.translate("It snows.", "en-de")
    assert client.translate("").text == ""
    for blank in ([" "], ["", "\n"], []):
        assert client.stream(blank, "en-de") == ([], client.translate(blank, "en-de"))


@pytest.mark.parametrize("timeout_s", [float("inf"), 1e300])
@pytest.mark.parametrize("kind", KINDS)
def test_without_a_limit_of_time(kind: str, timeout_s: float) -> None:
    """A limit that is none is not told to the service."""
    with server() as (url, seen):
        assert Either(kind, url, timeout_s=timeout_s).translate("text", "en-de").text == "TEXT"
    assert "x-timeout-ms" not in {name.lower() for name in seen[0].headers}


@pytest.mark.parametrize("kind", KINDS)
def test_batches(kind: str) -> None:
    """Many texts go in several requests, none large, each with all that was asked for, and come back in order."""
    texts = [f"text {number}" for number in range(150)] + ["long " * 3000] * 3
    with server() as (url, seen):
        either = Either(kind, f"{url}/")
        found = either.translate(texts, "en-de", quality="best", glossary={"a": "b"}, alternatives=3)
    assert [it.text for it in found] == [text.upper() for text in texts]
    query = {"dir": "en-de", "quality": "best", "alternatives": "3"}
    assert [request.query for request in seen] == [query] * len(seen)
    assert [request.body["glossary"] for request in seen] == [[{"source": "a", "target": "b"}]] * len(seen)
    assert max(len(request.texts) for request in seen) <= 64
    assert max(sum(map(len, request.texts)) for request in seen) <= 20_000


def test_what_is_not_said_is_left_to_the_service() -> None:
    """Without options a request has none: how hard to look is for whoever runs the service to say."""
    with server() as (url, seen):
        Either("sync", f"{url}/").translate("text", "en-de")
    assert [request.query for request in seen] == [{"dir": "en-de"}]


@pytest.mark.parametrize("key", ["clé", "two\nlines", " copied-with-a-blank"])
def test_no_key(key: str) -> None:
    """A key that cannot be one is an error at once, which does not show it."""
    with pytest.raises(RederError, match="key") as caught:
        Client(api_key=key)
    assert key.strip() not in str(caught.value)


def test_leaving_a_stream(settings: Settings, loaded: Loaded) -> None:
    """Leaving a stream early ends the work on the rest of it."""
    sentences = 600
    with serve(settings, loaded) as served:
        host, port = served.address
        text = " ".join(f"A man reads {number} books about the sea and the wind." for number in range(sentences))
        with Client(f"http://{host}:{port}") as client, client.stream(text, "en-de") as stream:
            assert next(iter(stream)).segment.target.text
        wait_until(lambda: served.metric("reder_rejected_total", reason="client-disconnected") == 1)
        assert served.metric("reder_batch_items_sum", dir="en-de", task="search") < sentences


def test_keys(settings: Settings, loaded: Loaded) -> None:
    """A key opens a service that wants one, also beside a password for a proxy in the address; without, 401."""
    key, line = generate("caller")
    with serve(settings, loaded, api_keys=line) as served:
        host, port = served.address
        for kind in KINDS:
            url = f"http://proxy:password@{host}:{port}"
            assert Either(kind, url, api_key=key).translate("It snows.", "en-de").text
            with pytest.raises(AuthenticationError, match="send a key"):
                Either(kind, url).translate("It snows.", "en-de")
            assert Either(kind, url).ready().ready
