"""Pieces of numbers: a network that writes all digits at once may lose one, write one twice, or leave one behind."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from service.pipeline.numbers.numerals import Both, Number
    from service.types import Span

__all__ = ["find_garbled", "find_leftovers"]

_FEWEST_DIGITS = 3
"""A shorter number is too like others to be known by its digits."""
_FEWEST_LEFT = 2
_MOST_DIGITS = 12
_MOST_APART = 2
"""Digits that one of them has more."""


def find_garbled(missing: Sequence[Number], extra: Sequence[Number]) -> list[tuple[Number, Number]]:
    """Pairs of a number that is missing and one that has all but one or two of its digits, or as many more.

    That is 95 or 008 or 19181, for 1995, 2008 and 1981.

    Args:
        missing: numbers of the sentence that are not in the translation.
        extra: those of the translation that are not in the sentence.
    """
    return [(one, other) for one in missing for other in extra if _are_alike(one.text, other.text)]


def find_leftovers(both: Both, missing: Sequence[Number], extra: Sequence[Number]) -> list[tuple[Number, Span]]:
    """Digits at the end of a word that are, begin or end a number which is there as well, and where they stand.

    That is the 2 of "the winter games2 in 2022", and the 7 of "am7 am 7. Mai"; the one of CO2 is none.

    Args:
        both: the sentence and its translation.
        missing: numbers of the sentence that are not in the translation.
        extra: those of the translation that are not in the sentence.
    """
    target = both.target
    lost = {one.span for one in missing}
    known = [one.text for one in both.ours if one.span not in lost]
    return [
        (one, one.span)
        for one in extra
        if target[one.span.start - 1 : one.span.start].islower()
        and not target[one.span.end : one.span.end + 1].isalpha()
        and any(one.text == text or _is_end(one.text, text) for text in known)
        and not any(_is_end(one.text, number.text) for number in missing)
    ]


def _is_end(piece: str, number: str) -> bool:
    """Whether digits are the beginning or the end of longer ones."""
    return piece != number and (number.startswith(piece) or number.endswith(piece))


def _are_alike(right: str, wrong: str) -> bool:
    if not (right.isdecimal() and wrong.isdecimal() and _FEWEST_DIGITS <= len(right) <= _MOST_DIGITS):
        return False
    if not (len(wrong) >= _FEWEST_LEFT and 0 < abs(len(right) - len(wrong)) <= _MOST_APART):
        return False
    short, long = sorted((right, wrong), key=len)
    return _is_subsequence(short, long)


def _is_subsequence(short: str, long: str) -> bool:
    digits = iter(long)
    return all(digit in digits for digit in short)
