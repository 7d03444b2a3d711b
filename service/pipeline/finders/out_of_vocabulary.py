"""Characters that the vocabulary lacks: signs such as € and ™, emoji, letters of other languages.

The network reads and writes them in bytes, and where it gets one of those wrong no character is left at all. So they
are kept from it: signs by themselves, as numbers of footnotes, letters with the word they are in, which is a name or
foreign anyway. The capital ẞ is not: `orthography` reads words in capitals in lower case.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import groupby
from typing import TYPE_CHECKING

from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

    from model.bundle import Tokenizer

__all__ = ["find_out_of_vocabulary"]

_WORD, _SIGN = "word", "sign"
_FOOTNOTE = re.compile(r"(?<=[a-zäöüß]{4})[¹²³⁰⁴-⁹]{1,3}(?!\w)")
"""Wort¹. After a word: what is shorter is a unit or a formula, and what has a capital at its end a name."""
_TEMPERATURE = re.compile(r"(?<=°) ?[CF](?!\w)")
"""The letter of °C, which without its sign is lost."""
_INVISIBLE = {"Cc", "Cf"}
"""Controls and joiners: part of a sign where they stand within one, else nobody misses them."""


def find_out_of_vocabulary(text: str, tokenizer: Tokenizer) -> Iterator[Span]:
    """Where in a text such signs and words stand, in order."""
    spelled = {char for char in tokenizer.spelled(text) if tokenizer.spelled(char.lower())}
    if not spelled:
        return
    footnotes = {place for found in _FOOTNOTE.finditer(text) for place in range(*found.span())}
    visible = {char for char in spelled if unicodedata.category(char) not in _INVISIBLE}
    place = 0
    kinds = (_SIGN if at in footnotes else _kind(char, spelled) for at, char in enumerate(text))
    for kind, run in groupby(kinds):
        part = text[place : place + sum(1 for _ in run)]
        end = place + len(part)
        if kind and not visible.isdisjoint(part):
            letter = _TEMPERATURE.match(text, end)
            yield Span(place, letter.end() if letter else end)
        place = end


def _kind(char: str, spelled: AbstractSet[str]) -> str:
    if char.isalnum() or unicodedata.category(char)[0] == "M":
        return _WORD
    return _SIGN if char in spelled else ""
