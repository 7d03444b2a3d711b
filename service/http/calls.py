"""A call of an API that has texts worked on: who makes it, who does the work, and how long it may take."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request

from service.errors import BodyTimeout, DeadlineExceeded
from service.http.context import Context, Exchange, exchange_of
from service.http.dependencies import TimeoutMs, leased
from service.http.limiting import Meter, meter_of

__all__ = ["Call", "Called", "allowed_s", "at_most", "call_of"]


@dataclass(frozen=True, slots=True)
class Call:
    """What everything on the way from a request to its answer needs.

    Args:
        request: as it came.
        context: the service, with the generation that does all of the work.
        exchange: is told what the call comes to.
        meter: counts that against the limits of the caller.
        timeout_ms: how long the caller waits, if that is said.
    """

    request: Request
    context: Context
    exchange: Exchange
    meter: Meter
    timeout_ms: int | None

    @property
    def left_s(self) -> float:
        """How much of its time is left. It began when the request arrived."""
        return allowed_s(self.context, self.timeout_ms) - self.exchange.elapsed_s


@contextmanager
def call_of(request: Request, timeout_ms: int | None) -> Iterator[Call]:
    """The call that a request is; what does the work is kept running for as long as the context lasts.

    Raises:
        DeadlineExceeded: its body did not arrive before the caller's own deadline.
    """
    with leased(request) as context:
        try:
            yield Call(request, context, exchange_of(request), meter_of(request), timeout_ms)
        except BodyTimeout as error:
            if timeout_ms is None or timeout_ms > context.settings.timeout_s * 1000:
                raise
            msg = "the request body did not arrive before the deadline"
            raise DeadlineExceeded(msg) from error


async def _called(request: Request, timeout_ms: TimeoutMs = None) -> AsyncIterator[Call]:
    with call_of(request, timeout_ms) as call:
        yield call


Called = Annotated[Call, Depends(_called)]
"""The same as a FastAPI dependency, for the whole of the request."""


def allowed_s(context: Context, timeout_ms: int | None) -> float:
    """How long a request may take, from its arrival on: what the caller allows, at most what the settings do."""
    return context.settings.timeout_s if timeout_ms is None else at_most(context.settings.timeout_s, timeout_ms)


def at_most(maximum_s: float, timeout_ms: int) -> float:
    """Seconds. The header may hold a number of hundreds of digits, which is beyond what a float can be."""
    return min(maximum_s * 1000, timeout_ms) / 1000
