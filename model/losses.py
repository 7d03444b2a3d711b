"""The CTC objective (REDER section 2.2; Graves et al. 2006) and cross-entropy, with label smoothing.

PyTorch's work on log probabilities over the whole vocabulary, in float32, and return a gradient as
large. Here the vocabulary is crossed twice only: once for the normaliser, once to write the
gradient. For CTC that is enough because one sentence's alignments only ever visit its own tokens
and the blank: the dynamic program runs on those few columns.
"""

from __future__ import annotations

from functools import cache, wraps
from typing import TYPE_CHECKING, NamedTuple, TypeVar, cast

import torch
from torch import Tensor
from torch.nn import functional

from model.bundle import BLANK_ID

if TYPE_CHECKING:
    from collections.abc import Callable

    from torch.autograd.function import FunctionCtx

_Pass = TypeVar("_Pass", bound="Callable[..., Tensor]")

_BLOCK = 1 << 18
"""Float32 values a block may have on a CPU: 1 MiB."""

__all__ = ["IGNORED", "Loss", "alignable", "cross_entropy", "ctc_loss"]

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
    within = torch.arange(1, targets.shape[1], device=targets.device) < target_lengths.unsqueeze(1)
    repeats = ((targets[:, 1:] == targets[:, :-1]) & within).sum(dim=1)
    return target_lengths + repeats <= frame_lengths


def ctc_loss(
    logits: Tensor,
    frame_lengths: Tensor,
    targets: Tensor,
    target_lengths: Tensor,
    *,
    label_smoothing: float = 0.0,
) -> Loss:
    """Negative log likelihood of the targets under all their alignments, summed over the batch.

    Args:
        logits: [batch, frames, vocabulary], any floating type; sums run in float32.
        frame_lengths: int64 [batch].
        targets: int64 [batch, target_len], padded on the right.
        target_lengths: int64 [batch].
        label_smoothing: weight of a uniform target on every frame, mixed with the CTC term.

    Returns:
        The loss; sentences without an alignment count for nothing.
    """
    total, nll = _CompactCtc.apply(  # type: ignore[no-untyped-call]
        logits, frame_lengths, targets, target_lengths, label_smoothing
    )
    return Loss(total, nll)


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
        normaliser = _normaliser(logits)
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
        return _gradient(logits, normaliser, mass, wanted, (smoothing - 1) * mass, uniform), None, None


class _CompactCtc(torch.autograd.Function):
    """Summed loss over a batch, as (smoothed total, CTC alone); only the total has a gradient.

    Passes over the vocabulary run a few sentences at a time, so that on a CPU the float32 copies
    stay in cache.
    """

    @staticmethod
    def forward(
        ctx: FunctionCtx,
        logits: Tensor,
        frame_lengths: Tensor,
        targets: Tensor,
        target_lengths: Tensor,
        smoothing: float,
    ) -> tuple[Tensor, Tensor]:
        columns, labels = _compact_alphabet(targets, target_lengths)
        wanted = columns.unsqueeze(1).expand(-1, logits.shape[1], -1)
        normaliser = _normaliser(logits)
        scores = logits.gather(2, wanted).float() - normaliser.unsqueeze(2)
        counts = alignable(targets, target_lengths, frame_lengths).unsqueeze(1)
        valid = (torch.arange(logits.shape[1], device=logits.device) < frame_lengths.unsqueeze(1)) * counts.float()
        nll, occupancy = _occupancy(scores, frame_lengths, labels, target_lengths)
        occupancy *= valid.unsqueeze(2)
        total = (1 - smoothing) * nll
        if smoothing:
            mean_logit = logits.mean(dim=2, dtype=torch.float32)
            total = total + smoothing * ((normaliser - mean_logit) * valid).sum()
        ctx.save_for_backward(logits, normaliser, wanted, occupancy, valid, functional.pad(labels, (1, 0)))
        ctx.smoothing = smoothing  # type: ignore[attr-defined]
        ctx.mark_non_differentiable(nll)
        return total, nll

    @staticmethod
    def backward(ctx: FunctionCtx, *gradients: Tensor) -> tuple[Tensor, None, None, None, None]:
        logits, normaliser, wanted, occupancy, valid, symbols = ctx.saved_tensors  # type: ignore[attr-defined]
        smoothing: float = ctx.smoothing  # type: ignore[attr-defined]
        # d total / d logits = p - (1 - smoothing) * occupancy - smoothing / vocabulary
        upstream = gradients[0]
        mass = (((1 - smoothing) * occupancy.sum(dim=2) + smoothing * valid) * upstream).unsqueeze(2)
        taken = (smoothing - 1) * upstream * occupancy.gather(2, symbols.unsqueeze(1).expand_as(occupancy))
        uniform = (smoothing / logits.shape[2] * valid * upstream).unsqueeze(2) if smoothing else None
        return _gradient(logits, normaliser, mass, wanted, taken, uniform), None, None, None, None


