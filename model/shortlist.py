"""Which tokens of a corpus become which: the shortlists of a bundle (decision 0029).

The pairs are aligned token by token, both ways. A token of the source speaks for those that it is linked with most
often; the commonest of the target may stand in any translation. Which these are is told by all of the text, of which
sources may count more or less: *Did* and *Does* are rare in manuals.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any

import numpy as np

from model.bundle import BLANK_ID, DIRECTIONS, Shortlist, shortlist_file
from model.config import EQUAL
from model.data.corpus import CorpusError
from model.descriptions import SHORTLISTS, VOCABULARY, write_description
from model.word_alignment import align_words

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from model.config import SourceWeights
    from model.data.packed import PackedCorpus, Side

__all__ = ["chosen_tokens", "write_shortlists"]

_PAIRS_OF_A_SOURCE = 25_000
"""At most. With a million pairs, others add little."""

_LONGEST = 64
"""Tokens of a sentence; those of longer ones are linked worse."""

_COMMON_SHARE = 1 / 16
"""Of the vocabulary, that may stand in any translation."""

_MOST_SHARE = 1 / 160
"""Of the vocabulary, that one token speaks for beside those: of a comma, more are chance."""

_LEAST_LINKS = 2


def write_shortlists(
    corpus: PackedCorpus,
    output: Path,
    *,
    excluded_sources: Sequence[str] = (),
    weights: SourceWeights = EQUAL,
) -> dict[str, int]:
    """Write the shortlists of both directions to a folder, and a description.

    Args:
        corpus: of each source a random part is aligned, if it is large.
        output: the folder.
        excluded_sources: patterns; sources whose name matches are left out.
        weights: how much a sentence of each source counts where common tokens are told.

    Returns:
        How many pairs of tokens each direction has.

    Raises:
        CorpusError: nothing is left to align, or a pattern, or a weight, matches no source.
        ImportError: eflomal is not installed.
    """
    corpus.check_named("weights", weights.weights)
    sources = corpus.sources_without(excluded_sources)
    chosen = corpus.sample(sources, _PAIRS_OF_A_SOURCE)
    lengths = np.stack([corpus.english.lengths[chosen], corpus.german.lengths[chosen]])
    chosen = chosen[((lengths > 0) & (lengths <= _LONGEST)).all(axis=0)]
    if not len(chosen):
        msg = f"{corpus.path} has no pairs of at most {_LONGEST} tokens a side"
        raise CorpusError(msg)
    english, german = corpus.english.rows(chosen), corpus.german.rows(chosen)
    size = corpus.tokenizer().vocabulary_size
    pairs, counts = _links(english, german, size)
    counted = np.zeros(len(corpus.source_names))
    counted[sources] = [weights.weight(corpus.source_names[source]) for source in sources]
    by_pair = counted[corpus.sources]
    output.mkdir(parents=True, exist_ok=True)
    sizes = {}
    for direction in DIRECTIONS:
        ours, theirs = pairs if direction.source == "en" else pairs[::-1]
        target = corpus.side(direction.target)
        uses = np.bincount(target.ids, weights=np.repeat(by_pair, target.lengths), minlength=size)
        shortlist = chosen_tokens(ours, theirs, counts, uses)
        shortlist.save(output / shortlist_file(direction))
        sizes[str(direction)] = len(shortlist.tokens)
    names = [corpus.source_names[source] for source in sources]
    description = {VOCABULARY: corpus.tokenizer().digest, "pairs": len(chosen), "tokens": sizes, "sources": names}
    write_description(output / SHORTLISTS, description)
    return sizes


def _links(english: Side, german: Side, vocabulary_size: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Align all sentences.

    Returns:
        The pairs of tokens that are linked, int64 [2, pairs], and how often each is, both ways together.
    """
    sides = [side.offsets[:-1].tolist() for side in (english, german)]
    texts = ([" ".join(map(str, side[n].tolist())) for n in range(len(side.lengths))] for side in (english, german))
    places = array("q")
    for start, other_start, both in zip(*sides, align_words(*texts), strict=True):
        for one_way in both:
            for ours, theirs in one_way:
                places.extend((start + ours, other_start + theirs))
    first, second = np.frombuffer(places, np.int64).reshape(-1, 2).T
    keys = english.ids[first].astype(np.int64) * vocabulary_size + german.ids[second]
    found, counts = np.unique(keys, return_counts=True)
    return np.stack(np.divmod(found, vocabulary_size)), counts


def chosen_tokens(
    sources: NDArray[np.int64], targets: NDArray[np.int64], counts: NDArray[np.int64], uses: NDArray[Any]
) -> Shortlist:
    """Of all links those that a shortlist has.

    Args:
        sources: tokens of the source.
        targets: those of the target that they are linked with; no pair is there twice.
        counts: how often each pair is linked.
        uses: how often each token of the vocabulary is in a target.
    """
    vocabulary_size = len(uses)
    uses = uses.astype(np.float64)
    uses[BLANK_ID] = np.inf
    common = np.argsort(-uses, kind="stable")[: round(vocabulary_size * _COMMON_SHARE)]
    kept = np.flatnonzero((counts >= _LEAST_LINKS) & (sources != targets) & ~np.isin(targets, common))
    kept = kept[np.lexsort((-counts[kept], sources[kept]))]  # of each source the most often linked first
    firsts = np.searchsorted(sources[kept], sources[kept])
    kept = kept[np.arange(len(kept)) - firsts < vocabulary_size * _MOST_SHARE]
    return Shortlist.of(common, sources[kept], targets[kept], vocabulary_size)
