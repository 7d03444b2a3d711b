"""Minimum risk training (Shen et al. 2016, arXiv 1512.02433) over what the search of quality good finds.

CTC and matching of bigrams do not know that a language model and a lexicon have their say when text is translated. Here
the network is trained together with them: of each sentence the search finds several candidates, and what the network
is to raise is the mean of how close they are to the target, each weighed by how likely it is to be chosen.
"""

from __future__ import annotations

import signal
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import torch
from torch import Tensor

from model.bundle import Bundle, ManifestError, read_fluency
from model.data.batches import pad, within
from model.decode import search_frames
from model.losses import log_likelihood
from model.processes import workers
from model.sentence_scores import closeness
from model.tasks import CHOICES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from concurrent.futures import ProcessPoolExecutor
    from pathlib import Path

    from numpy.typing import NDArray

    from model.bundle import Candidate, Direction, Fluency, Tokenizer
    from model.data.batches import Padded
    from model.reder import FrameScores
    from model.sparse_softmax import OwnScores

__all__ = ["Found", "MinimumRisk", "Risk", "risk_of"]

_BEAM, _CANDIDATES = 10, 8

_PARTS = 64
"""Of a batch that several processes search: more than there are processes, so that they end together."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found in a batch, for those of its sentences, `rows`, that have two candidates at least.

    `rewards` has that of each candidate, 0 to 1. `tokens` has, for every sentence of the batch, those of its candidates
    that its target lacks.
    """

    rows: list[int]
    candidates: list[list[Candidate]]
    rewards: list[list[float]]
    tokens: Padded


class Risk(NamedTuple):
    """Of the sentences of which several candidates were found.

    `total`: one minus the expected reward, 0 to 1, times the target's tokens, summed: what to minimise. `reward`: the
    expected reward, a mean over target tokens, without gradient.
    """

    total: Tensor
    reward: Tensor


_Rewarded: TypeAlias = "tuple[list[Candidate], list[float]]"
"""What was found of a sentence, and the reward of each."""


class _Frames(NamedTuple):
    """Some sentences of a batch: what their frames may be, what they are translated from, and what they should become.

    `ids` and `log_probs` are [sentences, frames, choices].
    """

    ids: NDArray[Any]
    log_probs: NDArray[Any]
    lengths: list[int]
    sources: list[list[int]]
    targets: list[list[int]]

    def parts(self) -> list[_Frames]:
        """Each has every `_PARTS`-th sentence, so that all take about as long."""
        every = (slice(place, None, _PARTS) for place in range(min(_PARTS, len(self.lengths))))
        return [
            _Frames(self.ids[at], self.log_probs[at], self.lengths[at], self.sources[at], self.targets[at])
            for at in every
        ]


