"""The program follows a link to another bundle when it gets SIGHUP."""

from __future__ import annotations

import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from tests.service import bundles
from tests.service.processes import Running, started
from tests.service.support import wait_until
from tests.soak.endurance import resident_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import httpx

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
    """The program, a client of it, and the link to the bundle that it serves."""

    running: Running
    client: httpx.Client
    link: Path

    def follow(self, target: str) -> None:
        """Move the link, and tell the program."""
        (self.link.parent / "next").symlink_to(target)
        (self.link.parent / "next").replace(self.link)
        self.running.process.send_signal(signal.SIGHUP)

    def events(self, name: str) -> int:
        """How often something has been logged."""
        return self.running.logged().count(f'"event": "{name}"')


@pytest.fixture
def program(releases: Path) -> Iterator[Program]:
    """The program, ready."""
    log = releases.parent / "log"
    with (
        started(releases, log, precision="int8", verify_bundle=True) as running,
        running.ready().client() as client,
    ):
        yield Program(running, client, releases)


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
                memory.append(resident_bytes(program.running.address))
            program.follow("nothing")
            wait_until(lambda: program.events("bundle_refused") == 1)
            assert program.client.get("/").json()["bundle"] == "v2"
        finally:
            over.set()
        asked.result()
    assert set(codes) == {200}
    assert max(memory) < 1.2 * memory[0], memory
    assert program.running.end() == 0
