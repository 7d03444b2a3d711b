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

from model.bundle import EN_DE
from model.reversible import End, Halves, Step, reverse, run, run_recomputing

if TYPE_CHECKING:
    from model.bundle import Direction
    from model.config import ModelConfig
    from model.data.batches import Batch

__all__ = ["FrameScores", "Reder"]


class FrameScores(NamedTuple):
    """What the network says about each frame.

    `logits` is [batch, frames, vocabulary]; `lengths` is int64 [batch], the frames that count.
    """

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
        languages = (EN_DE.source, EN_DE.target)
        self.ends = nn.ModuleDict({name: End(config, n * config.layers_per_end) for n, name in enumerate(languages)})

    def forward(
        self,
        direction: Direction,
        source_ids: Tensor,
        source_lengths: Tensor,
        *,
        seed: int = 0,
        recompute: bool = False,
    ) -> FrameScores:
        """Score the frames of a batch.

        Args:
            direction: which end the text enters and which it leaves.
            source_ids: int64 [batch, source_len], padded on the right.
            source_lengths: int64 [batch], at least 1 each.
            seed: picks the dropout masks, in training.
            recompute: save memory in training, see `reversible.run_recomputing`.
        """
        padding = self.padding(source_ids, source_lengths)
        halves = self.translate_states(direction, self.embed(source_ids), padding, seed=seed, recompute=recompute)
        return self.score(halves, source_lengths * self.config.upsampling)

    def score(self, halves: Halves, frame_lengths: Tensor) -> FrameScores:
        """What leaves an end, its halves averaged, held against the embedding of every token."""
        states = (halves.first + halves.second) / 2
        return FrameScores(states @ self.embedding.weight.t(), frame_lengths)

    def embed(self, ids: Tensor) -> Halves:
        """Tokens to the two equal halves that enter an end, each token on `upsampling` frames."""
        return self.embed_frames(ids.repeat_interleave(self.config.upsampling, dim=1))

    def embed_frames(self, frame_ids: Tensor) -> Halves:
        """The same for ids that stand for one frame each, int64 [batch, frames]."""
        embedded = self.embedding(frame_ids) * math.sqrt(self.config.width)
        states = embedded + self.positions(torch.arange(frame_ids.shape[1], device=frame_ids.device))
        return Halves(states, states)

    def padding(self, ids: Tensor, lengths: Tensor) -> Tensor:
        """Mask, bool [batch, 1, 1, frames], true on the frames past each sentence's end."""
        frame = torch.arange(ids.shape[1] * self.config.upsampling, device=ids.device)
        return (frame >= (lengths * self.config.upsampling).unsqueeze(1))[:, None, None, :]

    def path(self, direction: Direction) -> list[Step]:
        """Every layer from the source end to the target end, in the form each is used in."""
        return self.end(direction.source).steps() + reverse(self.end(direction.target).steps())

    def end(self, language: str) -> End:
        """One language's end."""
        return cast("End", self.ends[language])

    def translate_states(
        self, direction: Direction, halves: Halves, padding: Tensor, *, seed: int = 0, recompute: bool = False
    ) -> Halves:
        """In at the source end, out at the target end. The reverse direction undoes it exactly."""
        walk = run_recomputing if recompute else run
        inner = walk(self.path(direction), self.end(direction.source).normalise(halves), padding, seed)
        return self.end(direction.target).denormalise(inner)

    @torch.no_grad()
    def initialise_norms(self, batch: Batch) -> None:
        """Set the ends' normalisations from a first batch, each from the sentences of its language."""
        for language in self.ends:
            side = batch.side(language)
            self.end(language).initialise_norms(self.embed(side.ids), self.padding(side.ids, side.lengths))

    def compile_layers(self, backend: str = "inductor") -> None:
        """Have PyTorch compile what the layers compute, at first use; for any batch and length."""
        for step in self.path(EN_DE):
            step.layer.compile_forms(backend)

    def parameter_count(self) -> int:
        """Number of trained scalars; the same for both directions."""
        return sum(parameter.numel() for parameter in self.parameters())
