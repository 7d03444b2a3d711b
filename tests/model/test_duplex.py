"""Beam search and duplex reranking with a network."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import pytest
import torch
from torch.nn import functional

from model.baselines.beam import log_probs, score_pairs
from model.baselines.dual import Dual
from model.bundle import DIRECTIONS, Candidate, Direction, SearchSettings
from model.data.batches import pad
from model.decode import (
    Rescorer,
    find_candidates,
    first,
    rerank,
    translate,
    translate_all,
    translate_best,
    translate_qualities,
)
from model.tasks import TorchRunner

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
    """The chosen candidate has the highest log p(candidate | source) + weight x log p(source | candidate) of all."""
    settings = SearchSettings(beam=8, candidates=4, reverse_weight=0.7)
    runner = TorchRunner(network)
    chosen = translate_best(runner, tokenizer, direction, texts, settings)
    for text, result in zip(texts[:-1], chosen, strict=False):
        source = tokenizer.encode(text)
        (candidates,) = find_candidates(runner, direction, [source], settings)
        sums = {
            candidate.ids: candidate.log_prob + 0.7 * log_prob(network, direction.reverse, list(candidate.ids), source)
            for candidate in candidates
            if candidate.ids
        }
        assert result == tokenizer.decode(max(sums, key=lambda ids: sums[tuple(ids)]))
    assert chosen[-1] == ""


def test_long_candidates_are_read_as_far_as_the_network_reads(
    network: Reder, tokenizer: Tokenizer, pairs: list[Pair]
) -> None:
    """A candidate may have more tokens than a source may: on the way back what is beyond is left out."""
    direction, runner = DIRECTIONS[0], TorchRunner(network)
    longest = runner.max_source_tokens
    source = tokenizer.encode(" ".join(pair.english for pair in pairs[:9]))[:longest]
    candidates = [Candidate(tuple(range(start, start + 2 * longest)), -1.0) for start in (2, 90, 200)]
    sums = {
        candidate.ids: candidate.log_prob
        + 0.7 * log_prob(network, direction.reverse, list(candidate.ids[:longest]), source)
        for candidate in candidates
    }
    (ranked,) = rerank(runner, direction, [source], [candidates], 0.7)
    assert [candidate.ids for candidate in ranked] == sorted(sums, key=sums.__getitem__, reverse=True)


def test_weight_zero_keeps_the_order_of_the_beam(network: Reder, tokenizer: Tokenizer, texts: list[str]) -> None:
    """Without the reverse pass the beam's first candidate is the translation."""
    direction = DIRECTIONS[0]
    settings = SearchSettings(beam=8, reverse_weight=0.0)
    (candidates,) = find_candidates(TorchRunner(network), direction, [tokenizer.encode(texts[0])], settings)
    best = translate_best(TorchRunner(network), tokenizer, direction, texts[:1], settings)
    assert best == [tokenizer.decode(candidates[0].ids)]


def test_all_qualities_of_one_pass(network: Reder, tokenizer: Tokenizer, texts: list[str]) -> None:
    """Fast, good and best of one search are what each is by itself, of a text without tokens as well."""
    direction, runner = DIRECTIONS[0], TorchRunner(network)
    settings = SearchSettings(beam=8, candidates=4, reverse_weight=0.7)
    found = translate_qualities(runner, tokenizer, direction, texts, settings)
    assert found == {
        "fast": translate(runner, tokenizer, direction, texts),
        "good": translate_best(runner, tokenizer, direction, texts, settings.of_good()),
        "best": translate_best(runner, tokenizer, direction, texts, settings),
    }
    assert found["good"] != found["best"]


def test_teacher_has_its_say(network: Reder, tokenizer: Tokenizer, texts: list[str]) -> None:
    """With an autoregressive teacher the candidate chosen has the highest sum of all three scores."""
    torch.manual_seed(3)
    teacher = Dual(replace(network.config, architecture="dual")).eval()
    direction = DIRECTIONS[0]
    settings = SearchSettings(beam=8, candidates=4, reverse_weight=0.3)
    rescorer = Rescorer(partial(score_pairs, teacher), 5.0)
    runner = TorchRunner(network)
    chosen = first(translate_all(runner, tokenizer, direction, texts[:3], settings, teacher=rescorer))
    for text, result in zip(texts, chosen, strict=False):
        source = tokenizer.encode(text)
        (candidates,) = find_candidates(runner, direction, [source], settings)
        sums = {}
        for candidate in candidates:
            one = [list(candidate.ids)]
            back = log_prob(network, direction.reverse, one[0], source)
            opinion = float(log_probs(teacher, direction, pad([source]), pad(one)))
            sums[candidate.ids] = candidate.log_prob + 0.3 * back + 5.0 * opinion
        assert result == tokenizer.decode(max(sums, key=lambda ids: sums[tuple(ids)]))


def test_beam_finds_no_less_probable_texts_than_greedy(network: Reder, tokenizer: Tokenizer, texts: list[str]) -> None:
    """The first candidate is at least as probable as the greedy translation, all alignments counted."""
    direction = DIRECTIONS[0]
    runner = TorchRunner(network)
    for text, greedy in zip(texts[:-1], translate(runner, tokenizer, direction, texts), strict=False):
        source = tokenizer.encode(text)
        (candidates,) = find_candidates(runner, direction, [source], SearchSettings(beam=20))
        if greedy:
            ids = tokenizer.encode(greedy)
            assert candidates[0].log_prob >= log_prob(network, direction, source, ids) - 0.01
