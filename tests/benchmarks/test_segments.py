"""The measurement of word alignment, on segments made up here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks import segments
from model.bundle import DIRECTIONS
from service.types import Link, SegmentReport, Span

if TYPE_CHECKING:
    import pytest


def test_links_are_held_against_those_of_the_aligner(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """English first, whichever way was translated: of four links two are the aligner's, who is sure of those alone."""
    monkeypatch.setattr(segments, "_aligned", lambda _: ([{(0, 1), (0, 0)}] * 2, [{(0, 1)}] * 2))
    links = Link(Span(0, 3), Span(4, 7)), Link(Span(4, 7), Span(0, 3))
    report = SegmentReport("one two", "abc def", Span(0, 7), Span(0, 7), 0.5, 0.5, links)
    segments._show_links([(direction, report) for direction in DIRECTIONS], [])
    assert capsys.readouterr().out == "links: 4; precision 50.0%, recall 100.0%, alignment error rate 33.3%\n"
