"""Training runs: exact resume, orderly stops, clear failures, the best networks kept."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
import pytest
import torch

from model.bundle import DIRECTIONS
from model.checkpoint import (
    CheckpointError,
    load_model,
    load_training,
    save_training,
    save_weights,
)
from model.config import ConfigError
from model.data.corpus import CorpusError
from model.distributed import Group
from model.reder import Reder
from model.train import Trainer, TrainingError, _alone_in
from tests.model import toy
from tests.model.faults import full_disk
from tests.model.run_training import SETTINGS

if TYPE_CHECKING:
    from model.bundle import Direction
    from model.config import Recipe, Way
    from model.data.batches import Batch
    from model.data.corpus import Pair
    from model.data.packed import PackedCorpus
    from model.meter import Progress
    from model.objective import Objective, Terms


@pytest.fixture
def corpus(small_corpus: PackedCorpus) -> PackedCorpus:
    """Three batches an epoch."""
    return small_corpus


ROOT = Path(__file__).parents[2]
PATIENCE = 120
"""Seconds until a process that gives no sign counts as hanging."""


def recipe(corpus: PackedCorpus, updates: int, **changes: object) -> Recipe:
    """A run with dropout that saves at its end only, unless told otherwise."""
    settings = replace(SETTINGS, max_updates=updates, save_every=60.0)
    return toy.recipe(corpus.path, replace(settings, **changes))  # type: ignore[arg-type]


def weights(trainer: Trainer) -> dict[str, torch.Tensor]:
    """A copy of the network's state."""
    return {name: tensor.clone() for name, tensor in trainer.model.state_dict().items()}


def assert_same_run(left: Trainer, right: Trainer) -> None:
    """Two runs stand at the same point bit for bit, and go on to the same next update."""
    assert where(left.progress) == where(right.progress)
    for _ in range(2):
        states = weights(left), weights(right)
        assert [name for name, tensor in states[0].items() if not torch.equal(tensor, states[1][name])] == []
        reports = [trainer._update(next(trainer._batches())) for trainer in (left, right)]
        assert reports[0] == reports[1]


def where(progress: Progress) -> tuple[int, int, int, int]:
    """What of the progress does not depend on the clock."""
    return progress.update, progress.epoch, progress.batch, progress.tokens


@pytest.mark.parametrize(
    ("architecture", "optimizer", "average_exponent"),
    [("reder", "adam", None), ("reder", "muon", None), ("reder", "muon", 4.0), ("dual", "adam", None)],
)
@pytest.mark.parametrize("stop", [1, 5])
def test_resume_is_exact(
    corpus: PackedCorpus,
    tmp_path: Path,
    architecture: Literal["reder", "dual"],
    optimizer: str,
    average_exponent: float | None,
    stop: int,
) -> None:
    """Stopping and starting again, within an epoch or past it, changes no bit: weights, data order, dropout, loss."""

    def run(updates: int) -> Recipe:
        plain = recipe(corpus, updates, optimizer=optimizer, average_exponent=average_exponent)
        return replace(plain, model=replace(plain.model, architecture=architecture))

    straight = Trainer(run(7), corpus, tmp_path / "straight")
    assert len(straight.sampler.epoch(0)) == 3
    straight.run()
    Trainer(run(stop), corpus, tmp_path / "resumed").run()
    resumed = Trainer(run(7), corpus, tmp_path / "resumed")
    assert resumed.progress.update == stop
    torch.rand(3)  # random numbers drawn elsewhere do not matter
    resumed.run()
    assert_same_run(straight, resumed)


def test_seed_decides_the_run(corpus: PackedCorpus, tmp_path: Path) -> None:
    """Equal seeds give equal runs, another seed another."""
    seeds = {"a": 1, "b": 1, "c": 2}
    runs = [Trainer(recipe(corpus, 2, seed=seed), corpus, tmp_path / name) for name, seed in seeds.items()]
    for run in runs:
        run.run()
    states = [weights(run)["embedding.weight"] for run in runs]
    assert torch.equal(states[0], states[1])
    assert not torch.equal(states[0], states[2])


