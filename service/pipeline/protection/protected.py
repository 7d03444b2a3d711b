"""A sentence of which something is kept from the network."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from service.pipeline.edits import Edit, Edited, apply

if TYPE_CHECKING:
    from collections.abc import Sequence

    from service.types import Inline, Span

__all__ = ["Item", "Mark", "Protected", "blank", "is_word"]


@dataclass(frozen=True, slots=True)
class Item:
    """Something kept, or a term: `source` in the sentence, its stand-in at `shown`, `output` in the translation.

    `tight`: a letter or digit stands directly before it, and after it.
    """

    source: Span
    shown: Span
    output: str
    is_term: bool
    tight: tuple[bool, bool]


@dataclass(frozen=True, slots=True)
class Mark:
    """What is not shown; instead of it the network sees a space if `is_space`, else nothing."""

    inline: Inline
    is_space: bool


@dataclass(frozen=True, slots=True)
class Protected:
    """A sentence, and `text`, which the network is to read instead; of that, `capitals` are to be in capitals again.

    `is_corrected`: whether words of it have been taken for misspelt. `currency`: the sign that dollars stand for.
    """

    sentence: str
    text: str
    items: tuple[Item, ...] = ()
    marks: tuple[Mark, ...] = ()
    letter: str = ""
    edited: Edited | None = None
    kept: frozenset[str] = frozenset()
    capitals: tuple[Span, ...] = ()
    is_corrected: bool = False
    currency: str = ""

    @property
    def translatable(self) -> bool:
        """Whether words are left for the network to read; if not, `text` itself is what to restore."""
        return any(map(str.isalpha, blank(self.text, [(item.shown, "") for item in self.items])))


def blank(text: str, spans: Sequence[tuple[Span, str]]) -> str:
    """The text with spaces for the characters of spans, but for the sign that is given with each, if there is room."""
    ordered = sorted(spans, key=lambda one: one[0].start)
    edits = [Edit(span, sign.ljust(span.end - span.start)[: span.end - span.start]) for span, sign in ordered]
    return apply(text, edits).text if edits else text


def is_word(text: str, place: int) -> bool:
    """Whether a letter or digit is there."""
    return 0 <= place < len(text) and text[place].isalnum()
