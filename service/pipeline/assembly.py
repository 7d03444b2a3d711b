"""Last stage: the translated pieces go back between the gaps they came from."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from service.types import Translation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from service.types import Tokenised

__all__ = ["assemble"]


def assemble(tokenised: Tokenised, translations: Iterator[Translation]) -> Translation:
    """Put one text together again.

    Its confidence is the mean over its translated pieces, weighted by source tokens (and so by
    frames, of which each token has the same number). Pieces that pass through do not count; a
    text of which all does has confidence 1: nothing in it was guessed.

    Args:
        tokenised: the text as the engine was given it.
        translations: yields one translation for each piece that has ids, in order; more may follow.
    """
    texts, weighted, weight = [], 0.0, 0
    for piece in tokenised.pieces:
        if piece.ids:
            translation = next(translations)
            texts.append(translation.text)
            weighted += translation.confidence * len(piece.ids)
            weight += len(piece.ids)
        else:
            texts.append(piece.text)
    interleaved = chain.from_iterable(zip(tokenised.gaps, (*texts, ""), strict=True))
    return Translation(text="".join(interleaved), confidence=weighted / weight if weight else 1.0)
