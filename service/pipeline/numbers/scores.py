"""Scores and ranges, 2–0 and 11–5: two numbers with a dash between them that must not come apart, nor change places."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from service.pipeline.edits import Edit
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from service.pipeline.numbers.numerals import Number

__all__ = ["rejoined"]

_DASH = re.compile("[-–]")
_MORE_BEFORE, _MORE_AFTER = re.compile(r"[\w.,:/–-]"), re.compile(r"[\w–-]|[.,:/]\d")
"""What makes a date or a telephone number of both."""
_APART = re.compile(r"\s")
_BESIDE = re.compile(r"\s?[-–:]?\s?")


def rejoined(ours: Sequence[Number], theirs: Sequence[Number], source: str, target: str) -> Iterator[Edit]:
    """What to write where the translation has "2 0", "2 00", "0–2" or "2.0" instead of "2–0".

    Args:
        ours: the numbers of the sentence.
        theirs: those of its translation.
        source: the sentence.
        target: its translation.
    """
    joined = [pair for pair in pairwise(ours) if _is_joined(*pair, source)]
    known = {(first.parts, last.parts) for first, last in joined}
    texts = {one.text for one in ours}
    written = list(pairwise(theirs)) if joined else []
    for first, last in joined:
        whole = source[first.span.start : last.span.end]
        sides, as_one = (first.parts, last.parts), {f"{first.text}{point}{last.text}" for point in ".,"} - texts
        if whole in target:
            continue
        swapped = sides[::-1] if sides[::-1] not in known else sides
        for one, other in written:
            found = one.parts, other.parts
            between = _APART if found == sides else _BESIDE
            if found in (sides, swapped) and between.fullmatch(target, one.span.end, other.span.start):
                yield Edit(Span(one.span.start, other.span.end), whole)
                break
        else:
            yield from (Edit(one.span, whole) for one in theirs if one.text in as_one)


def _is_joined(first: Number, last: Number, source: str) -> bool:
    if not (first.text.isdecimal() and last.text.isdecimal()):
        return False
    if not _DASH.fullmatch(source, first.span.end, last.span.start):
        return False
    return not (
        _MORE_BEFORE.fullmatch(source[max(0, first.span.start - 1) : first.span.start])
        or _MORE_AFTER.match(source, last.span.end)
    )
