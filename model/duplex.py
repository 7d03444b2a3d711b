"""Beam search, and reranking by the network itself run in reverse (duplex reranking).

A candidate is good if it is probable given the source, and if the source is probable given it. Two
networks, or a teacher, usually supply the second; here it is the same weights, run backwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch.nn import functional

from model.bundle import BLANK_ID
from model.bundle.beam import Candidate, prefix_beam_search
from model.data.batches import by_length, pad
from model.decode import translate_batches

if TYPE_CHECKING:
    from collections.abc import Sequence

    from model.bundle import Direction, Tokenizer
    from model.reder import Reder

__all__ = ["DuplexTranslator", "Search"]

_BATCH_TOKENS = 1024


@dataclass(frozen=True, slots=True)
class Search:
    """How hard to look.

    `beam` prefixes are kept after each frame, `tokens` tried on it. The `candidates` best are
    reranked by log p(candidate | source) + `reverse_weight` x log p(source | candidate); with
    weight 0 the beam's own order stands.
    """

    beam: int = 20
    tokens: int = 8
    candidates: int = 5
    reverse_weight: float = 1.0


class DuplexTranslator:
    """Translates with a network on its own device.

    Args:
        model: in evaluation mode.
        tokenizer: its vocabulary.
        search: how hard to look.
    """

    def __init__(self, model: Reder, tokenizer: Tokenizer, search: Search) -> None:
        self._model = model
        self._tokenizer = tokenizer
        self._search = search

    @torch.inference_mode()
    def translate(self, direction: Direction, texts: Sequence[str]) -> list[str]:
        """Translations, in order. Text past the longest source the network takes is left out."""

        def best(sources: list[list[int]]) -> list[tuple[int, ...]]:
            chosen = self._rerank(direction, sources, self.candidates(direction, sources))
            return [candidate.ids for candidate in chosen]

        longest = self._model.config.max_source_tokens
        return translate_batches(self._tokenizer, texts, best, longest=longest, budget=_BATCH_TOKENS)

    @torch.inference_mode()
    def candidates(self, direction: Direction, sources: list[list[int]]) -> list[list[Candidate]]:
        """The best candidates of each source, token ids in one batch, before reranking."""
        search = self._search
        source = pad(sources).to(self._model.embedding.weight.device)
        scores = self._model(direction, source.ids, source.lengths)
        log_probs, tokens = scores.logits.float().log_softmax(dim=2).topk(search.tokens, dim=2)
        found = []
        for row, count in enumerate(scores.lengths.tolist()):
            frames = tokens[row, :count].cpu().numpy(), log_probs[row, :count].cpu().numpy()
            found.append(prefix_beam_search(*frames, beam=search.beam, blank_id=BLANK_ID)[: search.candidates])
        return found

    def _rerank(self, direction: Direction, sources: list[list[int]], found: list[list[Candidate]]) -> list[Candidate]:
        """The best of each source's candidates; an empty one, which cannot be read back, comes last."""
        if not self._search.reverse_weight:
            return [candidates[0] for candidates in found]
        flat = [(row, candidate) for row, candidates in enumerate(found) for candidate in candidates if candidate.ids]
        best = {row: (float("-inf"), candidates[0]) for row, candidates in enumerate(found)}
        reverse = self._log_probs(
            direction.reverse, [list(candidate.ids) for _, candidate in flat], [sources[row] for row, _ in flat]
        )
        for (row, candidate), log_prob in zip(flat, reverse, strict=True):
            score = candidate.log_prob + self._search.reverse_weight * log_prob
            best[row] = max(best[row], (score, candidate), key=lambda entry: entry[0])
        return [candidate for _, candidate in best.values()]

    def _log_probs(self, direction: Direction, sources: list[list[int]], targets: list[list[int]]) -> list[float]:
        """Log of p(target | source) under all alignments; minus infinity where none fits."""
        limit = self._model.config.max_source_tokens
        device = self._model.embedding.weight.device
        results = [float("-inf")] * len(sources)
        for rows in by_length([len(source) for source in sources], _BATCH_TOKENS):
            source = pad([sources[row][:limit] for row in rows]).to(device)
            target = pad([targets[row] for row in rows]).to(device)
            scores = self._model(direction, source.ids, source.lengths)
            losses = functional.ctc_loss(
                scores.logits.float().log_softmax(dim=2).transpose(0, 1),
                target.ids,
                scores.lengths,
                target.lengths,
                blank=BLANK_ID,
                reduction="none",
            )
            for row, loss in zip(rows, losses.tolist(), strict=True):
                results[row] = -loss
        return results
