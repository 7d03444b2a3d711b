"""Units of measure beside a number are read as megabytes, and those of the translation become what they were.

Megabytes are what the network has seen beside numbers; beside other units it loses letters, and words. `units.tsv`
lists them with those of the other language.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from service.pipeline.edits import Edit
from service.pipeline.lists import pairs_of
from service.pipeline.numbers.times_of_day import BEFORE_TIME
from service.pipeline.pieces import Quantity
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from model.bundle import Direction

__all__ = ["MEGABYTES", "find_quantities", "units", "without_megabytes"]

MEGABYTES = "MB"

_FILE = "units.tsv"
_FRACTION = "[½¼¾⅓⅔]"
_NUMBER = rf"(?:\d++(?:[.,/]\d++)*+(?: ?{_FRACTION})?+|{_FRACTION})"
_ANY_NUMBER = re.compile(rf"\d|{_FRACTION}")
_SPACE = "[ \u00a0\u202f]"
_ARTICLE = r"A\s(?!at\b|and\b|or\b|bei\b|und\b|oder\b)[a-zäöü]"
"""Rather than an ampere."""
_KNOWN = re.compile(r"(?<![^\W\d_])MBs?\b|[Mm]ega ?[Bb]yte")
"""With megabytes in it, nobody could tell afterwards which are meant."""
_WRITTEN = re.compile(
    rf"(?:(?P<number>{_NUMBER}|(?<![^\W_])[A-Z]\d{{1,3}})(?P<space>[-\s]?))?(?<![^\W\d_])"
    r"(?:(?:MBs?|[Mm]egabytes?)(?![^\W_])|MB(?=(?P<word>[a-zäöüß]{3})))"
    r"(?:-(?=\s)(?!\s(?:und|oder|bis|and|or|to)\b))?"
)
"""5 MB, 5MB, Megabytes, MB of MBtomaten; and a loose hyphen after them."""
_GLUED = r"(?=[^\W\d_]{2}|(?<!^[2-6])(?<![^\d.,][2-6])(?<!802\.11)g|[VW]|(?<=[.,]\d)l)"
"""Begins a unit that may follow its number without a space: 250ml, 7g, 45W, 1.5l; but not 5g, nor the seat 14A."""
_NAME = re.compile(r"(?<!\w)[A-ZÄÖÜ]\w{0,30}\s$")
_VERSIONS = ("9", "10", "11", "12")
"""Of databases, as in Oracle 11g."""
_TIME = re.compile(rf"\b(?:(?i:um|gegen|gg\.)\s\d\d?|{BEFORE_TIME}\s\d\d?[.:]\d\d)$")
"""Um 20, bis 20.15: before an h, times of day."""
_LONGEST_BEFORE = 40
"""Characters of a name, or of what tells that it is a time."""
_NUMBER_AFTER = re.compile(r"\s?\d")
_OF = " of"
_PLURAL_ENDING = re.compile(r"(?<!^million franc)(?<!^billion franc)(?<=[a-z]{3})s$|(?<=^Unze)n$")
_APART = re.compile(r"[.,/ ]")
_MOST = 100
"""Quantities of a sentence; one with more is no prose, and stays as it is."""
_MOST_DIGITS = 20
_LONE = r"(?<![\w.,:/-]){}(?![\w%°€$£-]|[.,:/]\d|\s?[%°€$£])"
"""A number without anything that makes an amount of it."""


def find_quantities(text: str, letter: str, direction: Direction) -> list[Quantity]:
    """Those of a text with a unit that the network knows too little.

    Args:
        text: as the network would read it.
        letter: what its stand-ins begin with, if it has any.
        direction: of the translation.
    """
    if not _ANY_NUMBER.search(text):  # as in most sentences
        return []
    pattern, outputs = _read(direction)
    found = [one for one in pattern.finditer(text) if _is_quantity(one, text, letter)]
    if not 0 < len(found) <= _MOST or _KNOWN.search(text):
        return []
    last = len(text.rstrip()) if text.rstrip().endswith(".") else None  # of the sentence, not only of "ft."
    ends = [one.end() - (one.end() == last) for one in found]
    return [
        Quantity(_digits(one["number"]), Span(one.start("unit"), end), _output(outputs[one["unit"]], one["number"]))
        for one, end in zip(found, ends, strict=True)
    ]


def _output(listed: str, number: str) -> str:
    """1 hectare of hectares; into German the singular is a line of its own."""
    return _PLURAL_ENDING.sub("", listed) if number == "1" else listed


def _is_quantity(found: re.Match[str], text: str, letter: str) -> bool:
    """Whether its number is one, or a stand-in; Oracle 11g is no quantity, nor is um 20 h."""
    if found["unit"] == "Fr." and (found["number"][0].isalpha() or _NUMBER_AFTER.match(text, found.end())):
        return False
    if found["number"][0].isalpha():
        return found["number"][0] == letter and not found["glued"]
    if found["unit"] == "h" and _TIME.search(text, max(0, found.start() - _LONGEST_BEFORE), found.end("number")):
        return False
    return not (
        found["glued"] == "g"
        and found["number"] in _VERSIONS
        and _NAME.search(text, max(0, found.start() - _LONGEST_BEFORE), found.start())
    )


def without_megabytes(text: str, quantities: Sequence[Quantity]) -> tuple[list[Edit], bool]:
    """What to write for the megabytes of a translation, to have the units meant.

    Returns:
        Edits, in order, and whether no unit is missing after them.
    """
    written = list(_WRITTEN.finditer(text))
    waiting = list(quantities)
    beside = [_taken(waiting, one["number"]) for one in written]  # these come first
    edits, meant = [], quantities[-1]
    for one, found in zip(written, beside, strict=True):
        meant = found or (waiting.pop(0) if waiting else meant)
        start = one.end("space") if one["number"] else one.start()
        apart = " " if one["number"] and not one["space"] else ""
        output = meant.output.removesuffix(_OF) if text.startswith(_OF, one.end()) else meant.output
        edits.append(Edit(Span(start, one.end()), apart + output + (" " if one["word"] else "")))
    lost = [_lost(text, quantity) for quantity in waiting]
    edits += [edit for edit in lost if edit]
    return sorted(edits, key=lambda edit: edit.span.start), None not in lost


def _taken(waiting: list[Quantity], number: str | None) -> Quantity | None:
    """The first quantity of a number, which waits no longer."""
    found = next((one for one in waiting if number and one.number == _digits(number)), None)
    if found:
        waiting.remove(found)
    return found


def _lost(text: str, quantity: Quantity) -> Edit | None:
    """A unit beside its number, which stands there once, alone."""
    if not quantity.number.isdecimal() or len(quantity.number) > _MOST_DIGITS:
        return None
    digits = r"[.,/]?".join(quantity.number)
    found = list(re.finditer(_LONE.format(digits), text))
    return Edit(Span(found[0].end(), found[0].end()), f" {quantity.output}") if len(found) == 1 else None


def _digits(number: str) -> str:
    return _APART.sub("", number)


def units(direction: Direction) -> dict[str, str]:
    """What the other language calls each unit that is read as megabytes."""
    return dict(pairs_of(_FILE, str(direction)))


@cache
def _read(direction: Direction) -> tuple[re.Pattern[str], dict[str, str]]:
    """What finds the units of one direction, and what the other language calls each."""
    outputs = units(direction)
    names = "|".join(re.escape(unit) for unit in sorted(outputs, key=len, reverse=True))
    return re.compile(
        rf"(?<![\w.,:/])(?<![^\W\d_]-)(?P<number>{_NUMBER}|[A-Z]\d{{1,3}})"
        rf"(?:{_SPACE}(?!{_ARTICLE})|(?<=\d){_GLUED}(?=(?P<glued>{names})))(?P<unit>{names})(?![\w²³&-]|/(?!\d)|\.\w)"
    ), outputs
