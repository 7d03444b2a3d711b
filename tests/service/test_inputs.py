"""POST /translate takes texts in every way in which people send them; what is none of them is refused clearly."""

from __future__ import annotations

import gzip
import json
import logging
import zlib
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from service.http.negotiation import preferred
from tests.service.support import serve

if TYPE_CHECKING:
    from collections.abc import Iterator

    import httpx

    from service.app import Loaded
    from service.settings import Settings
    from tests.service.support import Served

EN_DE = "/translate?dir=en-de"
FIRST = "Two men talk."
SECOND = "A dog runs through the grass."
SECRET = "Geheimnis"  # noqa: S105 - no password: a word that must not come back
JSON = "application/json"
FORM = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data; boundary=xyz"
MAX_BODY_BYTES = 20_000


@pytest.fixture(scope="module")
def small(settings: Settings, loaded: Loaded) -> Iterator[Served]:
    """A service with small limits."""
    with serve(settings, loaded, max_body_bytes=MAX_BODY_BYTES, max_texts=4) as served:
        yield served


def texts(response: httpx.Response) -> list[str]:
    """The translations of an answer that must be a success."""
    assert response.status_code == 200, response.text
    return [one["text"] for one in response.json()["translations"]]


@pytest.fixture(scope="module")
def expected(client: httpx.Client) -> list[str]:
    """Both sentences in German, as JSON gives them."""
    return texts(client.post(EN_DE, json={"text": [FIRST, SECOND]}))


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param({"data": {"text": [FIRST, SECOND]}}, id="form"),
        pytest.param({"files": [("text", (None, FIRST)), ("text", (None, SECOND))]}, id="multipart fields"),
        pytest.param({"files": [("file", ("a.txt", FIRST)), ("file", ("b.TXT", SECOND))]}, id="files"),
        pytest.param({"files": [("text", (None, FIRST)), ("file", ("b.txt", SECOND))]}, id="field and file"),
        pytest.param(
            {
                "content": gzip.compress(json.dumps({"text": [FIRST, SECOND]}).encode()),
                "headers": {"Content-Type": JSON, "Content-Encoding": "gzip"},
            },
            id="gzip",
        ),
        pytest.param(
            {
                "content": b"\xef\xbb\xbf" + json.dumps({"text": [FIRST, SECOND]}).encode(),
                "headers": {"Content-Type": JSON},
            },
            id="byte order mark",
        ),
    ],
)
def test_several_texts(client: httpx.Client, expected: list[str], sent: dict[str, Any]) -> None:
    """However they are sent, the texts are translated alike and stay in order."""
    assert texts(client.post(EN_DE, **sent)) == expected


@pytest.mark.parametrize(
    ("content", "headers"),
    [
        (FIRST.encode(), {"Content-Type": "text/plain"}),
        (FIRST.encode(), {"Content-Type": "Text/Plain; charset=UTF-8"}),
        (b"\xef\xbb\xbf" + FIRST.encode(), {"Content-Type": "text/plain"}),
        (gzip.compress(FIRST.encode(), mtime=0), {"Content-Type": "text/plain", "Content-Encoding": "x-gzip"}),
    ],
)
def test_a_text_as_it_is(client: httpx.Client, expected: list[str], content: bytes, headers: dict[str, str]) -> None:
    """The body is the text, with or without the mark that some editors write before UTF-8."""
    assert texts(client.post(EN_DE, content=content, headers=headers)) == expected[:1]


def test_plain_text_comes_back_where_it_is_asked_for(client: httpx.Client, expected: list[str]) -> None:
    """With Accept: text/plain the answer is the translation and nothing else, and an error still is a problem."""
    plain = {"Content-Type": "text/plain", "Accept": "text/plain"}
    answer = client.post(EN_DE, content=f"{FIRST}\n", headers=plain)
    assert (answer.text, answer.headers["content-type"]) == (f"{expected[0]}\n", "text/plain; charset=utf-8")
    several = client.post(EN_DE, json={"text": [FIRST, SECOND]}, headers={"Accept": "text/plain"})
    assert several.status_code == 422
    assert several.json()["errors"][0]["location"] == "header.Accept"


