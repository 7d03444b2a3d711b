"""Learn what pairs of words say for a translation, from candidates of a search (decision 0039).

Of each sentence the search finds several candidates, each with a reward: how close it is to a right translation. The
weights of pairs are to raise the reward that is expected, as in `minimum_risk`; the network stays as it is.
"""

from __future__ import annotations

import os
import random
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from model.bundle import DIRECTIONS, Bundle, WordPairs, word_pairs_file
from model.bundle.word_pairs import STEP, count_words, differences, summed
from model.config import EQUAL
from model.data.batches import by_length
from model.data.corpus import CorpusError
from model.decode import find_candidates
from model.descriptions import WORD_PAIRS, write_description
from model.grammar.drawing import Draw
from model.grammar.reading import read_lexicon
from model.grammar.sentences import draw_sentences
from model.onnx_runner import GraphRunner
from model.processes import workers
from model.sentence_scores import closeness, sentence_chrf

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from model.bundle import Direction
    from model.config import SourceWeights
    from model.data.packed import PackedCorpus

__all__ = ["Found", "learn", "rewarded", "write_word_pairs"]

_CANDIDATES = 10
_SHORTEST, _LONGEST = 4, 64
"""Tokens of a sentence that people wrote."""
_SEED = 1

_SIZE = 1 << 20
_EPOCHS = 3
_RATE = 0.15
_CAUTION = 0.1
"""What squared gradients begin with, of which steps are divided by the root (AdaGrad): what is rare learns little."""
_BY_PEOPLE = 3.0
"""What a sentence that people wrote counts for, beside one of the grammar."""
_SHARE = 0.5
"""Of what was learned: text by people loses by all of it."""
_LEAST, _LIMIT = 3, np.iinfo(np.int8).max
"""Steps of a weight: with less it says nothing, and files are a quarter of the size."""
_MOST_PER_WORD, _HALVINGS = 2.0, 12
"""Where what a word is worth is looked for, and how often that is halved."""


@dataclass(frozen=True, slots=True)
class Found:
    """Candidates for a sentence, what the search compares them by, their rewards, 0 to 1, and who wrote it."""

    source: str
    texts: list[str]
    totals: NDArray[np.float32]
    rewards: NDArray[np.float32]
    by_people: bool


class _Sentence(NamedTuple):
    """A sentence, its translations, and whether people wrote it."""

    source: str
    right: Sequence[str]
    by_people: bool


def write_word_pairs(
    bundle: Bundle,
    corpus: PackedCorpus,
    output: Path,
    *,
    sentences: int,
    pairs: int,
    weights: SourceWeights = EQUAL,
) -> dict[str, int]:
    """Write the weights of directions to a folder, and a description; each direction in a process of its own.

    Args:
        bundle: whose int8 graphs and language models search.
        corpus: text by people.
        output: the folder.
        sentences: how many a grammar draws, without every sixth noun and verb: what was learned is measured on those.
        pairs: how many of the corpus are drawn.
        weights: how often a sentence of each source is drawn.

    Returns:
        From how many sentences, with two candidates at least, each direction has learned.

    Raises:
        CorpusError: the corpus has too few sentences, or a weight matches no source.
        BundleError: the bundle cannot be read.
    """
    corpus.check_named("weights", weights.weights)
    drawn = _draw(corpus, pairs, weights)
    tokenizer = corpus.tokenizer()
    english, german = ([tokenizer.decode(corpus.side(one)[row].tolist()) for row in drawn] for one in ("en", "de"))
    plain = [*draw_sentences(Draw(read_lexicon().restricted("most"), _SEED), sentences)]
    output.mkdir(parents=True, exist_ok=True)
    learned = {}
    with workers(len(DIRECTIONS)) as processes:
        started = {}
        for direction in DIRECTIONS:
            ways = (direction.english_first(*one) for one in plain)
            pairs_of_text = zip(*direction.english_first(english, german), strict=True)
            rows = [
                *(_Sentence(ours[0], theirs, by_people=False) for ours, theirs in ways),
                *(_Sentence(source, [target], by_people=True) for source, target in pairs_of_text),
            ]
            started[direction] = processes.submit(_learned, bundle.path, direction, rows)
        for direction, process in started.items():
            word_pairs, learned[str(direction)] = process.result()
            word_pairs.save(output / word_pairs_file(direction))
    names = sorted({corpus.source_names[source] for source in corpus.sources[drawn]})
    description = {"sentences": learned, "network": bundle.path.resolve().name, "sources": names}
    write_description(output / WORD_PAIRS, description)
    return learned


