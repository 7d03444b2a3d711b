"""Sentences with abbreviations, translated by the network and by the service."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typer.testing import CliRunner

from benchmarks.__main__ import app
from benchmarks.abbreviations import abbreviated
from tests.benchmarks.support import write_set
from tests.cli.support import BUNDLE

if TYPE_CHECKING:
    from pathlib import Path


def test_what_is_abbreviated() -> None:
    """Whole words, beside a number where they need one; not what may be a word, nor chat."""
    assert abbreviated("See Figure 3 on page 5.", "en") == "See Fig. 3 on p. 5."
    assert abbreviated("The figure is on the page, because.", "en") == "The figure is on the page, because."
    assert abbreviated("Die sogenannten Kosten inklusive Steuern", "de") == "Die sog. Kosten inkl. Steuern"


def test_the_service_reads_abbreviations(tmp_path: Path) -> None:
    """It makes of them what it makes of words; sentences without any are left out."""
    english = ["Two men talk.", "Please see page 5 in February."]
    german = ["Zwei Männer reden.", "Bitte beachten Sie Seite 5 im Februar, gegebenenfalls."]
    write_set(tmp_path, "tiny", english, german)
    run = CliRunner().invoke(app, ["abbreviations", "--set", str(tmp_path / "tiny"), "--bundle", str(BUNDLE)])
    assert run.exit_code == 0, run.stderr
    rows = [line.strip("| ").split(" | ") for line in run.stdout.splitlines() if line.startswith(("| en", "| de"))]
    assert [row[:2] for row in rows] == [
        ["en-de, as they are", "1"],
        ["en-de, abbreviated", "1"],
        ["de-en, as they are", "1"],
        ["de-en, abbreviated", "1"],
    ]
    assert rows[0][3] == rows[1][3]
    assert rows[2][3] == rows[3][3]
