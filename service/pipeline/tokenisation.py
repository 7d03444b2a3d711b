"""Third stage: sentences become token ids, in pieces no longer than the network takes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from service.types import Piece, Tokenised

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from model.bundle import Tokenizer
    from service.types import Segmented

__all__ = ["tokenise"]

# Of a mail address: one @, something before it, and a dot after it that is neither first nor last there. No part can
# match what the next one does: else a long word that is no address would be tried in very many ways.
_ADDRESS = re.compile(r"(?:https?://|ftp://|www\.)|[^@]+@[^@][^@.]*\.[^@]+$", re.IGNORECASE)
_BEFORE_ADDRESS = "([<{\"'„“‚‘«»"


def tokenise(
    segmented: Segmented, tokenizer: Tokenizer, *, max_tokens: int, cut: Callable[[str], tuple[str, str, str]]
) -> Tokenised:
    """Encode every sentence; cut those of more than `max_tokens` until every piece fits.

    Sentences without a letter outside web and mail addresses (numbers, punctuation, links) get
    no ids: there is nothing to translate, and they pass through unchanged.

    Args:
        segmented: one text.
        tokenizer: the bundle's.
        max_tokens: tokens in a piece at most; at least enough for any one character.
        cut: cuts a sentence into left part, gap and right part, neither part empty.
    """
    gaps, pieces = [], []
    following = iter(segmented.gaps)
    gap = next(following)
    for sentence, after in zip(segmented.sentences, following, strict=True):
        for before, piece in _pieces(sentence, tokenizer, max_tokens, cut):
            gaps.append(gap + before)
            pieces.append(piece)
            gap = ""
        gap = after
    return Tokenised(gaps=(*gaps, gap), pieces=tuple(pieces))


def _pieces(
    sentence: str, tokenizer: Tokenizer, max_tokens: int, cut: Callable[[str], tuple[str, str, str]]
) -> Iterator[tuple[str, Piece]]:
    """The pieces of one sentence, each with the gap before it."""
    waiting = [("", sentence)]
    while waiting:
        before, text = waiting.pop()
        ids = tokenizer.encode(text) if _has_words(text) else []
        if len(ids) <= max_tokens:
            yield before, Piece(text=text, ids=tuple(ids))
        else:
            left, gap, right = cut(text)
            waiting += [(gap, right), (before, left)]


def _has_words(text: str) -> bool:
    words = (word for word in text.split() if any(map(str.isalpha, word)))
    return any(not _ADDRESS.match(word.lstrip(_BEFORE_ADDRESS)) for word in words)
