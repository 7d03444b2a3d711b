"""How many multiply-adds one forward pass of REDER takes, counted from its shapes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from model.config import ModelConfig

__all__ = ["MultiplyAdds", "multiply_adds"]


@dataclass(frozen=True, slots=True)
class MultiplyAdds:
    """Of one batch.

    `weights` are products with the network's matrices, in int8 where the network is; `attention` are products of
    activations with each other, and with relative keys.
    """

    weights: int
    attention: int


def multiply_adds(config: ModelConfig, batch: int, source_tokens: int, weighed: int | None = None) -> MultiplyAdds:
    """Count what `model.reversible` and `model.reder` multiply.

    Args:
        config: the network's shape.
        batch: sentences.
        source_tokens: of each, padding included.
        weighed: tokens that the one of a frame is chosen from; all of the vocabulary, if not given.
    """
    frames = source_tokens * config.upsampling
    layers = 2 * config.layers_per_end
    projections = 4 * config.width * config.width  # query, key, value, output
    feed_forward = 2 * config.width * config.ffn_width
    vocabulary = config.width * (weighed or config.vocabulary_size)
    distances = 2 * config.relative_clip + 1  # every query with every relative key
    attention = frames * config.width * (frames + frames + distances)  # scores, context, relative scores
    return MultiplyAdds(
        weights=batch * frames * (layers * (projections + feed_forward) + vocabulary),
        attention=batch * layers * attention,
    )
