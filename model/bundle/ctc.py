"""Collapse of CTC frames into tokens (Graves et al. 2006): merge repeats, then drop blanks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Collapsed", "collapse"]


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
