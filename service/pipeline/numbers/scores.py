"""Scores and ranges, 2–0 and 11–5: two numbers with a dash between them that must not come apart, nor change places."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from service.pipeline.edits import Edit
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from service.pipeline.numbers.numerals import Both, Number

__all__ = ["rejoined"]

_COLON = re.compile(r"\d{1,3}:\d{1,3}")
_DASH = re.compile("[-–]")
_MORE_BEFORE, _MORE_AFTER = re.compile(r"[\w.,:/–-]"), re.compile(r"[\w–-]|[.,:/]\d")
"""What makes a date or a telephone number of both."""
_APART = re.compile(r"\s")
_BESIDE = re.compile(r"\s?[-–:]?\s?")


class _Score(NamedTuple):
    """How it is written, and both numbers."""

    text: str
    sides: tuple[tuple[str, ...], tuple[str, ...]]


def rejoined(both: Both) -> Iterator[Edit]:
    """What to write where the translation has "2 0", "2 00", "0–2" or "2.0" instead of "2–0"."""
    ours, theirs, source, target = both.ours, both.theirs, both.source, both.target
    scores = [
        _Score(source[first.span.start : last.span.end], (first.parts, last.parts))
        for first, last in pairwise(ours)
        if _is_joined(first, last, source)
    ]
    scores += [
        _Score(one.text, (one.parts[:1], one.parts[1:])) for one in ours if _COLON.fullmatch(one.text) and not one.clock
    ]
    known = {score.sides for score in scores}
    texts = {one.text for one in ours}
    for score in scores:
        if score.text in target:
            continue
        swapped = score.sides[::-1] if score.sides[::-1] not in known else score.sides
        for one, other in pairwise(theirs):
            found = one.parts, other.parts
            between = _APART if found == score.sides else _BESIDE
            if found in (score.sides, swapped) and between.fullmatch(target, one.span.end, other.span.start):
                yield Edit(Span(one.span.start, other.span.end), score.text)
                break
        else:
            as_one = {re.sub("[:–-]", point, score.text) for point in ".,"} - texts
            yield from (Edit(one.span, score.text) for one in theirs if one.text in as_one)


def _is_joined(first: Number, last: Number, source: str) -> bool:
    if not (first.text.isdecimal() and last.text.isdecimal()):
        return False
    if not _DASH.fullmatch(source, first.span.end, last.span.start):
        return False
    return not (
        _MORE_BEFORE.fullmatch(source[max(0, first.span.start - 1) : first.span.start])
        or _MORE_AFTER.match(source, last.span.end)
    )
