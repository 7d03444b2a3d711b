"""The queue before the engine, and the one task that empties it.

Late binding, no timer: an idle engine starts at once, and while it is busy requests pile up; when
it frees, the best batch of what waits by then goes next. The oldest row decides which work that is:
only rows of equal work share a batch.

Every future is resolved in bounded time: by a result, by its caller leaving, or because the engine
overran its time, failed on everything or died. What happens when a batch fails:

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
import contextlib
import itertools
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeVar

import structlog

from service.engine.cores import step_back
from service.errors import Draining, EngineDied, EngineFailed, EngineOutOfMemory, EngineUnavailable, ServiceError
from service.pipeline.admission import Admission, Gate, Tally
from service.pipeline.planning import BatchBudget, plan
from service.types import Inferred

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from contextlib import AbstractContextManager

    from model.bundle import Direction
    from service.engine.protocol import Engine
    from service.observability.metrics import Metrics
    from service.pipeline.work import TokenIds, Work

__all__ = ["Batcher", "BatcherLimits", "EngineState"]

_DEATH_AFTER = 3
"""An engine call is given up for good after this many times its allowed duration."""

_PROBE_INTERVAL_S = 1.0
"""An engine that fails is tried again this often."""

Row = TypeVar("Row")
Result = TypeVar("Result")

_log = structlog.get_logger(__name__)


class EngineState(StrEnum):
    """What the batcher knows of its engine."""

    STOPPED = "stopped"
    RUNNING = "running"
    FAILING = "failing"
    HUNG = "hung"
    DEAD = "dead"


@dataclass(frozen=True, slots=True)
class BatcherLimits:
    """Sizes in tokens, time in seconds; `lookahead` is how many waiting rows one plan considers."""

    budget: BatchBudget
    lookahead: int
    queue_tokens: int
    queue_s: float
    engine_timeout_s: float


@dataclass(slots=True, eq=False)
class _Item:
    """One row waiting, and what its caller waits for."""

    work: Work[Any, Any]
    row: Any
    length: int
    done: asyncio.Future[_Done]
    submitted: float = field(default_factory=time.monotonic)


@dataclass(frozen=True, slots=True)
class _Done:
    result: Any
    started: float
    finished: float


class Batcher:
    """Collects rows of work from many requests, runs them in batches, hands each its result.

    Args:
        engine: works, as was seen at start.
        golden: of each direction a sentence that it translated then.
        limits: of batches, queue and time.
        metrics: what is told of them.
        tally: what waits, if the limit of it is shared with another batcher.
    """

    def __init__(
        self,
        engine: Engine,
        golden: Mapping[Direction, TokenIds],
        limits: BatcherLimits,
        metrics: Metrics,
        tally: Tally | None = None,
    ) -> None:
        self._engine = engine
        self._golden = golden
        self._limits = limits
        self._budget = limits.budget
        self._metrics = metrics
        self._gate = Gate(limits.queue_tokens, metrics, tally, longest_wait_s=limits.queue_s)
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="engine", initializer=step_back)
        self._waiting: dict[int, _Item] = {}  # by age; callers who leave take theirs out
        self._running: list[_Item] = []
        self._ages = itertools.count()
        self._arrival = asyncio.Event()
        self._idle = asyncio.Event()
        self._worker: asyncio.Task[None] | None = None
        self._call: Future[list[Any] | BaseException] | None = None
        self._proven = False  # whether the engine has succeeded since the present batch began
        self._closing = False
        self._state = EngineState.STOPPED

    @property
    def state(self) -> EngineState:
        """What is known of the engine, without touching it."""
        return self._state

    @property
    def engine_busy(self) -> bool:
        """Whether an engine call is under way. Its thread cannot be stopped, and holds up the end of the process."""
        return self._call is not None and not self._call.done()

    @property
    def alive(self) -> bool:
        """Whether the task runs that empties the queue."""
        return self._worker is not None and not self._worker.done()

    @property
    def budget_tokens(self) -> int:
        """Padded tokens a batch may have now."""
        return self._budget.tokens

    @property
    def waiting(self) -> int:
        """How many rows wait."""
        return len(self._waiting)

    @property
    def oldest_age_s(self) -> float:
        """Seconds that the oldest waiting row has waited; 0 when none waits."""
        oldest = next(iter(self._waiting.values()), None)
        return time.monotonic() - oldest.submitted if oldest else 0.0

    async def quiet(self) -> None:
        """Wait until all that requests can still come to is in the engine.

        A row that is submitted then has nobody before it, and holds up those who come later by one batch.
        """
        await self._gate.quiet()

    def start(self) -> None:
        """Start the worker. Call from the event loop."""
        self._worker = asyncio.get_running_loop().create_task(self._work(), name="batcher")
        self._worker.add_done_callback(self._on_worker_done)
        self._set_state(EngineState.RUNNING)

    async def stop(self, timeout_s: float) -> None:
        """Refuse new requests, finish what was accepted within `timeout_s`, fail the rest with `Draining`."""
        self._closing = True
        if self._worker:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(timeout_s):
                    await self._gate.empty()
                    await self._idle.wait()
            self._worker.cancel()
            await asyncio.wait({self._worker})
            self._worker = None  # it refers to this object: a cycle, which would keep the engine
        self._executor.shutdown(wait=False, cancel_futures=True)

    async def engine_rests(self) -> None:
        """Wait for the engine call under way, if there is one. Once the batcher is stopped, no other follows."""
        if self._call:
            await asyncio.wait({asyncio.wrap_future(self._call)})

    def check_room(self, expected_tokens: int, within_s: float) -> None:
        """Refuse a request that is expected to come to so many tokens, and is to be done within so many seconds.

        Raises:
            Overloaded: the queue is full, or too full for the time.
        """
        # More than may ever wait is for `admit` to say, who knows and does not guess.
        self._gate.check(max(1, expected_tokens) if expected_tokens <= self._limits.queue_tokens else 1, within_s)

    def check_open(self, expected_tokens: int, within_s: float) -> None:
        """Refuse early, before a request that is to be done within so many seconds has cost anything.

        Raises:
            Draining: the process is shutting down.
            EngineUnavailable: the engine fails, hangs, has died, or is not started.
            Overloaded: the queue is full, or too full for the time, if the request comes to what is expected.
        """
        self._check_open()
        self.check_room(expected_tokens, within_s)

    def admit(self, tokens: int, within_s: float) -> AbstractContextManager[Admission]:
        """Let a request in, for as long as the context lasts: until then a shutdown waits for it.

        Args:
            tokens: all the request can come to, in tokens that the network reads.
            within_s: seconds it has left.

        Raises:
            Draining, EngineUnavailable, Overloaded: as `check_open`.
            TooLarge: more tokens than may ever wait.
        """
        self._check_open()
        return self._gate.admit(tokens, within_s)

    async def submit(self, work: Work[Row, Result], rows: Sequence[Row], admission: Admission) -> Inferred[Result]:
        """Queue rows of an admitted request and wait for all of them. Cancelling the call takes them out.

        Raises:
            EngineUnavailable: the engine fails, hangs or has died.
            EngineFailed: the engine failed on one of these rows.
            Draining: the time to shut down in is over.
        """
        if self._state is not EngineState.RUNNING:
            raise self._unavailable()
        if not rows:
            return Inferred(results=())
        loop = asyncio.get_running_loop()
        items = {next(self._ages): _Item(work, row, work.length(row), loop.create_future()) for row in rows}
        self._waiting |= items
        self._gate.queue(sum(item.length for item in items.values()), admission)
        self._idle.clear()
        self._arrival.set()
        try:
            done = await asyncio.gather(*(item.done for item in items.values()))
        finally:
            self._drop(items)
        last = max(done, key=lambda one: one.finished)
        submitted = min(item.submitted for item in items.values())
        return Inferred(
            results=tuple(one.result for one in done),
            queue_s=last.started - submitted,
            inference_s=last.finished - last.started,
        )

    # ------------------------------------------------------------------------------- the queue

    def _check_open(self) -> None:
        if self._closing or self._state is not EngineState.RUNNING:
            raise self._unavailable()

    def _drop(self, items: dict[int, _Item]) -> None:
        """Take out what still waits of a request that is over."""
        left = [item for age in items if (item := self._waiting.pop(age, None))]
        self._left_queue(left)
        self._metrics.dropped_items.inc(len(left))
        for item in items.values():
            item.done.cancel()

    def _left_queue(self, items: Sequence[_Item]) -> None:
        self._gate.unqueue(sum(item.length for item in items))

    def _take(self) -> list[_Item]:
        """The next batch, out of the queue."""
        work = next(iter(self._waiting.values())).work
        alike = ((age, item) for age, item in self._waiting.items() if item.work == work)
        candidates = list(itertools.islice(alike, self._limits.lookahead))
        chosen = plan([item.length for _, item in candidates], self._budget)
        items = [self._waiting.pop(candidates[index][0]) for index in chosen]
        self._left_queue(items)
        return items

    # ------------------------------------------------------------------------------ the worker

    async def _work(self) -> None:
        while True:
            if not self._waiting:
                self._idle.set()
                self._arrival.clear()
                await self._arrival.wait()
                continue  # the caller may have left again
            self._running = self._take()
            self._proven = False
            await self._run(self._running)
            self._running = []

    async def _run(self, items: list[_Item]) -> None:
        """Run one batch and resolve its futures; on failure, its halves."""
        items = [item for item in items if not item.done.done()]
        if not items:
            return
        started = time.monotonic()
        outcome = await self._call_engine(items[0].work, [item.row for item in items])
        if isinstance(outcome, list):
            self._proven = True
            self._resolve(items, outcome, started)
            return
        self._note_failure(items, outcome)
        if len(items) == 1:
            if not self._proven:
                await self._prove(items[0].work)
            self._fail(items, EngineFailed("the engine failed on a sentence of this request; others were not affected"))
            return
        middle = len(items) // 2
        await self._run(items[:middle])
        await self._run(items[middle:])

    async def _prove(self, work: Work[Any, Any]) -> None:
        """See that the engine succeeds at this work at all; while it does not, nobody else waits for it.

        Raises:
            EngineDied: it has failed for as long as a call may take.
        """
        row, began = work.probe(self._golden[work.direction]), time.monotonic()
        while not isinstance(outcome := await self._call_engine(work, [row]), list):
            if time.monotonic() - began > self._limits.engine_timeout_s:
                msg = f"it has failed for {self._limits.engine_timeout_s:g} s on a sentence that it translated at start"
                raise EngineDied(msg) from outcome
            self._set_state(EngineState.FAILING)
            self._fail_all()
            self._idle.set()
            await asyncio.sleep(_PROBE_INTERVAL_S)
        self._proven = True
        self._set_state(EngineState.RUNNING)

    async def _call_engine(self, work: Work[Any, Any], rows: list[Any]) -> list[Any] | Exception:
        """One engine call in its thread; gives up on it in two steps.

        Raises:
            EngineDied: it does not come back, or says that it has died.
        """
        self._call = self._executor.submit(_outcome, self._engine, work, rows)
        call = asyncio.wrap_future(self._call)
        allowed = self._limits.engine_timeout_s
        done, _ = await asyncio.wait({call}, timeout=allowed)
        if not done:
            self._set_state(EngineState.HUNG)
            self._fail_all()
            done, _ = await asyncio.wait({call}, timeout=allowed * (_DEATH_AFTER - 1))
            if not done:
                msg = f"an engine call did not return within {allowed * _DEATH_AFTER:g} s"
                raise EngineDied(msg)
            self._set_state(EngineState.RUNNING)
        outcome = call.result()
        if isinstance(outcome, EngineDied) or not isinstance(outcome, list | Exception):
            raise EngineDied(str(outcome)) from outcome
        return outcome

    def _resolve(self, items: list[_Item], results: list[Any], started: float) -> None:
        finished = time.monotonic()
        for item, result in zip(items, results, strict=True):
            if not item.done.done():
                item.done.set_result(_Done(result, started, finished))
        real, longest = sum(item.length for item in items), max(item.length for item in items)
        # With the overhead counted as tokens, small batches tell how fast large ones would be.
        self._gate.note_run(real + self._budget.overhead, finished - started)
        padded = longest * len(items)
        labels = str(items[0].work.direction), str(items[0].work.task)
        self._metrics.batch_items.labels(*labels).observe(len(items))
        self._metrics.batch_padded_tokens.labels(*labels).observe(padded)
        self._metrics.batch_fill.labels(*labels).observe(padded / self._budget.tokens)
        self._metrics.batch_seconds.labels(*labels).observe(finished - started)
        self._metrics.padded_tokens.labels(*labels).inc(padded)
        self._metrics.real_tokens.labels(*labels).inc(real)

    # ---------------------------------------------------------------------------- when it fails

    def _note_failure(self, items: list[_Item], error: Exception) -> None:
        out_of_memory = isinstance(error, EngineOutOfMemory)
        if out_of_memory:
            failed = len(items) * max(item.length for item in items)
            self._budget = replace(self._budget, tokens=max(1, min(self._budget.tokens, failed // 2)))
        self._metrics.batch_failures.labels("out_of_memory" if out_of_memory else "error").inc()
        # The type alone: a runtime's message may quote its input.
        _log.error("batch_failed", items=len(items), error=type(error).__name__, budget=self._budget.tokens)

    def _fail(self, items: Sequence[_Item], error: ServiceError) -> None:
        for item in items:
            if not item.done.done():
                item.done.set_exception(error)

    def _fail_all(self) -> None:
        """Nobody waits for an engine that does not answer."""
        waiting = list(self._waiting.values())
        self._waiting.clear()
        self._left_queue(waiting)
        self._fail([*self._running, *waiting], self._unavailable())

    def _unavailable(self) -> ServiceError:
        """Why nothing can be run now."""
        if self._closing:
            return Draining("the service is shutting down")
        reason = {
            EngineState.STOPPED: "the engine is not running",
            EngineState.FAILING: "the engine fails on every sentence at the moment",
            EngineState.HUNG: "the engine does not answer at the moment",
            EngineState.DEAD: "the engine has died; the service must be restarted",
        }.get(self._state, "the engine is unavailable")
        return EngineUnavailable(reason)

    def _on_worker_done(self, worker: asyncio.Task[None]) -> None:
        error = None if worker.cancelled() else worker.exception()
        self._set_state(EngineState.DEAD if error else EngineState.STOPPED)
        if error:
            _log.critical("engine_died", error=f"{type(error).__name__}: {error}")
        self._fail_all()
        self._idle.set()

    def _set_state(self, state: EngineState) -> None:
        if state is EngineState.HUNG:
            _log.error("engine_hangs", allowed_s=self._limits.engine_timeout_s)
        elif state is EngineState.FAILING and state is not self._state:
            _log.error("engine_fails", allowed_s=self._limits.engine_timeout_s)
        elif state is EngineState.RUNNING and self._state in (EngineState.FAILING, EngineState.HUNG):
            _log.warning("engine_recovered")
        self._state = state


def _outcome(engine: Engine, work: Work[Any, Any], rows: list[Any]) -> list[Any] | BaseException:
    """Call the engine and hand back what it raises: a SystemExit there must not stop the event loop."""
    try:
        return list(work.run(engine, rows))
    except BaseException as error:  # noqa: BLE001 - the engine is foreign code; the caller sorts all it can raise
        return error
