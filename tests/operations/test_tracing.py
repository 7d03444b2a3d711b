"""Traces, as a receiver of OTLP over HTTP gets them from the program as it is run."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

from service.settings import Settings
from tests.operations.support import ROOT
from tests.service.processes import free_port, started
from tests.service.support import BUNDLE, PATIENCE_S

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SECRET = "Geheimnis"  # noqa: S105 - no password: a word that must not leave the service
TRACE_ID, PARENT_ID = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
TRACEPARENT = {"traceparent": f"00-{TRACE_ID}-{PARENT_ID}-01"}
BEFORE = ["receive", "parse", "validate", "segment", "tokenise"]


@dataclass(slots=True)
class Receiver:
    """What was posted to it: paths and bodies."""

    port: int
    posted: list[tuple[str, bytes]] = field(default_factory=list)

    @property
    def url(self) -> str:
        """What `otlp_endpoint` is set to."""
        return f"http://127.0.0.1:{self.port}"

    def exports(self) -> list[ExportTraceServiceRequest]:
        """Every body, decoded."""
        return [ExportTraceServiceRequest.FromString(body) for _, body in self.posted]

    def spans(self) -> list[Span]:
        """Every span of every body."""
        scopes = (scope for one in self.exports() for resource in one.resource_spans for scope in resource.scope_spans)
        return [span for scope in scopes for span in scope.spans]

    def of(self, request_id: str) -> tuple[Span, list[Span]]:
        """One request's span, and the spans within it in order."""
        (request,) = [span for span in self.spans() if attributes(span).get("reder.request_id") == request_id]
        stages = [span for span in self.spans() if span.parent_span_id == request.span_id]
        return request, sorted(stages, key=lambda span: span.start_time_unix_nano)


