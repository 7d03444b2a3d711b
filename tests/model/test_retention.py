"""What a network has learned stays while it learns something else."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
import torch

from model.bundle import DIRECTIONS, EN_DE
from model.checkpoint import save_weights
from model.data.batches import EpochSampler
from model.data.corpus import CorpusError
from model.reder import FrameScores, Reder
from model.retention import Retention, divergence
from model.train import Trainer, TrainingError
from tests.model import toy
from tests.model.run_training import SETTINGS

if TYPE_CHECKING:
    from pathlib import Path

    from model.config import Recipe
    from model.data.batches import Batch, Padded
    from model.data.packed import PackedCorpus


@pytest.fixture
def former(tmp_path: Path) -> Path:
    """Weights of a network that a run starts from."""
    torch.manual_seed(5)
    network = Reder(toy.tiny(dropout=0.1))
    toy.randomise_norms(network)
    path = tmp_path / "former.safetensors"
    save_weights(path, network)
    return path


def recipe(corpus: PackedCorpus, former: Path, weight: float, updates: int = 6) -> Recipe:
    """A run that learns `dialogue`, and is to make of `stories` what it made of them."""
    settings = replace(SETTINGS, max_updates=updates, retain_weight=weight, retained_from=former, save_every=60.0)
    plain = toy.recipe(corpus.path, SETTINGS)
    data = replace(plain.data, default_weight=0.0, weights={"dialogue": 1.0}, retained={"stories": 1.0})
    return replace(plain, data=data, train=settings)


def scores(network: Reder, batch: Batch) -> FrameScores:
    """What a network says of the English side, without dropout."""
    with torch.no_grad():
        found: FrameScores = network.eval()(EN_DE, batch.english.ids, batch.english.lengths)
    return found


def test_divergence_is_that_of_its_definition() -> None:
    """The sum over frames and tokens of p log(p/q), past the end of a sentence nothing; none of equal scores."""
    torch.manual_seed(1)
    before, now = torch.randn(2, 6, 9), torch.randn(2, 6, 9)
    lengths = torch.tensor([6, 2])
    p, q = before.softmax(2), now.softmax(2)
    by_frame = (p * (p / q).log()).sum(2)
    expected = by_frame[0].sum() + by_frame[1, :2].sum()
    torch.testing.assert_close(divergence(before, FrameScores(now, lengths)), expected)
    assert divergence(now, FrameScores(now, lengths)).abs() < 1e-5


def test_more_of_what_was_learned_is_retained(small_corpus: PackedCorpus, former: Path, tmp_path: Path) -> None:
    """After as many updates on other text the scores of text to be retained are nearer to those from before."""
    far = []
    for weight in (1e-9, 20.0):
        run = Trainer(recipe(small_corpus, former, weight, 25), small_corpus, tmp_path / str(weight), initial=former)
        assert run.retention is not None
        batch = run.retention.batch(0)
        assert isinstance(run.model, Reder)
        before = scores(run.model, batch).logits
        run.run()
        far.append(float(divergence(before, scores(run.model, batch))))
    assert far[1] < 0.7 * far[0]


def test_what_is_retained_is_drawn_apart(small_corpus: PackedCorpus, former: Path, tmp_path: Path) -> None:
    """An update counts the tokens of its own text only; the text to be retained is all of its sources and no other."""
    run = Trainer(recipe(small_corpus, former, 1.0), small_corpus, tmp_path / "run", initial=former)
    assert run.retention is not None
    names = [small_corpus.source_names[number] for number in small_corpus.sources]
    count = len(run.retention._epoch)
    kept = sum(len(run.retention.batch(update)) for update in range(count))
    assert kept == names.count("stories")
    assert torch.equal(run.retention.batch(0).english.ids, run.retention.batch(count).english.ids)
    own = run.sampler.epoch(0)[0]
    assert {names[index] for index in own} == {"dialogue"}
    report = run._update(next(run._batches()))
    assert report.tokens == sum(small_corpus.side(one.target).lengths[own].sum() for one in DIRECTIONS)
    assert report.losses["divergence"] > 0  # by dropout


def test_resuming_is_exact(small_corpus: PackedCorpus, former: Path, tmp_path: Path) -> None:
    """Stopping and starting again changes no bit."""
    straight = Trainer(recipe(small_corpus, former, 1.0), small_corpus, tmp_path / "straight", initial=former)
    straight.run()
    Trainer(recipe(small_corpus, former, 1.0, 2), small_corpus, tmp_path / "resumed", initial=former).run()
    resumed = Trainer(recipe(small_corpus, former, 1.0), small_corpus, tmp_path / "resumed")
    resumed.run()
    left, right = straight.model.state_dict(), resumed.model.state_dict()
    assert [name for name, tensor in left.items() if not torch.equal(tensor, right[name])] == []


def test_network_of_another_shape(small_corpus: PackedCorpus, tmp_path: Path) -> None:
    """What cannot be compared frame by frame is an error of training that names the file."""
    other = tmp_path / "other.safetensors"
    save_weights(other, Reder(toy.tiny(layers_per_end=1)))
    with pytest.raises(TrainingError, match=r"other\.safetensors has another shape"):
        Trainer(recipe(small_corpus, other, 1.0), small_corpus, tmp_path / "run")


def test_source_that_is_not_there(small_corpus: PackedCorpus, former: Path, tmp_path: Path) -> None:
    """Text to be retained from a source that the corpus lacks is an error that names it."""
    wrong = recipe(small_corpus, former, 1.0)
    wrong = replace(wrong, data=replace(wrong.data, retained={"subtitles": 1.0}))
    with pytest.raises(CorpusError, match=r"data\.retained names sources .* \['subtitles'\]"):
        Trainer(wrong, small_corpus, tmp_path / "run")


def test_rows_of_each_process(small_corpus: PackedCorpus, former: Path, tmp_path: Path) -> None:
    """Processes share a batch, each row comes in one of them; a batch without a row for each of them never comes."""
    run = Trainer(recipe(small_corpus, former, 1.0), small_corpus, tmp_path / "run", initial=former)
    assert isinstance(run.model, Reder)
    text = EpochSampler(small_corpus, run.recipe.data, batch_tokens=100, upsampling=2, seed=1)
    size = max(map(len, text.epoch(0)))
    shared = text.shared(0, size)
    assert len(shared) < len(text.epoch(0))
    retention = Retention(run.model, Reder(run.recipe.model), text, size=size)
    for update, _ in enumerate(text.epoch(0)):
        whole = text.load(shared[update % len(shared)]).english
        parts = [retention.batch(update, rank=rank).english for rank in range(size)]
        assert all(len(part.ids) for part in parts)
        assert sorted(map(rows, parts)) == sorted([row] for row in rows(whole))


def rows(side: Padded) -> list[list[int]]:
    """The sentences of one side of a batch."""
    return [ids[:length].tolist() for ids, length in zip(side.ids, side.lengths, strict=True)]
