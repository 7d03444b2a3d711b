"""There and back: does the service still translate?

A model that copies its input reconstructs it perfectly. So besides the scores of the
reconstruction, the share of *middle* texts that merely repeat their input counts: the copy rate.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import structlog
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF

from model.bundle import DIRECTIONS, fold
from service.errors import DeadlineExceeded
from service.types import Request

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from model.bundle import Bundle, Direction, RoundTripThresholds
    from service.observability.metrics import Metrics
    from service.types import Translated, Translation

__all__ = ["Canary", "Reconstruction", "RoundTripReport", "RoundTripScore", "round_trip", "score"]

_log = structlog.get_logger(__name__)


class _Translates(Protocol):
    """The part of `Translator` used here."""

    async def translate(self, request: Request, *, timeout_s: float) -> Translated: ...


@dataclass(frozen=True, slots=True)
class Reconstruction:
    """One text there and back. `chrf` is 0 to 100; `copied` if the middle text merely repeats the source."""

    direction: Direction
    source: str
    translation: Translation
    reconstruction: Translation
    chrf: float
    copied: bool


@dataclass(frozen=True, slots=True)
class RoundTripScore:
    """One direction's canary sentences there and back.

    `bleu` and `chrf` are sacreBLEU's, 0 to 100; `exact_match` and `copy_rate` are shares, 0 to 1.
    `failures` says which thresholds were missed; none means healthy.
    """

    direction: Direction
    bleu: float
    chrf: float
    exact_match: float
    copy_rate: float
    count: int
    duration_s: float
    thresholds: RoundTripThresholds
    failures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RoundTripReport:
    """The last run of all directions; `finished_at` is Unix time."""

    scores: tuple[RoundTripScore, ...]
    finished_at: float

    @property
    def ok(self) -> bool:
        """Whether every direction was within its thresholds."""
        return not any(score.failures for score in self.scores)


async def round_trip(
    translator: _Translates, direction: Direction, texts: Sequence[str], *, timeout_s: float
) -> list[Reconstruction]:
    """Translate texts one way and the result back, within `timeout_s` seconds in all.

    Raises:
        ServiceError: as `Translator.translate`.
    """
    started = time.monotonic()
    there = await translator.translate(Request(direction, tuple(texts)), timeout_s=timeout_s)
    middle = tuple(translation.text for translation in there.translations)
    left = max(0.0, timeout_s - (time.monotonic() - started))
    back = await translator.translate(Request(direction.reverse, middle), timeout_s=left)
    hops = zip(texts, there.translations, back.translations, strict=True)
    return await asyncio.to_thread(lambda: [_compare(direction, *hop) for hop in hops])


def _compare(
    direction: Direction, source: str, translation: Translation, reconstruction: Translation
) -> Reconstruction:
    return Reconstruction(
        direction=direction,
        source=source,
        translation=translation,
        reconstruction=reconstruction,
        chrf=CHRF().sentence_score(reconstruction.text, [source]).score,
        copied=fold(translation.text) == fold(source),
    )


def score(
    direction: Direction,
    reconstructions: Sequence[Reconstruction],
    thresholds: RoundTripThresholds,
    *,
    duration_s: float,
) -> RoundTripScore:
    """Score one direction's reconstructions, of which there is at least one."""
    sources = [one.source for one in reconstructions]
    results = [one.reconstruction.text for one in reconstructions]
    count = len(reconstructions)
    chrf = CHRF().corpus_score(results, [sources]).score
    copy_rate = sum(one.copied for one in reconstructions) / count
    failures = []
    if chrf < thresholds.min_chrf:
        failures.append(f"chrF {chrf:.1f} is below {thresholds.min_chrf:g}")
    if copy_rate > thresholds.max_copy_rate:
        failures.append(f"copy rate {copy_rate:.2f} is above {thresholds.max_copy_rate:g}")
    return RoundTripScore(
        direction=direction,
        bleu=BLEU().corpus_score(results, [sources]).score,
        chrf=chrf,
        exact_match=sum(source == result for source, result in zip(sources, results, strict=True)) / count,
        copy_rate=copy_rate,
        count=count,
        duration_s=duration_s,
        thresholds=thresholds,
        failures=tuple(failures),
    )


