"""DeepL's API: its official client and deep-translator's, unchanged, against the live service."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest
from deep_translator import DeeplTranslator
from deep_translator.constants import BASE_URLS
from deep_translator.exceptions import AuthorizationException, ServerException
from deepl import AuthorizationException as DeepLAuthorizationException
from deepl import (
    DeepLClient,
    DeepLException,
    Formality,
    GlossaryNotFoundException,
    QuotaExceededException,
    SplitSentences,
    TextResult,
)
from deepl.api_data import ModelType

from service.keys import generate
from tests.service import support
from tests.service.support import serve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import httpx

    from service.app import Loaded
    from service.settings import Settings
    from tests.service.support import Reached, Served

WEB, STRANGER = generate("web"), generate("web").key
ENGLISH = "Two men are talking in front of the house."
GERMAN = "Zwei Männer reden vor dem Haus."
SECRET = "Geheimnis"  # noqa: S105 - a word to look for
UNLIMITED = 10**12


@pytest.fixture(scope="module")
def guarded(settings: Settings, loaded: Loaded) -> Iterator[Served]:
    """A service with a key."""
    with serve(settings, loaded, api_keys=WEB.line) as served:
        yield served


@pytest.fixture
def deepl(service: Reached) -> Iterator[DeepLClient]:
    """The official client of the service that is shared."""
    with closing(connected(service)) as client:
        yield client


def connected(service: Reached, key: str = "none") -> DeepLClient:
    """The official client."""
    return DeepLClient(key, server_url=service.url)


def ours(client: httpx.Client, direction: str, text: str, **options: str) -> str:
    """What our own API answers."""
    (translation,) = support.translate(client, direction, text, **options)
    return str(translation["text"])


def one(client: DeepLClient, text: str, target: str = "DE", **options: Any) -> TextResult:  # noqa: ANN401 - as the client
    """The client's answer to one text."""
    result = client.translate_text(text, target_lang=target, **options)
    assert isinstance(result, TextResult)
    return result


def several(client: DeepLClient, texts: list[str], target: str = "DE") -> list[TextResult]:
    """The client's answer to several texts."""
    results = client.translate_text(texts, target_lang=target)
    assert isinstance(results, list)
    return results


def refused(service: Reached, call: Callable[[], object]) -> str:
    """What the client says when it is answered 400; it must not have asked twice."""
    before = service.metric("reder_rejected_total", reason="invalid-request")
    with pytest.raises(DeepLException) as raised:
        call()
    assert raised.value.http_status_code == 400
    assert service.metric("reder_rejected_total", reason="invalid-request") == before + 1
    return str(raised.value)


# ---------------------------------------------------------------------------- the official client


def test_texts(service: Reached, deepl: DeepLClient) -> None:
    """One text and several, both directions, with and without a source; each is billed by its characters."""
    alone = one(deepl, ENGLISH, source_lang="EN")
    assert (alone.text, alone.detected_source_lang) == (ours(service.client, "en-de", ENGLISH), "EN")
    assert alone.billed_characters == len(ENGLISH)
    results = several(deepl, [GERMAN, "", ENGLISH, "Guten Morgen!"], "EN-GB")
    assert [result.text for result in results] == [
        ours(service.client, "de-en", GERMAN),
        "",
        ENGLISH,
        ours(service.client, "de-en", "Guten Morgen!"),
    ]
    assert [result.detected_source_lang for result in results if result.text] == ["DE", "EN", "DE"]
    assert [result.billed_characters for result in results] == [len(GERMAN), 0, len(ENGLISH), 13]
    assert several(deepl, [" ", "\n"], "de")[1].text == "\n"
    assert one(deepl, GERMAN, "de", source_lang="de").text == GERMAN
    assert {result.text for result in several(deepl, [ENGLISH] * 60)} == {alone.text}


def test_html(service: Reached, deepl: DeepLClient) -> None:
    """With tag_handling=html tags survive, as in our own API."""
    page = '<p class="lead">Two men <b>talk</b>.</p>\n<!-- no text --><pre>Two men talk.</pre>'
    text = one(deepl, page, tag_handling="html").text
    assert text == ours(service.client, "en-de", page, format="html")
    assert text.startswith('<p class="lead">')
    assert text.endswith("</p>\n<!-- no text --><pre>Two men talk.</pre>")
    assert "Two men <b>talk" not in text


