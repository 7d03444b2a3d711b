"""``python -m service``: settings -> app -> uvicorn. Settings come from the environment, ``REDER_…``."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from typing import TYPE_CHECKING

import uvicorn
from pydantic import ValidationError

from model.bundle import BundleError
from service.app import create_app, load
from service.errors import StartupError
from service.observability.logging import configure_logging
from service.settings import Settings

if TYPE_CHECKING:
    import socket
    from types import FrameType

    from fastapi import FastAPI

    from service.http.context import Context

__all__ = ["main"]

_CANNOT_START = 2
_ENGINE_STUCK = 1


class _Server(uvicorn.Server):
    """Uvicorn, but unready before it stops listening, and an orderly end is exit code 0."""

    def __init__(self, config: uvicorn.Config, app: FastAPI, drain_delay_s: float) -> None:
        super().__init__(config)
        self._app = app
        self._drain_delay_s = drain_delay_s

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 - a signal handler's signature
        """Note the signal. Uvicorn would raise it again at the end, and the process die of it."""
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stay reachable but unready for a while, so that load balancers notice; then close and drain."""
        context: Context = self._app.state.context
        context.draining = True
        await asyncio.sleep(self._drain_delay_s)
        await super().shutdown(sockets)


def main(settings: Settings | None = None) -> int:
    """Serve until SIGTERM or SIGINT. Returns the exit code; a failure to start is one line on standard error."""
    try:
        settings = settings or Settings()
        configure_logging(settings.log_level, settings.log_format)
        loaded = load(settings)
    except ValidationError as error:
        found = "; ".join(f"{'.'.join(map(str, one['loc'])) or 'settings'}: {one['msg']}" for one in error.errors())
        return _refuse(f"settings are wrong: {found}")
    except (BundleError, StartupError) as error:
        return _refuse(str(error))
    app = create_app(settings, loaded)
    config = uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        http="h11",  # bounds the size of headers, which httptools does not
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=max(1, round(settings.drain_timeout_s)),
    )
    _Server(config, app, settings.drain_delay_s).run()
    context: Context = app.state.context
    if context.batcher.engine_busy:
        sys.stderr.flush()
        os._exit(_ENGINE_STUCK)  # Python would wait for the engine's thread, which may never come back
    return 0


def _refuse(reason: str) -> int:
    sys.stderr.write(f"reder: cannot start: {' '.join(reason.split())}\n")
    return _CANNOT_START


if __name__ == "__main__":
    sys.exit(main())
