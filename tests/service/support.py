"""What the tests of the service share: a real server on a free port, and engines that can be told to fail."""

from __future__ import annotations

import asyncio
import os
import re
import socket
import ssl
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import httpx
import numpy as np
import structlog
import uvicorn
from fastapi.routing import APIRoute, iter_route_contexts
from structlog.testing import LogCapture

from model.bundle import Task
from service.__main__ import server_config
from service.app import create_app
from service.errors import EngineOutOfMemory
from service.types import Choices, EngineInfo, Frames

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from fastapi import FastAPI
    from fastapi.dependencies.models import Dependant
    from numpy.typing import NDArray
    from structlog.typing import EventDict

    from model.bundle import Direction
    from service.app import Loaded
    from service.engine.protocol import Engine
    from service.http.context import Context
    from service.settings import Settings
    from service.types import Batch

BUNDLE = Path(os.environ.get("REDER_BUNDLE", Path(__file__).parents[2] / "bundles" / "reder-small"))
"""What is served, unless a test says otherwise."""

PATIENCE_S = 60.0
"""How long a test waits for what must happen; reached only when it does not."""

NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""For clients of HTTP: to read all authorities' certificates, as each would for itself, takes longer than a request."""


@dataclass(frozen=True, kw_only=True)
class Reached:
    """A service as one that calls it knows it."""

    client: httpx.Client

    @property
    def url(self) -> str:
        """Where it is, without a slash at the end."""
        return str(self.client.base_url)

    def metric(self, name: str, **labels: str) -> float:
        """One sample of /metrics; 0 where it is not there yet."""
        exposition = self.client.get("/metrics").text
        for line in exposition.splitlines():
            found = re.fullmatch(rf"{name}(?:\{{(.*)\}})? (\S+)", line)
            if found and dict(re.findall(r'(\w+)="([^"]*)"', found[1] or "")) == labels:
                return float(found[2])
        return 0.0


@dataclass(frozen=True, kw_only=True)
class Served(Reached):
    """A service that a test has started: where it listens, its parts, and the switch that tells it to end."""

    context: Context
    address: tuple[str, int]
    server: uvicorn.Server


def connected(url: str) -> httpx.Client:
    """A client of a service."""
    limits = httpx.Limits(max_connections=200)
    return httpx.Client(base_url=url, timeout=PATIENCE_S, limits=limits, trust_env=False, verify=NO_TLS)


def translate(client: httpx.Client, direction: str, text: str | Sequence[str], **query: str) -> list[dict[str, Any]]:
    """The translations of one request that must succeed."""
    response = client.post("/translate", params={"dir": direction, **query}, json={"text": text})
    assert response.status_code == 200, response.text
    answer = response.json()
    assert answer["dir"] == direction
    assert answer["quality"] == query.get("quality", answer["quality"])
    translations: list[dict[str, Any]] = answer["translations"]
    return translations


class _PromptServer(uvicorn.Server):
    """Uvicorn, but it looks a hundred times a second whether it is to end: hundreds of services end here."""

    async def main_loop(self) -> None:
        """Until it is to end."""
        for tick in count():
            if await self.on_tick(tick):
                return
            await asyncio.sleep(0.01)


@contextmanager
def serve(settings: Settings, loaded: Loaded, *, port: int = 0, **changes: object) -> Iterator[Served]:
    """Serve over real HTTP on a port of this machine, 0 being a free one; some settings may be others."""
    settings = settings.model_copy(update=changes)
    app = create_app(settings, loaded)
    listener = socket.create_server(("127.0.0.1", port))
    config = server_config(app, settings)
    config.timeout_graceful_shutdown = min(config.timeout_graceful_shutdown or 10, 10)
    server = _PromptServer(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    wait_until(lambda: server.started)
    address = listener.getsockname()
    base_url = f"http://{address[0]}:{address[1]}"
    with connected(base_url) as client:
        yield Served(context=app.state.context, client=client, address=address, server=server)
        server.should_exit = True
    thread.join(PATIENCE_S)
    assert not thread.is_alive(), "the server does not end"


def routes(served: Served) -> list[tuple[str, list[Callable[..., Any] | None]]]:
    """The path of each route, and what it calls: its function and all that this depends on."""
    found = iter_route_contexts(cast("FastAPI", served.server.config.app).routes)
    return [
        (str(one.path), list(_called(one.original_route.dependant)))
        for one in found
        if isinstance(one.original_route, APIRoute)
    ]


def _called(dependant: Dependant) -> Iterator[Callable[..., Any] | None]:
    yield dependant.call
    for one in dependant.dependencies:
        yield from _called(one)


@contextmanager
def captured_logs() -> Iterator[list[EventDict]]:
    """What is logged until the end, by whichever thread.

    As structlog's capture_logs, but that empties the list of processors for a moment, and what is logged then fails.
    """
    capture = LogCapture()
    processors = structlog.get_config()["processors"]
    kept = processors.copy()
    processors[:] = [capture] * len(kept)  # whoever is on the way through the list finds one, too
    try:
        yield capture.entries
    finally:
        processors[:] = kept


@contextmanager
def text_threads_taken(context: Context) -> Iterator[None]:
    """All of them work on something else until the end."""
    over = threading.Event()
    for _ in range(context.settings.text_threads):
        context.translator._threads._threads.submit(over.wait)
    try:
        yield
    finally:
        over.set()


def distinct(sentence: str, count: int) -> list[str]:
    """A sentence so often, each time with another number before its full stop: what is equal is translated once."""
    return [f"{sentence[:-1]} {number}{sentence[-1]}" for number in range(count)]


def wait_until(condition: Callable[[], bool]) -> None:
    """Wait for what happens on another thread."""
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.01)


