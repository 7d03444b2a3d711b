"""``python -m service``: settings -> app -> uvicorn. Settings come from the environment, ``REDER_…``.

SIGTERM and SIGINT end it in good order, and so does an engine that has died, with exit code 1: whatever watches over
the process is to start it again. SIGHUP has it read the bundle anew and replace the one it serves.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import structlog
import uvicorn
from pydantic import ValidationError

from model.bundle import BundleError
from service.app import create_app, load
from service.engine.memory import collect_seldom, settle, share_arenas
from service.errors import CannotListen, StartupError
from service.http.connections import bounded_protocol
from service.http.listening import bound, cannot_listen
from service.http.middleware import refuse_unread
from service.observability.logging import configure_logging
from service.pipeline.batching.lane import EngineState
from service.settings import Settings, unknown_variables, what_is_wrong

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable
    from types import FrameType

    from fastapi import FastAPI

    from service.http.context import Context

__all__ = ["main", "server_config"]

_log = structlog.get_logger(__name__)

_CANNOT_START = 2
_CANNOT_LISTEN = 3
"""Not what settings or bundle must be changed for: trying again may help."""
_ENGINE_LOST = 1
"""The engine has died, or is still at work when all else has ended."""

_TICK_S = 0.1
"""How often a wait looks whether it is to end."""

_LAST_CALL_S = 1.0
"""How long an engine call may still take when all else has ended, before its thread is given up."""

_STANDARD_ERROR = 2
"""The last descriptor of the standard streams."""

_SWITCH_INTERVAL_S = 0.0005
"""How long a thread may keep Python's lock when another wants it. Work on text wants it for milliseconds on end, and a
request that is refused needs it several times: with Python's own 5 ms it waits twice as long."""


class _HangUp:
    """Handles SIGHUP, where there is such a signal: it would end the process by default, while loading too."""

    def __init__(self) -> None:
        self._early = False
        if hasattr(signal, "SIGHUP"):
            signal.signal(signal.SIGHUP, self._note)

    def then(self, reload: Callable[[], None]) -> None:
        """From now on call `reload`, on the event loop; right away if the signal has come already."""
        if hasattr(signal, "SIGHUP"):
            asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, reload)
        if self._early:
            reload()

    def _note(self, _signal: int, _frame: FrameType | None) -> None:
        self._early = True


class _Server(uvicorn.Server):
    """Uvicorn, but unready before it stops listening; a signal is exit code 0, and a dead engine the end."""

    def __init__(self, config: uvicorn.Config, app: FastAPI, settings: Settings, hang_up: _HangUp) -> None:
        super().__init__(config)
        self._app = app
        self._settings = settings
        self._hang_up = hang_up
        self.engine_died = False

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, and take SIGHUP as the wish for another bundle.

        Raises:
            CannotListen: another program listens there since.
        """
        try:
            for listener in sockets or ():
                listener.listen(self.config.backlog)  # uvloop would pass over a failure
        except OSError as error:
            raise cannot_listen(self._settings.host, self._settings.port, error) from error
        await super().startup(sockets)
        if self.started:
            self._log_started_message(sockets or ())
            context: Context = self._app.state.context
            self._hang_up.then(context.serving.reload)

    async def on_tick(self, counter: int) -> bool:
        """Several times a second: whether to end. Red health alone restarts nothing under systemd or Compose."""
        context: Context = self._app.state.context
        self.engine_died = context.batcher.state is EngineState.DEAD
        return await super().on_tick(counter) or self.engine_died

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 - a signal handler's signature
        """Note the signal. Uvicorn would raise it again at the end, and the process die of it."""
        self.force_exit = self.force_exit or (self.should_exit and sig == signal.SIGINT)
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stay reachable but unready for a while, so that load balancers notice; then close and drain.

        A second Ctrl-C cuts both short. An engine call that nobody waits for any more has a moment to come back.
        """
        context: Context = self._app.state.context
        context.serving.draining = True
        close_at = time.monotonic() + self._settings.drain_delay_s
        while not self.force_exit and (left_s := close_at - time.monotonic()) > 0:  # noqa: ASYNC110 - set by a signal
            await asyncio.sleep(min(left_s, _TICK_S))
        context.serving.drain_by = time.monotonic() + self._settings.drain_timeout_s
        await super().shutdown(sockets)
        if self.force_exit:  # the application has not been told; cancelled instead, it would log an error
            context.serving.drain_by = time.monotonic()
            await self.lifespan.shutdown()
        give_up_at = time.monotonic() + _LAST_CALL_S
        while context.serving.busy and time.monotonic() < give_up_at:  # noqa: ASYNC110 - a thread's
            await asyncio.sleep(_TICK_S / 10)


def main(settings: Settings | None = None) -> int:
    """Serve until a signal or the engine's death. Returns the exit code; a failure to start is one line on stderr."""
    _fill_standard_streams()
    share_arenas()
    collect_seldom()
    hang_up = _HangUp()
    try:
        settings = settings or Settings()
        configure_logging(settings.log_level, settings.log_format)
        for name, meant in unknown_variables(os.environ).items():
            _log.warning("unknown_setting", variable=name, meant=meant)
        with bound(settings.host, settings.port) as listeners:
            return _serve(settings, listeners, hang_up)
    except ValidationError as error:
        return _refuse(what_is_wrong(error))
    except CannotListen as error:
        return _refuse(str(error), code=_CANNOT_LISTEN)
    except (BundleError, StartupError) as error:
        return _refuse(str(error))


def _serve(settings: Settings, listeners: list[socket.socket], hang_up: _HangUp) -> int:
    """Load everything, then serve.

    Raises:
        BundleError, StartupError: it cannot be begun.
    """
    app = create_app(settings, load(settings))
    settle()
    sys.setswitchinterval(_SWITCH_INTERVAL_S)
    server = _Server(server_config(app, settings), app, settings, hang_up)
    try:
        server.run(listeners)
    except SystemExit as error:  # uvicorn's, with a code that is another's here
        msg = "the application did not start; why was logged before this"
        raise StartupError(msg) from error
    context: Context = app.state.context
    if context.serving.busy:
        sys.stderr.flush()
        os._exit(_ENGINE_LOST)  # Python would wait for the engine's thread, which may never come back
    return _ENGINE_LOST if server.engine_died else 0


def _fill_standard_streams() -> None:
    """Open the null device where the caller has closed a standard stream.

    A socket would get its number, and the event loop's library aborts the process when it is to close one of those.
    """
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= _STANDARD_ERROR:  # the lowest number that is free
        pass
    os.close(descriptor)
    if sys.stderr is None:  # so Python has it where it found the stream closed
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - for as long as the program runs


def server_config(app: FastAPI, settings: Settings) -> uvicorn.Config:
    """How uvicorn is to serve `app`."""
    return uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        http=bounded_protocol(
            timeout_s=settings.client_timeout_s,
            max_connections=2 * settings.max_requests,
            refuse=lambda error: refuse_unread(error, app.state.context.metrics),
        ),
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        timeout_keep_alive=settings.keep_alive_s,
        server_header=False,
        proxy_headers=False,  # the application sees to them, as its settings say
        timeout_graceful_shutdown=max(1, round(settings.drain_timeout_s)),
    )


def _refuse(reason: str, *, code: int = _CANNOT_START) -> int:
    sys.stderr.write(f"reder: cannot start: {' '.join(reason.split())}\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
