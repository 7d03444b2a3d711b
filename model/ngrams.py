"""Count the n-grams of a corpus and make a language model of them: interpolated modified Kneser-Ney.

Chen and Goodman (1999), section 3: an n-gram's probability is its discounted count, as a share, plus what the discounts
leave times the probability of its last n-1 tokens; and shorter n-grams count by how many different tokens they follow.

Where sentences have weights, an n-gram's count is the sum of those of the sentences that it is in, and a token that it
follows counts by the mean of them. How much is taken off, as a share of the count, goes by the plain count: how far
it can be trusted depends on how often the n-gram was seen, not on where.

Then most n-grams are dropped: those whose loss would hardly show, by how often they occur and how far the probability
of their last n-1 tokens is from their own (Seymore and Rosenfeld 1996).

All n-grams of a length are one sorted array of numbers, so that a corpus of 40 million tokens takes half a minute.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from model.bundle import BLANK_ID, ngrams_file
from model.bundle.fingerprints import table
from model.bundle.language_model import WORD, hashed, id_bits, last, packed, quantised
from model.bundle.lexicon import word_table
from model.config import EQUAL, SourceWeights
from model.data.corpus import CorpusError
from model.descriptions import LANGUAGE_MODELS, VOCABULARY, write_description
from model.words import known_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from model.bundle import LanguageModel
    from model.data.packed import PackedCorpus, Side

__all__ = ["Ngrams", "estimate", "perplexity", "save", "write_language_models"]

_NOTHING = np.zeros(0, np.uint64), np.zeros(0, np.int64), np.zeros(0)


@dataclass(slots=True)
class Ngrams:
    """All n-grams of one length that are kept: packed ids, sorted, with natural logs of probability and backoff."""

    keys: NDArray[np.uint64]
    log_probs: NDArray[np.float64]
    backoffs: NDArray[np.float64]


@dataclass(slots=True)
class _Counted:
    """All n-grams of one length that occur.

    `weights` is how often, each time by the weight of the sentence; `probs` the interpolated probability; `rest` is how
    much is left to shorter n-grams by all that share a context, for each n-gram.
    """

    keys: NDArray[np.uint64]
    weights: NDArray[np.float64]
    probs: NDArray[np.float64]
    rest: NDArray[np.float64]


@dataclass(slots=True)
class _Raw:
    """All n-grams of one length that occur: packed ids, sorted, how often, and the weights of all times together."""

    keys: NDArray[np.uint64]
    counts: NDArray[np.int64]
    weights: NDArray[np.float64]


def write_language_models(
    corpus: PackedCorpus,
    output: Path,
    *,
    order: int,
    threshold: float,
    excluded_sources: Sequence[str] = (),
    weights: SourceWeights = EQUAL,
) -> dict[str, list[int]]:
    """Estimate a model of each language from a packed corpus; write both to a folder, with the words that there are.

    Args:
        corpus: every sentence counts once for each time it is there.
        output: the folder.
        order: as in `estimate`; so is `threshold`.
        threshold: as there.
        excluded_sources: patterns; sources whose name matches are left out.
        weights: how much a sentence of each source counts. Of the words all are kept that occur, whatever their weight.

    Returns:
        For each language how many n-grams of each length were kept.

    Raises:
        CorpusError: no text is left, too little for such a threshold, the n-grams do not fit into 64 bits, or a
            pattern matches no source.
    """
    corpus.check_named("weights", weights.weights)
    by_source = np.array([weights.weight(name) for name in corpus.source_names])
    sources = [source for source in corpus.sources_without(excluded_sources) if by_source[source]]
    chosen = np.isin(corpus.sources, sources)
    tokenizer = corpus.tokenizer()
    output.mkdir(parents=True, exist_ok=True)
    sizes = {}
    words = {}
    for language, side in (("en", corpus.english), ("de", corpus.german)):
        ids, offsets = _only(side, chosen)
        ngrams = estimate(
            ids,
            offsets,
            vocabulary_size=tokenizer.vocabulary_size,
            order=order,
            threshold=threshold,
            weights=by_source[corpus.sources[chosen]],
        )
        known = known_words((ids[start:end].tolist() for start, end in pairwise(offsets.tolist())), tokenizer)
        save(ngrams, output / ngrams_file(language), words=known)
        sizes[language] = [len(entries.keys) for entries in ngrams]
        words[language] = len(known)
    description = {
        VOCABULARY: tokenizer.digest,
        "order": order,
        "threshold": threshold,
        "sentences": int(chosen.sum()),
        "ngrams": sizes,
        "words": words,
        "sources": [corpus.source_names[source] for source in sources],
        "weights": {corpus.source_names[source]: by_source[source] for source in sources},
    }
    write_description(output / LANGUAGE_MODELS, description)
    return sizes


def perplexity(model: LanguageModel, sentences: Iterable[Sequence[int]]) -> float:
    """How many tokens, all as likely as each other, a text would leave the model to choose from at each place.

    The lower, the better the model foresees the text. Sentences are token ids; their ends count as one each.

    Raises:
        ValueError: there is no sentence, or a token is none of the vocabulary.
    """
    total = places = 0.0
    for sentence in sentences:
        total += model.log_prob_of(sentence)
        places += len(sentence) + 1
    if not places:
        msg = "no text to foresee"
        raise ValueError(msg)
    return math.exp(-total / places)


def _only(side: Side, chosen: NDArray[np.bool_]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Flat ids and offsets of the chosen sentences."""
    lengths = side.lengths
    return side.ids[np.repeat(chosen, lengths)], np.concatenate([[0], np.cumsum(lengths[chosen])])