def test_killed_run_resumes(corpus: PackedCorpus, tmp_path: Path) -> None:
    """A process killed without warning leaves a whole checkpoint, from which the run goes on exactly."""
    command = [sys.executable, "-m", "tests.model.run_training", str(corpus.path), str(tmp_path / "killed"), "100000"]
    checkpoint, errors = tmp_path / "killed" / "training.pt", tmp_path / "errors.txt"
    with errors.open("w") as stream:
        process = subprocess.Popen(command, cwd=ROOT, stderr=stream)
    try:
        deadline = time.monotonic() + PATIENCE
        while not (checkpoint.exists() and load_training(checkpoint)["progress"]["update"] >= 3):
            assert process.poll() is None, errors.read_text(encoding="utf-8")
            assert time.monotonic() < deadline, errors.read_text(encoding="utf-8")
            time.sleep(0.05)
    finally:
        process.kill()
        process.wait()
    reached = load_training(checkpoint)["progress"]["update"]
    runs = [Trainer(recipe(corpus, reached + 3), corpus, tmp_path / name) for name in ("killed", "straight")]
    assert runs[0].progress.update == reached
    for run in runs:
        run.run()
    assert_same_run(runs[0], runs[1])


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signal_stops_in_order(corpus: PackedCorpus, tmp_path: Path, number: signal.Signals) -> None:
    """A signal ends the run after the update at hand, saved; the next start goes on from there."""
    trainer = Trainer(recipe(corpus, 100_000), corpus, tmp_path)
    previous = signal.getsignal(number)

    def send() -> None:
        while trainer.progress.update < 2:
            time.sleep(0.005)
        os.kill(os.getpid(), number)

    sender = threading.Thread(target=send, daemon=True)
    sender.start()
    progress = trainer.run()
    sender.join(PATIENCE)
    assert 2 <= progress.update < 100_000
    assert signal.getsignal(number) is previous
    resumed = Trainer(recipe(corpus, progress.update + 2), corpus, tmp_path)
    assert where(resumed.progress) == where(progress)
    assert resumed.run().update == progress.update + 2


@pytest.mark.parametrize("minutes", [1e-9, 0.0])
def test_time_limit_stops_in_order(corpus: PackedCorpus, tmp_path: Path, minutes: float) -> None:
    """A run whose time is up saves what it has; the next start goes on."""
    trainer = Trainer(recipe(corpus, 3), corpus, tmp_path)
    assert trainer.run(minutes=minutes).update == 0
    assert (tmp_path / "training.pt").exists()
    assert Trainer(recipe(corpus, 3), corpus, tmp_path).run().update == 3


