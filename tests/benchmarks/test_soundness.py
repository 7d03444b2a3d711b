"""Numbers and negations in translations by the network and by the service."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typer.testing import CliRunner

from benchmarks.__main__ import app
from benchmarks.soundness import has_wrong_number
from model.bundle import DE_EN
from tests.cli.support import BUNDLE

if TYPE_CHECKING:
    from pathlib import Path

ENGLISH = ("About 1,250 people came at 4 pm.", "No number is here.", "It fell by 3.5% in 2019.", "In 1995 he left.")
GERMAN = ("Etwa 1.250 Menschen kamen um 16 Uhr.", "Hier ist keine.", "Es fiel 2019 um 3,5 %.", "1995 ging er.")


def test_wrong_numbers() -> None:
    """One that is another, that is missing or that is written as the source writes it."""
    assert not has_wrong_number("1.250 um 16 Uhr", "1,250 at 4 pm", DE_EN)
    for wrong in ("1,205 at 4 pm", "at 4 pm", "1.250 at 4 pm", "1,250 at 4 am"):
        assert has_wrong_number("1.250 um 16 Uhr", wrong, DE_EN)


def test_the_service_has_fewer(tmp_path: Path) -> None:
    """Others do not count; people have none wrong, and the service has no more wrong than the network."""
    for language, texts in (("en", ENGLISH), ("de", GERMAN)):
        (tmp_path / f"few.{language}").write_text("\n".join(texts), encoding="utf-8")
    run = CliRunner().invoke(app, ["soundness", str(tmp_path / "few"), "--bundle", str(BUNDLE)])
    assert run.exit_code == 0, run.stderr
    rows = [line.strip("| ").split(" | ") for line in run.stdout.splitlines() if line.startswith("| few")]
    known = [["numbers", "3", "0.0"], ["negation", "1", "0.0"]]
    assert [row[1:5] for row in rows] == [[way, *one] for way in ("en-de", "de-en") for one in known]
    assert all(float(row[6]) <= float(row[5]) for row in rows)
