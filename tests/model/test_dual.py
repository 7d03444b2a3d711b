"""The autoregressive baseline: one set of parameters in two roles, cached beam search, dual inference."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch

from model.baselines.beam import BeamSettings, beam_search, log_probs, teacher_forcing, translate_dual
from model.baselines.dual import BEGIN_ID, END_ID, Dual
from model.baselines.greedy import greedy, translate_ids
from model.bundle import DIRECTIONS, EN_DE, Direction
from model.checkpoint import CheckpointError, load_model, load_network
from model.data.batches import Padded, pad
from model.decode import first
from model.train import Trainer
from tests.model import toy

if TYPE_CHECKING:
    from pathlib import Path

    from torch import Tensor

    from model.data.corpus import Pair
    from model.data.packed import PackedCorpus


@pytest.fixture
def network() -> Dual:
    """A tiny network with random weights, in float64."""
    torch.manual_seed(1)
    return Dual(replace(toy.tiny(), architecture="dual")).double().eval()


@pytest.fixture
def source() -> Padded:
    """Three sentences of different lengths."""
    return pad([[5, 9, 30, 12], [7], [22, 8, 8, 40, 41, 6]])


@pytest.fixture
def target() -> Padded:
    """As many translations."""
    return pad([[11, 12], [13, 5, 14, 9, 9], [15]])


def test_directions_share_the_components(network: Dual, source: Padded, target: Padded) -> None:
    """Each direction uses every parameter but the encoder's context attention; the other direction uses that."""
    used = {}
    for direction in DIRECTIONS:
        network.zero_grad(set_to_none=True)
        network(direction, source.ids, source.lengths, teacher_forcing(target)[0]).sum().backward()
        used[direction] = {name for name, p in network.named_parameters() if p.grad is not None}
        idle = {name for name, _ in network.named_parameters()} - used[direction]
        assert idle == {n for n in idle if n.startswith(f"ends.{direction.source}.") and "context" in n}
        assert idle
    assert set.union(*used.values()) == {name for name, _ in network.named_parameters()}
    sizes = {name: p.numel() for name, p in network.named_parameters()}
    shared = sum(sizes[name] for name in set.intersection(*used.values()))
    assert shared > network.parameter_count() / 2


@torch.no_grad()
def test_padding_changes_nothing(network: Dual, source: Padded, target: Padded) -> None:
    """A pair in a batch scores as it does alone."""
    together = log_probs(network, EN_DE, source, target)
    for row, (one, other) in enumerate(zip(_unpadded(source), _unpadded(target), strict=True)):
        alone = log_probs(network, EN_DE, pad([one]), pad([other]))
        assert alone.item() == pytest.approx(together[row].item(), rel=1e-5)


def _unpadded(side: Padded) -> list[list[int]]:
    return [row[:n] for row, n in zip(side.ids.tolist(), side.lengths.tolist(), strict=True)]


@pytest.mark.parametrize("direction", DIRECTIONS, ids=str)
@torch.no_grad()
def test_steps_equal_teacher_forcing(network: Dual, source: Padded, target: Padded, direction: Direction) -> None:
    """Decoding token by token from the cache gives what reading the whole target at once gives."""
    read, _ = teacher_forcing(target)
    whole = network(direction, source.ids, source.lengths, read)
    memory, past = network.encode(direction, source.ids, source.lengths), None
    for position in range(read.shape[1]):
        logits, past = network.step(direction, read[:, position], position, memory, past)
        torch.testing.assert_close(logits, whole[:, position], rtol=1e-9, atol=1e-9)


def test_predictions_end_and_padding_is_ignored(target: Padded) -> None:
    """The decoder reads a begin mark and the target, and must predict the target and an end mark."""
    read, predict = teacher_forcing(target)
    assert read[0].tolist() == [BEGIN_ID, 11, 12, 0, 0, 0]
    assert predict[0].tolist() == [11, 12, END_ID, -100, -100, -100]
    assert predict[1].tolist() == [13, 5, 14, 9, 9, END_ID]


@pytest.fixture(scope="module")
def short_sentences() -> Dual:
    """A network of six tokens that has learned to answer with one or two of them."""
    torch.manual_seed(2)
    network = Dual(replace(toy.tiny(vocabulary_size=6), architecture="dual")).train()
    optimizer = torch.optim.Adam(network.parameters(), lr=3e-3)
    source, target = pad([[2, 3], [4], [5, 5], [3]]), pad([[3], [2, 4], [5], [4, 4]])
    read, predict = teacher_forcing(target)
    for _ in range(40):
        optimizer.zero_grad()
        logits = network(EN_DE, source.ids, source.lengths, read)
        torch.nn.functional.cross_entropy(logits.transpose(1, 2), predict, ignore_index=-100).backward()
        optimizer.step()
    return network.eval()


@pytest.mark.parametrize("sentence", [[2, 3], [4], [5, 5, 2]])
def test_wide_beam_finds_the_best_of_all(short_sentences: Dual, sentence: list[int]) -> None:
    """The most probable hypothesis is the most probable of all targets up to three tokens, found by trying."""
    settings = BeamSettings(beam=30, length_penalty=0.0)
    (found,) = beam_search(short_sentences, EN_DE, pad([sentence]), settings)
    every = [ids for n in (1, 2, 3) for ids in itertools.product(range(2, 6), repeat=n)]
    scores = log_probs(short_sentences, EN_DE, pad([sentence] * len(every)), pad([list(ids) for ids in every]))
    best = every[int(scores.argmax())]
    assert max(found, key=lambda entry: entry.log_prob).ids == best
    for entry in found:
        if entry.ids in every:
            assert entry.log_prob == pytest.approx(scores[every.index(entry.ids)].item(), abs=1e-4)


