"""What stands in quotation marks and is not for the network, which loses the marks, and the words beside.

What is kept, as "%s", stays; a phrase, such as what a button says in a manual, is looked up: Press "Sign in".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from service.pipeline.finders.match import Match
from service.pipeline.finders.phrases import LONGEST, find_phrase
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
_QUOTATION = re.compile(rf"[\"“„”»«](?P<inside>[^\"“„”»«\s](?:[^\"“„”»«\n]{{0,{LONGEST}}}[^\"“„”»«\s])?)[\"”“«»]")
_MARKUP = re.compile(r"[<&\\]|[*_~=()\[\]]+$")
"""Begins what is not shown to the network at all."""


def find_quoted(text: str, kept: Sequence[Span], direction: Direction) -> Iterator[Match]:
    """What of `kept`, and which phrase, is all of a quotation, with the marks that the other language has.

    A phrase with something kept in it is left to the network.
    """
    written = _WRITTEN[direction.source]
    for span in kept:
        whole = Span(span.start - 1, span.end + 1)
        inside = text[span.start : span.end]
        marks = written.get(text[max(0, whole.start) : span.start] + text[span.end : whole.end])
        if marks and not _MARKUP.match(inside) and not _is_within_word(text, whole):
            yield Match(whole, f"{marks[0]}{inside}{marks[1]}")
    for quotation in _QUOTATION.finditer(text):
        whole = Span(*quotation.span())
        marks = written.get(text[whole.start] + text[whole.end - 1])
        if not marks or _is_within_word(text, whole) or any(whole.start < one.end <= whole.end for one in kept):
            continue
        inside = quotation["inside"]
        if inside.endswith(",") and direction.source == "en":
            continue  # German has it outside, where the network writes it: "Hello," said the man
        if (" " in inside or inside[0].isupper()) and (phrase := find_phrase(inside, direction)):
            yield Match(whole, f"{marks[0]}{phrase}{marks[1]}")


def _is_within_word(text: str, span: Span) -> bool:
    """Whether a letter or digit stands beside it, as in 5"{x}"."""
    return text[max(0, span.start - 1) : span.start].isalnum() or text[span.end : span.end + 1].isalnum()