@pytest.mark.parametrize(
    ("query", "sent"),
    [
        ("", {"content": "<p>Two men talk.</p>", "headers": {"Content-Type": "text/html"}}),
        ("", {"files": {"file": ("page.HTML", "<p>Two men talk.</p>", "text/plain")}}),
        ("&format=html", {"json": {"text": "<p>Two men talk.</p>"}}),
        ("&format=html", {"files": {"file": ("page", "<p>Two men talk.</p>")}}),
        ("&format=html", {"content": "<p>Two men talk.</p>", "headers": {"Content-Type": "text/plain"}}),
    ],
)
def test_the_format_is_known(client: httpx.Client, expected: list[str], query: str, sent: dict[str, Any]) -> None:
    """By the query before all else, then by the name of a file, or the type of the body."""
    assert texts(client.post(f"{EN_DE}{query}", **sent)) == [f"<p>{expected[0]}</p>"]


@pytest.mark.parametrize(
    "sent",
    [
        {"content": "\ufeff<p>Two men talk.</p>", "headers": {"Content-Type": "text/html"}},
        {"files": {"file": ("page.html", "\ufeff<p>Two men talk.</p>")}},
    ],
)
def test_a_document_keeps_its_byte_order_mark(client: httpx.Client, expected: list[str], sent: dict[str, Any]) -> None:
    """It comes back as it was, as its markup does; that of a text does not, in a file as little as in a body."""
    assert texts(client.post(EN_DE, **sent)) == [f"\ufeff<p>{expected[0]}</p>"]
    assert texts(client.post(EN_DE, files={"file": ("a.txt", f"\ufeff{FIRST}")})) == expected[:1]


@pytest.mark.parametrize("form", ["html", "markdown"])
def test_attributes_are_translated_on_request(client: httpx.Client, expected: list[str], form: str) -> None:
    """What an image says is text if it is asked for, else it is left as it is."""
    image = f'<img src="a.png" alt="{FIRST}">'
    page = {"text": f"<p>{SECOND}</p>{image}"}
    assert texts(client.post(f"{EN_DE}&format={form}", json=page)) == [f"<p>{expected[1]}</p>{image}"]
    asked = client.post(f"{EN_DE}&format={form}&attributes=true", json=page)
    assert texts(asked) == [f"<p>{expected[1]}</p>{image.replace(FIRST, expected[0])}"]


def test_a_document_has_no_places(client: httpx.Client) -> None:
    """Details of a document tell of its segments, but for their places, since its markup lies in between."""
    answer = client.post(f"{EN_DE}&format=html&details=true", json={"text": "<p>Two <b>men</b> talk.</p>"})
    (segment,) = answer.json()["translations"][0]["segments"]
    assert segment["source"] == {"text": "Two men talk.", "start": None, "end": None}
    assert segment["target"]["start"] is None


@pytest.mark.parametrize(
    ("accept", "chosen"),
    [
        (None, "a/json"),
        ("", "a/json"),
        ("*/*", "a/json"),
        ("image/png", "a/json"),
        ("t/plain", "t/plain"),
        ("T/Plain ; charset=x", "t/plain"),
        ("t/*", "t/stream"),
        ("t/*, t/stream;q=0.1", "t/plain"),
        ("*/*, a/json;q=0", "t/stream"),
        ("a/json;q=0.5, t/plain;q=0.51", "t/plain"),
        ("a/json, t/stream", "a/json"),
        ("t/plain;q=nan, a/json;q=0.9", "t/plain"),
        (";;,=,q=q", "a/json"),
    ],
)
def test_the_answer_that_is_preferred(accept: str | None, chosen: str) -> None:
    """By quality, then by what names it most exactly, then by our order; nonsense is no error."""
    assert preferred(accept, ["a/json", "t/stream", "t/plain"]) == chosen


def test_a_form_may_bring_a_glossary(client: httpx.Client) -> None:
    """It is JSON in a field of the form, checked as in a body that is JSON."""
    wrong = json.dumps([{"source": "dog", "target": ""}])
    for data in ({"text": FIRST, "glossary": wrong}, {"text": FIRST, "glossary": "{"}):
        refused = client.post(EN_DE, data=data)
        assert refused.status_code == 422
        assert refused.json()["errors"][0]["location"].startswith("body.glossary")
    right = json.dumps([{"source": "dog", "target": "Wauwau"}])
    assert texts(client.post(EN_DE, data={"text": FIRST, "glossary": right})) != []


