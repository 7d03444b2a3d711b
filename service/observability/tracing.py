"""Traces, where an endpoint for them is set: one span a request, and within it one for each stage that ended.

OpenTelemetry is an optional extra, and only `open_tracing` needs it. Spans say what kind of request it was, how much
and how long, never what: no text, no path, no query, no address.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Protocol

from service.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

__all__ = ["RequestSpan", "Tracing", "note_stage", "open_tracing", "under_way"]


class RequestSpan(Protocol):
    """The span of one request. Times are `time.perf_counter`'s, in seconds."""

    @property
    def trace_id(self) -> str:
        """32 hexadecimal digits."""
        ...

    def add_stage(self, stage: str, started: float, seconds: float) -> None:
        """Add a stage that has ended. Nothing happens once the request has."""
        ...

    def end(self, name: str, attributes: Mapping[str, str | int], *, failed: bool) -> None:
        """End it, now that it is known what it was."""
        ...


class Tracing(Protocol):
    """Makes spans, and sends them from a thread of its own; drops them when the receiver does not keep up."""

    def begin(self, headers: Iterable[tuple[bytes, bytes]], started: float) -> RequestSpan:
        """Begin a request's span, within the caller's trace if the headers (W3C traceparent) tell of one."""
        ...

    def close(self) -> None:
        """Send what is left, for a few seconds at most. Blocks."""
        ...


_under_way: ContextVar[RequestSpan | None] = ContextVar("reder_request_span", default=None)


def open_tracing(endpoint: str, *, version: str) -> Tracing:
    """Traces that go to an OTLP/HTTP endpoint, such as ``http://collector:4318``. Does not connect yet.

    Raises:
        ConfigurationError: OpenTelemetry is not installed.
    """
    try:
        from service.observability.otlp import OtlpTracing  # noqa: PLC0415 - the service runs without the extra otel
    except ImportError as error:
        msg = f"otlp_endpoint is set, but the extra otel is not installed ({error.name} is missing)"
        raise ConfigurationError(msg) from error
    return OtlpTracing(endpoint, version=version)


@contextmanager
def under_way(span: RequestSpan | None) -> Iterator[None]:
    """Have `note_stage` add to this span, in this context and all it starts."""
    token = _under_way.set(span)
    try:
        yield
    finally:
        _under_way.reset(token)


def note_stage(stage: str, started: float, seconds: float) -> None:
    """Add a stage to the trace of the request under way, if one is written. `started` is `time.perf_counter`'s."""
    if span := _under_way.get():
        span.add_stage(stage, started, seconds)
