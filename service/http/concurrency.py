"""Whether a request may come in at all, before anything is done for it.

429 comes from three places: here, by the number, size and deadline of requests, before one is read; from the queue,
which counts tokens (pipeline/batching/admission.py); and from the limits of single callers (http/limiting.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.datastructures import Headers

from service.errors import Overloaded
from service.http.calls import allowed_s
from service.http.problems import answer
from service.observability.activity import TRANSLATING

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from service.http.context import Context

__all__ = ["PROBES", "ConcurrencyMiddleware"]

PROBES = frozenset({"/health", "/healthz", "/readyz", "/metrics", "/status.json"})
"""Always answered: whoever looks after the service must not take one that has much to do for one that is dead."""

_RETRY_AFTER_S = 1
_MOST_DIGITS = 18


class ConcurrencyMiddleware:
    """Pure ASGI. Refuses a request before its body is read and its key is looked at, so that refusing costs little.

    It does so when too many are under way, and when the queue has no room, or no time, for what a body of this size
    may be expected to come to; the queue's limit proper counts what has been read and tokenised. Uvicorn's
    own `limit_concurrency` would refuse probes too, and answer in plain text.
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
        try:
            self._check(scope)
        except Overloaded as refused:
            await answer(scope["state"]["exchange"], refused)(scope, receive, send)
            return
        self._under_way += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._under_way -= 1

    def _check(self, scope: Scope) -> None:
        if self._under_way >= self._max_requests:
            msg = f"{self._under_way} requests are under way already; no more are at once"
            raise Overloaded(msg, retry_after_s=_RETRY_AFTER_S)
        if scope["method"] == "POST" and scope["path"] in TRANSLATING:
            context: Context = scope["app"].state.context
            headers = Headers(scope=scope)
            within_s = allowed_s(context, _number(headers, "x-timeout-ms") or None)
            context.translator.check_room(_number(headers, "content-length") or 0, within_s)


def _number(headers: Headers, name: str) -> int | None:
    """Of a header; None if there is none, or one that is for others to refuse."""
    value = headers.get(name, "")
    return int(value) if value.isascii() and value.isdigit() and len(value) <= _MOST_DIGITS else None
