"""Quantities in short sentences, translated by the network and by the service."""

from __future__ import annotations

from typer.testing import CliRunner

from benchmarks.__main__ import app
from benchmarks.quantities import is_kept
from tests.cli.support import BUNDLE


def test_what_is_kept() -> None:
    """A quantity is there, with or without a space, if it is no part of another word or number."""
    assert is_kept("5 g", "Es sind 5 g.")
    assert is_kept("5 g", "Es sind 5g")
    assert not any(is_kept("5 g", text) for text in ("5 Gramm", "5 g-Zucker", "15 g", "1,5 g", "5 kg", "5"))


def test_the_service_keeps_more() -> None:
    """In both directions more units are in its translations than in the network's."""
    run = CliRunner().invoke(app, ["quantities", "--bundle", str(BUNDLE), "--limit", "8"])
    assert run.exit_code == 0, run.stderr
    rows = [line.strip("| ").split(" | ") for line in run.stdout.splitlines() if line.startswith(("| en", "| de"))]
    assert [row[0] for row in rows] == ["en-de", "de-en"]
    assert all(float(row[2]) < float(row[3]) for row in rows)
