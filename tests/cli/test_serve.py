"""`reder serve` and `reder evaluate --url`, one against the other."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import httpx
import pytest
import typer
from typer.testing import CliRunner

from cli.main import app
from model.bundle import Bundle
from tests.cli.support import BUNDLE, ENVIRONMENT, LIMIT_S, reder
from tests.service.support import NO_TLS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def url() -> Iterator[str]:
    """A service started from the command line; it must end in order when told to."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "cli.main", "serve", "--port", str(port), "--bundle", str(BUNDLE)]
    with subprocess.Popen(command, env=ENVIRONMENT, stderr=subprocess.DEVNULL) as process:
        url = f"http://127.0.0.1:{port}"
        deadline = time.monotonic() + LIMIT_S
        while not ready(url):
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.1)
        yield url
        process.send_signal(signal.SIGTERM)
        assert process.wait(LIMIT_S) == 0


def ready(url: str) -> bool:
    """Whether the service accepts work."""
    try:
        return httpx.get(f"{url}/readyz", timeout=5, trust_env=False, verify=NO_TLS).is_success
    except httpx.HTTPError:
        return False


def test_served_scores_are_those_of_the_bundle(url: str, tmp_path: Path) -> None:
    """The bundle's own sentences score alike over HTTP and with the graphs directly, line for line in the table."""
    for language in ("en", "de"):
        sentences = Bundle.open(BUNDLE).canary(language)[:12]
        (tmp_path / f"canary.{language}").write_text("\n".join(sentences) + "\n", encoding="utf-8")
    served, direct = (
        reder("evaluate", *source, tmp_path / "canary", "--json", tmp_path / f"{number}.json")
        for number, source in enumerate([("--url", url), ("--bundle", BUNDLE, "--precision", "int8")])
    )
    assert served.returncode == direct.returncode == 0, served.stderr + direct.stderr
    kinds = [[row.split(" | ")[:3] for row in run.stdout.decode().splitlines()[2:4]] for run in (served, direct)]
    assert kinds[0] == kinds[1] == [["| canary", "en-de", "12"], ["| canary", "de-en", "12"]]


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="there is no such signal here")
def test_sighup_is_not_its_end_before_it_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is passed over as soon as the command begins: to read settings and load libraries takes a second."""
    handled = []

    def load_settings(**_: object) -> None:
        handled.append(signal.getsignal(signal.SIGHUP))
        raise typer.Exit

    monkeypatch.setattr("cli.serve.load_settings", load_settings)
    before = signal.getsignal(signal.SIGHUP)
    try:
        CliRunner().invoke(app, ["serve"])
    finally:
        signal.signal(signal.SIGHUP, before)
    assert handled == [signal.SIG_IGN]
