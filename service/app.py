"""Composition root: the only place that wires concrete parts.

load            blocking: opens and checks the bundle, loads the engine, warms it up, and what reads and writes text
run             starts what needs an event loop, and on exit drains it
create_app      both behind HTTP
open_translator both without HTTP, for programs that translate some texts in their own process:

    async with open_translator(Settings(bundle=Path("bundles/reder-medium"))) as translator:
        request = Request(Direction.parse("en-de"), ("Good morning.", "Two men talk."), Quality.GOOD)
        translated = await translator.translate(request, timeout_s=60)
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import deque
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING

import structlog
from fastapi import Depends, FastAPI
from fastapi.routing import iter_route_contexts
from prometheus_client import disable_created_metrics

from model.bundle import DIRECTIONS, Bundle, Direction
from service import version
from service.engine.choice import open_engine
from service.engine.selfcheck import check_golden, check_tasks, warm_up
from service.errors import ConfigurationError
from service.http import (
    admin,
    authentication,
    deepl,
    documentation,
    headers,
    health,
    libretranslate,
    limiting,
    openapi,
    page,
    problems,
    status,
    translate,
)
from service.http.authentication import authenticate
from service.http.concurrency import ConcurrencyMiddleware
from service.http.context import Context
from service.http.middleware import ExchangeMiddleware
from service.observability.activity import Activity
from service.observability.metrics import Metrics
from service.observability.tracing import open_tracing
from service.pipeline import detection
from service.pipeline.batching.admission import Tally
from service.pipeline.batching.batcher import Batcher, BatcherLimits
from service.pipeline.batching.planning import BatchBudget, default_budget, default_lookahead
from service.pipeline.canary import RUNS_REMEMBERED, Canary, CanaryTimes, Run
from service.pipeline.decoding.decoder import Decoder
from service.pipeline.reading import Reader
from service.pipeline.text_threads import TextThreads
from service.pipeline.translator import Translator
from service.pipeline.validation import RequestLimits
from service.pipeline.writing import Writer
from service.serving import Generation, Serving
from service.settings import MIN_SEGMENT_TOKENS

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence
    from pathlib import Path

    from fastapi.telemetry import TelemetryConfig

    from model.bundle import Dictionary, Fluency
    from service.engine.protocol import Engine
    from service.settings import Settings
    from service.types import EngineInfo

__all__ = ["Loaded", "batcher_limits", "configured_engine", "create_app", "load", "open_translator", "run"]

_log = structlog.get_logger(__name__)

_DIGEST_DIGITS = 12

_OWN_TELEMETRY_ONLY: TelemetryConfig = {"tracing": False, "metrics": False, "logs": False, "auto_configure": False}
"""FastAPI's own would write paths and queries into spans, and messages of exceptions into logs: text of callers."""

