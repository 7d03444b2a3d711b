"""Times of day in short sentences, translated by the network and by the service."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from benchmarks.__main__ import app
from benchmarks.clock_times import accepted, is_kept
from tests.cli.support import BUNDLE

EIGHT, TWENTY, HALF_PAST_SEVEN, TWENTY_TO_TEN = 8 * 60, 20 * 60, 7 * 60 + 30, 9 * 60 + 40


@pytest.mark.parametrize(
    ("minutes", "language", "right", "wrong"),
    [
        (
            TWENTY,
            "en",
            ["at 8 p.m.", "at 20:00", "At eight tonight", "at 8 o'clock"],
            ["at 8 a.m.", "at 18:00", "at 8:30"],
        ),
        (EIGHT, "en", ["at 8 am", "at eight in the morning"], ["at 8 pm", "at 8 in the evening", "at 20:00"]),
        (TWENTY, "de", ["um 20 Uhr", "abends um 8 Uhr", "heute Abend um acht"], ["um 8 Uhr", "um 8 Uhr morgens"]),
        (EIGHT, "de", ["um 8 Uhr", "um acht Uhr morgens", "um 8:00"], ["um 20 Uhr", "um 8 Uhr abends", "um 18 Uhr"]),
    ],
)
def test_what_is_kept(minutes: int, language: str, right: list[str], wrong: list[str]) -> None:
    """A time is there, in figures or in words, if nothing puts it in the other half of the day."""
    assert all(is_kept(accepted(minutes, language), text) for text in right)
    assert not any(is_kept(accepted(minutes, language), text) for text in wrong)


def test_what_is_kept_in_either_half() -> None:
    """A time that leaves the half open may be in any, and is told with words as with figures."""
    for minutes, language, right in (
        (HALF_PAST_SEVEN, "en", ["half past seven", "7:30", "19:30", "7.30 pm"]),
        (HALF_PAST_SEVEN, "de", ["halb acht", "7:30 Uhr", "19.30 Uhr"]),
        (TWENTY_TO_TEN, "en", ["twenty to ten", "9:40"]),
        (TWENTY_TO_TEN, "de", ["zwanzig vor zehn", "21:40"]),
    ):
        assert all(is_kept(accepted(minutes, language, half_is_open=True), text) for text in right)
        for text in ("half past eight", "halb sieben", "7", "17:30", "7:45", "zehn", "zwanzig nach zehn"):
            assert not is_kept(accepted(minutes, language, half_is_open=True), text)


def test_the_service_keeps_them() -> None:
    """In both directions all times are in its translations, and not in the network's."""
    run = CliRunner().invoke(app, ["clock-times", "--bundle", str(BUNDLE), "--limit", "2"])
    assert run.exit_code == 0, run.stderr
    rows = [line.strip("| ").split(" | ") for line in run.stdout.splitlines() if line.startswith(("| en", "| de"))]
    assert [row[0] for row in rows] == ["en-de", "de-en"]
    assert all(float(row[2]) < float(row[3]) for row in rows)
