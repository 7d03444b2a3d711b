"""What a network is asked for, as modules of one direction: what graphs are made of.

Arguments and results are those of `bundle.contract`. Log-probabilities are computed in the network's own type: in
float16 its logits are coarser than they are, and ONNX Runtime takes normalisers in float32 all the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from model.bundle import BLANK_ID, Task

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from model.bundle import Direction
    from model.data.batches import Padded
    from model.reder import Reder

__all__ = ["CHOICES", "TorchRunner", "module_for"]

CHOICES = 8
"""Tokens of each frame that a beam search may try."""


class _OneDirection(nn.Module):
    def __init__(self, model: Reder, direction: Direction) -> None:
        super().__init__()
        self.model = model
        self.direction = direction

    def log_probs(self, source_ids: Tensor, source_lengths: Tensor) -> Tensor:
        """[batch, frames, vocabulary]. ONNX Runtime takes a third of the time that ReduceLogSumExp would."""
        logits: Tensor = self.model(self.direction, source_ids, source_lengths).logits
        return logits.log_softmax(dim=2)


class _Greedy(_OneDirection):
    """The best token of each frame. ONNX Runtime's ArgMax takes several times as long as its TopK."""

    def forward(self, source_ids: Tensor, source_lengths: Tensor) -> tuple[Tensor, Tensor]:
        best, ids = self.log_probs(source_ids, source_lengths).topk(1, dim=2)
        return ids.squeeze(2), best.squeeze(2).float()


class _Search(_OneDirection):
    """The best few tokens of each frame."""

    def forward(self, source_ids: Tensor, source_lengths: Tensor) -> tuple[Tensor, Tensor]:
        log_probs = self.log_probs(source_ids, source_lengths)
        best, ids = log_probs.topk(min(CHOICES, log_probs.shape[2]), dim=2)
        return ids, best.float()


class _Score(_OneDirection):
    """The blank and a given target's tokens on each frame."""

    def forward(self, source_ids: Tensor, source_lengths: Tensor, target_ids: Tensor) -> tuple[Tensor, Tensor]:
        log_probs = self.log_probs(source_ids, source_lengths)
        wanted = target_ids.unsqueeze(1).expand(-1, log_probs.shape[1], -1)
        return log_probs[:, :, BLANK_ID].float(), log_probs.gather(2, wanted).float()


_MODULES: dict[Task, type[_OneDirection]] = {Task.GREEDY: _Greedy, Task.SEARCH: _Search, Task.SCORE: _Score}


def module_for(task: Task, model: Reder, direction: Direction) -> nn.Module:
    """A network bound to one direction and task, in evaluation mode."""
    return _MODULES[task](model, direction).eval()


class TorchRunner:
    """Runs the tasks with torch, on the network's own device; see `decode.Runner`."""

    def __init__(self, model: Reder) -> None:
        self._model = model
        self.upsampling = model.config.upsampling
        self.max_source_tokens = model.config.max_source_tokens
        self.batch_tokens = 2048 if model.embedding.weight.device.type == "cpu" else 1 << 15

    @torch.inference_mode()
    def run(self, task: Task, direction: Direction, *sides: Padded) -> tuple[NDArray[Any], NDArray[Any]]:
        """See `decode.Runner.run`."""
        source, *target = (side.to(self._model.embedding.weight.device) for side in sides)
        module = module_for(task, self._model, direction)
        first, second = module(source.ids, source.lengths, *(side.ids for side in target))
        return first.cpu().numpy(), second.cpu().numpy()