@dataclass(frozen=True, slots=True)
class Call:
    """One batch an engine was given."""

    task: Task
    direction: Direction
    batch: Batch


class FaultyEngine:
    """A real engine that can be held up, and told to fail, at some tasks or all; notes the batches it is given."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.gate = threading.Event()  # closed: calls wait, as in an engine that hangs
        self.gate.set()
        self.held = False  # whether a call waits there
        self.closes_after: int | None = None  # so many calls the gate closes by itself
        self.at: frozenset[Task] = frozenset(Task)  # where the gate and the faults below are
        self.calls: list[Call] = []
        self.poison: int | None = None  # a token id on which it raises
        self.memory: int | None = None  # padded tokens beyond which it has no memory
        self.error: BaseException | None = None  # raised by every call

    @property
    def info(self) -> EngineInfo:
        """The real engine's."""
        return self._engine.info

    @property
    def lanes(self) -> tuple[Engine, ...]:
        """One call at a time: tests tell batches apart by it."""
        return (self,)

    def infer(self, direction: Direction, batch: Batch) -> Frames:
        """Wait at the gate, fail as told, or run the batch."""
        self._meet(Task.GREEDY, direction, batch)
        return self._engine.infer(direction, batch)

    def search(self, direction: Direction, batch: Batch) -> Choices:
        """Likewise."""
        self._meet(Task.SEARCH, direction, batch)
        return self._engine.search(direction, batch)

    def score(self, direction: Direction, batch: Batch, targets: Batch) -> NDArray[np.float64]:
        """Likewise; what is poisonous are targets."""
        self._meet(Task.SCORE, direction, batch, targets)
        return self._engine.score(direction, batch, targets)

    def at_gate(self, task: Task) -> bool:
        """Whether the last call was of this task."""
        return bool(self.calls) and self.calls[-1].task is task

    def _meet(self, task: Task, direction: Direction, batch: Batch, targets: Batch | None = None) -> None:
        self.calls.append(Call(task, direction, batch))
        if task not in self.at:
            return
        if self.closes_after is not None and len(self.calls) > self.closes_after:
            self.gate.clear()
        while not self.gate.is_set():
            self.held = True
            assert self.gate.wait(2 * PATIENCE_S)
        self.held = False
        if self.error:
            raise self.error
        if self.memory is not None and batch.ids.size > self.memory:
            msg = "no memory"
            raise EngineOutOfMemory(msg)
        if self.poison is not None and ((targets or batch).ids == self.poison).any():
            msg = "poison"
            raise RuntimeError(msg)


@contextmanager
def serve_faulty(
    settings: Settings, loaded: Loaded, *, held: bool = False, **changes: object
) -> Iterator[tuple[Served, FaultyEngine]]:
    """A service around such an engine, `held` up from the start or not, with other settings; at the end it is not."""
    engine = FaultyEngine(loaded.engine)
    if held:
        engine.gate.clear()
    with serve(settings.model_copy(update=changes), replace(loaded, engine=engine)) as served:
        try:
            yield served, engine
        finally:
            engine.gate.set()


class CopyingEngine:
    """Writes what it reads: perfect reconstruction, no translation. Each token is followed by a blank."""

    info = EngineInfo(provider="none", precision="none", threads=1, runtime="copy")

    def __init__(self) -> None:
        self.longest = 0

    @property
    def lanes(self) -> tuple[Engine, ...]:
        """One call at a time."""
        return (self,)

    def infer(self, direction: Direction, batch: Batch) -> Frames:  # noqa: ARG002 - it copies either way
        """Copy."""
        self.longest = max(self.longest, int(batch.lengths.max()))
        ids = np.stack([batch.ids, np.zeros_like(batch.ids)], axis=2).reshape(len(batch.ids), -1)
        return Frames(ids=ids, log_probs=np.full(ids.shape, -0.1, np.float32), lengths=batch.lengths * 2)

    def search(self, direction: Direction, batch: Batch) -> Choices:
        """Copy; less probably, leave a token out or put another in."""
        frames = self.infer(direction, batch)
        ids = np.stack([frames.ids, np.where(frames.ids == 0, 5, 0)], axis=2)
        log_probs = np.stack([frames.log_probs, frames.log_probs - 10], axis=2)
        return Choices(ids=ids, log_probs=log_probs, lengths=frames.lengths)

    def score(self, direction: Direction, batch: Batch, targets: Batch) -> NDArray[np.float64]:  # noqa: ARG002 - as above
        """All targets are alike to it."""
        self.longest = max(self.longest, int(batch.lengths.max()))
        return np.full(len(batch.ids), -1.0)


class SilentEngine(CopyingEngine):
    """Writes nothing, and is sure of it: every frame is blank with probability 1."""

    def infer(self, direction: Direction, batch: Batch) -> Frames:
        """Blank."""
        frames = super().infer(direction, batch)
        return Frames(np.zeros_like(frames.ids), np.zeros_like(frames.log_probs), frames.lengths)

    def search(self, direction: Direction, batch: Batch) -> Choices:
        """Blank, and nothing to choose from."""
        frames = self.infer(direction, batch)
        return Choices(frames.ids[:, :, None], frames.log_probs[:, :, None], frames.lengths)
