"""Plain sentences of a grammar, translated by the network and by the service."""

from __future__ import annotations

from typer.testing import CliRunner

from benchmarks.__main__ import app
from benchmarks.plain_sentences import closeness
from tests.cli.support import BUNDLE


def test_any_way_to_say_it_will_do() -> None:
    """A translation is right if it is one of its ways; chrF is that of the closest."""
    ways = ("She buys a car.", "She is buying a car.")
    assert closeness(["She is buying a car."], [ways]) == (100.0, 100.0)
    right, chrf = closeness(["She is buying a car.", "She buys the car."], [ways, ways])
    assert right == 50
    assert 60 < chrf < 100
    assert chrf == (100 + closeness(["She buys the car."], [ways[:1]])[1]) / 2


def test_both_directions_are_counted() -> None:
    """A row each, with shares of the same sentences, and none is all wrong."""
    run = CliRunner().invoke(app, ["plain-sentences", "--bundle", str(BUNDLE), "--sentences", "60"])
    assert run.exit_code == 0, run.stderr
    rows = [line.strip("| ").split(" | ") for line in run.stdout.splitlines() if line.startswith(("| en", "| de"))]
    assert [row[:2] for row in rows] == [["en-de", "60"], ["de-en", "60"]]
    assert all(5 < float(cell) < 100 for row in rows for cell in row[2:])
