"""Reversible Transformer layers (REDER section 2.2; Gomez et al. 2017).

A layer holds two halves of width d and can be run either way:

    forward   h1 = h1 + attention(h2);  h2 = h2 + feed_forward(h1)
    inverse   h2 = h2 - feed_forward(h1);  h1 = h1 - attention(h2)

The inverse subtracts what the forward added, so each undoes the other whatever the weights are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple, cast

import torch
from torch import Tensor, nn
from torch.nn import functional

if TYPE_CHECKING:
    from torch.autograd.function import FunctionCtx

    from model.config import ModelConfig

__all__ = [
    "ActNorm",
    "End",
    "FeedForward",
    "Halves",
    "RelativeSelfAttention",
    "ReversibleLayer",
    "Step",
    "reverse",
    "run",
    "run_recomputing",
]

_MASKED = -1e4
"""Score of a padded key: far below any real one, and within reach of float16."""


class Halves(NamedTuple):
    """The two halves of a reversible state, each [batch, frames, width]."""

    first: Tensor
    second: Tensor


Form = Callable[[Halves, Tensor, int], Halves]
"""A layer run one way: state, padding, dropout seed to state."""


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
        """Mix the frames of each sentence, normalised first.

        Args:
            states: [batch, frames, width].
            padding: bool [batch, 1, 1, frames], true where a frame is padding.

        Returns:
            [batch, frames, width].
        """
        batch, frames, width = states.shape
        head_width = width // self.heads
        query, key, value = (
            part.reshape(batch, frames, self.heads, head_width).transpose(1, 2)
            for part in self.query_key_value(_normalise(states)).split(width, dim=-1)
        )
        query = query * head_width**-0.5
        scores = query @ key.transpose(-1, -2) + self._relative_scores(query, frames)
        scores = scores.masked_fill(padding, _MASKED)
        weights = scores.softmax(dim=-1).to(value.dtype)
        context = (weights @ value).transpose(1, 2).contiguous().view(batch, frames, width)
        return cast("Tensor", self.output(context))

    def _relative_scores(self, query: Tensor, frames: int) -> Tensor:
        """q_i . r_clip(j - i) for all i and j: [batch, heads, frames, frames].

        Inference takes the product of every query with every distinct distance and gathers from it. The backward pass
        of a gather is slow; so in training the product has a column for each j - i, clipped or not, and one more, and
        shearing it lines distances up with keys.
        """
        relative_keys = self.relative_keys.to(query.dtype)
        if not torch.is_grad_enabled():
            place = torch.arange(frames, device=query.device)
            distinct = (place[None, :] - place[:, None]).clamp(-self.clip, self.clip) + self.clip
            return (query @ relative_keys.t()).gather(3, distinct.expand(*query.shape[:2], frames, frames))
        distances = torch.arange(1 - frames, frames + 1, device=query.device)
        by_distance = query @ relative_keys[distances.clamp(-self.clip, self.clip) + self.clip].t()
        return cast("Tensor", _shear(by_distance))


# Operators of their own: the kernels that the compiler would make of these two take ten times as long.


@torch.library.custom_op("reder::shear", mutates_args=())
def _shear(by_distance: Tensor) -> Tensor:
    """Turn [batch, heads, i, j - i + frames - 1] into [batch, heads, i, j]; the last of 2 * frames columns is lost."""
    return _sheared(by_distance).clone(memory_format=torch.contiguous_format)


@torch.library.custom_op("reder::unshear", mutates_args=())
def _unshear(gradient: Tensor) -> Tensor:
    """The backward pass of `_shear`."""
    by_distance = gradient.new_zeros(*gradient.shape[:3], 2 * gradient.shape[2])
    _sheared(by_distance).copy_(gradient)
    return by_distance


@_shear.register_fake
def _(by_distance: Tensor) -> Tensor:
    return by_distance.new_empty(*by_distance.shape[:3], by_distance.shape[2])


@_unshear.register_fake
def _(gradient: Tensor) -> Tensor:
    return gradient.new_empty(*gradient.shape[:3], 2 * gradient.shape[2])


@_shear.register_autograd
def _(_ctx: FunctionCtx, gradient: Tensor) -> Tensor:
    return cast("Tensor", _unshear(gradient))


def _sheared(by_distance: Tensor) -> Tensor:
    """A view: the rows read end to end, as rows shorter by one, which shifts row i left by i.

    The first `frames - 1` entries of each are dropped, so that row i starts at distance -i.
    """
    frames, columns = by_distance.shape[2:]
    flat = by_distance.flatten(2)[:, :, : frames * (columns - 1)]
    return flat.view(*flat.shape[:2], frames, columns - 1)[:, :, :, frames - 1 :]


class FeedForward(nn.Module):
    """A normalisation, then two linear maps with GELU between, frame by frame."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.inner = nn.Linear(config.width, config.ffn_width)
        self.outer = nn.Linear(config.ffn_width, config.width)

    def forward(self, states: Tensor) -> Tensor:
        """[batch, frames, width] to the same shape."""
        return cast("Tensor", self.outer(functional.gelu(self.inner(_normalise(states)))))