def estimate(
    ids: NDArray[Any],
    offsets: NDArray[np.int64],
    *,
    vocabulary_size: int,
    order: int,
    threshold: float,
    weights: NDArray[np.float64] | None = None,
) -> list[Ngrams]:
    """Count, discount, prune.

    Args:
        ids: flat token ids of all sentences, without blanks.
        offsets: [sentences + 1], where each starts.
        vocabulary_size: ids are below it.
        order: tokens of the longest n-grams, from 2.
        threshold: drop n-grams of two tokens and more whose occurrences, times the gain in log probability over what
            would be said without them, come to no more; 0 drops only what gains nothing.
        weights: [sentences], above 0, how much each counts beside the others; alike if left out.

    Returns:
        N-grams of 1 to `order` tokens. Those of one are complete: all ids, by number.

    Raises:
        CorpusError: there is no text, nothing in it is worth keeping, or such n-grams do not fit into 64 bits.
    """
    bits = id_bits(vocabulary_size)
    if bits * order > WORD:
        msg = f"{order} tokens out of {vocabulary_size:,} do not fit into {WORD} bits: choose a lower order"
        raise CorpusError(msg)
    if not len(ids):
        msg = "no text to count"
        raise CorpusError(msg)
    stream = _with_boundaries(ids, offsets)
    weight_at = _weight_at(offsets, weights)
    raw = [_count(stream, weight_at, length, bits) for length in range(1, order + 1)]
    counted = _interpolated(raw, bits, vocabulary_size)
    kept = _pruned(counted, bits, threshold)
    if not any(len(entries.keys) for entries in kept[1:]):
        msg = f"no n-gram tells enough to be kept with a threshold of {threshold:g}"
        raise CorpusError(msg)
    return _normalised(kept, bits)


def save(ngrams: list[Ngrams], path: Path, *, words: Sequence[str] = ()) -> None:
    """Write what `LanguageModel.open` reads; and if words are given, in lower case, what `Lexicon.open` does."""
    one, *longer = ngrams
    hashes = [hashed(entries.keys, np.array(length, np.uint64)) for length, entries in enumerate(longer, start=2)]
    places, finding = table(np.concatenate(hashes))
    np.savez(
        path,
        allow_pickle=False,
        order=np.array(len(ngrams)),
        probs1=quantised(one.log_probs),
        backoffs1=quantised(one.backoffs),
        probs=quantised(np.concatenate([entries.log_probs for entries in longer])[places]),
        backoffs=quantised(np.concatenate([entries.backoffs for entries in longer])[places]),
        **finding,
        **(word_table(words) if words else {}),
    )


