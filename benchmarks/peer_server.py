"""Start and stop the servers that `batchers` compares, each in a virtual environment of its own where it needs one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import typer

from benchmarks.server import ROOT, free_port, service
from cli.errors import fail
from service.engine.cores import usable_cores

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["BENTOML", "LITSERVE", "LOCK", "OURS", "Variant", "environment", "serving"]

OURS, LOCK, LITSERVE, BENTOML = "this service", "FastAPI and a lock", "LitServe", "BentoML"

_PACKAGES = {LITSERVE: "litserve>=0.2.19", BENTOML: "bentoml>=1.4.39"}
_SAME = ("numpy", "onnxruntime", "sentencepiece", "structlog", "uvicorn", "uvloop", "httptools")
"""What must be the very version that runs here: it is the batching that is compared."""

_INSTALL_LIMIT_S = 900.0
_START_LIMIT_S = 120.0
_STOP_LIMIT_S = 15.0


@dataclass(frozen=True, slots=True)
class Variant:
    """A server and how it is set: sentences in a batch, the wait for one, processes that hold an engine.

    The cores are shared among the engines. This service and the lock are as they are.
    """

    server: str
    items: int = 1
    wait_ms: int = 0
    workers: int = 1

    def __str__(self) -> str:
        """As it stands in the results."""
        if self.server in {OURS, LOCK}:
            return "as it is"
        return f"{self.items} items, {self.wait_ms} ms, {self.workers} worker{'s' * (self.workers > 1)}"


def environment(server: str, folder: Path) -> Path:
    """Scripts of the virtual environment for a server; installs it if it is not there."""
    if server not in _PACKAGES:
        return Path(sys.executable).parent
    home = (folder / f"venv-{server.lower()}").absolute()
    stamp = home / "installed"
    if not stamp.exists():
        typer.echo(f"installing {server} in {home}", err=True)
        same = [f"{name}=={version(name)}" for name in _SAME]
        for command in (
            [sys.executable, "-m", "venv", "--clear", str(home)],
            [str(home / "bin" / "python"), "-m", "pip", "install", "--quiet", _PACKAGES[server], *same],
        ):
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=_INSTALL_LIMIT_S)  # noqa: S603 - our own command
            if done.returncode:
                typer.echo(done.stderr, err=True)
                fail(f"{server} cannot be installed; leave it out with --only")
        stamp.touch()
    return home / "bin"


@contextmanager
def serving(variant: Variant, bundle: Path, folder: Path) -> Iterator[str]:
    """The server's address, once it answers.

    Raises:
        typer.Exit: it ended, or did not answer in time.
    """
    if variant.server == OURS:
        with service(bundle, quality="fast") as url:  # as the peers translate
            yield url
        return
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    process = subprocess.Popen(  # noqa: S603 - our own command
        _command(variant.server, environment(variant.server, folder), port),
        cwd=ROOT,
        env=_variables(variant, bundle, folder, port),
        start_new_session=True,  # its workers end with it
        stdout=subprocess.DEVNULL,
    )
    try:
        _wait(process, f"{url}/{'readyz' if variant.server == BENTOML else 'health'}", variant)
        yield url
    finally:
        _stop(process)


def _command(server: str, scripts: Path, port: int) -> list[str]:
    if server == BENTOML:
        app = "benchmarks.peers.bento_app:Translation"
        return [str(scripts / "bentoml"), "serve", app, "--host", "127.0.0.1", "--port", str(port)]
    module = {LOCK: "lock_app", LITSERVE: "lit_app"}[server]
    return [str(scripts / "python"), "-m", f"benchmarks.peers.{module}"]


def _variables(variant: Variant, bundle: Path, folder: Path, port: int) -> dict[str, str]:
    own = {
        "BUNDLE": bundle.absolute(),
        "PORT": port,
        "THREADS": max(1, usable_cores() // variant.workers),
        "WORKERS": variant.workers,
        "ITEMS": variant.items,
        "WAIT_MS": variant.wait_ms,
    }
    return {
        **os.environ,
        **{f"PEER_{name}": str(value) for name, value in own.items()},
        "PYTHONPATH": str(ROOT),
        "BENTOML_DO_NOT_TRACK": "True",
        "BENTOML_HOME": str((folder / "bentoml").absolute()),
    }


def _wait(process: subprocess.Popen[bytes], url: str, variant: Variant) -> None:
    deadline = time.monotonic() + _START_LIMIT_S
    while process.poll() is None and time.monotonic() < deadline:
        try:
            if httpx.get(url, timeout=5).is_success:
                return
        except httpx.HTTPError:
            pass
        time.sleep(0.1)
    fail(f"{variant.server} ({variant}) did not start")


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End the server and its workers, and wait until nothing of them is left."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, sign)
        except ProcessLookupError:
            break
        deadline = time.monotonic() + _STOP_LIMIT_S
        while _group_lives(process) and time.monotonic() < deadline:
            time.sleep(0.1)
    process.wait()


def _group_lives(process: subprocess.Popen[bytes]) -> bool:
    process.poll()  # else it would stay as a zombie, and count
    try:
        os.killpg(process.pid, 0)
    except ProcessLookupError:
        return False
    return True
