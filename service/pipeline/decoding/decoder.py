"""From pieces to token ids: what the engine is asked, and in which order.

fast    engine -> collapse
good    engine -> beam -> word pairs -> the first candidate that is sound, or one near it with fewer flaws
best    engine -> beam -> word pairs -> the first few of such -> score -> choose

With details, also the score of the way back. Word pairs: decision 0039; what is sound: 0026; what is a flaw: 0033 and
0037.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING, Protocol, TypeVar

from service.observability.tracing import note_stage
from service.pipeline.batching.work import Greedy, Score, Search
from service.pipeline.decoding.frames import collapse_frames, find_candidates
from service.pipeline.decoding.reranking import choose, likeliest, likeliest_sound, pairs_to_score, ways_back
from service.pipeline.text_threads import Clock, note_longest
from service.pipeline.together import together
from service.types import Decoded, Quality

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from model.bundle import Bundle, Direction, Fluency
    from service.pipeline.batching.admission import Admission
    from service.pipeline.batching.batcher import Batcher
    from service.pipeline.batching.work import Work
    from service.pipeline.pieces import Piece
    from service.pipeline.text_threads import StageTimes, TextThreads
    from service.types import Candidates, Hypothesis, Request, SegmentChoices, SegmentFrames

    _Source = tuple[int, ...]  # the token ids of a piece

__all__ = ["Decoder", "Judge", "ReadAnswers"]

_SEARCHED_TOGETHER = 16
"""Pieces whose beam search is one task of a text thread: other requests' work comes in between."""

_MOST_READ = 8
"""Candidates for one piece, to find one that is sound: reading one takes as long as writing it."""
_WIDER = 5
"""So many times as wide is a search, and so many times as many are read, where none is: it takes twice as long."""

R = TypeVar("R")
Row = TypeVar("Row")

ReadAnswers = Callable[[Clock], list[Decoded]]
"""Reads the engine's last answers. It is called by the thread that then writes, which saves a hand-over."""


class Judge(Protocol):
    """Knows the text of candidates, and what a translation of a piece must have."""

    def compare(self, piece: Piece, found: Candidates, direction: Direction) -> Candidates:
        """What the search has found, in order, by more than the search knows."""
        ...

    def is_sound(self, piece: Piece, choices: SegmentChoices, direction: Direction, ids: tuple[int, ...]) -> bool:
        """Whether the candidate with such token ids has what it must have; `choices` were searched."""
        ...

    def count_flaws(self, piece: Piece, choices: SegmentChoices, direction: Direction, ids: tuple[int, ...]) -> int:
        """How much in it is lost, or cannot be, whatever is translated."""
        ...


