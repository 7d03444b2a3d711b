"""From frame scores to text: greedy CTC decoding (REDER section 2.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import torch
from torch import Tensor, nn

from model.bundle import BLANK_ID, Direction, Tokenizer, collapse
from model.data.batches import by_length, pad

if TYPE_CHECKING:
    from collections.abc import Sequence

    from model.reder import Reder

__all__ = ["BestFrames", "Greedy", "translate"]

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
    limit = model.config.max_source_tokens
    encoded = [ids[:limit] for ids in tokenizer.encode_batch(list(texts))]
    greedy = Greedy(model, direction)
    device = model.embedding.weight.device
    outputs = [""] * len(texts)
    for rows in by_length([len(ids) for ids in encoded], _BATCH_TOKENS):
        source = pad([encoded[row] for row in rows]).to(device)
        frames = greedy(source.ids, source.lengths)
        collapsed = collapse(
            frames.ids.cpu().numpy(),
            frames.log_probs.cpu().numpy(),
            source.lengths.cpu().numpy() * model.config.upsampling,
            blank_id=BLANK_ID,
        )
        for row, result in zip(rows, collapsed, strict=True):
            outputs[row] = tokenizer.decode(result.ids)
    return outputs
