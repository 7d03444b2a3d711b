"""CTC decoding that must write a term: the most probable of the paths that have it as whole words.

Outside the term the path is the greedy one. Inside it each frame writes the term's next token, again its last, or a
blank. The frame after may go on only with a token that begins a word, so that nothing is glued to the term.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["Posterior", "constrained_path"]

_BLANK = 0
_NEVER = -np.inf


@dataclass(frozen=True, slots=True)
class Posterior:
    """What is known of one sentence's frames: the best token of each, and log probabilities.

    `best_ids`, `best_log_probs` and `blank_log_probs` are [frames], `term_log_probs` [frames, tokens of the term].
    """

    best_ids: NDArray[np.int64]
    best_log_probs: NDArray[np.float64]
    blank_log_probs: NDArray[np.float64]
    term_log_probs: NDArray[np.float64]


def constrained_path(
    posterior: Posterior, term: Sequence[int], begins_word: NDArray[np.bool_], *, within: tuple[int, int] | None = None
) -> NDArray[np.int64] | None:
    """One token a frame, blanks included; None if the term does not fit.

    Args:
        posterior: of the sentence.
        term: token ids, at least one, none of them the blank.
        begins_word: for each token of the vocabulary whether it may follow a word without being part of it.
        within: first and last frame that must belong to the term: those at which its source stands. Without it the
            term may be anywhere.
    """
    frames, states = len(posterior.best_ids), 2 * len(term) + 3
    before, after = 0, states - 1
    emitted = np.full((frames, states), _NEVER)
    emitted[:, before] = emitted[:, after] = posterior.best_log_probs
    emitted[:, 1:after:2] = posterior.blank_log_probs[:, None]
    emitted[:, 2:after:2] = posterior.term_log_probs
    if within:
        emitted[within[0] : within[1] + 1, [before, after]] = _NEVER
    skips = np.zeros(states, dtype=bool)  # from one token of the term to the next, without a blank
    skips[4:after:2] = [one != other for one, other in pairwise(term)]
    score = np.full(states, _NEVER)
    score[:3] = emitted[0, :3]
    came = np.zeros((frames, states), dtype=np.int64)
    for frame in range(1, frames):
        ways = np.full((3, states), _NEVER)  # from the same state, the one before, the one before that
        ways[0] = score
        ways[1, 1:] = score[:-1]
        ways[2, 2:] = np.where(skips[2:], score[:-2], _NEVER)
        if posterior.best_ids[frame - 1] != term[0]:
            ways[2, 2] = score[before]
        goes_on = posterior.best_ids[frame]
        if not begins_word[goes_on]:
            ways[1, after] = _NEVER
        elif goes_on != term[-1]:
            ways[2, after] = score[after - 2]
        came[frame] = ways.argmax(axis=0)
        score = ways.max(axis=0) + emitted[frame]
    state = after - 2 + int(score[after - 2 :].argmax())
    if score[state] == _NEVER:
        return None
    path = posterior.best_ids.copy()
    for frame in range(frames - 1, -1, -1):
        if before < state < after:
            path[frame] = term[state // 2 - 1] if state % 2 == 0 else _BLANK
        state -= int(came[frame, state])
    return path
