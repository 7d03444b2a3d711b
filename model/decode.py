"""From frames to text: greedy decoding (REDER section 2.2), and beam search with duplex reranking.

In duplex reranking a candidate is good if it is probable given the source, and if the source is
probable given it. Usually a second network, or a teacher, supplies the latter; here it is the same
weights, run backwards.

Used to validate, to distil and to compare with exported graphs; the service has its own path.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from model.bundle import BLANK_ID, Task, collapse, log_likelihood, prefix_beam_search
from model.data.batches import by_length, pad

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from model.bundle import Candidate, Direction, Fluency, SearchSettings, Tokenizer
    from model.data.batches import Padded

__all__ = [
    "NO_FLUENCY",
    "Rescorer",
    "Runner",
    "find_candidates",
    "first",
    "rerank",
    "reverse_scores",
    "search_frames",
    "translate",
    "translate_all",
    "translate_batches",
    "translate_best",
    "translate_qualities",
]

NO_FLUENCY: Mapping[Direction, Fluency] = MappingProxyType({})
"""Search by the network alone."""

_QUALITIES = ("fast", "good", "best")


class Runner(Protocol):
    """Runs a network, or the graphs made of it."""

    upsampling: int
    max_source_tokens: int
    batch_tokens: int
    """Padded source tokens that are best run at once."""

    def run(self, task: Task, direction: Direction, *sides: Padded) -> tuple[NDArray[Any], NDArray[Any]]:
        """The task's outputs, as in `bundle.contract`, for a batch: the source, and to score the target too."""
        ...


@dataclass(frozen=True, slots=True)
class Rescorer:
    """Another network's opinion of candidates: log p(target | source) of each pair of token ids, and its weight."""

    log_probs: Callable[[Direction, list[list[int]], list[list[int]]], list[float]]
    weight: float


def translate(runner: Runner, tokenizer: Tokenizer, direction: Direction, texts: Sequence[str]) -> list[str]:
    """Greedy translations, in order. Text past the longest source the network takes is left out."""

    def best(sources: list[list[int]]) -> list[list[list[int]]]:
        source = pad(sources)
        ids, log_probs = runner.run(Task.GREEDY, direction, source)
        collapsed = collapse(ids, log_probs, source.lengths.numpy() * runner.upsampling, blank_id=BLANK_ID)
        return [[result.ids] for result in collapsed]

    longest, budget = runner.max_source_tokens, runner.batch_tokens
    return first(translate_batches(tokenizer, texts, best, longest=longest, budget=budget))


def translate_best(
    runner: Runner,
    tokenizer: Tokenizer,
    direction: Direction,
    texts: Sequence[str],
    settings: SearchSettings,
    fluency: Mapping[Direction, Fluency] = NO_FLUENCY,
) -> list[str]:
    """The best translations that search and reranking find, in order. Too long text is cut as above."""
    return first(translate_all(runner, tokenizer, direction, texts, settings, fluency))


def translate_all(
    runner: Runner,
    tokenizer: Tokenizer,
    direction: Direction,
    texts: Sequence[str],
    settings: SearchSettings,
    fluency: Mapping[Direction, Fluency] = NO_FLUENCY,
    teacher: Rescorer | None = None,
) -> list[list[str]]:
    """For each text the candidates that the search finds, in the order of the reranking.

    Args:
        runner: the network.
        tokenizer: its vocabulary.
        direction: which way.
        texts: what to translate.
        settings: how hard to search.
        fluency: language models, by the direction whose translations they judge.
        teacher: has its say when candidates are reranked.
    """

    def ranked(sources: list[list[int]]) -> list[list[tuple[int, ...]]]:
        found = find_candidates(runner, direction, sources, settings, fluency.get(direction))
        order = rerank(runner, direction, sources, found, settings.reverse_weight, teacher)
        return [[candidate.ids for candidate in candidates] for candidates in order]

    return translate_batches(tokenizer, texts, ranked, longest=runner.max_source_tokens, budget=runner.batch_tokens)


def translate_qualities(
    runner: Runner,
    tokenizer: Tokenizer,
    direction: Direction,
    texts: Sequence[str],
    settings: SearchSettings,
    fluency: Mapping[Direction, Fluency] = NO_FLUENCY,
) -> dict[str, list[str]]:
    """Translations in quality fast, good and best, of one pass and one search: what each by itself would give.

    A frame's first choice is what greedy decoding takes, and good quality is best before candidates are reranked.
    """

    def each(sources: list[list[int]]) -> list[list[Sequence[int]]]:
        source = pad(sources)
        ids, log_probs = runner.run(Task.SEARCH, direction, source)
        lengths = source.lengths.numpy() * runner.upsampling
        fast = collapse(ids[:, :, 0], log_probs[:, :, 0], lengths, blank_id=BLANK_ID)
        looked = settings.beam, settings.candidates, fluency.get(direction)
        found = search_frames(ids, log_probs, lengths.tolist(), sources, *looked)
        best = rerank(runner, direction, sources, found, settings.reverse_weight)
        return [[a.ids, b[0].ids, c[0].ids] for a, b, c in zip(fast, found, best, strict=True)]

    longest, budget = runner.max_source_tokens, runner.batch_tokens
    every = translate_batches(tokenizer, texts, each, longest=longest, budget=budget)
    # a text without tokens has one translation, which is empty
    return {quality: [one[min(place, len(one) - 1)] for one in every] for place, quality in enumerate(_QUALITIES)}


