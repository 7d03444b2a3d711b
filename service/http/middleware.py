"""Around every request: an id, the headers that tell where time went, metrics, one log line, and a last net."""

from __future__ import annotations

import re
import uuid
from typing import TYPE_CHECKING

import structlog

from service.http.context import Exchange
from service.http.problems import unexpected

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from service.observability.metrics import Metrics

__all__ = ["ExchangeMiddleware"]

_SANE_ID = re.compile(r"[A-Za-z0-9._:-]{1,128}")
_QUIET_ROUTES = frozenset({"/healthz", "/readyz", "/metrics"})
_DISCONNECTED = 499

_log = structlog.get_logger(__name__)


class ExchangeMiddleware:
    """Pure ASGI, and outermost: what it sees is what the client gets."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        exchange = Exchange(request_id=_request_id(scope))
        scope.setdefault("state", {})["exchange"] = exchange
        status = 0

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [
                    *message.get("headers", ()),
                    (b"x-request-id", exchange.request_id.encode()),
                    (b"server-timing", _server_timing(exchange).encode()),
                ]
            await send(message)

        with structlog.contextvars.bound_contextvars(request_id=exchange.request_id):
            try:
                await self._app(scope, receive, send_with_headers)
            except Exception:
                _log.exception("unexpected_error", route=_route(scope))
                if status:
                    raise  # the answer is half sent: only breaking the connection tells the client
                await unexpected(exchange)(scope, receive, send_with_headers)
            finally:
                self._record(scope, exchange, status or _DISCONNECTED)

    def _record(self, scope: Scope, exchange: Exchange, status: int) -> None:
        route, seconds = _route(scope), exchange.elapsed_s
        labels = (route, exchange.direction, exchange.quality, str(status))
        self._metrics.requests.labels(*labels).inc()
        self._metrics.request_seconds.labels(*labels).observe(seconds)
        if exchange.problem:
            self._metrics.rejected.labels(exchange.problem).inc()
        (_log.debug if route in _QUIET_ROUTES else _log.info)(
            "request",
            method=scope["method"],
            route=route,
            dir=exchange.direction,
            quality=exchange.quality,
            status=status,
            problem=exchange.problem or None,
            duration_ms=round(seconds * 1000, 1),
            texts=exchange.texts,
            characters=exchange.characters,
            tokens=exchange.tokens,
        )


def _request_id(scope: Scope) -> str:
    """The client's id, if it is one that may go into headers and logs; else a new one."""
    for name, value in scope["headers"]:
        if name == b"x-request-id" and _SANE_ID.fullmatch(sent := value.decode("latin-1")):
            return str(sent)
    return uuid.uuid4().hex


def _route(scope: Scope) -> str:
    """The route's template, never the path: there are few templates and any number of paths."""
    return getattr(scope.get("route"), "path", "other")


def _server_timing(exchange: Exchange) -> str:
    stages = {**exchange.stage_s, "total": exchange.elapsed_s}
    return ", ".join(f"{stage};dur={seconds * 1000:.1f}" for stage, seconds in stages.items())
