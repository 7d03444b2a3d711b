"""Places in a message that a program fills in, such as $1 and $2: no prices, if they are numbered from 1."""

from __future__ import annotations

import re

from service.types import Span

__all__ = ["find_arguments"]

_ARGUMENT = re.compile(r"(?<![\w$\\])\$([1-9])(?![\w$]|[.,/–-]\$?\d)")
_MONEY = re.compile(
    r"[€£¥¢]|\b(?:USD?|EUR|dollars?|euros?|cents?|bucks?|money|cash|coins?|bills?|costs?|prices?|fees?|worth|cheap|each|per"
    r"|pa(?:y|ys|id|ying)|sp(?:end|ends|ent)|earn|save|bet|buy|sell|sold|charge|million|billion|thousand"
    r"|Geld|kosten|kostet|Preise?|Gebühr|wert|je|pro|Millionen|Milliarden)\b|zahl(?:en|t)\b",
    re.IGNORECASE,
)
"""In a text with one of these, $1 and $2 are prices."""


def find_arguments(text: str) -> list[Span]:
    """All of a text: at least two, numbered without a gap, and neither another dollar nor a word of money."""
    if "$1" not in text or "$2" not in text:
        return []
    found = list(_ARGUMENT.finditer(text))
    numbers = {int(one[1]) for one in found}
    if len(found) < text.count("$") or max(numbers) > len(numbers) or _MONEY.search(text):
        return []
    return [Span(*one.span()) for one in found]
