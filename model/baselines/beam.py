"""Beam search for the autoregressive baseline: batched, cached, with a length penalty; and dual inference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor
from torch.nn import functional

from model.baselines.dual import BEGIN_ID, END_ID
from model.data.batches import Padded, by_length, pad, within
from model.decode import translate_batches
from model.losses import IGNORED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from model.baselines.dual import Dual
    from model.bundle import Direction, Tokenizer

__all__ = [
    "CROWDED",
    "BeamSettings",
    "Hypothesis",
    "beam_search",
    "log_probs",
    "score_pairs",
    "teacher_forcing",
    "translate_dual",
]

_IMPOSSIBLE = -1e9
CROWDED = 0.75
"""When no more than this share of a batch is unfinished, the rest is taken out of it."""


@dataclass(frozen=True, slots=True)
class BeamSettings:
    """How hard to look.

    Hypotheses are compared by log probability over ((5 + length) / 6) ** `length_penalty` (Wu et
    al. 2016). With `dual_weight` alpha below 1 the finished ones are compared by alpha x log p(y|x)
    + (1 - alpha) x log p(x|y) per token instead: dual inference, equation 7 of the paper, by the
    same network in the other direction.
    """

    beam: int = 4
    length_penalty: float = 0.6
    dual_weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A finished translation: token ids without marks, log p(y|x) with its end, and the score compared by."""

    ids: tuple[int, ...]
    log_prob: float
    score: float


def teacher_forcing(target: Padded) -> tuple[Tensor, Tensor]:
    """What the decoder reads and what it must predict: both int64 [batch, target_len + 1].

    Predictions past each sentence's end mark are `IGNORED`.
    """
    read = functional.pad(target.ids, (1, 0), value=BEGIN_ID)
    predict = functional.pad(target.ids, (0, 1), value=END_ID)
    predict = predict.masked_fill(~within(target.lengths, predict.shape[1]), END_ID)
    return read, predict.masked_fill(~within(target.lengths + 1, predict.shape[1]), IGNORED)


@torch.inference_mode()
def log_probs(model: Dual, direction: Direction, source: Padded, target: Padded) -> Tensor:
    """Log p(target | source), end mark included; float32 [batch]."""
    read, predict = teacher_forcing(target)
    logits = model(direction, source.ids, source.lengths, read).float()
    losses = functional.cross_entropy(logits.transpose(1, 2), predict, ignore_index=IGNORED, reduction="none")
    return -losses.sum(dim=1)


def score_pairs(model: Dual, direction: Direction, sources: list[list[int]], targets: list[list[int]]) -> list[float]:
    """Log p(target | source) of each pair of token ids, in batches of similar lengths."""
    device = model.embedding.weight.device
    results = [0.0] * len(sources)
    lengths = [max(len(source), len(target) + 1) for source, target in zip(sources, targets, strict=True)]
    for rows in by_length(lengths, _batch_tokens(model)):
        source, target = (pad([side[row] for row in rows]).to(device) for side in (sources, targets))
        for row, value in zip(rows, log_probs(model, direction, source, target).tolist(), strict=True):
            results[row] = value
    return results


