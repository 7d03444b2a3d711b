"""What routes reach of the rest (`Context`), and what is noted about one request on its way (`Exchange`)."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

from fastapi import Request

from model.bundle import Bundle
from service.http.dialects import Dialect
from service.observability.activity import Activity
from service.observability.metrics import NONE, Metrics
from service.pipeline.batching.batcher import Batcher
from service.pipeline.batching.lane import EngineState
from service.pipeline.canary import Canary, Run
from service.pipeline.text_threads import TextThreads
from service.pipeline.translator import Translator
from service.serving import Generation, Serving
from service.settings import Settings
from service.types import EngineInfo

__all__ = ["Context", "Exchange", "context_of", "exchange_of"]


@dataclass(frozen=True, slots=True)
class Context:
    """A running service.

    Bundle, engine, translator, canary and batcher are those of `generation` if it is given, as it is to routes; else of
    the one that serves at the moment, which may be another with every await. Work on text that would hold up the event
    loop is done in `text_threads`. `round_trips` are the last runs of the canary sentences, of all bundles.
    """

    settings: Settings
    serving: Serving
    metrics: Metrics
    activity: Activity
    round_trips: Sequence[Run]
    text_threads: TextThreads
    version: str
    generation: Generation | None = None

    @property
    def bundle(self) -> Bundle:
        """What is served."""
        return self._generation.bundle

    @property
    def engine_info(self) -> EngineInfo:
        """How the network runs."""
        return self._generation.engine_info

    @property
    def translator(self) -> Translator:
        """Takes requests through the pipeline."""
        return self._generation.translator

    @property
    def canary(self) -> Canary:
        """The bundle's canary sentences."""
        return self._generation.canary

    @property
    def batcher(self) -> Batcher:
        """The queue before the engine."""
        return self._generation.batcher

    @property
    def draining(self) -> bool:
        """Whether the process is shutting down."""
        return self.serving.draining

    def unready(self) -> list[str]:
        """Why no requests should be sent here now; empty when they should."""
        reasons = []
        if self.draining:
            reasons.append("draining: the service is shutting down")
        if self.batcher.state is not EngineState.RUNNING:
            reasons.append(f"engine {self.batcher.state}")
        return reasons

    @property
    def _generation(self) -> Generation:
        return self.generation or self.serving.current


@dataclass(slots=True)
class Exchange:
    """One request and its answer, as headers, metrics and the log tell of it. Sizes, never text."""

    request_id: str
    dialect: Dialect = Dialect.REDER
    started: float = field(default_factory=time.perf_counter)
    direction: str = NONE
    quality: str = NONE
    problem: str = ""
    ended_as: int = 0  # the status of the problem that ended a stream, whose answer began with another
    key: str = ""  # the name of the caller's key, if it sent one; never the key
    texts: int = 0
    characters: int = 0
    tokens: int = 0
    stage_s: dict[str, float] = field(default_factory=dict)

    @property
    def elapsed_s(self) -> float:
        """Seconds since the request arrived."""
        return time.perf_counter() - self.started

    @property
    def headers(self) -> list[tuple[bytes, bytes]]:
        """What the answer tells of the request, as ASGI has headers."""
        stages = {**self.stage_s, "total": self.elapsed_s}
        timing = ", ".join(f"{stage};dur={seconds * 1000:.1f}" for stage, seconds in stages.items())
        return [(b"x-request-id", self.request_id.encode()), (b"server-timing", timing.encode())]


def context_of(request: Request) -> Context:
    """The running service."""
    return cast("Context", request.app.state.context)


def exchange_of(request: Request) -> Exchange:
    """What is noted about this request."""
    return cast("Exchange", request.state.exchange)
