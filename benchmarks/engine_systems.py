"""The systems that `engine` compares, each behind the same two questions: one sentence, or many."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import ceil
from typing import TYPE_CHECKING, Any

import ctranslate2

from benchmarks.planned import on_lanes, padded_batches
from benchmarks.random_transformer import token_name
from model.bundle import BLANK_ID, EN_DE, collapse
from service.engine.cores import usable_cores
from service.types import Batch

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from benchmarks.sentences import Parallel
    from service.engine.protocol import Engine
    from service.pipeline.batching.planning import BatchBudget

__all__ = [
    "RederSystem",
    "Threads",
    "TransformerSystem",
    "Written",
    "open_translator",
    "thread_settings",
]


@dataclass(frozen=True, slots=True)
class Threads:
    """How CTranslate2 uses the cores: batches at the same time, and threads of each."""

    inter: int
    intra: int

    def __str__(self) -> str:
        """As it stands in the results."""
        return f"inter {self.inter} intra {self.intra}"


@dataclass(frozen=True, slots=True)
class Written:
    """What came of some sentences: how many, in how many batches, and tokens written in all."""

    sentences: int
    batches: int
    tokens: int


class RederSystem:
    """The service's engine and the service's planner, from token ids to token ids, English to German.

    Args:
        engine: of a bundle.
        budget: of one batch.
        lookahead: how many waiting sentences one plan considers.
    """

    def __init__(self, engine: Engine, budget: BatchBudget, lookahead: int) -> None:
        self._engine = engine
        self._budget = budget
        self._lookahead = lookahead

    def one(self, pair: Parallel) -> Written:
        """A batch of one sentence."""
        return Written(1, 1, _run(self._engine, Batch.pad([pair.source])))

    def many(self, pairs: Sequence[Parallel]) -> Written:
        """All at hand from the start, as behind a full queue."""
        tokens = on_lanes(
            self._engine, _run, padded_batches([pair.source for pair in pairs], self._budget, self._lookahead)
        )
        return Written(len(pairs), len(tokens), sum(tokens))


def _run(engine: Engine, batch: Batch) -> int:
    """Tokens written."""
    frames = engine.infer(EN_DE, batch)
    collapsed = collapse(frames.ids, frames.log_probs, frames.lengths, blank_id=BLANK_ID)
    return sum(len(one.ids) for one in collapsed)


class TransformerSystem:
    """CTranslate2 on an int8 Transformer, made to write as many tokens as people did.

    Random weights end a sentence at random, so the length is forced. A batch has one length in
    CTranslate2: the mean of its sentences' own, rounded up. It writes as many tokens as with their
    own lengths, but is spared the last steps, in which a few long sentences would run alone. The
    final step, which writes the end of the sentence, is left out as well. Both favour CTranslate2.

    Args:
        translator: the model, opened.
        beam: 1 is greedy.
        max_batch_size: limit of a batch.
        batch_type: what it counts, ``examples`` or ``tokens``.
        listed: whether to choose tokens from shortlists, of which the model must have been written with one.
    """

    def __init__(
        self,
        translator: ctranslate2.Translator,
        beam: int,
        max_batch_size: int,
        batch_type: str,
        *,
        listed: bool = False,
    ) -> None:
        self._translator = translator
        self._beam = beam
        self._max_batch_size = max_batch_size
        self._batch_type = batch_type
        self._listed = listed

    def one(self, pair: Parallel) -> Written:
        """A batch of one sentence."""
        return self._collect([self._start([pair])])

    def many(self, pairs: Sequence[Parallel]) -> Written:
        """All at hand from the start: sorted by length and cut into batches, as `translate_batch` does it by itself.

        It is done here because each batch has a forced length of its own. All batches are handed
        over before the first is waited for, so that several can run at the same time.
        """
        return self._collect([self._start(batch) for batch in self._batches(pairs)])

    def _batches(self, pairs: Sequence[Parallel]) -> Iterator[list[Parallel]]:
        """The longest first; a batch ends before padding takes it over its limit."""
        batch: list[Parallel] = []
        for pair in sorted(pairs, key=lambda pair: len(pair.source), reverse=True):
            per_sentence = len((batch or [pair])[0].source) if self._batch_type == "tokens" else 1
            if batch and (len(batch) + 1) * per_sentence > self._max_batch_size:
                yield batch
                batch = []
            batch.append(pair)
        yield batch

    def _start(self, batch: list[Parallel]) -> list[Any]:
        length = ceil(sum(pair.target_tokens for pair in batch) / len(batch))
        started: list[Any] = self._translator.translate_batch(
            [[token_name(token) for token in pair.source] for pair in batch],
            beam_size=self._beam,
            min_decoding_length=length,
            max_decoding_length=length,
            use_vmap=self._listed,
            asynchronous=True,
        )
        return started

    def _collect(self, batches: list[list[Any]]) -> Written:
        lengths = [len(waiting.result().hypotheses[0]) for batch in batches for waiting in batch]
        return Written(len(lengths), len(batches), sum(lengths))


@cache
def open_translator(folder: Path, threads: Threads) -> ctranslate2.Translator:
    """A model of CTranslate2; asked for again, the same one."""
    return ctranslate2.Translator(
        str(folder), compute_type="int8", inter_threads=threads.inter, intra_threads=threads.intra
    )


def thread_settings(cores: int | None = None) -> list[Threads]:
    """One thread; all cores on one batch; as many batches as cores."""
    count = cores or usable_cores()
    return list(dict.fromkeys([Threads(1, 1), Threads(1, count), Threads(count, 1)]))
