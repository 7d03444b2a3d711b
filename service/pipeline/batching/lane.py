"""A lane: batch after batch, each one engine call, in a thread of its own; and what happens when one fails.

The thread takes the next batch from the queue when it is done with the last, without the event loop, which is told what
came of it meanwhile.

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
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING

import structlog

from service.engine.cores import step_back
from service.errors import EngineDied, EngineFailed, ServiceError
from service.pipeline.batching.queue import Done

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from model.bundle import Direction
    from service.engine.protocol import Engine
    from service.pipeline.batching.queue import Item
    from service.pipeline.batching.work import TokenIds

__all__ = ["EngineState", "Lane", "Ran", "Reports", "Taken", "fail"]

_DEATH_AFTER = 3
"""An engine call is given up for good after this many times its allowed duration."""

_GRACE_S = 1.0
"""How long a thread that has overrun may show that it moves: if the process was frozen, it had no time to."""

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


@dataclass(frozen=True, slots=True)
class Taken:
    """A batch that a lane has taken: rows of equal work.

    Args:
        items: the rows.
        alone: whether no other lane runs and nothing waits.
        lanes: how many run with it, itself included.
    """

    items: Sequence[Item]
    alone: bool
    lanes: int


@dataclass(frozen=True, slots=True)
class Ran:
    """A batch that was run: what came of its rows, and how many lanes ran.

    The engine took `seconds` for it; the lane was busy with it for `busy_s`, with what there is to do between two.
    """

    results: Sequence[tuple[Item, Done]]
    seconds: float
    busy_s: float
    lanes: int


@dataclass(frozen=True, slots=True)
class Reports:
    """What a lane tells of. It is given with each run and not kept: lane and listener would keep each other alive.

    Args:
        began: these rows wait no longer.
        ran: a batch succeeded.
        failed: the engine raised this at a batch.
        stalled: until further notice nothing can be run, these rows included. They are the listener's to fail.
    """

    began: Callable[[Sequence[Item]], None]
    ran: Callable[[Ran], None]
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
        self.running: Sequence[Item] = ()  # its batch; whoever takes one for it says so
        self._engine = engine
        self._whole = whole
        self._golden = golden
        self._timeout_s = timeout_s
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="engine", initializer=step_back)
        self._executor.submit(bool)  # starts the thread: when memory is short, none could be started
        self._call: Future[BaseException | None] | None = None
        self._began = 0.0  # the engine call under way
        self._proven = False  # whether the engine has succeeded since the present batch began

    @property
    def call(self) -> Future[BaseException | None] | None:
        """The engine call under way, if there is one. Its thread cannot be stopped, and holds up the process's end."""
        return self._call if self._call and not self._call.done() else None

    async def run(self, first: Taken, take: Callable[[], Taken | None], reports: Reports) -> None:
        """Run batches as long as there are any, and see that every row of each comes to an end.

        Args:
            first: has been taken already.
            take: the next batch, if there is one; called in the lane's thread.
            reports: whom to tell how they come out.

        Raises:
            EngineDied: no further call can succeed.
        """
        loop = asyncio.get_running_loop()
        under_way = first

        def run_all() -> None:
            nonlocal under_way
            following: Taken | None = first
            free_at = self._began
            while following:
                under_way = following
                ran = self._run_batch(under_way, free_at)
                free_at = time.monotonic()
                following = take() if self.state is EngineState.RUNNING else None
                loop.call_soon_threadsafe(self._hand_over, ran, following, reports)

        self._hand_over(None, first, reports)
        if error := await self._call_engine(run_all, reports):
            await self._recover(under_way, error, reports)
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

    def _run_batch(self, taken: Taken, free_at: float) -> Ran:
        """Call the engine with those rows of a batch that somebody still waits for; the lane was free since then."""
        items = [item for item in taken.items if not item.done.done()]
        if not items:
            return Ran((), 0.0, 0.0, taken.lanes)
        self._began = started = time.monotonic()
        results = items[0].work.run(self._engine_of(taken), [item.row for item in items])
        finished = time.monotonic()
        done = [(item, Done(result, started, finished)) for item, result in zip(items, results, strict=True)]
        return Ran(done, finished - started, finished - free_at, taken.lanes)

    def _engine_of(self, taken: Taken) -> Engine:
        return self._whole if taken.alone else self._engine

    def _hand_over(self, ran: Ran | None, taken: Taken | None, reports: Reports) -> None:
        """Tell what came of a batch, and that the next one has begun."""
        if ran and ran.results:
            self._proven = True
            for item, one in ran.results:
                if not item.done.done():
                    item.done.set_result(one)
            reports.ran(ran)
        if taken:
            self._proven = False
            reports.began(taken.items)

    async def _recover(self, taken: Taken, error: Exception, reports: Reports) -> None:
        """The engine has raised at a batch: run its halves apart, and fail a row that fails alone."""
        reports.failed(taken.items, error)
        if len(taken.items) == 1:
            if not self._proven:
                await self._prove(taken, reports)
            fail(taken.items, EngineFailed("the engine failed on a sentence of this request; others were not affected"))
            return
        middle = len(taken.items) // 2
        for half in (taken.items[:middle], taken.items[middle:]):
            await self._run_half(replace(taken, items=half), reports)

    async def _run_half(self, taken: Taken, reports: Reports) -> None:
        ran: list[Ran] = []
        if error := await self._call_engine(lambda: ran.append(self._run_batch(taken, self._began)), reports):
            await self._recover(taken, error, reports)
        else:
            self._hand_over(ran[0], None, reports)

    async def _prove(self, taken: Taken, reports: Reports) -> None:
        """See that the engine that failed succeeds at such work at all; while it does not, nobody else waits for it.

        Raises:
            EngineDied: it has failed for as long as a call may take.
        """
        engine, work = self._engine_of(taken), taken.items[0].work
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
        self._began = time.monotonic()
        self._call = self._executor.submit(_error_of, call)
        returned = asyncio.wrap_future(self._call)
        if not await self._comes_back(returned, self._timeout_s):
            self.set_state(EngineState.HUNG)  # should the call return after all, its thread takes no other batch
            reports.stalled(self.running)
            if not await self._comes_back(returned, self._timeout_s * _DEATH_AFTER):
                msg = f"an engine call did not return within {self._timeout_s * _DEATH_AFTER:g} s"
                raise EngineDied(msg)
            self.set_state(EngineState.RUNNING)
        error = returned.result()
        if isinstance(error, EngineDied) or not isinstance(error, Exception | None):
            raise EngineDied(str(error)) from error
        return error

    async def _comes_back(self, returned: asyncio.Future[BaseException | None], allowed_s: float) -> bool:
        """Wait for the thread, as long as no engine call of it takes longer than is allowed, and a moment more."""
        while not returned.done():
            began = self._began
            left_s = began + allowed_s - time.monotonic()
            await asyncio.wait({returned}, timeout=left_s if left_s > 0 else _GRACE_S)
            if left_s <= 0 and self._began == began:
                break
        return returned.done()


def fail(items: Sequence[Item], error: ServiceError) -> None:
    """Tell those who still wait for these rows that nothing will come of them."""
    for item in items:
        if not item.done.done():
            item.done.set_exception(error)


def _error_of(call: Callable[[], object]) -> BaseException | None:
    """Call the engine and hand back what it raises: a SystemExit there must not stop the event loop."""
    try:
        call()
    except BaseException as error:  # noqa: BLE001 - the engine is foreign code; the caller sorts all it can raise
        return error
    return None
