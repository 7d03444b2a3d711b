"""Prices are read as the network has often seen them.

$1.2bn is $1.2 billion, $50k is $50,000, 5,- € is 5 €, and 5 €/Tag is 5 € pro Tag.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from service.pipeline.edits import Edit, apply
from service.pipeline.numbers.amounts import CURRENCY_SIGNS
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from service.pipeline.edits import Edited

__all__ = ["spell_out"]

_SIGN = f"[{CURRENCY_SIGNS}]"
_THOUSANDS = re.compile(rf"{_SIGN}\s?[1-9]\d{{0,2}}(?P<scale>[kK])(?![\w-])")
"""$50k."""
_SCALED = re.compile(rf"{_SIGN}\s?\d{{1,4}}(?:\.\d{{1,3}})?(?P<scale>bn|tn|mn?|[MB])(?![\w-])")
"""$1.2bn, €3m."""
_PER = re.compile(rf"{_SIGN}(?P<slash>/)(?=[A-ZÄÖÜ][a-zäöüß]{{2}})")
"""5 €/Tag."""
_NO_CENTS = re.compile(
    rf"(?P<dashes>,(?<=\d,)[-–—]{{1,2}})(?=\s?(?:{_SIGN}|(?:CHF|EUR|Euro|Franken)\b))"
    r"|(?:CHF|EUR|Fr\.)(?<!\w...)\s?\d[\d'’.]{0,9}(?P<swiss>[.,][-–—]{1,2})(?!\w)"
)
"""5,- €, 10,-- Euro, CHF 5.-."""
_WRITTEN = {
    **dict.fromkeys("kK", ",000"),
    **dict.fromkeys(("m", "mn", "M"), " million"),
    **dict.fromkeys(("bn", "B"), " billion"),
    "tn": " trillion",
    "/": " pro ",
}
"""What is written for what has been found; for dashes, nothing."""


def spell_out(text: str, language: str) -> Edited:
    """A text with words for what prices are scaled by, or in German without dashes for cents and slashes."""
    patterns = (_THOUSANDS, _SCALED) if language == "en" else (_NO_CENTS, _PER)
    edited = apply(text, ())
    for pattern in patterns:
        edited = edited.then(apply(edited.text, list(_edits(pattern, edited.text))))
    return edited


def _edits(pattern: re.Pattern[str], text: str) -> Iterator[Edit]:
    for found in pattern.finditer(text):
        group = found.lastgroup or 0
        yield Edit(Span(*found.span(group)), _WRITTEN.get(found[group], ""))
