"""LibreTranslate's API: its clients from PyPI, unchanged, against the live service; and what else it promises."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError

import pytest
from deep_translator import LibreTranslator
from deep_translator.exceptions import AuthorizationException, ServerException
from libretranslatepy import LibreTranslateAPI

from service.keys import generate
from tests.service import support
from tests.service.support import serve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import httpx

    from service.app import Loaded
    from service.settings import Settings
    from tests.service.support import Reached, Served

WEB, STRANGER = generate("web"), generate("web").key
ENGLISH = "Two men are talking in front of the house."
GERMAN = "Zwei Männer reden vor dem Haus."
SECRET = "Geheimnis"  # noqa: S105 - a word to look for
LIMIT = 300


@pytest.fixture(scope="module")
def guarded(settings: Settings, loaded: Loaded) -> Iterator[Served]:
    """A service with a key, and a limit for its holder."""
    with serve(settings, loaded, api_keys=WEB.line, rate_limit_per_key=f"{LIMIT}/hour") as served:
        yield served


def ours(client: httpx.Client, direction: str, text: str, **options: str) -> str:
    """What our own API answers."""
    (translation,) = support.translate(client, direction, text, **options)
    return str(translation["text"])


def translate(client: httpx.Client, **fields: object) -> dict[str, Any]:
    """An answer of POST /translate that must succeed; the fields are sent as JSON."""
    response = client.post("/translate", json=fields)
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer


def refused(call: Callable[[], object]) -> tuple[int, str]:
    """The status and the message with which a call of libretranslatepy fails."""
    with pytest.raises(HTTPError) as raised:
        call()
    with raised.value as answer:
        body = json.load(answer)
    assert set(body) == {"error"}
    return raised.value.code, body["error"]


# ----------------------------------------------------------------------------------- the clients


def test_libretranslatepy(service: Reached) -> None:
    """Its three calls: both directions as our own API translates, languages, and the language of a text."""
    client = LibreTranslateAPI(service.url)
    assert client.translate(ENGLISH, "en", "de") == ours(service.client, "en-de", ENGLISH) != ENGLISH
    assert client.translate(GERMAN, "de", "en") == ours(service.client, "de-en", GERMAN) != GERMAN
    assert client.translate(GERMAN, "auto", "en") == ours(service.client, "de-en", GERMAN)
    assert client.languages() == [
        {"code": "de", "name": "German", "targets": ["de", "en"]},
        {"code": "en", "name": "English", "targets": ["de", "en"]},
    ]
    (found,) = client.detect(GERMAN)
    assert found["language"] == "de"
    assert type(found["confidence"]) is int
    assert 70 <= found["confidence"] <= 100


def test_libretranslatepy_is_told_what_is_wrong(guarded: Served) -> None:
    """400 for a language there is none of, 403 for a wrong key or none; languages need no key."""
    client = LibreTranslateAPI(guarded.url, api_key=WEB.key)
    assert client.translate(ENGLISH, "en", "de") != ENGLISH
    status, told = refused(lambda: client.translate(ENGLISH, "en", "fr"))
    assert (status, "target" in told) == (400, True)
    assert refused(lambda: client.translate("", "en", "de")) == (400, "q: must not be empty")
    status, told = refused(lambda: client.translate("Two men talk. " * 30, "en", "de"))
    assert (status, told) == (
        400,
        f"this counts as 420 characters; the rate limit per key is {LIMIT} characters per hour",
    )
    stranger, nobody = LibreTranslateAPI(guarded.url, api_key=STRANGER), LibreTranslateAPI(guarded.url)
    assert refused(lambda: stranger.translate(ENGLISH, "en", "de")) == (403, "this key is not valid")
    assert refused(lambda: nobody.translate(ENGLISH, "en", "de"))[0] == 403
    assert refused(lambda: stranger.detect(ENGLISH))[0] == 403
    assert len(nobody.languages()) == 2


def test_libretranslatepy_is_told_to_wait(settings: Settings, loaded: Loaded) -> None:
    """429 once the limit is reached, for translations and detections together."""
    with serve(settings, loaded, rate_limit_per_address="60/hour") as served:
        client = LibreTranslateAPI(served.url)
        client.detect(GERMAN)
        status, told = refused(lambda: client.translate(GERMAN, "de", "en"))
        assert (status, told) == (429, "the rate limit per address is reached: 60 characters per hour")
        answer = served.client.post("/translate", json={"q": GERMAN, "source": "de", "target": "en"})
        assert 3500 < int(answer.headers["retry-after"]) <= 3601


def test_deep_translator(service: Reached) -> None:
    """It sends everything in the query; batches are one request a text, here several at the same time."""
    client = LibreTranslator("en", "de", api_key="none", custom_url=f"{service.url}/")
    texts = [ENGLISH, "Good morning!", "", "Why are you late? - Äh & so=?", " \n"]
    expected = [ours(service.client, "en-de", text) if text.strip() else text for text in texts]
    assert client.translate_batch(texts) == expected
    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(client.translate, [ENGLISH] * 8)) == {expected[0]}
    back = LibreTranslator("auto", "English", api_key="none", custom_url=f"{service.url}/")
    assert back.translate(GERMAN) == ours(service.client, "de-en", GERMAN)
    assert back.translate(ENGLISH) == ENGLISH


def test_deep_translator_is_told_what_is_wrong(guarded: Served) -> None:
    """A wrong key raises its AuthorizationException, a language there is none of its ServerException."""

    def client(key: str, target: str) -> LibreTranslator:
        return LibreTranslator("en", target, api_key=key, custom_url=f"{guarded.url}/")

    with pytest.raises(AuthorizationException):
        client(STRANGER, "de").translate(ENGLISH)
    with pytest.raises(ServerException):
        client(WEB.key, "fr").translate(ENGLISH)
    assert client(WEB.key, "de").translate("Good morning!") != "Good morning!"


# ---------------------------------------------------------------------------------- the requests


def test_the_same_in_every_form(client: httpx.Client) -> None:
    """JSON, both kinds of forms and the query mean the same; a name that is repeated is a list."""
    fields = {"q": GERMAN, "source": "de", "target": "en"}
    expected = {"translatedText": ours(client, "de-en", GERMAN)}
    multipart: Any = {name: (None, value) for name, value in fields.items()}
    for sent in ({"json": fields}, {"data": fields}, {"params": fields}, {"files": multipart}):
        assert client.post("/translate", **sent).json() == expected
    several = client.post("/translate", data=fields | {"q": [GERMAN, "Guten Morgen!"]}).json()
    assert several == {"translatedText": [expected["translatedText"], ours(client, "de-en", "Guten Morgen!")]}
    assert client.post("/detect", params={"q": GERMAN}).json() == client.post("/detect", json={"q": GERMAN}).json()


def test_lists_and_detection(client: httpx.Client) -> None:
    """Lists are answered with lists, each text by its own language; what is in the target language comes back."""
    texts = [GERMAN, ENGLISH, ""]
    answer = translate(client, q=texts, source="auto", target="en")
    assert answer["translatedText"] == [ours(client, "de-en", GERMAN), ENGLISH, ""]
    assert [one["language"] for one in answer["detectedLanguage"]][:2] == ["de", "en"]
    assert answer["detectedLanguage"][2]["confidence"] == 0
    one = translate(client, q=[GERMAN], source="auto", target="en")
    assert one == {name: values[:1] for name, values in answer.items()}
    alone = translate(client, q=GERMAN, source="auto", target="en")
    assert alone == {name: values[0] for name, values in answer.items()}
    assert translate(client, q=[" ", "\n"], source="auto", target="de")["translatedText"] == [" ", "\n"]
    assert translate(client, q=GERMAN, source="de", target="de") == {"translatedText": GERMAN}
    assert "detectedLanguage" not in translate(client, q=GERMAN, source="de", target="en")


def test_html(client: httpx.Client) -> None:
    """With format=html tags survive, as in our own API."""
    page = '<p class="lead">Two men <b>talk</b>.</p>\n<!-- no text --><pre>Two men talk.</pre>'
    answer = translate(client, q=page, source="en", target="de", format="html")
    assert answer == {"translatedText": ours(client, "en-de", page, format="html")}
    text = answer["translatedText"]
    assert text.startswith('<p class="lead">')
    assert text.endswith("</p>\n<!-- no text --><pre>Two men talk.</pre>")
    assert "<b>" in text
    assert "Two men <b>talk" not in text


def test_alternatives(client: httpx.Client) -> None:
    """Other translations of the whole text, none of them twice, and none for HTML."""
    text = f"  {ENGLISH}\n\n{ENGLISH} "
    answer = translate(client, q=text, source="en", target="de", alternatives=3)
    assert answer["translatedText"] == ours(client, "en-de", text, quality="best")
    found = answer["alternatives"]
    assert 1 <= len(found) <= 3
    assert len({answer["translatedText"], *found}) == 1 + len(found)
    assert all(other.startswith("  ") and "\n\n" in other and other.endswith(" ") for other in found)
    several = translate(client, q=[text, "Yes."], source="en", target="de", alternatives="1", format="html")
    assert several["alternatives"] == [[], []]


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        ({}, "q: Field required; source: Field required; target: Field required"),
        ({"text": SECRET}, "q: Field required; a request with `text` needs `dir` in the query"),
        ({"q": "", "source": "en", "target": "de"}, "q: must not be empty"),
        ({"q": [], "source": "en", "target": "de"}, "q: List should have at least 1 item"),
        ({"q": ["a", 3], "source": "en", "target": "de"}, "q.1: Input should be a valid string"),
        ({"q": {SECRET: 1}, "source": "en", "target": "de"}, "q: must be a string or a list of strings"),
        ({"q": SECRET, "source": SECRET, "target": "de"}, "source: Input should be"),
        ({"q": SECRET, "source": "en", "target": "auto"}, "target: Input should be 'de' or 'en'"),
        ({"q": SECRET, "source": "en", "target": "de", "format": SECRET}, "format: Input should be"),
        ({"q": SECRET, "source": "en", "target": "de", "alternatives": 99}, "alternatives: Input should be less"),
        ({"q": SECRET, "source": "en", "target": "de", "alternatives": SECRET}, "alternatives: Input should be a"),
        ({"q": ["{}", "{"], "source": "auto", "target": "de", "format": "json"}, "q.1: "),
        ({"q": SECRET, "source": "", "target": "de"}, "source: Input should be"),
        ({"q": ["a"] * 513, "source": "en", "target": "de"}, "513 texts; at most 512"),
        ({"q": [""] * 513, "source": "auto", "target": "de"}, "513 texts; at most 512"),
        ({"q": "a " * 60_000, "source": "en", "target": "de"}, "120000 characters; at most 100000"),
        ({"q": " " * 120_000, "source": "en", "target": "de"}, "120000 characters; at most 100000"),
        ([SECRET], "body: Input should be an object"),
        (b"{", "the request body is not JSON"),
        (b"\xff", "the request body is not UTF-8"),
    ],
)
def test_errors(client: httpx.Client, sent: object, told: str) -> None:
    """Whatever is wrong: status 400, and the reason in `error`, without the text."""
    content = sent if isinstance(sent, bytes) else json.dumps(sent).encode()
    answer = client.post("/translate", content=content, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400, answer.text
    assert set(answer.json()) == {"error"}
    assert answer.json()["error"].startswith(told)
    assert SECRET not in answer.text


def test_other_errors(client: httpx.Client) -> None:
    """A body that is not declared, a wrong method, nothing to detect, what is not offered: the same shape."""
    undeclared = client.post("/translate", content=b"q=a&source=en&target=de")
    assert undeclared.status_code == 400
    assert undeclared.json()["error"].startswith("say what the body is")
    latin_1 = client.post("/translate?q=M%E4nner&source=de&target=en")
    assert (latin_1.status_code, latin_1.json()) == (400, {"error": "query: is not UTF-8"})
    assert client.get("/translate").json() == {"error": client.get("/translate").json()["error"]}
    assert client.get("/translate").status_code == 405
    assert client.post("/detect", json={"q": " "}).status_code == 400
    too_many = client.post("/detect", json={"q": ["a"] * 513})
    assert (too_many.status_code, too_many.json()) == (400, {"error": "513 texts; at most 512 fit one request"})
    for path in ("/suggest", "/translate_file"):
        missing = client.post(path, data={"source": "de", "target": "en"})
        assert (missing.status_code, set(missing.json())) == (404, {"error"})
    for path in ("/translate", "/detect"):
        late = client.post(path, json={"q": GERMAN, "source": "de", "target": "en"}, headers={"X-Timeout-Ms": "x"})
        assert (late.status_code, set(late.json())) == (400, {"error"})


def test_fields_that_hold_nothing(client: httpx.Client) -> None:
    """A field that need not be there may be null or empty."""
    fields = {"q": GERMAN, "source": "de", "target": "en"}
    expected = translate(client, **fields)
    names = ("format", "alternatives", "api_key")
    for nothing in (None, ""):
        assert translate(client, **fields, **dict.fromkeys(names, nothing)) == expected
    assert client.post("/translate", data=fields | dict.fromkeys(names, "")).json() == expected


def test_control_characters(client: httpx.Client) -> None:
    """A form feed breaks a line, other controls go, in texts to translate and to detect."""
    meant = translate(client, q="Hallo.\nEs regnet.", source="de", target="en")
    assert translate(client, q="Hallo.\x0cEs\0 regnet.", source="de", target="en") == meant
    assert client.post("/detect", json={"q": f"{GERMAN}\x0c"}).json()[0]["language"] == "de"


def test_who_sends_no_key_is_told_how(guarded: Served) -> None:
    """In the way in which clients of this API send it."""
    answer = guarded.client.post("/translate", json={"q": "Hi.", "source": "en", "target": "de"})
    assert answer.json() == {"error": "send a key, in the field api_key, or as X-API-Key: KEY"}


def test_with_a_direction_it_is_ours(client: httpx.Client) -> None:
    """`dir` in the query makes POST /translate our own, errors included; a field of that name does not."""
    fields = {"q": GERMAN, "source": "de", "target": "en", "dir": "de-en"}
    response = client.post("/translate?dir=de-en", json=fields)
    assert response.status_code == 422
    assert response.headers["content-type"] == "application/problem+json"
    assert client.post("/translate", json=fields).json() == {"translatedText": ours(client, "de-en", GERMAN)}


@pytest.mark.parametrize("path", ["/translate", "/detect"])
def test_ways_to_send_a_key(guarded: Served, path: str) -> None:
    """As a field of JSON, a form or the query, or in a header; without it 403, whatever else is wrong."""
    fields = {"q": "Hi.", "source": "en", "target": "de"}
    keyed = fields | {"api_key": WEB.key}
    answers = [
        guarded.client.post(path, json=keyed),
        guarded.client.post(path, data=keyed),
        guarded.client.post(path, params=keyed),
        guarded.client.post(path, json=fields, headers={"X-API-Key": WEB.key}),
    ]
    assert [answer.status_code for answer in answers] == [200] * 4
    for sent in ({}, fields, {"api_key": STRANGER}, fields | {"api_key": [WEB.key]}, fields | {"api_key": WEB.line}):
        answer = guarded.client.post(path, json=sent)
        assert answer.status_code == 403
        assert set(answer.json()) == {"error"}
        assert "www-authenticate" not in answer.headers
    assert guarded.metric("reder_key_requests_total", key="web") >= 4


# ------------------------------------------------------------------------------------- the rest


def test_open_routes(guarded: Served) -> None:
    """Health, languages and settings need no key; the settings tell that the rest does."""
    assert guarded.client.get("/health").json() == {"status": "ok"}
    assert guarded.client.get("/languages").status_code == 200
    assert guarded.client.get("/frontend/settings").json() == {
        "charLimit": 100_000,
        "frontendTimeout": 500,
        "apiKeys": True,
        "keyRequired": True,
        "suggestions": False,
        "filesTranslation": False,
        "supportedFilesFormat": [],
        "language": {"source": {"code": "auto", "name": "Auto Detect"}, "target": {"code": "de", "name": "German"}},
    }


def test_health_tells_of_draining(settings: Settings, loaded: Loaded) -> None:
    """503 while requests should go elsewhere."""
    with serve(settings, loaded) as served:
        served.context.serving.draining = True
        answer = served.client.get("/health")
        assert (answer.status_code, answer.json()) == (503, {"status": "unready"})