@torch.inference_mode()
def beam_search(model: Dual, direction: Direction, source: Padded, settings: BeamSettings) -> list[list[Hypothesis]]:
    """The best hypotheses of each sentence, at most `beam`, the best first.

    A sentence is done when it has `beam` finished hypotheses. Twice the longest source of the batch
    and ten tokens is the limit; a sentence that has none by then gets what it has.
    """
    batch, beam = source.ids.shape[0], settings.beam
    device = source.ids.device
    finished: list[list[Hypothesis]] = [[] for _ in range(batch)]
    going = finished
    memory = model.encode(direction, source.ids, source.lengths).rows(
        torch.arange(batch, device=device).repeat_interleave(beam)
    )
    scores = torch.full((batch, beam), _IMPOSSIBLE, device=device)
    scores[:, 0] = 0.0  # all rows of a sentence start alike: only one counts
    tokens = torch.full((batch * beam,), BEGIN_ID, device=device)
    prefixes = torch.empty((batch * beam, 0), dtype=torch.int64, device=device)
    past: list[Tensor] | None = None
    for position in range(2 * source.ids.shape[1] + 10):
        logits, seen = model.step(direction, tokens, position, memory, past)
        grown = scores.unsqueeze(2) + logits.float().log_softmax(dim=1).view(len(going), beam, -1)
        grown[:, :, BEGIN_ID] = _IMPOSSIBLE
        # twice the beam, so that enough go on though all of the best may end here
        best, choice = grown.flatten(1).topk(2 * beam, dim=1)
        origin, token = choice // grown.shape[2], choice % grown.shape[2]
        ends = token == END_ID
        first_row = torch.arange(len(going), device=device).unsqueeze(1) * beam
        _collect(going, best[:, :beam], ends[:, :beam], prefixes[(first_row + origin)[:, :beam]], settings)
        unfinished = [place for place, found in enumerate(going) if len(found) < beam]
        if not unfinished:
            break
        scores, kept = best.masked_fill(ends, _IMPOSSIBLE).topk(beam, dim=1)
        rows, token = first_row + origin.gather(1, kept), token.gather(1, kept)
        if len(unfinished) <= CROWDED * len(going):
            left = torch.tensor(unfinished, device=device)
            going = [going[place] for place in unfinished]
            memory = memory.rows((left.unsqueeze(1) * beam + torch.arange(beam, device=device)).flatten())
            scores, rows, token = scores[left], rows[left], token[left]
        tokens = token.flatten()
        prefixes = torch.cat([prefixes.index_select(0, rows.flatten()), tokens.unsqueeze(1)], dim=1)
        past = [layer.index_select(1, rows.flatten()) for layer in seen]
    else:
        empty = torch.tensor([not found for found in going], device=device).unsqueeze(1).expand_as(scores)
        _collect(going, scores, empty, prefixes.view(len(going), beam, -1), settings)
    return [sorted(found, key=lambda entry: entry.score, reverse=True) for found in finished]


def _collect(
    finished: list[list[Hypothesis]], scores: Tensor, ends: Tensor, prefixes: Tensor, settings: BeamSettings
) -> None:
    """Take note of the hypotheses that end here, for sentences that have not enough yet.

    `scores` and `ends` are [batch, beam], `prefixes` [batch, beam, length].
    """
    penalty = ((5 + prefixes.shape[2] + 1) / 6) ** settings.length_penalty
    for sentence, rank in ends.nonzero().tolist():
        log_prob = float(scores[sentence, rank])
        if len(finished[sentence]) < settings.beam and log_prob > _IMPOSSIBLE / 2:
            ids = tuple(prefixes[sentence, rank].tolist())
            finished[sentence].append(Hypothesis(ids, log_prob, log_prob / penalty))


def translate_dual(
    model: Dual, tokenizer: Tokenizer, direction: Direction, texts: Sequence[str], settings: BeamSettings
) -> list[list[str]]:
    """For each text up to `beam` translations, the best first. Text past the longest source is left out."""

    def ranked(sources: list[list[int]]) -> list[list[tuple[int, ...]]]:
        found = beam_search(model, direction, pad(sources).to(model.embedding.weight.device), settings)
        if settings.dual_weight < 1:
            found = [
                _dual_order(model, direction, source, hypotheses, settings)
                for source, hypotheses in zip(sources, found, strict=True)
            ]
        return [[entry.ids for entry in hypotheses] for hypotheses in found]

    budget = _batch_tokens(model) // settings.beam
    return translate_batches(tokenizer, texts, ranked, longest=model.config.max_source_tokens, budget=budget)


def _batch_tokens(model: Dual) -> int:
    """Padded tokens that are best computed at once."""
    return 2048 if model.embedding.weight.device.type == "cpu" else 1 << 16


def _dual_order(
    model: Dual, direction: Direction, source: list[int], hypotheses: list[Hypothesis], settings: BeamSettings
) -> list[Hypothesis]:
    """The hypotheses of one sentence, compared by both directions; an empty one cannot be read back and comes last."""
    readable = [entry for entry in hypotheses if entry.ids]
    if not readable:
        return hypotheses
    reverse = score_pairs(model, direction.reverse, [list(entry.ids) for entry in readable], [source] * len(readable))
    alpha = settings.dual_weight
    scored = [
        (alpha * entry.log_prob / (len(entry.ids) + 1) + (1 - alpha) * back / (len(source) + 1), entry)
        for entry, back in zip(readable, reverse, strict=True)
    ]
    return [entry for _, entry in sorted(scored, key=lambda pair: pair[0], reverse=True)]
