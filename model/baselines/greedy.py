"""Greedy decoding for the autoregressive baseline, many sentences at once: to translate a corpus on a GPU."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from model.baselines.beam import CROWDED
from model.baselines.dual import BEGIN_ID, END_ID
from model.data.batches import by_length, pad

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray
    from torch import Tensor

    from model.baselines.dual import Dual
    from model.bundle import Direction
    from model.data.batches import Padded

__all__ = ["greedy", "translate_ids"]

_LOOK_EVERY = 4
"""Steps between two looks at which sentences have ended: to look is to wait for the device."""


def translate_ids(
    model: Dual, direction: Direction, sources: Sequence[NDArray[np.integer]], *, batch_tokens: int
) -> list[list[int]]:
    """Greedy translations of token ids, in order; nothing for a source from which no end was found.

    Args:
        model: the teacher.
        direction: which way.
        sources: token ids of each sentence.
        batch_tokens: padded source tokens in a batch, at most.
    """
    device = model.embedding.weight.device
    found: list[list[int]] = [[] for _ in sources]
    for rows in by_length([len(ids) for ids in sources], batch_tokens):
        source = pad([sources[row] for row in rows])
        longest = 3 * source.ids.shape[1] // 2 + 10
        for row, ids in zip(rows, greedy(model, direction, source.to(device), longest=longest), strict=True):
            found[row] = ids
    return found


@torch.inference_mode()
def greedy(model: Dual, direction: Direction, source: Padded, *, longest: int) -> list[list[int]]:
    """The most probable next token, again and again.

    What is found is that of a beam search with a beam of 1, without scores.

    Args:
        model: the teacher.
        direction: which way.
        source: the batch.
        longest: steps to go at most, the end mark included.

    Returns:
        Token ids without marks for each sentence; nothing for one that has not ended by then.
    """
    batch, device = len(source.lengths), source.ids.device
    found: list[list[int]] = [[] for _ in range(batch)]
    memory = model.encode(direction, source.ids, source.lengths)
    places = torch.arange(batch, device=device)
    tokens = torch.full((batch,), BEGIN_ID, device=device)
    ended = torch.zeros(batch, dtype=torch.bool, device=device)
    written = torch.empty((batch, 0), dtype=torch.int64, device=device)
    past: list[Tensor] | None = None
    for position in range(longest):
        logits, past = model.step(direction, tokens, position, memory, past)
        logits[:, BEGIN_ID] = -torch.inf
        tokens = logits.argmax(dim=1)
        written = torch.cat([written, tokens.unsqueeze(1)], dim=1)
        ended |= tokens == END_ID
        last = position + 1 == longest
        if (position + 1) % _LOOK_EVERY and not last:
            continue
        left = (~ended).nonzero().squeeze(1)
        if len(left) > CROWDED * len(places) and not last:
            continue
        _collect(found, places[ended], written[ended])
        if not len(left):
            break
        places, tokens, ended, written = places[left], tokens[left], ended[left], written[left]
        memory, past = memory.rows(left), [layer.index_select(1, left) for layer in past]
    return found


def _collect(found: list[list[int]], places: Tensor, written: Tensor) -> None:
    """Note what was written in some places, up to the end mark."""
    lengths = (written == END_ID).to(torch.uint8).argmax(dim=1)
    for place, ids, length in zip(places.tolist(), written.cpu().numpy(), lengths.tolist(), strict=True):
        found[place] = ids[:length].tolist()
