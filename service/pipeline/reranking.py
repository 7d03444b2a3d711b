"""Which candidate is the translation: duplex reranking.

A good translation is probable given the source, and the source is probable given it:
log p(candidate | source) + weight x log p(source | candidate), the second by the same network run
in the other direction.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from service.types import Found, Hypothesis, ScorePair

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from model.bundle import Candidate

__all__ = ["choose", "pairs_to_score", "shortlist"]


def shortlist(found: Found, count: int) -> Found:
    """The `count` most probable candidates that have words; where none has, the first alone."""
    with_words = tuple(candidate for candidate in found.candidates[:count] if candidate.ids)
    return Found(with_words or found.candidates[:1], found.frames)


def pairs_to_score(sources: Sequence[tuple[int, ...]], found: Sequence[Found], *, max_tokens: int) -> list[ScorePair]:
    """What to ask the network in the other direction: each candidate as source, the piece itself as target.

    Pieces with one candidate leave nothing to decide, and ask nothing.

    Args:
        sources: token ids of each piece.
        found: the shortlist of each.
        max_tokens: how much the network reads; a candidate is cut there.
    """
    return [
        ScorePair(source=candidate.ids[:max_tokens], target=source)
        for source, one in zip(sources, found, strict=True)
        if _undecided(one)
        for candidate in one.candidates
    ]


def choose(found: Sequence[Found], log_probs: Sequence[float], *, reverse_weight: float) -> list[Hypothesis]:
    """The best candidate of each piece; of equally good ones the one that the search preferred.

    Confidence is the probability of the candidate, as a geometric mean over the frames: the scale
    on which that of a single path is.

    Args:
        found: the shortlist of each piece.
        log_probs: log p(source | candidate) of each of `pairs_to_score`, in that order.
        reverse_weight: how much they count.
    """
    backward = iter(log_probs)
    return [_hypothesis(_best(one, backward, reverse_weight), one.frames) for one in found]


def _undecided(found: Found) -> bool:
    return len(found.candidates) > 1


def _best(found: Found, backward: Iterator[float], reverse_weight: float) -> Candidate:
    if not _undecided(found):
        return found.candidates[0]
    totals = [candidate.log_prob + reverse_weight * next(backward) for candidate in found.candidates]
    return found.candidates[totals.index(max(totals))]


def _hypothesis(candidate: Candidate, frames: int) -> Hypothesis:
    return Hypothesis(ids=candidate.ids, confidence=math.exp(min(candidate.log_prob / frames, 0.0)))
