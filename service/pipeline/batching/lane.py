"""A lane: one engine call after another, each a batch, in a thread of its own; and what happens when one fails.

Every row comes to an end in bounded time: with a result, by its caller leaving, or because the engine overran its
time, failed on everything or died:

    it raises              halves are run apart, down to the one row that fails alone
    it runs out of memory  the same, and later batches may only be half as large as the smallest that did
    no row has succeeded   a golden sentence, which translated at start, tells whether it is the row or the engine
    that one fails too     the engine fails: all waiting fail, new requests are refused, until it succeeds
    it goes on failing     the engine has died, as if it had said so: the process must be restarted
    it overruns            the engine hangs: as one that fails, until it returns
    it never returns       the engine has died
"""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import structlog

from service.engine.cores import step_back
from service.errors import EngineDied, EngineFailed, ServiceError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from model.bundle import Direction
    from service.engine.protocol import Engine
    from service.pipeline.batching.work import TokenIds, Work

__all__ = ["Done", "EngineState", "Item", "Lane", "Reports", "fail"]

_DEATH_AFTER = 3
"""An engine call is given up for good after this many times its allowed duration."""

_PROBE_INTERVAL_S = 1.0
"""An engine that fails is tried again this often."""

_log = structlog.get_logger(__name__)


class EngineState(StrEnum):
    """What is known of the engine; of several lanes that counts which comes last here."""

    STOPPED = "stopped"
    RUNNING = "running"
    FAILING = "failing"
    HUNG = "hung"
    DEAD = "dead"


