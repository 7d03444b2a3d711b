"""What one direction of one batch is trained on.

REDER (section 2.3 of its paper): stage one is CTC alone. Stage two, from a set update on, adds two
terms that tie the directions together. From the start they would teach the network to copy: the
identity satisfies both. A network that CTC has taught may be taught to write text of one piece
(`bigram_matching`), as the search reads it (`minimum_risk`). The autoregressive baseline learns by
cross-entropy.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import torch
from torch import Tensor
from torch.nn import functional

from model.baselines.beam import teacher_forcing
from model.bigram_matching import bigram_f1
from model.bundle import BLANK_ID, collapse
from model.ctc_alignment import best_alignment
from model.data.batches import Padded, pad
from model.losses import cross_entropy, ctc_loss
from model.minimum_risk import risk_of
from model.precision import mixed_precision
from model.sparse_softmax import log_normaliser, own_scores

if TYPE_CHECKING:
    from model.baselines.dual import Dual
    from model.bundle import Direction
    from model.config import TrainConfig
    from model.data.batches import Batch
    from model.minimum_risk import MinimumRisk
    from model.reder import FrameScores, Reder
    from model.reversible import Halves

__all__ = ["CrossEntropyObjective", "DuplexObjective", "Objective", "Terms"]


@dataclass(frozen=True, slots=True)
class Terms:
    """The loss of one direction of one batch.

    `total` is what to minimise: a sum over the batch, to be divided by the number of target
    tokens. The others are for curves, without gradient: `nll`, the main term alone, summed alike;
    `means`, other terms by name, each already a mean.
    """

    total: Tensor
    nll: Tensor
    means: dict[str, Tensor] = field(default_factory=dict)


class Objective(Protocol):
    """Computes the terms for a network in training mode."""

    def __call__(self, batch: Batch, direction: Direction, *, update: int, seed: int) -> Terms:
        """The loss of one direction; `seed` picks the dropout masks of every pass in it."""
        ...


class CrossEntropyObjective:
    """Cross-entropy of each next token, with label smoothing: for the autoregressive baseline."""

    def __init__(self, model: Dual, config: TrainConfig) -> None:
        self._model = model
        self._config = config

    def __call__(self, batch: Batch, direction: Direction, *, update: int, seed: int) -> Terms:  # noqa: ARG002
        """See `Objective`; this one does not change with `update`."""
        torch.manual_seed(seed)
        source, target = batch.side(direction.source), batch.side(direction.target)
        read, predict = teacher_forcing(target)
        with mixed_precision(source.ids.device):
            logits = self._model(direction, source.ids, source.lengths, read)
        return Terms(*cross_entropy(logits, predict, label_smoothing=self._config.label_smoothing))


class DuplexObjective:
    """CTC, and in stage two agreement and cycle consistency: for REDER.

    `means` then has `agreement`, 0 to 2, a mean over frames and layers, and `cycle`, CTC of the
    reconstruction per source token. With matching of bigrams it has `bigram_f1`, with the risk of a
    search `expected_reward`: both 0 to 1, means over target tokens. What has a weight of 0 is not computed.

    Args:
        model: the network.
        config: the weights.
        risk: computes the risk; given if that has a weight.
    """

    def __init__(self, model: Reder, config: TrainConfig, risk: MinimumRisk | None = None) -> None:
        self._model = model
        self._config = config
        self._risk = risk

    def __call__(self, batch: Batch, direction: Direction, *, update: int, seed: int) -> Terms:
        """See `Objective`."""
        source, target = self._aligned(batch.side(direction.source)), batch.side(direction.target)
        start = self._config.stage_two_update
        if start is not None and update >= start:
            return self._stage_two(direction, source, target, seed)
        recompute = self._config.recompute
        with mixed_precision(source.ids.device):
            scores = self._model(direction, source.ids, source.lengths, seed=seed, recompute=recompute)
        return self._main(direction, scores, source, target)

    def _aligned(self, source: Padded) -> Padded:
        """On a GPU, padded to a multiple of eight frames: others cost its matrix units several times as much."""
        width, shape = source.ids.shape[1], self._model.config
        missing = min(-width % (8 // math.gcd(8, shape.upsampling)), shape.max_source_tokens - width)
        if source.ids.device.type == "cpu" or missing <= 0:
            return source
        return Padded(functional.pad(source.ids, (0, missing), value=BLANK_ID), source.lengths)

    def _main(self, direction: Direction, scores: FrameScores, source: Padded, target: Padded) -> Terms:
        """CTC, matching of bigrams, and the risk of the search."""
        config = self._config
        normaliser, found, means = log_normaliser(scores.logits.detach()), None, {}
        if self._risk:
            found = self._risk.find(direction, scores, normaliser, source, target)
        own = own_scores(
            scores.logits,
            scores.lengths,
            target,
            others=found.tokens if found else None,
            with_mean=config.label_smoothing > 0,
            normaliser=normaliser,
        )
        with torch.set_grad_enabled(config.ctc_weight > 0):
            ctc = ctc_loss(own, label_smoothing=config.label_smoothing)
        total = config.ctc_weight * ctc.total
        if config.bigram_weight:
            missed = ((1 - bigram_f1(own)) * target.lengths).sum()
            total = total + config.bigram_weight * missed
            means["bigram_f1"] = 1 - missed.detach() / target.lengths.sum()
        if found:
            risk = risk_of(own, found)
            total = total + config.risk_weight * risk.total
            means["expected_reward"] = risk.reward
        return Terms(total, ctc.nll, means)

    def _stage_two(self, direction: Direction, source: Padded, target: Padded, seed: int) -> Terms:
        config = self._config
        means, weighted = {}, torch.zeros((), device=source.ids.device)
        with mixed_precision(source.ids.device):
            if config.agreement_weight:
                scores, agreement = self._with_agreement(direction, source, target, seed)
                weighted = config.agreement_weight * agreement
                means["agreement"] = agreement.detach()
            else:
                scores = self._model(direction, source.ids, source.lengths, seed=seed, recompute=config.recompute)
        main = self._main(direction, scores, source, target)
        if config.cycle_weight:
            cycle = self._cycle(direction, source, scores, seed)
            weighted = weighted + config.cycle_weight * cycle
            means["cycle"] = cycle.detach()
        return Terms(main.total + target.lengths.sum() * weighted, main.nll, main.means | means)

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
        distances: list[Tensor] = []
        with torch.no_grad():
            reverse = model.end(direction.target).normalise(model.embed_frames(aligned))
        for place in range(len(path), 0, -1):
            if distances:
                with torch.no_grad():
                    reverse = path[place].undo(reverse, padding, seed)
            distances.append(_cosine_distance(states[place], reverse, real))
        return scores, torch.stack(distances).mean()

    def _cycle(self, direction: Direction, source: Padded, scores: FrameScores, seed: int) -> Tensor:
        """Cycle consistency: CTC of the source, given what the network just made of it. No gradient through that."""
        middle = _greedy(scores, self._model.config.max_source_tokens)
        with mixed_precision(source.ids.device):
            back = self._model(
                direction.reverse, middle.ids, middle.lengths, seed=seed, recompute=self._config.recompute
            )
        loss = ctc_loss(own_scores(back.logits, back.lengths, source))
        return loss.total / source.lengths.sum()


def _cosine_distance(forward: Halves, reverse: Halves, real: Tensor) -> Tensor:
    """One minus the cosine of both halves together, mean over the real frames."""
    cosine = functional.cosine_similarity(torch.cat(forward, dim=2).float(), torch.cat(reverse, dim=2).float(), dim=2)
    return 1 - cosine[real].mean()


def _greedy(scores: FrameScores, limit: int) -> Padded:
    """Collapsed best frames, as a source for the way back: cut to what the network reads, and one blank at least."""
    frame_ids = scores.logits.detach().argmax(dim=2).cpu().numpy()
    lengths = scores.lengths.cpu().numpy()
    results = collapse(frame_ids, torch.zeros(frame_ids.shape).numpy(), lengths, blank_id=BLANK_ID)
    return pad([result.ids[:limit] or [BLANK_ID] for result in results]).to(scores.logits.device)
