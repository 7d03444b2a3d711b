"""Batches for training: a token budget each, similar lengths together, the same order every time.

An epoch is drawn, sorted and cut from (seed, epoch) alone, so a run resumes at batch n of epoch e
by building epoch e again and skipping n batches.
"""

from __future__ import annotations

import fnmatch
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch

from model.bundle import BLANK_ID
from model.data.corpus import CorpusError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray
    from torch import Tensor

    from model.config import DataConfig
    from model.data.packed import PackedCorpus, Side

__all__ = ["Batch", "EpochSampler", "Padded", "by_length", "pad"]


@dataclass(frozen=True, slots=True)
class Padded:
    """Sentences of one language: int64 ids [batch, longest], padded on the right, and lengths [batch]."""

    ids: Tensor
    lengths: Tensor

    def to(self, device: torch.device) -> Padded:
        """The same on another device."""
        return Padded(self.ids.to(device, non_blocking=True), self.lengths.to(device, non_blocking=True))


@dataclass(frozen=True, slots=True)
class Batch:
    """The same sentences in both languages."""

    english: Padded
    german: Padded

    def side(self, language: str) -> Padded:
        """The sentences of "en" or "de"."""
        return self.english if language == "en" else self.german

    def to(self, device: torch.device) -> Batch:
        """The same on another device."""
        return Batch(self.english.to(device), self.german.to(device))

    @property
    def real_tokens(self) -> int:
        """Tokens on both sides, padding left out."""
        return int(self.english.lengths.sum() + self.german.lengths.sum())


def pad(sentences: Sequence[NDArray[np.integer] | list[int]]) -> Padded:
    """Stack sentences, padding with the blank."""
    lengths = np.fromiter(map(len, sentences), dtype=np.int64, count=len(sentences))
    ids = np.full((len(sentences), int(lengths.max())), BLANK_ID, dtype=np.int64)
    for row, sentence in enumerate(sentences):
        ids[row, : len(sentence)] = sentence
    return Padded(torch.from_numpy(ids), torch.from_numpy(lengths))


def by_length(lengths: Sequence[int], budget: int) -> list[list[int]]:
    """Group indices of similar lengths so that rows x longest stays within a budget; empty rows are left out."""
    groups: list[list[int]] = []
    for index in np.argsort(lengths, kind="stable").tolist():
        if lengths[index] == 0:
            continue
        if groups and (len(groups[-1]) + 1) * lengths[index] <= budget:
            groups[-1].append(index)
        else:
            groups.append([index])
    return groups


class EpochSampler:
    """Draws epochs from a packed corpus.

    Args:
        corpus: the pairs.
        data: weights by source and the longest side, in tokens.
        batch_tokens: padded tokens of both sides together in a batch, at most.
        upsampling: frames per source token; pairs that no alignment fits in both directions are
            left out.
        seed: with the epoch's number it fixes everything.

    Raises:
        CorpusError: a weight names a source that is not there, or no pair is left.
    """

    def __init__(
        self, corpus: PackedCorpus, data: DataConfig, *, batch_tokens: int, upsampling: int, seed: int
    ) -> None:
        self.corpus = corpus
        self.batch_tokens = batch_tokens
        self.seed = seed
        self._lengths = np.stack([corpus.english.lengths, corpus.german.lengths], axis=1)
        if idle := [pattern for pattern in data.weights if not fnmatch.filter(corpus.source_names, pattern)]:
            msg = f"data.weights names sources that {corpus.path} does not hold: {sorted(idle)}"
            raise CorpusError(msg)
        by_source = np.array([data.weight(name) for name in corpus.source_names])
        longest = min(data.max_tokens, batch_tokens // 2)
        usable = (self._lengths.min(axis=1) > 0) & (self._lengths.max(axis=1) <= longest)
        usable &= _fits(corpus.english, corpus.german.lengths, upsampling)
        usable &= _fits(corpus.german, corpus.english.lengths, upsampling)
        self._weights = np.where(usable, by_source[corpus.sources], 0.0)
        if not self._weights.any():
            msg = f"no pair of {corpus.path} is usable: check data.weights and data.max_tokens"
            raise CorpusError(msg)

    @property
    def expected_pairs(self) -> float:
        """Pairs in an epoch, on average."""
        return float(self._weights.sum())

    def epoch(self, number: int) -> list[NDArray[np.int64]]:
        """The batches of an epoch, each an array of pair indices.

        A weight's whole part repeats a pair; its fraction is the chance of one more time.
        """
        rng = np.random.default_rng([self.seed, number])
        whole = np.floor(self._weights)
        times = (whole + (rng.random(len(self._weights)) < self._weights - whole)).astype(np.int64)
        chosen = np.repeat(np.arange(len(times)), times)
        rng.shuffle(chosen)
        english, german = self._lengths[chosen, 0], self._lengths[chosen, 1]
        # sorted by the longer side, then by the other: little padding on either
        order = np.lexsort((english - german, np.maximum(english, german)))
        batches = self._cut(chosen[order])
        return [batches[index] for index in rng.permutation(len(batches))]

    def load(self, indices: NDArray[np.int64]) -> Batch:
        """Read the pairs of a batch."""
        return Batch(
            pad([self.corpus.english[int(index)] for index in indices]),
            pad([self.corpus.german[int(index)] for index in indices]),
        )

    def _cut(self, ordered: NDArray[np.int64]) -> list[NDArray[np.int64]]:
        batches = []
        start = 0
        widest = np.zeros(2, dtype=np.int64)
        lengths = self._lengths[ordered]
        for position in range(len(ordered)):
            wider = np.maximum(widest, lengths[position])
            if (position + 1 - start) * int(wider.sum()) > self.batch_tokens and position > start:
                batches.append(ordered[start:position])
                start, wider = position, lengths[position]
            widest = wider
        batches.append(ordered[start:])
        return batches

    def batches(self, epoch: int, *, skip: int = 0, rank: int = 0, size: int = 1) -> Iterator[Batch]:
        """The loaded batches of an epoch for one of `size` processes, from its number `skip` on.

        Every process gets equally many; what does not divide is left out of this epoch.

        Raises:
            CorpusError: fewer batches than processes.
        """
        order = self.epoch(epoch)
        share = order[: len(order) // size * size][rank::size]
        if not share:
            msg = f"an epoch has {len(order)} batches, too few for {size} processes"
            raise CorpusError(msg)
        for indices in share[skip:]:
            yield self.load(indices)


def _fits(targets: Side, source_lengths: NDArray[np.int64], upsampling: int) -> NDArray[np.bool_]:
    """Whether each target has an alignment: a frame per token and a blank between equal neighbours."""
    equal = np.zeros(len(targets.ids), dtype=np.int64)
    equal[1:] = targets.ids[1:] == targets.ids[:-1]
    starts = targets.offsets[:-1]
    equal[starts[starts < len(equal)]] = 0
    running = np.concatenate([[0], np.cumsum(equal)])
    repeats = running[targets.offsets[1:]] - running[targets.offsets[:-1]]
    fits: NDArray[np.bool_] = targets.lengths + repeats <= upsampling * source_lengths
    return fits