_DESCRIPTION = """\
Translates between English and German with one reversible, non-autoregressive network.

Every answer carries `X-Request-Id` and `Server-Timing`. Every error is `application/problem+json` (RFC 9457), but
for the APIs of LibreTranslate and DeepL, which have their own.
"""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A bundle that was opened and read, and an engine that was checked against it and is warm."""

    bundle: Bundle
    dictionaries: Mapping[Direction, Dictionary]
    fluency: Mapping[Direction, Fluency]
    canary: Mapping[Direction, Sequence[str]]
    engine: Engine
    reader: Reader
    writer: Writer
    max_segment_tokens: int


def load(settings: Settings, *, for_long: bool = True) -> Loaded:
    """Open and check everything that can be wrong. Blocks for seconds.

    Unless it is `for_long`, greedy translations alone are checked, and lists of words are read with the first text: the
    rest takes longer than translating a few texts.

    Raises:
        BundleError: the bundle is damaged or not of this release.
        StartupError: settings do not fit the bundle or the machine, or the self-check failed.
    """
    bundle = Bundle.open(settings.bundle, verify=settings.verify_bundle)
    dictionaries, fluency = bundle.dictionaries(), bundle.fluency()
    canary = {direction: bundle.canary(direction.source) for direction in DIRECTIONS}
    engine = configured_engine(bundle, settings)
    batch_tokens = batcher_limits(settings, engine.info).budget.tokens
    max_segment_tokens = min(bundle.manifest.max_source_tokens, settings.max_segment_tokens or batch_tokens)
    if settings.max_segment_tokens is None and bundle.manifest.max_source_tokens > batch_tokens:
        by_queue = settings.batch_tokens is None and batch_tokens == settings.queue_tokens  # no batch is larger
        limit = "queue_tokens" if by_queue else "batch_tokens"
        msg = (
            f"the model takes sentences of {bundle.manifest.max_source_tokens} tokens, more than {limit} "
            f"({batch_tokens}): raise {limit}, or set max_segment_tokens"
        )
        raise ConfigurationError(msg)
    if max_segment_tokens < MIN_SEGMENT_TOKENS:
        msg = f"the model takes {max_segment_tokens} tokens; at least {MIN_SEGMENT_TOKENS} are needed for any character"
        raise ConfigurationError(msg)
    reader = Reader(bundle, dictionaries, fluency, max_segment_tokens)
    writer = Writer(bundle, dictionaries, fluency, bundle.word_pairs())
    warm_up(engine, max_segment_tokens)
    similarity = check_golden(bundle, engine, min_similarity=settings.golden_min_similarity)
    if for_long:
        check_tasks(bundle, engine, min_agreement=settings.golden_min_similarity)
        reader.warm_up(canary)
        writer.warm_up(canary)
    _log.info("loaded", bundle=bundle.manifest.name, golden_similarity=similarity, **asdict(engine.info))
    return Loaded(bundle, dictionaries, fluency, canary, engine, reader, writer, max_segment_tokens)


@asynccontextmanager
async def run(settings: Settings, loaded: Loaded, metrics: Metrics) -> AsyncIterator[Context]:
    """Serve what was loaded; on exit finish what was accepted, within `drain_timeout_s`."""
    text_threads = TextThreads(settings.text_threads)
    round_trips: deque[Run] = deque(maxlen=RUNS_REMEMBERED)
    assemble = partial(
        _generation,
        settings=settings,
        text_threads=text_threads,
        tally=Tally(),
        round_trips=round_trips,
        metrics=metrics,
    )

    def prepare(folder: Path) -> Generation:
        return assemble(load(settings.model_copy(update={"bundle": folder, "verify_bundle": True})))

    serving = Serving(assemble(loaded), prepare, settings, metrics)
    del loaded  # what has been replaced is released, and would not be if it were still named here
    serving.start()
    try:
        yield Context(
            settings=settings,
            serving=serving,
            metrics=metrics,
            activity=Activity(metrics),
            round_trips=round_trips,
            text_threads=text_threads,
            version=version(),
        )
    finally:
        await serving.stop()
        text_threads.close()


def create_app(settings: Settings, loaded: Loaded) -> FastAPI:
    """The service as an ASGI application; `app.state.context` has its parts while it runs.

    Raises:
        ConfigurationError: traces are wanted, and OpenTelemetry is not installed; or a file of keys is wrong.
    """
    disable_created_metrics()  # type: ignore[no-untyped-call] # a sample more for each series, which nothing reads
    metrics = Metrics()
    unserved = [loaded]  # emptied at the start, for the same reason as in `run`
    tracing = open_tracing(settings.otlp_endpoint, version=version()) if settings.otlp_endpoint else None

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with run(settings, unserved.pop(), metrics) as context:
            await asyncio.to_thread(detection.warm_up)
            app.state.context = context
            metrics.round_trip_interval.set(settings.canary_interval_s)
            context.serving.probe()
            async with context.activity.kept():
                yield
            context.serving.draining = True
        await rate_limits.close()
        if tracing:
            await asyncio.to_thread(tracing.close)

    app = FastAPI(
        title="REDER",
        version=version(),
        description=_DESCRIPTION,
        lifespan=lifespan,
        telemetry=_OWN_TELEMETRY_ONLY,
        dependencies=[Depends(authenticate)],
        redirect_slashes=False,  # it would repeat a request, key and all, without the TLS that a proxy ended
        docs_url=None,  # ours is in service.http.documentation
        redoc_url=None,
    )
    authentication.install(app, settings)
    # Each middleware is around those added before it.
    rate_limits = limiting.install(app, settings, metrics)
    app.add_middleware(ConcurrencyMiddleware, max_requests=settings.max_requests)
    app.add_middleware(ExchangeMiddleware, metrics=metrics, tracing=tracing)
    for module in (translate, health, libretranslate, deepl, admin, status, page):  # our /translate before another's
        app.include_router(module.router)
    for module in (problems, documentation, openapi):
        module.install(app)
    headers.install(app, settings)
    app.state.paths = frozenset(route.path for route in iter_route_contexts(app.routes))
    return app


@asynccontextmanager
async def open_translator(settings: Settings) -> AsyncIterator[Translator]:
    """A translator in this process, without HTTP.

    At most `queue_tokens` may be given to it at once, and nothing while `queue_s` of work waits.

    Raises:
        BundleError, StartupError: as `load`.
    """
    loaded = await asyncio.to_thread(load, settings, for_long=False)
    async with run(settings, loaded, Metrics()) as context:
        yield context.translator


def _generation(
    loaded: Loaded,
    *,
    settings: Settings,
    text_threads: TextThreads,
    tally: Tally,
    round_trips: deque[Run],
    metrics: Metrics,
) -> Generation:
    """All that belongs to one bundle, not started; text threads and the queue's limit it shares with its successor."""
    bundle, manifest = loaded.bundle, loaded.bundle.manifest
    golden = {Direction.parse(one.direction): one.source_ids for one in bundle.golden()}
    batcher = Batcher(loaded.engine, golden, batcher_limits(settings, loaded.engine.info), metrics, tally)
    longest = loaded.max_segment_tokens
    writer = loaded.writer
    translator = Translator(
        loaded.reader,
        Decoder(
            bundle,
            loaded.fluency,
            batcher,
            text_threads,
            writer,
            max_segment_tokens=longest,
        ),
        writer,
        batcher,
        limits=RequestLimits(max_texts=settings.max_texts, max_characters=settings.max_characters),
        text_threads=text_threads,
        metrics=metrics,
    )
    times = CanaryTimes(timeout_s=settings.canary_timeout_s, interval_s=settings.canary_interval_s)
    return Generation(
        bundle=bundle,
        engine_info=loaded.engine.info,
        translator=translator,
        batcher=batcher,
        canary=Canary(bundle, loaded.canary, translator, batcher.quiet, metrics, times, round_trips),
        info={
            "name": manifest.name,
            "contract": str(manifest.contract),
            "manifest": hashlib.sha256(manifest.to_json().encode()).hexdigest()[:_DIGEST_DIGITS],
            "version": version(),
        },
    )


def configured_engine(bundle: Bundle, settings: Settings) -> Engine:
    """The engine that the settings ask for; raises what `open_engine` does."""
    return open_engine(
        bundle,
        provider=settings.provider,
        precision=settings.precision,
        runtime=settings.runtime,
        instructions=settings.instructions,
        threads=settings.threads,
    )


def batcher_limits(settings: Settings, engine: EngineInfo) -> BatcherLimits:
    """How the settings have the batcher plan for that engine, and how much it lets wait."""
    default = default_budget(engine.provider, padded=engine.padded)
    overhead = settings.batch_overhead_tokens
    budget = BatchBudget(
        tokens=settings.batch_tokens or min(default.tokens, settings.queue_tokens),
        items=settings.batch_items or default.items,
        overhead=default.overhead if overhead is None else overhead,
        padded=engine.padded,
    )
    return BatcherLimits(
        budget=budget,
        lookahead=settings.plan_lookahead or default_lookahead(budget),
        queue_tokens=settings.queue_tokens,
        queue_s=settings.queue_s,
        engine_timeout_s=settings.engine_timeout_s,
    )
