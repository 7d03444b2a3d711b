"""Whatever is sent, the answer is 4xx in one shape, and says nothing of the text."""

from __future__ import annotations

import gzip
import json
import socket
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from tests.service.support import PATIENCE_S, serve

if TYPE_CHECKING:
    from collections.abc import Iterator

    import httpx

    from service.app import Loaded
    from service.settings import Settings
    from tests.service.support import Served

JSON = {"Content-Type": "application/json"}
SECRET = "Geheimnis"  # noqa: S105 - no password: a word that must not come back
EN_DE = "/translate?dir=en-de"


@pytest.fixture(scope="module")
def small(settings: Settings, loaded: Loaded) -> Iterator[Served]:
    """A service with small limits."""
    with serve(settings, loaded, max_body_bytes=2000, max_characters=500, max_texts=4) as served:
        yield served


def body(text: object) -> bytes:
    """A request body."""
    return json.dumps({"text": text}).encode()


def assert_problem(response: httpx.Response, status: int, kind: str) -> dict[str, Any]:
    """The answer is a problem of RFC 9457, complete and silent about the text."""
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    problem: dict[str, Any] = response.json()
    assert problem["type"] == f"urn:reder:problem:{kind}"
    assert problem["status"] == status
    assert problem["title"]
    assert problem["detail"]
    assert problem["request_id"] == response.headers["x-request-id"]
    assert SECRET not in response.text
    return problem


