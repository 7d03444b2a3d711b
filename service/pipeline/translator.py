"""All stages, in order."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from service.errors import DeadlineExceeded
from service.observability.tracing import note_stage
from service.pipeline.assembly import assemble
from service.pipeline.decoding import collapse_frames, find_candidates
from service.pipeline.detokenisation import detokenise
from service.pipeline.reranking import choose, pairs_to_score, shortlist
from service.pipeline.segmentation import cut, segment
from service.pipeline.tokenisation import tokenise
from service.pipeline.validation import RequestLimits, validate
from service.pipeline.work import Greedy, Score, Search
from service.types import Quality, Translated

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Executor

    from model.bundle import Bundle, Direction
    from service.observability.metrics import Metrics
    from service.pipeline.admission import Admission
    from service.pipeline.batcher import Batcher
    from service.pipeline.work import Work
    from service.types import (
        Found,
        Hypothesis,
        Request,
        SegmentChoices,
        Segmented,
        SegmentFrames,
        Tokenised,
        Translation,
    )

__all__ = ["Translator"]

_SMOOTHING = 0.05
_MOST_TOKENS_PER_CHARACTER = 0.5
"""About twice that of plain text. Rare scripts have more: they must not make other callers' texts look long."""

P = ParamSpec("P")
R = TypeVar("R")
Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class _Job:
    """An admitted request, ready for the engine. `sources` are the token ids of its pieces, in order."""

    direction: Direction
    tokenised: list[Tokenised]
    sources: list[tuple[int, ...]]
    admission: Admission
    stage_s: dict[str, float]


