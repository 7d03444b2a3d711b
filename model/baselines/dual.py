"""Model-Level Dual Learning (Xia et al., ICML 2018): one autoregressive Transformer for both directions.

What was chosen:

- One component per language. In en-de the English component encodes and the German one decodes; in
  de-en they change roles. Every parameter of a component but its context attention serves in both
  roles (section 2.1).
- An encoding component has the *null context*: its context attention adds zero (equation 4).
- Pre-norm blocks: self-attention, context attention, feed-forward. Sinusoidal positions.
- One joint vocabulary; one embedding matrix for both languages, input and output, as in the
  paper's WMT setting.
- The tokenizer has no marks for begin and end. The blank begins a sentence and the unknown token
  ends it: neither occurs in text.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple, cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from model.bundle import BLANK_ID, EN_DE, UNKNOWN_ID, Direction
from model.data.batches import within

if TYPE_CHECKING:
    from collections.abc import Callable

    from model.config import ModelConfig

__all__ = ["BEGIN_ID", "END_ID", "Component", "Dual", "Memory"]

BEGIN_ID = BLANK_ID
END_ID = UNKNOWN_ID

# cuDNN plans anew for every shape, and here nearly every batch has another: 9 ms a call where the others take none
torch.backends.cuda.enable_cudnn_sdp(enabled=False)


class Attention(nn.Module):
    """Multi-head attention, fused where the device has a kernel for it."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.heads = config.heads
        self.dropout = config.dropout
        self.query = nn.Linear(config.width, config.width)
        self.key_value = nn.Linear(config.width, 2 * config.width)
        self.output = nn.Linear(config.width, config.width)

    def keys_values(self, states: Tensor) -> Tensor:
        """What is attended to, [2, batch, heads, length, head width]: keys, then values."""
        batch, length, width = states.shape
        mixed = cast("Tensor", self.key_value(states))
        return mixed.view(batch, length, 2, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)

    def forward(self, states: Tensor, keys_values: Tensor, allowed: Tensor | None) -> Tensor:
        """Attend.

        Args:
            states: [batch, length, width], who asks.
            keys_values: from `keys_values`.
            allowed: bool, broadcast to [batch, heads, length, keys]; None allows all.
        """
        batch, length, width = states.shape
        query = self.query(states).view(batch, length, self.heads, width // self.heads).transpose(1, 2)
        key, value = keys_values
        dropout = self.dropout if self.training else 0.0
        context = _attend(query, key, value, allowed, dropout)
        return cast("Tensor", self.output(context.transpose(1, 2).reshape(batch, length, width)))


def _attend(query: Tensor, key: Tensor, value: Tensor, allowed: Tensor | None, dropout: float) -> Tensor:
    """Scaled dot-product attention; written out on a CPU, where the fused kernel is six times slower on bfloat16."""
    if query.device.type != "cpu":
        return functional.scaled_dot_product_attention(query, key, value, attn_mask=allowed, dropout_p=dropout)
    scores = (query * query.shape[-1] ** -0.5) @ key.transpose(2, 3)
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    return functional.dropout(scores.softmax(dim=3), dropout, training=True) @ value


class Block(nn.Module):
    """Self-attention, attention to the context if there is one, feed-forward; each pre-norm and residual."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.self_norm = nn.LayerNorm(config.width)
        self.self_attention = Attention(config)
        self.context_norm = nn.LayerNorm(config.width)
        self.context_attention = Attention(config)
        self.feed_norm = nn.LayerNorm(config.width)
        self.inner = nn.Linear(config.width, config.ffn_width)
        self.outer = nn.Linear(config.ffn_width, config.width)
        self.dropout = nn.Dropout(config.dropout)

    def form(self) -> Callable[..., tuple[Tensor, Tensor]]:
        """`forward`, compiled if that is wanted: for training only, since decoding step by step has too many shapes."""
        return self if self.training else self.forward

    def forward(
        self,
        states: Tensor,
        allowed: Tensor | None,
        context: Tensor | None = None,
        context_allowed: Tensor | None = None,
        past: Tensor | None = None,
    ) -> tuple[Tensor, Tensor]:
        """One block.

        Args:
            states: [batch, length, width].
            allowed: which positions each may see, the past included.
            context: keys and values of the other component's output; None is the null context.
            context_allowed: which of those count.
            past: keys and values of the positions before these, when decoding step by step.

        Returns:
            The new states, and keys and values of all positions so far.
        """
        normed = self.self_norm(states)
        seen = self.self_attention.keys_values(normed)
        if past is not None:
            seen = torch.cat([past, seen], dim=3)
        states = states + self.dropout(self.self_attention(normed, seen, allowed))
        if context is not None:
            states = states + self.dropout(self.context_attention(self.context_norm(states), context, context_allowed))
        fed = self.outer(self.dropout(functional.gelu(self.inner(self.feed_norm(states)))))
        return states + self.dropout(fed), seen


class Memory(NamedTuple):
    """An encoded batch as the other component attends to it.

    `context` holds keys and values for each of its blocks; `allowed` is bool [batch, 1, 1, source_len].
    """

    context: list[Tensor]
    allowed: Tensor

    def rows(self, index: Tensor) -> Memory:
        """Some rows, in the order of `index`, repeats included."""
        return Memory([layer.index_select(1, index) for layer in self.context], self.allowed.index_select(0, index))


class Component(nn.Module):
    """One language's component: encoder and decoder in one."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.blocks = nn.ModuleList(Block(config) for _ in range(config.layers_per_end))
        self.norm = nn.LayerNorm(config.width)

    def encode(self, states: Tensor, allowed: Tensor) -> Tensor:
        """With the null context, seeing all that is `allowed`: [batch, length, width] to the same shape."""
        for block in self.blocks:
            states, _ = cast("Block", block).form()(states, allowed)
        return cast("Tensor", self.norm(states))

    def remember(self, encoded: Tensor, allowed: Tensor) -> Memory:
        """What the other component encoded, as keys and values for every block of this one."""
        blocks = [cast("Block", block) for block in self.blocks]
        return Memory([block.context_attention.keys_values(encoded) for block in blocks], allowed)

    def decode(self, states: Tensor, memory: Memory, past: list[Tensor] | None = None) -> tuple[Tensor, list[Tensor]]:
        """Decode positions from left to right.

        Args:
            states: [batch, length, width]; with `past`, of one new position.
            memory: from `remember`.
            past: what this method returned for the positions before.

        Returns:
            States to predict from, and the past to hand in next time.
        """
        length = states.shape[1]
        allowed = None if past else torch.ones(length, length, dtype=torch.bool, device=states.device).tril()
        seen = []
        for number, block in enumerate(self.blocks):
            before = past[number] if past else None
            form = cast("Block", block).form()
            states, keys_values = form(states, allowed, memory.context[number], memory.allowed, before)
            seen.append(keys_values)
        return self.norm(states), seen


class Dual(nn.Module):
    """The network. Each direction uses both components, in opposite roles."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.vocabulary_size, config.width)
        nn.init.normal_(self.embedding.weight, std=config.width**-0.5)
        self.dropout = nn.Dropout(config.dropout)
        self.ends = nn.ModuleDict({language: Component(config) for language in (EN_DE.source, EN_DE.target)})

    def component(self, language: str) -> Component:
        """One language's component."""
        return cast("Component", self.ends[language])

    def embed(self, ids: Tensor, start: int = 0) -> Tensor:
        """Scaled embedding plus position: int64 [batch, length] to [batch, length, width].

        Args:
            ids: tokens.
            start: position of the first.
        """
        scaled = self.embedding(ids) * math.sqrt(self.config.width)
        return cast("Tensor", self.dropout(scaled + self._positions(start, ids.shape[1], scaled)))

    def _positions(self, start: int, length: int, like: Tensor) -> Tensor:
        half = self.config.width // 2
        rates = torch.exp(torch.arange(half, device=like.device) * (-math.log(10_000.0) / max(1, half - 1)))
        angles = torch.arange(start, start + length, device=like.device).unsqueeze(1) * rates
        return torch.cat([angles.sin(), angles.cos()], dim=1).to(like.dtype)

    def encode(self, direction: Direction, source_ids: Tensor, source_lengths: Tensor) -> Memory:
        """Run the source language's component as an encoder.

        Args:
            direction: whose source and target name the components.
            source_ids: int64 [batch, source_len], padded on the right.
            source_lengths: int64 [batch].
        """
        allowed = within(source_lengths, source_ids.shape[1])[:, None, None, :]
        encoded = self.component(direction.source).encode(self.embed(source_ids), allowed)
        return self.component(direction.target).remember(encoded, allowed)

    def forward(self, direction: Direction, source_ids: Tensor, source_lengths: Tensor, target_ids: Tensor) -> Tensor:
        """Teacher forcing: predict every next token of known targets.

        Args:
            direction: which way.
            source_ids: int64 [batch, source_len], padded on the right.
            source_lengths: int64 [batch].
            target_ids: int64 [batch, target_len], starting with `BEGIN_ID`.

        Returns:
            Logits, [batch, target_len, vocabulary]: position t predicts token t + 1.
        """
        memory = self.encode(direction, source_ids, source_lengths)
        states, _ = self.component(direction.target).decode(self.embed(target_ids), memory)
        return states @ self.embedding.weight.t()

    def step(
        self, direction: Direction, tokens: Tensor, position: int, memory: Memory, past: list[Tensor] | None
    ) -> tuple[Tensor, list[Tensor]]:
        """Predict one token further, from the last tokens [batch] at `position` and the past of the earlier ones.

        Returns:
            Logits [batch, vocabulary], and the past for the next step.
        """
        states, seen = self.component(direction.target).decode(self.embed(tokens.unsqueeze(1), position), memory, past)
        return states[:, 0] @ self.embedding.weight.t(), seen

    def compile_layers(self, backend: str = "inductor") -> None:
        """Have PyTorch compile the blocks for training, at first use; for any batch and length."""
        for component in self.ends.values():
            for block in cast("Component", component).blocks:
                block.compile(dynamic=True, fullgraph=True, backend=backend)

    def parameter_count(self) -> int:
        """Number of trained scalars; the same for both directions."""
        return sum(parameter.numel() for parameter in self.parameters())
