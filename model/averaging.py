"""Running mean of the weights, kept while training.

One network is wherever the last noisy updates left it; the mean over a long stretch of training is
near the middle of where they all went. In our runs on small batches it is worth two BLEU.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch.optim.swa_utils import AveragedModel

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from torch import Tensor, nn

__all__ = ["power_average"]


def power_average(model: nn.Module, exponent: float) -> AveragedModel:
    """A mean over all updates so far in which the network after update t weighs t ** `exponent`.

    The stretch it covers grows with the run (Karras et al. 2024, section 3.1), so its length need
    not be known: with 4, nearly all the weight lies on the last half. A copy of `model`; call
    `update_parameters(model)` after every update. Non-float buffers are those of the latest network.
    """
    averaged = AveragedModel(model, multi_avg_fn=_power_mean(exponent))
    averaged.module.requires_grad_(requires_grad=False)
    return averaged


def _power_mean(exponent: float) -> Callable[[Sequence[Tensor], Sequence[Tensor], Tensor | int], None]:
    @torch.no_grad()
    def update(means: Sequence[Tensor], currents: Sequence[Tensor], averaged: Tensor | int) -> None:
        new_share = 1 - (1 - 1 / (int(averaged) + 1)) ** (exponent + 1)
        torch._foreach_lerp_(list(means), list(currents), new_share)

    return update
