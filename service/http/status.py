"""How the service does, in one answer: health, queue, what it did lately, and how the round trips came out.

All of it is kept in this process and begins anew with it. Like /metrics it holds numbers and names, never text.
"""

from __future__ import annotations

import time
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Literal

from fastapi import APIRouter
from pydantic import Field

from service.http.context import Context
from service.http.dependencies import Leased
from service.http.schemas import EngineCondition, Frozen, MissedThresholds, Reasons
from service.observability.activity import STEP_S, Step
from service.pipeline.canary import RoundTripStatus, Run
from service.pipeline.roundtrip import RoundTripScore

__all__ = ["router"]

_DIGITS = 3
_SCORE_DIGITS = 2

router = APIRouter()


class EngineReport(Frozen):
    """How the network runs."""

    state: EngineCondition
    provider: str
    precision: str
    threads: int
    runtime: str
    fallback: str = Field(description="Why it is not on the processor that was preferred; empty if it is.")


class QueueReport(Frozen):
    """What waits for the engine."""

    tokens: int
    limit_tokens: int = Field(description="Beyond it requests are answered 429.")
    sentences: int
    oldest_age_s: float = Field(description="How long the sentence that waits longest has waited; 0 when none waits.")


class ActivityStep(Frozen):
    """One step of the time that was looked at."""

    at: datetime = Field(description="Its end.")
    requests_per_s: float = Field(description="Requests to translate, answered or refused.")
    sentences_per_s: float = Field(description="Sentences that went through the network, each pass counted.")
    tokens_per_s: float = Field(description="Their tokens, without padding.")
    queue_tokens: int = Field(description="What waited at its end.")
    median_ms: float | None = Field(description="Half of the requests took no longer; null where there were none.")
    p95_ms: float | None = Field(description="Nineteen of twenty took no longer.")


class ActivityReport(Frozen):
    """The last ten minutes, the oldest step first."""

    step_s: float
    steps: list[ActivityStep]


class RoundTripResult(Frozen):
    """The canary sentences of one language, there and back."""

    status: Literal["ok", "degraded"]
    failures: MissedThresholds
    bleu: float
    chrf: float
    exact_match: float
    copy_rate: float
    min_chrf: float
    max_copy_rate: float
    duration_s: float


class RoundTripRun(Frozen):
    """One run of the canary sentences; `directions` is empty if it failed."""

    finished_at: datetime
    bundle: str
    status: Literal["ok", "degraded", "failed"]
    directions: dict[str, RoundTripResult]


class RoundTripHistory(Frozen):
    """The last runs, the oldest first, of all bundles that were served."""

    status: RoundTripStatus = Field(description="How the last run of the bundle came out that is served.")
    interval_s: float = Field(description="Time from the end of a run to the next; 0 where none is repeated.")
    runs: list[RoundTripRun]


class StatusReport(Frozen):
    """How the service does."""

    status: Literal["ready", "unready"]
    reasons: Reasons
    version: str
    bundle: str
    now: datetime
    uptime_s: float
    engine: EngineReport
    queue: QueueReport
    activity: ActivityReport
    round_trip: RoundTripHistory


@router.head("/status.json", include_in_schema=False)
@router.get("/status.json", summary="How does it do?")
async def status_report(context: Leased) -> StatusReport:
    """Always 200: for people and the page /status. Probes ask /readyz."""
    reasons = context.unready()
    activity = context.activity
    return StatusReport(
        status="unready" if reasons else "ready",
        reasons=reasons,
        version=context.version,
        bundle=context.bundle.manifest.name,
        now=datetime.now(UTC),
        uptime_s=round(time.time() - activity.started_at, 1),
        engine=_engine(context),
        queue=_queue(context),
        activity=ActivityReport(step_s=STEP_S, steps=list(map(_step, activity.steps))),
        round_trip=RoundTripHistory(
            status=context.canary.status,
            interval_s=context.settings.canary_interval_s,
            runs=list(map(_run, context.round_trips)),
        ),
    )


def _engine(context: Context) -> EngineReport:
    return EngineReport(state=str(context.batcher.state), **asdict(context.engine_info))


def _queue(context: Context) -> QueueReport:
    return QueueReport(
        tokens=context.activity.queue_tokens,
        limit_tokens=context.settings.queue_tokens,
        sentences=context.batcher.waiting,
        oldest_age_s=round(context.batcher.oldest_age_s, _DIGITS),
    )


def _step(step: Step) -> ActivityStep:
    return ActivityStep(
        at=_moment(step.at),
        requests_per_s=round(step.requests_per_s, _DIGITS),
        sentences_per_s=round(step.sentences_per_s, _DIGITS),
        tokens_per_s=round(step.tokens_per_s, _DIGITS),
        queue_tokens=step.queue_tokens,
        median_ms=_milliseconds(step.median_s),
        p95_ms=_milliseconds(step.p95_s),
    )


def _run(run: Run) -> RoundTripRun:
    report = run.report
    if report is None:
        return RoundTripRun(finished_at=_moment(run.finished_at), bundle=run.bundle, status="failed", directions={})
    return RoundTripRun(
        finished_at=_moment(run.finished_at),
        bundle=run.bundle,
        status="ok" if report.ok else "degraded",
        directions={str(score.direction): _result(score) for score in report.scores},
    )


def _result(score: RoundTripScore) -> RoundTripResult:
    return RoundTripResult(
        status="degraded" if score.failures else "ok",
        failures=list(score.failures),
        bleu=round(score.bleu, _SCORE_DIGITS),
        chrf=round(score.chrf, _SCORE_DIGITS),
        exact_match=round(score.exact_match, _DIGITS),
        copy_rate=round(score.copy_rate, _DIGITS),
        min_chrf=score.thresholds.min_chrf,
        max_copy_rate=score.thresholds.max_copy_rate,
        duration_s=round(score.duration_s, _DIGITS),
    )


def _moment(unix_time: float) -> datetime:
    return datetime.fromtimestamp(unix_time, tz=UTC)


def _milliseconds(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds * 1000, 1)
