"""The service as a process of its own, for what can only be done to one."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

import httpx

from tests.service.support import NO_TLS, PATIENCE_S, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["Running", "free_port", "started"]


@dataclass(frozen=True, slots=True)
class Running:
    """A service and where it is reached."""

    process: subprocess.Popen[bytes]
    port: int

    @property
    def address(self) -> tuple[str, int]:
        """Where it listens."""
        return "127.0.0.1", self.port

    @property
    def url(self) -> str:
        """The same, for a client of HTTP."""
        return f"http://127.0.0.1:{self.port}"

    def get(self, path: str) -> httpx.Response:
        """Ask on a connection of its own."""
        return httpx.get(f"{self.url}{path}", timeout=PATIENCE_S, trust_env=False, verify=NO_TLS)

    def is_ready(self) -> bool:
        """Whether it serves; it must not have ended."""
        assert self.process.poll() is None, "it did not start"
        try:
            return self.get("/readyz").is_success
        except httpx.TransportError:
            return False

    def ready(self) -> Running:
        """Wait until it serves."""
        wait_until(self.is_ready)
        return self


@contextmanager
def started(
    bundle: Path, log: int | IO[bytes], *, program: tuple[str, ...] = ("-m", "service"), **settings: object
) -> Iterator[Running]:
    """A service that was started and may not serve yet; it is killed at the end if it still runs.

    Args:
        bundle: what it serves.
        log: its standard error.
        program: what Python runs.
        settings: by name, such as `threads`.
    """
    fixed = {"bundle": bundle, "port": free_port(), "threads": 1, "verify_bundle": False, "canary_on_start": False}
    values = {f"REDER_{name.upper()}": str(value) for name, value in (fixed | settings).items()}
    process = subprocess.Popen([sys.executable, *program], env=os.environ | values, stderr=log)
    try:
        yield Running(process, int(values["REDER_PORT"]))
    finally:
        process.kill()
        process.wait()


def free_port() -> int:
    """A port that was free a moment ago."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])
