"""What the batcher asks of an engine. Anything that answers so can stand in: another runtime, a faulty one in tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from model.bundle import Direction
    from service.types import Batch, EngineInfo, Frames

__all__ = ["Engine"]


class Engine(Protocol):
    """One network, both directions."""

    @property
    def info(self) -> EngineInfo:
        """How the network runs here."""
        ...

    def infer(self, direction: Direction, batch: Batch) -> Frames:
        """Run one batch. Blocks; called from one thread at a time.

        Raises:
            EngineOutOfMemory: the batch did not fit; a smaller one may.
            EngineDied: no further call can succeed.
            Exception: this batch failed; others may succeed.
        """
        ...
