"""From a request to what the engine reads; phrases it need not read.

parse -> segment -> tokenise (cut, protect, normalise, encode) -> look up
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from model.bundle import DIRECTIONS
from service.errors import FieldError, InvalidRequest
from service.formats import InvalidDocument, parse
from service.pipeline.edits import with_capital, with_small_letter
from service.pipeline.finders.counterparts import find_day
from service.pipeline.finders.dollars import READ_AS_DOLLARS, find_prices
from service.pipeline.finders.glossary import find_terms
from service.pipeline.finders.letters import find_signatures, is_greeting, is_signature
from service.pipeline.finders.names import find_labelled_names
from service.pipeline.finders.out_of_vocabulary import find_out_of_vocabulary
from service.pipeline.finders.phrases import find_phrase
from service.pipeline.finders.placeholders import find_placeholders, merge_spans
from service.pipeline.finders.signs import find_signs
from service.pipeline.normalisation.normaliser import Normaliser
from service.pipeline.normalisation.orthography import find_apostrophes
from service.pipeline.pieces import Tokenised
from service.pipeline.protection.protector import Protector
from service.pipeline.segmentation.sentences import segment
from service.pipeline.substitution.substitutes import find_word
from service.pipeline.tokenisation import tokenise, within
from service.types import Quality, Request

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from model.bundle import Bundle, Dictionary, Direction, Fluency
    from service.formats import Document
    from service.pipeline.pieces import Piece, Protected
    from service.types import Block, Segmented, Span

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

    def warm_up(self, texts: Mapping[Direction, Sequence[str]]) -> None:
        """Read texts of each direction now: with the first ones come the lists of words and phrases, for a second."""
        for direction, its in texts.items():
            request = Request(direction, tuple(its), Quality.FAST)
            self.tokenise(request, find_sentences(request))

    def tokenise(self, request: Request, found: Sequence[SegmentedText]) -> list[TokenisedText]:
        """The texts of a request, of which the sentences have been found."""
        direction = request.direction
        dictionary = self._dictionaries.get(direction)
        protects = Protector(
            direction,
            request.glossary,
            self._normalisers[direction],
            dictionary,
            self._unknown_signs,
            self._tokenizer,
        )

        def read(block: Block, kept: Sequence[Span], segmented: Segmented) -> Tokenised:
            if unread := self._unread(block.text, kept, request):
                kept = merge_spans([*kept, *unread])
            tokenised = tokenise(segmented, self._tokenizer, max_tokens=self._max_tokens, kept=kept, protects=protects)
            return Tokenised(tokenised.gaps, tuple(_looked_up(tokenised, request, sentences, dictionary)))

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


def _looked_up(
    tokenised: Tokenised, request: Request, sentences: Collection[str], dictionary: Dictionary | None
) -> Iterator[Piece]:
    """The pieces, with their translation those that are listed as a whole, and with a note those after a greeting."""
    target = request.direction.target
    is_greeted = False
    pieces = tokenised.pieces
    for gap, piece, following in zip(tokenised.gaps, pieces, (*pieces[1:], None), strict=False):  # one gap follows
        goes_on = is_greeted and not gap.strip(_BETWEEN_LINES)
        is_greeted = is_greeting(piece.text)
        is_signed = following is not None and not following.ids and is_signature(following.text)
        text = piece.text
        if goes_on:
            text = with_small_letter(text) if target == "de" else with_capital(text)
        listed = _listed(piece, text, request, sentences, dictionary, is_signed=is_signed) if piece.ids else None
        read = replace(piece, protected=piece.protected._replace(is_greeted=True)) if goes_on else piece
        yield read if listed is None else replace(read, ids=(), settled=listed)


def _listed(
    piece: Piece,
    text: str,
    request: Request,
    sentences: Collection[str],
    dictionary: Dictionary | None,
    *,
    is_signed: bool,
) -> str | None:
    """The translation of a piece that is a phrase, a short day or a word that the network does not know.

    What the caller keeps, and terms, come first.
    """
    direction = request.direction
    found = (
        find_phrase(text, direction, is_signed=is_signed)
        or _within_tags(piece.protected, direction)
        or find_day(piece.text, direction, sentences)
        or find_word(piece.text, direction, dictionary)
    )
    if found is None or not all(kept in found for kept in piece.protected.kept):
        return None
    return None if find_terms(piece.text, request.glossary, ()) else found


def _within_tags(protected: Protected, direction: Direction) -> str | None:
    """The translation of a phrase with tags around all of it, as people's programs write them: <1>Sign up</1>."""
    before, words, after = protected.sentence.partition(protected.text.removesuffix(protected.end_mark))
    if not words or not protected.marks or "".join(mark.inline.code for mark in protected.marks) != before + after:
        return None
    phrase = find_phrase(words, direction)
    return f"{before}{phrase}{after}" if phrase else None
