"""Who is let in: keys for the service, keys for its administration, and neither where none is configured."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, cast

import pytest
from fastapi import APIRouter
from fastapi.routing import iter_route_contexts
from pydantic import ValidationError

from service.app import create_app
from service.errors import ConfigurationError
from service.http.authentication import OPEN
from service.keys import Keyring, generate
from service.settings import Settings
from tests.service.support import serve

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import httpx
    from fastapi import FastAPI

    from service.app import Loaded
    from tests.service.support import Served

WEB, SHOP, ADMIN = generate("web"), generate("shop"), generate("operations")
STRANGER = generate("web").key
EN_DE = "/translate?dir=en-de"
HELLO = {"text": "Hello."}
FOREIGN = {"/detect": "error", "/translate": "error", "/v2/": "message"}
"""Paths of other APIs, whose errors are 403 with one field. Without `dir` /translate is one of them."""


@pytest.fixture(scope="module")
def guarded(settings: Settings, loaded: Loaded) -> Iterator[Served]:
    """A service with keys, two for use and one for administration."""
    with serve(settings, loaded, api_keys=f"{WEB.line}, {SHOP.line}", admin_keys=ADMIN.line) as served:
        add_admin_route(served)
        yield served


def add_admin_route(served: Served) -> None:
    """A route of administration that does nothing, and asks for no key itself."""
    cast("FastAPI", served.server.config.app).add_api_route("/admin/nothing", nothing, methods=["POST"])


async def nothing() -> None:
    """Do nothing."""


def bearer(key: str) -> dict[str, str]:
    """The header that carries a key."""
    return {"Authorization": f"Bearer {key}"}


def assert_unauthenticated(response: httpx.Response) -> None:
    """401, in the shape of all problems, and with the header that HTTP requires."""
    assert response.status_code == 401, response.text
    assert response.headers["content-type"] == "application/problem+json"
    assert response.headers["www-authenticate"] == "Bearer"
    assert response.json()["type"] == "urn:reder:problem:unauthenticated"


def test_open_by_default(client: httpx.Client) -> None:
    """Where no key is configured nobody needs one, and one that is sent does no harm."""
    assert client.post(EN_DE, json=HELLO).status_code == 200
    assert client.post(EN_DE, json=HELLO, headers=bearer(STRANGER)).status_code == 200
    assert "security" not in client.get("/openapi.json").json()["paths"]["/translate"]["post"]


@pytest.mark.parametrize(
    "headers",
    [
        bearer(WEB.key),
        bearer(SHOP.key),
        {"authorization": f"bearer  {WEB.key}"},
        {"Authorization": f"DeepL-Auth-Key {WEB.key}"},
        {"X-API-Key": WEB.key},
        {"Authorization": "Basic cHJveHk6cHJveHk=", "X-API-Key": WEB.key},
        bearer(STRANGER) | {"X-API-Key": WEB.key},
    ],
    ids=["bearer", "another", "spelling", "deepl", "x-api-key", "behind-basic", "one-of-two"],
)
def test_ways_to_send_a_key(guarded: Served, headers: dict[str, str]) -> None:
    """A valid key is accepted in each of the headers, whatever else is there."""
    response = guarded.client.post(EN_DE, json=HELLO, headers=headers)
    assert response.status_code == 200, response.text


@pytest.mark.parametrize(
    "headers",
    [
        {},
        bearer(STRANGER),
        bearer(WEB.key[:-1]),
        bearer(WEB.key + "A"),
        bearer(WEB.line),
        bearer(WEB.line.partition(":")[2]),
        {"Authorization": "Bearer"},
        bearer("é" * 40),
        bearer("A" * 20_000),
        {"Authorization": WEB.key},
        {"Authorization": "Basic " + base64.b64encode(f"web:{WEB.key}".encode()).decode()},
        {"X-API-Key": ""},
        {"Cookie": f"key={WEB.key}"},
        bearer(ADMIN.key),
    ],
    ids=[
        *("none", "stranger", "shorter", "longer", "line", "hash", "empty", "latin-1", "huge"),
        *("no-scheme", "basic", "x-api-key-empty", "cookie", "admin"),
    ],
)
def test_no_other_way_in(guarded: Served, headers: dict[str, str]) -> None:
    """No key, a wrong one, one elsewhere, its hash, or one for administration: 401, and nothing is told of it."""
    sent = {name.encode(): value.encode("latin-1") for name, value in headers.items()}
    rejected = guarded.metric("reder_rejected_total", reason="unauthenticated")
    response = guarded.client.post(EN_DE, json=HELLO, headers=sent)
    assert_unauthenticated(response)
    assert [value for value in headers.values() if len(value) > 10 and value.split()[-1] in response.text] == []
    assert guarded.metric("reder_rejected_total", reason="unauthenticated") == rejected + 1


def test_the_key_comes_before_the_request(guarded: Served) -> None:
    """Without a key one does not learn what is wrong with a request: neither its parameters nor its body are read."""
    assert_unauthenticated(guarded.client.post("/translate?dir=xx", content=b"{", headers={"X-Timeout-Ms": "x"}))


def test_every_route_is_closed_but_those_listed(guarded: Served) -> None:
    """Whatever routes there are: only those that are listed as open, and the OpenAPI document, answer without a key."""
    document = guarded.client.get("/openapi.json").json()
    operations = [(path, method) for path, methods in document["paths"].items() for method in methods]
    answers = {path: guarded.client.request(method, path) for path, method in operations}
    for path, response in answers.items():
        if path in OPEN:
            assert response.status_code == 200
        elif shape := FOREIGN.get("/v2/" if path.startswith("/v2/") else path):
            assert (response.status_code, set(response.json())) == (403, {shape})
        else:
            assert_unauthenticated(response)
    closed = {path for path, _ in operations} - OPEN
    assert {"/translate", "/roundtrip"} <= closed
    assert {path for path, _ in operations if "security" in document["paths"][path].get("post", {})} <= closed
    routes = iter_route_contexts(cast("FastAPI", guarded.server.config.app).routes)
    hidden = {str(route.path) for route in routes} - answers.keys()
    foreign = {path for path in hidden if path.startswith(("/v2/", "/v3/"))}
    for path in foreign:
        assert 403 in {guarded.client.request(method, path).status_code for method in ("GET", "POST")} <= {403, 405}
    assert hidden - foreign - OPEN == {"/openapi.json"}


def test_a_path_that_looks_open_is_not(settings: Settings, loaded: Loaded) -> None:
    """The whole path counts: a route that is called like an open one is closed elsewhere; near misses are 404."""
    with serve(settings, loaded, api_keys=WEB.line) as served:
        elsewhere = APIRouter()
        elsewhere.add_api_route("/metrics", nothing)
        cast("FastAPI", served.server.config.app).include_router(elsewhere, prefix="/elsewhere")
        assert_unauthenticated(served.client.get("/elsewhere/metrics"))
        assert served.client.get("/elsewhere/metrics", headers=bearer(WEB.key)).status_code == 200
        for path in ("/translate/", "/Translate", "/metrics/", "/METRICS"):
            assert served.client.post(path, json=HELLO).status_code == 404


def test_documentation_names_the_keys(guarded: Served) -> None:
    """The OpenAPI document says how to send a key and which operations need one, so that /docs can ask for it."""
    document = guarded.client.get("/openapi.json").json()
    assert document["components"]["securitySchemes"]["bearer"] == {"type": "http", "scheme": "bearer"}
    operation = document["paths"]["/translate"]["post"]
    assert operation["security"] == [{"bearer": []}, {"api_key": []}]
    assert "401" in operation["responses"]
    assert "security" not in document["paths"]["/readyz"]["get"]


def test_rotation(settings: Settings, loaded: Loaded, tmp_path: Path) -> None:
    """Old and new key of one name are both valid while both are in the file; once the old one is removed it is not."""
    old, new = generate("web"), generate("web")
    file = tmp_path / "keys"
    rotating = settings.model_copy(update={"api_keys_file": file})
    for lines, accepted in [([old, new], [old, new]), ([new], [new])]:
        file.write_text("# the web shop\r\n\n" + "\n".join(one.line for one in lines), encoding="utf-8")
        with serve(rotating, loaded) as served:
            for one in (old, new):
                response = served.client.post(EN_DE, json=HELLO, headers=bearer(one.key))
                assert response.status_code == (200 if one in accepted else 401)
            assert served.metric("reder_key_requests_total", key="web") == len(accepted)
            assert served.metric("reder_key_characters_total", key="web") == len(HELLO["text"]) * len(accepted)


def test_administration_without_keys(settings: Settings, loaded: Loaded) -> None:
    """Where no admin key is configured nobody is let in, with the reason, and least of all on an open service."""
    with serve(settings, loaded) as served:
        add_admin_route(served)
        for headers in ({}, bearer(STRANGER)):
            response = served.client.post("/admin/nothing", headers=headers)
            assert response.status_code == 403
            assert response.json()["type"] == "urn:reder:problem:admin-disabled"
            assert response.json()["detail"].startswith("no admin key is configured: set REDER_ADMIN_KEYS")


def test_administration_with_keys(guarded: Served) -> None:
    """Only an admin key lets in: no key for use does, and it is not one for use itself."""
    for headers in ({}, bearer(STRANGER), bearer(WEB.key)):
        assert_unauthenticated(guarded.client.post("/admin/nothing", headers=headers))
    assert guarded.client.post("/admin/nothing", headers=bearer(ADMIN.key)).status_code == 200
    assert guarded.metric("reder_key_requests_total", key="admin:operations") == 1


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "No such file"),
        ("", "no key"),
        ("# web:later\n", "no key"),
        (f"{WEB.line}\n{STRANGER}\n", "key 2 is not of the form"),
        (WEB.line.replace("web", "the web"), "key 1 is not of the form"),
        (f"{WEB.line}\n{WEB.line.replace('web', 'shop')}", "key 2 is there already"),
        ("web:\xff", "not UTF-8"),
    ],
    ids=["missing", "empty", "comment", "a-key-itself", "name", "twice", "latin-1"],
)
def test_files_that_are_no_keys(
    settings: Settings, loaded: Loaded, tmp_path: Path, content: str | None, reason: str
) -> None:
    """The service does not start on a file it cannot read keys from, nor on an empty one; the error quotes none."""
    file = tmp_path / "keys"
    if content is not None:
        file.write_bytes(content.encode("latin-1"))
    for setting in ("api_keys_file", "admin_keys_file"):
        with pytest.raises(ConfigurationError, match=reason) as refusal:
            create_app(settings.model_copy(update={setting: file}), loaded)
        assert str(file) in str(refusal.value)
        assert STRANGER not in str(refusal.value)


@pytest.mark.parametrize(
    "value", ["web:12", WEB.key, ",", "#", "", " "], ids=["short", "key", "comma", "comment", "empty", "space"]
)
def test_settings_that_are_no_keys(value: str) -> None:
    """The same for keys in the environment: what was meant to close the service never leaves it open."""
    for setting in ("api_keys", "admin_keys"):
        with pytest.raises(ValidationError, match="key"):
            Settings.model_validate({setting: value})


@pytest.mark.parametrize("name", ["REDER_API_KEYS", "REDER_ADMIN_KEYS", "REDER_API_KEYS_FILE", "REDER_ADMIN_KEYS_FILE"])
def test_keys_that_were_not_filled_in(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """An empty variable, as an empty secret makes it, is refused with the remedy; the service is not left open."""
    monkeypatch.setenv(name, "")
    with pytest.raises(ValidationError, match="leave the setting out if none is meant"):
        Settings()


def test_both_sources_count(settings: Settings, loaded: Loaded, tmp_path: Path) -> None:
    """Keys from the environment and from the file are valid side by side."""
    file = tmp_path / "keys"
    file.write_text(SHOP.line, encoding="utf-8")
    with serve(settings, loaded, api_keys=WEB.line, api_keys_file=file) as served:
        codes = [
            served.client.post(EN_DE, json=HELLO, headers=bearer(key)).status_code
            for key in (WEB.key, SHOP.key, STRANGER)
        ]
    assert codes == [200, 200, 401]


def test_keyring_knows_whose_key_it_is() -> None:
    """Each key is found under its own name, wherever it stands, however its hash is spelled; no other is."""
    ring = Keyring.parse("\n".join([WEB.line, SHOP.line.upper().replace("SHOP", "shop")]))
    assert [ring.name_of(key) for key in (WEB.key, SHOP.key, ADMIN.key, "")] == ["web", "shop", None, None]
