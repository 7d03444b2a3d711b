"""Abbreviations and units that have others for counterparts: 2 EL are 2 tbsp, and m/w/d is m/f/d.

Words cannot be put for them, or the network reads these no better. `counterparts.tsv` has them.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from service.pipeline.finders.match import Match
from service.pipeline.lists import lines_of
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from model.bundle import Direction

__all__ = ["find_counterparts"]

_FILE = "counterparts.tsv"
_WAYS = {"en-de": "=>", "de-en": "=<"}
_AFTER_NUMBER = "# "
_NUMBER_SIGN = "#"


def find_counterparts(text: str, direction: Direction) -> Iterator[Match]:
    """Those of a text that are listed, each with what the other language writes."""
    pattern, written = _read(str(direction))
    for found in pattern.finditer(text):
        yield Match(Span(*found.span()), written[found[0]])


@cache
def _read(direction: str) -> tuple[re.Pattern[str], dict[str, str]]:
    """What finds the abbreviations of one direction, and the counterpart of each."""
    patterns: dict[str, str] = {}
    written: dict[str, str] = {}
    for line in lines_of(_FILE):
        way, english, german = line.split("\t")
        if way not in _WAYS[direction]:
            continue
        source, target = (english, german) if direction == "en-de" else (german, english)
        text = source.removeprefix(_AFTER_NUMBER)
        before = r"(?<=[0-9½¼¾⅓⅔][ \u00a0\u202f])" if text != source else r"(?<![\w./&-])"
        after = r"(?=\d)" if text.endswith(_NUMBER_SIGN) else r"(?![\w/&-]|\.\w)"
        patterns[text] = before + re.escape(text) + after
        written[text] = target.removeprefix(_AFTER_NUMBER)
    longest_first = (patterns[text] for text in sorted(patterns, key=len, reverse=True))
    return re.compile("|".join(longest_first)), written