def part(name: str, content: bytes, disposition: str = "") -> bytes:
    """One part of a form whose parts meet at `xyz`."""
    head = f'--xyz\r\nContent-Disposition: form-data; name="{name}"{disposition}\r\n\r\n'
    return head.encode() + content + b"\r\n"


END = b"--xyz--\r\n"


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("\"=?utf-8?B?w5xiZXJzaWNodC5odG1s?=\"; filename*=utf-8''%C3%9Cbersicht.html", 200),
        ('"=?UTF-8?b?w5xiZXJzaWNodC5odG1s?="', 200),
        ("\"=?UTF-8?Q?=C3=9Cbersicht_2.html?=\"; filename*=UTF-8''%C3%9Cbersicht%202.html", 200),
        ('"=?UTF-8?Q?overview.html?="', 200),
        ('"=?UTF-8?Q?=FF.html?="', 422),
        ('"=?utf-8?B?w5xiZXJzaWNodC5leGU=?="', 422),
        ('"=?utf-8?B?/////w==?="', 422),
        ('"=?utf-8?B?w5x?= a.html"', 200),
    ],
)
def test_names_that_are_not_ascii(client: httpx.Client, expected: list[str], name: str, status: int) -> None:
    """The name of a file is read as .NET and Spring write it, too; what only looks like that is a name itself."""
    content = part("file", f"<p>{FIRST}</p>".encode(), f"; filename={name}") + END
    answer = client.post(EN_DE, content=content, headers={"Content-Type": MULTIPART})
    assert answer.status_code == status, answer.text
    if status == 200:
        assert texts(answer) == [f"<p>{expected[0]}</p>"]


@pytest.mark.parametrize(
    ("name", "document"),
    [
        ("app.arb", '{"@a": {"type": "text"}}'),
        ("a.MDX", "export const a = 'One day'\n"),
        ("a.xhtml", "<code>One day</code>"),
        *((f"a.{kind}liff", "<xliff version='1.2'/>") for kind in ("sdlx", "mqx", "mx")),
    ],
)
def test_other_endings_of_known_formats(client: httpx.Client, name: str, document: str) -> None:
    """They are read as what they are: as text, there would be something to translate."""
    assert texts(client.post(EN_DE, files={"file": (name, document)})) == [document]


BOMB = gzip.compress(b"a" * 50_000_000)


