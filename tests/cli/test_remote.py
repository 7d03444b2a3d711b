"""The HTTP translator against real servers, busy and broken ones too."""

from __future__ import annotations

import json
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, NamedTuple

import pytest

from cli.remote import RemoteError, RemoteTranslator
from model.bundle import EN_DE

if TYPE_CHECKING:
    from collections.abc import Iterator


class Answer(NamedTuple):
    """What the server says; without a body, every text in capitals."""

    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    body: str | None = None


class Seen(NamedTuple):
    """One request as it arrived."""

    path: str
    texts: list[str]
    at: float


@contextmanager
def server(*script: Answer) -> Iterator[tuple[str, list[Seen]]]:
    """A server that answers as the script says, and normally from its end on. Gives its address and what it saw."""
    seen: list[Seen] = []
    answers = list(script)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            texts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["text"]
            seen.append(Seen(self.path, texts, time.monotonic()))
            answer = answers.pop(0) if answers else Answer()
            body = answer.body or json.dumps({"translations": [{"text": text.upper()} for text in texts]})
            self.send_response(answer.status)
            for name, value in answer.headers:
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}", seen
        running.shutdown()


def test_batches_in_order() -> None:
    """Many texts go in several requests, none large, with the quality asked for, and come back in order."""
    texts = [f"text {number}" for number in range(150)] + ["long " * 3000] * 3
    with server() as (url, seen):
        assert RemoteTranslator(f"{url}/", quality="best").translate(EN_DE, texts) == [text.upper() for text in texts]
    assert {request.path for request in seen} == {"/translate?dir=en-de&quality=best"}
    assert max(len(request.texts) for request in seen) <= 64
    assert max(sum(map(len, request.texts)) for request in seen) <= 20_000


def test_waits_as_long_as_asked() -> None:
    """A busy service is asked again, no earlier than its Retry-After says."""
    with server(Answer(429, (("Retry-After", "1"),)), Answer(503)) as (url, seen):
        assert RemoteTranslator(url).translate(EN_DE, ["a"]) == ["A"]
    assert len(seen) == 3
    assert seen[1].at - seen[0].at >= 1
    assert [request.texts for request in seen] == [["a"]] * 3


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (Answer(429, (("Retry-After", "60"),)), "answers 429"),
        (Answer(422, body='{"detail": "a control character"}'), "answers 422: .*a control character"),
        (Answer(500, body="oops"), "answers 500: oops"),
        (Answer(body="<html>"), "does not answer as this service does"),
        (Answer(body='{"translations": []}'), "gave 0 translations of 1 texts"),
    ],
    ids=["busy", "refused", "failed", "not json", "short"],
)
def test_gives_up(answer: Answer, said: str) -> None:
    """A service that is busy for too long, refuses or talks nonsense is an error that says which."""
    with server(answer) as (url, seen), pytest.raises(RemoteError, match=said):
        RemoteTranslator(url, patience_s=5).translate(EN_DE, ["a"])
    assert len(seen) == 1
