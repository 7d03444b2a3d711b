"""Stage two: the best alignment, agreement of the two directions, cycle consistency, recomputed activations."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
import torch
from torch.nn import functional
from torch.utils.tensorboard import SummaryWriter

from model.bundle import BLANK_ID, DIRECTIONS, EN_DE, Direction
from model.config import TrainConfig
from model.ctc_alignment import best_alignment
from model.data.batches import Batch, pad
from model.losses import ctc_loss
from model.meter import Meter, Progress, UpdateReport
from model.objective import DuplexObjective
from model.precision import mixed_precision
from model.reder import Reder
from model.sparse_softmax import own_scores
from model.train import Trainer
from tests.model import toy
from tests.model.run_training import SETTINGS
from tests.model.test_train import assert_same_run

if TYPE_CHECKING:
    from pathlib import Path

    from torch import Tensor

    from model.data.packed import PackedCorpus
    from model.reversible import Halves

ON = TrainConfig(stage_two_update=10, agreement_weight=0.3, cycle_weight=0.2, label_smoothing=0.0)
SEED = 7


@pytest.fixture
def network() -> Reder:
    """A tiny network in training, with dropout, in float32."""
    torch.manual_seed(1)
    model = Reder(replace(toy.tiny(), dropout=0.3))
    toy.randomise_norms(model)
    return model.train()


@pytest.fixture
def batch() -> Batch:
    """Three pairs of different lengths."""
    generator = torch.Generator().manual_seed(2)

    def sentences(*lengths: int) -> list[list[int]]:
        return [torch.randint(2, toy.VOCABULARY_SIZE, (n,), generator=generator).tolist() for n in lengths]

    return Batch(pad(sentences(7, 5, 3)), pad(sentences(6, 5, 4)))


def test_best_alignment_is_the_best_of_all() -> None:
    """On tiny cases, the alignment found is the most probable of all that collapse to the target, found by trying."""
    generator = torch.Generator().manual_seed(3)
    frames, vocabulary = 6, 4
    for target in ([1], [1, 1], [1, 2], [2, 2, 1], [3, 1, 3], [1, 2, 3, 1]):
        log_probs = torch.randn(1, frames, vocabulary, generator=generator).log_softmax(dim=2)
        paths = [
            path
            for path in itertools.product(range(vocabulary), repeat=frames)
            if [token for token, _ in itertools.groupby(path) if token != BLANK_ID] == target
        ]
        best = max(paths, key=lambda path: sum(float(log_probs[0, t, token]) for t, token in enumerate(path)))
        found = best_alignment(log_probs, torch.tensor([frames]), torch.tensor([target]), torch.tensor([len(target)]))
        assert tuple(found[0].tolist()) == best


def test_best_alignment_ignores_padding() -> None:
    """A sentence in a batch of longer ones is aligned as it is alone, and blank past its end."""
    log_probs = torch.randn(20, 10, 6, generator=torch.Generator().manual_seed(4)).log_softmax(dim=2)
    targets = torch.tensor([[1, 2, 0, 0], [3, 3, 4, 5]] * 10)
    both = best_alignment(log_probs, torch.tensor([5, 10] * 10), targets, torch.tensor([2, 4] * 10))
    for row in range(0, 20, 2):
        alone = best_alignment(log_probs[[row], :5], torch.tensor([5]), targets[[row], :2], torch.tensor([2]))
        assert torch.equal(both[row, :5], alone[0])
        assert both[row, 5:].eq(BLANK_ID).all()


@torch.no_grad()
def test_dropout_repeats_with_its_seed(network: Reder, batch: Batch) -> None:
    """With dropout, the reverse direction still undoes a translation if the seed is the same, and only then."""
    source = batch.english
    padding = network.padding(source.ids, source.lengths)
    state = network.embed(source.ids)
    there = network.translate_states(EN_DE, state, padding, seed=SEED)
    back = network.translate_states(EN_DE.reverse, there, padding, seed=SEED)
    other = network.translate_states(EN_DE.reverse, there, padding, seed=SEED + 1)
    assert torch.allclose(back.first, state.first, atol=1e-4)
    assert not torch.allclose(other.first, state.first, atol=1e-1)


@pytest.mark.parametrize(
    ("kind", "tolerance"),
    [
        pytest.param(torch.float64, 1e-9, id="float64"),
        pytest.param(torch.float32, 1e-4, id="float32"),
        pytest.param(torch.bfloat16, 1e-4, id="autocast"),
    ],
)
@pytest.mark.parametrize("direction", DIRECTIONS, ids=str)
def test_recomputing_gives_the_same_gradients(
    network: Reder, batch: Batch, direction: Direction, kind: torch.dtype, tolerance: float
) -> None:
    """Undoing layers instead of storing their activations changes neither the loss nor any gradient, dropout on."""
    mixed = kind == torch.bfloat16
    network.to(torch.float32 if mixed else kind)
    source, target = batch.side(direction.source), batch.side(direction.target)
    gradients = []
    for recompute in (False, True):
        network.zero_grad(set_to_none=True)
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=mixed):
            scores = network(direction, source.ids, source.lengths, seed=SEED, recompute=recompute)
        # a plain function of the scores: CTC of this project sums in float32
        scores.logits.log_softmax(dim=2).gather(2, target.ids[:, :1, None].expand(-1, 6, -1)).mean().backward()
        gradients.append({name: p.grad for name, p in network.named_parameters() if p.grad is not None})
    assert gradients[0].keys() == gradients[1].keys()
    for name, expected in gradients[0].items():
        assert float((gradients[1][name] - expected).norm()) <= tolerance * float(expected.norm())


def test_recomputing_stores_no_activations(batch: Batch) -> None:
    """What the backward pass keeps does not grow with the number of layers."""

    def stored(layers: int, *, recompute: bool) -> int:
        torch.manual_seed(1)
        model = Reder(replace(toy.tiny(), layers_per_end=layers)).train()
        sizes: list[int] = []

        def note(tensor: Tensor) -> Tensor:
            sizes.append(tensor.numel())
            return tensor

        with torch.autograd.graph.saved_tensors_hooks(note, lambda tensor: tensor):
            model(EN_DE, batch.english.ids, batch.english.lengths, recompute=recompute)
        return sum(sizes)

    assert stored(4, recompute=True) == stored(2, recompute=True)
    assert stored(4, recompute=False) > 1.5 * stored(2, recompute=False)
    assert stored(2, recompute=True) < stored(2, recompute=False) / 2


def test_stage_one_is_ctc_alone(network: Reder, batch: Batch) -> None:
    """Before its update stage two adds nothing."""
    terms = DuplexObjective(network, ON)(batch, EN_DE, update=9, seed=SEED)
    assert terms.total.item() == pytest.approx(terms.nll.item(), rel=1e-6)
    assert terms.means == {}


@pytest.mark.parametrize("direction", DIRECTIONS, ids=str)
def test_terms_add_up(network: Reder, batch: Batch, direction: Direction) -> None:
    """The total is CTC plus the weighted terms, each for as many tokens as the target has."""
    terms = DuplexObjective(network, ON)(batch, direction, update=10, seed=SEED)
    tokens = batch.side(direction.target).lengths.sum()
    expected = terms.nll + tokens * (0.3 * terms.means["agreement"] + 0.2 * terms.means["cycle"])
    assert terms.total.item() == pytest.approx(expected.item(), rel=1e-5)
    assert 0 < terms.means["agreement"] < 2
    assert terms.means["cycle"] > 0


@pytest.mark.parametrize(
    ("settings", "left"),
    [(replace(ON, agreement_weight=0.0), "cycle"), (replace(ON, cycle_weight=0.0), "agreement")],
)
def test_a_term_without_weight_is_not_computed(network: Reder, batch: Batch, settings: TrainConfig, left: str) -> None:
    """It costs nothing and is not logged; the other one is as it was."""
    both = DuplexObjective(network, ON)(batch, EN_DE, update=10, seed=SEED)
    one = DuplexObjective(network, settings)(batch, EN_DE, update=10, seed=SEED)
    assert set(one.means) == {left}
    assert one.means[left].item() == pytest.approx(both.means[left].item(), rel=1e-3)
    assert one.nll.item() == pytest.approx(both.nll.item(), rel=1e-3)


def test_a_translation_longer_than_the_network_reads_is_cut(batch: Batch) -> None:
    """An untrained network may write a token on every frame, twice as many as it can read on the way back."""
    torch.manual_seed(1)
    model = Reder(replace(toy.tiny(), max_source_tokens=7, dropout=0.0)).train()
    with torch.no_grad():
        model.positions.weight.mul_(100.0)  # so that each frame says something else
    frames = model(EN_DE, batch.english.ids, batch.english.lengths).logits.argmax(dim=2)
    (written, _, _) = [[token for token, _ in itertools.groupby(row.tolist()) if token != BLANK_ID] for row in frames]
    assert len(written) > 7
    assert DuplexObjective(model, ON)(batch, EN_DE, update=10, seed=SEED).total.isfinite()


def test_agreement_as_defined(network: Reder, batch: Batch) -> None:
    """Agreement is 1 - cos, layer by layer, against the reverse run from the aligned target, which has no gradient."""
    source, target = batch.english, batch.german
    alone = replace(ON, stage_two_update=0, ctc_weight=0.0, cycle_weight=0.0)
    terms = DuplexObjective(network, alone)(batch, EN_DE, update=0, seed=SEED)
    padding = network.padding(source.ids, source.lengths)
    english, german = network.end("en"), network.end("de")
    with mixed_precision(torch.device("cpu")):
        forward = [english.normalise(network.embed(source.ids))]
        for layer in english.layers:
            forward.append(layer(forward[-1], padding, SEED))
        for layer in reversed(german.layers):
            forward.append(layer.inverse(forward[-1], padding, SEED))  # type: ignore[operator]
    with mixed_precision(torch.device("cpu")), torch.no_grad():
        logits = network(EN_DE, source.ids, source.lengths, seed=SEED).logits
        aligned = best_alignment(logits, source.lengths * 2, target.ids, target.lengths)
        reverse = [german.normalise(network.embed_frames(aligned))]
        for layer in german.layers:
            reverse.append(layer(reverse[-1], padding, SEED))
        for layer in reversed(english.layers):
            reverse.append(layer.inverse(reverse[-1], padding, SEED))  # type: ignore[operator]
    real = ~padding[:, 0, 0, :]
    distances = [1 - _cosine(a, b)[real].mean() for a, b in zip(forward[1:], reversed(reverse[:-1]), strict=True)]
    agreement = torch.stack(distances).mean()
    assert terms.means["agreement"].item() == pytest.approx(agreement.item(), rel=1e-3)
    weighted = alone.agreement_weight * target.lengths.sum() * agreement
    expected, found = (
        torch.autograd.grad(total, list(network.parameters()), materialize_grads=True)
        for total in (weighted, terms.total)
    )
    for ours, theirs in zip(found, expected, strict=True):
        assert float((ours - theirs).norm()) <= 1e-3 * float(theirs.norm())


def _cosine(left: Halves, right: Halves) -> Tensor:
    return functional.cosine_similarity(torch.cat(left, dim=2), torch.cat(right, dim=2), dim=2)


def test_cycle_as_defined(network: Reder, batch: Batch) -> None:
    """Cycle consistency equals its definition: CTC of the source, given its own greedy translation, per token."""
    network.eval()  # so that decoding below sees the same network, without dropout
    terms = DuplexObjective(network, ON)(batch, EN_DE, update=10, seed=SEED)
    source = batch.english
    with torch.no_grad(), mixed_precision(torch.device("cpu")):
        frames = network(EN_DE, source.ids, source.lengths).logits.argmax(dim=2)
        middle = pad(
            [
                [token for token, _ in itertools.groupby(row[: 2 * n].tolist()) if token != BLANK_ID] or [BLANK_ID]
                for row, n in zip(frames, source.lengths.tolist(), strict=True)
            ]
        )
        back = network(EN_DE.reverse, middle.ids, middle.lengths)
        expected = ctc_loss(own_scores(back.logits, back.lengths, source)).nll / source.lengths.sum()
    assert terms.means["cycle"].item() == pytest.approx(expected.item(), rel=1e-3)


def test_run_through_both_stages_resumes_exactly(small_corpus: PackedCorpus, tmp_path: Path) -> None:
    """A run stopped in stage one and resumed goes through stage two bit for bit like one that was not stopped."""
    settings = replace(SETTINGS, save_every=60.0, stage_two_update=3, recompute=True)
    recipes = [toy.recipe(small_corpus.path, replace(settings, max_updates=n)) for n in (2, 5)]
    straight = Trainer(recipes[1], small_corpus, tmp_path / "straight")
    straight.run()
    Trainer(recipes[0], small_corpus, tmp_path / "stopped").run()
    resumed = Trainer(recipes[1], small_corpus, tmp_path / "stopped")
    resumed.run()
    assert_same_run(straight, resumed)


def test_curves_of_stage_two_begin_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Means over twenty updates are of one stage: those that were noted before it are left out."""
    shown: dict[str, float] = {}
    monkeypatch.setattr(SummaryWriter, "add_scalar", lambda _, name, value, __: shown.update({name: value}))
    with SummaryWriter(str(tmp_path)) as curves:
        meter = Meter(Progress(), 40, curves)
        for losses in [{"nll": 9.0}] * 10 + [{"nll": 1.0, "cycle": 2.0}] * 20:
            meter.add(UpdateReport(losses, 0.5, 100))
        meter.close()
    assert shown.pop("train/tokens_per_second") > 0
    assert shown == {"train/nll": 1.0, "train/cycle": 2.0, "train/gradient_norm": 0.5}
