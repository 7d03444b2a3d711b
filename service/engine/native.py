"""The network in C behind the `Engine` protocol."""

from __future__ import annotations

import threading
import weakref
from abc import abstractmethod
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from model.bundle import Task
from service.engine.cores import usable_cores
from service.engine.network import MOST_CHOICES, Network, Team
from service.engine.tasks import TaskEngine
from service.errors import EngineOutOfMemory
from service.types import EngineInfo

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from numpy.typing import NDArray

    from model.bundle import Bundle, Direction
    from service.types import Batch

__all__ = ["NativeEngine"]


_CHOICES = {Task.GREEDY: 1, Task.SEARCH: MOST_CHOICES, Task.SCORE: 0}
"""Tokens of each frame that a task wants."""


class _Runner(TaskEngine):
    """One team. Whoever calls while it computes waits."""

    def __init__(self, network: Network, info: EngineInfo) -> None:
        super().__init__(network.upsampling, info)
        self._network = network
        self._team = Team(network, info.threads)
        self._free = threading.Lock()

    @abstractmethod
    def _cores(self) -> AbstractContextManager[int]:
        """How many there are to compute on, for as long as the context lasts."""

    def _run(
        self, direction: Direction, task: Task, batch: Batch, targets: Batch | None = None
    ) -> tuple[NDArray[Any], NDArray[Any]]:
        """What the network finds.

        Raises:
            EngineOutOfMemory: the batch did not fit.
            ValueError: tokens or lengths are not such as the network takes.
        """
        try:
            with self._free, self._cores() as cores:
                found = self._network.run(
                    direction, batch, self._team, threads=cores, choices=_CHOICES[task], targets=targets
                )
        except MemoryError as error:
            raise EngineOutOfMemory(str(error)) from error
        if task is Task.SCORE:
            return found.blank, found.targets
        if task is Task.GREEDY:
            return found.ids[:, :, 0], found.log_probs[:, :, 0]
        return found.ids, found.log_probs


class NativeEngine(_Runner):
    """A bundle's network in int8, on processors that there is code for (docs/decisions/0027).

    A sentence alone has a team of all cores, and with more to do each core takes batches for itself, which helps no
    more with that sentence then. All have the same weights in memory.

    Args:
        bundle: where weights and scales come from.
        threads: cores to use; 0 is all that are usable.
        instructions: what to run it with, of `instruction_sets`; the fastest if none is named.
        fallback: why the network is not on a GPU, if it should be.

    Raises:
        UnsupportedError: the network is of a shape that there is no code for, or the processor lacks the instructions.
        ManifestError: weights or scales are missing or malformed.
    """

    def __init__(self, bundle: Bundle, *, threads: int = 0, instructions: str = "", fallback: str = "") -> None:
        network = Network(bundle, instructions)
        info = EngineInfo(
            provider="cpu",
            precision="int8",
            threads=threads or usable_cores(),
            runtime=f"reder {network.instructions}",
            fallback=fallback,
            padded=False,
        )
        super().__init__(network, info)
        self._busy = 0
        self._counting = threading.Lock()
        if info.threads > 1:
            self._lanes = [_Lane(network, replace(info, threads=1), self) for _ in range(info.threads)]

    @contextmanager
    def one_core_busy(self) -> Iterator[int]:
        """Leave a core to a lane."""
        with self._counting:
            self._busy += 1
            self._team.reduce(self._left)
        try:
            yield 1
        finally:
            with self._counting:
                self._busy -= 1

    @contextmanager
    def _cores(self) -> Iterator[int]:
        with self._counting:
            cores = self._left
        yield cores

    @property
    def _left(self) -> int:
        """Cores that no lane has; there is always one."""
        return max(1, self._info.threads - self._busy)


class _Lane(_Runner):
    """One core of an engine."""

    def __init__(self, network: Network, info: EngineInfo, engine: NativeEngine) -> None:
        super().__init__(network, info)
        self._engine = weakref.proxy(engine)  # which has this one

    def _cores(self) -> AbstractContextManager[int]:
        cores: AbstractContextManager[int] = self._engine.one_core_busy()
        return cores
