"""What the batcher asks of an engine. Anything that answers so can stand in: another runtime, a faulty one in tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from model.bundle import Direction
    from service.types import Batch, Choices, EngineInfo, Frames

__all__ = ["Engine"]


class Engine(Protocol):
    """One network, both directions. Calls block.

    One call at a time has the whole engine. Several can run at once if each is made to a lane of its own.

    Each call raises:
        EngineOutOfMemory: the batch did not fit; a smaller one may.
        EngineDied: no further call can succeed.
        Exception: this batch failed; others may succeed.
    """

    @property
    def info(self) -> EngineInfo:
        """How the network runs here."""
        ...

    @property
    def lanes(self) -> Sequence[Engine]:
        """What may be called at the same time, each by a thread of its own; only the engine itself if nothing may."""
        ...

    def infer(self, direction: Direction, batch: Batch) -> Frames:
        """The best token of each frame."""
        ...

    def search(self, direction: Direction, batch: Batch) -> Choices:
        """The best few tokens of each frame."""
        ...

    def score(self, direction: Direction, batch: Batch, targets: Batch) -> NDArray[np.float64]:
        """Log p(target | source) of each row, over all alignments; minus infinity where none fits. [batch]."""
        ...