def first(translations: list[list[str]]) -> list[str]:
    """The best of each."""
    return [candidates[0] for candidates in translations]


def find_candidates(
    runner: Runner,
    direction: Direction,
    sources: list[list[int]],
    settings: SearchSettings,
    fluency: Fluency | None = None,
) -> list[list[Candidate]]:
    """The best candidates of each source of one batch, before reranking."""
    source = pad(sources)
    ids, log_probs = runner.run(Task.SEARCH, direction, source)
    lengths = (source.lengths * runner.upsampling).tolist()
    return search_frames(ids, log_probs, lengths, sources, settings.beam, settings.candidates, fluency)


def search_frames(
    ids: NDArray[Any],
    log_probs: NDArray[Any],
    lengths: Sequence[int],
    sources: Sequence[list[int]],
    beam: int,
    candidates: int,
    fluency: Fluency | None = None,
) -> list[list[Candidate]]:
    """The best candidates of each source, by what the frames of its sentence may be.

    Args:
        ids: int [batch, frames, choices].
        log_probs: of each, float32 [batch, frames, choices].
        lengths: frames of each sentence.
        sources: token ids.
        beam: how many prefixes are kept after each frame.
        candidates: how many are wanted.
        fluency: the language model of the target, and what it counts.
    """
    search = partial(prefix_beam_search, beam=beam, blank_id=BLANK_ID, fluency=fluency)
    return [
        search(ids[row, :frames], log_probs[row, :frames], source=source)[:candidates]
        for row, (frames, source) in enumerate(zip(lengths, sources, strict=True))
    ]


def rerank(
    runner: Runner,
    direction: Direction,
    sources: list[list[int]],
    found: list[list[Candidate]],
    reverse_weight: float,
    teacher: Rescorer | None = None,
) -> list[list[Candidate]]:
    """Each source's candidates by what the search says + `reverse_weight` x log p(source | candidate).

    With a teacher its weighted log p(candidate | source) is added. A candidate without tokens cannot be read
    back and comes last.
    """
    pairs = [(row, place) for row, candidates in enumerate(found) for place, one in enumerate(candidates) if one.ids]
    read = [sources[row] for row, _ in pairs]
    written = [list(found[row][place].ids) for row, place in pairs]
    gains = np.zeros(len(pairs))
    if reverse_weight:
        cut = [ids[: runner.max_source_tokens] for ids in written]
        gains += reverse_weight * np.array(_log_probs(runner, direction.reverse, cut, read))
    if teacher:
        gains += teacher.weight * np.array(teacher.log_probs(direction, read, written))
    totals = [[-np.inf] * len(candidates) for candidates in found]
    for (row, place), gain in zip(pairs, gains.tolist(), strict=True):
        totals[row][place] = found[row][place].total + gain
    return [
        [candidates[place] for place in sorted(range(len(candidates)), key=row_totals.__getitem__, reverse=True)]
        for candidates, row_totals in zip(found, totals, strict=True)
    ]


def reverse_scores(
    runner: Runner, tokenizer: Tokenizer, direction: Direction, texts: Sequence[str], translations: Sequence[str]
) -> list[float]:
    """How well the network reads each translation back, 0 to 1: the geometric mean of its source tokens' probabilities.

    Nothing leads back from an empty translation: 0.
    """
    limit = runner.max_source_tokens
    sources, read = ([ids[:limit] for ids in tokenizer.encode_batch(list(side))] for side in (texts, translations))
    scores = [0.0] * len(sources)
    rows = [row for row in range(len(sources)) if sources[row] and read[row]]
    likelihoods = _log_probs(runner, direction.reverse, [read[row] for row in rows], [sources[row] for row in rows])
    for row, log_prob in zip(rows, likelihoods, strict=True):
        scores[row] = math.exp(min(log_prob / len(sources[row]), 0.0))
    return scores


def _log_probs(runner: Runner, direction: Direction, sources: list[list[int]], targets: list[list[int]]) -> list[float]:
    """Log p(target | source) over all alignments; minus infinity where none fits."""
    results = [-np.inf] * len(sources)
    for rows in by_length([len(source) for source in sources], runner.batch_tokens):
        source, target = pad([sources[row] for row in rows]), pad([targets[row] for row in rows])
        blank, tokens = runner.run(Task.SCORE, direction, source, target)
        lengths = source.lengths.numpy() * runner.upsampling
        likelihoods = log_likelihood(blank, tokens, lengths, target.ids.numpy(), target.lengths.numpy())
        for row, value in zip(rows, likelihoods.tolist(), strict=True):
            results[row] = value
    return results


def translate_batches(
    tokenizer: Tokenizer,
    texts: Sequence[str],
    work: Callable[[list[list[int]]], Sequence[Sequence[Sequence[int]]]],
    *,
    longest: int,
    budget: int,
) -> list[list[str]]:
    """Encode texts, hand them to `work` in batches of similar lengths, decode what it gives, in order.

    Args:
        tokenizer: for both sides.
        texts: one without tokens has one translation, which is empty.
        work: source ids of a batch to target ids of one or more translations a sentence, the best first.
        longest: tokens of a source; what is beyond is left out.
        budget: padded tokens in a batch, at most.
    """
    sources = [ids[:longest] for ids in tokenizer.encode_batch(list(texts))]
    outputs = [[""] for _ in texts]
    for rows in by_length([len(ids) for ids in sources], budget):
        for row, targets in zip(rows, work([sources[row] for row in rows]), strict=True):
            outputs[row] = [tokenizer.decode(target) for target in targets]
    return outputs
