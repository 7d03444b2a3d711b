"""What one direction of one batch is trained on (REDER section 2.3).

Stage one is CTC alone. Stage two, from a set update on, adds two terms that tie the directions
together. From the start they would teach the network to copy: the identity satisfies both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor
from torch.nn import functional

from model.alignment import best_alignment
from model.bundle import BLANK_ID, collapse
from model.data.batches import Padded, pad
from model.losses import ctc_loss

if TYPE_CHECKING:
    from model.bundle import Direction
    from model.config import TrainConfig
    from model.data.batches import Batch
    from model.reder import FrameScores, Reder
    from model.reversible import Halves

__all__ = ["Objective", "Terms"]


@dataclass(frozen=True, slots=True)
class Terms:
    """The loss of one direction of one batch.

    `total` is what to minimise: a sum over the batch, to be divided by the number of target
    tokens. The others are for curves, without gradient: `nll`, CTC alone, summed alike;
    `agreement`, 0 to 2, a mean over frames and layers; `cycle`, CTC of the reconstruction per
    source token. The last two are zero in stage one.
    """

    total: Tensor
    nll: Tensor
    agreement: Tensor
    cycle: Tensor


class Objective:
    """Computes the terms for a network.

    Args:
        model: in training mode.
        config: weights of the terms, and when stage two begins.
    """

    def __init__(self, model: Reder, config: TrainConfig) -> None:
        self._model = model
        self._config = config

    def in_stage_two(self, update: int) -> bool:
        """Whether the auxiliary terms are on at an update, counted from 0."""
        start = self._config.stage_two_update
        return start is not None and update >= start

    def __call__(self, batch: Batch, direction: Direction, *, update: int, seed: int) -> Terms:
        """The loss of one direction; `seed` picks the dropout masks of every pass in it."""
        source, target = batch.side(direction.source), batch.side(direction.target)
        device = source.ids.device
        stage_two = self.in_stage_two(update)
        none = torch.zeros((), device=device)
        with torch.autocast(device.type, dtype=torch.bfloat16):
            if stage_two:
                scores, agreement = self._with_agreement(direction, source, target, seed)
            else:
                recompute = self._config.recompute
                scores, agreement = (
                    self._model(direction, source.ids, source.lengths, seed=seed, recompute=recompute),
                    none,
                )
        smoothing = self._config.label_smoothing
        ctc = ctc_loss(scores.logits, scores.lengths, target.ids, target.lengths, label_smoothing=smoothing)
        cycle = self._cycle(direction, source, scores, seed) if stage_two else none
        tokens = target.lengths.sum()
        weighted = self._config.agreement_weight * agreement + self._config.cycle_weight * cycle
        return Terms(ctc.total + tokens * weighted, ctc.nll, agreement.detach(), cycle.detach())

    def _with_agreement(
        self, direction: Direction, source: Padded, target: Padded, seed: int
    ) -> tuple[FrameScores, Tensor]:
        """Layer-wise forward-backward agreement, and the scores of the forward pass it needs.

        The reverse pass starts from the best alignment of the target, which has as many frames as
        the forward pass, and drops the same values.
        """
        model = self._model
        padding = model.padding(source.ids, source.lengths)
        states = [model.end(direction.source).normalise(model.embed(source.ids))]
        path = model.path(direction)
        for step in path:
            states.append(step.run(states[-1], padding, seed))
        halves = model.end(direction.target).denormalise(states[-1])
        scores = model.score(halves, source.lengths * model.config.upsampling)
        aligned = best_alignment(scores.logits, scores.lengths, target.ids, target.lengths)
        real = ~padding[:, 0, 0, :]
        distances = []
        with torch.no_grad():
            reverse = model.end(direction.target).normalise(model.embed_frames(aligned))
        for step, state in zip(reversed(path), reversed(states), strict=False):
            distances.append(_cosine_distance(state, reverse, real))
            with torch.no_grad():
                reverse = step.undo(reverse, padding, seed)
        return scores, torch.stack(distances).mean()

    def _cycle(self, direction: Direction, source: Padded, scores: FrameScores, seed: int) -> Tensor:
        """Cycle consistency: CTC of the source, given what the network just made of it. No gradient through that."""
        middle = _greedy(scores)
        with torch.autocast(source.ids.device.type, dtype=torch.bfloat16):
            back = self._model(
                direction.reverse, middle.ids, middle.lengths, seed=seed, recompute=self._config.recompute
            )
        loss = ctc_loss(back.logits, back.lengths, source.ids, source.lengths)
        return loss.total / source.lengths.sum()


def _cosine_distance(forward: Halves, reverse: Halves, real: Tensor) -> Tensor:
    """One minus the cosine of both halves together, mean over the real frames."""
    cosine = functional.cosine_similarity(torch.cat(forward, dim=2).float(), torch.cat(reverse, dim=2).float(), dim=2)
    return 1 - cosine[real].mean()


def _greedy(scores: FrameScores) -> Padded:
    """Collapsed best frames, as a source for the way back; a sentence without tokens becomes one blank."""
    frame_ids = scores.logits.detach().argmax(dim=2).cpu().numpy()
    lengths = scores.lengths.cpu().numpy()
    results = collapse(frame_ids, torch.zeros(frame_ids.shape).numpy(), lengths, blank_id=BLANK_ID)
    return pad([result.ids or [BLANK_ID] for result in results]).to(scores.logits.device)