@dataclass(slots=True, eq=False)
class Item:
    """One row waiting, and what its caller waits for."""

    work: Work[Any, Any]
    row: Any
    length: int
    done: asyncio.Future[Done]
    submitted: float = field(default_factory=time.monotonic)


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a row, and when the call that ran it began and ended, on `time.monotonic`."""

    result: Any
    started: float
    finished: float


@dataclass(frozen=True, slots=True)
class Reports:
    """What a lane tells of. It is given with each batch and not kept: lane and listener would keep each other alive.

    Args:
        ran: a batch succeeded; it took so many seconds.
        failed: the engine raised this at a batch.
        stalled: until further notice nothing can be run, these rows included. They are the listener's to fail.
    """

    ran: Callable[[Sequence[Item], float], None]
    failed: Callable[[Sequence[Item], Exception], None]
    stalled: Callable[[Sequence[Item]], None]


class Lane:
    """Runs batches, one at a time.

    Args:
        engine: what this lane may use while others run, too.
        whole: what it may use while it is the only one that runs.
        golden: of each direction a sentence that was translated at start.
        timeout_s: how long a call may take.
    """

    def __init__(self, engine: Engine, whole: Engine, golden: Mapping[Direction, TokenIds], timeout_s: float) -> None:
        self.state = EngineState.STOPPED
        self.running: Sequence[Item] = ()
        self._engine = engine
        self._whole = whole
        self._golden = golden
        self._timeout_s = timeout_s
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="engine", initializer=step_back)
        self._executor.submit(bool)  # starts the thread: when memory is short, none could be started
        self._call: Future[list[Any] | BaseException] | None = None
        self._proven = False  # whether the engine has succeeded since the present batch began

    @property
    def call(self) -> Future[list[Any] | BaseException] | None:
        """The engine call under way, if there is one. Its thread cannot be stopped, and holds up the process's end."""
        return self._call if self._call and not self._call.done() else None

    async def run(self, items: Sequence[Item], reports: Reports, *, alone: bool) -> None:
        """Run a batch and see that every row of it comes to an end.

        Args:
            items: of equal work.
            reports: whom to tell how it comes out.
            alone: whether no other lane runs now.

        Raises:
            EngineDied: no further call can succeed.
        """
        self.running = items
        self._proven = False
        await self._run(items, self._whole if alone else self._engine, reports)
        self.running = ()

    def set_state(self, state: EngineState) -> None:
        """Say what is known of the engine; the log is told of what changes for the worse, and of recovery."""
        if state is EngineState.HUNG:
            _log.error("engine_hangs", allowed_s=self._timeout_s)
        elif state is EngineState.FAILING and state is not self.state:
            _log.error("engine_fails", allowed_s=self._timeout_s)
        elif state is EngineState.RUNNING and self.state in (EngineState.FAILING, EngineState.HUNG):
            _log.warning("engine_recovered")
        self.state = state

    def shut_down(self) -> None:
        """Let the thread end, once it has nothing more to do."""
        self._executor.shutdown(wait=False, cancel_futures=True)

    async def _run(self, items: Sequence[Item], engine: Engine, reports: Reports) -> None:
        """Run one batch and resolve its futures; on failure, its halves."""
        items = [item for item in items if not item.done.done()]
        if not items:
            return
        started = time.monotonic()
        outcome = await self._call_engine(engine, items[0].work, [item.row for item in items], reports)
        if isinstance(outcome, list):
            self._proven = True
            finished = time.monotonic()
            for item, result in zip(items, outcome, strict=True):
                if not item.done.done():
                    item.done.set_result(Done(result, started, finished))
            reports.ran(items, finished - started)
            return
        reports.failed(items, outcome)
        if len(items) == 1:
            if not self._proven:
                await self._prove(items[0].work, engine, reports)
            fail(items, EngineFailed("the engine failed on a sentence of this request; others were not affected"))
            return
        middle = len(items) // 2
        await self._run(items[:middle], engine, reports)
        await self._run(items[middle:], engine, reports)

    async def _prove(self, work: Work[Any, Any], engine: Engine, reports: Reports) -> None:
        """See that the engine that failed succeeds at this work at all; while it does not, nobody else waits for it.

        Raises:
            EngineDied: it has failed for as long as a call may take.
        """
        row, began = work.probe(self._golden[work.direction]), time.monotonic()
        while not isinstance(outcome := await self._call_engine(engine, work, [row], reports), list):
            if time.monotonic() - began > self._timeout_s:
                msg = f"it has failed for {self._timeout_s:g} s on a sentence that it translated at start"
                raise EngineDied(msg) from outcome
            self.set_state(EngineState.FAILING)
            reports.stalled(self.running)
            await asyncio.sleep(_PROBE_INTERVAL_S)
        self._proven = True
        self.set_state(EngineState.RUNNING)

    async def _call_engine(
        self, engine: Engine, work: Work[Any, Any], rows: list[Any], reports: Reports
    ) -> list[Any] | Exception:
        """One engine call in its thread; gives up on it in two steps.

        Raises:
            EngineDied: it does not come back, or says that it has died.
        """
        self._call = self._executor.submit(_outcome, engine, work, rows)
        call = asyncio.wrap_future(self._call)
        done, _ = await asyncio.wait({call}, timeout=self._timeout_s)
        if not done:
            self.set_state(EngineState.HUNG)
            reports.stalled(self.running)
            done, _ = await asyncio.wait({call}, timeout=self._timeout_s * (_DEATH_AFTER - 1))
            if not done:
                msg = f"an engine call did not return within {self._timeout_s * _DEATH_AFTER:g} s"
                raise EngineDied(msg)
            self.set_state(EngineState.RUNNING)
        outcome = call.result()
        if isinstance(outcome, EngineDied) or not isinstance(outcome, list | Exception):
            raise EngineDied(str(outcome)) from outcome
        return outcome


def fail(items: Sequence[Item], error: ServiceError) -> None:
    """Tell those who still wait for these rows that nothing will come of them."""
    for item in items:
        if not item.done.done():
            item.done.set_exception(error)


def _outcome(engine: Engine, work: Work[Any, Any], rows: list[Any]) -> list[Any] | BaseException:
    """Call the engine and hand back what it raises: a SystemExit there must not stop the event loop."""
    try:
        return list(work.run(engine, rows))
    except BaseException as error:  # noqa: BLE001 - the engine is foreign code; the caller sorts all it can raise
        return error