def test_run_ends_by_the_clock(corpus: PackedCorpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that has trained for as long as its recipe says, interruptions left out, ends and stays ended."""
    monkeypatch.setattr(Trainer, "_mean", lambda _trainer, _seconds: 1.0)
    settings = {"max_minutes": 2.9 / 60, "schedule": "hold", "decay_minutes": 0.01}
    assert Trainer(recipe(corpus, 2, **settings), corpus, tmp_path).run().update == 2
    for _ in range(2):
        assert Trainer(recipe(corpus, 1000, **settings), corpus, tmp_path).run().update == 3


def test_every_pass_drops_other_values(corpus: PackedCorpus, tmp_path: Path) -> None:
    """No two updates, directions, parts of a batch or processes share a dropout mask."""
    seeds: list[int] = []

    def noted(objective: Objective) -> Objective:
        def note(batch: Batch, direction: Direction, *, update: int, seed: int) -> Terms:
            seeds.append(seed)
            return objective(batch, direction, update=update, seed=seed)

        return note

    for rank in (0, 1):
        run = Trainer(recipe(corpus, 2, micro_batch_tokens=200), corpus, tmp_path / str(rank), group=Group(rank=rank))
        run.objective = noted(run.objective)
        batches = run._batches()
        for _ in range(2):
            run._update(next(batches))
    assert len(seeds) > 2 * 2 * 2
    assert len(set(seeds)) == len(seeds)


def test_finished_run_stays_finished(corpus: PackedCorpus, tmp_path: Path) -> None:
    """Starting a finished run again trains no further."""
    done = Trainer(recipe(corpus, 3), corpus, tmp_path)
    done.run()
    again = Trainer(recipe(corpus, 3), corpus, tmp_path)
    again.run()
    assert_same_run(done, again)


def test_loss_that_is_no_number(corpus: PackedCorpus, tmp_path: Path) -> None:
    """A run that diverges ends with a clear error; the checkpoint before it is untouched and can be resumed."""
    Trainer(recipe(corpus, 2), corpus, tmp_path).run()
    before = (tmp_path / "training.pt").read_bytes()
    diverging = Trainer(recipe(corpus, 50, learning_rate=1e30), corpus, tmp_path)
    with pytest.raises(TrainingError, match=r"not a number at update \d+; training\.pt holds the last saved state"):
        diverging.run()
    assert (tmp_path / "training.pt").read_bytes() == before
    assert Trainer(recipe(corpus, 4), corpus, tmp_path).run().update == 4


def test_weight_that_is_no_number(corpus: PackedCorpus, tmp_path: Path) -> None:
    """One infinite weight is noticed in the very next update, before it spreads."""
    trainer = Trainer(recipe(corpus, 5), corpus, tmp_path)
    with torch.no_grad():
        trainer.model.embedding.weight[3] = torch.inf
    with pytest.raises(TrainingError, match="not a number at update 0; nothing had been saved"):
        trainer.run()
    assert not (tmp_path / "training.pt").exists()


def test_full_disk(corpus: PackedCorpus, tmp_path: Path) -> None:
    """When a checkpoint cannot be written the run ends with CheckpointError and the old checkpoint is intact."""
    trainer = Trainer(recipe(corpus, 2), corpus, tmp_path)
    trainer.run()
    before = (tmp_path / "training.pt").read_bytes()
    trainer = Trainer(recipe(corpus, 3), corpus, tmp_path)
    with full_disk(room=len(before) // 2), pytest.raises(CheckpointError, match=r"cannot write .*training\.pt"):
        trainer.run()
    assert (tmp_path / "training.pt").read_bytes() == before
    assert Trainer(recipe(corpus, 3), corpus, tmp_path).run().update == 3


def test_best_networks_are_kept_and_averaged(corpus: PackedCorpus, pairs: list[Pair], tmp_path: Path) -> None:
    """Validations are logged; the best networks stay, the others go; mean.safetensors is the mean of what stayed."""
    settings = replace(SETTINGS, max_updates=5, validate_every=1e-6, keep_best=2)
    run = replace(
        toy.recipe(corpus.path, settings, validation=[toy.validation_set(tmp_path, pairs[:3])]),
    )
    trainer = Trainer(run, corpus, tmp_path / "run")
    best = trainer.run().best
    log = [json.loads(line) for line in (tmp_path / "run" / "log.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [entry["update"] for entry in log] == [0, 1, 2, 3, 4, 5]
    assert all(entry["update"] in {update for _, update in entry["best"]} for entry in log[:2])
    assert [tuple(one) for one in log[-1]["best"]] == best
    assert set(log[0]["scores"]) == {"toy en-de", "toy de-en"}
    chrf = {entry["update"]: sum(score[1] for score in entry["scores"].values()) / 2 for entry in log}
    assert sorted(chrf.values(), reverse=True)[:2] == [value for value, _ in best]
    assert all(chrf[update] == value for value, update in best)
    kept = sorted((tmp_path / "run").glob("best-*.safetensors"))
    assert {path.name for path in kept} == {f"best-{update}.safetensors" for _, update in best}
    mean = load_model(trainer.write_mean()).state_dict()
    states = [load_model(path).state_dict() for path in kept]
    for name, tensor in mean.items():
        if tensor.is_floating_point():
            torch.testing.assert_close(tensor, (states[0][name] + states[1][name]) / 2)
    assert list((tmp_path / "run").glob("events.out.tfevents.*"))


def test_validating_twice_counts_once(corpus: PackedCorpus, pairs: list[Pair], tmp_path: Path) -> None:
    """A finished run, started again, validates the same network: it is one of the best once, and the mean holds."""
    run = toy.recipe(
        corpus.path, replace(SETTINGS, max_updates=2), validation=[toy.validation_set(tmp_path, pairs[:3])]
    )
    Trainer(run, corpus, tmp_path / "run").run()
    again = Trainer(run, corpus, tmp_path / "run")
    again.run()
    assert [update for _, update in again.progress.best] == [2]
    mean = load_model(again.write_mean()).state_dict()
    assert all(torch.equal(tensor, mean[name]) for name, tensor in weights(again).items())


def test_saves_before_it_validates(corpus: PackedCorpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever ends a run may not wait for a validation; one that is ended while it validates does not do it again."""
    trainer = Trainer(recipe(corpus, 5, validate_every=1e-6), corpus, tmp_path)
    steps: list[tuple[str, int]] = []

    def validate(_: object) -> None:
        steps.append(("validate", trainer.progress.update))
        if stop_in_validation and trainer.progress.update == 2:
            os.kill(os.getpid(), signal.SIGTERM)

    monkeypatch.setattr(trainer, "validate", validate)
    monkeypatch.setattr(trainer, "save", lambda: steps.append(("save", trainer.progress.update)))
    stop_in_validation = True
    assert trainer.run().update == 2
    assert steps == [("validate", 0), ("validate", 1), ("validate", 2), ("save", 2)]
    steps.clear()
    trainer._stop_requested = stop_in_validation = False
    assert trainer.run().update == 5
    assert steps[-4:] == [("validate", 4), ("save", 5), ("validate", 5), ("save", 5)]


def test_networks_that_a_checkpoint_names_outlive_it(corpus: PackedCorpus, pairs: list[Pair], tmp_path: Path) -> None:
    """A network that is no longer among the best stays until training.pt says so: a crash in between costs no mean."""
    settings = replace(SETTINGS, keep_best=1, save_every=60.0)
    trainer = Trainer(
        toy.recipe(corpus.path, settings, validation=[toy.validation_set(tmp_path, pairs[:3])]),
        corpus,
        tmp_path / "run",
    )
    trainer.validate(None)
    trainer.save()
    named = tmp_path / "run" / "best-0.safetensors"
    trainer.progress.best = [(-1.0, 0)]  # whatever comes next is better
    trainer.progress.update = 1
    trainer.validate(None)
    assert [update for _, update in trainer.progress.best] == [1]
    assert named.exists()
    trainer.save()
    assert [path.name for path in (tmp_path / "run").glob("best-*")] == ["best-1.safetensors"]


def test_two_processes_do_not_share_a_folder(corpus: PackedCorpus, tmp_path: Path) -> None:
    """A folder in which a process trains is refused to another; it is free again once that has ended."""
    run = recipe(corpus, 1)
    with _alone_in(tmp_path), pytest.raises(TrainingError, match="another process trains in"):
        Trainer(run, corpus, tmp_path).run()
    assert Trainer(run, corpus, tmp_path).run().update == 1


def test_running_mean_of_the_weights(corpus: PackedCorpus, tmp_path: Path) -> None:
    """With an exponent the running mean is what is kept: after update t, (1 - 1/t) ** 2 of it stays."""
    run = toy.recipe(corpus.path, replace(SETTINGS, max_updates=6, average_exponent=1.0))
    trainer = Trainer(run, corpus, tmp_path)
    batches, seen = trainer._batches(), []
    for _ in range(6):
        trainer._update(next(batches))
        seen.append(trainer.model.embedding.weight.detach().clone())
    mean = seen[0]
    for update, tensor in enumerate(seen[1:], start=2):
        mean = mean + (tensor - mean) * (1 - (1 - 1 / update) ** 2)
    torch.testing.assert_close(trainer.kept.state_dict()["embedding.weight"], mean)
    assert not torch.allclose(mean, seen[-1])


def test_one_direction_alone(corpus: PackedCorpus, pairs: list[Pair], tmp_path: Path) -> None:
    """A simplex run counts, trains and validates one direction only."""
    settings = replace(SETTINGS, max_updates=1, directions=["de-en"])
    run = toy.recipe(corpus.path, settings, validation=[toy.validation_set(tmp_path, pairs[:3])])
    trainer = Trainer(run, corpus, tmp_path / "run")
    english = trainer.sampler.load(trainer.sampler.epoch(0)[0]).english.lengths.sum()
    assert trainer.run().tokens == english
    assert [entry.direction for entry in trainer.validate(None)] == ["de-en"]


@pytest.mark.parametrize("one_way", [{"stories": "en-de"}, {"*": "en-de"}])
def test_sources_that_teach_one_direction(corpus: PackedCorpus, tmp_path: Path, one_way: dict[str, Way]) -> None:
    """An update counts a one-way source's tokens in its own direction only, even if the other learns nothing at all."""
    plain = recipe(corpus, 1)
    run = Trainer(replace(plain, data=replace(plain.data, one_way=one_way)), corpus, tmp_path)
    indices = run.sampler.epoch(0)[0]
    both = np.array([corpus.source_names[source] not in one_way and "*" not in one_way for source in corpus.sources])
    expected = corpus.german.lengths[indices].sum() + corpus.english.lengths[indices][both[indices]].sum()
    before = weights(run)
    report = run._update(next(run._batches()))
    assert report.tokens == expected
    assert 0 < report.losses["nll"] < 100
    assert not torch.equal(before["embedding.weight"], weights(run)["embedding.weight"])


def test_mean_of_nothing(corpus: PackedCorpus, tmp_path: Path) -> None:
    """Without a validation there is nothing to average, and the error says so."""
    trainer = Trainer(recipe(corpus, 1), corpus, tmp_path)
    trainer.run()
    with pytest.raises(TrainingError, match="holds no validated network"):
        trainer.write_mean()


def test_run_starts_from_given_weights(corpus: PackedCorpus, tmp_path: Path) -> None:
    """A new run may start from another's network; an existing run goes on with its own."""
    torch.manual_seed(9)
    other = Reder(toy.tiny(dropout=0.1))
    toy.randomise_norms(other)
    save_weights(tmp_path / "other.safetensors", other)
    run = recipe(corpus, 1)
    trainer = Trainer(run, corpus, tmp_path / "run", initial=tmp_path / "other.safetensors")
    assert all(torch.equal(tensor, weights(trainer)[name]) for name, tensor in other.state_dict().items())
    trainer.run()
    resumed = Trainer(run, corpus, tmp_path / "run", initial=tmp_path / "other.safetensors")
    assert all(torch.equal(tensor, weights(trainer)[name]) for name, tensor in weights(resumed).items())


def test_initial_weights_of_another_shape(corpus: PackedCorpus, tmp_path: Path) -> None:
    """Weights that do not fit the recipe's network are an error of training, not of torch."""
    save_weights(tmp_path / "other.safetensors", Reder(toy.tiny(layers_per_end=1)))
    with pytest.raises((TrainingError, CheckpointError), match=r"other\.safetensors"):
        Trainer(recipe(corpus, 1), corpus, tmp_path / "run", initial=tmp_path / "other.safetensors")


def test_initial_weights_of_another_vocabulary(corpus: PackedCorpus, tmp_path: Path) -> None:
    """What weights say of their vocabulary, or what lies beside them in a bundle, must be the corpus's."""
    initial, beside = tmp_path / "weights.safetensors", tmp_path / "tokenizer.model"
    save_weights(initial, Reder(toy.tiny(dropout=0.1)))
    beside.write_bytes((corpus.path / "tokenizer.model").read_bytes())
    Trainer(recipe(corpus, 1), corpus, tmp_path / "same", initial=initial)
    beside.write_bytes(toy.OTHER_VOCABULARY.read_bytes())
    with pytest.raises(CheckpointError, match="trained with another vocabulary"):
        Trainer(recipe(corpus, 1), corpus, tmp_path / "other", initial=initial)
    save_weights(initial, Reder(toy.tiny(dropout=0.1)), corpus.tokenizer().digest)
    Trainer(recipe(corpus, 1), corpus, tmp_path / "other", initial=initial)


def test_resuming_with_another_vocabulary(
    corpus: PackedCorpus, pairs: list[Pair], other_vocabulary: Path, tmp_path: Path
) -> None:
    """A run does not go on with text that was packed in another vocabulary of the same size; an older one may."""
    (tmp_path / "packed").mkdir()
    other = toy.packed(pairs[:30], other_vocabulary, tmp_path / "packed")
    run, again = recipe(corpus, 1), recipe(other, 1)
    Trainer(run, corpus, tmp_path / "run").run()
    with pytest.raises(TrainingError, match=r"another vocabulary than that of .*packed; use another folder"):
        Trainer(again, other, tmp_path / "run")
    state = load_training(tmp_path / "run" / "training.pt")
    del state["vocabulary"]
    save_training(tmp_path / "run" / "training.pt", state)
    Trainer(again, other, tmp_path / "run")


def test_resuming_with_another_network(corpus: PackedCorpus, tmp_path: Path) -> None:
    """A folder with a run of another shape is refused."""
    run = recipe(corpus, 1)
    Trainer(run, corpus, tmp_path).run()
    with pytest.raises(TrainingError, match="holds a run of another shape"):
        Trainer(replace(run, model=toy.tiny(layers_per_end=1)), corpus, tmp_path)


def test_resuming_with_another_optimiser(corpus: PackedCorpus, tmp_path: Path) -> None:
    """A folder with a run of another optimiser is refused in the same way."""
    Trainer(recipe(corpus, 1, optimizer="muon"), corpus, tmp_path).run()
    with pytest.raises(TrainingError, match=r"optimi[sz]er"):
        Trainer(recipe(corpus, 1, optimizer="adam"), corpus, tmp_path)


def test_resuming_from_a_checkpoint_of_another_kind(corpus: PackedCorpus, tmp_path: Path) -> None:
    """A training.pt that holds something else is an error that names it."""
    save_training(tmp_path / "training.pt", {"something": 1})
    with pytest.raises(CheckpointError, match=r"training\.pt"):
        Trainer(recipe(corpus, 1), corpus, tmp_path)


@pytest.mark.parametrize(
    "changes",
    [
        {"progress": {"update": 1, "stage": 2}},
        {"shape": {"vocabulary_size": 9, "depth": 3}},
        {"shape": 7},
        {"model": {}},
    ],
    ids=repr,
)
def test_resuming_from_a_checkpoint_of_another_release(
    corpus: PackedCorpus, tmp_path: Path, changes: dict[str, object]
) -> None:
    """A training.pt with other fields than this release writes is an error that names it."""
    run = recipe(corpus, 1)
    Trainer(run, corpus, tmp_path).run()
    save_training(tmp_path / "training.pt", load_training(tmp_path / "training.pt") | changes)
    with pytest.raises(CheckpointError, match=r"training\.pt"):
        Trainer(run, corpus, tmp_path)


@pytest.mark.parametrize("size", [toy.VOCABULARY_SIZE - 1, toy.VOCABULARY_SIZE + 1])
def test_network_of_another_vocabulary(corpus: PackedCorpus, tmp_path: Path, size: int) -> None:
    """A recipe that says another number of tokens than the corpus has is refused before anything is trained."""
    run = recipe(corpus, 1)
    with pytest.raises(ConfigError, match=f"vocabulary_size = {size}, but .* has {toy.VOCABULARY_SIZE}"):
        Trainer(replace(run, model=replace(run.model, vocabulary_size=size)), corpus, tmp_path)


def test_fewer_rows_than_processes(corpus: PackedCorpus, tmp_path: Path) -> None:
    """Batches too small to give each process a row are an error, not an endless search for a larger one."""

    def give_up(_number: int, _frame: object) -> None:
        pytest.fail("still looking for a batch")

    previous = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(5)
    try:
        with pytest.raises(CorpusError, match="raise batch_tokens"):
            next(Trainer(recipe(corpus, 1), corpus, tmp_path, group=Group(rank=0, size=1000))._batches())
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, previous)


