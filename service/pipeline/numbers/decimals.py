"""Which decimals of an English text are no versions and no sections, so that German must write them with a comma.

"We measured 1.7, 40.8 and 43.9" are: some of them show it, and so all of one list. 40.8 in a German text is a date, and
166.031 a thousand times as much as was meant.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from service.pipeline.numbers.numerals import Number
    from service.types import Span

__all__ = ["find_decimals"]

_DECIMAL = re.compile(r"\d++\.\d++")
_EXACT = re.compile(r"(?!0\.|\d++\.\d00\Z)(?:\d{1,3}\.\d{3}|\d{3,}\.\d++)")
"""Like no version. 1.500 may be thousands, as others write them."""
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})++")
_NO_END = re.compile(r"[.-]?\w")
"""What no number ends with: 4.2-rc1, 192.168.x."""
_SIGN = re.compile(r"(?:^|[\s(,;:])[-+−]$")
"""A sign before a number."""
_VALUE = re.compile(r"\b(?:is|are|was|were|of|at|by|about|average|mean)\s$")
"""What values follow, if there are others in the text; versions follow "to" and "from" as well."""
_NAME = re.compile(
    r"(?!(?:From|Between|About|Around|Nearly|Almost|Only|Over|Under|With|At|By|In|Of|The)\s$)(?<![^\W_])"
    r"(?:[A-Z][\w.-]{0,20}|v|(?:versions?|releases?|sections?|chapters?|figures?|tables?|articles?|rules?|pages?|items?|"
    r"steps?|lines?|levels?|clauses?|paragraphs?|numbers?|nos?|fig|ch|sec)\.?)\s?$"
)
"""Python, section: a number after it names something."""
_IN_LIST = re.compile(r"\s?[,;/x×–-]\s?(?:and\s|or\s)?|\s(?:and|or|to|of)\s|\s\((?:SD|SE|SEM)\s")
"""What is between two numbers of one list or range."""
_JOINT = re.compile("[/x×–-]")
_LONGEST_BEFORE = 24


def find_decimals(text: str, numbers: Sequence[Number], written: Sequence[Number]) -> set[Span]:
    """Where they are, and thousands, among the numbers of an English text.

    Args:
        text: the English one.
        numbers: all of it.
        written: those of its German translation, some of which may have a comma already.
    """
    if "." not in text or not any(_may_be_decimal(one) for one in numbers):
        return set()
    there = {one.text for one in written}
    known = {one.span for one in numbers if (one.amount and _may_be_decimal(one)) or _THOUSANDS.fullmatch(one.text)}
    unknown = {one.span for one in numbers if _may_be_decimal(one) and not one.amount and not _is_name(text, one)}
    known |= {one.span for one in numbers if one.span in unknown and _is_sure(text, one, there)}
    known.update(_in_ranges(text, numbers, unknown))
    if known:
        known |= {one.span for one in numbers if one.span in unknown and _VALUE.search(_before(text, one))}
    for row in (numbers, numbers[::-1]):
        known.update(_in_lists(text, row, known, unknown))
    return known


def _may_be_decimal(number: Number) -> bool:
    return bool(_DECIMAL.fullmatch(number.text)) and not (number.fixed or number.clock)


def _before(text: str, number: Number) -> str:
    return text[max(0, number.span.start - _LONGEST_BEFORE) : number.span.start]


def _is_name(text: str, number: Number) -> bool:
    return bool(_NAME.search(_before(text, number)) or _NO_END.match(text, number.span.end))


def _is_sure(text: str, number: Number, there: set[str]) -> bool:
    """Whether it is written like no version, or the network has given it a comma."""
    start = number.span.start
    if _EXACT.fullmatch(number.text) or _SIGN.search(text[max(0, start - 2) : start]):
        return True
    return number.text.replace(".", ",") in there and number.text not in there


def _in_ranges(text: str, numbers: Sequence[Number], unknown: set[Span]) -> Iterator[Span]:
    """Two with nothing but a sign between them: 1.2–3.4."""
    for one, other in pairwise(numbers):
        if {one.span, other.span} <= unknown and _JOINT.fullmatch(text, one.span.end, other.span.start):
            yield from (one.span, other.span)


def _in_lists(text: str, row: Sequence[Number], known: set[Span], unknown: set[Span]) -> Iterator[Span]:
    """Those that a known one stands beside, in the order of the row."""
    for one, other in pairwise(row):
        first, last = sorted((one.span, other.span), key=lambda span: span.start)
        if one.span in known and other.span in unknown and _IN_LIST.fullmatch(text, first.end, last.start):
            known.add(other.span)
            yield other.span
