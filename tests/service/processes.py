"""The service as a process of its own, for what can only be done to one."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import httpx

from tests.service.support import NO_TLS, PATIENCE_S, connected, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

__all__ = ["Running", "free_port", "listens", "started"]


@dataclass(slots=True)
class Running:
    """A service and where it is reached; it can be ended, and started again."""

    command: Sequence[str]
    environment: Mapping[str, str]
    port: int
    log: Path | None
    process: subprocess.Popen[bytes] = field(init=False)

    def start(self) -> None:
        """Start, without waiting until it serves."""
        with self.log.open("ab") if self.log else nullcontext() as log:
            self.process = subprocess.Popen(self.command, env=self.environment, stderr=log)

    @property
    def address(self) -> tuple[str, int]:
        """Where it listens."""
        return "127.0.0.1", self.port

    @property
    def url(self) -> str:
        """The same, for a client of HTTP."""
        return f"http://127.0.0.1:{self.port}"

    def client(self) -> httpx.Client:
        """Of this service."""
        return connected(self.url)

    def get(self, path: str) -> httpx.Response:
        """Ask on a connection of its own."""
        return httpx.get(f"{self.url}{path}", timeout=PATIENCE_S, trust_env=False, verify=NO_TLS)

    def is_ready(self) -> bool:
        """Whether it serves; it must not have ended."""
        assert self.process.poll() is None, self.logged() if self.log else "it did not start"
        try:
            return self.get("/readyz").is_success
        except httpx.TransportError:
            return False

    def ready(self) -> Running:
        """Wait until it serves."""
        wait_until(self.is_ready)
        return self

    def logged(self) -> str:
        """All that is in its log."""
        assert self.log
        return self.log.read_text(encoding="utf-8")

    def end(self, sent: signal.Signals = signal.SIGTERM) -> int:
        """Send a signal, and wait until it has ended. The exit code."""
        self.process.send_signal(sent)
        return self.process.wait(PATIENCE_S)


@contextmanager
def started(
    bundle: Path,
    log: Path | None = None,
    *,
    program: Sequence[str] = ("-m", "service"),
    environment: Mapping[str, str] | None = None,
    **settings: object,
) -> Iterator[Running]:
    """A service that was started and may not serve yet; it is killed at the end if it still runs.

    Args:
        bundle: what it serves.
        log: where its standard error goes; else to that of the tests.
        program: what Python runs.
        environment: variables that it has besides those of the tests and of its settings.
        settings: by name, such as `threads`; those that are not given let it start soon.
    """
    quick = {"bundle": bundle, "port": free_port(), "threads": 1, "verify_bundle": False, "canary_on_start": False}
    named = {f"REDER_{name.upper()}": str(value) for name, value in (quick | settings).items()}
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("REDER_")}
    running = Running(
        [sys.executable, *program], {**inherited, **named, **(environment or {})}, int(named["REDER_PORT"]), log
    )
    running.start()
    try:
        yield running
    finally:
        running.process.kill()
        running.process.wait()


def free_port() -> int:
    """A port for whoever names it: bound for as long as the tests run, it is given to nobody who asks for any.

    Nobody listens there; those who set SO_REUSEADDR, as servers do, can.
    """
    holder = socket.socket()
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    holder.bind(("127.0.0.1", 0))
    port = int(holder.getsockname()[1])
    holder.detach()  # stays open
    return port


def listens(port: int) -> bool:
    """Whether somebody accepts connections there."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
