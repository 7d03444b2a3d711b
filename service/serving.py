"""Which bundle is served, and how another takes over without a request being lost.

A *generation* is a bundle and all that belongs to it: tokenizer, limits, engine, queue, canary sentences. A request
gets the generation that serves when it arrives and keeps it to its end, so that no answer is made by two.

    prepare     in a thread: the new bundle is opened, checked and warmed up; nothing that serves is touched
    take over   at one moment: requests that come from now on get the new generation
    retire      the former one finishes the requests it has, then its engine is released

Another swap may begin when the last one has come to its end: never are more than two generations in memory.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import math
import os
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import structlog

from model.bundle import BundleError
from service.engine.memory import give_back
from service.errors import BundleRefused, Draining, ServiceError, StartupError, SwapInProgress
from service.observability.logging import without_messages
from service.pipeline.batching.lane import EngineState

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator, Mapping
    from concurrent.futures import Future

    from model.bundle import Bundle
    from service.observability.metrics import Metrics
    from service.pipeline.batching.batcher import Batcher
    from service.pipeline.canary import Canary
    from service.pipeline.translator import Translator
    from service.settings import Settings
    from service.types import EngineInfo

__all__ = ["Generation", "Serving", "Swap"]

R = TypeVar("R")

_log = structlog.get_logger(__name__)


@dataclass(slots=True, eq=False)
class Generation:
    """A bundle and all that belongs to it. `info` is what /metrics says of the bundle."""

    bundle: Bundle
    engine_info: EngineInfo
    translator: Translator
    batcher: Batcher
    canary: Canary
    info: Mapping[str, str]
    _leases: int = 0
    _unused: asyncio.Event = field(default_factory=asyncio.Event)

    @contextlib.contextmanager
    def lease(self) -> Iterator[Generation]:
        """Keep it running for as long as the context lasts."""
        self._leases += 1
        self._unused.clear()
        try:
            yield self
        finally:
            self._leases -= 1
            if not self._leases:
                self._unused.set()

    async def unused(self) -> None:
        """Wait until no request has it. Only meant for one that no request can get any more."""
        if self._leases:
            await self._unused.wait()


@dataclass(frozen=True, slots=True)
class Swap:
    """What took over from what, by name and the beginning of its manifest's SHA-256, and in how many seconds."""

    bundle: str
    manifest: str
    former: str
    former_manifest: str
    duration_s: float


