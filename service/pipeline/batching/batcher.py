"""From requests to the engine and back: who is let in, what waits, the lanes that empty the queue.

Late binding, no timer: an idle engine starts at once, and while it is busy requests pile up; when it frees, the best
batch of what waits by then goes next. The row that is due first decides which work that is: only rows of equal work
share a batch.

An engine may have several lanes, cores of a CPU, each of which takes batches by itself. A row that comes alone while
all are idle gets the whole engine.
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass, replace
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

import structlog

from service.errors import Draining, EngineOutOfMemory, EngineUnavailable, ServiceError
from service.pipeline.batching.admission import Admission, Gate, Tally
from service.pipeline.batching.lane import EngineState, Lane, Reports, Taken, fail
from service.pipeline.batching.queue import Item, Queue
from service.types import Inferred

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from contextlib import AbstractContextManager

    from model.bundle import Direction
    from service.engine.protocol import Engine
    from service.observability.metrics import Metrics
    from service.pipeline.batching.lane import Ran
    from service.pipeline.batching.planning import BatchBudget
    from service.pipeline.batching.work import TokenIds, Work

__all__ = ["Batcher", "BatcherLimits"]

Row = TypeVar("Row")
Result = TypeVar("Result")

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class BatcherLimits:
    """Sizes in tokens, time in seconds; `lookahead` is how many waiting rows one plan considers."""

    budget: BatchBudget
    lookahead: int
    queue_tokens: int
    queue_s: float
    engine_timeout_s: float


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
        self._limits = limits
        self._budget = limits.budget
        self._metrics = metrics
        self._gate = Gate(limits.queue_tokens, metrics, tally, longest_wait_s=limits.queue_s)
        self._lanes = [Lane(part, engine, golden, limits.engine_timeout_s) for part in engine.lanes]
        self._queue = Queue(len(self._lanes), limits.lookahead)
        self._taking = Lock()  # so that of lanes that take at once one counts the other
        self._arrival = asyncio.Event()
        self._idle = asyncio.Event()
        self._workers: list[asyncio.Task[None]] = []
        self._closing = False

    @property
    def state(self) -> EngineState:
        """What is known of the engine, without touching it: of the lane that is worst off."""
        return max((lane.state for lane in self._lanes), key=list(EngineState).index)

    @property
    def engine_busy(self) -> bool:
        """Whether an engine call is under way. Its thread cannot be stopped, and holds up the end of the process."""
        return any(lane.call for lane in self._lanes)

    @property
    def lanes(self) -> int:
        """How many batches the engine can run at the same time."""
        return len(self._lanes)

    @property
    def alive(self) -> bool:
        """Whether the tasks run that empty the queue."""
        return bool(self._workers) and not any(worker.done() for worker in self._workers)

    @property
    def budget_tokens(self) -> int:
        """Padded tokens a batch may have now."""
        return self._budget.at_once

    @property
    def waiting(self) -> int:
        """How many rows wait."""
        return len(self._queue)

    @property
    def oldest_age_s(self) -> float:
        """Seconds that the oldest waiting row has waited; 0 when none waits."""
        return self._queue.oldest_age_s

    async def quiet(self) -> None:
        """Wait until all that requests can still come to is in the engine.

        A row that is submitted then has nobody before it, and holds up those who come later by one batch.
        """
        await self._gate.quiet()

    def start(self) -> None:
        """Start the workers. Call from the event loop."""
        for lane in self._lanes:
            worker = asyncio.get_running_loop().create_task(self._work(lane), name="batcher")
            worker.add_done_callback(partial(self._on_worker_done, lane))
            lane.set_state(EngineState.RUNNING)
            self._workers.append(worker)

    async def stop(self, timeout_s: float) -> None:
        """Refuse new requests, finish what was accepted within `timeout_s`, fail the rest with `Draining`."""
        self._closing = True
        if self._workers:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(timeout_s):
                    await self._gate.empty()
                    await self._idle.wait()
            for worker in self._workers:
                worker.cancel()
            await asyncio.wait(self._workers)
            self._workers = []  # they refer to this object: a cycle, which would keep the engine
        for lane in self._lanes:
            lane.shut_down()

    async def engine_rests(self) -> None:
        """Wait for the engine calls under way, if there are any. Once the batcher is stopped, no other follows."""
        if calls := [asyncio.wrap_future(call) for lane in self._lanes if (call := lane.call)]:
            await asyncio.wait(calls)

    def check_room(self, expected_tokens: int, within_s: float) -> None:
        """Refuse a request that is expected to come to so many tokens, and is to be done within so many seconds.

        Raises:
            Overloaded: the queue is full, or too full for the time.
        """
        self._gate.check(self._countable(expected_tokens), within_s)

    def admit(self, expected_tokens: int, within_s: float) -> AbstractContextManager[Admission]:
        """Let a request in, for as long as the context lasts: until then a shutdown waits for it.

        Args:
            expected_tokens: what it may be expected to come to, in tokens that the network reads. Nothing has been
                spent on it yet; `revise` is told once it has been read.
            within_s: seconds it has.

        Raises:
            Draining: the process is shutting down.
            EngineUnavailable: the engine fails, hangs, has died, or is not started.
            Overloaded: as `check_room`.
        """
        if self._closing or self.state is not EngineState.RUNNING:
            raise self._unavailable()
        return self._gate.admit(self._countable(expected_tokens), within_s)

    def revise(self, tokens: int, admission: Admission) -> None:
        """An admitted request turns out to come to so many tokens at most.

        Raises:
            Overloaded: it is larger than expected, and the queue too full for that.
            TooLarge: more tokens than may ever wait.
        """
        self._gate.revise(tokens, admission)

    def hold(self, tokens: int) -> AbstractContextManager[None]:
        """Have tokens that were run count as waiting for as long as the context lasts: more is done with them."""
        return self._gate.hold(tokens)

    async def submit(self, work: Work[Row, Result], rows: Sequence[Row], admission: Admission) -> Inferred[Result]:
        """Queue rows of an admitted request and wait for all of them. Cancelling the call takes them out.

        Raises:
            EngineUnavailable: the engine fails, hangs or has died.
            EngineFailed: the engine failed on one of these rows.
            Draining: the time to shut down in is over.
        """
        if self.state is not EngineState.RUNNING:
            raise self._unavailable()
        if not rows:
            return Inferred(results=())
        items = self._items(work, rows, admission)
        self._gate.queue(sum(item.length for item in items), admission)
        self._queue.add(items)
        self._idle.clear()
        self._arrival.set()
        try:
            one_alone = len(items) == 1  # as mostly: no future need be made for all
            done = [await items[0].done] if one_alone else await asyncio.gather(*(item.done for item in items))
        finally:
            self._drop(items)
        last = max(done, key=lambda one: one.finished)
        submitted = items[0].submitted
        return Inferred(
            results=tuple(one.result for one in done),
            queue_s=last.started - submitted,
            inference_s=last.finished - last.started,
        )

    # ------------------------------------------------------------------------------- the queue

    def _countable(self, expected_tokens: int) -> int:
        """What the gate counts for it: of what seems more than may ever wait 1, for only `revise` knows that it is."""
        return max(1, expected_tokens) if expected_tokens <= self._limits.queue_tokens else 1

    def _items(self, work: Work[Row, Result], rows: Sequence[Row], admission: Admission) -> list[Item]:
        """The rows, each due when all of its request is that has been queued so far, up to its end."""
        new_future = asyncio.get_running_loop().create_future
        items, tokens = [], admission.tokens - admission.promised
        for row in rows:
            length = work.length(row)
            tokens += length
            items.append(Item(work, row, length, admission.due(tokens), admission, new_future()))
        return items

    def _drop(self, items: Sequence[Item]) -> None:
        """Take out what still waits of a request that is over."""
        left = self._queue.remove(items)
        self._left_queue(left)
        self._metrics.dropped_items.inc(len(left))
        for item in items:
            item.done.cancel()

    def _left_queue(self, items: Sequence[Item]) -> None:
        for item in items:
            self._gate.unqueue(item.length, item.admission)

    def _take(self, lane: Lane) -> Taken | None:
        """The next batch, out of the queue, for a lane that has none; called in its thread, too."""
        with self._taking:
            lane.running = ()
            others = sum(bool(one.running) for one in self._lanes)
            lane.running = items = self._queue.take(self._budget, len(self._lanes) - others)
            return Taken(items, alone=not (others or self._queue), lanes=others + 1) if items else None

    # ------------------------------------------------------------------------------ the workers

    async def _work(self, lane: Lane) -> None:
        take = partial(self._take, lane)
        reports = Reports(self._left_queue, self._note_run, self._note_failure, self._fail_all)
        while True:
            if taken := take():
                await lane.run(taken, take, reports)
                continue
            if not any(one.running for one in self._lanes):
                self._idle.set()
            self._arrival.clear()
            await self._arrival.wait()

    def _on_worker_done(self, lane: Lane, worker: asyncio.Task[None]) -> None:
        error = None if worker.cancelled() else worker.exception()
        lane.set_state(EngineState.DEAD if error else EngineState.STOPPED)
        if error:
            _log.critical("engine_died", error=f"{type(error).__name__}: {error}")
        self._fail_all(lane.running)

    # --------------------------------------------------------------------------- what lanes tell

    def _note_run(self, ran: Ran) -> None:
        items = [item for item, _ in ran.results]
        real, longest = sum(item.length for item in items), max(item.length for item in items)
        padded, tokens = (longest * len(items), real + self._budget.overhead) if self._budget.padded else (real, real)
        # With the overhead counted as tokens, small batches tell how fast large ones would be.
        self._gate.note_run(tokens, ran.busy_s / ran.lanes)
        labels = str(items[0].work.direction), str(items[0].work.task)
        self._metrics.batch_items.labels(*labels).observe(len(items))
        self._metrics.batch_padded_tokens.labels(*labels).observe(padded)
        self._metrics.batch_fill.labels(*labels).observe(padded / self._budget.at_once)
        self._metrics.batch_seconds.labels(*labels).observe(ran.seconds)
        self._metrics.padded_tokens.labels(*labels).inc(padded)
        self._metrics.real_tokens.labels(*labels).inc(real)

    def _note_failure(self, items: Sequence[Item], error: Exception) -> None:
        out_of_memory = isinstance(error, EngineOutOfMemory)
        if out_of_memory:
            lengths = [item.length for item in items]
            failed = len(items) * max(lengths) if self._budget.padded else sum(lengths)
            self._budget = replace(self._budget, tokens=max(1, min(self._budget.tokens, failed // 2)))
        self._metrics.batch_failures.labels("out_of_memory" if out_of_memory else "error").inc()
        # The type alone: a runtime's message may quote its input.
        _log.error("batch_failed", items=len(items), error=type(error).__name__, budget=self.budget_tokens)

    def _fail_all(self, running: Sequence[Item]) -> None:
        """Nobody waits for an engine that does not answer. Other lanes may still finish what they have."""
        if self.state is not EngineState.HUNG:
            self._idle.set()  # nothing is under way that anybody would wait for
        waiting = self._queue.clear()
        self._left_queue(waiting)
        fail([*running, *waiting], self._unavailable())

    def _unavailable(self) -> ServiceError:
        """Why nothing can be run now."""
        if self._closing:
            return Draining("the service is shutting down")
        reason = {
            EngineState.STOPPED: "the engine is not running",
            EngineState.FAILING: "the engine fails on every sentence at the moment",
            EngineState.HUNG: "the engine does not answer at the moment",
            EngineState.DEAD: "the engine has died; the service must be restarted",
        }.get(self.state, "the engine is unavailable")
        return EngineUnavailable(reason)
