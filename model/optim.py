"""Optimisers and learning-rate schedules."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import torch

from model.muon import GroupedMuon
from model.precision import product_dtype

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torch import Tensor, nn

    from model.config import TrainConfig

__all__ = ["Optimizers", "learning_rate_factor"]


def learning_rate_factor(config: TrainConfig, update: int, minutes: float = 0.0) -> float:
    """Share of the peak learning rate at an update, counted from 0, after so many minutes of training.

    `inverse_sqrt` is the paper's (Vaswani et al. 2017, section 5.3); `hold` stays at the peak until
    the last `decay_updates` or `decay_minutes`, so a run can be extended, or ended early, without having planned it.
    """
    step = update + 1
    warmup = min(1.0, step / config.warmup_updates)
    if config.schedule == "inverse_sqrt":
        return min(warmup, math.sqrt(config.warmup_updates / step))
    left = config.max_updates - update
    decay = left / config.decay_updates if config.decay_updates else 1.0
    if config.max_minutes is not None and config.decay_minutes:
        decay = min(decay, (config.max_minutes - minutes) / config.decay_minutes)
    return max(0.0, min(warmup, decay))


class Optimizers:
    """The optimisers of one model, stepped together.

    Matrices inside the layers, relative keys among them, may have their own (Muon); the embeddings of tokens and
    positions, norms and biases are Adam's, and only matrices decay.
    """

    def __init__(self, model: nn.Module, config: TrainConfig) -> None:
        self._config = config
        named = [(name, parameter) for name, parameter in model.named_parameters() if parameter.requires_grad]
        matrices = [p for name, p in named if p.ndim == 2 and name.startswith("ends.")]  # noqa: PLR2004
        inner = {id(parameter) for parameter in matrices}
        tables = [p for _, p in named if p.ndim == 2 and id(p) not in inner]  # noqa: PLR2004
        vectors = [p for _, p in named if p.ndim < 2]  # noqa: PLR2004
        adam_decayed, self.parameters = tables, [p for _, p in named]
        self._optimizers: list[torch.optim.Optimizer] = []
        if config.optimizer == "muon":
            # a CPU keeps one matrix in its cache, not all of a shape; PyTorch's always multiplies in bfloat16
            device = matrices[0].device
            one_by_one = device.type == "cpu" and product_dtype(device) == torch.bfloat16
            muon = torch.optim.Muon if one_by_one else GroupedMuon
            self._optimizers.append(
                muon(
                    matrices,
                    lr=config.learning_rate,
                    weight_decay=config.weight_decay,
                    adjust_lr_fn="match_rms_adamw",
                )
            )
        else:
            adam_decayed = matrices + tables
        self._optimizers.append(_adam(adam_decayed, vectors, config))

    def step(self, update: int, minutes: float = 0.0) -> float:
        """Clip the gradients' joint norm, apply one update and clear the gradients.

        Args:
            update: number of this update, from 0; sets the learning rate.
            minutes: of training so far; set it, too.

        Returns:
            The norm before clipping.
        """
        norm: Tensor = torch.nn.utils.clip_grad_norm_(self.parameters, self._config.clip_norm)
        rate = self._config.learning_rate * learning_rate_factor(self._config, update, minutes)
        for optimizer in self._optimizers:
            for group in optimizer.param_groups:
                group["lr"] = rate
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
        return float(norm)

    def state_dict(self) -> list[dict[str, Any]]:
        """State of each optimiser, in order."""
        return [optimizer.state_dict() for optimizer in self._optimizers]

    def load_state_dict(self, states: list[dict[str, Any]]) -> None:
        """Restore `state_dict`.

        Raises:
            ValueError: the states belong to other optimisers.
        """
        for optimizer, state in zip(self._optimizers, states, strict=True):
            optimizer.load_state_dict(state)


def _adam(decayed: Iterable[Tensor], free: Iterable[Tensor], config: TrainConfig) -> torch.optim.Optimizer:
    groups = [
        {"params": list(decayed), "weight_decay": config.weight_decay},
        {"params": list(free), "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=config.learning_rate, betas=(0.9, 0.98), eps=1e-8, fused=True)
