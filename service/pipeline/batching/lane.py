"""A lane: batch after batch, each one engine call or a few, in a thread of its own; and what happens when one fails.

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
from functools import partial
from typing import TYPE_CHECKING, Any

import structlog

from service.engine.cores import step_back
from service.errors import EngineDied, EngineFailed, ServiceError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from model.bundle import Direction
    from service.engine.protocol import Engine
    from service.pipeline.batching.work import TokenIds, Work

__all__ = ["Done", "EngineState", "Item", "Lane", "Reports", "fail"]

_DEATH_AFTER = 3
"""An engine call is given up for good after this many times its allowed duration."""

_PART_TOKENS = 128
"""Of a batch, that are run at a time where there is no padding: more are hardly faster, and the first would wait."""

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
        self._call: Future[BaseException | None] | None = None
        self._proven = False  # whether the engine has succeeded since the present batch began

    @property
    def call(self) -> Future[BaseException | None] | None:
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
        """Run one batch and resolve its futures; of what is left on failure, run halves."""
        items = [item for item in items if not item.done.done()]
        if not items:
            return
        started = time.monotonic()
        loop = asyncio.get_running_loop()
        parts = [items] if engine.info.padded else list(_parts(items))

        def run_parts() -> None:
            for part in parts:
                loop.call_soon_threadsafe(self._resolve, _run_part(engine, part))

        error = await self._call_engine(run_parts, reports)
        if error is None:
            reports.ran(items, time.monotonic() - started)
            return
        reports.failed(items, error)
        if len(items) == 1:
            if not self._proven:
                await self._prove(items[0].work, engine, reports)
            fail(items, EngineFailed("the engine failed on a sentence of this request; others were not affected"))
            return
        left = [item for item in items if not item.done.done()]
        middle = len(left) // 2
        await self._run(left[:middle], engine, reports)
        await self._run(left[middle:], engine, reports)

    def _resolve(self, done: Sequence[tuple[Item, Done]]) -> None:
        """Hand on what came of some rows."""
        self._proven |= bool(done)
        for item, one in done:
            if not item.done.done():
                item.done.set_result(one)

    async def _prove(self, work: Work[Any, Any], engine: Engine, reports: Reports) -> None:
        """See that the engine that failed succeeds at this work at all; while it does not, nobody else waits for it.

        Raises:
            EngineDied: it has failed for as long as a call may take.
        """
        row, began = work.probe(self._golden[work.direction]), time.monotonic()
        while error := await self._call_engine(partial(work.run, engine, [row]), reports):
            if time.monotonic() - began > self._timeout_s:
                msg = f"it has failed for {self._timeout_s:g} s on a sentence that it translated at start"
                raise EngineDied(msg) from error
            self.set_state(EngineState.FAILING)
            reports.stalled(self.running)
            await asyncio.sleep(_PROBE_INTERVAL_S)
        self._proven = True
        self.set_state(EngineState.RUNNING)

    async def _call_engine(self, call: Callable[[], object], reports: Reports) -> Exception | None:
        """Have the thread call the engine; gives up on it in two steps.

        Returns:
            What it raised, if it did.

        Raises:
            EngineDied: it does not come back, or says that it has died.
        """
        self._call = self._executor.submit(_error_of, call)
        waiting = asyncio.wrap_future(self._call)
        done, _ = await asyncio.wait({waiting}, timeout=self._timeout_s)
        if not done:
            self.set_state(EngineState.HUNG)
            reports.stalled(self.running)
            done, _ = await asyncio.wait({waiting}, timeout=self._timeout_s * (_DEATH_AFTER - 1))
            if not done:
                msg = f"an engine call did not return within {self._timeout_s * _DEATH_AFTER:g} s"
                raise EngineDied(msg)
            self.set_state(EngineState.RUNNING)
        error = waiting.result()
        if isinstance(error, EngineDied) or not isinstance(error, Exception | None):
            raise EngineDied(str(error)) from error
        return error


def fail(items: Sequence[Item], error: ServiceError) -> None:
    """Tell those who still wait for these rows that nothing will come of them."""
    for item in items:
        if not item.done.done():
            item.done.set_exception(error)


def _parts(items: Sequence[Item]) -> Iterator[list[Item]]:
    """A batch in parts that are no more than a few sentences; a long one is alone."""
    part: list[Item] = []
    for item in items:
        if part and sum(one.length for one in part) + item.length > _PART_TOKENS:
            yield part
            part = []
        part.append(item)
    yield part


def _run_part(engine: Engine, items: Sequence[Item]) -> list[tuple[Item, Done]]:
    """Run part of a batch, or all of it, without rows that nobody waits for any more."""
    items = [item for item in items if not item.done.done()]
    if not items:
        return []
    started = time.monotonic()
    results = items[0].work.run(engine, [item.row for item in items])
    finished = time.monotonic()
    return [(item, Done(result, started, finished)) for item, result in zip(items, results, strict=True)]


def _error_of(call: Callable[[], object]) -> BaseException | None:
    """Call the engine and hand back what it raises: a SystemExit there must not stop the event loop."""
    try:
        call()
    except BaseException as error:  # noqa: BLE001 - the engine is foreign code; the caller sorts all it can raise
        return error
    return None
