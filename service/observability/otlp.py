"""Traces by OpenTelemetry, over OTLP/HTTP. Imported only where an endpoint is set: needs the extra otel.

What is not set here, OpenTelemetry's own environment variables decide: OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES,
OTEL_TRACES_SAMPLER, OTEL_EXPORTER_OTLP_HEADERS and others. The provider is not made the process's own, so that no
library writes spans into it.
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import OTELResourceDetector, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import SpanKind, StatusCode, set_span_in_context
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from opentelemetry.trace import Span, Tracer

__all__ = ["OtlpTracing"]

_EXPORT_TIMEOUT_S = 5.0
_CLOSE_TIMEOUT_S = 3.0
_TRACE_HEADERS = ("traceparent", "tracestate")


class OtlpTracing:
    """See `Tracing`. `endpoint` is the receiver's base address, to which ``/v1/traces`` is added."""

    def __init__(self, endpoint: str, *, version: str) -> None:
        self._exporter = OTLPSpanExporter(endpoint=f"{endpoint.rstrip('/')}/v1/traces", timeout=_EXPORT_TIMEOUT_S)
        resource = Resource({"service.name": "reder", "service.version": version})
        self._provider = TracerProvider(
            resource=resource.merge(OTELResourceDetector().detect()), shutdown_on_exit=False
        )
        self._provider.add_span_processor(BatchSpanProcessor(self._exporter))
        self._tracer = self._provider.get_tracer("reder", version)
        self._propagator = TraceContextTextMapPropagator()

    def begin(self, headers: Iterable[tuple[bytes, bytes]], started: float) -> OtlpRequestSpan:
        """See `Tracing.begin`."""
        carrier = {
            name: value.decode("latin-1") for raw, value in headers if (name := raw.decode("latin-1")) in _TRACE_HEADERS
        }
        epoch_ns = time.time_ns() - time.perf_counter_ns()
        span = self._tracer.start_span(
            "request",
            context=self._propagator.extract(carrier),
            kind=SpanKind.SERVER,
            start_time=epoch_ns + _ns(started),
        )
        return OtlpRequestSpan(self._tracer, span, epoch_ns)

    def close(self) -> None:
        """See `Tracing.close`."""
        # The provider waits half a minute for a receiver that does not answer; its threads are daemons.
        closing = threading.Thread(target=self._provider.shutdown, name="otlp-close", daemon=True)
        closing.start()
        closing.join(_CLOSE_TIMEOUT_S)
        if closing.is_alive():
            self._exporter.shutdown()


class OtlpRequestSpan:
    """See `RequestSpan`. Stages are told after they ended, so their spans are begun and ended at once."""

    def __init__(self, tracer: Tracer, span: Span, epoch_ns: int) -> None:
        self._tracer = tracer
        self._span = span
        self._within = set_span_in_context(span)
        self._epoch_ns = epoch_ns  # when `time.perf_counter` was 0

    @property
    def trace_id(self) -> str:
        """See `RequestSpan.trace_id`."""
        return f"{self._span.get_span_context().trace_id:032x}"

    def add_stage(self, stage: str, started: float, seconds: float) -> None:
        """See `RequestSpan.add_stage`."""
        if not self._span.is_recording():
            return
        start_ns = self._epoch_ns + _ns(started)
        self._tracer.start_span(stage, context=self._within, start_time=start_ns).end(start_ns + _ns(seconds))

    def end(self, name: str, attributes: Mapping[str, str | int], *, failed: bool) -> None:
        """See `RequestSpan.end`."""
        self._span.update_name(name)
        self._span.set_attributes(attributes)
        if failed:
            self._span.set_status(StatusCode.ERROR)
        self._span.end()


def _ns(seconds: float) -> int:
    return round(seconds * 1e9)
