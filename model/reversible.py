"""Reversible Transformer layers (REDER section 2.2; Gomez et al. 2017).

A layer holds two halves of width d and can be run either way:

    forward   h1 = h1 + attention(h2);  h2 = h2 + feed_forward(h1)
    inverse   h2 = h2 - feed_forward(h1);  h1 = h1 - attention(h2)

The inverse subtracts what the forward added, so each undoes the other whatever the weights are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

import torch
from torch import Tensor, nn
from torch.nn import functional

if TYPE_CHECKING:
    from model.config import ModelConfig

__all__ = ["ActNorm", "End", "FeedForward", "Halves", "RelativeSelfAttention", "ReversibleLayer"]

_MASKED = -1e4
"""Score of a padded key: far below any real one, and within reach of float16."""


class Halves(NamedTuple):
    """The two halves of a reversible state, each [batch, frames, width]."""

    first: Tensor
    second: Tensor


class RelativeSelfAttention(nn.Module):
    """Multi-head self-attention with relative key embeddings (Shaw et al. 2018).

    The logit of query i and key j is q_i . (k_j + r_clip(j - i)) / sqrt(head width). As in the
    authors' code there are no relative value embeddings, and the heads share r.
    """

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.heads = config.heads
        self.clip = config.relative_clip
        self.query_key_value = nn.Linear(config.width, 3 * config.width)
        self.output = nn.Linear(config.width, config.width)
        self.relative_keys = nn.Parameter(torch.empty(2 * config.relative_clip + 1, config.width // config.heads))
        nn.init.normal_(self.relative_keys, std=(config.width // config.heads) ** -0.5)

    def forward(self, states: Tensor, padding: Tensor) -> Tensor:
        """Mix the frames of each sentence.

        Args:
            states: [batch, frames, width], already normalised.
            padding: bool [batch, 1, 1, frames], true where a frame is padding.

        Returns:
            [batch, frames, width].
        """
        batch, frames, width = states.shape
        head_width = width // self.heads
        mixed = self.query_key_value(states).view(batch, frames, 3, self.heads, head_width).permute(2, 0, 3, 1, 4)
        query, key, value = mixed[0] * head_width**-0.5, mixed[1], mixed[2]
        scores = query @ key.transpose(-1, -2) + self._relative_scores(query, frames)
        scores = scores.masked_fill(padding, _MASKED)
        weights = scores.softmax(dim=-1).to(value.dtype)
        context = (weights @ value).transpose(1, 2).contiguous().view(batch, frames, width)
        return cast("Tensor", self.output(context))

    def _relative_scores(self, query: Tensor, frames: int) -> Tensor:
        """q_i . r_clip(j - i) for all i and j: [batch, heads, frames, frames].

        One product gives every query against every distance; shearing the result lines distances
        up with keys. That avoids a gather, whose backward pass is slow.
        """
        distances = torch.arange(1 - frames, frames, device=query.device)
        keys = self.relative_keys[distances.clamp(-self.clip, self.clip) + self.clip]
        return _shear(query @ keys.t().to(query.dtype))


def _shear(by_distance: Tensor) -> Tensor:
    """Turn [..., i, j - i + frames - 1] into [..., i, j].

    Padding each row by one and reading the rows end to end shifts row i left by i; the first
    `frames - 1` entries are dropped so that row i starts at distance -i.
    """
    batch, heads, frames, distances = by_distance.shape
    flat = functional.pad(by_distance, (0, 1)).reshape(batch, heads, frames * (distances + 1))
    flat = flat[:, :, : frames * distances].reshape(batch, heads, frames, distances)
    return flat[:, :, :, frames - 1 :]


class FeedForward(nn.Module):
    """Two linear maps with GELU between, frame by frame."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.inner = nn.Linear(config.width, config.ffn_width)
        self.outer = nn.Linear(config.ffn_width, config.width)

    def forward(self, states: Tensor) -> Tensor:
        """[batch, frames, width] to the same shape."""
        return cast("Tensor", self.outer(functional.gelu(self.inner(states))))


