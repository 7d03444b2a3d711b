"""The calls of the `Engine` protocol, for whatever gives the contract's two outputs of a task."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from model.bundle import Task, log_likelihood
from service.types import Choices, Frames

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from model.bundle import Direction
    from service.engine.protocol import Engine
    from service.types import Batch, EngineInfo

__all__ = ["TaskEngine"]


class TaskEngine(ABC):
    """An engine made of `_run`. It is its own only lane, unless there are `_lanes`.

    Args:
        upsampling: frames a token.
        info: how the network runs here.
    """

    def __init__(self, upsampling: int, info: EngineInfo) -> None:
        self._upsampling = upsampling
        self._info = info
        self._lanes: Sequence[Engine] = ()

    @property
    def info(self) -> EngineInfo:
        """How the network runs here."""
        return self._info

    @property
    def lanes(self) -> Sequence[Engine]:
        """See `Engine.lanes`."""
        return self._lanes or (self,)

    def infer(self, direction: Direction, batch: Batch) -> Frames:
        """The best token of each frame; raises what `_run` does, as the other calls do."""
        ids, log_probs = self._run(direction, Task.GREEDY, batch)
        return Frames(ids=ids, log_probs=log_probs, lengths=batch.lengths * self._upsampling)

    def search(self, direction: Direction, batch: Batch) -> Choices:
        """The best few tokens of each frame."""
        ids, log_probs = self._run(direction, Task.SEARCH, batch)
        return Choices(ids=ids, log_probs=log_probs, lengths=batch.lengths * self._upsampling)

    def score(self, direction: Direction, batch: Batch, targets: Batch) -> NDArray[np.float64]:
        """Log p(target | source) of each row, over all alignments; minus infinity where none fits. [batch]."""
        blank, tokens = self._run(direction, Task.SCORE, batch, targets)
        return log_likelihood(blank, tokens, batch.lengths * self._upsampling, targets.ids, targets.lengths)

    @abstractmethod
    def _run(
        self, direction: Direction, task: Task, batch: Batch, targets: Batch | None = None
    ) -> Sequence[NDArray[Any]]:
        """A task's outputs, in the order of the contract; `targets` are the scoring task's."""
