"""All stages, in order.

read    parse -> segment -> protect -> normalise -> tokenise
decode  fast: engine -> collapse; good: engine -> beam; best: engine -> beam -> score -> choose
        and the score of the way back, if details are wanted
write   detokenise -> align -> restore
finish  wrap -> assemble (place inlines) -> render

A stream decodes and writes several parts of a request at once, and tells of each as soon as those before it are done.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING, TypedDict

from service.errors import DeadlineExceeded
from service.observability.tracing import note_stage
from service.pipeline.assembly import assemble, finish, in_lines, report
from service.pipeline.reading import find_sentences
from service.pipeline.text_threads import note_longest
from service.pipeline.together import begun
from service.pipeline.validation import RequestLimits, check_size, validate
from service.types import Request, Translated

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Sequence
    from typing import Unpack

    from model.bundle import Direction
    from service.observability.metrics import Metrics
    from service.pipeline.batching.admission import Admission
    from service.pipeline.batching.batcher import Batcher
    from service.pipeline.decoding.decoder import Decoder, ReadAnswers
    from service.pipeline.pieces import Piece, Tokenised
    from service.pipeline.reading import Reader, TokenisedText
    from service.pipeline.text_threads import Clock, StageTimes, TextThreads
    from service.pipeline.writing import Writer
    from service.types import Format, Quality, SegmentReport, Term, Translation, Written

    Told = tuple[int, int, SegmentReport]
    Tell = Callable[[Told], None]

__all__ = ["RequestOptions", "Translator"]

_SMOOTHING = 0.05
_MOST_TOKENS_PER_CHARACTER = 0.5
"""About twice that of plain text. Rare scripts have more: they must not make other callers' texts look long."""
_TEXT_SHARE = 0.75
"""Of the bytes of a body, those that are text; the rest is JSON. What would fit must not be refused unread."""
_FIRST_PART = 8
"""Pieces in the first part of a stream. Each part has as many as all before it."""


class RequestOptions(TypedDict, total=False):
    """What a `Request` may have besides direction, texts and quality."""

    format: Format
    glossary: tuple[Term, ...]
    details: bool
    alternatives: int
    attributes: bool


@dataclass(frozen=True, slots=True)
class _Job:
    """An admitted request. `pieces` are those of all texts that have ids, each once, in order of their first place.

    `places` has for each place of such a piece in the texts, in order, which of `pieces` stands there.
    """

    request: Request
    texts: list[TokenisedText]
    pieces: list[Piece]
    places: list[int]
    admission: Admission

    @property
    def blocks(self) -> Iterator[Tokenised]:
        """Of all texts, in order."""
        return (block for text in self.texts for block in text.blocks)

    def everywhere(self, written: Sequence[Written]) -> Iterator[Written]:
        """From what became of the first of `pieces` to what stands in each place, up to the first still unknown."""
        return (written[index] for index in takewhile(lambda index: index < len(written), self.places))