@contextmanager
def receiver() -> Iterator[Receiver]:
    """A receiver on a free port of this machine."""
    received = Receiver(free_port())

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            received.posted.append((self.path, self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name for it
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", received.port), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield received
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the service logs."""
    return tmp_path_factory.mktemp("tracing") / "log"


@pytest.fixture(scope="module")
def received(log: Path) -> Iterator[Receiver]:
    """What a service sent from its start to its end, after requests of every kind, all with a secret in them."""
    with receiver() as received:
        environment = {
            "FASTAPI_OTEL_AUTO_CONFIGURE": "true",  # the framework's own traces hold queries, and stay off
            "OTEL_EXPORTER_OTLP_ENDPOINT": received.url,
        }
        with (
            started(BUNDLE, log, environment=environment, otlp_endpoint=received.url) as running,
            running.ready().client() as client,
        ):
            fast, best = "/translate?dir=en-de&quality=fast", "/translate?dir=de-en&quality=best"
            for request_id, path, text, headers in (
                ("fast", fast, f"A {SECRET} runs. It runs home.", TRACEPARENT),
                ("best", best, f"Ein {SECRET} spielt.", {}),
                ("wrong", fast, f"{SECRET}\0", {}),
                ("malformed", fast, "A dog runs.", {"traceparent": f"00-{SECRET}-{PARENT_ID}-01"}),
            ):
                client.post(path, json={"text": text}, headers={"X-Request-Id": request_id} | headers)
            client.get(
                "/roundtrip", params={"dir": "en-de", "text": SECRET}, headers={"X-Request-Id": "there-and-back"}
            )
            client.request("PROPFIND", f"/{SECRET}?{SECRET}={SECRET}", headers={"X-Request-Id": "elsewhere"})
            for path in ("/healthz", "/readyz", "/metrics"):
                client.get(path, headers={"X-Request-Id": "quiet"})
            assert running.end() == 0
        yield received


def attributes(span: Span) -> dict[str, str | int]:
    """A span's attributes, all of which are texts and whole numbers."""
    return {
        one.key: one.value.string_value if one.value.HasField("string_value") else one.value.int_value
        for one in span.attributes
    }


def test_a_request_and_its_stages(received: Receiver) -> None:
    """A request is a span within the caller's trace; each stage is a span within it, in order and in its time."""
    request, stages = received.of("fast")
    assert request.trace_id.hex() == TRACE_ID
    assert request.parent_span_id.hex() == PARENT_ID
    assert request.kind == Span.SPAN_KIND_SERVER
    assert request.name == "POST /translate"
    assert [stage.name for stage in stages] == [*BEFORE, "queue", "inference", "collapse", "detokenise"]
    assert {stage.trace_id.hex() for stage in stages} == {TRACE_ID}
    times = [(stage.start_time_unix_nano, stage.end_time_unix_nano) for stage in stages]
    assert all(start <= end for start, end in times)
    assert request.start_time_unix_nano <= times[0][0]
    assert times[-1][1] <= request.end_time_unix_nano


def test_attributes_say_what_kind_of_request(received: Receiver) -> None:
    """Route, status, direction, quality and sizes are there, and nothing else."""
    request, _ = received.of("fast")
    assert attributes(request) == {
        "http.request.method": "POST",
        "http.response.status_code": 200,
        "http.route": "/translate",
        "reder.characters": len(f"A {SECRET} runs. It runs home."),
        "reder.direction": "en-de",
        "reder.quality": "fast",
        "reder.request_id": "fast",
        "reder.texts": 1,
        "reder.tokens": attributes(request)["reder.tokens"],
    }
    assert int(attributes(request)["reder.tokens"]) > 0
    (service,) = {
        attribute.value.string_value
        for export in received.exports()
        for resource in export.resource_spans
        for attribute in resource.resource.attributes
        if attribute.key == "service.name"
    }
    assert service == "reder"
    assert {path for path, _ in received.posted} == {"/v1/traces"}


def test_quality_best_shows_its_search(received: Receiver) -> None:
    """Quality best waits for the engine twice: to search, and to score what was found. Its trace is its own."""
    request, stages = received.of("best")
    names = [stage.name for stage in stages]
    assert names == [*BEFORE, "queue", "search", "beam", "queue", "score", "detokenise"]
    assert not request.parent_span_id


def test_both_hops_of_a_round_trip(received: Receiver) -> None:
    """A round trip shows the stages of both translations."""
    _, stages = received.of("there-and-back")
    assert [stage.name for stage in stages].count("inference") == 2


def test_errors(received: Receiver) -> None:
    """A wrong request tells the kind of problem; it is the caller's error, so the span is none."""
    request, stages = received.of("wrong")
    assert attributes(request)["error.type"] == "invalid-request"
    assert attributes(request)["http.response.status_code"] == 422
    assert request.status.code == Status.STATUS_CODE_UNSET
    assert [stage.name for stage in stages] == ["receive", "parse"]


def test_a_malformed_traceparent_begins_a_trace(received: Receiver) -> None:
    """A caller's header that is no traceparent does no harm."""
    request, stages = received.of("malformed")
    assert not request.parent_span_id
    assert attributes(request)["http.response.status_code"] == 200
    assert stages


def test_no_text_in_traces(received: Receiver) -> None:
    """Neither texts nor paths, queries, methods or headers of callers are sent; health checks have no spans."""
    request, _ = received.of("elsewhere")
    assert attributes(request)["http.route"] == "other"
    assert attributes(request)["http.request.method"] == "_OTHER"
    assert SECRET.lower().encode() not in b"".join(body for _, body in received.posted).lower()
    assert "quiet" not in {attributes(span).get("reder.request_id") for span in received.spans()}


def test_logs_name_the_trace(received: Receiver, log: Path) -> None:
    """The log line of a request has the id of its trace, and no text either."""
    text = log.read_text(encoding="utf-8")
    assert SECRET.lower() not in text.lower()
    lines = [json.loads(line) for line in text.splitlines()]
    told = {line["request_id"]: line.get("trace_id") for line in lines if line["event"] == "request"}
    assert told["fast"] == TRACE_ID
    assert told["best"] == received.of("best")[0].trace_id.hex()


def test_a_receiver_that_never_answers() -> None:
    """Requests are answered and the service ends with 0 in bounded time, whoever does not take its traces."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        endpoint = f"http://127.0.0.1:{silent.getsockname()[1]}/"
        with started(BUNDLE, otlp_endpoint=endpoint) as running, running.ready().client() as client:
            assert client.post("/translate?dir=en-de", json={"text": "A dog runs."}).status_code == 200
            assert running.end() == 0


WITHOUT_THE_EXTRA = """
import sys
sys.modules["opentelemetry.sdk"] = None
from pathlib import Path
import service.__main__ as program
from service.settings import Settings
sys.exit(program.main(Settings(bundle=Path(sys.argv[1]), port=0, otlp_endpoint="http://127.0.0.1:4318")))
"""


def test_without_the_extra_it_does_not_start() -> None:
    """Traces are wanted and OpenTelemetry is missing: one line says so, and the exit code is 2."""
    run = subprocess.run(
        [sys.executable, "-c", WITHOUT_THE_EXTRA, str(BUNDLE)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=3 * PATIENCE_S,
        check=False,
    )
    assert run.returncode == 2
    assert "reder: cannot start: otlp_endpoint is set, but the extra otel is not installed" in run.stderr
    assert "Traceback" not in run.stderr


def test_the_service_alone_loads_no_exporter() -> None:
    """Without an endpoint nothing that could send anything is imported."""
    script = "import sys, service.__main__; print([m for m in sys.modules if m.startswith('opentelemetry.exporter')])"
    run = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_an_endpoint_must_be_an_address() -> None:
    """What is no address of HTTP is refused at start."""
    with pytest.raises(ValueError, match="must begin with http:// or https://"):
        Settings(otlp_endpoint="collector:4317")
