"""Slips that are made on purpose, and how many of them are undone."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from typer.testing import CliRunner

from benchmarks.__main__ import app
from benchmarks.misspellings import misspelt
from tests.benchmarks.support import write_set
from tests.cli.support import BUNDLE

if TYPE_CHECKING:
    from pathlib import Path


def test_one_slip() -> None:
    """One word of a text is misspelt, the longer ones now and then, and always the same for a seed."""
    text = "Two men talk on the street."
    found = {misspelt(text, Random(seed)) for seed in range(100)}
    assert text not in found
    assert {"Two men tlak on the street.", "Two men talk on the streeet."} <= found
    assert all(one.startswith("Two men ") and " on the " in one for one in found)
    assert misspelt("So it is.", Random(1)) == "So it is."
    assert misspelt(text, Random(1)) == misspelt(text, Random(1))


def test_how_many_are_undone(tmp_path: Path) -> None:
    """Slips in common words are, and what is misspelt in the text as it is is listed."""
    write_set(tmp_path, "tiny", ["Please open the setings now."], ["Die Einstellungen wurden gespeichert."])
    run = CliRunner().invoke(app, ["misspellings", "--set", str(tmp_path / "tiny"), "--bundle", str(BUNDLE)])
    assert run.exit_code == 0, run.stderr
    english, german = [line.strip("| ").split(" | ") for line in run.stdout.splitlines() if line.startswith("| tiny")]
    assert english[3:] == ["1", "1"]
    assert german == ["tiny, de", "100", "0", "0", "1"]
    assert run.stdout.endswith("tiny, en: setings > settings\n")