def test_quality(service: Reached, deepl: DeepLClient) -> None:
    """model_type chooses between our two qualities, and is told of; the better one is billed as often as it reads."""
    best = one(deepl, ENGLISH, model_type=ModelType.QUALITY_OPTIMIZED)
    assert best.text == ours(service.client, "en-de", ENGLISH, quality="best")
    assert best.model_type_used == "quality_optimized"
    assert best.billed_characters > len(ENGLISH)
    fast = one(deepl, ENGLISH, model_type=ModelType.LATENCY_OPTIMIZED)
    assert (fast.text, fast.model_type_used) == (ours(service.client, "en-de", ENGLISH), "latency_optimized")


def test_languages(deepl: DeepLClient) -> None:
    """Both lists, of which the client asks for the second one with a parameter in the body of a GET."""
    assert [(one.code, one.name) for one in deepl.get_source_languages()] == [("DE", "German"), ("EN", "English")]
    targets = {one.code: one.supports_formality for one in deepl.get_target_languages()}
    assert targets == {"DE": False, "EN-GB": False, "EN-US": False}
    assert deepl.get_glossary_languages() == []
    assert [*deepl.list_glossaries(), *deepl.list_multilingual_glossaries()] == []


@pytest.mark.parametrize(
    "options",
    [
        {"formality": Formality.PREFER_MORE},
        {"formality": Formality.PREFER_LESS},
        {"formality": Formality.DEFAULT},
        {"split_sentences": SplitSentences.ALL},
        {"preserve_formatting": True},
        {"tag_handling": "html", "split_sentences": SplitSentences.NO_NEWLINES, "tag_handling_version": "v2"},
        {"model_type": ModelType.PREFER_QUALITY_OPTIMIZED},
        {"context": ""},
        {"context": SECRET},
        {"ignore_tags": [], "extra_body_parameters": {"enable_beta_languages": True}},
        {"tag_handling": "html", "outline_detection": False, "splitting_tags": ["p"], "non_splitting_tags": "a,b"},
        {"tag_handling": "xml", "outline_detection": False, "split_sentences": SplitSentences.NO_NEWLINES},
        {"extra_body_parameters": {"split_sentences": 1, "tag_handling": "", "formality": None, "ignore_tags": ""}},
    ],
)
def test_options_that_pass(deepl: DeepLClient, options: dict[str, Any]) -> None:
    """What is a preference, what is done anyway, and what is empty."""
    assert one(deepl, ENGLISH, **options).text


def test_sentences_that_are_not_to_be_split(deepl: DeepLClient) -> None:
    """split_sentences=0, as a number too, gives what a text would be without: the model reads sentence by sentence."""
    for text in (ENGLISH, f"{ENGLISH} It is cold."):
        expected = one(deepl, text).text
        for option in ({"split_sentences": SplitSentences.OFF}, {"extra_body_parameters": {"split_sentences": 0}}):
            assert one(deepl, text, **option).text == expected


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"formality": Formality.MORE}, "formality: Input should be 'default', 'prefer_less' or 'prefer_more'"),
        (
            {"extra_body_parameters": {"split_sentences": "2"}},
            "split_sentences: Input should be '0', '1' or 'nonewlines'",
        ),
        ({"split_sentences": SplitSentences.NO_NEWLINES}, "split_sentences: can be nonewlines with tag_handling"),
        ({"tag_handling": "yaml"}, "tag_handling: Input should be 'html' or 'xml'"),
        ({"extra_body_parameters": {"ignore_tags": {SECRET: 1}}}, "ignore_tags: must be names of elements"),
        ({"glossary": SECRET, "source_lang": "EN"}, "glossary_id: glossaries are not kept here"),
        ({"glossary_ids": [SECRET], "source_lang": "EN"}, "glossary_ids: glossaries are not kept here"),
        ({"custom_instructions": [SECRET]}, "custom_instructions: are not understood by the model"),
        ({"style_rule": SECRET}, "style_id: there are no style rules here"),
        ({"translation_memory": SECRET}, "translation_memory_id: there is no translation memory here"),
        ({"source_lang": "FR"}, "source_lang: Input should be"),
        ({"target_lang": "FR"}, "target_lang: Input should be"),
        (
            {"extra_body_parameters": {SECRET: 1, f"{SECRET}se": 2}},
            "message: request: has a field that is not known here; there are text, target_lang, source_lang, ",
        ),
        ({"text": [SECRET, "a <b"], "tag_handling": "xml"}, "text.1: markup begins at position 2 that does not end"),
    ],
)
def test_options_that_are_refused(service: Reached, deepl: DeepLClient, options: dict[str, Any], told: str) -> None:
    """What would be translated otherwise than was asked for is answered 400 once, and the client says why."""
    wanted = {"text": ENGLISH, "target_lang": "DE"} | options
    message = refused(service, lambda: deepl.translate_text(**wanted))
    assert told in message
    assert SECRET not in message


