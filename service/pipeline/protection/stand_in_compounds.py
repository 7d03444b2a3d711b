"""Which stand-ins make no compound: the network writes "X1-Dateien" for "X1 files", whatever X1 stands for.

That is right of "%s files", if a kind of files is meant, but not of "%d files", nor of an option and its value.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from service.pipeline.edits import Edit
from service.types import Span

if TYPE_CHECKING:
    from service.pipeline.pieces import Item, Protected

__all__ = ["split_compound"]

_IN_COMPOUND = re.compile(r"-(?=(?:[A-Z]-)?[A-ZÄÖÜ]\w*+(?!-\w))|-(?=\s(?:und|oder|bis|sowie)\s)")
"""Not as in X1-Tage-Frist and X1-seitig."""
_NAME_OF_NUMBER = (
    r"[nN]|\w{0,30}?(?:(?<![aA]c)(?<![dD]is)[cC]ount|[nN]um(?:ber)?|[tT]otal|[aA]mount)"
    r"|(?:n|num|total|count|max|min|limit|remaining)(?:_\w{1,30}|[A-Z]\w{0,30})?"
)
_NAME_OF_ANYTHING = r"[0-9]{0,2}|[ix]|val(?:ue)?|arg[0-9]?|\w{1,30}(?<![aisu])s"
_DIRECTIVE = r"%(?:[0-9]{1,3}\$|\(\w{1,64}\))?[-+#0]{0,5}[0-9]{0,5}(?:hh?|ll?|[Lqjzt])?"
_BRACES = r"[$#%]?\{{{{1,2}}\s*(?:{})\s*(?:[:,][^{{}}]{{0,30}})?\}}{{1,2}}"
_NUMBER = re.compile(rf"{_DIRECTIVE}[diu]|%n|{_BRACES.format(_NAME_OF_NUMBER)}")
"""What stands for one: %d, {count}, {numFiles}. "%d files" are no "%d-Dateien"."""
_ANYTHING = re.compile(rf"{_DIRECTIVE}[@s]|{_BRACES.format(_NAME_OF_ANYTHING)}")
"""What may stand for one, before a plural: %s, {0}, {days}."""
_OTHERS = r"(?:\s(?:and|or|to)\s[A-Z][0-9]{1,3})*+"
_PLURAL = re.compile(
    rf"{_OTHERS}\s(?!(?:setting|option|preference|propertie|detail|credential|new)s\b)[a-z]{{2,30}}(?<![siu])s\b"
)
"""An English noun, but for those that are hardly counted."""
_OPTION = re.compile(r"--?\w[\w-]*+")
_VALUE = re.compile(r"\s[<[]?[A-Z][A-Z_-]{2,}\b")
"""What an option takes: --config PATH."""
_GENITIVE = re.compile(r"\w['’]s?\Z")
"""Of Jane Smith's house."""
_AROUND = re.compile(r"<[^<>]*+>|`")
"""Markup beside a placeholder, which is kept with it."""


def split_compound(protected: Protected, item: Item, target: str, end: int, language: str) -> Edit | None:
    """A space for the hyphen after what stands for a number, or is an option; none for that in X1- und X2-Dateien.

    Args:
        protected: the sentence.
        item: of it.
        target: its translation.
        end: where the stand-in of the item ends in that.
        language: of the sentence.
    """
    hyphen = _IN_COMPOUND.match(target, end)
    if not hyphen or not _makes_no_compound(protected, item, language):
        return None
    return Edit(Span(*hyphen.span()), "" if target[hyphen.end()].isspace() else " ")


def _makes_no_compound(protected: Protected, item: Item, language: str) -> bool:
    """Whether something stands for a number or a name in the genitive, or is an option before its value."""
    if not protected.text.startswith(" ", item.shown.end):
        return False
    if _GENITIVE.search(protected.sentence, item.source.start, item.source.end):
        return True
    output = _AROUND.sub("", item.output)
    if _OPTION.fullmatch(output):
        return bool(_VALUE.match(protected.sentence, item.source.end))
    is_counted = language == "en" and _PLURAL.match(protected.text, item.shown.end)
    return bool(_NUMBER.fullmatch(output) or (is_counted and _ANYTHING.fullmatch(output)))
