"""The routes that tell how the service does. Those that translate are in modules of their own."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Literal

from fastapi import APIRouter
from fastapi.responses import JSONResponse, Response
from prometheus_client import CONTENT_TYPE_LATEST
from pydantic import BaseModel, Field

from model.bundle import Direction
from service.errors import (
    DeadlineExceeded,
    Draining,
    EngineFailed,
    EngineUnavailable,
    FieldError,
    InvalidRequest,
    Overloaded,
    RateLimited,
    TooLarge,
)
from service.http.answers import translated_text
from service.http.calls import Called, at_most
from service.http.dependencies import Leased
from service.http.disconnect import while_connected
from service.http.parameters import Query, query_of, read_query
from service.http.problems import documented
from service.http.schemas import (
    CanaryReport,
    DirectionReport,
    Liveness,
    Readiness,
    TextRoundTrip,
    Thresholds,
)
from service.pipeline.batching.lane import EngineState
from service.pipeline.roundtrip import Reconstruction, RoundTripReport, round_trip
from service.types import Quality

__all__ = ["router"]

router = APIRouter()

_HOPS = 2  # there and back
_SCORE_DIGITS = 2
_RATE_DIGITS = 4


class _TextThereAndBack(Query):
    """The query of GET /roundtrip."""

    dir: Literal["en-de", "de-en"] | None = Field(None, description="Which way first.")
    text: str | None = Field(None, description="One text.")


@router.get(
    "/roundtrip",
    summary="Translate there and back",
    description="Without parameters: the bundle's canary sentences, scored and held against the bundle's thresholds. "
    "With `dir` and `text`: that text, all three stages of it shown.",
    responses=documented(
        TooLarge, InvalidRequest, Overloaded, RateLimited, EngineFailed, EngineUnavailable, Draining, DeadlineExceeded
    ),
    openapi_extra=query_of(_TextThereAndBack, *_TextThereAndBack.model_fields),
)
async def roundtrip(call: Called) -> CanaryReport | TextRoundTrip:
    context, exchange = call.context, call.exchange
    query = read_query(call.request, _TextThereAndBack)
    if query.dir is None and query.text is None:
        await call.meter.take(context.canary.characters)
        timeout_s = None if call.timeout_ms is None else at_most(context.settings.canary_timeout_s, call.timeout_ms)
        return _canary_report(await while_connected(call.request, context.canary.run(timeout_s=timeout_s)))
    if query.dir is None or query.text is None:
        raise InvalidRequest(FieldError("query", "dir and text go together; leave out both for the canary sentences"))
    exchange.direction = query.dir
    try:
        valid = context.translator.validate(Direction.parse(query.dir), [query.text], Quality.FAST)
    except InvalidRequest as error:
        raise InvalidRequest(*(replace(one, location="query.text") for one in error.errors)) from None
    exchange.texts, exchange.characters = 1, len(query.text)
    await call.meter.take(exchange.characters * _HOPS)
    going = round_trip(context.translator, valid.direction, valid.texts, timeout_s=call.left_s)
    (there_and_back,) = await while_connected(call.request, going)
    return _text_round_trip(there_and_back)


@router.head("/healthz", include_in_schema=False)
@router.get("/healthz", summary="Is the process alive?", response_model=Liveness, responses={503: {"model": Liveness}})
async def healthz(context: Leased) -> Response:
    """Red only when nothing but a restart helps. Reads a flag; never waits for the engine."""
    dead = context.batcher.state is EngineState.DEAD
    return _with_status(Liveness(status="dead" if dead else "alive"), ok=not dead)


@router.head("/readyz", include_in_schema=False)
@router.get(
    "/readyz", summary="Should requests be sent here?", response_model=Readiness, responses={503: {"model": Readiness}}
)
async def readyz(context: Leased) -> Response:
    """Red while the engine fails or does not answer or the service is shutting down, with the reasons."""
    reasons, age_s = context.unready(), context.canary.age_s
    readiness = Readiness(
        status="unready" if reasons else "ready",
        reasons=reasons,
        bundle=context.bundle.manifest.name,
        warm=True,
        engine=str(context.batcher.state),
        worker_alive=context.batcher.alive,
        draining=context.draining,
        round_trip=context.canary.status,
        round_trip_age_s=None if age_s is None else round(age_s, 1),
    )
    return _with_status(readiness, ok=not reasons)


@router.head("/metrics", include_in_schema=False)
@router.get("/metrics", summary="Prometheus metrics", response_class=Response)
async def metrics(context: Leased) -> Response:
    return Response(context.metrics.exposition(), media_type=CONTENT_TYPE_LATEST)


def _text_round_trip(one: Reconstruction) -> TextRoundTrip:
    return TextRoundTrip(
        dir=str(one.direction),
        source=one.source,
        translation=translated_text(one.translation),
        reconstruction=translated_text(one.reconstruction),
        chrf=round(one.chrf, _SCORE_DIGITS),
        copied=one.copied,
    )


def _canary_report(report: RoundTripReport) -> CanaryReport:
    directions = {
        str(score.direction): DirectionReport(
            status="degraded" if score.failures else "ok",
            failures=list(score.failures),
            bleu=round(score.bleu, _SCORE_DIGITS),
            chrf=round(score.chrf, _SCORE_DIGITS),
            exact_match=round(score.exact_match, _RATE_DIGITS),
            copy_rate=round(score.copy_rate, _RATE_DIGITS),
            count=score.count,
            duration_s=round(score.duration_s, _RATE_DIGITS),
            thresholds=Thresholds(min_chrf=score.thresholds.min_chrf, max_copy_rate=score.thresholds.max_copy_rate),
        )
        for score in report.scores
    }
    finished_at = datetime.fromtimestamp(report.finished_at, tz=UTC)
    return CanaryReport(status="ok" if report.ok else "degraded", directions=directions, finished_at=finished_at)


def _with_status(body: BaseModel, *, ok: bool) -> JSONResponse:
    content: dict[str, Any] = body.model_dump(mode="json")
    return JSONResponse(content, status_code=200 if ok else 503)