def test_what_is_not_offered(service: Reached, deepl: DeepLClient, tmp_path: Path) -> None:
    """Glossaries, documents and writing are refused with the reason; what is asked for by id is not found."""
    assert "glossaries are not kept" in refused(service, lambda: deepl.create_glossary("a", "EN", "DE", {"a": "b"}))
    with pytest.raises(GlossaryNotFoundException):
        deepl.get_glossary("0")
    with pytest.raises(GlossaryNotFoundException):
        deepl.delete_multilingual_glossary("0")
    paper, copy = tmp_path / "paper.txt", tmp_path / "copy.txt"
    paper.write_text(ENGLISH, encoding="utf-8")
    told = refused(service, lambda: deepl.translate_document_from_filepath(paper, copy, target_lang="DE"))
    assert "POST /translate?dir=" in told
    assert not copy.exists()
    assert "does nothing else" in refused(service, lambda: deepl.rephrase_text(ENGLISH))


def test_keys(guarded: Served) -> None:
    """The client's key is the service's; a wrong one raises its AuthorizationException, at once."""
    with closing(connected(guarded, WEB.key)) as client:
        assert one(client, ENGLISH).text
    with closing(connected(guarded, STRANGER)) as client:
        calls: list[Callable[[], object]] = [
            lambda: one(client, ENGLISH),
            client.get_usage,
            client.get_target_languages,
            client.list_glossaries,
        ]
        for call in calls:
            with pytest.raises(DeepLAuthorizationException, match="this key is not valid"):
                call()


@pytest.mark.parametrize("path", ["/v2/translate", "/v2/languages"])
def test_keys_of_old_clients(guarded: Served, path: str) -> None:
    """As a field `auth_key` of JSON, a form or the query; without it 403, whatever else is wrong; nowhere else."""
    client, method = guarded.client, "POST" if path == "/v2/translate" else "GET"
    fields = {"text": "Hello.", "target_lang": "DE"}
    keyed = fields | {"auth_key": WEB.key}
    answers = [
        client.request(method, path, json=keyed),
        client.request(method, path, data=keyed),
        client.request(method, path, params=keyed),
    ]
    assert [answer.status_code for answer in answers] == [200] * 3
    before = guarded.metric("reder_key_requests_total", key="web")
    for sent in ({}, fields, fields | {"auth_key": STRANGER}, fields | {"auth_key": [WEB.key]}):
        answer = client.request(method, path, json=sent)
        assert (answer.status_code, set(answer.json())) == (403, {"message"})
    assert client.post("/v2/glossaries", json=keyed).status_code == 403
    assert client.post("/translate", params={"dir": "en-de"}, json=keyed).status_code == 401
    assert guarded.metric("reder_key_requests_total", key="web") == before


def test_usage(guarded: Served, deepl: DeepLClient) -> None:
    """Without a rate limit, what this key has had translated, of an amount nobody reaches; without keys, nothing."""
    with closing(connected(guarded, WEB.key)) as client:
        before = client.get_usage().character.count or 0
        billed = [result.billed_characters for result in several(client, [ENGLISH, GERMAN])]
        after = client.get_usage()
    assert after.character.count == before + sum(billed)
    assert after.character.limit == UNLIMITED
    assert not after.any_limit_reached
    assert deepl.get_usage().character.count == 0


def test_a_short_limit(settings: Settings, loaded: Loaded) -> None:
    """The client waits by itself: a second after a first 429, and a good one and a half after the next."""
    limited = serve(settings, loaded, rate_limit_per_address="60/2 second")
    with limited as served, closing(connected(served)) as client:
        texts = [one(client, ENGLISH).text for _ in range(2)]
        assert texts[0] == texts[1] != ENGLISH
        assert served.metric("reder_rejected_total", reason="rate-limited") >= 1


