"""Sentences become token ids, in pieces no longer than the network takes.

What must not be translated is protected piece by piece, after cutting: a piece comes back from the network alone.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import replace
from operator import attrgetter
from typing import TYPE_CHECKING, Protocol

from service.pipeline.edits import blank
from service.pipeline.numbers.amounts import CURRENCY_SIGNS, is_amount
from service.pipeline.pieces import Piece, Protected, Tokenised
from service.pipeline.segmentation.sentences import cut
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from model.bundle import Tokenizer
    from service.types import Segmented

__all__ = ["Protects", "tokenise", "within"]

# Of a mail address: one @, something before it, and a dot after it that is neither first nor last there. No part can
# match what the next one does: else a long word that is no address would be tried in very many ways.
_ADDRESS = re.compile(r"(?:https?://|ftp://|www\.)|[^@]+@[^@][^@.]*\.[^@]+$", re.IGNORECASE)
_WRITTEN_OTHERWISE = re.compile(rf"\d[.,]\d|\d\s?[{CURRENCY_SIGNS}]|[{CURRENCY_SIGNS}]\s?\d|\d\s%")
"""1.5, 50 €, €50, 5 %: what the other language may write in another way."""
_SECTION = re.compile(r"(?<![\d.,])\d++\.\d++(?=\.(?![\d.]))")
"""As in a table of contents, 3.101. with a point at its end."""
_BEFORE_ADDRESS = "([<{\"'„“‚‘«»"


class Protects(Protocol):
    """How pieces are protected."""

    def protect(self, text: str, kept: Sequence[Span]) -> Protected:
        """A piece, and the spans of it that are to be kept."""
        ...

    def settle(self, protected: Protected) -> str:
        """The translation of a piece that is not translatable."""
        ...


def tokenise(
    segmented: Segmented,
    tokenizer: Tokenizer,
    *,
    max_tokens: int,
    kept: Sequence[Span] = (),
    protects: Protects | None = None,
) -> Tokenised:
    """Encode every sentence; cut those of more than `max_tokens` until every piece fits.

    Sentences without a letter outside web and mail addresses and what is kept (numbers, punctuation, links) get
    no ids: there is nothing to translate, and they pass through, but for numbers that the other language writes with
    other separators.

    Args:
        segmented: one text.
        tokenizer: the bundle's.
        max_tokens: tokens in a piece at most; at least enough for any one character.
        kept: spans of the whole text that are not to be translated, in order, none overlapping another.
        protects: what protects a piece from the network; None leaves it as it is.
    """
    reader = _Reader(tokenizer, max_tokens, protects)
    gaps, pieces = [], []
    following = iter(segmented.gaps)
    gap = next(following)
    place = len(gap)
    for sentence, after in zip(segmented.sentences, following, strict=True):
        spans = within(kept, place, place + len(sentence)) if kept else ()
        for before, piece in reader.pieces(sentence, spans):
            gaps.append(gap + before)
            pieces.append(piece)
            gap = ""
        gap = after
        place += len(sentence) + len(after)
    return Tokenised(gaps=(*gaps, gap), pieces=tuple(pieces))


class _Reader:
    """See `tokenise` for what it is made of."""

    def __init__(self, tokenizer: Tokenizer, max_tokens: int, protects: Protects | None) -> None:
        self._tokenizer = tokenizer
        self._max_tokens = max_tokens
        self._protects = protects

    def pieces(self, sentence: str, kept: Sequence[Span]) -> Iterator[tuple[str, Piece]]:
        """The pieces of one sentence, each with the gap before it. `kept` is relative to the sentence."""
        waiting = [("", sentence, kept)]
        while waiting:
            before, text, spans = waiting.pop()
            piece = self._piece(text, spans)
            if len(piece.ids) <= self._max_tokens:
                yield before, piece
            else:
                left, gap, right = cut(text, spans)
                start = len(left) + len(gap)
                waiting.append((gap, right, within(spans, start, len(text))))
                waiting.append((before, left, within(spans, 0, len(left))))

    def _piece(self, text: str, kept: Sequence[Span]) -> Piece:
        if not _has_words(blank(text, kept)):
            return self._without_words(text, kept)
        protected = self._protects.protect(text, kept) if self._protects else Protected(text, text)
        if self._protects and protected.text != text and not protected.translatable:
            return Piece(protected, settled=self._protects.settle(protected))
        return Piece(protected, tuple(self._tokenizer.encode(protected.text)))

    def _without_words(self, text: str, kept: Sequence[Span]) -> Piece:
        """Nothing for the network; but in prose beside it numbers will be as the other language writes them."""
        unread = Piece(Protected(text, text))
        if self._protects is None or not _WRITTEN_OTHERWISE.search(text):
            return unread
        sections = (Span(*found.span()) for found in _SECTION.finditer(text))
        protected = self._protects.protect(text, [*kept, *(one for one in sections if not is_amount(text, one))])
        settled = self._protects.settle(protected)
        return replace(unread, settled=settled) if settled != text else unread


def within(spans: Sequence[Span], start: int, end: int) -> list[Span]:
    """What of some spans, in order, lies between two places, relative to the first."""
    first = bisect_right(spans, start, key=attrgetter("end"))
    last = bisect_left(spans, end, key=attrgetter("start"))
    return [Span(max(span.start, start) - start, min(span.end, end) - start) for span in spans[first:last]]


def _has_words(text: str) -> bool:
    words = (word for word in text.split() if any(map(str.isalpha, word)))
    return any(not _ADDRESS.match(word.lstrip(_BEFORE_ADDRESS)) for word in words)
