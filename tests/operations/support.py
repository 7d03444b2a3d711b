"""What the tests of operations share: the repository's own files, and replicas as the processes they are."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import yaml

from tests.service.support import NO_TLS, PATIENCE_S, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["BUNDLE", "ROOT", "Replica", "documents", "variables"]

ROOT = Path(__file__).parents[2]
BUNDLE = Path(os.environ.get("REDER_BUNDLE", ROOT / "bundles" / "reder-small"))


def documents(path: Path) -> list[dict[str, Any]]:
    """What a YAML file of this repository holds."""
    return list(yaml.safe_load_all(path.read_text(encoding="utf-8")))


def variables(container: Mapping[str, Any]) -> dict[str, str]:
    """A container's environment; of a number taken from its limits, the number."""
    limits = container.get("resources", {}).get("limits", {})
    return {
        one["name"]: one["value"] if "value" in one else limits[_limit(one["valueFrom"])]
        for one in container.get("env", [])
    }


def _limit(source: Mapping[str, Any]) -> str:
    name: str = source["resourceFieldRef"]["resource"]
    return name.removeprefix("limits.")


@dataclass(slots=True)
class Replica:
    """``python -m service`` on a port of its own; can be killed, told to end, and started again.

    `prefix` is a program that runs it, with its arguments.
    """

    port: int
    log: Path
    environment: Mapping[str, str]
    prefix: tuple[str, ...] = ()
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.port}"

    def spawn(self) -> None:
        """Start, without waiting."""
        ours = {name: value for name, value in os.environ.items() if name != "CI" and not name.startswith("REDER_")}
        environment = ours | {"REDER_BUNDLE": str(BUNDLE), "REDER_PORT": str(self.port)} | dict(self.environment)
        with self.log.open("ab") as log:
            command = [*self.prefix, sys.executable, "-m", "service"]
            self.process = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=log)

    def wait_until_ready(self) -> None:
        """Wait until it may be sent requests; fails with its log if it ends instead."""
        assert self.process
        wait_until(self._is_ready_or_gone)
        assert self.process.poll() is None, self.log.read_text(encoding="utf-8")

    def restart(self) -> None:
        """Start again what has ended, and wait until it is ready."""
        assert self.process
        assert self.process.poll() is not None
        self.spawn()
        self.wait_until_ready()

    def end(self, signal_number: int = signal.SIGTERM) -> int:
        """Send a signal, and wait until it has ended. The exit code."""
        assert self.process
        self.process.send_signal(signal_number)
        return self.process.wait(PATIENCE_S)

    @contextmanager
    def running(self) -> Iterator[Replica]:
        """Started, but not waited for; gone after."""
        try:
            self.spawn()
            yield self
        finally:
            if self.process:
                self.process.kill()
                self.process.wait()

    def _is_ready_or_gone(self) -> bool:
        assert self.process
        if self.process.poll() is not None:
            return True
        try:
            return httpx.get(f"{self.url}/readyz", trust_env=False, verify=NO_TLS).is_success
        except httpx.TransportError:
            return False
