"""Batches for training: a token budget each, similar lengths together, the same order every time.

An epoch is drawn, sorted and cut from (seed, epoch) alone, so a run resumes at batch n of epoch e
by building epoch e again and skipping n batches.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from model.bundle import BLANK_ID, DIRECTIONS
from model.data.corpus import CorpusError
from model.data.packed import Side

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray
    from torch import Tensor

    from model.bundle import Direction
    from model.config import DataConfig
    from model.data.packed import PackedCorpus

__all__ = ["Batch", "EpochSampler", "Padded", "by_length", "pad", "within"]


@dataclass(frozen=True, slots=True)
class Padded:
    """Sentences of one language: int64 ids [batch, longest], padded on the right, and lengths [batch]."""

    ids: Tensor
    lengths: Tensor

    @classmethod
    def of(cls, side: Side) -> Padded:
        """All sentences of a side, without a step of Python for each."""
        lengths = side.lengths
        ids = np.full((len(lengths), int(lengths.max())), BLANK_ID, dtype=np.int64)
        ids[np.arange(ids.shape[1]) < lengths[:, None]] = side.ids
        return cls(torch.from_numpy(ids), torch.from_numpy(lengths))

    @property
    def real(self) -> Tensor:
        """Which ids are no padding, bool [batch, longest]."""
        return within(self.lengths, self.ids.shape[1])

    def rows(self, chosen: Tensor) -> Padded:
        """Some rows, by a mask or their numbers, without the padding that none of them needs."""
        lengths = self.lengths[chosen]
        return Padded(self.ids[chosen, : int(lengths.max()) if len(lengths) else 0], lengths)

    def to(self, device: torch.device) -> Padded:
        """The same on another device."""
        return Padded(self.ids.to(device, non_blocking=True), self.lengths.to(device, non_blocking=True))


@dataclass(frozen=True, slots=True)
class Batch:
    """The same sentences in both languages. `taught`, bool [batch], by target language: which rows teach it."""

    english: Padded
    german: Padded
    taught: dict[str, Tensor] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.english.lengths)

    def side(self, language: str) -> Padded:
        """The sentences of "en" or "de"."""
        return self.english if language == "en" else self.german

    def teaching(self, direction: Direction) -> Batch:
        """The rows that a direction learns from; none is possible."""
        chosen = self.taught.get(direction.target)
        if chosen is None or bool(chosen.all()):
            return self
        return Batch(self.english.rows(chosen), self.german.rows(chosen))

    def split(self, budget: int | None) -> list[Batch]:
        """Parts of neighbouring rows, of about `budget` padded tokens of both sides each; `taught` is left behind."""
        if not len(self):
            return []
        padded = self.english.ids.numel() + self.german.ids.numel()
        parts = 1 if budget is None else min(len(self), -(-padded // budget))
        if parts == 1:
            return [self]
        rows = torch.arange(len(self)).tensor_split(parts)
        return [Batch(self.english.rows(some), self.german.rows(some)) for some in rows]

    def to(self, device: torch.device) -> Batch:
        """The same on another device; `taught` is left behind."""
        return Batch(self.english.to(device), self.german.to(device))


def within(lengths: Tensor, longest: int) -> Tensor:
    """Which places of padded rows are not past the end, bool [batch, longest]; `lengths` is int64 [batch]."""
    return torch.arange(longest, device=lengths.device) < lengths.unsqueeze(1)


def pad(sentences: Sequence[Sequence[int] | NDArray[Any]]) -> Padded:
    """Stack sentences, padding with the blank."""
    return Padded.of(Side.of(sentences, np.int64))


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
        upsampling: frames per source token; pairs that no alignment fits in a direction that they
            teach are left out.
        seed: with the epoch's number it fixes everything.
        directions: those that are trained.

    Raises:
        CorpusError: a weight or `one_way` names a source that is not there, or no pair is left.
    """

    def __init__(
        self,
        corpus: PackedCorpus,
        data: DataConfig,
        *,
        batch_tokens: int,
        upsampling: int,
        seed: int,
        directions: Sequence[Direction] = DIRECTIONS,
    ) -> None:
        self.corpus = corpus
        self.batch_tokens = batch_tokens
        self.seed = seed
        self._lengths = np.stack([corpus.english.lengths, corpus.german.lengths], axis=1)
        corpus.check_named("data.weights", data.weights)
        corpus.check_named("data.one_way", data.one_way)
        by_source = np.array([data.weight(name) for name in corpus.source_names])
        longest = min(data.max_tokens, batch_tokens // 2)
        usable = (self._lengths.min(axis=1) > 0) & (self._lengths.max(axis=1) <= longest)
        self._taught: dict[str, NDArray[np.bool_]] = {}
        for direction in directions:
            of_source = np.array([data.way(name) in {None, str(direction)} for name in corpus.source_names])
            taught = of_source[corpus.sources]
            target, source = corpus.side(direction.target), corpus.side(direction.source)
            usable &= _fits(target, source.lengths, upsampling) | ~taught
            self._taught[direction.target] = taught
        usable &= np.logical_or.reduce(list(self._taught.values()))
        self._weights = np.where(usable, by_source[corpus.sources], 0.0)
        if not self._weights.any():
            msg = (
                f"no pair of {corpus.path} is usable: check data.weights and data.one_way, and whether any has at most "
                f"{longest} tokens a side (data.max_tokens, model.max_source_tokens, half of train.batch_tokens)"
            )
            raise CorpusError(msg)

    @property
    def expected_pairs(self) -> float:
        """Pairs in an epoch, on average."""
        return float(self._weights.sum())

    def epoch(self, number: int) -> list[NDArray[np.int64]]:
        """The batches of an epoch, each an array of pair indices.

        A weight's whole part repeats a pair; its fraction is the chance of one more time.

        Raises:
            CorpusError: none is drawn.
        """
        rng = np.random.default_rng([self.seed, number])
        whole = np.floor(self._weights)
        times = (whole + (rng.random(len(self._weights)) < self._weights - whole)).astype(np.int64)
        chosen = np.repeat(np.arange(len(times)), times)
        if not len(chosen):
            expected = f"which has {self.expected_pairs:.2g} on average"
            msg = f"no pair was drawn for an epoch, {expected}: raise data.weights or data.default_weight"
            raise CorpusError(msg)
        rng.shuffle(chosen)
        english, german = self._lengths[chosen, 0], self._lengths[chosen, 1]
        # sorted by the longer side, then by the other: little padding on either
        order = np.lexsort((english - german, np.maximum(english, german)))
        batches = self._cut(chosen[order])
        return [batches[index] for index in rng.permutation(len(batches))]

    def load(self, indices: NDArray[np.int64]) -> Batch:
        """Read the pairs of a batch."""
        return Batch(
            Padded.of(self.corpus.english.rows(indices)),
            Padded.of(self.corpus.german.rows(indices)),
            {language: torch.from_numpy(taught[indices]) for language, taught in self._taught.items()},
        )

    def _cut(self, ordered: NDArray[np.int64]) -> list[NDArray[np.int64]]:
        batches = []
        start = widest_english = widest_german = 0
        # plain numbers: a corpus has millions of pairs, and NumPy's scalars take ten times as long
        for position, (english, german) in enumerate(self._lengths[ordered].tolist()):
            wider_english, wider_german = max(widest_english, english), max(widest_german, german)
            if (position + 1 - start) * (wider_english + wider_german) > self.batch_tokens and position > start:
                batches.append(ordered[start:position])
                start, wider_english, wider_german = position, english, german
            widest_english, widest_german = wider_english, wider_german
        batches.append(ordered[start:])
        return batches

    def shared(self, epoch: int, size: int) -> list[NDArray[np.int64]]:
        """The batches of an epoch that have a row for each of `size` processes.

        Raises:
            CorpusError: there is none.
        """
        shared = [indices for indices in self.epoch(epoch) if len(indices) >= size]
        if not shared:
            msg = f"no batch of an epoch has a row for each of {size} processes: raise batch_tokens"
            raise CorpusError(msg)
        return shared

    def batches(self, epoch: int, *, skip: int = 0, rank: int = 0, size: int = 1) -> Iterator[Batch]:
        """The loaded batches of an epoch from its number `skip` on: one of `size` processes gets its rows of each.

        Rows are dealt in turn, so that all processes have sentences of the same lengths and none waits for another.
        A batch with fewer rows than processes is left out of this epoch.

        Raises:
            CorpusError: no batch has a row for every process, or none is drawn.
        """
        for indices in self.shared(epoch, size)[skip:]:
            yield self.load(indices[rank::size])


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
