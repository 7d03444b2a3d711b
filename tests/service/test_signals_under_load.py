"""Signals while many requests are under way: what callers get, what the log says, and how the process ends."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from tests.service.processes import Running, started
from tests.service.support import PATIENCE_S, distinct, serve_faulty, wait_until
from tests.soak.overload import post

if TYPE_CHECKING:
    from collections.abc import Iterator

    from service.app import Loaded
    from service.settings import Settings

CLIENTS = 12
ENOUGH = 3 * CLIENTS
"""Answers to wait for before the signal."""
AFTER_S = 10.0
DRAIN_TIMEOUT_S = 8.0
BODY = json.dumps({"text": distinct("The old dog runs through the grass.", 4) + distinct("Two men talk.", 4)}).encode()
CLOSED = {"ConnectionRefusedError", "ConnectionResetError", "IncompleteReadError"}
"""What a client sees of a connection that was closed before its request was read, or not accepted."""
SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGKILL)


@dataclass(slots=True)
class Seen:
    """What the clients saw of requests, by the id each had."""

    answered: dict[str, int] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    finished_s: float = 0.0


@pytest.fixture(scope="module")
def services(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Running]]:
    """One service for each signal; they start side by side."""
    with ExitStack() as stack:
        running = {}
        for sent in SIGNALS:
            log = tmp_path_factory.mktemp("log") / "log"
            # however slow the machine is, nobody is refused on account of those who wait
            starting = started(settings.bundle, log, drain_timeout_s=DRAIN_TIMEOUT_S, queue_s=600, timeout_s=600)
            running[sent.name] = stack.enter_context(starting)
        for service in running.values():
            service.ready()
        yield running


async def load_and_signal(service: Running, sent: signal.Signals) -> Seen:
    """Keep many clients asking, one request after the other on new connections, and send a signal in between.

    A client stops when it gets no answer, for nobody listens any more.
    """
    seen, enough = Seen(), asyncio.Event()

    async def client(name: int) -> None:
        number = 0
        while True:
            request_id = f"{name}-{number}"
            try:
                reply = await post(service.address, "/translate?dir=en-de", BODY, {"X-Request-Id": request_id})
            except (OSError, EOFError) as error:
                half = getattr(error, "partial", b"")
                seen.failed[request_id] = "half an answer" if half else type(error).__name__
                return
            assert reply.headers["x-request-id"] == request_id
            seen.answered[request_id] = reply.status
            number += 1
            if len(seen.answered) >= ENOUGH:
                enough.set()

    async with asyncio.timeout(AFTER_S + PATIENCE_S), asyncio.TaskGroup() as clients:
        for name in range(CLIENTS):
            clients.create_task(client(name))
        await enough.wait()
        service.process.send_signal(sent)
        begun = time.monotonic()
    seen.finished_s = time.monotonic() - begun
    return seen


def logged(service: Running) -> Counter[tuple[str, int]]:
    """Requests to translate that the log tells of: id and status."""
    lines = [json.loads(line) for line in service.logged().splitlines()]
    return Counter(
        (one["request_id"], one["status"])
        for one in lines
        if one["event"] == "request" and one.get("route") == "/translate"
    )


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT], ids=lambda sent: sent.name)
def test_an_orderly_end_loses_nothing(services: dict[str, Running], sent: signal.Signals) -> None:
    """Every accepted request is answered once, says the log too; silent clients do not hold up the end; exit code 0."""
    service = services[sent.name]
    with ExitStack() as stack:
        for content in (b"", b"POST /transl", b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"):
            stack.enter_context(socket.create_connection(service.address)).sendall(content)
        seen = asyncio.run(load_and_signal(service, sent))
        assert service.process.wait(DRAIN_TIMEOUT_S + PATIENCE_S) == 0
    told = logged(service)
    assert set(seen.answered.values()) <= {200, 503}
    assert sum(status == 200 for status in seen.answered.values()) > 0
    assert told == Counter(seen.answered.items())
    assert set(told.values()) == {1}
    assert set(seen.failed.values()) <= CLOSED
    assert seen.finished_s < DRAIN_TIMEOUT_S + PATIENCE_S
    assert "Traceback" not in service.logged()


def test_a_kill_is_noticed_at_once(services: dict[str, Running]) -> None:
    """When the process is gone, every caller gets an error and none waits or takes half an answer; the port is free."""
    service = services["SIGKILL"]
    seen = asyncio.run(load_and_signal(service, signal.SIGKILL))
    assert service.process.wait(PATIENCE_S) == -signal.SIGKILL
    assert seen.finished_s < AFTER_S
    assert len(seen.failed) == CLIENTS
    assert set(seen.failed.values()) <= CLOSED
    assert set(seen.answered.values()) == {200}
    socket.create_server(service.address).close()


def test_a_shutdown_out_of_time(settings: Settings, loaded: Loaded) -> None:
    """What is not done when the time to shut down in is over is answered 503, in the shape of every error."""
    with (
        ThreadPoolExecutor(1) as pool,
        serve_faulty(settings, loaded, held=True, drain_timeout_s=1.0) as (served, engine),
    ):
        accepted = pool.submit(served.client.post, "/translate?dir=en-de", json={"text": "Two men talk."})
        wait_until(lambda: len(engine.calls) == 1)
        served.server.should_exit = True
        refused = accepted.result()
        engine.gate.set()
        assert refused.status_code == 503
        assert refused.headers["content-type"] == "application/problem+json"
        assert refused.json()["type"] == "urn:reder:problem:draining"
