"""Text that is misspelt or in other capitals, translated by the network and by the service."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typer.testing import CliRunner

from benchmarks.__main__ import app
from tests.benchmarks.support import write_set
from tests.cli.support import BUNDLE

if TYPE_CHECKING:
    from pathlib import Path


def test_the_service_reads_capitals(tmp_path: Path) -> None:
    """What the network makes little of, the service translates as well as text that is written as usual."""
    write_set(tmp_path, "tiny", ["Two men talk on the street."], ["Zwei Männer reden auf der Straße."])
    run = CliRunner().invoke(app, ["spelling", "--set", str(tmp_path / "tiny"), "--bundle", str(BUNDLE)])
    assert run.exit_code == 0, run.stderr
    lines = [line.strip("| ").split(" | ") for line in run.stdout.splitlines() if line.startswith("| ")]
    assert lines[0] == ["BLEU / chrF", "as written", "a slip in each", "in capitals", "in lower case", "ae, oe, ue, ss"]
    chrf = {name: [float(cell.split(" / ")[1]) for cell in cells] for name, *cells in lines[2:]}
    ways = [f"tiny {direction}" for direction in ("en-de", "de-en")]
    assert list(chrf) == [f"{way}, {who}" for way in ways for who in ("network", "service")]
    for way in ways:
        assert chrf[f"{way}, service"][2] > 2 * chrf[f"{way}, network"][2]
    assert len(set(chrf["tiny de-en, service"])) == 1
