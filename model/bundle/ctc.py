"""CTC (Graves et al. 2006): collapse of frames into tokens (merge repeats, then drop blanks), and likelihood."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Collapsed", "collapse", "log_likelihood"]


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
    frames = frame_ids.shape[1]
    counts = np.arange(frames) < frame_lengths[:, None]
    starts_run = np.ones_like(counts)
    starts_run[:, 1:] = frame_ids[:, 1:] != frame_ids[:, :-1]
    kept = counts & starts_run & (frame_ids != blank_id)
    mean_log_prob = np.where(counts, frame_log_probs, 0.0).sum(axis=1) / frame_lengths
    confidence = np.exp(np.minimum(mean_log_prob, 0.0))
    return [
        Collapsed(ids=frame_ids[row][kept[row]].tolist(), confidence=float(confidence[row]))
        for row in range(frame_ids.shape[0])
    ]


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