def test_a_limit_per_minute(settings: Settings, loaded: Loaded) -> None:
    """It is free again within a minute, from its first moment on: 429, and no quota that is used up."""
    with serve(settings, loaded, rate_limit_per_address="60/minute") as served:
        fields = {"text": [ENGLISH], "target_lang": "DE"}
        answers = [served.client.post("/v2/translate", json=fields) for _ in range(2)]
        assert [answer.status_code for answer in answers] == [200, 429]


def test_a_long_limit(settings: Settings, loaded: Loaded) -> None:
    """Usage says how much is left; where too little is, the client is told at once, and does not ask again."""
    limited = serve(settings, loaded, rate_limit_per_address="100/day")
    with limited as served, closing(connected(served)) as client:
        assert (client.get_usage().character.count, client.get_usage().character.limit) == (0, 100)
        best = one(client, "Hi.", model_type=ModelType.QUALITY_OPTIMIZED)
        assert client.get_usage().character.count == best.billed_characters > len("Hi.")
        one(client, ENGLISH)
        with pytest.raises(QuotaExceededException, match="the rate limit per address is reached: 100 characters per d"):
            one(client, ENGLISH)
        with pytest.raises(DeepLException, match="this counts as 126 characters"):
            one(client, ENGLISH * 3)
        assert served.metric("reder_rejected_total", reason="rate-limited") == 1


# --------------------------------------------------------------------- deep-translator, and without


def test_deep_translator(service: Reached, monkeypatch: pytest.MonkeyPatch) -> None:
    """It asks with GET, everything in the query, and languages in small letters."""
    monkeypatch.setitem(BASE_URLS, "DEEPL_FREE", f"{service.url}/{{version}}/")
    texts = [GERMAN, "Guten Morgen!", "", "Äh & so=?", " \n"]
    expected = [ours(service.client, "de-en", text) if text.strip() else text for text in texts]
    assert DeeplTranslator("de", "en", api_key="none").translate_batch(texts) == expected
    assert DeeplTranslator("auto", "german", api_key="none").translate(GERMAN) == GERMAN
    with pytest.raises(ServerException):
        DeeplTranslator("fr", "en", api_key="none").translate(GERMAN)


