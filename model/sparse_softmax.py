"""Log softmax over a whole vocabulary, of which a sentence needs a few columns: its own tokens and the blank.

The vocabulary is crossed once for the normaliser and once to write the gradient, a few sentences at a time, so that on
a CPU the float32 copies stay in cache; on a GPU each crossing is one compiled kernel.
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

    from model.data.batches import Padded

__all__ = ["OwnScores", "alphabet", "log_normaliser", "own_scores", "softmax_gradient"]

_Pass = TypeVar("_Pass", bound="Callable[..., Tensor]")

_BLOCK = 1 << 18
"""Float32 values a block may have on a CPU: 1 MiB."""


class OwnScores(NamedTuple):
    """Log probabilities by frame of each sentence's own alphabet, and its target as symbols of that alphabet.

    The alphabet has the blank, then the target's tokens in order, then any others that were asked for. Equal tokens
    share one symbol, the first, so that CTC's rule for repeats still sees them as equal; only that one has a gradient.

    `log_probs` is float32 [batch, frames, symbols]; `columns`, int64 [batch, symbols], the vocabulary's entry of each
    symbol; `labels`, int64 [batch, target_len], the target, with the blank past its end; `frame_lengths` and
    `target_lengths`, int64 [batch]; `mean`, if wanted, that of the whole vocabulary's log probabilities, float32
    [batch, frames].
    """

    log_probs: Tensor
    columns: Tensor
    labels: Tensor
    frame_lengths: Tensor
    target_lengths: Tensor
    mean: Tensor | None


def own_scores(
    logits: Tensor,
    frame_lengths: Tensor,
    target: Padded,
    *,
    others: Padded | None = None,
    with_mean: bool = False,
    normaliser: Tensor | None = None,
) -> OwnScores:
    """What losses need of a log softmax, differentiable, however many of them share it.

    Args:
        logits: [batch, frames, vocabulary], any floating type; sums run in float32.
        frame_lengths: int64 [batch].
        target: what each sentence is to become.
        others: more tokens of its alphabet.
        with_mean: the mean over the vocabulary, too.
        normaliser: `log_normaliser` of the logits, if that is known.
    """
    known = logits.detach()
    normaliser = log_normaliser(known) if normaliser is None else normaliser
    mean = known.mean(dim=2, dtype=torch.float32) - normaliser if with_mean else None
    columns, labels = alphabet(target, others)
    log_probs, mean = _OwnScores.apply(  # type: ignore[no-untyped-call]
        logits, normaliser, mean, columns, functional.pad(labels, (1, 0))
    )
    return OwnScores(log_probs, columns, labels[:, : target.ids.shape[1]], frame_lengths, target.lengths, mean)


def alphabet(target: Padded, others: Padded | None = None) -> tuple[Tensor, Tensor]:
    """`columns` of `OwnScores`, and the target and others as symbols of it, int64 [batch, their lengths together]."""
    sides = [target] if others is None else [target, others]
    ids = torch.cat([side.ids for side in sides], dim=1)
    real = torch.cat([side.real for side in sides], dim=1)
    masked = ids.masked_fill(~real, -1)
    first_use = (masked.unsqueeze(2) == masked.unsqueeze(1)).to(torch.uint8).argmax(dim=2)
    columns = functional.pad(ids.masked_fill(~real, BLANK_ID), (1, 0), value=BLANK_ID)
    return columns, (first_use + 1).masked_fill(~real, 0)


class _OwnScores(torch.autograd.Function):
    """`log_probs` and `mean`, if there is one, as functions of the logits."""

    @staticmethod
    def forward(
        ctx: FunctionCtx,
        logits: Tensor,
        normaliser: Tensor,
        mean: Tensor | None,
        columns: Tensor,
        first_uses: Tensor,
    ) -> tuple[Tensor, Tensor | None]:
        wanted = columns.unsqueeze(1).expand(-1, logits.shape[1], -1)
        ctx.save_for_backward(logits, normaliser, wanted, first_uses)
        return logits.gather(2, wanted).float() - normaliser.unsqueeze(2), None if mean is None else mean.clone()

    @staticmethod
    def backward(ctx: FunctionCtx, *gradients: Tensor) -> tuple[Tensor, None, None, None, None]:
        logits, normaliser, wanted, first_uses = ctx.saved_tensors  # type: ignore[attr-defined]
        upstream, of_mean = gradients
        # d log p / d logits = label - p, and d mean / d logits = 1 / vocabulary - p
        taken = upstream.gather(2, first_uses.unsqueeze(1).expand_as(upstream))
        mass, uniform = -upstream.sum(dim=2, keepdim=True), None
        if of_mean is not None:
            mass = mass - of_mean.unsqueeze(2)
            uniform = -of_mean.unsqueeze(2) / logits.shape[2]
        return softmax_gradient(logits, normaliser, mass, wanted, taken, uniform), None, None, None, None


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


def log_normaliser(logits: Tensor) -> Tensor:
    """Log of the summed exponentials over the vocabulary, float32 [batch, frames]."""
    return torch.cat([_logsumexp(logits[rows]) for rows in _blocks(logits)])


def softmax_gradient(
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
