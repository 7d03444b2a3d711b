"""Around every request: an id, the headers that tell where time went, metrics, one log line, and a last net."""

from __future__ import annotations

import asyncio
import re
import uuid
from typing import TYPE_CHECKING

import structlog

from service.http.concurrency import PROBES
from service.http.context import Exchange
from service.http.dialects import dialect_of
from service.http.headers import DEFAULTS
from service.http.problems import answer, out_of_time, unexpected
from service.observability.logging import without_messages
from service.observability.tracing import under_way

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from service.errors import RequestError
    from service.observability.metrics import Metrics
    from service.observability.tracing import RequestSpan, Tracing

__all__ = ["ExchangeMiddleware", "refuse_unread"]

_SANE_ID = re.compile(r"[A-Za-z0-9._:-]{1,128}")
_DISCONNECTED = 499
_SERVER_ERRORS = 500
_OTHER_METHOD, _OTHER_ROUTE = "_OTHER", "other"
_METHODS = frozenset({"CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE"})

_log = structlog.get_logger(__name__)


class ExchangeMiddleware:
    """Pure ASGI, and around all that answers: what it sees is what the client gets."""

    def __init__(self, app: ASGIApp, metrics: Metrics, tracing: Tracing | None = None) -> None:
        self._app = app
        self._metrics = metrics
        self._tracing = tracing

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        exchange = Exchange(request_id=_request_id(scope), dialect=dialect_of(scope))
        scope.setdefault("state", {})["exchange"] = exchange
        span = self._begin_span(scope, exchange)
        names = {"request_id": exchange.request_id} | ({"trace_id": span.trace_id} if span else {})
        status = 0

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", ()), *exchange.headers]
            await send(message)

        with structlog.contextvars.bound_contextvars(**names), under_way(span):
            try:
                await self._app(scope, receive, send_with_headers)
            except asyncio.CancelledError:  # by the server, when the time to shut down in is over
                if not status:
                    await answer(exchange, out_of_time())(scope, receive, send_with_headers)
            except (GeneratorExit, KeyboardInterrupt, SystemExit):
                raise
            except BaseException as error:  # noqa: BLE001 - a panic in Rust is no Exception; the client is told of it, too
                _log.error("unexpected_error", route=_route(scope), exception=without_messages(error))
                if status:  # the answer is half sent: only breaking the connection tells the client
                    msg = "the answer broke off; see unexpected_error"
                    raise RuntimeError(msg) from None  # the server logs what is raised here
                await unexpected(exchange)(scope, receive, send_with_headers)
            finally:
                status = exchange.ended_as or status or _DISCONNECTED
                _record(self._metrics, exchange, _method(scope), _route(scope), status)
                if span:
                    _end_span(span, scope, exchange, status)

    def _begin_span(self, scope: Scope, exchange: Exchange) -> RequestSpan | None:
        """None where traces are off, and for what is asked every few seconds and does nothing."""
        if self._tracing is None or scope["path"] in PROBES:
            return None
        return self._tracing.begin(scope["headers"], exchange.started)


def refuse_unread(error: RequestError, metrics: Metrics) -> Response:
    """The answer to what no request could be read from: with the headers, the count and the log line of others."""
    exchange = Exchange(request_id=uuid.uuid4().hex)
    response = answer(exchange, error)
    response.headers.update(DEFAULTS)
    response.raw_headers += exchange.headers
    with structlog.contextvars.bound_contextvars(request_id=exchange.request_id, detail=str(error)):
        _record(metrics, exchange, _OTHER_METHOD, _OTHER_ROUTE, response.status_code)
    return response


def _record(metrics: Metrics, exchange: Exchange, method: str, route: str, status: int) -> None:
    seconds = exchange.elapsed_s
    labels = (route, exchange.direction, exchange.quality, str(status))
    metrics.requests.labels(*labels).inc()
    metrics.request_seconds.labels(*labels).observe(seconds)
    if exchange.problem:
        metrics.rejected.labels(exchange.problem).inc()
    if exchange.key:
        metrics.key_requests.labels(exchange.key).inc()
        metrics.key_characters.labels(exchange.key).inc(exchange.characters)
    log = _log.debug if route in PROBES else _log.info
    log(
        "request",
        method=method,
        route=route,
        dir=exchange.direction,
        quality=exchange.quality,
        status=status,
        problem=exchange.problem or None,
        key=exchange.key or None,
        duration_ms=round(seconds * 1000, 1),
        texts=exchange.texts,
        characters=exchange.characters,
        tokens=exchange.tokens,
    )


def _end_span(span: RequestSpan, scope: Scope, exchange: Exchange, status: int) -> None:
    """Name and attributes as OpenTelemetry's conventions for HTTP servers have them, and our own."""
    route, method = _route(scope), _method(scope)
    attributes: dict[str, str | int] = {
        "http.request.method": method,
        "http.response.status_code": status,
        "http.route": route,
        "reder.characters": exchange.characters,
        "reder.direction": exchange.direction,
        "reder.quality": exchange.quality,
        "reder.request_id": exchange.request_id,
        "reder.texts": exchange.texts,
        "reder.tokens": exchange.tokens,
    }
    if exchange.problem:
        attributes["error.type"] = exchange.problem
    span.end(f"{method} {route}", attributes, failed=status >= _SERVER_ERRORS)


def _request_id(scope: Scope) -> str:
    """The client's id, if it is one that may go into headers and logs; else a new one."""
    for name, value in scope["headers"]:
        if name == b"x-request-id" and _SANE_ID.fullmatch(sent := value.decode("latin-1")):
            return str(sent)
    return uuid.uuid4().hex


def _method(scope: Scope) -> str:
    """One of the known methods; what else a client sends may be any word."""
    return scope["method"] if scope["method"] in _METHODS else _OTHER_METHOD


def _route(scope: Scope) -> str:
    """The path if there is a route of it, even where a request was refused before it came there; never any path."""
    path: str = scope["path"]
    return path if path in scope["app"].state.paths else _OTHER_ROUTE