def test_deep_translator_with_a_key(guarded: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its key is in the query; a wrong one raises its AuthorizationException."""
    monkeypatch.setitem(BASE_URLS, "DEEPL_FREE", f"{guarded.url}/{{version}}/")
    assert DeeplTranslator("de", "en", api_key=WEB.key).translate(GERMAN) != GERMAN
    with pytest.raises(AuthorizationException):
        DeeplTranslator("de", "en", api_key=STRANGER).translate(GERMAN)


def test_forms(client: httpx.Client) -> None:
    """A form means the same as JSON, texts repeated; numbers stand for yes and no."""
    fields = {"text": [GERMAN, "Guten Morgen!"], "target_lang": "en-us", "preserve_formatting": "1"}
    answer = client.post("/v2/translate", data=fields)
    assert answer.status_code == 200, answer.text
    assert answer.json() == client.post("/v2/translate", json=fields | {"preserve_formatting": True}).json()
    assert set(answer.json()["translations"][0]) == {"detected_source_language", "text", "billed_characters"}
    assert client.request("GET", "/v2/languages", data={"type": "target"}).json()[1]["language"] == "EN-GB"
    assert client.get("/v2/languages?type=source").json()[0] == {"language": "DE", "name": "German"}
    path, wanted = "/v2/languages", {"type": "target"}
    for answer in (client.post(path, data=wanted), client.post(path, params=wanted), client.post(path, json=wanted)):
        assert answer.json() == client.get(path, params=wanted).json()


def test_fields_that_hold_nothing(client: httpx.Client) -> None:
    """A field that need not be there may be null or empty, in JSON and in a form; one that must be there may not."""
    fields = {"text": ["Hello."], "target_lang": "DE"}
    expected = client.post("/v2/translate", json=fields).json()
    names = ("source_lang", "formality", "preserve_formatting", "tag_handling", "split_sentences", "model_type")
    for nothing in (None, ""):
        assert client.post("/v2/translate", json=fields | dict.fromkeys(names, nothing)).json() == expected
    assert client.post("/v2/translate", data=fields | dict.fromkeys(names, "")).json() == expected
    assert client.post("/v2/translate", json=fields | {"split_sentences": 1}).json() == expected
    assert client.post("/v2/translate", json=fields | {"target_lang": None}).status_code == 400


def test_control_characters(client: httpx.Client) -> None:
    """Line breaks of word processors and form feeds break a line, other controls go; our own API refuses them."""
    text, meant = "Hello.\x0bIt rains.\x0cIt\0 snows.\x85The end\x07.", "Hello.\nIt rains.\nIt snows.\nThe end."
    (found,) = client.post("/v2/translate", json={"text": [text], "target_lang": "DE"}).json()["translations"]
    assert found["text"] == ours(client, "en-de", meant)
    assert found["billed_characters"] == len(meant)
    assert client.post("/translate?dir=en-de", json={"text": text}).status_code == 422


def test_values_become_constants(client: httpx.Client) -> None:
    """Generators of clients make an enumeration of listed values: of one kind each, and no two of one name."""

    def listed(part: object) -> Iterator[list[Any]]:
        if isinstance(part, dict) and isinstance(part.get("enum"), list):
            yield [value for value in part["enum"] if value is not None]
        inner = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
        for one in inner:
            yield from listed(one)

    found = list(listed(client.get("/openapi.json").json()))
    assert ["DE", "EN", "EN-GB", "EN-US"] in found
    for values in found:
        assert len({type(value) for value in values}) == 1, values
        assert len({str(value).upper() for value in values}) == len(values), values


def test_languages_with_more_in_the_query(guarded: Served) -> None:
    """As old clients and Weblate ask for them: the key is read, and what changes nothing is passed over."""
    query = {"type": "target", "auth_key": WEB.key, "enable_beta_languages": "1"}
    assert guarded.client.get("/v2/languages", params=query).json()[0]["language"] == "DE"
    assert guarded.client.get("/v2/languages", params=query | {"auth_key": STRANGER}).status_code == 403


def test_who_sends_no_key_is_told_how(guarded: Served) -> None:
    """In the way in which clients of this API send it."""
    answer = guarded.client.post("/v2/translate", json={"text": ["Hello."], "target_lang": "DE"})
    assert (answer.status_code, answer.json()) == (
        403,
        {"message": "send a key, as Authorization: DeepL-Auth-Key KEY"},
    )


def test_a_deadline(client: httpx.Client) -> None:
    """X-Timeout-Ms holds here too: nothing of this size is read and translated within a millisecond."""
    late = client.post(
        "/v2/translate", json={"text": ENGLISH * 500, "target_lang": "DE"}, headers={"X-Timeout-Ms": "1"}
    )
    assert late.status_code == 504, late.text


@pytest.mark.parametrize(
    ("method", "path", "sent", "status", "told"),
    [
        ("POST", "/v2/translate", {"json": {}}, 400, "text: Field required; target_lang: Field required"),
        ("POST", "/v2/translate", {"json": {"text": [1], "target_lang": "DE"}}, 400, "text.0: Input should be a valid"),
        ("POST", "/v2/translate", {"json": {"text": [], "target_lang": "DE"}}, 400, "text: List should have at least"),
        ("POST", "/v2/translate", {"json": [SECRET]}, 400, "body: Input should be an object"),
        ("POST", "/v2/translate", {"content": b"{", "headers": {"Content-Type": "text/plain"}}, 400, "text/plain is"),
        ("POST", "/v2/translate", {"json": {"text": "a" * 100_001, "target_lang": "DE"}}, 413, "100001 characters"),
        ("POST", "/v2/translate", {"json": {"text": [""] * 513, "target_lang": "DE"}}, 413, "513 texts"),
        ("POST", "/v2/translate", {"json": dict.fromkeys(map(str, range(998)))}, 400, "request: 1000 things in it are"),
        ("GET", "/v2/translate?text=%C3%A4+%E4&target_lang=DE", {}, 400, "query: is not UTF-8"),
        ("GET", "/v2/languages?type=Geheimnis", {}, 400, "type: Input should be 'source' or 'target'"),
        ("GET", "/v2/Geheimnis", {}, 404, "there is no such path"),
        ("POST", "/v2/document/", {"files": {"file": ("a.txt", b"a")}}, 400, "document: is not offered under /v2"),
        ("DELETE", "/v2/usage", {}, 405, "this path takes GET"),
    ],
)
def test_errors(client: httpx.Client, method: str, path: str, sent: dict[str, Any], status: int, told: str) -> None:
    """All have one field, `message`: with a `detail` that is a list, the official client would fail itself."""
    answer = client.request(method, path, **sent)
    assert answer.status_code == status, answer.text
    assert set(answer.json()) == {"message"}
    assert answer.json()["message"].startswith(told)
    assert SECRET not in answer.text
