"""What is kept and stands in quotation marks, as "%s": these stay. The network loses them, and the words beside."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from service.pipeline.finders.match import Match
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from model.bundle import Direction

__all__ = ["find_quoted"]

_WRITTEN = {
    "en": {'""': '""', "''": "''", "“”": "„“", "‘’": "‚‘"},
    "de": {'""': '""', "''": "''", "„“": '""', "„”": '""', "“”": '""', "»«": '""', "«»": '""', "‚‘": "''"},
}
"""By the source: the marks before and after, and those of the translation: into English as the network writes them."""
_MARKUP = re.compile(r"[<&\\]|[*_~=()\[\]]+$")
"""Begins what is not shown to the network at all."""


def find_quoted(text: str, kept: Sequence[Span], direction: Direction) -> Iterator[Match]:
    """What of `kept` has a quotation mark on either side of it, with what the other language has for these."""
    written = _WRITTEN[direction.source]
    for span in kept:
        whole = Span(span.start - 1, span.end + 1)
        inside = text[span.start : span.end]
        marks = written.get(text[max(0, whole.start) : span.start] + text[span.end : whole.end])
        if marks and not _MARKUP.match(inside) and not _is_within_word(text, whole):
            yield Match(whole, f"{marks[0]}{inside}{marks[1]}")


def _is_within_word(text: str, span: Span) -> bool:
    """Whether a letter or digit stands beside it, as in 5"{x}"."""
    return text[max(0, span.start - 1) : span.start].isalnum() or text[span.end : span.end + 1].isalnum()
