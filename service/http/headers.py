"""Headers that tell browsers what they may do with an answer, which pages may ask for one, and when to go elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi.middleware.cors import CORSMiddleware
from starlette.datastructures import MutableHeaders

from service.settings import listed

if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from service.settings import Settings

__all__ = ["DEFAULTS", "HeadersMiddleware", "install"]

DEFAULTS = {
    "Cache-Control": "no-store",  # a translation is nobody else's business, and a probe's answer is of the moment
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
"""On every answer that does not say otherwise itself, as the documentation does."""


def install(app: FastAPI, settings: Settings) -> None:
    """Add both to `app`. Call it after every other middleware is added, for these are to be outside."""
    if origins := listed(settings.cors_origins):
        app.add_middleware(
            CORSMiddleware,
            allow_origins=origins,
            allow_methods=["GET", "POST"],
            allow_headers=[
                *("Authorization", "Content-Encoding", "Content-Type", "X-API-Key", "X-Request-Id", "X-Timeout-Ms")
            ],
            expose_headers=["Retry-After", "Server-Timing", "X-Request-Id"],
        )
    app.add_middleware(HeadersMiddleware)


class HeadersMiddleware:
    """Pure ASGI: answers that are sent bit by bit pass through as they come.

    Those of a service that is about to end close their connections: a proxy that keeps some open would send the next
    request on one of them, at the moment it is closed.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in DEFAULTS.items():
                    headers.setdefault(name, value)
                if scope["app"].state.context.draining:
                    headers["Connection"] = "close"
            await send(message)

        await self._app(scope, receive, send_with_headers)
