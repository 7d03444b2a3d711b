"""Beam search and duplex reranking with a network."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import torch
from torch.nn import functional

from model.bundle import DIRECTIONS, Direction
from model.decode import translate
from model.duplex import DuplexTranslator, Search
from tests.model import toy

if TYPE_CHECKING:
    from model.bundle import Tokenizer
    from model.data.corpus import Pair
    from model.reder import Reder


@pytest.fixture
def network(model: Reder) -> Reder:
    """In float32, sharp enough that the best path decides."""
    model = model.float()
    with torch.no_grad():
        model.embedding.weight.mul_(2.0)
    return model


@pytest.fixture
def texts(pairs: list[Pair]) -> list[str]:
    """A few sentences, and one that has no tokens."""
    return [*(pair.english for pair in pairs[:5]), ""]


def log_prob(network: Reder, direction: Direction, source: list[int], target: list[int]) -> float:
    """Log p(target | source), one sentence, by PyTorch's own CTC."""
    with torch.inference_mode():
        scores = network(direction, torch.tensor([source]), torch.tensor([len(source)]))
        frames = scores.logits.log_softmax(dim=2).transpose(0, 1)
        lengths = torch.tensor([len(target)])
        return -float(functional.ctc_loss(frames, torch.tensor([target]), scores.lengths, lengths, reduction="sum"))


@pytest.mark.parametrize("direction", DIRECTIONS, ids=str)
def test_reranking_takes_the_best_sum(
    network: Reder, tokenizer: Tokenizer, texts: list[str], direction: Direction
) -> None:
    """The chosen candidate has the highest log p(candidate | source) + log p(source | candidate) of all."""
    duplex = DuplexTranslator(network, tokenizer, Search(beam=8, tokens=4, candidates=4))
    chosen = duplex.translate(direction, texts)
    for text, result in zip(texts[:-1], chosen, strict=False):
        source = tokenizer.encode(text)
        (candidates,) = duplex.candidates(direction, [source])
        sums = {
            candidate.ids: candidate.log_prob + log_prob(network, direction.reverse, list(candidate.ids), source)
            for candidate in candidates
            if candidate.ids
        }
        assert result == tokenizer.decode(max(sums, key=lambda ids: sums[tuple(ids)]))
    assert chosen[-1] == ""


def test_weight_zero_keeps_the_order_of_the_beam(network: Reder, tokenizer: Tokenizer, texts: list[str]) -> None:
    """Without the reverse pass the beam's first candidate is the translation."""
    direction = DIRECTIONS[0]
    duplex = DuplexTranslator(network, tokenizer, Search(beam=8, tokens=4, reverse_weight=0.0))
    (candidates,) = duplex.candidates(direction, [tokenizer.encode(texts[0])])
    assert duplex.translate(direction, texts[:1]) == [tokenizer.decode(candidates[0].ids)]


def test_beam_finds_no_less_probable_texts_than_greedy(network: Reder, tokenizer: Tokenizer, texts: list[str]) -> None:
    """The first candidate is at least as probable as the greedy translation, all alignments counted."""
    direction = DIRECTIONS[0]
    duplex = DuplexTranslator(network, tokenizer, Search(beam=20, tokens=toy.VOCABULARY_SIZE // 10))
    for text, greedy in zip(texts[:-1], translate(network, tokenizer, direction, texts), strict=False):
        source = tokenizer.encode(text)
        (candidates,) = duplex.candidates(direction, [source])
        if greedy:
            assert candidates[0].log_prob >= log_prob(network, direction, source, tokenizer.encode(greedy)) - 1e-3