@pytest.mark.parametrize(
    ("kind", "content", "status", "location"),
    [
        pytest.param(FORM, b"Geheimnis is a plain text", 422, "body", id="a text, by curl's default"),
        pytest.param(FORM, b"", 422, "body", id="empty form"),
        pytest.param(FORM, b"text=", 422, "body.text", id="empty text"),
        pytest.param(FORM, b"text=a&Geheimnis=b", 422, "body", id="unknown field"),
        pytest.param(FORM, b"text=%ff", 400, None, id="percent-encoded, not UTF-8"),
        pytest.param(FORM, b"text=\xff", 400, None, id="form, not UTF-8"),
        pytest.param(FORM, b"text=a&" * 5 + b"text=a", 413, None, id="too many fields"),
        pytest.param(FORM, b"text=a&glossary=[]&glossary=[]", 422, "body.glossary", id="two glossaries"),
        pytest.param(FORM, b"file=a", 422, "body.file", id="file that is none"),
        pytest.param(MULTIPART, part("text", b"a"), 400, None, id="multipart, cut off"),
        pytest.param(MULTIPART, b"Geheimnis", 400, None, id="no multipart"),
        pytest.param(MULTIPART, END, 422, "body", id="multipart without parts"),
        pytest.param(MULTIPART, part("text", b"\xff") + END, 400, None, id="field, not UTF-8"),
        pytest.param(MULTIPART, part("other", b"a") + END, 422, "body", id="multipart without text"),
        pytest.param(MULTIPART, part("text", b"a") * 6 + END, 413, None, id="too many parts"),
        pytest.param(
            MULTIPART, part("file", b"a", '; filename="Geheimnis.exe"') + END, 422, "body.file", id="unknown ending"
        ),
        pytest.param(MULTIPART, part("file", b"a", '; filename=""') + END, 422, "body.file", id="file without name"),
        pytest.param(
            MULTIPART,
            part("file", b"a", '; filename="a.txt"') + part("file", b"a", '; filename="a.html"') + END,
            422,
            "body.file",
            id="two formats",
        ),
        pytest.param("multipart/form-data", part("text", b"a") + END, 400, None, id="no boundary"),
        pytest.param("multipart/form-data; boundary=" + "x" * 300, END, 400, None, id="endless boundary"),
        pytest.param("text/plain", b"", 422, "body.text", id="no text"),
        pytest.param("text/plain", b"a\xff", 400, None, id="text, not UTF-8"),
        pytest.param("text/plain; charset=latin-1", b"a", 415, None, id="text in another charset"),
        pytest.param("application/pdf", b"a", 415, None, id="unknown type"),
        pytest.param('text/plain"; charset', b"a", 415, None, id="nonsense as a type"),
    ],
)
def test_bad_bodies(small: Served, kind: str, content: bytes, status: int, location: str | None) -> None:
    """Each is told apart, by status and place, and nothing of it is repeated."""
    answer = small.client.post(EN_DE, content=content, headers={"Content-Type": kind})
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert SECRET not in answer.text
    assert [one["location"] for one in answer.json().get("errors", [])] == ([location] if location else [])


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        (
            {"content": b"text=a&&text=b&text=%ff", "headers": {"Content-Type": FORM}},
            "field 2 of the form, counted from 0,",
        ),
        ({"files": [("file", ("a.txt", b"a")), ("file", ("b.txt", b"\xff"))]}, "field 1 of the form, counted from 0,"),
        ({"files": [("file", ("a.txt", b"a")), ("file", ("b.exe", b"b"))]}, "file 1, counted from 0,"),
    ],
    ids=["form", "files", "names"],
)
def test_the_field_is_told_that_cannot_be_read(client: httpx.Client, sent: dict[str, Any], told: str) -> None:
    """Of many files one is in another encoding, or of another kind: which one, is said, and not what it is called."""
    answer = client.post(EN_DE, **sent)
    assert answer.status_code in (400, 422)
    assert told in answer.json()["detail"]
    assert "b.exe" not in answer.text


def test_no_part_of_a_form_is_logged(client: httpx.Client, caplog: pytest.LogCaptureFixture) -> None:
    """Neither a header of a part that the parser does not know, nor what cannot be parsed."""
    caplog.set_level(logging.DEBUG)
    strange = part("text", FIRST.encode(), f"\r\nContent-Transfer-Encoding: {SECRET}")
    for content, status in ((strange + END, 200), (f"--xyz\r\n{SECRET}".encode(), 400), (b"--xyzGeheimnis", 400)):
        answer = client.post(EN_DE, content=content, headers={"Content-Type": MULTIPART})
        assert answer.status_code == status, answer.text
    assert [one for one in caplog.records if one.name.startswith("python_multipart")] == []
    assert SECRET.lower() not in caplog.text.lower()