class ReversibleLayer(nn.Module):
    """Attention and feed-forward as a pair of reversible residuals.

    Both are pre-norm, with a LayerNorm that has no learned scale, and dropout on their output.
    """

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.attention = RelativeSelfAttention(config)
        self.feed_forward = FeedForward(config)
        self.dropout = config.dropout
        self.width = config.width

    def forward(self, halves: Halves, padding: Tensor) -> Halves:
        """The regular form; shapes as in `Halves`, `padding` as in `RelativeSelfAttention`."""
        first = halves.first + self._attend(halves.second, padding)
        return Halves(first, halves.second + self._feed(first))

    def inverse(self, halves: Halves, padding: Tensor) -> Halves:
        """The reverse form: undoes `forward`."""
        second = halves.second - self._feed(halves.first)
        return Halves(halves.first - self._attend(second, padding), second)

    def _attend(self, states: Tensor, padding: Tensor) -> Tensor:
        return self._drop(self.attention(self._normalise(states), padding))

    def _feed(self, states: Tensor) -> Tensor:
        return self._drop(self.feed_forward(self._normalise(states)))

    def _normalise(self, states: Tensor) -> Tensor:
        return functional.layer_norm(states, (self.width,))

    def _drop(self, states: Tensor) -> Tensor:
        return functional.dropout(states, self.dropout, self.training) if self.dropout else states


class ActNorm(nn.Module):
    """Per-feature scale and bias (Kingma and Dhariwal 2018), invertible.

    The first batch seen in training sets both so that each feature leaves with zero mean and unit
    variance; from then on they are ordinary parameters. The scale is kept as its logarithm, so it
    can never reach zero.
    """

    initialised: Tensor

    def __init__(self, features: int) -> None:
        super().__init__()
        self.log_scale = nn.Parameter(torch.zeros(features))
        self.bias = nn.Parameter(torch.zeros(features))
        self.register_buffer("initialised", torch.zeros((), dtype=torch.bool))

    @torch.no_grad()
    def initialise(self, states: Tensor) -> None:
        """Set scale and bias from real frames: [frames, features], padding left out."""
        spread, mean = torch.std_mean(states.float(), dim=0)
        self.log_scale.copy_(-spread.clamp_min(1e-3).log())
        self.bias.copy_(-mean * self.log_scale.exp())
        self.initialised.fill_(value=True)

    def forward(self, states: Tensor) -> Tensor:
        """[..., features] to the same shape."""
        return states * self.log_scale.exp() + self.bias

    def inverse(self, states: Tensor) -> Tensor:
        """Undo `forward`."""
        return (states - self.bias) * (-self.log_scale).exp()


class End(nn.Module):
    """One language's end of the network: a normalisation, then a stack of reversible layers.

    `forward` takes text in at this end; `inverse` lets text out at it. Each undoes the other.
    """

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.norm_first = ActNorm(config.width)
        self.norm_second = ActNorm(config.width)
        self.layers = nn.ModuleList(ReversibleLayer(config) for _ in range(config.layers_per_end))

    def forward(self, halves: Halves, padding: Tensor) -> Halves:
        """Embedding side to inner side; shapes as in `Halves`."""
        halves = Halves(self.norm_first(halves.first), self.norm_second(halves.second))
        for layer in self.layers:
            halves = layer(halves, padding)
        return halves

    def inverse(self, halves: Halves, padding: Tensor) -> Halves:
        """Inner side to embedding side; shapes as in `Halves`."""
        for layer in reversed(self.layers):
            halves = cast("ReversibleLayer", layer).inverse(halves, padding)
        return Halves(self.norm_first.inverse(halves.first), self.norm_second.inverse(halves.second))

    @torch.no_grad()
    def initialise_norms(self, halves: Halves, padding: Tensor) -> None:
        """Set both normalisations from the first training batch, once."""
        real = ~padding[:, 0, 0, :]
        for norm, half in zip((self.norm_first, self.norm_second), halves, strict=True):
            if not bool(norm.initialised):
                norm.initialise(half[real])
