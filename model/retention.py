"""What a network has learned is retained while it learns something else (Li & Hoiem 2016, arXiv 1606.09282).

On pairs that are there to be retained, only their source counts: each frame is to keep the probabilities that the
network had for it before. No target is needed, and none is taught.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor
from torch.nn import functional

from model.data.batches import within
from model.precision import mixed_precision

if TYPE_CHECKING:
    from model.bundle import Direction
    from model.data.batches import Batch, EpochSampler, Padded
    from model.reder import FrameScores, Reder

__all__ = ["Retention", "divergence"]

_PROBABILITIES = {"cpu": 1 << 23, "cuda": 1 << 29}
"""Of frames at a time, for each of them those of the vocabulary: all of them at once would take gigabytes more."""


class Retention:
    """Compares a network with what it was, on text that is there for it.

    Args:
        model: the network that is trained.
        former: the same before; it stays as it is.
        text: draws the text. One epoch serves again and again: it is to remind of everything, not to be learned.
        size: how many processes share each batch. One without a row for each is left out.

    Raises:
        CorpusError: no text is drawn, or no batch has a row for each process.
    """

    def __init__(self, model: Reder, former: Reder, text: EpochSampler, *, size: int = 1) -> None:
        self._model = model
        self._former = former.requires_grad_(requires_grad=False).eval()
        self._text = text
        self._epoch = text.shared(0, size)
        self._size = size

    def batch(self, update: int, *, rank: int = 0) -> Batch:
        """The text of an update: the rows of one of the processes."""
        return self._text.load(self._epoch[update % len(self._epoch)][rank :: self._size])

    def __call__(self, direction: Direction, source: Padded, *, seed: int) -> Tensor:
        """How far the frames of sentences are from what they were: see `divergence`.

        Args:
            direction: which way.
            source: the sentences.
            seed: picks the dropout masks of the network that is trained.
        """
        with mixed_precision(source.ids.device):
            with torch.no_grad():
                former = self._former(direction, source.ids, source.lengths)
            scores = self._model(direction, source.ids, source.lengths, seed=seed)
        return divergence(former.logits, scores)


def divergence(former: Tensor, scores: FrameScores) -> Tensor:
    """Kullback-Leibler divergence of a frame's tokens from what they were, in nats, summed over the frames that count.

    Args:
        former: logits as they were, [batch, frames, vocabulary].
        scores: as they are, of the same batch.
    """
    real = within(scores.lengths, former.shape[1])
    before, now = former[real], scores.logits[real]
    rows = max(1, _PROBABILITIES[before.device.type] // before.shape[1])
    parts = zip(before.split(rows), now.split(rows), strict=True)
    return torch.stack([_summed(*part) for part in parts]).sum()


def _summed(before: Tensor, now: Tensor) -> Tensor:
    wanted, found = before.float().log_softmax(1), now.float().log_softmax(1)
    return functional.kl_div(found, wanted, reduction="sum", log_target=True)
