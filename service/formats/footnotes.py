"""Footnote marks in running text: the raised "4" or "[4]" after a word, which points to a note.

Read as text such a mark would become a part of its word, "manual4", which the network does not know. An exponent is
raised likewise, but is a part of what it follows, and is read with it.
"""

from __future__ import annotations

import re

__all__ = ["TAIL", "is_footnote_mark"]

TAIL = 16
"""Characters before a mark that are enough to tell."""

_NUMBERS = r"\d+(?:\s?[,–-]\s?\d+)*"
_SIGNS = r"[*†‡§¶]+"
_PLAIN = re.compile(rf"\s*\(?(?:{_NUMBERS}|{_SIGNS})\)?\s*")
_BRACKETED = re.compile(rf"\s*(?:\[\s?(?:(?:[a-z]{{1,4}}\s)?{_NUMBERS}|[a-z]|{_SIGNS})\s?\]\s*)+")
_AFTER_WORD = re.compile(r"[^\W\d_]['’]?[^\W\d_][^\w\s]{0,3}$")
_POWER = re.compile(r"\s*[23]\s*")
_AFTER_UNIT = re.compile(r"(?<![^\W\d_])(?:[cdkmnµμ]m|ft|in|mi|yd)$")
"""Units of length, which have squares and cubes."""


def is_footnote_mark(raised: str, before: str, *, linked: bool) -> bool:
    """Whether raised text points to a note.

    Args:
        raised: the text.
        before: what it follows, `TAIL` characters of it at least.
        linked: it is a link, which no exponent is.
    """
    if not before or before[-1].isspace():
        return False
    if _BRACKETED.fullmatch(raised):
        return True
    if not _PLAIN.fullmatch(raised):
        return False
    if linked:
        return True
    return bool(_AFTER_WORD.search(before)) and not (_POWER.fullmatch(raised) and _AFTER_UNIT.search(before))
