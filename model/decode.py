"""From frame scores to text: greedy CTC decoding (REDER section 2.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import torch
from torch import Tensor, nn

from model.bundle import BLANK_ID, Direction, Tokenizer, collapse
from model.data.batches import by_length, pad

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from model.reder import Reder

__all__ = ["BestFrames", "Greedy", "translate", "translate_batches"]

_BATCH_TOKENS = 4096


class BestFrames(NamedTuple):
    """The contract's outputs: int64 ids and float32 log probabilities, both [batch, frames]."""

    ids: Tensor
    log_probs: Tensor


class Greedy(nn.Module):
    """A network bound to one direction, giving each frame's best token: what a graph is made of."""

    def __init__(self, model: Reder, direction: Direction) -> None:
        super().__init__()
        self.model = model
        self.direction = direction

    def forward(self, source_ids: Tensor, source_lengths: Tensor) -> BestFrames:
        """Arguments and results as in `bundle.contract`."""
        logits = self.model(self.direction, source_ids, source_lengths).logits.float()
        best, ids = logits.max(dim=2)
        return BestFrames(ids, best - logits.logsumexp(dim=2))


@torch.inference_mode()
def translate(model: Reder, tokenizer: Tokenizer, direction: Direction, texts: Sequence[str]) -> list[str]:
    """Greedy translations, in order. Text past the longest source the model takes is left out.

    Used to validate and to compare with exported graphs; the service has its own path.
    """
    greedy = Greedy(model, direction)
    device = model.embedding.weight.device

    def best(sources: list[list[int]]) -> list[list[int]]:
        source = pad(sources).to(device)
        frames = greedy(source.ids, source.lengths)
        collapsed = collapse(
            frames.ids.cpu().numpy(),
            frames.log_probs.cpu().numpy(),
            source.lengths.cpu().numpy() * model.config.upsampling,
            blank_id=BLANK_ID,
        )
        return [result.ids for result in collapsed]

    return translate_batches(tokenizer, texts, best, longest=model.config.max_source_tokens, budget=_BATCH_TOKENS)


def translate_batches(
    tokenizer: Tokenizer,
    texts: Sequence[str],
    work: Callable[[list[list[int]]], Sequence[Sequence[int]]],
    *,
    longest: int,
    budget: int,
) -> list[str]:
    """Encode texts, hand them to `work` in batches of similar lengths, decode what it gives, in order.

    Args:
        tokenizer: for both sides.
        texts: one without tokens stays empty.
        work: source ids of a batch to target ids, sentence by sentence.
        longest: tokens of a source; what is beyond is left out.
        budget: padded tokens in a batch, at most.
    """
    sources = [ids[:longest] for ids in tokenizer.encode_batch(list(texts))]
    outputs = [""] * len(texts)
    for rows in by_length([len(ids) for ids in sources], budget):
        for row, target in zip(rows, work([sources[row] for row in rows]), strict=True):
            outputs[row] = tokenizer.decode(target)
    return outputs
