"""What the service did in the last minutes, in equal steps: for people who look at it without a Prometheus at hand."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections import deque
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from service.observability.metrics import NONE

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Sequence

    from prometheus_client.samples import Sample

    from service.observability.metrics import Metrics

__all__ = ["STEP_S", "TRANSLATING", "Activity", "Step"]

TRANSLATING = frozenset({"/translate", "/v2/translate"})
"""The routes to what waits for the engine, whatever else is sent there."""

STEP_S = 5.0
_STEPS = 120
_SLOW = 0.95
_WORKED_ON = frozenset({"200", "504"})
"""Statuses of requests that were done, or took too long."""


@dataclass(frozen=True, slots=True)
class Step:
    """From the step before to `at` (Unix time): what was done each second, and how long requests took.

    `queue_tokens` is what waited for the engine at its end. `median_s` and `p95_s` are estimated from a histogram's
    buckets; none where no text was translated.
    """

    at: float
    requests_per_s: float
    sentences_per_s: float
    tokens_per_s: float
    queue_tokens: int
    median_s: float | None
    p95_s: float | None


@dataclass(frozen=True, slots=True)
class _Totals:
    """Since the start.

    `requests` are those to translate, refused ones among them. `durations` are cumulative counts of those that were
    worked on, by the upper bound of their duration.
    """

    at: float
    requests: float
    sentences: float
    tokens: float
    durations: dict[float, float]


class Activity:
    """Reads the metrics at every step while `kept`, and remembers the last ten minutes."""

    def __init__(self, metrics: Metrics) -> None:
        self.started_at = time.time()
        self.steps: deque[Step] = deque(maxlen=_STEPS)
        self._metrics = metrics
        self._last = self._totals()

    @property
    def queue_tokens(self) -> int:
        """What waits for the engine now, all bundles' together."""
        return round(sum(one.value for one in _samples(self._metrics.queue_tokens)))

    @asynccontextmanager
    async def kept(self) -> AsyncIterator[None]:
        """Take steps for as long as the context lasts."""
        task = asyncio.get_running_loop().create_task(self._keep(), name="activity")
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait({task})

    def take(self) -> None:
        """End a step now."""
        before, now = self._last, self._totals()
        elapsed_s = max(now.at - before.at, 1e-3)
        durations = {bound: count - before.durations.get(bound, 0) for bound, count in now.durations.items()}
        self.steps.append(
            Step(
                at=time.time(),
                requests_per_s=(now.requests - before.requests) / elapsed_s,
                sentences_per_s=(now.sentences - before.sentences) / elapsed_s,
                tokens_per_s=(now.tokens - before.tokens) / elapsed_s,
                queue_tokens=self.queue_tokens,
                median_s=_quantile(durations, 0.5),
                p95_s=_quantile(durations, _SLOW),
            )
        )
        self._last = now

    async def _keep(self) -> None:
        while True:
            await asyncio.sleep(STEP_S)
            self.take()

    def _totals(self) -> _Totals:
        durations: dict[float, float] = {}
        requests = 0.0
        for one in _samples(self._metrics.request_seconds):
            if one.name.endswith("_count") and one.labels["route"] in TRANSLATING:
                requests += one.value
            elif one.name.endswith("_bucket") and _did_work(one):
                bound = float(one.labels["le"])
                durations[bound] = durations.get(bound, 0) + one.value
        return _Totals(
            at=time.monotonic(),
            requests=requests,
            sentences=sum(one.value for one in _samples(self._metrics.batch_items) if one.name.endswith("_sum")),
            tokens=sum(one.value for one in _samples(self._metrics.real_tokens) if one.name.endswith("_total")),
            durations=durations,
        )


def _did_work(sample: Sample) -> bool:
    """Whether it counts requests that were worked on: refusals are quick, and would hide how long work takes."""
    labels = sample.labels
    return labels["route"] in TRANSLATING and labels["dir"] != NONE and labels["code"] in _WORKED_ON


def _samples(collector: object) -> Iterator[Sample]:
    for metric in collector.collect():  # type: ignore[attr-defined] # every kind of metric has it
        yield from metric.samples


def _quantile(durations: dict[float, float], share: float) -> float | None:
    """Interpolated within its bucket, as Prometheus does; the last finite bound where it lies beyond that."""
    bounds: Sequence[float] = sorted(durations)
    count = durations[bounds[-1]] if bounds else 0
    if not count:
        return None
    wanted = share * count
    lower, upper = next(pair for pair in itertools.pairwise((0.0, *bounds)) if durations[pair[1]] >= wanted)
    if upper == float("inf"):
        return lower
    below = durations.get(lower, 0.0)
    return lower + (upper - lower) * (wanted - below) / (durations[upper] - below)