@pytest.mark.parametrize(
    ("url", "content", "headers", "status", "kind"),
    [
        pytest.param(EN_DE, body(""), JSON, 422, "invalid-request", id="empty"),
        pytest.param(EN_DE, body(" \n\t\u00a0\u3000"), JSON, 422, "invalid-request", id="only spaces"),
        pytest.param(EN_DE, body(["", "  "]), JSON, 422, "invalid-request", id="only empty texts"),
        pytest.param(EN_DE, body([]), JSON, 422, "invalid-request", id="no texts"),
        pytest.param(EN_DE, body(3), JSON, 422, "invalid-request", id="number"),
        pytest.param(EN_DE, body(None), JSON, 422, "invalid-request", id="null"),
        pytest.param(EN_DE, body({SECRET: 1}), JSON, 422, "invalid-request", id="object"),
        pytest.param(EN_DE, body([SECRET, 3, None]), JSON, 422, "invalid-request", id="mixed list"),
        pytest.param(EN_DE, body([[SECRET]]), JSON, 422, "invalid-request", id="nested list"),
        pytest.param(EN_DE, b"[]", JSON, 422, "invalid-request", id="not an object"),
        pytest.param(EN_DE, b"{}", JSON, 422, "invalid-request", id="no text field"),
        pytest.param(EN_DE, b'{"text": "a", "Geheimnis": 1}', JSON, 422, "invalid-request", id="unknown field"),
        pytest.param(EN_DE, body(SECRET + "\0"), JSON, 422, "invalid-request", id="NUL"),
        pytest.param(EN_DE, body(SECRET + "\x1b[31m"), JSON, 422, "invalid-request", id="escape"),
        pytest.param(EN_DE, body(SECRET + "\x7f"), JSON, 422, "invalid-request", id="DEL"),
        pytest.param(EN_DE, body(SECRET + "\x9f"), JSON, 422, "invalid-request", id="C1"),
        pytest.param(EN_DE, b'{"text": "\\ud800"}', JSON, 400, "malformed-request", id="lone surrogate"),
        pytest.param(
            EN_DE, b'{"text": "Geheimnis \\udc00\\ud800 x"}', JSON, 400, "malformed-request", id="swapped pair"
        ),
        pytest.param(EN_DE, b'{"text": "\xff"}', JSON, 400, "malformed-request", id="not UTF-8"),
        pytest.param(EN_DE, b'{"text": "\xed\xa0\x80"}', JSON, 400, "malformed-request", id="surrogate as UTF-8"),
        pytest.param(EN_DE, b'{"text": "Geheimnis', JSON, 400, "malformed-request", id="broken JSON"),
        pytest.param(EN_DE, b'{"text": "a\nb"}', JSON, 400, "malformed-request", id="raw line break"),
        pytest.param(EN_DE, b"", JSON, 400, "malformed-request", id="no body"),
        pytest.param(EN_DE, b"[" * 1900, JSON, 400, "malformed-request", id="deep nesting"),
        pytest.param(EN_DE, b"9" * 1900, JSON, 422, "invalid-request", id="huge number"),
        pytest.param(EN_DE, body(SECRET * 300), JSON, 413, "too-large", id="too many bytes"),
        pytest.param(EN_DE, body("ab " * 200), JSON, 413, "too-large", id="too many characters"),
        pytest.param(EN_DE, body(["a"] * 5), JSON, 413, "too-large", id="too many texts"),
        pytest.param(EN_DE, body("a"), {}, 415, "unsupported-media-type", id="no content type"),
        pytest.param(EN_DE, body("a"), {"Content-Type": "text/xml"}, 415, "unsupported-media-type", id="XML"),
        pytest.param(
            EN_DE,
            body("a"),
            {"Content-Type": "application/json; charset=latin-1"},
            415,
            "unsupported-media-type",
            id="charset",
        ),
        pytest.param(EN_DE, body("a"), {**JSON, "Content-Encoding": "gzip"}, 400, "malformed-request", id="gzip"),
        pytest.param("/translate?dir=", body("a"), JSON, 422, "invalid-request", id="empty direction"),
        pytest.param("/translate?dir=Geheimnis", body("a"), JSON, 422, "invalid-request", id="unknown direction"),
        pytest.param("/translate?dir=EN-DE", body("a"), JSON, 422, "invalid-request", id="direction in capitals"),
        pytest.param(f"{EN_DE}&quality=", body("a"), JSON, 422, "invalid-request", id="empty quality"),
        pytest.param(f"{EN_DE}&quality=Geheimnis", body("a"), JSON, 422, "invalid-request", id="unknown quality"),
        pytest.param(f"{EN_DE}&Geheimnis=a", body("a"), JSON, 422, "invalid-request", id="unknown parameter"),
        pytest.param(f"{EN_DE}&dir=de-en", body("a"), JSON, 422, "invalid-request", id="two directions"),
        pytest.param(f"{EN_DE}&quality=BEST", body("a"), JSON, 422, "invalid-request", id="quality in capitals"),
        pytest.param(
            EN_DE, body("a"), {**JSON, "X-Timeout-Ms": SECRET}, 422, "invalid-request", id="timeout no number"
        ),
        pytest.param(EN_DE, body("a"), {**JSON, "X-Timeout-Ms": "0"}, 422, "invalid-request", id="timeout zero"),
        pytest.param("/Geheimnis", body("a"), JSON, 404, "not-found", id="no such path"),
    ],
)
def test_bad_requests(small: Served, url: str, content: bytes, headers: dict[str, str], status: int, kind: str) -> None:
    """Each is told apart, in one shape."""
    assert_problem(small.client.post(url, content=content, headers=headers), status, kind)


@pytest.mark.parametrize(
    ("url", "status", "kind"),
    [
        ("/translate?dir=en-de", 405, "method-not-allowed"),
        ("/nothing/here", 404, "not-found"),
        ("/roundtrip?dir=en-de", 422, "invalid-request"),
        ("/roundtrip?text=Geheimnis", 422, "invalid-request"),
        ("/roundtrip?dir=Geheimnis&text=a", 422, "invalid-request"),
        ("/roundtrip?dir=en-de&text=%20", 422, "invalid-request"),
        ("/roundtrip?dir=en-de&text=%00", 422, "invalid-request"),
        ("/roundtrip?dir=en-de&text=%E4", 422, "invalid-request"),
        ("/roundtrip?dir=en-de&text=" + "a+" * 600, 413, "too-large"),
    ],
)
def test_bad_gets(small: Served, url: str, status: int, kind: str) -> None:
    """The same shape for what comes in the query, and for wrong paths and methods."""
    response = small.client.get(url)
    detail = assert_problem(response, status, kind)["detail"]
    assert response.headers.get("allow") == ("POST" if status == 405 else None)
    told = {404: "/openapi.json lists", 405: "this path takes POST"}
    assert told.get(status, "") in detail


