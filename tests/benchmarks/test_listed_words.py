"""Listed words in short sentences, translated by the network and by the service."""

from __future__ import annotations

from typer.testing import CliRunner

from benchmarks.__main__ import app
from benchmarks.listed_words import is_written
from tests.cli.support import BUNDLE


def test_what_is_written() -> None:
    """A word counts in each of its forms, if it is no part of another word."""
    assert is_written("Nice", "She is from Nice.")
    assert is_written("Igel\nIgels", "Das Nest des Igels")
    assert not any(is_written("Nice", text) for text in ("nice", "Nicer", "Pre-Nice", "Nice-ish"))


def test_the_service_has_more_of_them() -> None:
    """In both directions more places, verbs and other words are in its translations than in the network's."""
    run = CliRunner().invoke(app, ["listed-words", "--bundle", str(BUNDLE), "--limit", "12"])
    assert run.exit_code == 0, run.stderr
    rows = [line.strip("| ").split(" | ") for line in run.stdout.splitlines() if line.startswith(("| en", "| de"))]
    assert [row[0] for row in rows] == ["en-de", "de-en"] * 3
    assert all(float(row[2]) < float(row[3]) for row in rows)
