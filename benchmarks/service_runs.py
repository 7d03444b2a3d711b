"""What `service` measures: a load on a running service, and the engine by itself on the same sentences."""

from __future__ import annotations

import math
import time
from dataclasses import asdict, dataclass, replace
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from benchmarks import scrape
from benchmarks.generator import Outcome, Plan, run
from benchmarks.planned import on_lanes, padded_batches
from service.types import Batch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.scrape import Snapshot
    from benchmarks.workload import Ask
    from service.engine.protocol import Engine
    from service.pipeline.batching.planning import BatchBudget

__all__ = ["Engines", "Loaded", "alone_seconds", "bare_slowdown_p99", "middle", "offline", "under_load"]

ALONE_REPEATS = 3
TOO_MANY = 429
MIB = 1 << 20


_ENGINE = "queue", "inference", "search", "score"
"""Stages of a request in which it waits for the engine, or has it, whatever its quality."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """A service under one load. Times in seconds, of accepted requests; `nan` where there is nothing to say.

    `slowdown_p50` and `slowdown_p99` are quantiles of: time of a request of one sentence over the
    engine's time for that sentence alone. `bare_slowdown_p99` is what it would be, arrivals being
    as they were, if the engine took one request after another and nothing else cost time: what
    waiting in line alone comes to. In a closed loop, where arrivals depend on answers, it is `nan`.
    `outside_s` is the service's own mean time for a request less the time it queued and the time
    its batches ran. `generator_cores` and `service_cores` are the processor time that each used, a
    second.
    """

    sentences_per_s: float
    requests_per_s: float
    p50: float
    p99: float
    slowdown_p50: float
    slowdown_p99: float
    bare_slowdown_p99: float
    padded_over_real: float
    outside_s: float
    client_s: float
    accepted: int
    refused: int
    failed: int
    generator_cores: float
    service_cores: float
    resident_mib: float

    def to_dict(self) -> dict[str, float | None]:
        """Every figure by its name, for JSON, which has no `nan`."""
        return {name: None if math.isnan(value) else value for name, value in asdict(self).items()}


@dataclass(frozen=True, slots=True)
class Engines:
    """The service's engine, loaded once more, in this process; and how its planner is set."""

    engine: Engine
    budget: BatchBudget
    lookahead: int


def under_load(plan: Plan, asks: Sequence[Ask], alone: Sequence[float] | None = None) -> Loaded:
    """Put the load on, and see what clients and service say of it.

    Args:
        plan: its requests are those of `asks`, in the same order.
        asks: what is in each request.
        alone: seconds that the engine needs for each, by itself.
    """
    before = scrape.read(plan.url)
    outcome = run(plan)
    after = scrape.read(plan.url)
    resident_mib = after.total("process_resident_memory_bytes") / MIB
    found = summarise(outcome, after.since(before), asks, alone, resident_mib)
    if alone and plan.rate:
        return replace(found, bare_slowdown_p99=bare_slowdown_p99(outcome, asks, alone))
    return found


def summarise(
    outcome: Outcome, grown: Snapshot, asks: Sequence[Ask], alone: Sequence[float] | None, resident_mib: float
) -> Loaded:
    """One load in figures."""
    accepted = outcome.accepted
    seconds = [answer.seconds for answer in accepted]
    slowdowns = [
        answer.seconds / alone[answer.post] for answer in accepted if alone and len(asks[answer.post].sentences) == 1
    ]
    refused = outcome.statuses.get(TOO_MANY, 0)
    translated = {"route": "/translate"}
    requests = grown.total("reder_request_duration_seconds_count", **translated)
    inside = sum(grown.total("reder_stage_duration_seconds_sum", stage=stage) for stage in _ENGINE)
    served = grown.total("reder_request_duration_seconds_sum", **translated)
    return Loaded(
        sentences_per_s=sum(len(asks[answer.post].sentences) for answer in accepted) / outcome.elapsed,
        requests_per_s=len(accepted) / outcome.elapsed,
        p50=_quantile(seconds, 50),
        p99=_quantile(seconds, 99),
        slowdown_p50=_quantile(slowdowns, 50),
        slowdown_p99=_quantile(slowdowns, 99),
        bare_slowdown_p99=float("nan"),
        padded_over_real=_ratio(grown.total("reder_padded_tokens_total"), grown.total("reder_real_tokens_total")),
        outside_s=_ratio(served - inside, requests),
        client_s=_ratio(sum(seconds), len(seconds)),
        accepted=len(accepted),
        refused=refused,
        failed=len(outcome.answers) - len(accepted) - refused,
        generator_cores=outcome.cpu_s / outcome.run_s,
        service_cores=grown.total("process_cpu_seconds_total") / outcome.run_s,
        resident_mib=resident_mib,
    )


def bare_slowdown_p99(outcome: Outcome, asks: Sequence[Ask], alone: Sequence[float]) -> float:
    """See `Loaded`."""
    slowdowns = []
    free = 0.0
    for answer in sorted(outcome.accepted, key=lambda one: one.started):
        free = max(free, answer.started) + alone[answer.post]
        if len(asks[answer.post].sentences) == 1:
            slowdowns.append((free - answer.started) / alone[answer.post])
    return _quantile(slowdowns, 99)


def offline(engines: Engines, asks: Sequence[Ask], tokens: int) -> float:
    """Sentences a second when all of them wait from the start: nothing but engine and planner.

    Args:
        engines: what runs them.
        asks: whose sentences.
        tokens: budget of a batch.
    """
    budget = replace(engines.budget, tokens=tokens)
    sources = {
        ask.direction: [one.ids for other in asks if other.direction == ask.direction for one in other.sentences]
        for ask in asks
    }
    started = time.perf_counter()
    batches = (
        (direction, batch)
        for direction, rows in sources.items()
        for batch in padded_batches(rows, budget, engines.lookahead)
    )
    on_lanes(engines.engine, lambda lane, batch: lane.infer(*batch), batches)
    return sum(map(len, sources.values())) / (time.perf_counter() - started)


def alone_seconds(engines: Engines, asks: Sequence[Ask]) -> list[float]:
    """Seconds that the engine needs for the sentences of each request, one after another: medians of several runs."""
    found = []
    for ask in asks:
        times = []
        for _ in range(ALONE_REPEATS):
            started = time.perf_counter()
            for sentence in ask.sentences:
                engines.engine.infer(ask.direction, Batch.pad([sentence.ids]))
            times.append(time.perf_counter() - started)
        found.append(median(times))
    return found


def middle(runs: Sequence[Loaded]) -> Loaded:
    """The median of every figure; counts are those of all runs together."""
    counts = {name: sum(getattr(one, name) for one in runs) for name in ("accepted", "refused", "failed")}
    return Loaded(**{name: median(getattr(one, name) for one in runs) for name in asdict(runs[0])} | counts)


def _quantile(values: Sequence[float], percent: float) -> float:
    return float(np.percentile(values, percent)) if values else float("nan")


def _ratio(value: float, base: float) -> float:
    return value / base if base else float("nan")
