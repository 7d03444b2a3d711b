"""`reder serve` and `reder evaluate --url`, one against the other."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import pytest
import typer
from typer.testing import CliRunner

from cli.main import app
from model.bundle import Bundle
from tests.cli.support import BUNDLE, ENVIRONMENT, reder
from tests.service.processes import free_port, started

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def url() -> Iterator[str]:
    """A service started from the command line; it must end in order when told to."""
    port = free_port()
    program = ("-m", "cli.main", "serve", "--port", str(port), "--bundle", str(BUNDLE))
    with started(BUNDLE, program=program, environment=ENVIRONMENT, port=port) as running:
        yield running.ready().url
        assert running.end() == 0


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
