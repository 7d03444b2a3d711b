"""Prices are read as the network has often seen them.

$1.2bn is $1.2 billion, $50k is $50,000, $1.5k is $1,500, $25/hr is $25 per hour, 5,- € is 5 €, 5 €/Tag is 5 € pro
Tag, and 1'250.50, as Switzerland writes it, 1.250,50.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from service.pipeline.edits import Edit, apply
from service.pipeline.numbers.amounts import CURRENCY_SIGNS
from service.pipeline.numbers.numerals import has_digits
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from service.pipeline.edits import Edited

__all__ = ["spell_out"]

_SIGN = f"[{CURRENCY_SIGNS}]"
_KEPT_OR_SIGN = rf"(?:{_SIGN}\s?|(?<!\w)[XQ]\d{{1,2}}\s)"
"""A sign that is kept from the network is a stand-in."""
_FOUND = {
    "en": re.compile(
        rf"{_KEPT_OR_SIGN}(?:[1-9]\d{{0,2}}(?P<thousand>(?:\.\d{{1,3}})?[kK])|"
        r"\d{1,4}(?:\.\d{1,3})?(?P<scale>bn|tn|mn?|[MB]))(?![\w-])"
    ),
    "de": re.compile(
        r"(?<=\d\s)(?P<short>Mio\.|Mrd\.)(?=\s[XQ]\d)"
        r"|(?P<dashes>,(?<=\d,)[-–—]{1,2})(?![\w–—-]|\s\d)"
        r"|(?:CHF|EUR|Fr\.)(?<!\w...)\s?\d[\d'’.]{0,9}(?P<swiss>[.,][-–—]{1,2})(?!\w)"
        rf"|(?:{_SIGN}|(?<=\d\s)Euro)(?P<slash>/)(?=[A-ZÄÖÜ][a-zäöüß]{{2}})"
    ),
}
"""$50k, $1.2bn, €3m; 5,- €, 10,-- Euro, CHF 5.-, 5 €/Tag."""
_SWISS = re.compile(r"(?<![\w.,'’])[1-9]\d{0,2}(?:['’]\d{3})+(?:\.\d{2})?(?![\d'’]|[.,]\d)")
"""1'250.50."""
_PER = {"hr": "hour", "mo": "month", "pers": "person", "pp": "person", "wk": "week", "yr": "year"}
_UNITS = "|".join((*_PER, *_PER.values(), "day", "head", "item", "night", "piece", "seat", "user"))
_PER_UNIT = re.compile(rf"{_SIGN}\s?\d[\d.,]{{0,12}}(?<=\d)(?:[kKm]|\s[mb]illion)?(?P<per>(?:/(?:{_UNITS}))+)(?![\w/])")
"""$25/hr, €9/user/month."""
_USUAL = str.maketrans("'’.", "..,")
_WRITTEN = {
    **dict.fromkeys(("m", "mn", "M"), " million"),
    **dict.fromkeys(("bn", "B"), " billion"),
    "tn": " trillion",
    "/": " pro ",
    "Mio.": "Millionen",
    "Mrd.": "Milliarden",
}


def spell_out(text: str, language: str) -> Edited:
    """A text with words for what prices are scaled by, or in German without dashes for cents and slashes."""
    if not has_digits(text):
        return apply(text, ())
    numbers = _SWISS.finditer(text) if language == "de" else ()
    edited = apply(text, [Edit(Span(*one.span()), one[0].translate(_USUAL)) for one in numbers])
    if language == "en":
        edited = edited.then(apply(edited.text, _per_unit(edited.text)))
    found = ((one, one.lastgroup or 0) for one in _FOUND[language].finditer(edited.text))
    edits = [Edit(Span(*one.span(group)), _written(one[group])) for one, group in found]
    return edited.then(apply(edited.text, edits))


def _written(found: str) -> str:
    """What is written for what has been found; for dashes, nothing; 1.5k is 1,500."""
    return f",{found[1:-1]:0<3}" if found.endswith(("k", "K")) else _WRITTEN.get(found, "")


def _per_unit(text: str) -> Iterator[Edit]:
    """$25/hr is $25 per hour."""
    for found in _PER_UNIT.finditer(text):
        units = (_PER.get(unit, unit) for unit in found["per"].split("/")[1:])
        yield Edit(Span(*found.span("per")), "".join(f" per {unit}" for unit in units))
