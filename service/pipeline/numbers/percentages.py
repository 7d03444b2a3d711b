"""Is each percent sign beside the number that has it in the sentence? One that has wandered goes back."""

from __future__ import annotations

import re
from collections import Counter
from itertools import zip_longest
from typing import TYPE_CHECKING

from service.pipeline.edits import Edit
from service.pipeline.numbers.amounts import SHARED
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from service.pipeline.numbers.numerals import Both, Number

__all__ = ["check_percent_signs"]

_SIGN = re.compile(r"\s?%(?![\w%])")
"""% of 5% and 5 %; not %% nor %s."""
_PERCENT = re.compile(r"[\s-]{0,2}(?:%|per ?cent|prozent)", re.IGNORECASE)
"""%, percent, Prozent: what follows a percentage."""
_ANY_PERCENT = re.compile(r"%|per ?cent|prozent", re.IGNORECASE)
_JOINED = re.compile(r"[-\w]")


def check_percent_signs(both: Both, righted: Sequence[tuple[Number, Number]]) -> list[Edit]:
    """Compare the percent signs of a sentence and its translation.

    Args:
        both: of these; without what is repeated in the translation, which is blank there.
        righted: for each wrong number of the translation the right one that will be written for it, before it.

    Returns:
        What to change in the translation.
    """
    ours, theirs, source, target = both.ours, both.theirs, both.source, both.target
    if "%" not in source:
        return []
    values = {wrong.span: right.meant for right, wrong in righted}
    meant = [values.get(one.span, one.meant) for one in theirs]
    wanted = Counter(one.meant for one in ours if _PERCENT.match(source, one.span.end))
    plain = {one.meant for one, after in zip_longest(ours, ours[1:]) if not _is_percentage(source, one, after)}
    written = Counter(value for value, one in zip(meant, theirs, strict=True) if _PERCENT.match(target, one.span.end))
    edits = []
    for value, one, after in zip_longest(meant, theirs, theirs[1:]):
        sign = _SIGN.match(target, one.span.end)
        if sign and value in plain and value not in wanted:
            edits.append(Edit(Span(*sign.span()), ""))
        elif value in plain or written[value] >= wanted[value] or _JOINED.match(target, one.span.end):
            continue
        elif not _is_percentage(target, one, after):
            edits.append(Edit(Span(one.span.end, one.span.end), "%"))
            written[value] += 1
    gone = sum(not edit.text for edit in edits)
    lost = len(_ANY_PERCENT.findall(source)) - len(_ANY_PERCENT.findall(target)) + gone
    edits = edits if len(edits) - gone <= lost else []
    if both.direction.target == "en":
        taken = {edit.span.start for edit in edits}
        edits += [edit for edit in _without_spaces(both) if edit.span.start not in taken]
    return edits


def _without_spaces(both: Both) -> Iterator[Edit]:
    """English has no space before the sign: 5 % is 5%."""
    for one in both.theirs:
        sign = _SIGN.match(both.target, one.span.end)
        if sign and len(sign[0]) > 1:
            yield Edit(Span(sign.start(), sign.end() - 1), "")


def _is_percentage(text: str, number: Number, following: Number | None) -> bool:
    """Whether a number has a sign or a word for it, or shares that of the one that follows: 5 to 10%."""
    if _PERCENT.match(text, number.span.end):
        return True
    return bool(
        following
        and SHARED.fullmatch(text, number.span.end, following.span.start)
        and _PERCENT.match(text, following.span.end)
    )