class Canary:
    """The bundle's canary sentences, there and back. Callers who come during a run share it.

    Raises:
        ManifestError: the bundle has no canary sentences for a language.
    """

    def __init__(self, bundle: Bundle, translator: _Translates, metrics: Metrics, *, timeout_s: float) -> None:
        self._sentences = {direction: bundle.canary(direction.source) for direction in DIRECTIONS}
        self._thresholds: Mapping[str, RoundTripThresholds] = bundle.manifest.round_trip
        self._translator = translator
        self._metrics = metrics
        self._timeout_s = timeout_s
        self._task: asyncio.Task[RoundTripReport] | None = None
        self._last: RoundTripReport | None = None
        self._failed = False

    @property
    def last(self) -> RoundTripReport | None:
        """The last run that ended, if any did."""
        return self._last

    @property
    def failed(self) -> bool:
        """Whether the last run did not end."""
        return self._failed

    async def run(self, *, timeout_s: float | None = None) -> RoundTripReport:
        """Run the sentences, or join the run under way. Leaving does not stop it for others.

        Raises:
            DeadlineExceeded: the run did not end within its time, or not within `timeout_s`.
            ServiceError: as `Translator.translate`.
        """
        try:
            async with asyncio.timeout(timeout_s):
                return await asyncio.shield(self.start())
        except TimeoutError as error:
            msg = "the round trip was not done before the deadline; it goes on, and /metrics will have the result"
            raise DeadlineExceeded(msg) from error

    def start(self) -> asyncio.Task[RoundTripReport]:
        """Begin a run in the background, unless one is under way."""
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._run(), name="canary")
            self._task.add_done_callback(self._on_done)
        return self._task

    async def stop(self) -> None:
        """Cancel the run under way."""
        if self._task:
            self._task.cancel()
            await asyncio.wait({self._task})

    async def _run(self) -> RoundTripReport:
        try:
            async with asyncio.timeout(self._timeout_s):
                scores = [await self._direction(direction) for direction in DIRECTIONS]
        except TimeoutError as error:
            msg = f"the round trip did not end within {self._timeout_s:g} s"
            raise DeadlineExceeded(msg) from error
        return RoundTripReport(scores=tuple(scores), finished_at=time.time())

    async def _direction(self, direction: Direction) -> RoundTripScore:
        started = time.monotonic()
        reconstructions = await round_trip(
            self._translator, direction, self._sentences[direction], timeout_s=self._timeout_s
        )
        duration = time.monotonic() - started
        return await asyncio.to_thread(
            score, direction, reconstructions, self._thresholds[str(direction)], duration_s=duration
        )

    def _on_done(self, task: asyncio.Task[RoundTripReport]) -> None:
        if task.cancelled():
            return
        error = task.exception()
        self._failed = error is not None
        if error:
            self._metrics.round_trip_failures.inc()
            _log.error("round_trip_failed", error=type(error).__name__, detail=str(error))
            return
        self._last = task.result()
        self._metrics.round_trip_timestamp.set(self._last.finished_at)
        for one in self._last.scores:
            direction = str(one.direction)
            for name in ("bleu", "chrf", "exact_match", "copy_rate"):
                self._metrics.round_trip_scores.labels(direction, name).set(getattr(one, name))
            self._metrics.round_trip_ok.labels(direction).set(not one.failures)
            self._metrics.round_trip_seconds.labels(direction).set(one.duration_s)
            level = _log.warning if one.failures else _log.info
            level(
                "round_trip",
                dir=direction,
                chrf=round(one.chrf, 1),
                copy_rate=round(one.copy_rate, 3),
                failures=one.failures,
            )
