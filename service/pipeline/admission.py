"""Who may queue work, counted in tokens.

A request is admitted once, for all the work it can come to. What of that it has not queued yet is
*promised* to it: later requests are refused on its account, and the request itself is never refused
half way, neither because the queue has filled in the meantime nor because the service shuts down.
"""

from __future__ import annotations

import asyncio
import math
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from service.errors import Overloaded, TooLarge

if TYPE_CHECKING:
    from collections.abc import Iterator

    from service.observability.metrics import Metrics

__all__ = ["Admission", "Gate"]

_MAX_RETRY_AFTER_S = 60
_RATE_SMOOTHING = 0.2


@dataclass(slots=True, eq=False)
class Admission:
    """One request's leave to queue work, of which `promised` tokens are still to come."""

    promised: int


class Gate:
    """Keeps count of tokens: at most `room` may wait or be promised when a request is admitted."""

    def __init__(self, room: int, metrics: Metrics) -> None:
        self._room = room
        self._metrics = metrics
        self._queued = 0
        self._promised = 0
        self._inside = 0
        self._empty = asyncio.Event()
        self._empty.set()
        self._tokens_per_s = 0.0

    def check(self, tokens: int) -> None:
        """See whether a request of so many tokens would be admitted.

        Raises:
            TooLarge: more than may ever wait.
            Overloaded: too many wait or are promised already.
        """
        if tokens > self._room:
            msg = f"{tokens} tokens to run; at most {self._room} may wait at once"
            raise TooLarge(msg)
        taken = self._queued + self._promised
        if (excess := taken + tokens - self._room) > 0:
            msg = f"{taken} tokens are waiting already; at most {self._room} may"
            raise Overloaded(msg, retry_after_s=self._time_to_drain(excess))

    @contextmanager
    def admit(self, tokens: int) -> Iterator[Admission]:
        """Let a request in for as long as the context lasts.

        Raises:
            TooLarge, Overloaded: as `check`.
        """
        self.check(tokens)
        admission = Admission(promised=tokens)
        self._inside += 1
        self._empty.clear()
        self._count(promised=tokens)
        try:
            yield admission
        finally:
            self._count(promised=-admission.promised)
            self._inside -= 1
            if not self._inside:
                self._empty.set()

    async def empty(self) -> None:
        """Wait until every request that was admitted has left."""
        await self._empty.wait()

    def queue(self, tokens: int, admission: Admission) -> None:
        """Tokens of an admitted request begin to wait, as promised. If they are more, they wait all the same."""
        kept = min(tokens, admission.promised)
        admission.promised -= kept
        self._count(queued=tokens, promised=-kept)

    def unqueue(self, tokens: int) -> None:
        """Tokens wait no longer."""
        self._count(queued=-tokens)

    def note_run(self, tokens: int, seconds: float) -> None:
        """A batch of so many tokens took so long; what Retry-After goes by."""
        rate = tokens / max(seconds, 1e-6)
        self._tokens_per_s += (rate - self._tokens_per_s) * (_RATE_SMOOTHING if self._tokens_per_s else 1.0)

    def _count(self, *, queued: int = 0, promised: int = 0) -> None:
        self._queued += queued
        self._promised += promised
        self._metrics.queue_tokens.set(self._queued)
        self._metrics.promised_tokens.set(self._promised)

    def _time_to_drain(self, tokens: int) -> int:
        """Whole seconds, at least one, until that many tokens have left the queue."""
        if not self._tokens_per_s:
            return 1
        return min(max(1, math.ceil(tokens / self._tokens_per_s)), _MAX_RETRY_AFTER_S)
