"""What callers send stays out of the log, even when the program fails on it: text and keys."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any, cast

import httpx
import pytest
from fastapi.responses import StreamingResponse

from service.keys import generate
from service.observability.logging import without_messages
from tests.service.processes import started
from tests.service.support import serve

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from fastapi import FastAPI

    from service.app import Loaded
    from service.settings import Settings

SECRET = "Geheimnis"  # noqa: S105 - no password: a word that must not be logged
WEB, ADMIN, STRANGER = generate("web"), generate("operations"), generate("stranger")

FAILING = """
import asyncio, sys
import service.__main__ as program
import service.pipeline.reading as reading
from fastapi.responses import StreamingResponse

def tokenise(segmented, *arguments, real=reading.tokenise, **options):
    if "☃" in str(segmented):
        try:
            raise KeyError(str(segmented))
        except KeyError as error:
            raise ValueError(f"cannot tokenise {segmented}") from error
    return real(segmented, *arguments, **options)

reading.tokenise = tokenise

async def fail(text):
    raise ValueError(f"cannot do {text}")

async def half(text):
    yield b"half of it"
    asyncio.get_running_loop().create_task(fail(text))
    await asyncio.sleep(0.1)
    await fail(text)

def create_app(*arguments, real=program.create_app):
    app = real(*arguments)
    app.get("/broken")(lambda text: StreamingResponse(half(text)))
    app.state.paths |= {"/broken"}
    return app

program.create_app = create_app
sys.exit(program.main())
"""
"""The program with a stage that fails on snowmen and a route whose answers break off, both quoting what they got."""


@pytest.fixture(scope="module")
def observed(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """All that such a service lets out: its log, its metrics, the bodies of its answers."""
    log: Path = tmp_path_factory.mktemp("log") / "log"
    values = {"api_keys": WEB.line, "admin_keys": ADMIN.line, "log_level": "debug"}
    utf_8 = {"PYTHONIOENCODING": "utf-8"}
    with started(settings.bundle, log, program=("-c", FAILING), environment=utf_8, **values) as running:
        with running.ready().client() as client:
            bodies = send_everything(client)
            metrics = client.get("/metrics").text
        assert running.end() == 0
    return {"log": running.logged(), "metrics": metrics, "bodies": "\n".join(bodies)}


def send_everything(client: httpx.Client) -> list[str]:
    """Requests that succeed, fail, break off and are refused; the bodies of the answers."""
    key = {"X-API-Key": WEB.key}
    text = {"text": f"The {SECRET} ☃."}
    answered = [
        client.post("/translate?dir=en-de", json=text, headers=key),
        client.post("/translate?dir=en-de", json={"text": "A dog runs."}, headers=key),
        *(
            client.post("/translate?dir=en-de", json=text, headers=headers)
            for headers in (
                {"Authorization": f"Bearer {STRANGER.key}"},
                {"Authorization": STRANGER.key},
                {"X-API-Key": STRANGER.key, "X-Request-Id": f"key {STRANGER.key}"},
            )
        ),
        client.get("/roundtrip", params={"dir": "en-de", "text": text["text"]}, headers=key),
        client.get("/roundtrip", params={"dir": "en-de", "text": text["text"], "api_key": WEB.key}, headers=key),
        client.get(f"/{STRANGER.key}"),
        client.post("/admin/nothing", headers={"Authorization": f"Bearer {ADMIN.key}"}),
        client.post("/translate", json={"q": SECRET, "source": SECRET, "target": "de", "api_key": WEB.key}),
        client.get("/v2/translate", params={"text": SECRET, "target_lang": "DE", "auth_key": STRANGER.key}),
        client.get("/v2/translate", params={"text": SECRET, "target_lang": SECRET, "auth_key": WEB.key}),
    ]
    assert [one.status_code for one in answered] == [500, 200, 401, 401, 401, 500, 422, 404, 404, 400, 403, 400]
    with pytest.raises(httpx.RemoteProtocolError):
        client.get("/broken", params={"text": SECRET}, headers=key)
    return [one.text for one in answered]


def test_no_text_in_the_log(observed: dict[str, str]) -> None:
    """Errors that quote the text are logged without it: in a stage, half way in an answer, in a task nobody awaits."""
    assert SECRET not in observed["log"]
    assert SECRET not in observed["metrics"]
    assert SECRET not in observed["bodies"]
    assert "☃" not in observed["log"]
    assert "Task exception was never retrieved" in observed["log"]


def test_the_log_says_what_failed_and_where(observed: dict[str, str]) -> None:
    """Type, file, line and function of an error and its cause are there: enough to find it."""
    log = observed["log"]
    for told in ("unexpected_error", "builtins.ValueError", "from builtins.KeyError", "in tokenise", "translator.py:"):
        assert told in log
    lines: list[dict[str, Any]] = [json.loads(line) for line in log.splitlines()]
    failed = [line for line in lines if line["event"] == "unexpected_error"]
    assert [line["route"] for line in failed] == ["/translate", "/roundtrip", "/broken"]
    assert len({line["request_id"] for line in failed}) == 3


def test_no_key_is_ever_shown(observed: dict[str, str]) -> None:
    """Keys are in no log, metric or answer, right or wrong ones; neither are their hashes. Names of keys are."""
    for made in (WEB, ADMIN, STRANGER):
        digest = made.line.partition(":")[2]
        for shown in ("log", "metrics", "bodies"):
            assert made.key not in observed[shown]
            assert digest not in observed[shown]
    assert "web" in observed["log"]
    assert 'reder_key_requests_total{key="web"}' in observed["metrics"]


def test_another_log_has_no_text_either(
    settings: Settings, loaded: Loaded, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where another program serves the application, with a log of its own, what breaks off an answer has no text."""

    async def half(text: str) -> AsyncIterator[bytes]:
        yield b"half of it"
        raise ValueError(text)

    def broken(text: str) -> StreamingResponse:
        return StreamingResponse(half(text))

    caplog.set_level(logging.WARNING, logger="httpx")  # the client's own log, which has the query
    with serve(settings, loaded) as served:
        cast("FastAPI", served.server.config.app).add_api_route("/broken", broken, response_model=None)
        with pytest.raises(httpx.RemoteProtocolError):
            served.client.get("/broken", params={"text": SECRET})
    assert "Exception in ASGI application" in caplog.text
    log = caplog.text + "".join(capsys.readouterr())
    assert "unexpected_error" in log
    assert SECRET not in log


def test_causes_and_groups_are_told() -> None:
    """What an error came from, and what a group holds, is told too, each once and without its message."""
    error = ExceptionGroup(SECRET, [TypeError(SECRET)])
    error.__cause__ = OSError(SECRET)
    error.__cause__.__context__ = error
    kinds = ["builtins.ExceptionGroup", "from builtins.TypeError", "from builtins.OSError"]
    assert without_messages(error).splitlines() == kinds
