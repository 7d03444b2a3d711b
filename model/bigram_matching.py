"""Non-monotonic matching of bigrams (Shao & Feng 2022, arXiv 2210.03953), for a network that CTC has trained.

CTC asks for the target word by word, in its order; where several translations are as good, a network that writes all
words at once mixes them. This asks for pairs of neighbours, wherever they stand: what it rewards is text of one piece.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from model.data.batches import within

if TYPE_CHECKING:
    from model.sparse_softmax import OwnScores

__all__ = ["bigram_f1"]

_START, _END = -1, -2
"""Of a sentence, as tokens of its first and last bigram."""


class _Bigrams(NamedTuple):
    """Of each target, in order, those with its start and end included; all [batch, target_len + 1].

    `counts`: how often the target has it. `first`: it is not past the end, and stood nowhere before. `doubled`: both of
    its tokens are the same.
    """

    counts: Tensor
    first: Tensor
    doubled: Tensor


def bigram_f1(own: OwnScores) -> Tensor:
    """How much of each target's bigrams the network is expected to write, and nothing else (section 3.3 of the paper).

    A bigram is matched as often as it is expected over all alignments, and at most as often as the target has it.
    Unlike the paper's, these alignments merge repeats, as `collapse` does; but what the target lacks is expected in
    each of its frames.

    Args:
        own: what each sentence's own alphabet gets.

    Returns:
        The F1 score, float32 [batch], 0 to 1.
    """
    frames, labels, lengths = own.log_probs.shape[1], own.labels, own.target_lengths
    real = within(own.frame_lengths, frames)
    probabilities = own.log_probs.exp() * real.unsqueeze(2)
    written = probabilities.gather(2, labels.unsqueeze(1).expand(-1, frames, -1))
    written = written * within(lengths, labels.shape[1]).unsqueeze(1)
    bigrams = _bigrams(labels, lengths)
    # past the end all is blank, and the end of the sentence comes after the last frame of the batch
    expected = _expected(written.transpose(1, 2), own.log_probs[:, :, 0] * real, lengths, bigrams.doubled)
    matched = (torch.minimum(expected, bigrams.counts) * bigrams.first).sum(dim=1)
    return 2 * matched / (_expected_tokens(probabilities, labels, real) + lengths + 2)


def _bigrams(targets: Tensor, target_lengths: Tensor) -> _Bigrams:
    places = torch.arange(targets.shape[1] + 1, device=targets.device)
    real = places <= target_lengths.unsqueeze(1)
    left = functional.pad(targets, (1, 0), value=_START)
    right = functional.pad(targets, (0, 1)).masked_fill(places == target_lengths.unsqueeze(1), _END)
    same = (left.unsqueeze(2) == left.unsqueeze(1)) & (right.unsqueeze(2) == right.unsqueeze(1)) & real.unsqueeze(1)
    first = same.to(torch.uint8).argmax(dim=2) == places
    return _Bigrams(same.sum(dim=2).float(), first & real, left == right)


def _expected(written: Tensor, blank: Tensor, target_lengths: Tensor, doubled: Tensor) -> Tensor:
    """How often each bigram of the target is expected, float32 [batch, target_len + 1].

    Its tokens stand in two frames between which all is blank; where both are the same, something is.

    Args:
        written: probability of each token of the target, [batch, target_len, frames].
        blank: log probability of the blank, [batch, frames].
        target_lengths: int64 [batch].
        doubled: of the bigram, bool [batch, target_len + 1].
    """
    batch, length, frames = written.shape
    places = torch.arange(length + 1, device=written.device)
    # a frame before all others is the sentence's start, one after them its end
    padded = functional.pad(written, (1, 1))
    alone = torch.eye(frames + 2, device=written.device)
    left = torch.cat([alone[0].expand(batch, 1, -1), padded], dim=1)
    is_end = (places == target_lengths.unsqueeze(1)).unsqueeze(2)
    right = functional.pad(padded, (0, 0, 0, 1)) + is_end * alone[-1]
    apart = torch.bmm(left, _all_blank(blank)) * right
    adjacent = left[:, :, :-1] * right[:, :, 1:] * doubled.unsqueeze(2)
    return apart.sum(dim=2) - adjacent.sum(dim=2)


def _all_blank(blank: Tensor) -> Tensor:
    """Probability that all frames between two are blank, 0 if the second is not after the first; [batch, n, n].

    With a frame before and one after those of `blank`, log probabilities [batch, frames].
    """
    sums = functional.pad(blank.cumsum(dim=1), (1, 0))
    until, after = functional.pad(sums, (1, 0)), functional.pad(sums, (0, 1))
    between = until.unsqueeze(1) - after.unsqueeze(2)
    later = torch.ones_like(between, dtype=torch.bool).triu(diagonal=1)
    return between.masked_fill(~later, -torch.inf).exp()


def _expected_tokens(probabilities: Tensor, labels: Tensor, real: Tensor) -> Tensor:
    """What a sentence is expected to have after `collapse`: frames with a token, but for those that repeat it; [batch].

    Args:
        probabilities: of the sentence's own alphabet, [batch, frames, symbols].
        labels: the target as symbols of it.
        real: of a frame, not past the end, bool [batch, frames].
    """
    places = torch.arange(1, labels.shape[1] + 1, device=labels.device)
    own = probabilities[:, :, 1 : 1 + labels.shape[1]] * (labels == places).unsqueeze(1)
    repeats = (own[:, 1:] * own[:, :-1]).sum(dim=(1, 2))
    return ((1 - probabilities[:, :, 0]) * real).sum(dim=1) - repeats
