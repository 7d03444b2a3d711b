"""How many requests may be under way at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from service.errors import Overloaded
from service.http.problems import answer

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

__all__ = ["PROBES", "ConcurrencyMiddleware"]

PROBES = frozenset({"/health", "/healthz", "/readyz", "/metrics", "/status.json"})
"""Always answered: whoever looks after the service must not take one that has much to do for one that is dead."""

_RETRY_AFTER_S = 1


class ConcurrencyMiddleware:
    """Pure ASGI. Refuses a request before its body is read; the queue's limit counts what has been read and tokenised.

    Uvicorn's own `limit_concurrency` would refuse probes too, and answer in plain text.
    """

    def __init__(self, app: ASGIApp, max_requests: int) -> None:
        self._app = app
        self._max_requests = max_requests
        self._under_way = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http" or scope["path"] in PROBES:
            await self._app(scope, receive, send)
            return
        if self._under_way >= self._max_requests:
            msg = f"{self._under_way} requests are under way already; no more are at once"
            refused = Overloaded(msg, retry_after_s=_RETRY_AFTER_S)
            await answer(scope["state"]["exchange"], refused)(scope, receive, send)
            return
        self._under_way += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._under_way -= 1