def _with_boundaries(ids: NDArray[Any], offsets: NDArray[np.int64]) -> NDArray[np.uint64]:
    """All sentences in one row, with a blank before, between and after them."""
    sentences = len(offsets) - 1
    stream = np.full(len(ids) + sentences + 1, BLANK_ID, np.uint64)
    is_token = np.ones(len(stream), dtype=bool)
    is_token[offsets + np.arange(sentences + 1)] = False
    stream[is_token] = ids
    return stream


def _weight_at(offsets: NDArray[np.int64], weights: NDArray[np.float64] | None) -> NDArray[np.float64]:
    """For each place of the row of all sentences how much an n-gram counts that ends there: 1 for the mean token."""
    tokens = np.diff(offsets) + 1  # and the end
    of_sentence = np.ones(len(tokens)) if weights is None else weights * tokens.sum() / (weights * tokens).sum()
    return np.concatenate([[0.0], np.repeat(of_sentence, tokens)])  # nothing ends at the very first boundary


def _count(stream: NDArray[np.uint64], weight_at: NDArray[np.float64], length: int, bits: int) -> _Raw:
    """Every n-gram of a length and how often it occurs; none reaches across a boundary."""
    windows = len(stream) - length + 1
    keys, whole = np.zeros(max(windows, 0), np.uint64), weight_at[length - 1 :] > 0
    for place in range(length):
        tokens = stream[place : place + windows]
        keys = packed(keys, tokens, bits)
        if 0 < place < length - 1:
            whole &= tokens != BLANK_ID
    weight_at = weight_at[length - 1 :]
    parts = [_NOTHING]
    for weight in np.unique(weight_at[whole]):  # few: sorting by weight first takes less than carrying them along
        some, counts = _distinct(keys[whole & (weight_at == weight)])
        parts.append((some, counts, counts * weight))
    return _Raw(*_summed(*map(np.concatenate, zip(*parts, strict=True))))


