"""REDER, the Reversible Duplex Transformer (Zheng et al., NeurIPS 2021), whole.

What was chosen, all as in the paper or its authors' code:

- Two ends, one per language. en-de runs the English end forward, then the German end in reverse;
  de-en is the same network run backwards. Every parameter serves both directions.
- Reversible layers of two halves (`reversible.py`), pre-norm without learned scale, GELU.
- Relative self-attention, plus learned absolute positions on the embedding.
- Each source token fills two frames (2x upsampling), so a translation may be up to twice as long.
- The scaled embedding is copied to both halves; on the way out they are averaged.
- ActNorm on the way in, inverted on the way out.
- One joint vocabulary; one embedding matrix for both languages, input and output.
- CTC over the frames: non-autoregressive, one pass per sentence.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple, cast

import torch
from torch import Tensor, nn

from model.bundle import DIRECTIONS, EN_DE, Direction
from model.reversible import End, Halves

if TYPE_CHECKING:
    from model.config import ModelConfig

__all__ = ["FrameScores", "Reder"]


class FrameScores(NamedTuple):
    """What the network says about each frame.

    `states` is [batch, frames, width], the averaged halves; `logits` is [batch, frames,
    vocabulary]; `lengths` is int64 [batch], the frames that count.
    """

    states: Tensor
    logits: Tensor
    lengths: Tensor


class Reder(nn.Module):
    """The network. Call it with a direction; there is no other state that picks one."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.vocabulary_size, config.width)
        self.positions = nn.Embedding(config.max_frames, config.width)
        nn.init.normal_(self.embedding.weight, std=config.width**-0.5)
        nn.init.normal_(self.positions.weight, std=0.1)
        self.ends = nn.ModuleDict({language: End(config) for language in (EN_DE.source, EN_DE.target)})

    def forward(self, direction: Direction, source_ids: Tensor, source_lengths: Tensor) -> FrameScores:
        """Score the frames of a batch.

        Args:
            direction: which end the text enters and which it leaves.
            source_ids: int64 [batch, source_len], padded on the right.
            source_lengths: int64 [batch], at least 1 each.
        """
        padding = self.padding(source_ids, source_lengths)
        halves = self.translate_states(direction, self.embed(source_ids), padding)
        states = (halves.first + halves.second) / 2
        logits = states @ self.embedding.weight.t()
        return FrameScores(states, logits, source_lengths * self.config.upsampling)

    def embed(self, ids: Tensor) -> Halves:
        """Tokens to the two equal halves that enter an end; [batch, frames, width] each."""
        batch, length = ids.shape
        embedded = self.embedding(ids) * math.sqrt(self.config.width)
        factor = self.config.upsampling
        frames = embedded.unsqueeze(2).expand(-1, -1, factor, -1).reshape(batch, length * factor, self.config.width)
        states = frames + self.positions(torch.arange(length * factor, device=ids.device))
        return Halves(states, states)

    def padding(self, ids: Tensor, lengths: Tensor) -> Tensor:
        """Mask, bool [batch, 1, 1, frames], true on the frames past each sentence's end."""
        frame = torch.arange(ids.shape[1] * self.config.upsampling, device=ids.device)
        return (frame >= (lengths * self.config.upsampling).unsqueeze(1))[:, None, None, :]

    def translate_states(self, direction: Direction, halves: Halves, padding: Tensor) -> Halves:
        """In at the source end, out at the target end. The reverse direction undoes it exactly."""
        inner = cast("Halves", self.ends[direction.source](halves, padding))
        return cast("End", self.ends[direction.target]).inverse(inner, padding)

    @torch.no_grad()
    def initialise_norms(self, batches: dict[Direction, tuple[Tensor, Tensor]]) -> None:
        """Set the ends' normalisations from a first batch: source ids and lengths by direction."""
        for direction in DIRECTIONS:
            ids, lengths = batches[direction]
            end = cast("End", self.ends[direction.source])
            end.initialise_norms(self.embed(ids), self.padding(ids, lengths))

    def parameter_count(self) -> int:
        """Number of trained scalars; the same for both directions."""
        return sum(parameter.numel() for parameter in self.parameters())
