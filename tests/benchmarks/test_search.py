"""The measurement of the beam search."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.benchmarks.support import golden, here, table_rows, write_set
from tests.cli.support import BUNDLE

if TYPE_CHECKING:
    from pathlib import Path


def test_table_and_file_agree(tmp_path: Path) -> None:
    """Times of the network and of its search, a sentence, are those of the file, over so many sentences."""
    write_set(tmp_path, "real", *golden(8))
    run = here(
        *("search", "--set", tmp_path / "real", "--bundle", BUNDLE, "--rounds", 1, "--sentences", 8),
        *("--output", tmp_path),
    )
    assert run.exit_code == 0, run.stderr
    found = json.loads((tmp_path / "search.json").read_text(encoding="utf-8"))
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table_rows(run.stdout)[2:]]
    assert [row[0] for row in rows] == list(found["seconds"])
    sentences = found["sentences"]
    assert 0 < sentences <= 8
    assert [row[1] for row in rows] == [f"{1000 * values[0] / sentences:,.2f}" for values in found["seconds"].values()]
