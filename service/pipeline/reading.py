"""From a request to what the engine reads; phrases it need not read.

parse -> segment -> protect -> normalise -> tokenise
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from model.bundle import DIRECTIONS
from service.errors import FieldError, InvalidRequest
from service.formats import InvalidDocument, parse
from service.pipeline.edits import with_capital, with_small_letter
from service.pipeline.finders.attributions import find_attribution
from service.pipeline.finders.citations import find_citations
from service.pipeline.finders.companies import find_companies
from service.pipeline.finders.counterparts import find_counterparts
from service.pipeline.finders.dollars import READ_AS_DOLLARS, find_prices, only_currency
from service.pipeline.finders.glossary import find_terms
from service.pipeline.finders.inches import find_inches
from service.pipeline.finders.keystrokes import find_keys
from service.pipeline.finders.names import find_labelled_names, find_names
from service.pipeline.finders.out_of_vocabulary import find_out_of_vocabulary
from service.pipeline.finders.phrases import find_formulas, find_phrase, find_signatures, is_greeting, is_signature
from service.pipeline.finders.placeholders import find_placeholders, merge_spans
from service.pipeline.finders.places import find_places
from service.pipeline.finders.quoted import find_quoted
from service.pipeline.finders.signs import find_signs
from service.pipeline.finders.time_spans import find_time_spans
from service.pipeline.normalisation.abbreviations import find_day
from service.pipeline.normalisation.normaliser import Normaliser
from service.pipeline.normalisation.orthography import find_apostrophes
from service.pipeline.pieces import Protected
from service.pipeline.protection.rereading import in_dollars, in_known_words, in_megabytes, in_plain_words, reread
from service.pipeline.protection.restoration import restore
from service.pipeline.protection.stand_ins import protect
from service.pipeline.protection.substitutes import find_word
from service.pipeline.segmentation.sentences import segment
from service.pipeline.tokenisation import tokenise, within

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from model.bundle import Bundle, Dictionary, Direction, Fluency
    from service.formats import Document
    from service.pipeline.pieces import Piece, Tokenised
    from service.types import Block, Request, Segmented, Span, Term

__all__ = ["Reader", "SegmentedText", "TokenisedText", "find_sentences", "parse_request", "parse_texts"]

T = TypeVar("T")

_BETWEEN_LINES = " \t\r\n>"
"""What stands between a greeting and what goes on after it; an item of a list does not."""


@dataclass(frozen=True, slots=True)
class SegmentedText:
    """One text of a request. For each block of its document: what is kept of it, and its sentences."""

    document: Document
    blocks: list[tuple[tuple[Span, ...], Segmented]]


@dataclass(frozen=True, slots=True)
class TokenisedText:
    """One text of a request, ready for the engine, in the blocks of its document."""

    document: Document
    blocks: list[Tokenised]


def parse_request(request: Request) -> tuple[Document, ...]:
    """Find the text of each document, unless that has been done.

    Raises:
        InvalidRequest: as `parse_texts`.
    """
    return request.documents or parse_texts(
        request.texts, partial(parse, request.format, attributes=request.attributes)
    )


def parse_texts(texts: Sequence[T], read: Callable[[T], Document]) -> tuple[Document, ...]:
    """Read each text, which may be a document already, as a document.

    Raises:
        InvalidRequest: a text is not written in the request's format, or says that it is translated another way.
    """
    documents, errors = [], []
    for index, text in enumerate(texts):
        try:
            documents.append(read(text))
        except InvalidDocument as error:
            errors.append(FieldError(f"text.{index}", str(error)))
    if errors:
        raise InvalidRequest(*errors)
    return tuple(documents)


def find_sentences(request: Request) -> list[SegmentedText]:
    """Find the text of each document, unless that has been done, and in it sentences.

    Raises:
        InvalidRequest: as `parse_texts`.
    """
    languages = request.direction.source, request.direction.target
    texts = []
    for document in parse_texts(parse_request(request), lambda document: document.towards(*languages)):
        blocks = []
        for block in document.blocks:
            kept = find_placeholders(block.text)
            kept = merge_spans([*block.kept, *kept]) if block.kept else kept
            blocks.append((kept, segment(block.text, request.direction.source, kept)))
        texts.append(SegmentedText(document, blocks))
    return texts


class Reader:
    """Protects what must not be translated, and encodes the rest, in pieces that one bundle's network can take.

    Args:
        bundle: its tokenizer.
        dictionaries: of directions that have one: how words of the source are usually written.
        fluency: by the direction whose translations it judges: which words were meant that are misspelt.
        max_tokens: in a piece, at most.
    """

    def __init__(
        self,
        bundle: Bundle,
        dictionaries: Mapping[Direction, Dictionary],
        fluency: Mapping[Direction, Fluency],
        max_tokens: int,
    ) -> None:
        self._tokenizer = bundle.tokenizer
        self._normalisers = {
            direction: Normaliser(
                direction.source, dictionaries.get(direction), fluency.get(direction.reverse), bundle.tokenizer
            )
            for direction in DIRECTIONS
        }
        self._dictionaries = dictionaries
        self._unknown_signs = frozenset(bundle.tokenizer.spelled("".join(READ_AS_DOLLARS)))
        self._max_tokens = max_tokens

    def tokenise(self, request: Request, found: Sequence[SegmentedText]) -> list[TokenisedText]:
        """The texts of a request, of which the sentences have been found."""
        direction = request.direction
        dictionary = self._dictionaries.get(direction)
        protects = _Protection(
            direction, request.glossary, self._normalisers[direction], dictionary, self._unknown_signs
        )

        def read(block: Block, kept: Sequence[Span], segmented: Segmented) -> Tokenised:
            if unread := self._unread(block.text, kept, request):
                kept = merge_spans([*kept, *unread])
            tokenised = tokenise(segmented, self._tokenizer, max_tokens=self._max_tokens, kept=kept, protects=protects)
            return replace(
                tokenised, pieces=tuple(_looked_up(tokenised, request, sentences, self._dictionaries.get(direction)))
            )

        sentences = {sentence for one in found for _, its in one.blocks for sentence in its.sentences}
        return [
            TokenisedText(
                one.document, [read(block, *its) for block, its in zip(one.document.blocks, one.blocks, strict=True)]
            )
            for one in found
        ]

    def _unread(self, text: str, kept: Sequence[Span], request: Request) -> list[Span]:
        """What the network cannot read, who signs a letter, and names with a label.

        What is part of a term is none of that: it is translated.
        """
        unknown = [*find_out_of_vocabulary(text, self._tokenizer)]
        readable = [*find_prices(text, self._unknown_signs), *find_apostrophes(text)] if unknown else []
        found = [span for span in unknown if span not in readable]
        found += [*find_signs(text), *find_signatures(text, request.direction), *find_labelled_names(text)]
        if not found or not request.glossary:
            return found
        terms = [match.span for match in find_terms(text, request.glossary, kept)]
        return [span for span in found if not within(terms, span.start, span.end)]


@dataclass(frozen=True, slots=True)
class _Protection:
    """Protects the pieces of one request. `unknown_signs` are of currencies that the vocabulary lacks."""

    direction: Direction
    terms: tuple[Term, ...]
    normaliser: Normaliser
    dictionary: Dictionary | None
    unknown_signs: frozenset[str]

    def protect(self, text: str, kept: Sequence[Span]) -> Protected:
        prices = find_prices(text, self.unknown_signs)
        currency = only_currency(text, prices)
        if prices and not currency:
            kept = merge_spans([*kept, *prices])
        known = [  # of what meets, the first counts: names are part of attributions and formulas
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
        protected = Protected(text, text)
        if kept or self.terms or known:  # what else `protect` would find has been looked for in the whole block
            protected = protect(text, kept, self.terms, known)
        if currency:
            protected = in_dollars(protected, currency)
        protected = in_plain_words(protected, self.direction.source)
        protected = in_megabytes(protected, self.direction)  # before abbreviations: after a number, Fr. is no Friday
        protected = in_known_words(protected, self.direction, self.dictionary)
        return reread(protected, self.normaliser.normalised(protected.text))

    def settle(self, protected: Protected) -> str:
        return restore(protected, protected.text, (), self.direction).text


def _looked_up(
    tokenised: Tokenised, request: Request, sentences: Collection[str], dictionary: Dictionary | None
) -> Iterator[Piece]:
    """The pieces, with their translation those that are a phrase, a short day or a word that the network does not know.

    What the caller keeps, and terms, come first.
    """
    direction = request.direction
    is_greeted = False
    pieces = tokenised.pieces
    for gap, read, following in zip(tokenised.gaps, pieces, (*pieces[1:], None), strict=False):  # one gap follows
        piece, text, found = read, read.text, None
        is_signed = following is not None and not following.ids and is_signature(following.text)
        if is_greeted and not gap.strip(_BETWEEN_LINES):
            text = with_small_letter(text) if direction.target == "de" else with_capital(text)
            piece = replace(read, protected=replace(read.protected, is_greeted=True))
        is_greeted = is_greeting(read.text)
        if piece.ids:
            phrase = find_phrase(text, direction, is_signed=is_signed)
            found = phrase or _within_tags(piece.protected, direction) or find_day(piece.text, direction, sentences)
            found = found or find_word(piece.text, direction, dictionary)
        if (
            found is None
            or not all(kept in found for kept in piece.protected.kept)
            or find_terms(piece.text, request.glossary, ())
        ):
            yield piece
        else:
            yield replace(piece, ids=(), settled=found)


def _within_tags(protected: Protected, direction: Direction) -> str | None:
    """The translation of a phrase with tags around all of it, as people's programs write them: <1>Sign up</1>."""
    before, words, after = protected.sentence.partition(protected.text.removesuffix(protected.end_mark))
    if not words or not protected.marks or "".join(mark.inline.code for mark in protected.marks) != before + after:
        return None
    phrase = find_phrase(words, direction)
    return f"{before}{phrase}{after}" if phrase else None
