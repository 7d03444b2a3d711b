"""What routes reach of the rest (`Context`), and what is noted about one request on its way (`Exchange`)."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import cast

from fastapi import Request

from model.bundle import Bundle
from service.observability.metrics import NONE, Metrics
from service.pipeline.batcher import Batcher, EngineState
from service.pipeline.roundtrip import Canary
from service.pipeline.translator import Translator
from service.settings import Settings

__all__ = ["Context", "Exchange", "context_of", "exchange_of"]


@dataclass(slots=True)
class Context:
    """The parts of a running service. All stay the same but `draining`, which is set once, when it is told to end."""

    settings: Settings
    bundle: Bundle
    translator: Translator
    canary: Canary
    batcher: Batcher
    metrics: Metrics
    version: str
    draining: bool = False

    def unready(self) -> list[str]:
        """Why no requests should be sent here now; empty when they should."""
        reasons = []
        if self.draining:
            reasons.append("draining: the service is shutting down")
        if self.batcher.state is not EngineState.RUNNING:
            reasons.append(f"engine {self.batcher.state}")
        return reasons


@dataclass(slots=True)
class Exchange:
    """One request and its answer, as headers, metrics and the log tell of it. Sizes, never text."""

    request_id: str
    started: float = field(default_factory=time.perf_counter)
    direction: str = NONE
    quality: str = NONE
    problem: str = ""
    texts: int = 0
    characters: int = 0
    tokens: int = 0
    stage_s: dict[str, float] = field(default_factory=dict)

    @property
    def elapsed_s(self) -> float:
        """Seconds since the request arrived."""
        return time.perf_counter() - self.started


def context_of(request: Request) -> Context:
    """The running service; a FastAPI dependency."""
    return cast("Context", request.app.state.context)


def exchange_of(request: Request) -> Exchange:
    """What is noted about this request; a FastAPI dependency."""
    return cast("Exchange", request.state.exchange)