def rewarded(source: str, right: Collection[str], candidates: Sequence[tuple[str, float]], *, by_people: bool) -> Found:
    """Candidates with their rewards.

    Args:
        source: the sentence.
        right: its translations, one at least.
        candidates: text and total of each.
        by_people: whether others may be right, too. If not, half of the reward is for being one of them; the other
            half, or else all of it, is the mean of BLEU and chrF against the one closest to the first candidate.
    """
    texts = [text for text, _ in candidates]
    closest = max(right, key=lambda one: sentence_chrf(texts[:1], one))
    rewards = closeness(texts, closest)
    if not by_people:
        rewards = [(reward + (text in right)) / 2 for reward, text in zip(rewards, texts, strict=True)]
    totals = np.array([total for _, total in candidates], np.float32)
    return Found(source, texts, totals, np.array(rewards, np.float32), by_people=by_people)


def learn(lists: Sequence[Found]) -> WordPairs:
    """Weights of pairs, by stochastic gradient on the expected reward: `_SHARE` of their mean over all updates.

    Small ones are left out, and a word is worth what keeps translations of text by people as long as they were.
    """
    weights, squares = np.zeros(_SIZE, np.float32), np.full(_SIZE, _CAUTION, np.float32)
    missed = np.zeros(_SIZE)  # what the mean lacks of the weights: each step counts only for the updates after it
    update = 0
    order, shuffle = list(lists), random.Random(_SEED).shuffle
    for _ in range(_EPOCHS):
        shuffle(order)
        for one in order:
            between = differences(one.source, one.texts, _SIZE)
            totals = one.totals + summed(between, weights)
            chances = np.exp(totals - totals.max())
            chances /= chances.sum()
            gradient = chances * (one.rewards - (chances * one.rewards).sum()) * (_BY_PEOPLE if one.by_people else 1)
            for places, shares in between:
                slope = np.broadcast_to(gradient @ shares, places.shape)
                squares[places] += slope**2
                step = _RATE * slope / np.sqrt(squares[places])
                weights[places] += step
                missed[places] += update * step
            update += 1
    mean = weights - missed / max(update, 1)
    steps = np.clip(np.round(_SHARE * mean / STEP), -_LIMIT, _LIMIT)
    word_pairs = WordPairs(np.where(np.abs(steps) < _LEAST, 0, steps).astype(np.int8))
    return replace(word_pairs, per_word=_kept_length(word_pairs, [one for one in lists if one.by_people]))


def _kept_length(word_pairs: WordPairs, lists: Sequence[Found]) -> float:
    """What a word is worth, for those that come first to have as many words as those that the search had first."""
    words = [np.array([count_words(text) for text in one.texts]) for one in lists]
    totals = [one.totals + np.array(word_pairs.gains(one.source, one.texts), np.float32) for one in lists]
    wanted = sum(int(its[one.totals.argmax()]) for one, its in zip(lists, words, strict=True))
    low, high = 0.0, _MOST_PER_WORD
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        chosen = sum(int(its[(total + middle * its).argmax()]) for total, its in zip(totals, words, strict=True))
        low, high = (middle, high) if chosen < wanted else (low, middle)
    return low


def _learned(folder: Path, direction: Direction, sentences: Sequence[_Sentence]) -> tuple[WordPairs, int]:
    """What a direction learns, and from how many sentences."""
    lists = [*_search(Bundle.open(folder, verify=False), direction, sentences)]
    return learn(lists), len(lists)


def _draw(corpus: PackedCorpus, most: int, weights: SourceWeights) -> NDArray[np.int64]:
    """The numbers of pairs of fitting lengths, drawn by the weights of their sources."""
    lengths = np.stack([corpus.english.lengths, corpus.german.lengths])
    fitting = ((lengths >= _SHORTEST) & (lengths <= _LONGEST)).all(axis=0)
    by_source = np.array([weights.weight(name) for name in corpus.source_names])
    chances = by_source[corpus.sources] * fitting
    if np.count_nonzero(chances) < most:
        msg = f"{corpus.path} has no {most} pairs of {_SHORTEST} to {_LONGEST} tokens a side"
        raise CorpusError(msg)
    return np.sort(np.random.default_rng(_SEED).choice(len(corpus), most, replace=False, p=chances / chances.sum()))


def _search(bundle: Bundle, direction: Direction, sentences: Sequence[_Sentence]) -> Iterator[Found]:
    """Candidates for each sentence, with rewards, if there are two at least."""
    threads = max(1, (os.cpu_count() or 1) // len(DIRECTIONS))
    runner, fluency = GraphRunner(bundle, "int8", threads=threads), bundle.fluency().get(direction)
    settings = replace(bundle.manifest.search, candidates=_CANDIDATES)
    decode, longest = bundle.tokenizer.decode, runner.max_source_tokens
    sources = [ids[:longest] for ids in bundle.tokenizer.encode_batch([one.source for one in sentences])]
    for batch in by_length([len(ids) for ids in sources], runner.batch_tokens):
        found = find_candidates(runner, direction, [sources[row] for row in batch], settings, fluency)
        for row, candidates in zip(batch, found, strict=True):
            read = [(decode(list(one.ids)), one.total) for one in candidates if one.ids]
            if len(read) > 1:
                source, right, by_people = sentences[row]
                yield rewarded(source, right, read, by_people=by_people)