class Serving:
    """The generation that serves, and the one before it until it has finished.

    Args:
        first: not started yet.
        prepare: makes a generation of a bundle's folder; blocks, and raises BundleError or StartupError.
        settings: time limits, and which folders may be served.
        metrics: what is served, and how swaps come out.
    """

    def __init__(
        self, first: Generation, prepare: Callable[[Path], Generation], settings: Settings, metrics: Metrics
    ) -> None:
        self.draining = False
        self.drain_by = math.inf  # on `time.monotonic`; whoever has drained for a while already says so here
        self._current = first
        self._former: Generation | None = None
        self._prepare = prepare
        self._settings = settings
        self._metrics = metrics
        self._loader = ThreadPoolExecutor(1, thread_name_prefix="swap")
        self._loader.submit(bool)  # starts the thread: when memory is short, none could be started
        self._loading: Future[Generation | BundleRefused] | None = None
        self._free = asyncio.Event()  # for a swap
        self._free.set()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._reload_wanted = False
        self._probing = False

    @property
    def current(self) -> Generation:
        """The generation that serves now. Whoever awaits anything while using it needs a lease."""
        return self._current

    @property
    def busy(self) -> bool:
        """Whether an engine call or a load is under way. Its thread cannot be stopped, and holds up the process."""
        loading = self._loading is not None and not self._loading.done()
        return loading or any(one.batcher.engine_busy for one in self._generations())

    def lease(self) -> contextlib.AbstractContextManager[Generation]:
        """The generation that serves now, kept running for as long as the context lasts."""
        return self._current.lease()

    def start(self) -> None:
        """Begin to serve. Call from the event loop."""
        # Read when they are asked for: what a former generation still does must not overwrite them.
        self._metrics.engine_up.set_function(lambda: self._current.batcher.state is EngineState.RUNNING)
        self._metrics.engine_lanes.set_function(lambda: self._current.batcher.lanes)
        self._metrics.batch_budget.set_function(lambda: self._current.batcher.budget_tokens)
        self._metrics.queue_items.set_function(lambda: sum(one.batcher.waiting for one in self._generations()))
        self._metrics.queue_oldest_age.set_function(
            lambda: max(one.batcher.oldest_age_s for one in self._generations())
        )
        self._begin()

    def probe(self) -> None:
        """Have the canary sentences run by themselves, of this bundle and of those that take over from it."""
        self._probing = True
        self._current.canary.schedule(at_once=self._settings.canary_on_start)

    async def swap(self, path: str | None = None) -> Swap:
        """Have another bundle take over. Returns when it has; the former one may still finish its requests.

        Cancelling the call does not stop the swap.

        Args:
            path: its folder, in `bundle_root` if relative; by default the configured one, read anew.

        Raises:
            BundleRefused: it cannot be served, or not from there.
            Draining: the process is shutting down.
            SwapInProgress: an earlier swap is not over yet.
        """
        if self.draining:
            msg = "the service is shutting down"
            raise Draining(msg)
        if not self._free.is_set():
            self._metrics.bundle_swaps.labels("busy").inc()
            msg = "an earlier swap is not over: a bundle is being loaded, or the former one still finishes its requests"
            raise SwapInProgress(msg)
        self._free.clear()
        return await asyncio.shield(self._spawn(self._swap(path)))

    def reload(self) -> None:
        """Swap to the configured bundle, after the swap under way if there is one. Log and metrics tell the outcome."""
        _log.info("reload", waits=not self._free.is_set())
        if not self._reload_wanted:
            self._reload_wanted = True
            self._spawn(self._reload())

    async def stop(self) -> None:
        """Finish what was accepted within `drain_timeout_s`, and fail the rest with `Draining`."""
        self.draining = True
        for task in tuple(self._tasks):
            task.cancel()
        timeout_s = min(self._settings.drain_timeout_s, max(0.0, self.drain_by - time.monotonic()))
        await asyncio.gather(*(_stop(one, timeout_s) for one in self._generations()), self._await_loader(timeout_s))
        self._loader.shutdown(wait=False)

    # ------------------------------------------------------------------------------------ a swap

    async def _swap(self, path: str | None) -> Swap:
        started = time.monotonic()
        try:
            successor = await self._load(path)
        except BundleRefused as error:
            self._metrics.bundle_swaps.labels("refused").inc()
            _log.error("bundle_refused", serving=self._current.bundle.manifest.name, reason=str(error))
            raise
        former = self._current.info
        # What is started here outlives the request for the swap: a context of its own keeps the request's id out of
        # its log lines.
        contextvars.Context().run(self._take_over, successor)
        self._metrics.bundle_swaps.labels("done").inc()
        done = Swap(
            bundle=successor.info["name"],
            manifest=successor.info["manifest"],
            former=former["name"],
            former_manifest=former["manifest"],
            duration_s=time.monotonic() - started,
        )
        _log.info("bundle_replaced", **asdict(done))
        return done

    def _take_over(self, successor: Generation) -> None:
        self._former, self._current = self._current, successor
        self._former.canary.retire()
        self._metrics.forget_round_trip()
        self._begin()
        if self._probing:
            self._current.canary.schedule(at_once=self._settings.canary_on_start)
        self._spawn(self._retire(self._former))

    def _begin(self) -> None:
        self._current.batcher.start()
        self._metrics.engine_info.info({key: str(value) for key, value in asdict(self._current.engine_info).items()})
        self._metrics.bundle_info.info(dict(self._current.info))

    async def _load(self, path: str | None) -> Generation:
        """Have the thread prepare a generation; on refusal another swap may begin, once the thread is free.

        Raises:
            BundleRefused: it cannot be served, or was not ready in time.
        """
        self._loading = self._loader.submit(self._outcome, path)
        loading = asyncio.wrap_future(self._loading)
        await asyncio.wait({loading}, timeout=self._settings.swap_timeout_s)
        if not loading.done():
            self._spawn(self._drop(loading))
            del loading  # what is raised keeps this frame
            msg = f"it was not loaded and checked within {self._settings.swap_timeout_s:g} s"
            raise BundleRefused(msg)
        self._loading = None
        outcome = loading.result()
        if isinstance(outcome, BundleRefused):
            self._free.set()
            raise outcome
        return outcome

    async def _drop(self, late: asyncio.Future[Generation | BundleRefused]) -> None:
        """Release what is ready too late."""
        await asyncio.wait({late})
        self._loading = None
        del late
        await asyncio.get_running_loop().run_in_executor(self._loader, give_back)
        self._free.set()

    def _outcome(self, path: str | None) -> Generation | BundleRefused:
        """Prepare a generation, or say why not. What was raised goes no further: its frames hold half an engine."""
        folder = None
        try:
            folder = _folder(path, self._settings)
            return self._prepare(folder)
        except (BundleError, BundleRefused, StartupError) as error:
            reason = str(error)
        except BaseException as error:  # noqa: BLE001 - a runtime may raise anything, and none of it may end the service
            _log.error("bundle_load_failed", exception=without_messages(error))
            reason = f"it cannot be loaded: {type(error).__name__}"
        give_back()
        return BundleRefused(reason.replace(str(folder), "the folder") if folder else reason)

    async def _retire(self, former: Generation) -> None:
        """Let the former generation finish, then release it. What overruns the limit for requests is failed."""
        allowed_s = max(self._settings.drain_timeout_s, self._settings.timeout_s)
        try:
            async with asyncio.timeout(allowed_s):
                await former.unused()
        except TimeoutError:
            _log.warning("requests_cut_off", bundle=former.bundle.manifest.name, after_s=allowed_s)
        await _stop(former, 0)
        await former.batcher.engine_rests()  # for ever, if it hangs: then no other swap may begin
        info = former.info
        self._former = None
        del former  # nobody else has it
        await asyncio.get_running_loop().run_in_executor(self._loader, give_back)
        _log.info("bundle_released", bundle=info["name"], manifest=info["manifest"])
        self._free.set()

    async def _reload(self) -> None:
        while not self._free.is_set():
            await self._free.wait()
        self._reload_wanted = False
        with contextlib.suppress(ServiceError):  # `swap` has logged it
            await self.swap()

    async def _await_loader(self, timeout_s: float) -> None:
        if self._loading:
            await asyncio.wait({asyncio.wrap_future(self._loading)}, timeout=timeout_s)

    def _generations(self) -> list[Generation]:
        return [one for one in (self._current, self._former) if one]

    def _spawn(self, work: Coroutine[Any, Any, R]) -> asyncio.Task[R]:
        """Run in the background; the loop itself would not keep a task from being collected."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


async def _stop(generation: Generation, timeout_s: float) -> None:
    await generation.canary.stop()  # first: a run that the batcher stopped would have failed
    await generation.batcher.stop(timeout_s)


def _folder(path: str | None, settings: Settings) -> Path:
    """Where a bundle lies, all links followed, so that a link that is moved meanwhile does not mix two bundles.

    Raises:
        BundleRefused: not where bundles may lie, or a file of it leads elsewhere.
    """
    try:
        if path is None:
            return _resolved(settings.bundle)
        root = _root(settings)
        folder = _resolved(root / path)
        inside = folder.is_relative_to(root)
        if inside and folder.is_dir():
            inside = all(_resolved(file).is_relative_to(root) for file in folder.iterdir())
    except (OSError, ValueError) as error:  # too long, a NUL
        msg = "the path leads nowhere"
        raise BundleRefused(msg) from error
    if not inside:
        msg = "the path, or a link on it or in it, leads out of the folder that bundles must lie in"
        raise BundleRefused(msg)
    return folder


def _root(settings: Settings) -> Path:
    if settings.bundle_root:
        return _resolved(settings.bundle_root)
    bundle = settings.bundle.absolute()
    parent = _resolved(bundle.parent)
    return parent if parent != parent.parent else _resolved(bundle)  # all of the file system is no safe root


def _resolved(path: Path) -> Path:
    """Where a path leads. With links in a circle `Path.resolve` would raise before Python 3.13 and not from then on."""
    return Path(os.path.realpath(path))