def _distinct(keys: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    keys.sort()
    starts = _starts(keys)
    return keys[starts], np.diff(starts, append=len(keys))


def _summed(keys: NDArray[np.uint64], *values: NDArray[Any]) -> tuple[NDArray[Any], ...]:
    """Each key once, in order, and of each kind of values the sum of those that belong to it."""
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    starts = _starts(keys)
    return keys[starts], *(np.add.reduceat(value[order], starts) for value in values)


def _interpolated(raw: list[_Raw], bits: int, vocabulary_size: int) -> list[_Counted]:
    """The probability of each n-gram that occurs, shortest first."""
    results: list[_Counted] = []
    for length, one in enumerate(raw, start=1):
        keys, counts, weights = one.keys, one.counts, one.weights
        if length < len(raw):
            longer = raw[length]
            mean = longer.weights / longer.counts
            followed, *different = _summed(longer.keys & last(length, bits), np.ones(len(mean), np.int64), mean)
            begins = (keys >> np.uint64(bits * (length - 1)) == BLANK_ID) & (length > 1)
            counts, weights = (
                np.where(begins, values, _looked_up(followed, found, keys, 0))
                for values, found in zip((counts, weights), different, strict=True)
            )
        kept = 1 - _discounts(counts)[np.minimum(counts, 3)] / np.maximum(counts, 1)
        starts, groups = _groups(keys >> np.uint64(bits))
        total = np.add.reduceat(weights, starts)[groups]
        share = weights * kept / np.where(total > 0, total, 1)
        rest = np.maximum(1 - np.add.reduceat(share, starts), 0)[groups]
        if length == 1:
            shorter = np.full(len(keys), 1 / vocabulary_size)
        else:
            below = results[-1]
            shorter = _looked_up(below.keys, below.probs, keys & last(length - 1, bits), 0.0)
        results.append(_Counted(keys, one.weights, share + rest * shorter, rest))
    every = np.arange(vocabulary_size, dtype=np.uint64)
    single = results[0]
    unseen = single.rest[0] / vocabulary_size
    probs = _looked_up(single.keys, single.probs, every, unseen)
    results[0] = _Counted(every, np.ones(len(every)), probs, np.zeros(len(every)))
    return results


def _discounts(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """What is taken from counts of 0, 1, 2 and of 3 or more (Chen and Goodman 1999, equation 17)."""
    once, twice, thrice, four = (max(int((counts == number).sum()), 1) for number in (1, 2, 3, 4))
    share = once / (once + 2 * twice)
    ratios = twice / once, thrice / twice, four / thrice
    taken = [number - (number + 1) * share * ratio for number, ratio in enumerate(ratios, start=1)]
    return np.clip([0.0, *taken], 0.0, [0.0, 0.9, 1.8, 2.7])


def _pruned(counted: list[_Counted], bits: int, threshold: float) -> list[Ngrams]:
    """What is worth keeping, and the contexts of what is kept."""
    kept: list[Ngrams] = []
    contexts = np.zeros(0, np.uint64)
    for length in range(len(counted), 0, -1):
        one = counted[length - 1]
        keep = np.ones(len(one.keys), dtype=bool)
        if length > 1:
            below = counted[length - 2]
            shorter = one.rest * _looked_up(below.keys, below.probs, one.keys & last(length - 1, bits), 0.0)
            with np.errstate(divide="ignore"):
                keep = one.weights * np.log(one.probs / shorter) > threshold
            keep |= _is_in(contexts, one.keys)
        contexts = _distinct(one.keys[keep] >> np.uint64(bits))[0]
        kept.append(Ngrams(one.keys[keep], np.log(one.probs[keep]), np.zeros(int(keep.sum()))))
    return kept[::-1]


def _normalised(ngrams: list[Ngrams], bits: int) -> list[Ngrams]:
    """Give every context the weight by which the probabilities of all tokens after it come to 1."""
    for length in range(2, len(ngrams) + 1):
        longer, contexts = ngrams[length - 1], ngrams[length - 2]
        if not len(longer.keys):
            continue
        shorter = _log_probs(ngrams, longer.keys & last(length - 1, bits), length - 1, bits)
        starts, _ = _groups(longer.keys >> np.uint64(bits))
        own = 1 - np.add.reduceat(np.exp(longer.log_probs), starts)
        others = 1 - np.add.reduceat(np.exp(shorter), starts)
        places = np.searchsorted(contexts.keys, longer.keys[starts] >> np.uint64(bits))
        contexts.backoffs[places] = np.log(np.maximum(own, 1e-6) / np.maximum(others, 1e-6))
    return ngrams


def _log_probs(ngrams: list[Ngrams], keys: NDArray[np.uint64], length: int, bits: int) -> NDArray[np.float64]:
    """What the model so far says of n-grams of `length` tokens."""
    entries = ngrams[length - 1]
    results = _looked_up(entries.keys, entries.log_probs, keys, np.nan)
    left = np.flatnonzero(np.isnan(results))
    if len(left):
        contexts = ngrams[length - 2]
        weights = _looked_up(contexts.keys, contexts.backoffs, keys[left] >> np.uint64(bits), 0.0)
        results[left] = weights + _log_probs(ngrams, keys[left] & last(length - 1, bits), length - 1, bits)
    return results


def _looked_up(
    keys: NDArray[np.uint64], values: NDArray[Any], wanted: NDArray[np.uint64], otherwise: float
) -> NDArray[Any]:
    """The value of each wanted key; `keys` are sorted."""
    if not len(keys):
        return np.full(len(wanted), otherwise)
    places = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[places] == wanted, values[places], otherwise)


def _is_in(keys: NDArray[np.uint64], wanted: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Which of the wanted keys are among sorted ones."""
    return _looked_up(keys, np.ones(len(keys)), wanted, 0.0) > 0


def _groups(contexts: NDArray[np.uint64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where each run of equal contexts starts, and the number of the run that each entry is in."""
    starts = _starts(contexts)
    return starts, np.repeat(np.arange(len(starts)), np.diff(starts, append=len(contexts)))


def _starts(keys: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Where each run of equal keys starts."""
    return np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]])[: len(keys)])