def _fused(crossing: _Pass) -> _Pass:
    """On a GPU, have a pass over the vocabulary compiled into one kernel."""

    @cache
    def compiled() -> _Pass:  # not before it is needed: this loads the compiler
        return cast("_Pass", torch.compile(crossing, dynamic=True))

    @wraps(crossing)
    def choose(logits: Tensor, *others: Tensor) -> Tensor:
        return (crossing if logits.device.type == "cpu" else compiled())(logits, *others)

    return cast("_Pass", choose)


@_fused
def _logsumexp(logits: Tensor) -> Tensor:
    return logits.float().logsumexp(dim=2)


@_fused
def _smooth_gradient(logits: Tensor, normaliser: Tensor, mass: Tensor, uniform: Tensor | None) -> Tensor:
    result = (logits.float() - normaliser.unsqueeze(2)).exp_().mul_(mass)
    if uniform is not None:
        result.sub_(uniform)
    # on a CPU scattering into bfloat16 is slow
    return result if logits.device.type == "cpu" else result.to(logits.dtype)


def _normaliser(logits: Tensor) -> Tensor:
    """Log of the summed exponentials over the vocabulary, float32 [batch, frames]."""
    return torch.cat([_logsumexp(logits[rows]) for rows in _blocks(logits)])


def _gradient(
    logits: Tensor, normaliser: Tensor, mass: Tensor, wanted: Tensor, taken: Tensor, uniform: Tensor | None
) -> Tensor:
    """Of the logits: `mass` times softmax, minus `uniform`, plus `taken` at the columns `wanted`.

    A column may be wanted more than once, with the same to take each time.
    """
    result = torch.empty_like(logits)
    for rows in _blocks(logits):
        some, columns = logits[rows], wanted[rows]
        even = None if uniform is None else uniform[rows]
        smooth = _smooth_gradient(some, normaliser[rows], mass[rows], even)
        # the few columns that matter are summed before they are rounded
        exact = (some.gather(2, columns).float() - normaliser[rows].unsqueeze(2)).exp() * mass[rows] + taken[rows]
        exact = exact if even is None else exact - even
        result[rows] = smooth.scatter_(2, columns, exact.to(smooth.dtype))
    return result


def _blocks(logits: Tensor) -> list[slice]:
    """Cut the batch into runs of sentences: small ones for a CPU's cache, one for a GPU."""
    batch, frames, vocabulary = logits.shape
    size = max(1, _BLOCK // (frames * vocabulary)) if logits.device.type == "cpu" else batch
    return [slice(start, start + size) for start in range(0, batch, size)]


def _compact_alphabet(targets: Tensor, target_lengths: Tensor) -> tuple[Tensor, Tensor]:
    """Each sentence's own alphabet: the blank, then its tokens.

    Returns:
        `columns`, int64 [batch, 1 + target_len]: the vocabulary entry of each compact symbol.
        `labels`, int64 [batch, target_len]: the targets as compact symbols; equal tokens share
        one, so that CTC's rule for repeats still sees them as equal. Past the end: the blank's.
    """
    positions = torch.arange(targets.shape[1], device=targets.device)
    real = positions < target_lengths.unsqueeze(1)
    masked = targets.masked_fill(~real, -1)
    first_use = (masked.unsqueeze(2) == masked.unsqueeze(1)).to(torch.uint8).argmax(dim=2)
    columns = functional.pad(targets.masked_fill(~real, BLANK_ID), (1, 0), value=BLANK_ID)
    return columns, (first_use + 1).masked_fill(~real, 0)


def _occupancy(scores: Tensor, frame_lengths: Tensor, labels: Tensor, target_lengths: Tensor) -> tuple[Tensor, Tensor]:
    """CTC on the compact alphabet: the summed loss, and each symbol's posterior by frame (past the end: noise).

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
    return losses.detach().sum(), (by_frame.detach().exp() - gradient).transpose(0, 1)
