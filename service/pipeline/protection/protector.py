"""What becomes of a piece of a sentence before the network reads it.

find -> take out -> in dollars -> in plain words -> in known constructions -> in megabytes -> in known words
-> after And or Please -> normalise
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from service.pipeline.finders.attributions import find_attribution
from service.pipeline.finders.citations import find_citations
from service.pipeline.finders.companies import find_companies
from service.pipeline.finders.counterparts import find_counterparts
from service.pipeline.finders.dollars import find_prices, only_currency
from service.pipeline.finders.inches import find_inches
from service.pipeline.finders.keystrokes import find_keys
from service.pipeline.finders.letters import find_formulas
from service.pipeline.finders.names import find_names
from service.pipeline.finders.placeholders import merge_spans
from service.pipeline.finders.places import find_places
from service.pipeline.finders.quoted import find_quoted
from service.pipeline.finders.time_spans import find_time_spans
from service.pipeline.pieces import Protected
from service.pipeline.protection.rereading import (
    after_beginning,
    in_dollars,
    in_known_constructions,
    in_known_words,
    in_megabytes,
    in_plain_words,
    reread,
)
from service.pipeline.protection.restoration import restore
from service.pipeline.protection.stand_ins import protect

if TYPE_CHECKING:
    from collections.abc import Sequence

    from model.bundle import Dictionary, Direction, Tokenizer
    from service.pipeline.finders.match import Match
    from service.pipeline.normalisation.normaliser import Normaliser
    from service.types import Span, Term

__all__ = ["Protector"]


@dataclass(frozen=True, slots=True)
class Protector:
    """Protects the pieces of one request.

    Args:
        direction: of the translation.
        terms: of the caller's glossary.
        normaliser: of the source language.
        dictionary: of the direction, if it has one.
        unknown_signs: of currencies that the vocabulary lacks.
        tokenizer: of what the network reads.
    """

    direction: Direction
    terms: tuple[Term, ...]
    normaliser: Normaliser
    dictionary: Dictionary | None
    unknown_signs: frozenset[str]
    tokenizer: Tokenizer

    def protect(self, text: str, kept: Sequence[Span]) -> Protected:
        """A piece as the network is to read it, without the spans of it that are to be kept."""
        prices = find_prices(text, self.unknown_signs)
        currency = only_currency(text, prices)
        if prices and not currency:
            kept = merge_spans([*kept, *prices])
        known = self._known(text, kept)
        protected = Protected(text, text)
        if kept or self.terms or known:  # what else `protect` would find has been looked for in the whole block
            protected = protect(text, kept, self.terms, known)
        if currency:
            protected = in_dollars(protected, currency)
        protected = in_plain_words(protected, self.direction.source)
        protected = in_known_constructions(protected, self.direction.source, self.dictionary)
        protected = in_megabytes(protected, self.direction)  # before abbreviations: after a number, Fr. is no Friday
        protected = in_known_words(protected, self.direction, self.dictionary)
        protected = after_beginning(protected, self.direction.source, self.dictionary, self.tokenizer)
        read = self.normaliser.normalised(protected.text)
        return reread(protected, read.edited)._replace(
            capitals=read.capitals, is_corrected=read.is_corrected, end_mark=read.end_mark
        )

    def settle(self, protected: Protected) -> str:
        """The translation of a piece of which the network has nothing to read."""
        return restore(protected, protected.text, (), self.direction).text

    def _known(self, text: str, kept: Sequence[Span]) -> list[Match]:
        """What is known to be written otherwise, or kept; of what meets, the first counts.

        Names are part of attributions and formulas.
        """
        return [
            *find_attribution(text, self.direction),
            *find_keys(text, self.direction),
            *find_time_spans(text, self.direction),
            *find_quoted(text, kept, self.direction),
            *find_citations(text, self.direction),
            *find_counterparts(text, self.direction),
            *find_inches(text, self.direction),
            *find_formulas(text, self.direction),
            *find_companies(text, self.direction, self.dictionary),
            *find_names(text, self.direction, self.dictionary),
            *find_places(text, self.direction),
        ]