class Translator:
    """Takes a request through the pipeline. Work on text that is not short is done in `text_threads`.

    Args:
        reader: from texts to what the engine is asked about.
        decoder: from that to token ids.
        writer: from those to translations.
        batcher: that of the decoder.
        limits: what `validate` allows.
        text_threads: where text is worked on.
        metrics: where stage times go.
    """

    def __init__(
        self,
        reader: Reader,
        decoder: Decoder,
        writer: Writer,
        batcher: Batcher,
        *,
        limits: RequestLimits,
        text_threads: TextThreads,
        metrics: Metrics,
    ) -> None:
        self._reader = reader
        self._decoder = decoder
        self._writer = writer
        self._batcher = batcher
        self._limits = limits
        self._threads = text_threads
        self._metrics = metrics
        self._tokens_per_character = 0.0

    def validate(
        self, direction: Direction, texts: Sequence[str], quality: Quality, **options: Unpack[RequestOptions]
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

    def check_size(self, texts: Sequence[str]) -> None:
        """Check that texts fit one request, whatever is to be done with them.

        Raises:
            TooLarge: they do not.
        """
        check_size(texts, self._limits)

    def passes(self, quality: Quality, *, details: bool = False) -> int:
        """How often the network reads each piece, at most."""
        return self._decoder.passes(quality, details=details)

    async def translate(self, request: Request, *, timeout_s: float) -> Translated:
        """Translate every text of a request.

        Raises:
            InvalidRequest: a text is not written in the request's format.
            DeadlineExceeded: not done within `timeout_s` seconds.
            Draining, EngineError, Overloaded, TooLarge: see `Batcher.admit`, `Batcher.revise` and `Batcher.submit`.
        """
        return await self._within(timeout_s, request, tell=None)

    async def stream(self, request: Request, *, timeout_s: float) -> AsyncGenerator[Told | Translated, None]:
        """Translate every text of a request, and tell of each segment as soon as it and all before it are done.

        Whoever leaves the generator early closes it (`aclose`): that ends the work.

        Yields:
            The place of a text in the request, that of a segment in the text, and what became of it; last, the whole.

        Raises:
            ServiceError: as `translate`. What is wrong with the request is raised before anything is yielded.
        """
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
        stage_s: StageTimes = {}
        size = request.size
        passes = self.passes(request.quality, details=request.details)
        with self._batcher.admit(self._expected_tokens(request) * passes, timeout_s) as admission:
            texts = await self._threads.run(stage_s, "tokenise", partial(self._read, request), characters=size)
            pieces, places = _each_once(piece for text in texts for block in text.blocks for piece in block.pieces)
            tokens = sum(len(piece.ids) for piece in pieces)
            self._note_length(request, sum(len(pieces[index].ids) for index in places))
            self._batcher.revise(tokens * passes, admission)
            job = _Job(request, texts, pieces, places, admission)
            if tell:
                translations = await self._tell(job, stage_s, tell)
            else:
                read_answers = await self._decoder.decode(request, admission, pieces, stage_s)
                translations = await self._threads.run(
                    stage_s,
                    "detokenise",
                    lambda clock: self._finish(job, self._write(job, pieces, read_answers, clock)),
                    characters=size,
                )
        return Translated(tuple(translations), pieces=len(pieces), tokens=tokens, stage_s=stage_s)

    def check_room(self, size: int, within_s: float) -> None:
        """Refuse a request of which only the size of its body, in bytes, and its time, in seconds, are known.

        Raises:
            Overloaded: there is no room for what it may be expected to come to, or no time.
        """
        self._batcher.check_room(round(size * _TEXT_SHARE * self._tokens_per_character), within_s)

    def _expected_tokens(self, request: Request) -> int:
        """What a request has, from its characters: refusing it must not cost as much as tokenising it."""
        return max(1, round(request.characters * self._tokens_per_character))

    def _note_length(self, request: Request, tokens: int) -> None:
        if characters := request.characters:
            found = min(tokens / characters, _MOST_TOKENS_PER_CHARACTER)
            known = self._tokens_per_character
            self._tokens_per_character += (found - known) * (_SMOOTHING if known else 1.0)

    def _read(self, request: Request, clock: Clock) -> list[TokenisedText]:
        found = find_sentences(request)
        clock.lap("segment")
        return self._reader.tokenise(request, found)

    # -------------------------------------------------------------------------- write and finish

    def _write(self, job: _Job, pieces: Sequence[Piece], read_answers: ReadAnswers, clock: Clock) -> list[Written]:
        return self._writer.write(pieces, read_answers(clock), job.request)

    def _finish(self, job: _Job, written: Sequence[Written]) -> list[Translation]:
        wrapped = list(in_lines(job.blocks, job.everywhere(written)))
        rest, told = iter(wrapped), iter(wrapped)
        translations = []
        for text in job.texts:
            pairs = zip(text.document.blocks, text.blocks, strict=True)
            blocks = [assemble(block, tokenised, rest) for block, tokenised in pairs]
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
            read_answers = await self._decoder.decode(job.request, job.admission, pieces, its := times[-1])
            return await self._threads.run(its, "detokenise", partial(self._write, job, pieces, read_answers))

        def ready(_: Clock) -> list[Told]:
            return _segments(job, written)

        written: list[Written] = []
        known: list[Told] = []
        async with begun(part(pieces) for pieces in _parts(job.pieces)) as tasks:
            for task in tasks:
                written += await task
                told = await self._threads.run(stage_s, "detokenise", ready)
                for one in told[len(known) :]:
                    tell(one)
                known = told
        note_longest(stage_s, times)
        return await self._threads.run(stage_s, "assemble", lambda _: self._finish(job, written))


def _each_once(pieces: Iterable[Piece]) -> tuple[list[Piece], list[int]]:
    """What the network has to read, and for each piece that has ids which of it that is.

    Labels, table cells and strings of programs recur: what is the same to the last mark need not be translated again.
    """
    found: dict[Piece, int] = {}
    places = [found.setdefault(piece, len(found)) for piece in pieces if piece.ids]
    return [*found], places


def _parts(pieces: Sequence[Piece]) -> Iterator[Sequence[Piece]]:
    """At least one, and each but the first two as large as all before it."""
    start, size = 0, _FIRST_PART
    while not start or start < len(pieces):
        yield pieces[start : start + size]
        start += size
        size = start


def _segments(job: _Job, written: Sequence[Written]) -> list[Told]:
    """All segments before the first of which it is not known yet what became of it."""
    rest = in_lines(job.blocks, job.everywhere(written))
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