class Decoder:
    """Asks the engine about pieces of text, and reads its answers.

    Args:
        bundle: in its manifest, how hard good and best quality search.
        fluency: its language models, by the direction whose translations they judge.
        batcher: started.
        threads: where answers are read.
        judge: of candidates.
        max_segment_tokens: what the network reads at most.
    """

    def __init__(
        self,
        bundle: Bundle,
        fluency: Mapping[Direction, Fluency],
        batcher: Batcher,
        threads: TextThreads,
        judge: Judge,
        *,
        max_segment_tokens: int,
    ) -> None:
        self._blank_id = bundle.manifest.blank_id
        self._search = bundle.manifest.search
        self._fluency = fluency
        self._candidates = self._search.candidates if self._search.reverse_weight else 1
        self._batcher = batcher
        self._threads = threads
        self._judge = judge
        self._max_segment_tokens = max_segment_tokens

    def passes(self, quality: Quality, *, details: bool = False) -> int:
        """How often the network reads each piece, at most: once, and on the way back each candidate for it."""
        candidates = self._reranked(quality)
        return 1 + max(candidates if candidates > 1 else 0, int(details))

    async def decode(
        self, request: Request, admission: Admission, pieces: Sequence[Piece], stage_s: StageTimes
    ) -> ReadAnswers:
        """Ask the engine; its last answers are still to be read.

        Args:
            request: admitted.
            admission: of it.
            pieces: some of its pieces.
            stage_s: where the stages' times go.

        Raises:
            Draining, EngineError: see `Batcher.submit`.
        """
        if request.quality is Quality.FAST:
            return await self._greedy(request, admission, [piece.ids for piece in pieces], stage_s)
        return await self._searched_in_groups(request, admission, pieces, stage_s)

    async def _greedy(
        self, request: Request, admission: Admission, sources: Sequence[_Source], stage_s: StageTimes
    ) -> ReadAnswers:
        """The likeliest path of each piece."""
        frames = await self._ask(admission, stage_s, "inference", Greedy(request.direction), sources)
        if not request.details:
            return partial(self._collapsed, frames)
        found = await self._threads.run(stage_s, "collapse", lambda _: self._collapse(frames))
        pairs = ways_back(sources, found, max_tokens=self._max_segment_tokens)
        log_probs = iter(await self._ask(admission, stage_s, "score", Score(request.direction.reverse), pairs))
        found = [replace(one, reverse_log_prob=next(log_probs)) if one.ids else one for one in found]
        return lambda _: list(map(Decoded, found, frames))

    async def _searched(
        self, request: Request, admission: Admission, pieces: Sequence[Piece], stage_s: StageTimes
    ) -> ReadAnswers:
        """The best candidate for each piece; of several, once the other direction has been asked about them."""
        sources = [piece.ids for piece in pieces]
        choices = await self._ask(admission, stage_s, "search", Search(request.direction), sources)
        with self._batcher.hold(sum(map(len, sources))):  # or the queue would seem short while searches pile up
            every, found = await self._threads.run(stage_s, "beam", lambda _: self._find(choices, pieces, request))
        pairs = pairs_to_score(sources, found, max_tokens=self._max_segment_tokens, every=request.details)
        log_probs: Sequence[float] = ()
        if pairs:
            log_probs = await self._ask(admission, stage_s, "score", Score(request.direction.reverse), pairs)

        def chosen(_: Clock) -> list[Decoded]:
            best = choose(found, log_probs, reverse_weight=self._search.reverse_weight, every=request.details)
            decoded = []
            for hypothesis, its_choices, one in zip(best, choices, every, strict=True):
                others = (candidate.ids for candidate in one.candidates if candidate.ids not in ((), hypothesis.ids))
                decoded.append(Decoded(hypothesis, its_choices, tuple(others) if request.alternatives else ()))
            return decoded

        return chosen

    async def _searched_in_groups(
        self, request: Request, admission: Admission, pieces: Sequence[Piece], stage_s: StageTimes
    ) -> ReadAnswers:
        """The same in groups of pieces alike in length: while some are searched, the engine has others."""
        order = sorted(range(len(pieces)), key=lambda place: len(pieces[place].ids))
        groups = [order[start : start + _SEARCHED_TOGETHER] for start in range(0, len(order), _SEARCHED_TOGETHER)]
        times: list[StageTimes] = [{} for _ in groups]
        reads = await together(
            [
                self._searched(request, admission, [pieces[place] for place in group], its)
                for group, its in zip(groups, times, strict=True)
            ]
        )
        note_longest(stage_s, times)

        def in_order(clock: Clock) -> list[Decoded]:
            found = {
                place: one
                for group, read in zip(groups, reads, strict=True)
                for place, one in zip(group, read(clock), strict=True)
            }
            return [found[place] for place in range(len(pieces))]

        return in_order

    def _reranked(self, quality: Quality) -> int:
        """Among how many candidates the other direction chooses; 1 leaves it no choice."""
        return self._candidates if quality is Quality.BEST else 1

    def _collapsed(self, frames: Sequence[SegmentFrames], clock: Clock) -> list[Decoded]:
        hypotheses = self._collapse(frames)
        clock.lap("collapse")
        return list(map(Decoded, hypotheses, frames))

    def _collapse(self, frames: Sequence[SegmentFrames]) -> list[Hypothesis]:
        return collapse_frames(frames, blank_id=self._blank_id)

    def _find(
        self, choices: Sequence[SegmentChoices], pieces: Sequence[Piece], request: Request
    ) -> tuple[list[Candidates], list[Candidates]]:
        """All candidates for each piece, and those to choose among."""
        every, count = self._search_all(choices, pieces, request), self._reranked(request.quality)
        most_read = max(count, _MOST_READ)
        found = []
        for piece, its_choices, one in zip(pieces, choices, every, strict=True):
            is_sound = cache(partial(self._judge.is_sound, piece, its_choices, request.direction))
            count_flaws = cache(partial(self._judge.count_flaws, piece, its_choices, request.direction))
            sound = likeliest_sound(one, count, is_sound, most_read, count_flaws)
            if sound is None:
                (more,) = self._search_all([its_choices], [piece], request, _WIDER)
                sound = likeliest_sound(more, count, is_sound, _WIDER * most_read, count_flaws)
            found.append(sound or likeliest(one, count))
        return every, found

    def _search_all(
        self, choices: Sequence[SegmentChoices], pieces: Sequence[Piece], request: Request, wider: int = 1
    ) -> list[Candidates]:
        sources, fluency = [piece.ids for piece in pieces], self._fluency.get(request.direction)
        beam = wider * self._search.beam
        found = find_candidates(choices, sources, beam=beam, blank_id=self._blank_id, fluency=fluency)
        return [self._judge.compare(piece, one, request.direction) for piece, one in zip(pieces, found, strict=True)]

    async def _ask(
        self, admission: Admission, stage_s: StageTimes, stage: str, work: Work[Row, R], rows: Sequence[Row]
    ) -> tuple[R, ...]:
        """Have the engine do one stage. Waits for it are one figure, `queue`."""
        inferred = await self._batcher.submit(work, rows, admission)
        started = time.perf_counter() - inferred.inference_s
        note_stage("queue", started - inferred.queue_s, inferred.queue_s)
        note_stage(stage, started, inferred.inference_s)
        stage_s["queue"] = stage_s.get("queue", 0.0) + inferred.queue_s
        stage_s[stage] = inferred.inference_s
        return inferred.results
