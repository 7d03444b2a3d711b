"""Minimum risk training (Shen et al. 2016, arXiv 1512.02433) over what the search of quality good finds.

CTC and matching of bigrams do not know that a language model and a lexicon have their say when text is translated. Here
the network is trained together with them: of each sentence the search finds several candidates, and what the network
is to raise is the mean of their chrF against the target, each weighed by how likely it is to be chosen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import torch
from sacrebleu.metrics.chrf import CHRF
from torch import Tensor

from model.bundle import BLANK_ID, Bundle, prefix_beam_search, read_fluency
from model.data.batches import pad
from model.losses import log_likelihood
from model.sparse_softmax import compact_alphabet, log_normaliser, own_log_probabilities
from model.tasks import CHOICES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from model.bundle import Candidate, Direction, Fluency, Tokenizer
    from model.data.batches import Padded
    from model.reder import FrameScores

__all__ = ["MinimumRisk", "Risk"]

_BEAM, _CANDIDATES = 10, 8


class Risk(NamedTuple):
    """Of the sentences of which several candidates were found.

    `total`: one minus the expected chrF, 0 to 1, times the target's tokens, summed: what to minimise. `reward`: the
    expected chrF, a mean over target tokens, without gradient.
    """

    total: Tensor
    reward: Tensor


class _Found(NamedTuple):
    """Candidates of one sentence of a batch, two at least, and the chrF of each against the target, 0 to 1."""

    row: int
    candidates: Sequence[Candidate]
    rewards: Sequence[float]


class MinimumRisk:
    """Searches, and computes the risk of what is found.

    Args:
        tokenizer: of both sides.
        fluency: language models, by the direction whose translations they judge; without any, the network alone.
    """

    def __init__(self, tokenizer: Tokenizer, fluency: Mapping[Direction, Fluency]) -> None:
        self._tokenizer = tokenizer
        self._fluency = fluency
        self._chrf = CHRF()

    @classmethod
    def as_served(cls, bundle: Path, tokenizer: Tokenizer) -> MinimumRisk:
        """With the language models of a bundle, and what they count there.

        Raises:
            BundleError: it cannot be read, or has another vocabulary.
        """
        settings = Bundle.open(bundle, verify=False).manifest.search
        return cls(tokenizer, read_fluency(bundle, settings, tokenizer))

    def __call__(self, direction: Direction, scores: FrameScores, source: Padded, target: Padded) -> Risk:
        """The risk of one direction of one batch; its gradient is that of how likely each candidate is."""
        found = self._find(direction, scores, source, target)
        if not found:
            return Risk(scores.logits.sum() * 0, torch.zeros((), device=scores.logits.device))
        device = scores.logits.device
        counts = torch.tensor([len(one.candidates) for one in found], device=device)
        rows = torch.tensor([one.row for one in found], device=device)
        real = torch.arange(int(counts.max()), device=device) < counts.unsqueeze(1)
        gains, rewards = (torch.zeros(real.shape, device=device) for _ in range(2))
        gains[real] = torch.tensor([each.gain for one in found for each in one.candidates], device=device)
        rewards[real] = torch.tensor([reward for one in found for reward in one.rewards], device=device)
        likelihoods = torch.full(real.shape, -torch.inf, device=device)
        likelihoods = likelihoods.masked_scatter(real, _likelihoods(scores, rows, counts, found))
        expected = ((likelihoods + gains).softmax(dim=1) * rewards).sum(dim=1)
        lengths = target.lengths[rows]
        total = ((1 - expected) * lengths).sum()
        return Risk(total, 1 - total.detach() / lengths.sum())

    def _find(self, direction: Direction, scores: FrameScores, source: Padded, target: Padded) -> list[_Found]:
        logits = scores.logits.detach()
        best, ids = logits.float().topk(min(CHOICES, logits.shape[2]), dim=2)
        log_probs, choices = (best - log_normaliser(logits).unsqueeze(2)).cpu().numpy(), ids.cpu().numpy()
        found = []
        for row, (frames, read, wanted) in enumerate(
            zip(scores.lengths.tolist(), _ids(source), _ids(target), strict=True)
        ):
            if not wanted:
                continue
            searched = prefix_beam_search(
                choices[row, :frames],
                log_probs[row, :frames],
                beam=_BEAM,
                blank_id=BLANK_ID,
                fluency=self._fluency.get(direction),
                source=read,
            )
            candidates = [one for one in searched[:_CANDIDATES] if one.ids]
            if len(candidates) > 1:
                reference = self._tokenizer.decode(wanted)
                texts = [self._tokenizer.decode(list(one.ids)) for one in candidates]
                rewards = [self._chrf.sentence_score(text, [reference]).score / 100 for text in texts]
                found.append(_Found(row, candidates, rewards))
        return found


def _ids(side: Padded) -> list[list[int]]:
    return [ids[:length] for ids, length in zip(side.ids.tolist(), side.lengths.tolist(), strict=True)]


def _likelihoods(scores: FrameScores, rows: Tensor, counts: Tensor, found: Sequence[_Found]) -> Tensor:
    """Log p of every candidate, those of one sentence after those of another, by the tokens that any of its own has."""
    alphabets: list[list[int]] = [[] for _ in scores.logits]
    for one in found:
        alphabets[one.row] = sorted({token for each in one.candidates for token in each.ids})
    symbols = [{token: symbol for symbol, token in enumerate(alphabet, 1)} for alphabet in alphabets]
    labels = pad([[symbols[one.row][token] for token in each.ids] for one in found for each in one.candidates]).to(
        rows.device
    )
    alphabet = pad(alphabets).to(rows.device)
    columns, own_labels = compact_alphabet(alphabet.ids, alphabet.lengths)
    own = own_log_probabilities(scores.logits, columns, own_labels)
    each_row = rows.repeat_interleave(counts)
    return log_likelihood(own[each_row], scores.lengths[each_row], labels.ids, labels.lengths)
