"""All stages, in order."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from service.errors import DeadlineExceeded
from service.pipeline.assembly import assemble
from service.pipeline.detokenisation import detokenise
from service.pipeline.segmentation import cut, segment
from service.pipeline.tokenisation import tokenise
from service.pipeline.validation import RequestLimits, validate
from service.types import Translated

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Executor

    from model.bundle import Bundle, Direction
    from service.observability.metrics import Metrics
    from service.pipeline.batcher import Batcher
    from service.types import Inferred, Request, Segmented, Tokenised, Translation

__all__ = ["Translator"]

P = ParamSpec("P")
R = TypeVar("R")


class Translator:
    """Takes a request through the pipeline. Work on text is done in `text_threads`, off the event loop.

    Args:
        bundle: its tokenizer and manifest.
        batcher: started.
        limits: what `validate` allows.
        max_segment_tokens: longer sentences are cut.
        text_threads: where text is worked on.
        metrics: where stage times go.
    """

    def __init__(
        self,
        bundle: Bundle,
        batcher: Batcher,
        *,
        limits: RequestLimits,
        max_segment_tokens: int,
        text_threads: Executor,
        metrics: Metrics,
    ) -> None:
        self._tokenizer = bundle.tokenizer
        self._blank_id = bundle.manifest.blank_id
        self._batcher = batcher
        self._limits = limits
        self._max_segment_tokens = max_segment_tokens
        self._text_threads = text_threads
        self._metrics = metrics

    def validate(self, direction: Direction, texts: Sequence[str]) -> Request:
        """Check what a caller sent.

        Raises:
            TooLarge: too many texts or characters.
            InvalidRequest: nothing but white space, or a control character or lone surrogate.
        """
        started = time.perf_counter()
        request = validate(direction, texts, self._limits)
        self._metrics.observe_stages({"validate": time.perf_counter() - started})
        return request

    async def translate(self, request: Request, *, timeout_s: float) -> Translated:
        """Translate every text of a request.

        Raises:
            DeadlineExceeded: not done within `timeout_s` seconds.
            Draining, EngineError, Overloaded, TooLarge: see `Batcher.submit`.
        """
        self._batcher.check_open()
        stage_s: dict[str, float] = {}
        try:
            async with asyncio.timeout(timeout_s):
                segmented = await self._timed(stage_s, "segment", self._segment, request)
                tokenised = await self._timed(stage_s, "tokenise", self._tokenise, segmented)
                inferred = await self._infer(stage_s, request.direction, tokenised)
                translations = await self._timed(stage_s, "detokenise", self._finish, tokenised, inferred)
        except TimeoutError as error:
            msg = "the translation was not done before the deadline"
            raise DeadlineExceeded(msg) from error
        self._metrics.observe_stages(stage_s)
        lengths = [len(piece.ids) for text in tokenised for piece in text.pieces if piece.ids]
        return Translated(tuple(translations), pieces=len(lengths), tokens=sum(lengths), stage_s=stage_s)

    def _segment(self, request: Request) -> list[Segmented]:
        return [segment(text, request.direction.source) for text in request.texts]

    def _tokenise(self, segmented: list[Segmented]) -> list[Tokenised]:
        return [tokenise(text, self._tokenizer, max_tokens=self._max_segment_tokens, cut=cut) for text in segmented]

    async def _infer(self, stage_s: dict[str, float], direction: Direction, tokenised: list[Tokenised]) -> Inferred:
        inferred = await self._batcher.submit(
            direction, [piece.ids for text in tokenised for piece in text.pieces if piece.ids]
        )
        stage_s |= {"queue": inferred.queue_s, "inference": inferred.inference_s}
        return inferred

    def _finish(self, tokenised: list[Tokenised], inferred: Inferred) -> list[Translation]:
        pieces = iter(detokenise(inferred.frames, self._tokenizer, blank_id=self._blank_id))
        return [assemble(text, pieces) for text in tokenised]

    async def _timed(
        self, stage_s: dict[str, float], stage: str, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs
    ) -> R:
        """Run one stage in the text threads and note how long it took, waiting for a thread included."""
        started = time.perf_counter()
        result = await asyncio.get_running_loop().run_in_executor(self._text_threads, lambda: work(*args, **kwargs))
        stage_s[stage] = time.perf_counter() - started
        return result
