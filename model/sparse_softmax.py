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

__all__ = [
    "OwnScores",
    "compact_alphabet",
    "log_normaliser",
    "own_log_probabilities",
    "own_scores",
    "softmax_gradient",
]

_Pass = TypeVar("_Pass", bound="Callable[..., Tensor]")

_BLOCK = 1 << 18
"""Float32 values a block may have on a CPU: 1 MiB."""


def compact_alphabet(targets: Tensor, target_lengths: Tensor) -> tuple[Tensor, Tensor]:
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


def own_log_probabilities(logits: Tensor, columns: Tensor, labels: Tensor) -> Tensor:
    """Of each sentence's own alphabet, by frame.

    Args:
        logits: [batch, frames, vocabulary], any floating type.
        columns: int64 [batch, symbols], of `compact_alphabet`.
        labels: int64 [batch, symbols - 1], likewise.

    Returns:
        Float32 [batch, frames, symbols]. Only the first use of a token may be differentiated.
    """
    result: Tensor = _OwnLogProbabilities.apply(logits, columns, labels)  # type: ignore[no-untyped-call]
    return result


class OwnScores(NamedTuple):
    """Log probabilities of each sentence's own alphabet by frame, and what their gradient needs.

    `scores` is float32 [batch, frames, symbols]; `normaliser` is that of the whole vocabulary, [batch, frames];
    `wanted` has the vocabulary's entry, int64, for each of `scores`.
    """

    scores: Tensor
    normaliser: Tensor
    wanted: Tensor


def own_scores(logits: Tensor, columns: Tensor) -> OwnScores:
    """Those of some columns, int64 [batch, symbols], for a gradient of one's own (`softmax_gradient`)."""
    wanted = columns.unsqueeze(1).expand(-1, logits.shape[1], -1)
    normaliser = log_normaliser(logits)
    return OwnScores(logits.gather(2, wanted).float() - normaliser.unsqueeze(2), normaliser, wanted)


class _OwnLogProbabilities(torch.autograd.Function):
    @staticmethod
    def forward(ctx: FunctionCtx, logits: Tensor, columns: Tensor, labels: Tensor) -> Tensor:
        scores, normaliser, wanted = own_scores(logits, columns)
        ctx.save_for_backward(logits, normaliser, wanted, functional.pad(labels, (1, 0)))
        return scores

    @staticmethod
    def backward(ctx: FunctionCtx, *gradients: Tensor) -> tuple[Tensor, None, None]:
        logits, normaliser, wanted, symbols = ctx.saved_tensors  # type: ignore[attr-defined]
        upstream = gradients[0]
        # d log p / d logits = label - p
        taken = upstream.gather(2, symbols.unsqueeze(1).expand_as(upstream))
        mass = -upstream.sum(dim=2, keepdim=True)
        return softmax_gradient(logits, normaliser, mass, wanted, taken, None), None, None


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
