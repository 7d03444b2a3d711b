"""The measurement of segment details, on judgements made up here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks import segments
from model.bundle import DE_EN, EN_DE
from service.types import Link, SegmentReport, Span

if TYPE_CHECKING:
    import pytest

    from model.bundle import Direction


def judged(direction: Direction, score: float, chrf: float) -> segments._Judged:
    """A segment of two words, its first linked with the second of its translation, and the other way round."""
    links = Link(Span(0, 3), Span(4, 7)), Link(Span(4, 7), Span(0, 3))
    report = SegmentReport("one two", "abc def", Span(0, 7), Span(0, 7), 1 - score, score, links)
    return segments._Judged(direction, report, chrf)


def test_what_a_threshold_finds(capsys: pytest.CaptureFixture[str]) -> None:
    """The share below it, and how both sides fare; the scores are in the order of quality, confidence in the other."""
    rows = [judged(EN_DE, 0.001, 10), judged(EN_DE, 0.015, 30), judged(DE_EN, 0.3, 50), judged(DE_EN, 0.9, 90)]
    segments._show_scores(rows)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "4 segments, mean chrF 45.0, 50% below 40"
    assert lines[1].split("chrF: ")[1] == "reverse score 1.00, confidence -1.00"
    assert next(line for line in lines if line.split()[0] == "0.02").split() == [
        "0.02",
        "50%",
        "20.0",
        "100%",
        "70.0",
        "0%",
    ]


def test_links_are_held_against_those_of_the_aligner(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """English first, whichever way was translated: of four links two are the aligner's, who is sure of those alone."""
    monkeypatch.setattr(segments, "_aligned", lambda _: ([{(0, 1), (0, 0)}] * 2, [{(0, 1)}] * 2))
    segments._show_links([judged(EN_DE, 0.5, 50), judged(DE_EN, 0.5, 50)], [])
    assert capsys.readouterr().out == "links: 4; precision 50.0%, recall 100.0%, alignment error rate 33.3%\n"