def test_gradient_of_an_update(corpus: PackedCorpus, tmp_path: Path) -> None:
    """It is that of the loss per target token, a mean over the directions."""
    run = Trainer(toy.recipe(corpus.path, SETTINGS, model=toy.tiny()), corpus, tmp_path)
    batch = next(run.sampler.batches(0))
    losses = [
        run.objective(batch, direction, update=0, seed=1).total / batch.side(direction.target).lengths.sum()
        for direction in DIRECTIONS
    ]
    gradients = torch.autograd.grad(torch.stack(losses).mean(), list(run.model.parameters()))
    norm = torch.stack([gradient.norm() for gradient in gradients]).norm()
    assert run._update(batch).gradient_norm == pytest.approx(norm.item(), rel=1e-3)


def test_micro_batches_change_nothing(corpus: PackedCorpus, tmp_path: Path) -> None:
    """An update in many small parts moves the network as one in a single part does."""
    before: dict[str, torch.Tensor] = {}
    states, reports = [], []
    for size in (None, 60):
        settings = replace(SETTINGS, max_updates=1, micro_batch_tokens=size)
        run = Trainer(toy.recipe(corpus.path, settings, model=toy.tiny()), corpus, tmp_path / str(size))
        before = weights(run)
        reports.append(run._update(next(run._batches())))
        states.append(weights(run))
    assert reports[0].tokens == reports[1].tokens
    assert reports[0].losses == pytest.approx(reports[1].losses, rel=1e-3)
    moved, apart = (
        sum(float((states[0][name].double() - other[name].double()).square().sum()) for name in before) ** 0.5
        for other in (before, states[1])
    )
    assert apart < 0.15 * moved
