"""Start a service to measure, and stop it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import httpx
import typer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["ROOT", "free_port", "service"]

ROOT = Path(__file__).parents[1]
"""This checkout."""

START_LIMIT_S = 120.0
STOP_LIMIT_S = 45.0
_MEASURED = {"log_level": "warning", "canary_on_start": False, "canary_interval_s": 0}
"""Canary sentences would be translated beside what is measured."""


@contextmanager
def service(
    bundle: Path, *, checkout: Path = ROOT, environment: Mapping[str, str] = MappingProxyType({}), **settings: object
) -> Iterator[str]:
    """A service on a free port; gives its address once it is ready.

    Args:
        bundle: what to serve.
        checkout: whose service to run; its C is built there, as `make` does it.
        environment: further variables of its environment.
        settings: further settings of the service by name, such as `timeout_s`.

    Raises:
        typer.Exit: it ended, or was not ready in time; its log is on standard error.
    """
    port = free_port()
    settings = {**_MEASURED, **settings, "host": "127.0.0.1", "port": port, "bundle": bundle.absolute()}
    named = {f"REDER_{name.upper()}": str(value) for name, value in settings.items()}
    process = subprocess.Popen(
        [sys.executable, "-m", "service"], cwd=checkout, env={**os.environ, **environment, **named}
    )
    try:
        url = f"http://127.0.0.1:{port}"
        deadline = time.monotonic() + START_LIMIT_S
        while not ready(url):
            if process.poll() is not None or time.monotonic() > deadline:
                typer.echo("the service did not start", err=True)
                raise typer.Exit(1)
            time.sleep(0.1)
        yield url
    finally:
        process.terminate()
        try:
            process.wait(STOP_LIMIT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def ready(url: str) -> bool:
    """Whether the service accepts work."""
    try:
        return httpx.get(f"{url}/readyz", timeout=5).is_success
    except httpx.HTTPError:
        return False


def free_port() -> int:
    """A port that was free a moment ago."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])
