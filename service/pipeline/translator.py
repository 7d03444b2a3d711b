"""All stages, in order.

read    parse -> segment -> protect -> tokenise
decode  fast: engine -> collapse; good: engine -> beam; best: engine -> beam -> score -> choose
        and the score of the way back, if details are wanted
write   detokenise -> align -> restore
finish  assemble (place inlines) -> render

A stream decodes and writes several parts of a request at once, and tells of each as soon as those before it are done.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, TypedDict, TypeVar

from service.errors import DeadlineExceeded
from service.observability.tracing import note_stage
from service.pipeline.assembly import assemble, finish, report
from service.pipeline.decoding import collapse_frames, find_candidates
from service.pipeline.reading import find_sentences, tokenise_texts
from service.pipeline.reranking import choose, pairs_to_score, shortlist, ways_back
from service.pipeline.tagging import place_inlines
from service.pipeline.together import together
from service.pipeline.validation import RequestLimits, validate
from service.pipeline.work import Greedy, Score, Search
from service.pipeline.writing import Writer
from service.types import Decoded, Quality, Request, Translated

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
    from concurrent.futures import Executor
    from typing import Unpack

    from model.bundle import Bundle, Direction
    from service.observability.metrics import Metrics
    from service.pipeline.admission import Admission
    from service.pipeline.batcher import Batcher
    from service.pipeline.reading import Text
    from service.pipeline.work import Work
    from service.types import (
        Format,
        Found,
        Hypothesis,
        Piece,
        SegmentChoices,
        SegmentFrames,
        SegmentReport,
        Term,
        Translation,
        Written,
    )

    Told = tuple[int, int, SegmentReport]
    Tell = Callable[[Told], None]
    Rest = Callable[["_Clock"], list[Decoded]]  # what is left of decoding once the engine has answered

__all__ = ["RequestOptions", "Translator"]

_SMOOTHING = 0.05
_MOST_TOKENS_PER_CHARACTER = 0.5
"""About twice that of plain text. Rare scripts have more: they must not make other callers' texts look long."""
_TEXT_SHARE = 0.75
"""Of the bytes of a body, those that are text; the rest is JSON. What would fit must not be refused unread."""
_FIRST_PART = 8
"""Pieces in the first part of a stream. Each part has as many as all before it."""

_SEARCHED_TOGETHER = 16
"""Pieces whose beam search is one task of a text thread."""

R = TypeVar("R")
Row = TypeVar("Row")
StageTimes = dict[str, float]


class RequestOptions(TypedDict, total=False):
    """What a `Request` may have besides direction, texts and quality."""

    format: Format
    glossary: tuple[Term, ...]
    details: bool
    alternatives: int
    attributes: bool


@dataclass(frozen=True, slots=True)
class _Job:
    """An admitted request. `pieces` are those of all texts that have ids, in order."""

    request: Request
    texts: list[Text]
    pieces: list[Piece]
    admission: Admission


class _Clock:
    """Times stages that follow one another in a text thread. The wait for the thread counts with the first."""

    def __init__(self) -> None:
        self.laps: list[tuple[str, float, float]] = []
        self._last = time.perf_counter()

    def lap(self, stage: str) -> None:
        """A stage ends now, and the next begins."""
        now = time.perf_counter()
        self.laps.append((stage, self._last, now - self._last))
        self._last = now