class Translator:
    """Takes a request through the pipeline. Work on text is done in `text_threads`, off the event loop.

    Args:
        bundle: its tokenizer, and in its manifest how hard the best quality searches.
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
        self._search = bundle.manifest.search
        self._candidates = self._search.candidates if self._search.reverse_weight else 1
        self._batcher = batcher
        self._limits = limits
        self._max_segment_tokens = max_segment_tokens
        self._text_threads = text_threads
        self._metrics = metrics
        self._tokens_per_character = 0.0

    def validate(self, direction: Direction, texts: Sequence[str], quality: Quality = Quality.FAST) -> Request:
        """Check what a caller sent.

        Raises:
            TooLarge: too many texts or characters.
            InvalidRequest: nothing but white space, or a control character or lone surrogate.
        """
        started = time.perf_counter()
        request = validate(direction, texts, quality, self._limits)
        seconds = time.perf_counter() - started
        self._metrics.observe_stages({"validate": seconds})
        note_stage("validate", started, seconds)
        return request

    def passes(self, quality: Quality) -> int:
        """How often the network reads each piece, at most: once, and again as each candidate for it."""
        return 1 + self._candidates if quality is Quality.BEST and self._candidates > 1 else 1

    async def translate(self, request: Request, *, timeout_s: float) -> Translated:
        """Translate every text of a request.

        Raises:
            DeadlineExceeded: not done within `timeout_s` seconds.
            Draining, EngineError, Overloaded, TooLarge: see `Batcher.admit` and `Batcher.submit`.
        """
        self._batcher.check_open(self._expected_tokens(request), timeout_s)
        stage_s: dict[str, float] = {}
        try:
            async with asyncio.timeout(timeout_s):
                started = time.monotonic()
                segmented = await self._timed(stage_s, "segment", self._segment, request)
                tokenised = await self._timed(stage_s, "tokenise", self._tokenise, segmented)
                sources = [piece.ids for text in tokenised for piece in text.pieces if piece.ids]
                tokens = sum(map(len, sources))
                self._note_length(request, tokens)
                left_s = timeout_s - (time.monotonic() - started)
                with self._batcher.admit(tokens * self.passes(request.quality), left_s) as admission:
                    job = _Job(request.direction, tokenised, sources, admission, stage_s)
                    translations = await (self._best(job) if request.quality is Quality.BEST else self._fast(job))
        except TimeoutError as error:
            msg = "the translation was not done before the deadline"
            raise DeadlineExceeded(msg) from error
        self._metrics.observe_stages(stage_s)
        return Translated(tuple(translations), pieces=len(sources), tokens=tokens, stage_s=stage_s)

    async def _fast(self, job: _Job) -> list[Translation]:
        """The likeliest path of each piece."""
        frames = await self._ask(job, "inference", Greedy(job.direction), job.sources)
        return await self._timed(job.stage_s, "detokenise", self._finish_fast, job, frames)

    async def _best(self, job: _Job) -> list[Translation]:
        """The best of several candidates for each piece, once the other direction has been asked about them."""
        choices = await self._ask(job, "search", Search(job.direction), job.sources)
        found = await self._timed(job.stage_s, "beam", self._find, choices)
        pairs = pairs_to_score(job.sources, found, max_tokens=self._max_segment_tokens)
        log_probs = await self._ask(job, "score", Score(job.direction.reverse), pairs)
        return await self._timed(job.stage_s, "detokenise", self._finish_best, job, found, log_probs)

    def _expected_tokens(self, request: Request) -> int:
        """What a request will come to, from its characters: refusing it must not cost as much as tokenising it."""
        characters = sum(map(len, request.texts))
        return max(1, round(characters * self._tokens_per_character) * self.passes(request.quality))

    def _note_length(self, request: Request, tokens: int) -> None:
        if characters := sum(map(len, request.texts)):
            found = min(tokens / characters, _MOST_TOKENS_PER_CHARACTER)
            known = self._tokens_per_character
            self._tokens_per_character += (found - known) * (_SMOOTHING if known else 1.0)

    async def _ask(self, job: _Job, stage: str, work: Work[Row, R], rows: Sequence[Row]) -> tuple[R, ...]:
        """Have the engine do one stage. Waits for it are one figure, `queue`."""
        inferred = await self._batcher.submit(work, rows, job.admission)
        started = time.perf_counter() - inferred.inference_s
        note_stage("queue", started - inferred.queue_s, inferred.queue_s)
        note_stage(stage, started, inferred.inference_s)
        job.stage_s["queue"] = job.stage_s.get("queue", 0.0) + inferred.queue_s
        job.stage_s[stage] = inferred.inference_s
        return inferred.results

    def _segment(self, request: Request) -> list[Segmented]:
        return [segment(text, request.direction.source) for text in request.texts]

    def _tokenise(self, segmented: list[Segmented]) -> list[Tokenised]:
        return [tokenise(text, self._tokenizer, max_tokens=self._max_segment_tokens, cut=cut) for text in segmented]

    def _find(self, choices: Sequence[SegmentChoices]) -> list[Found]:
        found = find_candidates(choices, beam=self._search.beam, blank_id=self._blank_id)
        return [shortlist(one, self._candidates) for one in found]

    def _finish_fast(self, job: _Job, frames: Sequence[SegmentFrames]) -> list[Translation]:
        return self._finish(job, collapse_frames(frames, blank_id=self._blank_id))

    def _finish_best(self, job: _Job, found: Sequence[Found], log_probs: Sequence[float]) -> list[Translation]:
        return self._finish(job, choose(found, log_probs, reverse_weight=self._search.reverse_weight))

    def _finish(self, job: _Job, hypotheses: Sequence[Hypothesis]) -> list[Translation]:
        pieces = iter(detokenise(hypotheses, self._tokenizer))
        return [assemble(text, pieces) for text in job.tokenised]

    async def _timed(
        self, stage_s: dict[str, float], stage: str, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs
    ) -> R:
        """Run one stage in the text threads and note how long it took, waiting for a thread included."""
        started = time.perf_counter()
        result = await asyncio.get_running_loop().run_in_executor(self._text_threads, lambda: work(*args, **kwargs))
        stage_s[stage] = time.perf_counter() - started
        note_stage(stage, started, stage_s[stage])
        return result
