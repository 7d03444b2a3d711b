"""CTC (Graves et al. 2006): collapse of frames into tokens (merge repeats, then drop blanks), and likelihood."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from model.bundle import search

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["Collapsed", "best_path", "collapse", "collapse_one", "last_frames", "log_likelihood"]

_UNLISTED = -2.0
"""How much less probable than the last choice of a frame, as a log, a token is that is not among them."""


@dataclass(frozen=True, slots=True)
class Collapsed:
    """The tokens read off one sentence's frames.

    `confidence` is the geometric mean of the frames' probabilities, from 0 to 1. It includes the
    blanks: a model unsure whether to write anything is unsure.
    """

    ids: list[int]
    confidence: float


def collapse(
    frame_ids: NDArray[np.int64],
    frame_log_probs: NDArray[np.float32],
    frame_lengths: NDArray[np.int64],
    *,
    blank_id: int,
) -> list[Collapsed]:
    """Collapse a batch of frames.

    Args:
        frame_ids: [batch, frames], the best token of each frame.
        frame_log_probs: [batch, frames], its natural log probability.
        frame_lengths: [batch], frames that count in each sentence, at least 1.
        blank_id: the token that means "write nothing".

    Returns:
        One `Collapsed` a sentence, in order.
    """
    return [
        collapse_one(ids[:length], log_probs[:length], blank_id=blank_id)
        for ids, log_probs, length in zip(frame_ids, frame_log_probs, frame_lengths.tolist(), strict=True)
    ]


def collapse_one(frame_ids: NDArray[np.int64], frame_log_probs: NDArray[np.float32], *, blank_id: int) -> Collapsed:
    """The same of one sentence: [frames] each, only those that count."""
    ids: list[int] = frame_ids.tolist()  # in plain Python this takes a third of the time that it takes on arrays
    kept = [one for one, before in zip(ids, [blank_id, *ids], strict=False) if one not in (before, blank_id)]
    return Collapsed(kept, math.exp(min(sum(frame_log_probs.tolist()) / len(ids), 0.0)))


def last_frames(path: NDArray[np.int64], *, blank_id: int) -> list[int]:
    """The last frame of each token that `collapse` reads off one sentence's frames, in order.

    Args:
        path: [frames], the token of each frame; only those that count.
        blank_id: the token that means "write nothing".
    """
    ends_run = np.ones(len(path), dtype=bool)
    ends_run[:-1] = path[1:] != path[:-1]
    frames: list[int] = np.flatnonzero(ends_run & (path != blank_id)).tolist()
    return frames


def best_path(
    choice_ids: NDArray[np.int64], choice_log_probs: NDArray[np.float32], target: Sequence[int], *, blank_id: int
) -> NDArray[np.int64]:
    """The most probable of all paths that collapse to a target.

    Args:
        choice_ids: [frames, choices], the most probable tokens of each frame of one sentence.
        choice_log_probs: [frames, choices], their natural log probabilities. A token that is not among the choices
            of a frame is taken to be somewhat less probable than the last of them.
        target: token ids; with one more for each token that repeats the one before, not more than there are frames.
        blank_id: the token that means "write nothing".

    Returns:
        [frames], the token of each frame.

    Raises:
        ValueError: there is not a log probability for each token.
    """
    if choice_ids.shape != choice_log_probs.shape:
        msg = f"{choice_ids.shape} tokens and {choice_log_probs.shape} log probabilities have no path"
        raise ValueError(msg)
    return search.best_path(choice_ids, choice_log_probs, target, blank_id, _UNLISTED)


def log_likelihood(
    blank_log_probs: NDArray[np.float32],
    target_log_probs: NDArray[np.float32],
    frame_lengths: NDArray[np.int64],
    target_ids: NDArray[np.int64],
    target_lengths: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Natural log of the probability of targets, over all their alignments (section 4.1).

    Args:
        blank_log_probs: [batch, frames], of the blank on each frame.
        target_log_probs: [batch, frames, target_len], of each target token on each frame.
        frame_lengths: [batch], frames that count, at least 1.
        target_ids: [batch, target_len], padded on the right.
        target_lengths: [batch], tokens that count, at least 1.

    Returns:
        [batch]; minus infinity where no alignment fits.
    """
    batch, frames, width = target_log_probs.shape
    # states: blank, token 1, blank, token 2, ..., blank
    steps = np.repeat(blank_log_probs[:, :, None].astype(np.float64), 2 * width + 1, axis=2)
    steps[:, :, 1::2] = target_log_probs
    may_skip = np.zeros((batch, 2 * width + 1), dtype=bool)  # over the blank, from one token to another
    may_skip[:, 3::2] = target_ids[:, 1:] != target_ids[:, :-1]
    forward = np.full((batch, 2 * width + 1), -np.inf)
    forward[:, :2] = steps[:, 0, :2]
    for frame in range(1, frames):
        one = np.pad(forward, ((0, 0), (1, 0)), constant_values=-np.inf)[:, :-1]
        two = np.pad(forward, ((0, 0), (2, 0)), constant_values=-np.inf)[:, :-2]
        arrived = np.logaddexp(np.logaddexp(forward, one), np.where(may_skip, two, -np.inf)) + steps[:, frame]
        forward = np.where((frame < frame_lengths)[:, None], arrived, forward)
    last = 2 * target_lengths[:, None]
    ends = np.take_along_axis(forward, np.concatenate([last - 1, last], axis=1), axis=1)
    likelihood: NDArray[np.float64] = np.logaddexp(ends[:, 0], ends[:, 1])
    return likelihood
