"""Composition root: the only place that wires concrete parts.

load            blocking: opens and checks the bundle, loads the engine, warms it up
run             starts what needs an event loop, and on exit drains it
create_app      both behind HTTP
open_translator both without HTTP, for programs that translate in their own process:

    async with open_translator(Settings(bundle=Path("bundles/reder-small"))) as translator:
        request = Request(Direction.parse("en-de"), ("Good morning.", "Two men talk."))
        translated = await translator.translate(request, timeout_s=60)
"""

from __future__ import annotations

import asyncio
import importlib.metadata
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import structlog
from fastapi import FastAPI

from model.bundle import Bundle
from service.engine.onnx import OnnxEngine
from service.engine.selfcheck import check_golden, check_tasks, warm_up
from service.errors import ConfigurationError
from service.http import openapi, problems
from service.http.context import Context
from service.http.middleware import ExchangeMiddleware
from service.http.routes import router
from service.observability.metrics import Metrics
from service.pipeline.batcher import Batcher, BatcherLimits
from service.pipeline.planning import BatchBudget
from service.pipeline.roundtrip import Canary
from service.pipeline.translator import Translator
from service.pipeline.validation import RequestLimits
from service.settings import MIN_SEGMENT_TOKENS

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from service.engine.protocol import Engine
    from service.settings import Settings

__all__ = ["Loaded", "create_app", "load", "open_translator", "run"]

_log = structlog.get_logger(__name__)

_DESCRIPTION = """\
Translates between English and German with one reversible, non-autoregressive network.

Every answer carries `X-Request-Id` and `Server-Timing`. Every error is `application/problem+json` (RFC 9457).
"""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A bundle that was opened, and an engine that was checked against it and is warm."""

    bundle: Bundle
    engine: Engine
    max_segment_tokens: int


def load(settings: Settings) -> Loaded:
    """Open and check everything that can be wrong. Blocks for seconds.

    Raises:
        BundleError: the bundle is damaged or not of this release.
        StartupError: settings do not fit the bundle or the machine, or the self-check failed.
    """
    bundle = Bundle.open(settings.bundle, verify=settings.verify_bundle)
    max_segment_tokens = min(bundle.manifest.max_source_tokens, settings.max_segment_tokens or settings.batch_tokens)
    if settings.max_segment_tokens is None and bundle.manifest.max_source_tokens > settings.batch_tokens:
        msg = (
            f"the model takes sentences of {bundle.manifest.max_source_tokens} tokens, more than batch_tokens "
            f"({settings.batch_tokens}): raise batch_tokens, or set max_segment_tokens"
        )
        raise ConfigurationError(msg)
    if max_segment_tokens < MIN_SEGMENT_TOKENS:
        msg = f"the model takes {max_segment_tokens} tokens; at least {MIN_SEGMENT_TOKENS} are needed for any character"
        raise ConfigurationError(msg)
    engine = OnnxEngine(bundle, provider=settings.provider, precision=settings.precision, threads=settings.threads)
    warm_up(engine, max_segment_tokens)
    similarity = check_golden(bundle, engine, min_similarity=settings.golden_min_similarity)
    check_tasks(bundle, engine, min_agreement=settings.golden_min_similarity)
    _log.info("loaded", bundle=bundle.manifest.name, golden_similarity=similarity, **asdict(engine.info))
    return Loaded(bundle=bundle, engine=engine, max_segment_tokens=max_segment_tokens)


@asynccontextmanager
async def run(settings: Settings, loaded: Loaded, metrics: Metrics) -> AsyncIterator[Context]:
    """Start the batcher around a loaded engine; on exit finish what was accepted, within `drain_timeout_s`."""
    bundle, engine = loaded.bundle, loaded.engine
    info = {key: str(value) for key, value in asdict(engine.info).items()}
    metrics.engine_info.info(info)
    metrics.bundle_info.info(
        {"name": bundle.manifest.name, "contract": str(bundle.manifest.contract), "version": _version()}
    )
    batcher = Batcher(engine, _batcher_limits(settings), metrics)
    text_threads = ThreadPoolExecutor(settings.text_threads, thread_name_prefix="text")
    translator = Translator(
        bundle,
        batcher,
        limits=RequestLimits(max_texts=settings.max_texts, max_characters=settings.max_characters),
        max_segment_tokens=loaded.max_segment_tokens,
        text_threads=text_threads,
        metrics=metrics,
    )
    canary = Canary(bundle, translator, metrics, timeout_s=settings.canary_timeout_s)
    batcher.start()
    try:
        yield Context(
            settings=settings,
            bundle=bundle,
            translator=translator,
            canary=canary,
            batcher=batcher,
            metrics=metrics,
            version=_version(),
        )
    finally:
        await canary.stop()
        await batcher.stop(settings.drain_timeout_s)
        text_threads.shutdown(wait=False, cancel_futures=True)


def create_app(settings: Settings, loaded: Loaded) -> FastAPI:
    """The service as an ASGI application; `app.state.context` has its parts while it runs."""
    metrics = Metrics()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with run(settings, loaded, metrics) as context:
            app.state.context = context
            if settings.canary_on_start:
                context.canary.start()
            yield
            context.draining = True

    app = FastAPI(title="REDER", version=_version(), description=_DESCRIPTION, lifespan=lifespan)
    app.add_middleware(ExchangeMiddleware, metrics=metrics)
    app.include_router(router)
    problems.install(app)
    openapi.install(app)
    return app


@asynccontextmanager
async def open_translator(settings: Settings) -> AsyncIterator[Translator]:
    """A translator in this process, without HTTP. At most `queue_tokens` may be given to it at once.

    Raises:
        BundleError, StartupError: as `load`.
    """
    loaded = await asyncio.to_thread(load, settings)
    async with run(settings, loaded, Metrics()) as context:
        yield context.translator


def _batcher_limits(settings: Settings) -> BatcherLimits:
    return BatcherLimits(
        budget=BatchBudget(
            tokens=settings.batch_tokens, items=settings.batch_items, overhead=settings.batch_overhead_tokens
        ),
        lookahead=settings.plan_lookahead,
        queue_tokens=settings.queue_tokens,
        engine_timeout_s=settings.engine_timeout_s,
    )


def _version() -> str:
    """The installed release, or a mark that this is a bare source tree."""
    try:
        return importlib.metadata.version("reder")
    except importlib.metadata.PackageNotFoundError:
        return "0+source"