class Translator:
    """Takes a request through the pipeline. Work on text is done in `text_threads`, off the event loop.

    Args:
        bundle: its tokenizer, and in its manifest how hard good and best quality search.
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
        self._fluency = bundle.fluency()
        self._candidates = self._search.candidates if self._search.reverse_weight else 1
        self._writer = Writer(bundle)
        self._batcher = batcher
        self._limits = limits
        self._max_segment_tokens = max_segment_tokens
        self._text_threads = text_threads
        self._metrics = metrics
        self._tokens_per_character = 0.0

    def validate(
        self,
        direction: Direction,
        texts: Sequence[str],
        quality: Quality = Quality.FAST,
        **options: Unpack[RequestOptions],
    ) -> Request:
        """Check what a caller sent.

        Raises:
            TooLarge: too many texts or characters.
            InvalidRequest: nothing but white space, or a control character or lone surrogate; or options that do not
                go together.
        """
        started = time.perf_counter()
        request = Request(direction, tuple(texts), quality, **options)
        validate(request, self._limits)
        seconds = time.perf_counter() - started
        self._metrics.observe_stages({"validate": seconds})
        note_stage("validate", started, seconds)
        return request

    def passes(self, quality: Quality, *, details: bool = False) -> int:
        """How often the network reads each piece, at most: once, and on the way back each candidate for it."""
        candidates = self._reranked(quality)
        return 1 + max(candidates if candidates > 1 else 0, int(details))

    async def translate(self, request: Request, *, timeout_s: float) -> Translated:
        """Translate every text of a request.

        Raises:
            InvalidRequest: a text is not written in the request's format.
            DeadlineExceeded: not done within `timeout_s` seconds.
            Draining, EngineError, Overloaded, TooLarge: see `Batcher.admit` and `Batcher.submit`.
        """
        self._batcher.check_open(self._expected_tokens(request), timeout_s)
        return await self._within(timeout_s, request, tell=None)

    async def stream(self, request: Request, *, timeout_s: float) -> AsyncGenerator[Told | Translated, None]:
        """Translate every text of a request, and tell of each segment as soon as it and all before it are done.

        Whoever leaves the generator early closes it (`aclose`): that ends the work.

        Yields:
            The place of a text in the request, that of a segment in the text, and what became of it; last, the whole.

        Raises:
            ServiceError: as `translate`. What is wrong with the request is raised before anything is yielded.
        """
        self._batcher.check_open(self._expected_tokens(request), timeout_s)
        told: asyncio.Queue[Told | None] = asyncio.Queue()
        task = asyncio.create_task(self._within(timeout_s, request, told.put_nowait), name="stream")
        task.add_done_callback(lambda _: told.put_nowait(None))
        try:
            while (one := await told.get()) is not None:
                yield one
            yield await task
        finally:
            task.cancel()
            await asyncio.wait({task})

    async def _within(self, timeout_s: float, request: Request, tell: Tell | None) -> Translated:
        try:
            async with asyncio.timeout(timeout_s):
                translated = await self._translate(request, timeout_s, tell)
        except TimeoutError as error:
            msg = "the translation was not done before the deadline"
            raise DeadlineExceeded(msg) from error
        self._metrics.observe_stages(translated.stage_s)
        return translated

    async def _translate(self, request: Request, timeout_s: float, tell: Tell | None) -> Translated:
        started = time.monotonic()
        stage_s: StageTimes = {}
        texts = await self._in_thread(stage_s, "tokenise", partial(self._read, request))
        pieces = [piece for text in texts for block in text.blocks for piece in block.pieces if piece.ids]
        tokens = sum(len(piece.ids) for piece in pieces)
        self._note_length(request, tokens)
        left_s = timeout_s - (time.monotonic() - started)
        passes = self.passes(request.quality, details=request.details)
        with self._batcher.admit(tokens * passes, left_s) as admission:
            job = _Job(request, texts, pieces, admission)
            if tell:
                translations = await self._tell(job, stage_s, tell)
            else:
                decoded = await self._decode(job, pieces, stage_s)
                translations = await self._in_thread(
                    stage_s, "detokenise", lambda clock: self._finish(job, self._write(job, pieces, decoded, clock))
                )
        return Translated(tuple(translations), pieces=len(pieces), tokens=tokens, stage_s=stage_s)

    def check_room(self, size: int, within_s: float) -> None:
        """Refuse a request of which only the size of its body, in bytes, and its time, in seconds, are known.

        Raises:
            Overloaded: there is no room for what it may be expected to come to, or no time.
        """
        self._batcher.check_room(round(size * _TEXT_SHARE * self._tokens_per_character), within_s)

    def _expected_tokens(self, request: Request) -> int:
        """What a request will come to, from its characters: refusing it must not cost as much as tokenising it."""
        characters = sum(map(len, request.texts))
        passes = self.passes(request.quality, details=request.details)
        return max(1, round(characters * self._tokens_per_character) * passes)

    def _note_length(self, request: Request, tokens: int) -> None:
        if characters := sum(map(len, request.texts)):
            found = min(tokens / characters, _MOST_TOKENS_PER_CHARACTER)
            known = self._tokens_per_character
            self._tokens_per_character += (found - known) * (_SMOOTHING if known else 1.0)

    def _read(self, request: Request, clock: _Clock) -> list[Text]:
        found = find_sentences(request)
        clock.lap("segment")
        return tokenise_texts(request, found, self._tokenizer, max_tokens=self._max_segment_tokens)

    # ----------------------------------------------------------------------------------- decode

    async def _decode(self, job: _Job, pieces: Sequence[Piece], stage_s: StageTimes) -> Rest:
        """Ask the engine. What is to be done with its last answer is left to the thread that writes."""
        if job.request.quality is Quality.FAST:
            return await self._greedy(job, pieces, stage_s)
        return await self._searched_in_groups(job, pieces, stage_s)

    async def _greedy(self, job: _Job, pieces: Sequence[Piece], stage_s: StageTimes) -> Rest:
        """The likeliest path of each piece."""
        request = job.request
        frames = await self._ask(job, stage_s, "inference", Greedy(request.direction), [piece.ids for piece in pieces])
        if not request.details:
            return partial(self._collapsed, frames)
        found = await self._in_thread(stage_s, "collapse", lambda _: self._collapse(frames))
        pairs = ways_back([piece.ids for piece in pieces], found, max_tokens=self._max_segment_tokens)
        log_probs = iter(await self._ask(job, stage_s, "score", Score(request.direction.reverse), pairs))
        found = [replace(one, reverse_log_prob=next(log_probs)) if one.ids else one for one in found]
        return lambda _: list(map(Decoded, found, frames))

    async def _searched(self, job: _Job, pieces: Sequence[Piece], stage_s: StageTimes) -> Rest:
        """The best candidate for each piece; of several, once the other direction has been asked about them."""
        request = job.request
        sources = [piece.ids for piece in pieces]
        choices = await self._ask(job, stage_s, "search", Search(request.direction), sources)
        with self._batcher.hold(sum(map(len, sources))):  # or the queue would seem short while searches pile up
            every = await self._in_thread(stage_s, "beam", lambda _: self._find(choices, sources, request.direction))
        found = [shortlist(one, self._reranked(request.quality)) for one in every]
        pairs = pairs_to_score(sources, found, max_tokens=self._max_segment_tokens, every=request.details)
        log_probs: Sequence[float] = ()
        if pairs:
            log_probs = await self._ask(job, stage_s, "score", Score(request.direction.reverse), pairs)

        def chosen(_: _Clock) -> list[Decoded]:
            best = choose(found, log_probs, reverse_weight=self._search.reverse_weight, every=request.details)
            decoded = []
            for hypothesis, its_choices, one in zip(best, choices, every, strict=True):
                others = (candidate.ids for candidate in one.candidates if candidate.ids not in ((), hypothesis.ids))
                decoded.append(Decoded(hypothesis, its_choices, tuple(others) if request.alternatives else ()))
            return decoded

        return chosen

    async def _searched_in_groups(self, job: _Job, pieces: Sequence[Piece], stage_s: StageTimes) -> Rest:
        """The same in groups of pieces alike in length: while some are searched, the engine has others."""
        order = sorted(range(len(pieces)), key=lambda place: len(pieces[place].ids))
        groups = [order[start : start + _SEARCHED_TOGETHER] for start in range(0, len(order), _SEARCHED_TOGETHER)]
        times: list[StageTimes] = [{} for _ in groups]
        rests = await together(
            [
                self._searched(job, [pieces[place] for place in group], its)
                for group, its in zip(groups, times, strict=True)
            ]
        )
        _note_longest(stage_s, times)

        def in_order(clock: _Clock) -> list[Decoded]:
            found = {
                place: one
                for group, rest in zip(groups, rests, strict=True)
                for place, one in zip(group, rest(clock), strict=True)
            }
            return [found[place] for place in range(len(pieces))]

        return in_order

    def _reranked(self, quality: Quality) -> int:
        """Among how many candidates the other direction chooses; 1 leaves it no choice."""
        return self._candidates if quality is Quality.BEST else 1

    def _collapsed(self, frames: Sequence[SegmentFrames], clock: _Clock) -> list[Decoded]:
        hypotheses = self._collapse(frames)
        clock.lap("collapse")
        return list(map(Decoded, hypotheses, frames))

    def _collapse(self, frames: Sequence[SegmentFrames]) -> list[Hypothesis]:
        return collapse_frames(frames, blank_id=self._blank_id)

    def _find(
        self, choices: Sequence[SegmentChoices], sources: Sequence[tuple[int, ...]], direction: Direction
    ) -> list[Found]:
        fluency = self._fluency.get(direction)
        return find_candidates(choices, sources, beam=self._search.beam, blank_id=self._blank_id, fluency=fluency)

    async def _ask(
        self, job: _Job, stage_s: StageTimes, stage: str, work: Work[Row, R], rows: Sequence[Row]
    ) -> tuple[R, ...]:
        """Have the engine do one stage. Waits for it are one figure, `queue`."""
        inferred = await self._batcher.submit(work, rows, job.admission)
        started = time.perf_counter() - inferred.inference_s
        note_stage("queue", started - inferred.queue_s, inferred.queue_s)
        note_stage(stage, started, inferred.inference_s)
        stage_s["queue"] = stage_s.get("queue", 0.0) + inferred.queue_s
        stage_s[stage] = inferred.inference_s
        return inferred.results

    # -------------------------------------------------------------------------- write and finish

    def _write(self, job: _Job, pieces: Sequence[Piece], decoded: Rest, clock: _Clock) -> list[Written]:
        return self._writer.write(pieces, decoded(clock), job.request)

    def _finish(self, job: _Job, written: Sequence[Written]) -> list[Translation]:
        rest, told = iter(written), iter(written)
        translations = []
        for text in job.texts:
            pairs = zip(text.document.blocks, text.blocks, strict=True)
            blocks = [assemble(block, tokenised, rest, place_inlines) for block, tokenised in pairs]
            segments = (
                [one for block in text.blocks for one in report(block, told, links=True)] if job.request.details else ()
            )
            translations.append(finish(text.document, blocks, segments))
        return translations

    async def _tell(self, job: _Job, stage_s: StageTimes, tell: Tell) -> list[Translation]:
        """Decode and write in parts, all at once, so that they share batches; tell of each in turn."""
        times: list[StageTimes] = []

        async def part(pieces: Sequence[Piece]) -> list[Written]:
            times.append({})
            decoded = await self._decode(job, pieces, its := times[-1])
            return await self._in_thread(its, "detokenise", partial(self._write, job, pieces, decoded))

        def ready(_: _Clock) -> list[Told]:
            return _segments(job, written)

        written: list[Written] = []
        known: list[Told] = []
        tasks = [asyncio.create_task(part(pieces)) for pieces in _parts(job.pieces)]
        try:
            for task in tasks:
                written += await task
                told = await self._in_thread(stage_s, "detokenise", ready)
                for one in told[len(known) :]:
                    tell(one)
                known = told
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        _note_longest(stage_s, times)
        return await self._in_thread(stage_s, "assemble", lambda _: self._finish(job, written))

    async def _in_thread(self, stage_s: StageTimes, last: str, work: Callable[[_Clock], R]) -> R:
        """Do stages that follow one another in one go, in a text thread, and note how long each took.

        `work` tells the clock where each stage ends but the last.
        """
        clock = _Clock()

        def timed() -> R:
            result = work(clock)
            clock.lap(last)
            return result

        result = await asyncio.get_running_loop().run_in_executor(self._text_threads, timed)
        for stage, started, seconds in clock.laps:
            stage_s[stage] = seconds
            note_stage(stage, started, seconds)
        return result


def _parts(pieces: Sequence[Piece]) -> Iterator[Sequence[Piece]]:
    """At least one, and each but the first two as large as all before it."""
    start, size = 0, _FIRST_PART
    while not start or start < len(pieces):
        yield pieces[start : start + size]
        start += size
        size = start


def _note_longest(stage_s: StageTimes, times: Sequence[StageTimes]) -> None:
    """Of stages that ran side by side the longest counts."""
    for its in times:
        stage_s |= {stage: max(seconds, stage_s.get(stage, 0.0)) for stage, seconds in its.items()}


def _segments(job: _Job, written: Sequence[Written]) -> list[Told]:
    """All segments before the first of which it is not known yet what became of it."""
    rest = iter(written)
    told: list[Told] = []
    for index, text in enumerate(job.texts):
        place = 0
        for block in text.blocks:
            segments = list(report(block, rest, links=job.request.details))
            told += [(index, place + number, one) for number, one in enumerate(segments)]
            place += len(segments)
            if len(segments) < len(block.pieces):
                return told
    return told
