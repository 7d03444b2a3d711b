"""Places in short sentences, translated by the network and by the service."""

from __future__ import annotations

from typer.testing import CliRunner

from benchmarks.__main__ import app
from benchmarks.places import is_named
from tests.cli.support import BUNDLE


def test_what_is_named() -> None:
    """A name counts if it is no part of another word."""
    assert is_named("Nice", "She is from Nice.")
    assert not any(is_named("Nice", text) for text in ("nice", "Nicer", "Pre-Nice", "Nice-ish"))


def test_the_service_names_more() -> None:
    """In both directions more places are in its translations than in the network's."""
    run = CliRunner().invoke(app, ["places", "--bundle", str(BUNDLE), "--limit", "12"])
    assert run.exit_code == 0, run.stderr
    rows = [line.strip("| ").split(" | ") for line in run.stdout.splitlines() if line.startswith(("| en", "| de"))]
    assert [row[0] for row in rows] == ["en-de", "de-en"]
    assert all(float(row[2]) < float(row[3]) for row in rows)
