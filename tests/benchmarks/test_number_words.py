"""Numbers in words in short sentences, translated by the network and by the service."""

from __future__ import annotations

from typer.testing import CliRunner

from benchmarks.__main__ import app
from benchmarks.number_words import is_kept
from tests.cli.support import BUNDLE


def test_what_is_kept() -> None:
    """A number is there, in words or in figures, if it is no part of another."""
    for number, text in (
        (23, "Twenty-three came."),
        (23, "23 came"),
        (103, "One hundred and three"),
        (100, "a hundred"),
    ):
        assert is_kept(number, text, "en")
    for number, text in ((120, "Hundertzwanzig Leute"), (100, "einhundert"), (3, "drei"), (1200, "1.200 Leute")):
        assert is_kept(number, text, "de")
    for text in ("twenty-three", "one hundred and three", "23", "3.5", "thirteen", "three-way"):
        assert not is_kept(3, text, "en")
    assert not is_kept(20, "hundertzwanzig", "de")
    assert is_kept(21, "the 21st floor", "en")
    assert is_kept(21, "im einundzwanzigsten Stock", "de")
    assert not is_kept(1, "twenty-first", "en")


def test_the_service_keeps_more() -> None:
    """Of no range fewer are in its translations than in the network's; of 21 to 99 nearly all, and few."""
    run = CliRunner().invoke(app, ["number-words", "--bundle", str(BUNDLE), "--limit", "4"])
    assert run.exit_code == 0, run.stderr
    rows = [line.strip("| ").split(" | ") for line in run.stdout.splitlines() if line.startswith(("| en", "| de"))]
    assert [row[0] for row in rows] == ["en-de"] * 8 + ["de-en"] * 8
    assert all(float(row[3]) <= float(row[4]) for row in rows)
    assert all(float(row[3]) < 50 and float(row[4]) > 90 for row in rows if row[1].startswith("21"))
