"""The bundle's canary sentences, translated there and back from time to time.

Runs that nobody waits for stand back. They queue one sentence at a time, and each only when nothing else waits: a
request is held up by one sentence at most. A run that does not find enough such moments in its time is skipped; if
somebody comes to wait for it, its time begins anew.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING

import structlog

from model.bundle import DIRECTIONS
from service.errors import DeadlineExceeded, Draining, Overloaded
from service.pipeline.roundtrip import RoundTripReport, round_trip, score
from service.types import Translated

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, MutableSequence, Sequence

    from model.bundle import Bundle, Direction, RoundTripThresholds
    from service.observability.metrics import Metrics
    from service.pipeline.roundtrip import RoundTripScore, Translates
    from service.types import Request

__all__ = ["RUNS_REMEMBERED", "Canary", "CanaryTimes", "RoundTripStatus", "Run"]

_log = structlog.get_logger(__name__)

RUNS_REMEMBERED = 288
"""A day of them, as the interval is by default."""


class RoundTripStatus(StrEnum):
    """How the last run of the canary sentences came out. Skipped runs do not count."""

    PENDING = "pending"
    OK = "ok"
    DEGRADED = "degraded"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class CanaryTimes:
    """A run may take `timeout_s` seconds, and begins `interval_s` after the last one ended; 0 is never again.

    Once somebody waits for a run that stands back, it may take `timeout_s` from then on.
    """

    timeout_s: float
    interval_s: float


@dataclass(frozen=True, slots=True)
class Run:
    """A run that ended, and of which bundle; `finished_at` is Unix time. One without a report failed."""

    bundle: str
    finished_at: float
    report: RoundTripReport | None


class _Skipped(DeadlineExceeded):
    """Requests left no time for the run."""


class Canary:
    """The bundle's canary sentences, there and back. Callers who come during a run share it.

    Args:
        bundle: its name and thresholds.
        sentences: of the same bundle, by the direction in which they go first.
        translator: of the same bundle.
        quiet: returns once no request waits for the engine.
        metrics: where scores go.
        times: how long and how often.
        runs: where those that ended are added, the last one last; it may be shared with the canaries of other bundles.
    """

    def __init__(
        self,
        bundle: Bundle,
        sentences: Mapping[Direction, Sequence[str]],
        translator: Translates,
        quiet: Callable[[], Awaitable[None]],
        metrics: Metrics,
        times: CanaryTimes,
        runs: MutableSequence[Run],
    ) -> None:
        self._sentences = sentences
        self._thresholds: Mapping[str, RoundTripThresholds] = bundle.manifest.round_trip
        self._translator = translator
        self._quiet = quiet
        self._metrics = metrics
        self._times = times
        self._runs = runs
        self._name = bundle.manifest.name
        self._schedule: asyncio.Task[None] | None = None
        self._task: asyncio.Task[RoundTripReport] | None = None
        self._callers = 0
        self._wanted = asyncio.Event()
        self._standing_back = False
        self._hurried = False
        self._retired = False
        self._status = RoundTripStatus.PENDING
        self._ended = 0.0

    @property
    def characters(self) -> int:
        """What a run comes to, there and back."""
        return 2 * sum(len(sentence) for sentences in self._sentences.values() for sentence in sentences)

    @property
    def status(self) -> RoundTripStatus:
        """How the last run came out."""
        return self._status

    @property
    def age_s(self) -> float | None:
        """Seconds since the last run ended, well or not; none before the first. Skipped runs do not count."""
        return None if self._status is RoundTripStatus.PENDING else time.monotonic() - self._ended

    async def run(self, *, timeout_s: float | None = None) -> RoundTripReport:
        """Run the sentences, or join the run under way; it no longer stands back. Leaving does not stop it for others.

        Raises:
            DeadlineExceeded: the run did not end within its time, or not within `timeout_s`.
            Draining: the run was stopped.
            ServiceError: as `Translator.translate`.
        """
        self._callers += 1
        self._wanted.set()
        task = self.start()
        try:
            async with asyncio.timeout(timeout_s):
                await asyncio.wait({task})
        except TimeoutError as error:
            msg = "the round trip was not done before the deadline; it goes on, and /metrics will have the result"
            raise DeadlineExceeded(msg) from error
        finally:
            self._callers -= 1
            if not self._callers:
                self._wanted.clear()
        if task.cancelled():
            msg = "the round trip was stopped: the service is shutting down, or another bundle has taken over"
            raise Draining(msg)
        return task.result()

    def start(self) -> asyncio.Task[RoundTripReport]:
        """Begin a run in the background, unless one is under way."""
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._run(), name="canary")
            self._task.add_done_callback(self._on_done)
        return self._task

    def schedule(self, *, at_once: bool) -> None:
        """Begin a run at every interval, and one right away if wanted. Call from the event loop."""
        self._schedule = asyncio.get_running_loop().create_task(self._repeat(at_once=at_once), name="canary schedule")

    def retire(self) -> None:
        """Begin no more runs, and tell nobody of the one under way but its callers: the bundle has been replaced."""
        self._retired = True
        if self._schedule:
            self._schedule.cancel()
            self._schedule = None
        if self._task and not self._callers:
            self._task.cancel()
            self._task = None  # a request that came before may still ask for a run, which must not be this one

    async def stop(self) -> None:
        """Cancel the run under way, and begin no more."""
        if tasks := {task for task in (self._schedule, self._task) if task}:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
            self._schedule = self._task = None  # they refer to this object: a cycle, which would keep the engine

    async def _repeat(self, *, at_once: bool) -> None:
        if at_once:
            await asyncio.wait({self.start()})
        while self._times.interval_s:
            await asyncio.sleep(self._times.interval_s)
            await asyncio.wait({self.start()})

    async def _run(self) -> RoundTripReport:
        timeout_s, self._standing_back, self._hurried = self._times.timeout_s, False, False
        try:
            async with asyncio.timeout(timeout_s) as deadline:
                translator = _Polite(self._translator, partial(self._turn, deadline), timeout_s)
                scores = [await self._direction(direction, translator) for direction in DIRECTIONS]
        except TimeoutError as error:
            if self._standing_back:
                msg = f"requests left no time for the round trip within {timeout_s:g} s"
                raise _Skipped(msg) from error
            msg = f"the round trip did not end within {timeout_s:g} s"
            raise DeadlineExceeded(msg) from error
        return RoundTripReport(scores=tuple(scores), finished_at=time.time())

    async def _direction(self, direction: Direction, translator: Translates) -> RoundTripScore:
        started = time.monotonic()
        reconstructions = await round_trip(
            translator, direction, self._sentences[direction], timeout_s=self._times.timeout_s
        )
        duration = time.monotonic() - started
        return await asyncio.to_thread(
            score, direction, reconstructions, self._thresholds[str(direction)], duration_s=duration
        )

    async def _turn(self, deadline: asyncio.Timeout) -> bool:
        """Wait until no request waits, or somebody waits: that puts off the deadline. Whether somebody does."""
        self._standing_back = True
        moments = {asyncio.ensure_future(self._quiet()), asyncio.ensure_future(self._wanted.wait())}
        try:
            await asyncio.wait(moments, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for moment in moments:
                moment.cancel()
        self._standing_back = False
        wanted = self._wanted.is_set()
        if wanted and not self._hurried:  # who comes now is not to pay for the time that went to requests
            deadline.reschedule(asyncio.get_running_loop().time() + self._times.timeout_s)
        self._hurried = wanted
        return wanted

    def _on_done(self, task: asyncio.Task[RoundTripReport]) -> None:
        if task.cancelled():
            return
        error = task.exception()
        if self._retired:
            return
        if isinstance(error, _Skipped | Overloaded):
            self._metrics.round_trip_skipped.inc()
            _log.warning("round_trip_skipped", detail=str(error))
            return
        self._ended = time.monotonic()
        if error:
            self._status = RoundTripStatus.FAILED
            self._runs.append(Run(self._name, time.time(), None))
            self._metrics.round_trip_failures.inc()
            _log.error("round_trip_failed", error=type(error).__name__, detail=str(error))
            return
        report = task.result()
        self._status = RoundTripStatus.OK if report.ok else RoundTripStatus.DEGRADED
        self._runs.append(Run(self._name, report.finished_at, report))
        _publish(report, self._metrics)


class _Polite:
    """A translator that takes one text at a time, each when it is its turn; all that are left if somebody waits."""

    def __init__(self, translator: Translates, turn: Callable[[], Awaitable[bool]], timeout_s: float) -> None:
        self._translator = translator
        self._turn = turn
        self._timeout_s = timeout_s

    async def translate(self, request: Request, *, timeout_s: float) -> Translated:  # noqa: ARG002 - see below
        """See `Translator.translate`.

        Each text may take as long as a run, whose own deadline comes first: `timeout_s` counts standing back.
        """
        parts: list[Translated] = []
        left = request.texts
        while left:
            urgent = await self._turn()
            texts, left = (left, ()) if urgent else (left[:1], left[1:])
            parts.append(await self._translator.translate(replace(request, texts=texts), timeout_s=self._timeout_s))
        return Translated(
            tuple(translation for part in parts for translation in part.translations),
            pieces=sum(part.pieces for part in parts),
            tokens=sum(part.tokens for part in parts),
        )


def _publish(report: RoundTripReport, metrics: Metrics) -> None:
    metrics.round_trip_timestamp.set(report.finished_at)
    for one in report.scores:
        direction = str(one.direction)
        for name in ("bleu", "chrf", "exact_match", "copy_rate"):
            metrics.round_trip_scores.labels(direction, name).set(getattr(one, name))
        metrics.round_trip_ok.labels(direction).set(not one.failures)
        metrics.round_trip_seconds.labels(direction).set(one.duration_s)
        level = _log.warning if one.failures else _log.info
        level(
            "round_trip",
            dir=direction,
            chrf=round(one.chrf, 1),
            copy_rate=round(one.copy_rate, 3),
            failures=one.failures,
        )
