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
from model.sparse_softmax import alphabet, log_normaliser

if TYPE_CHECKING:
    from collections.abc import Sequence

    from model.bundle import Direction, Tokenizer
    from model.reder import FrameScores, Reder

__all__ = ["Chosen", "choose"]

_BATCH_TOKENS = {"cpu": 1 << 11, "cuda": 1 << 14}


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
    device = network.embedding.weight.device
    ids = tokenizer.encode_batch(sources)
    lengths = [len(one) if len(one) <= network.config.max_source_tokens else 0 for one in ids]
    chosen: list[Chosen | None] = [None] * len(sources)
    with tqdm(total=len(sources), desc=str(direction), unit=" sentences", unit_scale=True, disable=None) as bar:
        for rows in by_length(lengths, _BATCH_TOKENS[device.type]):
            source = pad([ids[row] for row in rows]).to(device)
            with mixed_precision(device):
                scores = network(direction, source.ids, source.lengths)
            ways = [tokenizer.encode_batch(targets[row]) for row in rows]
            paths, frames = scores.logits.argmax(dim=2).cpu(), scores.lengths.tolist()
            for place, best in enumerate(_likeliest(scores, ways)):
                if best is not None:
                    row, path = rows[place], paths[place, : frames[place]].unique_consecutive()
                    chosen[row] = Chosen(targets[row][best], tokenizer.decode(path[path != BLANK_ID].tolist()))
            bar.update(len(rows))
    return chosen


def _likeliest(scores: FrameScores, targets: Sequence[Sequence[Sequence[int]]]) -> list[int | None]:
    """The index of each source's likeliest target; None where it has frames for none.

    Args:
        scores: of the sources.
        targets: token ids, of each source its targets.
    """
    device = scores.logits.device
    owners = torch.tensor([place for place, ways in enumerate(targets) for _ in ways], device=device)
    target = pad([ids for ways in targets for ids in ways]).to(device)
    columns, labels = alphabet(target)
    # by index, so that the vocabulary's scores are not there once more for each target
    frames = torch.arange(scores.logits.shape[1], device=device)
    own = scores.logits[owners[:, None, None], frames[:, None], columns[:, None, :]].float()
    log_probs = own - log_normaliser(scores.logits)[owners].unsqueeze(2)
    lengths = scores.lengths[owners]
    likelihoods = log_likelihood(log_probs, lengths, labels, target.lengths)
    likelihoods = likelihoods.masked_fill(~alignable(labels, target.lengths, lengths), -torch.inf)
    by_source = likelihoods.cpu().split([len(ways) for ways in targets])
    return [int(one.argmax()) if one.isfinite().any() else None for one in by_source]