def _normalise(states: Tensor) -> Tensor:
    """LayerNorm without learned scale."""
    return functional.layer_norm(states, states.shape[-1:])


class ReversibleLayer(nn.Module):
    """Attention and feed-forward as a pair of reversible residuals.

    Both are pre-norm, with a LayerNorm that has no learned scale, and dropout on their output. The
    dropout masks depend on a seed and on `index`, the layer's place in the network, alone: a layer
    run again with the same seed, forward or in reverse, drops the same values. Forward-backward
    agreement needs that, and so does recomputing activations.
    """

    def __init__(self, config: ModelConfig, index: int) -> None:
        super().__init__()
        self.index = index
        self.attention = RelativeSelfAttention(config)
        self.feed_forward = FeedForward(config)
        self.dropout = config.dropout
        self._backend: str | None = None

    def compile_forms(self, backend: str) -> None:
        """Have PyTorch compile what training runs: each form as a whole, or if there is dropout all but that."""
        if self.dropout:  # its masks come from generators, which compiled code cannot hold
            self.attention.compile(dynamic=True, fullgraph=True, backend=backend)
            self.feed_forward.compile(dynamic=True, fullgraph=True, backend=backend)
        else:
            self._backend = backend

    def forms(self) -> tuple[Form, Form]:
        """`forward` and `inverse`, compiled or not."""
        if self._backend is None or not self.training:
            return self.forward, self.inverse
        forward, inverse = _compiled_forms(self._backend)
        # without the seed, which is another number at each call
        return (
            lambda halves, padding, _seed: forward(self, halves, padding),
            lambda halves, padding, _seed: inverse(self, halves, padding),
        )

    def forward(self, halves: Halves, padding: Tensor, seed: int = 0) -> Halves:
        """The regular form; shapes as in `Halves`, `padding` as in `RelativeSelfAttention`."""
        first = halves.first + self._attend(halves.second, padding, seed)
        return Halves(first, halves.second + self._feed(first, seed))

    def inverse(self, halves: Halves, padding: Tensor, seed: int = 0) -> Halves:
        """The reverse form: undoes `forward`, given the same seed."""
        second = halves.second - self._feed(halves.first, seed)
        return Halves(halves.first - self._attend(second, padding, seed), second)

    def _attend(self, states: Tensor, padding: Tensor, seed: int) -> Tensor:
        return self._drop(self.attention(states, padding), seed, 0)

    def _feed(self, states: Tensor, seed: int) -> Tensor:
        return self._drop(self.feed_forward(states), seed, 1)

    def _drop(self, states: Tensor, seed: int, part: int) -> Tensor:
        if not (self.dropout and self.training):
            return states
        generator = torch.Generator(states.device).manual_seed(hash((seed, self.index, part)))
        kept = torch.empty_like(states).bernoulli_(1 - self.dropout, generator=generator)
        return states * kept / (1 - self.dropout)


