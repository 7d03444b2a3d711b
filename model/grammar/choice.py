"""Which of several targets a network finds likeliest: what it learns most easily, as it says most of it already."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import torch
from tqdm import tqdm

from model.architecture import check_vocabulary
from model.bundle import BLANK_ID
from model.data.batches import by_length, pad
from model.losses import alignable, log_likelihood
from model.precision import mixed_precision
from model.sparse_softmax import log_normaliser, own_scores

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

    from model.bundle import Direction, Tokenizer
    from model.reder import Reder

__all__ = ["Chosen", "choose"]

_BATCH_TOKENS = 2048


class Chosen(NamedTuple):
    """The likeliest target, and what the network translates its source to."""

    target: str
    translation: str


@torch.no_grad()
def choose(
    network: Reder, tokenizer: Tokenizer, direction: Direction, sources: Sequence[str], targets: Sequence[Sequence[str]]
) -> list[Chosen | None]:
    """Of each source's targets the one that has the greatest likelihood, under all its alignments.

    Args:
        network: on any device.
        tokenizer: its vocabulary.
        direction: which way.
        sources: texts.
        targets: of each of them one translation or more.

    Returns:
        In order; None where the source is too long for the network, or each target for the source.

    Raises:
        ManifestError: the tokenizer is another network's.
    """
    check_vocabulary(network, tokenizer)
    ids = tokenizer.encode_batch(sources)
    lengths = [len(one) if len(one) <= network.config.max_source_tokens else 0 for one in ids]
    chosen: list[Chosen | None] = [None] * len(sources)
    with tqdm(total=len(sources), desc=str(direction), unit=" sentences", unit_scale=True, disable=None) as bar:
        for rows in by_length(lengths, _BATCH_TOKENS):
            source = pad([ids[row] for row in rows]).to(network.embedding.weight.device)
            with mixed_precision(source.ids.device):
                scores = network(direction, source.ids, source.lengths)
            normaliser = log_normaliser(scores.logits)
            for place, (row, frames) in enumerate(zip(rows, scores.lengths.tolist(), strict=True)):
                logits = scores.logits[place, :frames]
                best = _likeliest(logits, normaliser[place, :frames], tokenizer.encode_batch(targets[row]))
                if best is not None:
                    path = logits.argmax(dim=1).unique_consecutive()
                    chosen[row] = Chosen(targets[row][best], tokenizer.decode(path[path != BLANK_ID].tolist()))
            bar.update(len(rows))
    return chosen


def _likeliest(logits: Tensor, normaliser: Tensor, targets: Sequence[Sequence[int]]) -> int | None:
    """The index of the likeliest target.

    Args:
        logits: of one source, [frames, vocabulary].
        normaliser: of them, float32 [frames].
        targets: token ids.
    """
    count, target = len(targets), pad(targets).to(logits.device)
    frame_lengths = torch.full((count,), len(logits), device=logits.device)
    own = own_scores(logits.expand(count, -1, -1), frame_lengths, target, normaliser=normaliser.expand(count, -1))
    likelihoods = log_likelihood(own.log_probs, frame_lengths, own.labels, own.target_lengths)
    possible = alignable(own.labels, own.target_lengths, frame_lengths)
    return int(likelihoods.masked_fill(~possible, -torch.inf).argmax()) if possible.any() else None
