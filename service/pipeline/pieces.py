"""What the network is asked about: pieces of sentences, and what is kept of them from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from service.pipeline.edits import blank

if TYPE_CHECKING:
    from service.pipeline.edits import Edited
    from service.types import Inline, Span

__all__ = ["Item", "Mark", "Piece", "Protected", "Quantity", "Substitute", "Tokenised"]


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
class Quantity:
    """A number, its digits alone, or the stand-in of one; where its unit is read, and what to write for that."""

    number: str
    unit: Span
    output: str


@dataclass(frozen=True, slots=True)
class Substitute:
    """What the network may write for a word that it has read instead of another, `read`, and what is `meant` by each.

    `count` says how often it has read it, and `copied` what it may merely have copied.
    """

    read: tuple[str, ...]
    meant: tuple[str, ...]
    count: int
    copied: tuple[str, ...] = ()


class Protected(NamedTuple):
    """A sentence, what the network is to read instead, and what is needed on the way back.

    Args:
        sentence: as it is in the text.
        text: as the network reads it.
        items: what has a stand-in, in the order of these.
        marks: what is not shown.
        letter: what the stand-ins begin with.
        edited: from sentence to text, unless these are the same.
        kept: what must be in the translation as often as it was taken out.
        capitals: what of the text is to be in capitals again.
        is_corrected: whether words of it have been taken for misspelt.
        end_mark: what the text ends with and the sentence does not.
        currency: the sign that its dollars stand for.
        quantities: what its megabytes stand for.
        substitutes: what words stand for that are read instead of those meant.
        entities: as what the sentence has characters that are read.
        has_beginning: whether the text begins with And or Please, and the sentence does not.
        is_greeted: whether it is the first of a letter, after "Dear Ms Lee,": German goes on with a small letter.
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
    end_mark: str = ""
    currency: str = ""
    quantities: tuple[Quantity, ...] = ()
    substitutes: tuple[Substitute, ...] = ()
    entities: tuple[str, ...] = ()
    has_beginning: bool = False
    is_greeted: bool = False

    @property
    def translatable(self) -> bool:
        """Whether words are left for the network to read; if not, `text` itself is what to restore."""
        known = [*(item.shown for item in self.items), *(quantity.unit for quantity in self.quantities)]
        return any(map(str.isalpha, blank(self.text, known)))


@dataclass(frozen=True, slots=True)
class Piece:
    """A sentence or a part of one, no longer than the network takes.

    `ids` are of what the network reads of it; there are none if there is nothing to translate: the piece then passes
    through as it is. `settled` is the translation of a piece without ids that does not pass through after all: a term
    of a glossary, or a phrase.
    """

    protected: Protected
    ids: tuple[int, ...] = ()
    settled: str | None = None

    @property
    def text(self) -> str:
        """As it is in the text."""
        return self.protected.sentence


@dataclass(frozen=True, slots=True)
class Tokenised:
    """One text as "gap piece gap piece … gap"."""

    gaps: tuple[str, ...]
    pieces: tuple[Piece, ...]