@cache
def _compiled_forms(backend: str) -> tuple[Callable[..., Halves], Callable[..., Halves]]:
    """Both forms of a layer, the layer being an argument: all layers share what is compiled."""
    compiled = partial(torch.compile, dynamic=True, fullgraph=True, backend=backend)
    return compiled(ReversibleLayer.forward), compiled(ReversibleLayer.inverse)


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

    Args:
        config: the network's shape.
        first_index: the place of the first layer in the network (see `ReversibleLayer`).
    """

    def __init__(self, config: ModelConfig, first_index: int) -> None:
        super().__init__()
        self.norm_first = ActNorm(config.width)
        self.norm_second = ActNorm(config.width)
        self.layers = nn.ModuleList(ReversibleLayer(config, first_index + n) for n in range(config.layers_per_end))

    def normalise(self, halves: Halves) -> Halves:
        """Embedding to what enters the layers."""
        return Halves(self.norm_first(halves.first), self.norm_second(halves.second))

    def denormalise(self, halves: Halves) -> Halves:
        """Undo `normalise`."""
        return Halves(self.norm_first.inverse(halves.first), self.norm_second.inverse(halves.second))

    def steps(self) -> list[Step]:
        """The layers in the order that text coming in meets them."""
        layers = [cast("ReversibleLayer", layer) for layer in self.layers]
        return [Step(*layer.forms(), layer) for layer in layers]

    def forward(self, halves: Halves, padding: Tensor) -> Halves:
        """Embedding side to inner side; shapes as in `Halves`."""
        return run(self.steps(), self.normalise(halves), padding)

    def inverse(self, halves: Halves, padding: Tensor) -> Halves:
        """Inner side to embedding side; shapes as in `Halves`."""
        return self.denormalise(run(reverse(self.steps()), halves, padding))

    @torch.no_grad()
    def initialise_norms(self, halves: Halves, padding: Tensor) -> None:
        """Set both normalisations from the first training batch, once."""
        real = ~padding[:, 0, 0, :]
        for norm, half in zip((self.norm_first, self.norm_second), halves, strict=True):
            if not bool(norm.initialised):
                norm.initialise(half[real])


class Step(NamedTuple):
    """One layer on a path through the network, in the form the path uses it, and the form that undoes that."""

    run: Form
    undo: Form
    layer: ReversibleLayer


def reverse(steps: Sequence[Step]) -> list[Step]:
    """The path walked back."""
    return [Step(step.undo, step.run, step.layer) for step in reversed(steps)]


def run(steps: Sequence[Step], halves: Halves, padding: Tensor, seed: int = 0) -> Halves:
    """Walk a path."""
    for step in steps:
        halves = step.run(halves, padding, seed)
    return halves


def run_recomputing(steps: Sequence[Step], halves: Halves, padding: Tensor, seed: int = 0) -> Halves:
    """Walk a path and keep nothing but its end: the backward pass undoes each layer to find its input again.

    Same values and gradients as `run`, up to rounding, in memory that does not grow with depth, for
    about a third more computation (Gomez et al. 2017, algorithm 1). Gradients of the layers'
    parameters are added to `.grad` directly, so it serves `backward()`, not `autograd.grad`.
    """
    return Halves(*_Recomputing.apply(halves.first, halves.second, padding, seed, steps))  # type: ignore[no-untyped-call]


class _Recomputing(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: FunctionCtx, first: Tensor, second: Tensor, padding: Tensor, seed: int, steps: Sequence[Step]
    ) -> tuple[Tensor, Tensor]:
        end = run(steps, Halves(first, second), padding, seed)
        kind = first.device.type
        ctx.save_for_backward(*end, padding)
        ctx.plan = (steps, seed)  # type: ignore[attr-defined]
        ctx.autocast = (kind, torch.get_autocast_dtype(kind), torch.is_autocast_enabled(kind))  # type: ignore[attr-defined]
        return end

    @staticmethod
    def backward(ctx: FunctionCtx, *gradients: Tensor) -> tuple[Tensor, Tensor, None, None, None]:
        first, second, padding = ctx.saved_tensors  # type: ignore[attr-defined]
        steps, seed = ctx.plan  # type: ignore[attr-defined]
        kind, dtype, enabled = ctx.autocast  # type: ignore[attr-defined]
        state, flowing = Halves(first, second), Halves(*gradients)
        for step in reversed(steps):
            with torch.autocast(kind, dtype=dtype, enabled=enabled):
                with torch.no_grad():
                    state = step.undo(state, padding, seed)
                inputs = Halves(state.first.detach().requires_grad_(), state.second.detach().requires_grad_())
                with torch.enable_grad():
                    outputs = step.run(inputs, padding, seed)
            torch.autograd.backward(outputs, flowing)
            flowing = Halves(_gradient(inputs.first), _gradient(inputs.second))
        return flowing.first, flowing.second, None, None, None


def _gradient(tensor: Tensor) -> Tensor:
    return torch.zeros_like(tensor) if tensor.grad is None else tensor.grad
