"""A server that answers as a script says, for what a healthy service does not do; and both clients behind one face."""

from __future__ import annotations

import asyncio
import json
import ssl
import threading
import time
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

import httpx

from reder import AsyncClient, Client
from service.app import Loaded, load
from service.settings import Settings
from tests.service.support import BUNDLE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reder import RoundTrip, StreamedSegment, Translation

PROBLEM = "application/problem+json"
KINDS = ("sync", "async")
_CERTIFICATES = ssl.create_default_context()  # read once: it takes longer than all else here


@cache
def live_settings() -> Settings:
    """Fp32, the precision of the golden examples: they are what it must answer."""
    return Settings(bundle=BUNDLE, precision="fp32", threads=1, canary_on_start=False)


@cache
def live_parts() -> Loaded:
    """The bundle, checked, and a warm engine; once for all tests that run in this process."""
    return load(live_settings())


class Answer(NamedTuple):
    """What the server says; without a body, every text in capitals. `cut` closes the connection after so much of it."""

    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    body: str | None = None
    cut: int | None = None


class Seen(NamedTuple):
    """One request as it arrived."""

    path: str
    texts: list[str]
    at: float
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def query(self) -> dict[str, str]:
        """The parameters, each given once."""
        return {name: value for name, (value,) in parse_qs(urlsplit(self.path).query).items()}


def problem(status: int, slug: str, detail: str, *headers: tuple[str, str], **extra: object) -> Answer:
    """The service's way to refuse."""
    body = {"type": f"urn:reder:problem:{slug}", "status": status, "detail": detail, "request_id": "r-1", **extra}
    return Answer(status, (("Content-Type", PROBLEM), *headers), json.dumps(body))


@contextmanager
def server(*script: Answer, gate: threading.Event | None = None) -> Iterator[tuple[str, list[Seen]]]:
    """A server that answers as the script says, and normally from its end on. Gives its address and what it saw.

    With a gate, normal answers wait for it.
    """
    seen: list[Seen] = []
    answers = list(script)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            seen.append(Seen(self.path, body["text"], time.monotonic(), dict(self.headers.items()), body))
            self._say(answers.pop(0) if answers else Answer(), body["text"])

        def _say(self, answer: Answer, texts: list[str]) -> None:
            if gate and answer == Answer():
                gate.wait(60)
            capitals = {"translations": [{"text": text.upper(), "confidence": 0.5} for text in texts]}
            body = (answer.body or json.dumps(capitals)).encode()
            if answer.cut == 0:
                self.close_connection = True
                return
            self.send_response(answer.status)
            for name, value in answer.headers:
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body[: answer.cut])
            self.close_connection = answer.cut is not None

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    class Quiet(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            """A client that left is no error here."""

    with Quiet(("127.0.0.1", 0), Handler) as running:
        threading.Thread(target=running.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}", seen
        if gate:
            gate.set()
        running.shutdown()


class Either:
    """The client that waits, or the other one, each call in an event loop of its own; made anew for every call."""

    def __init__(self, kind: str, url: str, **settings: Any) -> None:  # noqa: ANN401 - those of either client
        self._kind = kind
        self._url = url
        self._settings = settings

    def translate(self, *arguments: Any, **options: Any) -> Any:  # noqa: ANN401 - one translation, or a list
        """Call it."""
        return self._call("translate", *arguments, **options)

    def roundtrip(self, *arguments: Any) -> RoundTrip:  # noqa: ANN401 - as the client's
        """Call it."""
        answer: RoundTrip = self._call("roundtrip", *arguments)
        return answer

    def ready(self) -> Any:  # noqa: ANN401 - as the client's
        """Call it."""
        return self._call("ready")

    def max_characters(self) -> Any:  # noqa: ANN401 - as the client's
        """Call it."""
        return self._call("max_characters")

    def stream(self, *arguments: Any, **options: Any) -> tuple[list[StreamedSegment], list[Translation]]:  # noqa: ANN401
        """Read a stream to its end: its segments, and the whole."""
        if self._kind == "sync":
            with (
                httpx.Client(verify=_CERTIFICATES) as http,
                Client(self._url, http=http, **self._settings) as client,
                client.stream(*arguments, **options) as stream,
            ):
                return list(stream), stream.translations

        async def read() -> tuple[list[StreamedSegment], list[Translation]]:
            async with (
                httpx.AsyncClient(verify=_CERTIFICATES) as http,
                AsyncClient(self._url, http=http, **self._settings) as client,
                client.stream(*arguments, **options) as stream,
            ):
                return [segment async for segment in stream], stream.translations

        return asyncio.run(read())

    def _call(self, method: str, *arguments: Any, **options: Any) -> Any:  # noqa: ANN401 - any method's
        if self._kind == "sync":
            with (
                httpx.Client(verify=_CERTIFICATES) as http,
                Client(self._url, http=http, **self._settings) as client,
            ):
                return getattr(client, method)(*arguments, **options)

        async def run() -> Any:  # noqa: ANN401 - same
            async with (
                httpx.AsyncClient(verify=_CERTIFICATES) as http,
                AsyncClient(self._url, http=http, **self._settings) as client,
            ):
                return await getattr(client, method)(*arguments, **options)

        return asyncio.run(run())
