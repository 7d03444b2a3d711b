"""Wrapped text and the same text in one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typer.testing import CliRunner

from benchmarks.__main__ import app
from tests.benchmarks.support import write_set
from tests.cli.support import BUNDLE

if TYPE_CHECKING:
    from pathlib import Path

ENGLISH = "Two men in red coats are standing in front of a small shop and talk to a woman who has a large brown dog."
GERMAN = "Zwei Männer in roten Jacken stehen vor einem kleinen Laden und reden mit einer Frau mit einem großen Hund."


def test_wrapped_text_is_translated_like_one_line(tmp_path: Path) -> None:
    """The scores are the same, and those of lines by themselves are others."""
    write_set(tmp_path, "tiny", [ENGLISH] * 2, [GERMAN] * 2)
    arguments = ["wrapping", "--set", str(tmp_path / "tiny"), "--bundle", str(BUNDLE), "--sentences", "2"]
    run = CliRunner().invoke(app, arguments)
    assert run.exit_code == 0, run.stderr
    rows = [line.strip("| ").split(" | ") for line in run.stdout.splitlines() if line.startswith("| tiny")]
    assert [row[0] for row in rows] == ["tiny en-de", "tiny de-en"]
    for _, one_line, wrapped, by_line, mistaken in rows:
        assert mistaken == "0 of 1"
        assert wrapped == one_line
        assert by_line != one_line
