"""What stands beside a number and makes an amount of it: a currency sign, a percent sign, a unit.

An amount is always written as its language writes numbers. 3.5 alone may be a version or a section.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from service.types import Span

__all__ = ["CURRENCY_SIGNS", "is_amount", "sign_of"]

CURRENCY_SIGNS = "$\u00a2\u00a3\u00a5\u20a0-\u20cf"
"""For a set in a pattern. Without ¤, which stands for one that is kept."""

_ANY_CURRENCY = "¤"
_SIGN = rf"[{CURRENCY_SIGNS}{_ANY_CURRENCY}]"
_DEGREES = "°‰"

_UNITS = (
    "[kcm]?m|[km]?g|[mcd]?l|km/h|mph|[kMGT]i?B|[kMG]bit/s|[kMG]?Hz|[kM]?Wh?|kcal|px|pt|EUR|USD|GBP|CHF|"
    "per ?cent|Prozent|dollars?|euros?|pounds?|cents?|inch(?:es)?|feet|miles?|kilomet(?:er|re)s?|met(?:er|re)s?|"
    "hours?|minutes?|seconds?|years?|degrees?"
)
_BEFORE = re.compile(rf"(?<!\d)(?<!\d\s){_SIGN}\s{{0,4}}[-+−–]?$|\b(?:EUR|USD|GBP|CHF)\s$")
_AFTER = re.compile(rf"\s{{0,2}}(?:{_SIGN}(?!\d)|[%{_DEGREES}]|(?:(?<=\d)-)?(?:{_UNITS})(?![^\W_]))")
_LONGEST_BEFORE = 8


def is_amount(text: str, span: Span) -> bool:
    """Whether a number of a text is one."""
    before = text[max(0, span.start - _LONGEST_BEFORE) : span.start]
    return bool(_AFTER.match(text, span.end) or _BEFORE.search(before))


def sign_of(kept: str) -> str:
    """What of something kept must be seen beside a number: ¤ for a currency sign, a degree sign; else nothing."""
    if len(kept) != 1:
        return ""
    return _ANY_CURRENCY if unicodedata.category(kept) == "Sc" else kept if kept in _DEGREES else ""
