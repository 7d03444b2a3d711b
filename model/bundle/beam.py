"""CTC prefix beam search (Graves 2012, section 7.5.3; REDER section 3): several candidates a sentence.

Greedy decoding takes the best path; the best *translation* is the one whose paths together are most
probable. The search walks the frames and keeps the most probable prefixes, each with two masses:
of the paths that end in a blank, and of those that end in the prefix's last token.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Candidate", "prefix_beam_search"]

_ZERO = -math.inf


@dataclass(frozen=True, slots=True)
class Candidate:
    """Token ids, and the natural log of the mass of all paths found that collapse to them."""

    ids: tuple[int, ...]
    log_prob: float


def prefix_beam_search(
    token_ids: NDArray[np.int64], log_probs: NDArray[np.float32], *, beam: int, blank_id: int
) -> list[Candidate]:
    """Search one sentence.

    Exact if `beam` holds every prefix and the frames list every token.

    Args:
        token_ids: [frames, k], the most probable tokens of each frame; the blank need not be one.
        log_probs: [frames, k], their natural log probabilities.
        beam: how many prefixes to keep after each frame.
        blank_id: the token that means "write nothing".

    Returns:
        At most `beam` candidates, the most probable first.
    """
    masses: dict[tuple[int, ...], tuple[float, float]] = {(): (0.0, _ZERO)}
    for tokens, scores in zip(token_ids.tolist(), log_probs.tolist(), strict=True):
        grown: dict[tuple[int, ...], tuple[float, float]] = {}
        for prefix, (blank_mass, token_mass) in masses.items():
            both = _add(blank_mass, token_mass)
            for token, score in zip(tokens, scores, strict=True):
                if token == blank_id:
                    _grow(grown, prefix, blank=both + score)
                elif prefix and token == prefix[-1]:
                    _grow(grown, prefix, token=token_mass + score)
                    _grow(grown, (*prefix, token), token=blank_mass + score)
                else:
                    _grow(grown, (*prefix, token), token=both + score)
        best = sorted(grown.items(), key=lambda entry: _add(*entry[1]), reverse=True)
        masses = dict(best[:beam])
    return [Candidate(prefix, _add(*mass)) for prefix, mass in masses.items()]


def _grow(
    grown: dict[tuple[int, ...], tuple[float, float]],
    prefix: tuple[int, ...],
    *,
    blank: float = _ZERO,
    token: float = _ZERO,
) -> None:
    if blank == token == _ZERO:
        return  # no path leads here
    before = grown.get(prefix, (_ZERO, _ZERO))
    grown[prefix] = (_add(before[0], blank), _add(before[1], token))


def _add(left: float, right: float) -> float:
    """Log of the sum of two masses given as logs."""
    if left < right:
        left, right = right, left
    return left if right == _ZERO else left + math.log1p(math.exp(right - left))
