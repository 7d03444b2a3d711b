"""The CTC objective (REDER section 2.2; Graves et al. 2006) and cross-entropy, with label smoothing.

PyTorch's work on log probabilities over the whole vocabulary, in float32, and return a gradient as
large. Here the vocabulary is crossed twice only (`sparse_softmax`). For CTC that is enough because one
sentence's alignments only ever visit its own tokens and the blank: the dynamic program runs on those few
columns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from model.data.batches import within
from model.sparse_softmax import log_normaliser, softmax_gradient

if TYPE_CHECKING:
    from torch.autograd.function import FunctionCtx

    from model.sparse_softmax import OwnScores

__all__ = ["IGNORED", "Loss", "alignable", "cross_entropy", "ctc_loss", "log_likelihood"]

IGNORED = -100
"""The label of a position that counts for nothing."""


class Loss(NamedTuple):
    """Sums over a batch. `total` is what to minimise; `nll` is the same without smoothing, for curves."""

    total: Tensor
    nll: Tensor


def alignable(targets: Tensor, target_lengths: Tensor, frame_lengths: Tensor) -> Tensor:
    """Which sentences have at least one alignment; bool [batch].

    A target needs a frame per token, and a blank between equal neighbours.
    """
    repeats = ((targets[:, 1:] == targets[:, :-1]) & within(target_lengths, targets.shape[1])[:, 1:]).sum(dim=1)
    return target_lengths + repeats <= frame_lengths


def ctc_loss(own: OwnScores, *, label_smoothing: float = 0.0) -> Loss:
    """Negative log likelihood of the targets under all their alignments, summed over the batch.

    Args:
        own: what each sentence's own alphabet gets; for smoothing, with the mean.
        label_smoothing: weight of a uniform target on every frame, mixed with the CTC term.

    Returns:
        The loss; sentences without an alignment count for nothing.

    Raises:
        ValueError: smoothing without the mean.
    """
    likelihoods = log_likelihood(own.log_probs, own.frame_lengths, own.labels, own.target_lengths)
    counts = alignable(own.labels, own.target_lengths, own.frame_lengths)
    nll = -(likelihoods * counts).sum()
    total = (1 - label_smoothing) * nll
    if label_smoothing:
        if own.mean is None:
            msg = "label smoothing needs scores with the mean"
            raise ValueError(msg)
        real = within(own.frame_lengths, own.mean.shape[1])
        total = total - label_smoothing * (own.mean * (real & counts.unsqueeze(1))).sum()
    return Loss(total, nll.detach())


def log_likelihood(scores: Tensor, frame_lengths: Tensor, labels: Tensor, target_lengths: Tensor) -> Tensor:
    """Log likelihood of each target under all its alignments, float32 [batch].

    Args:
        scores: log probabilities of a compact alphabet, of which 0 is the blank, float32 [batch, frames, symbols].
        frame_lengths: int64 [batch].
        labels: the targets as such symbols, int64 [batch, target_len], padded on the right.
        target_lengths: int64 [batch]. What is said of a target without an alignment (`alignable`) means nothing.
    """
    result: Tensor = _LogLikelihood.apply(scores, frame_lengths, labels, target_lengths)  # type: ignore[no-untyped-call]
    return result


def cross_entropy(logits: Tensor, labels: Tensor, *, label_smoothing: float = 0.0) -> Loss:
    """Cross-entropy of each label, summed.

    Args:
        logits: [batch, length, vocabulary], any floating type; sums run in float32.
        labels: int64 [batch, length]; `IGNORED` counts for nothing.
        label_smoothing: weight of a uniform target, mixed with the label.
    """
    total, nll = _BlockedCrossEntropy.apply(logits, labels, label_smoothing)  # type: ignore[no-untyped-call]
    return Loss(total, nll)


class _BlockedCrossEntropy(torch.autograd.Function):
    """Summed loss over a batch, as (smoothed total, cross-entropy alone); only the total has a gradient."""

    @staticmethod
    def forward(ctx: FunctionCtx, logits: Tensor, labels: Tensor, smoothing: float) -> tuple[Tensor, Tensor]:
        counted = labels != IGNORED
        wanted = labels.clamp_min(0).unsqueeze(2)
        normaliser = log_normaliser(logits)
        nll = ((normaliser - logits.gather(2, wanted).squeeze(2).float()) * counted).sum()
        total = (1 - smoothing) * nll
        if smoothing:
            total = total + smoothing * ((normaliser - logits.mean(dim=2, dtype=torch.float32)) * counted).sum()
        ctx.save_for_backward(logits, normaliser, wanted, counted)
        ctx.smoothing = smoothing  # type: ignore[attr-defined]
        ctx.mark_non_differentiable(nll)
        return total, nll

    @staticmethod
    def backward(ctx: FunctionCtx, *gradients: Tensor) -> tuple[Tensor, None, None]:
        logits, normaliser, wanted, counted = ctx.saved_tensors  # type: ignore[attr-defined]
        smoothing: float = ctx.smoothing  # type: ignore[attr-defined]
        # d total / d logits = p - (1 - smoothing) * label - smoothing / vocabulary
        mass = (gradients[0] * counted).unsqueeze(2)
        uniform = smoothing / logits.shape[2] * mass if smoothing else None
        return softmax_gradient(logits, normaliser, mass, wanted, (smoothing - 1) * mass, uniform), None, None


class _LogLikelihood(torch.autograd.Function):
    """The gradient of each score is how probable it is that the target's alignment visits it."""

    @staticmethod
    def forward(
        ctx: FunctionCtx, scores: Tensor, frame_lengths: Tensor, labels: Tensor, target_lengths: Tensor
    ) -> Tensor:
        losses, occupancy = _occupancy(scores, frame_lengths, labels, target_lengths)
        real = within(frame_lengths, scores.shape[1])
        ctx.save_for_backward(occupancy * real.unsqueeze(2))
        return -losses

    @staticmethod
    def backward(ctx: FunctionCtx, *gradients: Tensor) -> tuple[Tensor, None, None, None]:
        (occupancy,) = ctx.saved_tensors  # type: ignore[attr-defined]
        return gradients[0].view(-1, 1, 1) * occupancy, None, None, None


def _occupancy(scores: Tensor, frame_lengths: Tensor, labels: Tensor, target_lengths: Tensor) -> tuple[Tensor, Tensor]:
    """CTC on the compact alphabet: each loss, and each symbol's posterior by frame (past the end: noise).

    PyTorch's gradient of CTC is exp(scores) - posterior: it assumes a softmax over exactly these
    columns lies below. Ours lies over the vocabulary, so the posterior is taken out of it.
    """
    with torch.enable_grad():
        by_frame = scores.transpose(0, 1).detach().requires_grad_()
        losses = functional.ctc_loss(
            by_frame, labels, frame_lengths, target_lengths, blank=0, reduction="none", zero_infinity=True
        )
        (gradient,) = torch.autograd.grad(losses.sum(), by_frame)
    # padding columns repeat the blank's score but never its posterior
    return losses.detach(), (by_frame.detach().exp() - gradient).transpose(0, 1)
