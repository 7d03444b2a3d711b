"""What a network is asked for: the tasks of `bundle.contract`, with torch. Graphs are made of them.

Log-probabilities are computed in the network's own type: in float16 its logits are coarser than they are, and ONNX
Runtime takes normalisers in float32 all the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from model.bundle import BLANK_ID, Task

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from model.bundle import Direction
    from model.data.batches import Padded
    from model.reder import Reder

__all__ = ["CHOICES", "EveryTask", "TorchRunner"]

CHOICES = 8
"""Tokens of each frame that a beam search may try."""


class EveryTask(nn.Module):
    """A network bound to one direction, in evaluation mode: what every task makes of the same log-probabilities."""

    def __init__(self, model: Reder, direction: Direction) -> None:
        super().__init__()
        self.model = model
        self.direction = direction
        self.eval()

    def forward(self, source_ids: Tensor, source_lengths: Tensor, target_ids: Tensor) -> tuple[Tensor, ...]:
        """The outputs of each task in turn, in the order of the contract."""
        log_probs = _log_probs(self.model, self.direction, source_ids, source_lengths)
        return *_greedy(log_probs), *_search(log_probs), *_score(log_probs, target_ids)


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
        log_probs = _log_probs(self._model.eval(), direction, source.ids, source.lengths)
        first, second = _TASKS[task](log_probs, *(side.ids for side in target))
        return first.cpu().numpy(), second.cpu().numpy()


def _log_probs(model: Reder, direction: Direction, source_ids: Tensor, source_lengths: Tensor) -> Tensor:
    """[batch, frames, vocabulary]. ONNX Runtime takes a third of the time that ReduceLogSumExp would."""
    logits: Tensor = model(direction, source_ids, source_lengths).logits
    return logits.log_softmax(dim=2)


def _greedy(log_probs: Tensor) -> tuple[Tensor, Tensor]:
    """The best token of each frame. ONNX Runtime's ArgMax takes several times as long as its TopK."""
    best, ids = log_probs.topk(1, dim=2)
    return ids.squeeze(2), best.squeeze(2).float()


def _search(log_probs: Tensor) -> tuple[Tensor, Tensor]:
    """The best few tokens of each frame."""
    best, ids = log_probs.topk(min(CHOICES, log_probs.shape[2]), dim=2)
    return ids, best.float()


def _score(log_probs: Tensor, target_ids: Tensor) -> tuple[Tensor, Tensor]:
    """The blank and a given target's tokens on each frame."""
    wanted = target_ids.unsqueeze(1).expand(-1, log_probs.shape[1], -1)
    return log_probs[:, :, BLANK_ID].float(), log_probs.gather(2, wanted).float()


_TASKS: dict[Task, Callable[..., tuple[Tensor, Tensor]]] = {
    Task.GREEDY: _greedy,
    Task.SEARCH: _search,
    Task.SCORE: _score,
}
