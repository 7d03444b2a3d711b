"""Which candidate is the translation: one that is sound; of several, duplex reranking decides.

A translation is sound if it has the numbers of its source, all that was kept, and denies what it denies. Of sound ones
that are nearly as probable, those with the fewest flaws come first, such as an article without its noun. A good one is
probable given the source, and the source is probable given it: log p(candidate | source) + weight x log p(source |
candidate), the second by the same network run in the other direction. What a language model has added in the search
counts, too.
"""

from __future__ import annotations

import math
from itertools import islice, takewhile
from typing import TYPE_CHECKING

from service.types import Candidates, Hypothesis, ScorePair

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from model.bundle import Candidate

__all__ = ["choose", "likeliest", "likeliest_sound", "pairs_to_score", "ways_back"]


_NEARLY = 2.0
"""A candidate with fewer flaws may be so much less probable, as a logarithm."""


def likeliest_sound(
    found: Candidates,
    count: int,
    is_sound: Callable[[tuple[int, ...]], bool],
    most: int,
    count_flaws: Callable[[tuple[int, ...]], int],
) -> Candidates | None:
    """The `count` most probable candidates that have words and are sound; None if none of the first `most` is.

    If any of them has flaws, those with the fewest of all that are nearly as probable.
    """
    sound = (candidate for candidate in found.candidates[:most] if candidate.ids and is_sound(candidate.ids))
    best = list(islice(sound, count))
    if any(count_flaws(candidate.ids) for candidate in best):
        near = takewhile(lambda candidate: candidate.total > best[0].total - _NEARLY, sound)
        best = sorted((*best, *near), key=lambda candidate: count_flaws(candidate.ids))[:count]
    return Candidates(tuple(best), found.frames) if best else None


def likeliest(found: Candidates, count: int) -> Candidates:
    """The `count` most probable candidates that have words; where none has, the first alone."""
    with_words = [candidate for candidate in found.candidates if candidate.ids]
    return Candidates(tuple(with_words[:count]) or found.candidates[:1], found.frames)


def pairs_to_score(
    sources: Sequence[tuple[int, ...]], found: Sequence[Candidates], *, max_tokens: int, every: bool = False
) -> list[ScorePair]:
    """What to ask the network in the other direction: each candidate as source, the piece itself as target.

    Pieces with one candidate leave nothing to decide, and ask nothing; unless every score is wanted, but where there
    is nothing to read.

    Args:
        sources: token ids of each piece.
        found: of each, those to choose among.
        max_tokens: how much the network reads; a candidate is cut there.
        every: whether to ask about single candidates too.
    """
    return [
        ScorePair(source=candidate.ids[:max_tokens], target=source)
        for source, one in zip(sources, found, strict=True)
        if _asks(one, every=every)
        for candidate in one.candidates
    ]


def choose(
    found: Sequence[Candidates], log_probs: Sequence[float], *, reverse_weight: float, every: bool = False
) -> list[Hypothesis]:
    """The best candidate of each piece; of equally good ones the one that the search preferred.

    Confidence is the probability of the candidate, as a geometric mean over the frames: the scale
    on which that of a single path is.

    Args:
        found: of each piece, those to choose among.
        log_probs: log p(source | candidate) of each of `pairs_to_score`, in that order.
        reverse_weight: how much they count.
        every: as there.
    """
    backward = iter(log_probs)
    return [_best(one, backward, reverse_weight, every=every) for one in found]


def ways_back(
    sources: Sequence[tuple[int, ...]], hypotheses: Sequence[Hypothesis], *, max_tokens: int
) -> list[ScorePair]:
    """What to ask the network in the other direction about hypotheses that nothing is known of; not the empty ones."""
    pairs = zip(sources, hypotheses, strict=True)
    return [ScorePair(one.ids[:max_tokens], source) for source, one in pairs if one.ids]


def _asks(found: Candidates, *, every: bool) -> bool:
    return len(found.candidates) > 1 or (every and bool(found.candidates[0].ids))


def _best(found: Candidates, backward: Iterator[float], reverse_weight: float, *, every: bool) -> Hypothesis:
    if not _asks(found, every=every):
        return _hypothesis(found.candidates[0], found.frames, None)
    scored = [(candidate, next(backward)) for candidate in found.candidates]
    totals = [candidate.total + reverse_weight * log_prob for candidate, log_prob in scored]
    candidate, log_prob = scored[totals.index(max(totals))]
    return _hypothesis(candidate, found.frames, log_prob)


def _hypothesis(candidate: Candidate, frames: int, reverse_log_prob: float | None) -> Hypothesis:
    confidence = math.exp(min(candidate.log_prob / frames, 0.0))
    return Hypothesis(candidate.ids, confidence, reverse_log_prob=reverse_log_prob)
