"""The best CTC alignment of a known target (Viterbi; REDER section 2.3, footnote 4), for training: batches, in torch.

The service finds that of one sentence among the likeliest tokens alone: `model.bundle.best_path`.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from model.bundle import BLANK_ID
from model.data.batches import within

__all__ = ["best_alignment"]

_IMPOSSIBLE = -1e30


@torch.no_grad()
def best_alignment(log_probs: Tensor, frame_lengths: Tensor, targets: Tensor, target_lengths: Tensor) -> Tensor:
    """The most probable sequence of frames that collapses to each target.

    Args:
        log_probs: [batch, frames, vocabulary], or logits: a constant per frame changes nothing.
        frame_lengths: int64 [batch].
        targets: int64 [batch, target_len], padded on the right.
        target_lengths: int64 [batch].

    Returns:
        int64 [batch, frames]: a token or the blank for each frame; blanks past a sentence's end.
        For a target that no alignment fits the frames mean nothing.
    """
    states = _interleave(targets)
    scores = log_probs.gather(2, states.unsqueeze(1).expand(-1, log_probs.shape[1], -1)).float()
    inside = within(frame_lengths, scores.shape[1])
    best, moves = _search(scores, states, inside)
    ends = torch.stack([2 * target_lengths - 1, 2 * target_lengths], dim=1)
    state = ends.gather(1, best.gather(1, ends).argmax(dim=1, keepdim=True))
    path = [state]
    for frame in range(scores.shape[1] - 1, 0, -1):
        state = state - moves[frame].gather(1, state)
        path.append(state)
    return states.gather(1, torch.cat(path[::-1], dim=1)).masked_fill(~inside, BLANK_ID)


def _interleave(targets: Tensor) -> Tensor:
    """CTC's states: blank, y1, blank, y2, …, blank; [batch, 2 x target_len + 1]."""
    batch, length = targets.shape
    states = targets.new_full((batch, 2 * length + 1), BLANK_ID)
    states[:, 1::2] = targets
    return states


def _search(scores: Tensor, states: Tensor, inside: Tensor) -> tuple[Tensor, list[Tensor]]:
    """Best score of ending in each state, [batch, states], and by how many states each frame moved on to reach it.

    A frame stays, moves to the next state, or skips a blank between two different tokens. Frames
    past a sentence's end stay and cost nothing.
    """
    may_skip = torch.zeros_like(states, dtype=torch.bool)
    may_skip[:, 2:] = states[:, 2:] != states[:, :-2]
    best = torch.full_like(scores[:, 0], _IMPOSSIBLE)
    best[:, :2] = scores[:, 0, :2]
    moves = [torch.zeros_like(states)]
    for frame in range(1, scores.shape[1]):
        next_state = functional.pad(best, (1, 0), value=_IMPOSSIBLE)[:, :-1]
        skipped = functional.pad(best, (2, 0), value=_IMPOSSIBLE)[:, :-2].masked_fill(~may_skip, _IMPOSSIBLE)
        reached, move = torch.stack([best, next_state, skipped]).max(dim=0)
        here = inside[:, frame].unsqueeze(1)
        best = torch.where(here, reached + scores[:, frame], best)
        moves.append(torch.where(here, move, 0))
    return best, moves