def test_the_place_is_named(client: httpx.Client) -> None:
    """Errors list where: which text, which position, which field."""
    control = client.post(EN_DE, json={"text": ["fine", "not\x07fine"]})
    assert assert_problem(control, 422, "invalid-request")["errors"] == [
        {"location": "body.text.1", "detail": "control character U+0007 at position 3 is not allowed"}
    ]
    mixed = client.post(EN_DE, json={"text": ["fine", 3, None]})
    locations = [error["location"] for error in assert_problem(mixed, 422, "invalid-request")["errors"]]
    assert locations == ["body.text.1", "body.text.2"]
    unit = "<trans-unit id='1'><source>It is cold.</source></trans-unit>"
    french = f"<xliff version='1.2'><file source-language='en' target-language='fr'><body>{unit}</body></file></xliff>"
    for accept in ("application/json", "text/event-stream"):
        other = client.post(
            f"{EN_DE}&format=xliff",
            json={"text": [french.replace("'fr'", "'de'"), french]},
            headers={"Accept": accept},
        )
        assert [one["location"] for one in assert_problem(other, 422, "invalid-request")["errors"]] == ["body.text.1"]
    quality = client.post(f"{EN_DE}&quality=better", json={"text": "fine"})
    assert assert_problem(quality, 422, "invalid-request")["errors"] == [
        {"location": "query.quality", "detail": "Input should be 'fast', 'good' or 'best'"}
    ]


def test_who_sends_what_is_not_known_is_told_what_is(client: httpx.Client) -> None:
    """The names there are, not the one that was sent: a text with a `&` that was not escaped may be the name."""
    query = client.post(f"{EN_DE}&qualty=best", json={"text": "fine"})
    (error,) = assert_problem(query, 422, "invalid-request")["errors"]
    assert error["location"] == "query"
    assert "there are dir, target, quality, format, " in error["detail"]
    in_query = "`quality` and the other options go into the query, as `dir` does"
    for sent, names in (
        ({"json": {"text": "fine", SECRET: 1, f"{SECRET}se": 2}}, "text, glossary"),
        ({"data": {"text": "fine", SECRET: "1"}}, "text, file, glossary"),
    ):
        answer = client.post(EN_DE, **sent)
        (error,) = assert_problem(answer, 422, "invalid-request")["errors"]
        assert error["location"] == "body"
        assert error["detail"] == f"has a field that is not known here; there are {names}; {in_query}"


@pytest.mark.parametrize("glossary", [{"dog": "Köter"}, [["dog", "Köter"]], "dog,Köter", None])
def test_a_glossary_in_another_form(client: httpx.Client, glossary: object) -> None:
    """Who has one as an object, as pairs or as a table is told what a term looks like here."""
    answer = client.post(EN_DE, json={"text": "A dog.", "glossary": glossary})
    (error,) = assert_problem(answer, 422, "invalid-request")["errors"]
    assert error["location"] == "body.glossary"
    assert error["detail"].endswith('{"source": "…", "target": "…"}')


def test_a_flood_of_parameters(served: Served) -> None:
    """Neither what parameters are called nor each of thousands is told back, once or twice there."""
    for flood in ("".join(f"&{SECRET}{number}=" for number in range(2000)), f"&{SECRET}=" * 2):
        response = served.client.post(f"{EN_DE}{flood}", json={"text": "A dog."})
        assert response.status_code == 422
        assert len(response.json()["errors"]) == 1
        assert SECRET not in response.text


@pytest.mark.parametrize(
    ("content", "told"),
    [
        pytest.param(b'{"text": [' + b"0," * 400_000 + b"0]}", 20, id="texts that are none"),
        pytest.param(
            b'{"text": "a"' + b"".join(b', "%x": 0' % number for number in range(70_000)) + b"}", 1, id="unknown fields"
        ),
    ],
)
def test_a_flood_of_errors_is_cut_short(client: httpx.Client, content: bytes, told: int) -> None:
    """A body with room for very many errors is refused in few words: the answer is never larger than the question."""
    response = client.post(EN_DE, content=content, headers=JSON)
    assert len(assert_problem(response, 422, "invalid-request")["errors"]) == told
    assert len(response.content) < 5000


