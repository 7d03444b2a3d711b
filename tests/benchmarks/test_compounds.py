"""German compounds in a short sentence, translated by the network and by the service."""

from __future__ import annotations

import lzma
from typing import TYPE_CHECKING

from typer.testing import CliRunner

from benchmarks.__main__ import app
from tests.cli.support import BUNDLE

if TYPE_CHECKING:
    from pathlib import Path

ENTRIES = {"Abendkonzert": "evening concert", "Schneegans": "snow goose", "Goldfirnis": "gold varnish", "Haus": "house"}


def test_the_service_has_more_of_them(tmp_path: Path) -> None:
    """More of the printed words are in its translations than in the network's; words that are seen do not count."""
    printed = tmp_path / "printed.tsv.xz"
    printed.write_bytes(lzma.compress("".join(f"{en}\t{de}\n" for de, en in ENTRIES.items()).encode()))
    run = CliRunner().invoke(app, ["compounds", str(printed), "--bundle", str(BUNDLE)])
    assert run.exit_code == 0, run.stderr
    (row,) = (line.strip("| ").split(" | ") for line in run.stdout.splitlines() if line.startswith("| de"))
    assert row[1] == "3"
    assert float(row[2]) < float(row[3])


def test_none(tmp_path: Path) -> None:
    """A file without one is refused."""
    printed = tmp_path / "printed.tsv.xz"
    printed.write_bytes(lzma.compress(b"house\tHaus\n"))
    run = CliRunner().invoke(app, ["compounds", str(printed), "--bundle", str(BUNDLE)])
    assert run.exit_code == 2
    assert "no compound" in run.stderr