class MinimumRisk:
    """Searches as a bundle's quality good does, and rewards what is found.

    Args:
        tokenizer: of both sides.
        fluency: language models, by the direction whose translations they judge; without any, the network alone.
        others: processes that have opened the same, to search in; without any, this one does.
    """

    def __init__(
        self, tokenizer: Tokenizer, fluency: Mapping[Direction, Fluency], others: ProcessPoolExecutor | None = None
    ) -> None:
        self._tokenizer = tokenizer
        self._fluency = fluency
        self._others = others

    @classmethod
    def as_served(cls, folder: Path, tokenizer: Tokenizer, processes: int = 1) -> MinimumRisk:
        """With the language models of a bundle, and what they count there.

        Args:
            folder: of the bundle.
            tokenizer: the network's.
            processes: how many search, from two on others than this one. A sentence takes a core some milliseconds,
                a GPU a hundredth of that.

        Raises:
            BundleError: it cannot be read, or has another vocabulary.
        """
        bundle = Bundle.open(folder, verify=False)
        fluency = read_fluency(folder, bundle.manifest.search, tokenizer)
        if bundle.tokenizer.written != tokenizer.written:
            msg = f"{folder} has another vocabulary than the network"
            raise ManifestError(msg)
        if processes == 1:
            return cls(tokenizer, fluency)
        return cls(tokenizer, fluency, workers(processes, _open_in_process, folder))

    def find(
        self, direction: Direction, scores: FrameScores, normaliser: Tensor, source: Padded, target: Padded
    ) -> Found:
        """Candidates of a batch, each with the mean of BLEU and chrF, by sentence, against the target.

        Args:
            direction: which way.
            scores: of the frames.
            normaliser: `log_normaliser` of the logits.
            source: what is translated.
            target: what it should become.
        """
        best, ids = scores.logits.detach().float().topk(min(CHOICES, scores.logits.shape[2]), dim=2)
        log_probs = (best - normaliser.unsqueeze(2)).cpu().numpy()
        targets = _ids(target)
        frames = _Frames(ids.cpu().numpy(), log_probs, scores.lengths.tolist(), _ids(source), targets)
        rows, found, rewards = [], [], []
        tokens: list[list[int]] = []
        for row, (candidates, rewarded) in enumerate(self._rewarded(direction, frames)):
            if len(candidates) < 2:  # noqa: PLR2004 - one has nothing to be chosen from
                tokens.append([])
                continue
            rows.append(row)
            found.append(candidates)
            rewards.append(rewarded)
            tokens.append(sorted({token for one in candidates for token in one.ids}.difference(targets[row])))
        return Found(rows, found, rewards, pad(tokens).to(scores.logits.device))

    def reward(self, direction: Direction, frames: _Frames) -> list[_Rewarded]:
        """Of each sentence the candidates that have tokens, and their rewards; none if it has no target."""
        fluency = self._fluency.get(direction)
        searched = search_frames(*frames[:4], _BEAM, _CANDIDATES, fluency)
        rewarded = []
        for found, wanted in zip(searched, frames.targets, strict=True):
            candidates = [one for one in found if one.ids] if wanted else []
            reference = self._tokenizer.decode(wanted)
            texts = [self._tokenizer.decode(list(one.ids)) for one in candidates]
            rewarded.append((candidates, closeness(texts, reference)))
        return rewarded

    def _rewarded(self, direction: Direction, frames: _Frames) -> Sequence[_Rewarded]:
        """The same, by all processes."""
        if self._others is None:
            return self.reward(direction, frames)
        every: list[_Rewarded] = [([], [])] * len(frames.lengths)
        for place, part in enumerate(self._others.map(partial(_reward_in_process, direction), frames.parts())):
            every[place::_PARTS] = part
        return every


_in_process: list[MinimumRisk] = []
"""What a process that searches for another one has opened."""


def _open_in_process(folder: Path) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is for the process that trains to stop
    bundle = Bundle.open(folder, verify=False)
    _in_process.append(MinimumRisk(bundle.tokenizer, bundle.fluency()))


def _reward_in_process(direction: Direction, frames: _Frames) -> list[_Rewarded]:
    return _in_process[0].reward(direction, frames)


def risk_of(own: OwnScores, found: Found) -> Risk:
    """Of what was found; its gradient is that of how likely each candidate is.

    Args:
        own: scores of alphabets that have the tokens found.
        found: the candidates.
    """
    device = own.log_probs.device
    if not found.rows:
        return Risk(own.log_probs.sum() * 0, torch.zeros((), device=device))
    counts = torch.tensor([len(each) for each in found.candidates], device=device)
    real = within(counts, int(counts.max()))
    gains, rewards = (torch.zeros(real.shape, device=device) for _ in range(2))
    gains[real] = torch.tensor([one.gain for each in found.candidates for one in each], device=device)
    rewards[real] = torch.tensor([reward for each in found.rewards for reward in each], device=device)
    likelihoods = torch.full(real.shape, -torch.inf, device=device)
    likelihoods = likelihoods.masked_scatter(real, _likelihoods(own, found, counts))
    expected = ((likelihoods + gains).softmax(dim=1) * rewards).sum(dim=1)
    lengths = own.target_lengths[found.rows]
    total = ((1 - expected) * lengths).sum()
    return Risk(total, 1 - total.detach() / lengths.sum())


def _ids(side: Padded) -> list[list[int]]:
    return [ids[:length] for ids, length in zip(side.ids.tolist(), side.lengths.tolist(), strict=True)]


def _likelihoods(own: OwnScores, found: Found, counts: Tensor) -> Tensor:
    """Log p of every candidate, those of one sentence after those of another."""
    columns = own.columns.tolist()
    labels: list[list[int]] = []
    for row, candidates in zip(found.rows, found.candidates, strict=True):
        symbols: dict[int, int] = {}
        for symbol, token in enumerate(columns[row]):
            symbols.setdefault(token, symbol)
        labels += [[symbols[token] for token in one.ids] for one in candidates]
    padded = pad(labels).to(counts.device)
    rows = torch.tensor(found.rows, device=counts.device).repeat_interleave(counts)
    return log_likelihood(own.log_probs[rows], own.frame_lengths[rows], padded.ids, padded.lengths)
