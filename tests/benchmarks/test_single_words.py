"""Words alone, held against a printed dictionary."""

from __future__ import annotations

import lzma
from typing import TYPE_CHECKING

from typer.testing import CliRunner

from benchmarks.__main__ import app
from tests.cli.support import BUNDLE, one_line

if TYPE_CHECKING:
    from pathlib import Path

ENTRIES = [
    ("throat", "Kehle"),
    ("throat", "Hals"),
    ("gorge", "Kehle"),
    ("once", "einmal"),
    ("street", "Straße"),
    ("street", "Gasse"),
    ("a street", "eine Straße"),
    ("street", "Strasse 7"),
]


def test_words_are_held_against_their_entries(tmp_path: Path) -> None:
    """Words with several entries are translated, and with the bundle's dictionary they become one of those."""
    printed = tmp_path / "printed.tsv.xz"
    with lzma.open(printed, "wt", encoding="utf-8") as lines:
        lines.writelines(f"{english}\t{german}\tshelf\n" for english, german in ENTRIES)
    run = CliRunner().invoke(app, ["single-words", str(printed), "--bundle", str(BUNDLE), "--max-tokens", "9"])
    assert run.exit_code == 0, run.stderr
    rows = {name: cells for name, *cells in (line.strip("| ").split(" | ") for line in run.stdout.splitlines()[2:])}
    assert list(rows) == [
        f"{direction} {quality}{held}"
        for direction in ("en-de", "de-en")
        for quality in ("fast", "good")
        for held in ("", ", dictionary")
    ]
    assert {name: cells[0] for name, cells in rows.items() if "good" in name} == {
        "en-de good": "2",
        "en-de good, dictionary": "2",
        "de-en good": "1",
        "de-en good, dictionary": "1",
    }
    assert rows["en-de good, dictionary"][1] == "100.0"
    assert rows["de-en fast, dictionary"][1:] == ["100.0", "100.0", "100%", rows["de-en fast, dictionary"][4]]


def test_no_entries(tmp_path: Path) -> None:
    """A file that is no corpus, or has no words, is named."""
    printed = tmp_path / "printed.tsv.xz"
    printed.write_bytes(lzma.compress(b"a street\teine Stra\xc3\x9fe\tshelf\n"))
    for file, reason in ((tmp_path / "none", "has no pairs of English and German"), (printed, "has no en word")):
        run = CliRunner().invoke(app, ["single-words", str(file), "--bundle", str(BUNDLE)])
        assert run.exit_code == 2
        assert reason in one_line(run.stderr)