def test_batch_is_searched_like_each_alone(short_sentences: Dual) -> None:
    """Sentences of a batch do not influence each other's beams."""
    settings = BeamSettings(beam=4)
    sentences = [[2, 3], [4], [5, 5, 2]]
    together = beam_search(short_sentences, EN_DE, pad(sentences), settings)
    for sentence, hypotheses in zip(sentences, together, strict=True):
        (alone,) = beam_search(short_sentences, EN_DE, pad([sentence]), settings)
        assert [entry.ids for entry in hypotheses] == [entry.ids for entry in alone]


def test_greedy_is_a_beam_of_one(short_sentences: Dual) -> None:
    """Greedy decoding finds what a beam of 1 finds, whatever else is in the batch and whenever that ends."""
    sentences = [[2, 3], [4], [5, 5, 2], [3], [5, 5], [4, 2, 2, 3]] * 3
    found = greedy(short_sentences, EN_DE, pad(sentences), longest=18)
    for sentence, ids in zip(sentences, found, strict=True):
        ((alone,),) = beam_search(short_sentences, EN_DE, pad([sentence]), BeamSettings(beam=1))
        assert tuple(ids) == alone.ids
    arrays = [np.array(sentence, np.uint16) for sentence in sentences]
    assert translate_ids(short_sentences, EN_DE, arrays, batch_tokens=5) == found


def test_begin_mark_is_never_written(short_sentences: Dual, monkeypatch: pytest.MonkeyPatch) -> None:
    """However likely a network takes it to be: it is no token of a translation."""
    source, step = pad([[2, 3], [4], [5, 5, 2]]), short_sentences.step

    def decoded() -> list[list[int]]:
        found = beam_search(short_sentences, EN_DE, source, BeamSettings(beam=1))
        return greedy(short_sentences, EN_DE, source, longest=18) + [list(entry.ids) for (entry,) in found]

    def misled(*arguments: Any) -> tuple[Tensor, list[Tensor]]:  # noqa: ANN401 - those of a step
        logits, past = step(*arguments)
        return logits.index_fill(1, torch.tensor(BEGIN_ID), 100.0), past

    expected = decoded()
    monkeypatch.setattr(short_sentences, "step", misled)
    assert decoded() == expected


def test_greedy_gives_nothing_without_an_end(short_sentences: Dual) -> None:
    """A sentence that has not ended within the steps allowed comes out empty."""
    assert greedy(short_sentences, EN_DE, pad([[2, 3], [4]]), longest=1) == [[], []]


@pytest.mark.filterwarnings("ignore:The .grad attribute of a Tensor that is not a leaf")
def test_compiled_network_is_validated() -> None:
    """Between updates of whatever shape it translates step by step: nothing is compiled for that."""
    network = Dual(replace(toy.tiny(layers_per_end=1), architecture="dual"))
    network.compile_layers(backend="eager")
    for count, length in ((5, 6), (1, 4), (2, 7), (4, 9)):
        source = pad([list(range(5, 5 + length))] * count)
        network.train()(EN_DE, source.ids, source.lengths, teacher_forcing(source)[0]).sum().backward()
        compiled = torch._dynamo.utils.counters["stats"].copy()
        assert len(beam_search(network.eval(), EN_DE, source, BeamSettings(beam=2))) == count
        assert torch._dynamo.utils.counters["stats"] == compiled


@pytest.fixture(scope="module")
def run(small_corpus: PackedCorpus, pairs: list[Pair], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run on 30 pairs, validated on the very same."""
    folder = tmp_path_factory.mktemp("dual")
    recipe = toy.overfitting_recipe(small_corpus, pairs[:30], folder, "dual", label_smoothing=0.1)
    trainer = Trainer(recipe, small_corpus, folder)
    trainer.run()
    trainer.write_mean()
    return folder


def test_trains_by_the_same_trainer(run: Path) -> None:
    """The same trainer teaches it both directions: it overfits 30 pairs to a BLEU over 95."""
    last = json.loads((run / "log.jsonl").read_text(encoding="utf-8").splitlines()[-1])
    assert min(score[0] for score in last["scores"].values()) > 95


def test_dual_inference_takes_the_best_sum(run: Path, small_corpus: PackedCorpus, pairs: list[Pair]) -> None:
    """With dual inference the translation has the best weighted mean of both directions' scores (equation 7)."""
    network, tokenizer = load_network(run / "mean.safetensors"), small_corpus.tokenizer()
    assert isinstance(network, Dual)
    settings = BeamSettings(beam=4, dual_weight=0.4)
    texts = [pair.english for pair in pairs[60:66]]  # not trained on: there is something to decide
    results = first(translate_dual(network, tokenizer, EN_DE, texts, settings))
    for text, result in zip(texts, results, strict=True):
        ids = tokenizer.encode(text)
        (found,) = beam_search(network, EN_DE, pad([ids]), settings)
        sums = {}
        for entry in found:
            back = log_probs(network, EN_DE.reverse, pad([list(entry.ids)]), pad([ids])).item()
            sums[entry.ids] = 0.4 * entry.log_prob / (len(entry.ids) + 1) + 0.6 * back / (len(ids) + 1)
        assert result == tokenizer.decode(max(sums, key=lambda ids: sums[tuple(ids)]))


def test_is_not_exported(run: Path) -> None:
    """What needs REDER says so when given this network."""
    with pytest.raises(CheckpointError, match="architecture 'dual'; this needs 'reder'"):
        load_model(run / "mean.safetensors")
