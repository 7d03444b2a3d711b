"""The program follows a link to another bundle when it gets SIGHUP."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import httpx
import pytest

from tests.service import bundles
from tests.service.support import PATIENCE_S, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from service.settings import Settings


@pytest.fixture
def releases(settings: Settings, tmp_path: Path) -> Path:
    """A link to the first of two bundles, `v1` and `v2`, in int8."""
    for name in ("v1", "v2"):
        bundles.copy(settings.bundle, tmp_path / name, precision="int8")
    (tmp_path / "current").symlink_to("v1")
    return tmp_path / "current"


@dataclass(frozen=True, slots=True)
class Program:
    """``python -m service``, a client of it, and the link to the bundle that it serves."""

    process: subprocess.Popen[bytes]
    client: httpx.Client
    link: Path

    def follow(self, target: str) -> None:
        """Move the link, and tell the program."""
        (self.link.parent / "next").symlink_to(target)
        (self.link.parent / "next").replace(self.link)
        self.process.send_signal(signal.SIGHUP)

    def events(self, name: str) -> int:
        """How often something has been logged."""
        return (self.link.parent / "log").read_text(encoding="utf-8").count(f'"event": "{name}"')

    def resident(self) -> float:
        """Bytes of memory."""
        lines = self.client.get("/metrics").text.splitlines()
        return next(float(line.split()[1]) for line in lines if line.startswith("process_resident_memory_bytes"))


@pytest.fixture
def program(releases: Path) -> Iterator[Program]:
    """The program, listening."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    environment = os.environ | {
        "REDER_BUNDLE": str(releases),
        "REDER_PORT": str(port),
        "REDER_THREADS": "1",
        "REDER_PRECISION": "int8",
        "REDER_CANARY_ON_START": "false",
    }

    def listens() -> bool:
        with socket.socket() as probe:
            return process.poll() is not None or probe.connect_ex(("127.0.0.1", port)) == 0

    with (releases.parent / "log").open("wb") as log:
        process = subprocess.Popen([sys.executable, "-m", "service"], env=environment, stderr=log)
    try:
        wait_until(listens)
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE_S, trust_env=False) as client:
            yield Program(process, client, releases)
    finally:
        process.kill()
        process.wait()


def test_sighup_follows_a_moved_link(program: Program) -> None:
    """The program under load, five swaps by SIGHUP: nothing is lost, a bad one changes nothing, memory is bounded."""
    codes, memory, over = list[int](), list[float](), threading.Event()

    def keep_asking() -> None:
        while not over.wait(0.02):
            codes.append(program.client.post("/translate?dir=en-de", json={"text": "A dog runs."}).status_code)

    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(keep_asking)
        try:
            for number in range(1, 6):
                program.follow(target := f"v{1 + number % 2}")
                wait_until(lambda number=number: program.events("bundle_released") == number)  # type: ignore[misc]
                assert program.client.get("/").json()["bundle"] == target
                memory.append(program.resident())
            program.follow("nothing")
            wait_until(lambda: program.events("bundle_refused") == 1)
            assert program.client.get("/").json()["bundle"] == "v2"
        finally:
            over.set()
        asked.result()
    assert set(codes) == {200}
    assert max(memory) < 1.2 * memory[0], memory
    program.process.send_signal(signal.SIGTERM)
    assert program.process.wait(PATIENCE_S) == 0
