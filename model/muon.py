"""Muon (Jordan 2024), with matrices of one shape computed together."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING, Any, cast

import torch

from model.precision import product_dtype

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

__all__ = ["GroupedMuon"]


class GroupedMuon(torch.optim.Muon):
    """PyTorch's Muon, the same numbers and state, in a fraction of the kernels.

    PyTorch's takes one small matrix after another, thousands of launches an update: on a GPU a tenth of the time of
    training a small network. On a CPU PyTorch's is the faster one, unless the CPU has to emulate bfloat16, all that it
    knows. Knows the settings that this project uses: Nesterov momentum, and rates that match Adam's updates
    (`adjust_lr_fn="match_rms_adamw"`).
    """

    @torch.no_grad()
    def step(self) -> None:  # type: ignore[override]
        """One update of every matrix that has a gradient."""
        for group in self.param_groups:
            alike: dict[torch.Size, list[Tensor]] = defaultdict(list)
            for matrix in group["params"]:
                if matrix.grad is not None:
                    alike[matrix.shape].append(matrix)
            for matrices in alike.values():
                self._update(matrices, group)

    def _update(self, matrices: list[Tensor], group: dict[str, Any]) -> None:
        """One update of matrices of one shape."""
        gradients = [cast("Tensor", matrix.grad) for matrix in matrices]
        momenta = [self._momentum(matrix) for matrix in matrices]
        torch._foreach_lerp_(momenta, gradients, 1 - group["momentum"])
        ahead = torch.stack(gradients).lerp_(torch.stack(momenta), group["momentum"])
        updates = _orthogonal(ahead, group["ns_coefficients"], group["ns_steps"], group["eps"]).to(ahead.dtype)
        torch._foreach_mul_(matrices, 1 - group["lr"] * group["weight_decay"])
        rate = group["lr"] * 0.2 * math.sqrt(max(matrices[0].shape))
        torch._foreach_add_(matrices, updates.unbind(), alpha=-rate)

    def _momentum(self, matrix: Tensor) -> Tensor:
        state = self.state[matrix]
        if "momentum_buffer" not in state:
            state["momentum_buffer"] = torch.zeros_like(matrix)
        momentum: Tensor = state["momentum_buffer"]
        return momentum


def _orthogonal(matrices: Tensor, coefficients: Sequence[float], steps: int, eps: float) -> Tensor:
    """The nearest orthogonal matrix of each, roughly: a quintic Newton-Schulz iteration, in `product_dtype`.

    Args:
        matrices: [matrices, rows, columns].
        coefficients: of the first, third and fifth power.
        steps: how often.
        eps: the least norm to divide by.
    """
    tall = matrices.shape[1] > matrices.shape[2]
    found = matrices.mT if tall else matrices
    found = found.to(product_dtype(found.device))
    found = found / found.norm(dim=(1, 2), keepdim=True).clamp(min=eps)
    first, third, fifth = coefficients
    for _ in range(steps):
        gram = found @ found.mT
        found = torch.baddbmm(found, torch.baddbmm(gram, gram, gram, beta=third, alpha=fifth), found, beta=first)
    return found.mT if tall else found