@pytest.mark.parametrize("digits", [19, 400, 4000])
def test_a_timeout_of_many_digits(client: httpx.Client, digits: int) -> None:
    """However long somebody is willing to wait, it is no error: the server has its own maximum."""
    endless = {"X-Timeout-Ms": "9" * digits}
    assert client.post(EN_DE, json={"text": "Hello."}, headers=endless).status_code == 200
    assert client.get("/roundtrip", headers=endless).status_code == 200


@pytest.mark.parametrize("encoding", ["deflate", "br", "zstd", "gzip, gzip", "identity, br"])
def test_other_compressions_are_not_read(client: httpx.Client, encoding: str) -> None:
    """But for gzip's, no body is ever inflated; it is not even waited for."""
    headers = {**JSON, "Content-Encoding": encoding}
    bomb = gzip.compress(gzip.compress(b'{"text": "' + b"a" * 1_000_000 + b'"}'))
    assert_problem(client.post(EN_DE, content=bomb, headers=headers), 415, "unsupported-media-type")


@pytest.mark.parametrize("size", ["Content-Length: 8000000", "Transfer-Encoding: chunked"])
def test_a_body_far_too_large_is_answered(small: Served, size: str) -> None:
    """A client that sends megabytes before it looks still reads the 413: the connection is not cut under it."""
    head = f"POST {EN_DE} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n{size}\r\n\r\n"
    content = b" " * 8_000_000
    if size.startswith("Transfer"):
        content = b"%x\r\n%b\r\n0\r\n\r\n" % (len(content), content)
    with socket.create_connection(small.address, timeout=PATIENCE_S) as connection:
        connection.sendall(head.encode() + content)
        assert connection.recv(1000).startswith(b"HTTP/1.1 413 ")


def test_a_body_that_never_ends_is_answered(settings: Settings, loaded: Loaded) -> None:
    """A client that stops half way gets 408 when its time is up, though it would have waited for longer."""
    with serve(settings, loaded, timeout_s=0.2) as served:
        for headers in ("", "X-Timeout-Ms: 60000\r\n"):
            assert half_sent(served, EN_DE, headers).startswith(b"HTTP/1.1 408 ")


@pytest.mark.parametrize("path", [EN_DE, "/translate", "/detect", "/v2/translate", "/v2/languages"])
def test_a_body_later_than_its_deadline_is_504(served: Served, path: str) -> None:
    """A deadline of the caller's own has passed wherever the time went, in each of the APIs."""
    assert half_sent(served, path, "X-Timeout-Ms: 50\r\n").startswith(b"HTTP/1.1 504 ")


def half_sent(served: Served, path: str, headers: str = "") -> bytes:
    """The beginning of the answer to a request of which the rest never comes."""
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n{headers}"
    with socket.create_connection(served.address, timeout=PATIENCE_S) as connection:
        connection.sendall(f'{head}Content-Length: 100\r\n\r\n{{"text":'.encode())
        return connection.recv(1000)


@hypothesis_settings(
    max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(
    content=st.one_of(
        st.binary(max_size=60),
        st.text(max_size=60).map(lambda text: json.dumps({"text": text}).encode()),
        st.lists(st.text(max_size=20), max_size=6).map(lambda texts: json.dumps({"text": texts}).encode()),
        st.recursive(st.none() | st.integers() | st.text(max_size=5), lambda inner: st.lists(inner, max_size=3)).map(
            lambda value: json.dumps({"text": value}).encode()
        ),
    )
)
def test_never_a_500(small: Served, content: bytes) -> None:
    """Any bytes and any JSON get an answer of ours: a translation, or a problem of the caller's making."""
    response = small.client.post(EN_DE, content=content, headers=JSON)
    assert response.status_code in (200, 400, 413, 422)
    if response.status_code != 200:
        assert response.headers["content-type"] == "application/problem+json"
