"""Characters that the vocabulary lacks: signs such as € and ™, emoji, letters of other languages.

The network reads and writes them in bytes, and where it gets one of those wrong no character is left at all. So they
are kept from it: signs by themselves, letters with the word they are in, which is a name or foreign anyway.
"""

from __future__ import annotations

import unicodedata
from itertools import groupby
from typing import TYPE_CHECKING

from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

    from model.bundle import Tokenizer

__all__ = ["find_spelled"]

_WORD, _SIGN = "word", "sign"
_INVISIBLE = {"Cc", "Cf"}
"""Controls and joiners: part of a sign where they stand within one, else nobody misses them."""


def find_spelled(text: str, tokenizer: Tokenizer) -> Iterator[Span]:
    """Where in a text such signs and words stand, in order."""
    if not (spelled := tokenizer.spelled(text)):
        return
    visible = {char for char in spelled if unicodedata.category(char) not in _INVISIBLE}
    place = 0
    for kind, run in groupby(text, key=lambda char: _kind(char, spelled)):
        part = "".join(run)
        if kind and not visible.isdisjoint(part):
            yield Span(place, place + len(part))
        place += len(part)


def _kind(char: str, spelled: AbstractSet[str]) -> str:
    if char.isalnum() or unicodedata.category(char)[0] == "M":
        return _WORD
    return _SIGN if char in spelled else ""
