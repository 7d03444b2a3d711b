"""What browsers are told: nothing but the documentation runs, nothing is kept, and no page calls unless it may."""

from __future__ import annotations

import base64
import hashlib
import re
import socket
from typing import TYPE_CHECKING

import pytest

from service.keys import generate
from tests.service.support import PATIENCE_S, serve

if TYPE_CHECKING:
    from collections.abc import Iterator

    import httpx

    from service.app import Loaded
    from service.settings import Settings
    from tests.service.support import Served

PAGE = "https://app.example"
KEY = generate("web")
EN_DE = "/translate?dir=en-de"
PREFLIGHT = {
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "authorization, content-encoding, content-type, x-api-key, x-timeout-ms",
}


@pytest.fixture(scope="module")
def shared(settings: Settings, loaded: Loaded) -> Iterator[Served]:
    """A service with keys that pages of one origin may call."""
    with serve(settings, loaded, cors_origins=PAGE, api_keys=KEY.line) as served:
        yield served


def assert_safe(response: httpx.Response) -> None:
    """Not to be guessed at, framed, run or kept."""
    assert response.headers.get_list("x-content-type-options") == ["nosniff"]
    assert response.headers.get_list("referrer-policy") == ["no-referrer"]
    assert response.headers.get_list("cache-control") == ["no-store"]
    (policy,) = response.headers.get_list("content-security-policy")
    assert policy.startswith("default-src 'none'; ")
    assert "frame-ancestors 'none'" in policy


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("POST", EN_DE, {"text": "A dog runs."}, 200),
        ("POST", EN_DE, {"text": 3}, 422),
        ("POST", EN_DE, {"text": "a" * 100_001}, 413),
        ("GET", "/translate", None, 405),
        ("GET", "/no/such/path", None, 404),
        ("GET", "/", None, 200),
        ("GET", "/healthz", None, 200),
        ("GET", "/metrics", None, 200),
        ("GET", "/openapi.json", None, 200),
        ("GET", "/docs", None, 200),
        ("HEAD", "/healthz", None, 200),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_every_answer_is_safe(
    client: httpx.Client, method: str, path: str, body: dict[str, object] | None, status: int
) -> None:
    """Translations, errors of every origin, probes and pages alike have the headers, each once."""
    response = client.request(method, path, json=body)
    assert response.status_code == status
    assert_safe(response)


def test_unexpected_errors_are_safe(settings: Settings, loaded: Loaded) -> None:
    """So has the answer that the last net gives."""
    with serve(settings, loaded, cors_origins=PAGE) as served:
        del served.context.translator._limits
        response = served.client.post(EN_DE, json={"text": "A dog runs."}, headers={"Origin": PAGE})
    assert response.status_code == 500
    assert_safe(response)
    assert response.headers["access-control-allow-origin"] == PAGE


def test_documentation_may_load_what_it_needs(client: httpx.Client) -> None:
    """The policy of /docs allows its style, its scripts and the API; each outside file has a version and a hash."""
    response = client.get("/docs")
    assert response.headers["content-type"].startswith("text/html")
    policy = dict(one.split(" ", 1) for one in response.headers["content-security-policy"].split("; "))
    outside = re.findall(
        r'<(script|link)[^>]* (?:src|href)="(https:[^"]+)" integrity="(sha384-[^"]{64})"', response.text
    )
    assert {kind for kind, _, _ in outside} == {"script", "link"}
    assert len(outside) == len(re.findall("https?:", response.text))
    for kind, url, _ in outside:
        assert re.search(r"@\d+\.\d+\.\d+/", url)
        folder = policy["script-src" if kind == "script" else "style-src"].split()[0]
        assert url.startswith(folder)
        assert folder.endswith("/")
    (inline,) = re.findall(r"<script>(.*?)</script>", response.text, flags=re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(inline.encode()).digest()).decode()
    assert f"'sha256-{digest}'" in policy["script-src"].split()
    assert "'unsafe-inline'" not in policy["script-src"]
    assert policy["connect-src"] == "'self'"


def test_no_page_may_call_by_default(client: httpx.Client) -> None:
    """Without the setting no answer invites a page of another origin, and there is no preflight."""
    response = client.post(EN_DE, json={"text": "A dog runs."}, headers={"Origin": PAGE})
    assert response.status_code == 200
    assert client.options(EN_DE, headers={"Origin": PAGE} | PREFLIGHT).status_code == 405
    assert [name for name in response.headers if name.startswith("access-control")] == []


def test_pages_of_a_listed_origin_may_call(shared: Served) -> None:
    """Preflight needs no key and allows the headers the API knows; pages may read answers, errors included."""
    preflight = shared.client.options(EN_DE, headers={"Origin": PAGE} | PREFLIGHT)
    assert preflight.status_code == 200
    assert preflight.headers["access-control-allow-origin"] == PAGE
    assert_safe(preflight)
    for headers, status in [({"X-API-Key": KEY.key}, 200), ({}, 401)]:
        response = shared.client.post(EN_DE, json={"text": "A dog runs."}, headers={"Origin": PAGE} | headers)
        assert response.status_code == status
        assert response.headers["access-control-allow-origin"] == PAGE
        assert "Retry-After" in response.headers["access-control-expose-headers"]
        assert "access-control-allow-credentials" not in response.headers
        assert_safe(response)


def test_pages_of_another_origin_may_not(shared: Served) -> None:
    """An origin that is not listed is not allowed, nor one that begins or ends like one that is."""
    for origin in (
        "https://evil.example",
        f"{PAGE}.evil.example",
        "https://evilapp.example",
        "http://app.example",
        "null",
    ):
        preflight = shared.client.options(EN_DE, headers={"Origin": origin} | PREFLIGHT)
        assert preflight.status_code == 400
        assert "access-control-allow-origin" not in preflight.headers


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/no/such/path"])
def test_a_service_that_ends_closes_connections_with_its_answers(settings: Settings, loaded: Loaded, path: str) -> None:
    """Whoever keeps a connection open is told so with the answer, and not by finding it closed for the next request."""
    request = f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode()
    with serve(settings, loaded) as served, socket.create_connection(served.address, PATIENCE_S) as connection:
        connection.sendall(request)
        assert b"connection: close" not in connection.recv(10_000).lower()
        served.context.serving.draining = True
        connection.sendall(request)
        answer = b""
        while chunk := connection.recv(10_000):
            answer += chunk
    assert b"connection: close\r\n" in answer.lower()
