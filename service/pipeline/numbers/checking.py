"""Are the numbers of a sentence in its translation? A wrong one is put right where it is clear which it should be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from service.pipeline.numbers.differences import find_differences
from service.pipeline.numbers.numerals import Both, count_numbers, has_digits, read_numbers, read_source
from service.pipeline.numbers.repairing import Repair, repair

if TYPE_CHECKING:
    from collections.abc import Sequence

    from model.bundle import Direction
    from service.types import Link

__all__ = ["check_numbers"]

_MOST_NUMBERS = 400
"""In a sentence and its translation; where there are more they are not compared."""


def check_numbers(
    source: str, target: str, links: Sequence[Link], direction: Direction, *, judged: bool = False
) -> Repair:
    """Compare the numbers of a sentence and its translation. What is to be left out of account is blank in both.

    Of one that is only `judged` no edits are needed.
    """
    if not has_digits(source) and not has_digits(target):
        return Repair((), sound=True)
    if count_numbers(source) + count_numbers(target) > _MOST_NUMBERS:
        return Repair((), sound=False)
    ours, theirs = read_source(source, direction.source), read_numbers(target, direction.target)
    both, wrong = find_differences(Both(source, target, links, direction, ours, theirs), judged=judged)
    return repair(both, wrong, judged=judged)