def test_curl_is_told_what_to_add(small: Served) -> None:
    """What curl sends is declared as a form, JSON and `--data-binary @file` alike: the answer names the headers."""
    answer = small.client.post(EN_DE, content=b"Just some text", headers={"Content-Type": FORM})
    for media in (JSON, "text/plain"):
        assert f"Content-Type: {media}" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("content", "coding", "status"),
    [
        pytest.param(BOMB, "gzip", 413, id="larger inside than allowed outside"),
        pytest.param(gzip.compress(b"a" * (MAX_BODY_BYTES + 1)), "gzip", 413, id="bomb, one byte too many"),
        pytest.param(gzip.compress(b"1 2 " * (MAX_BODY_BYTES // 4)), "gzip", 200, id="just within"),
        pytest.param(gzip.compress(b"a")[:-1], "gzip", 400, id="cut off"),
        pytest.param(gzip.compress(b"1 2 ") + gzip.compress(b"3 4"), "gzip", 200, id="two members"),
        pytest.param(gzip.compress(b"1" * MAX_BODY_BYTES) + gzip.compress(b"2"), "gzip", 413, id="together too large"),
        pytest.param(
            gzip.compress(b"a") + gzip.compress(b"a" * 1000 * MAX_BODY_BYTES, mtime=0), "gzip", 413, id="second a bomb"
        ),
        pytest.param(gzip.compress(b"a") + gzip.compress(b"b")[:-1], "gzip", 400, id="second cut off"),
        pytest.param(gzip.compress(b"a") + gzip.compress(b"") * 64, "gzip", 400, id="very many members"),
        pytest.param(gzip.compress(b"a") + b"b", "gzip", 400, id="something behind it"),
        pytest.param(gzip.compress(b"a")[:-8] + b"\0" * 8, "gzip", 400, id="wrong sum"),
        pytest.param(b"Geheimnis", "gzip", 400, id="not compressed"),
        pytest.param(b"", "gzip", 400, id="empty"),
        pytest.param(zlib.compress(b"a"), "deflate", 415, id="deflate"),
        pytest.param(gzip.compress(gzip.compress(b"a"), mtime=0), "gzip, gzip", 415, id="twice"),
    ],
)
def test_compressed_bodies(small: Served, content: bytes, coding: str, status: int) -> None:
    """The limit of a body holds for what is in it, too, and is found out before all of it is there."""
    headers = {"Content-Type": "text/plain", "Content-Encoding": coding}
    answer = small.client.post(EN_DE, content=content, headers=headers)
    assert answer.status_code == status, answer.text
    assert SECRET not in answer.text


def test_a_bomb_takes_no_memory(small: Served) -> None:
    """Of what would be 50 MB, no more is unpacked than a body may have."""
    assert len(BOMB) > MAX_BODY_BYTES  # it would be refused as it is
    bomb = zlib.compressobj(9, zlib.DEFLATED, 16 + zlib.MAX_WBITS)
    packed = bomb.compress(b"\0" * (1000 * MAX_BODY_BYTES)) + bomb.flush()
    assert len(packed) < MAX_BODY_BYTES
    before = small.metric("process_resident_memory_bytes")
    for _ in range(5):
        headers = {"Content-Type": "text/plain", "Content-Encoding": "gzip"}
        assert small.client.post(EN_DE, content=packed, headers=headers).status_code == 413
    assert small.metric("process_resident_memory_bytes") - before < 500 * MAX_BODY_BYTES


@pytest.mark.parametrize(
    ("query", "location"),
    [
        ("dir=en-de&target=de", "query.target"),
        ("dir=auto&target=fr", "query.target"),
        ("dir=en-de&alternatives=1", "query.alternatives"),
        ("dir=en-de&quality=best&alternatives=6", "query.alternatives"),
        ("dir=en-de&quality=best&alternatives=-1", "query.alternatives"),
        ("dir=en-de&format=docx", "query.format"),
        ("dir=en-de&format=po&attributes=true", "query.attributes"),
        ("dir=en-de&details=maybe", "query.details"),
    ],
)
def test_options_that_do_not_go_together(client: httpx.Client, query: str, location: str) -> None:
    """Each is refused at its place."""
    answer = client.post(f"/translate?{query}", json={"text": FIRST})
    assert answer.status_code == 422
    assert [one["location"] for one in answer.json()["errors"]] == [location]


def test_an_option_in_the_body(client: httpx.Client) -> None:
    """Whoever sends an option beside the text, in JSON or a form, is told where options go."""
    fields = {"text": FIRST, "quality": "best"}
    for answer in (client.post(EN_DE, json=fields), client.post(EN_DE, data=fields)):
        assert answer.status_code == 422
        assert "`quality` and the other options go into the query" in answer.json()["detail"]


@given(
    kind=st.sampled_from([JSON, FORM, MULTIPART, "text/plain"]),
    coding=st.sampled_from(["identity", "gzip"]),
    content=st.binary(max_size=200)
    | st.lists(st.sampled_from([part("text", b"a"), END, b"&", b"text=%"])).map(b"".join),
)
@hypothesis_settings(
    max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], derandomize=True
)
def test_no_body_breaks_it(client: httpx.Client, kind: str, coding: str, content: bytes) -> None:
    """Whatever bytes come, the answer is a translation or says what is wrong with them."""
    answer = client.post(EN_DE, content=content, headers={"Content-Type": kind, "Content-Encoding": coding})
    assert answer.status_code in (200, 400, 422), answer.text
