"""The training loop: both directions in every update, resumable at any point.

A run lives in a folder:

    training.pt             everything needed to go on (written every few minutes and at the end)
    best-<update>.safetensors   the best networks so far, by validation chrF
    mean.safetensors        their mean: what to evaluate and export
    events.out.tfevents.*   TensorBoard curves
    log.jsonl               one line per validation

Starting in a folder that has training.pt goes on from there: same data order, same random numbers.
"""

from __future__ import annotations

import fcntl
import json
import math
import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, replace
from functools import partial
from typing import TYPE_CHECKING, cast

import torch
from torch.utils.tensorboard import SummaryWriter
from tqdm import tqdm

from model.architecture import build, objective_for, translate
from model.averaging import power_average
from model.bundle import Direction
from model.checkpoint import (
    CheckpointError,
    average_weights,
    load_network,
    load_training,
    save_training,
    save_weights,
)
from model.config import ConfigError, ModelConfig
from model.data.batches import Batch, EpochSampler
from model.distributed import Group
from model.evaluate import Score, evaluate, load_test_set
from model.meter import Clock, Meter, Progress, UpdateReport
from model.minimum_risk import MinimumRisk
from model.optim import Optimizers
from model.reder import Reder
from model.retention import Retention

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from types import FrameType

    from torch import Tensor
    from torch.optim.swa_utils import AveragedModel

    from model.architecture import Network
    from model.config import Recipe
    from model.data.packed import PackedCorpus
    from model.objective import Terms

__all__ = ["Trainer", "TrainingError"]

_RETAINED = 1
"""Tells the dropout of text to be retained from that of an update's own."""


class TrainingError(RuntimeError):
    """Training cannot go on; the message says why and what is safe."""


class Trainer:
    """One run of one recipe.

    Args:
        recipe: what to train.
        corpus: the packed pairs.
        folder: where the run lives; created if need be.
        initial: a weights file to start a new run from, of the same shape.
        group: the processes that share the run.

    Raises:
        BundleError: the bundle that the recipe searches with cannot be read, or has another vocabulary.
        CorpusError: the recipe does not fit the corpus, or a validation set cannot be read.
        CheckpointError: the folder holds a checkpoint that cannot be read, or `initial` or the network to be retained
            cannot be, or has another vocabulary.
        ConfigError: the recipe's network has another vocabulary than the corpus.
        TrainingError: the folder holds a run of another shape, vocabulary or optimizer, or `initial` or the network
            to be retained has another shape.
    """

    def __init__(
        self,
        recipe: Recipe,
        corpus: PackedCorpus,
        folder: Path,
        *,
        initial: Path | None = None,
        group: Group | None = None,
    ) -> None:
        self.recipe = recipe
        self.folder = folder
        self.group = group or Group()
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self._packed = corpus.path
        self.tokenizer = corpus.tokenizer()
        self._vocabulary = self.tokenizer.digest
        if (size := self.tokenizer.vocabulary_size) != recipe.model.vocabulary_size:
            msg = f"model.vocabulary_size = {recipe.model.vocabulary_size}, but {corpus.path} has {size}: leave it out"
            raise ConfigError(msg)
        self.directions = tuple(map(Direction.parse, dict.fromkeys(recipe.train.directions)))
        data = replace(recipe.data, max_tokens=min(recipe.data.max_tokens, recipe.model.max_source_tokens))
        sampler = partial(
            EpochSampler,
            corpus,
            batch_tokens=recipe.train.batch_tokens,
            upsampling=recipe.model.upsampling,
            seed=recipe.train.seed,
            directions=self.directions,
        )
        self.sampler = sampler(data)
        self.validation = [load_test_set(spec, self.directions) for spec in recipe.data.validation]
        torch.manual_seed(recipe.train.seed)
        self.model = build(recipe.model).to(self.device)
        if recipe.train.compile:
            self.model.compile_layers()
        searched = recipe.train.searched_with if recipe.train.risk_weight else None
        # a GPU waits for the search, of which a CPU that trains has enough to do by itself
        cores = (os.cpu_count() or 1) // self.group.size if self.device.type == "cuda" else 1
        risk = MinimumRisk.as_served(searched, self.tokenizer, max(1, cores - 1)) if searched else None
        self.objective = objective_for(self.model, recipe.train, risk)
        self.retention: Retention | None = None
        if recipe.train.retain_weight and recipe.train.retained_from:
            corpus.check_named("data.retained", recipe.data.retained)
            former = self._network_at(recipe.train.retained_from).to(self.device)
            if isinstance(self.model, Reder) and isinstance(former, Reder):  # which a recipe has made sure of
                self.retention = Retention(self.model, former, sampler(data.to_retain()), size=self.group.size)
        self.optimizers = Optimizers(self.model, recipe.train)
        self.average: AveragedModel | None = None
        self.progress = Progress()
        self._stop_requested = False
        self._outdone: set[int] = set()
        folder.mkdir(parents=True, exist_ok=True)
        if (folder / "training.pt").exists():
            self._resume()
        else:
            self._start(initial)
        if recipe.train.average_exponent is not None and self.average is None:
            self.average = power_average(self.model, recipe.train.average_exponent)

    @property
    def kept(self) -> Network:
        """What is validated and kept: the running mean if the recipe wants one, else the latest network."""
        return self.model if self.average is None else cast("Network", self.average.module)

    def _start(self, initial: Path | None) -> None:
        if initial is not None:
            self.model.load_state_dict(self._network_at(initial).state_dict())
            return
        if not isinstance(self.model, Reder):
            return
        self.model.initialise_norms(self.sampler.load(self.sampler.epoch(0)[0]).to(self.device))

    def _network_at(self, path: Path) -> Network:
        """A network of the recipe's shape and vocabulary, from a file."""
        network = load_network(path, self.tokenizer)
        if replace(network.config, dropout=self.recipe.model.dropout) != self.recipe.model:
            msg = f"{path} has another shape than the recipe"
            raise TrainingError(msg)
        return network

    def run(self, *, minutes: float | None = None) -> Progress:
        """Train until the recipe's end, a signal (SIGINT, SIGTERM), or a time limit.

        Saves at the end, whatever ended it, then validates and saves what came of that.

        Args:
            minutes: wall-clock limit of this call; the last validation comes on top.

        Raises:
            TrainingError: the loss is no longer a number, or another process trains in this folder.
            CheckpointError: a checkpoint cannot be written.
        """
        handlers = {number: signal.signal(number, self._request_stop) for number in (signal.SIGTERM, signal.SIGINT)}
        try:
            with (
                _alone_in(self.folder) if self.group.leads else nullcontext(),
                SummaryWriter(str(self.folder)) if self.group.leads else nullcontext() as curves,
            ):
                self._loop(Clock(self.recipe.train, minutes), curves)
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)
        return self.progress

    def updates(self) -> Iterator[UpdateReport]:
        """Updates without end, without validation and checkpoints: to measure with.

        Raises:
            TrainingError: the loss is no longer a number.
        """
        for batch in self._batches():
            yield self._update(batch)

    def _loop(self, clock: Clock, curves: SummaryWriter | None) -> None:
        meter = Meter(self.progress, self.recipe.train.max_updates, curves)
        validated: int | None = None
        reports = self.updates()
        while not self._at_end:
            stop, validate, save = self._agree(self._stop_requested or clock.over, clock.validation_due, clock.save_due)
            if validate and not stop:
                self.validate(curves)
                validated = self.progress.update
                clock.validated()
                (stop,) = self._agree(self._stop_requested or clock.over)  # it may have taken long
            if stop:
                break
            if save:
                self.save()
                clock.saved()
            started = time.monotonic()
            meter.add(next(reports))
            self.progress.seconds += self._mean(time.monotonic() - started)
        self.save()  # whoever asked for the end may not wait for the validation
        if validated != self.progress.update:
            self.validate(curves)
            self.save()
        meter.close()

    @property
    def _at_end(self) -> bool:
        limits, done = self.recipe.train, self.progress
        return done.update >= limits.max_updates or done.seconds >= 60 * (limits.max_minutes or math.inf)

    def _agree(self, *flags: bool) -> list[bool]:
        """Whether any process raises each flag: clocks differ, decisions must not."""
        raised = self.group.sum(torch.tensor(flags, dtype=torch.float32, device=self.device))
        return [bool(value) for value in raised.tolist()]

    def _mean(self, seconds: float) -> float:
        """Over the processes: the learning rate may depend on time, and must be the same in all."""
        total = self.group.sum(torch.tensor(seconds, dtype=torch.float64, device=self.device))
        return float(total) / self.group.size

    def _update(self, batch: Batch) -> UpdateReport:
        """One update on one batch, every direction.

        Dropout depends on seed, update, process, direction and part alone, so a resumed run repeats it.
        """
        self.model.train()
        # rows are chosen before they go to the device: to choose there would be to wait for it
        parts = [batch.teaching(direction) for direction in self.directions]
        tokens = torch.stack(
            [part.side(direction.target).lengths.sum() for part, direction in zip(parts, self.directions, strict=True)]
        )
        tokens = self.group.sum(tokens.float().to(self.device))
        every: list[tuple[int, Terms]] = []
        for number, (part, direction) in enumerate(zip(parts, self.directions, strict=True)):
            for piece, micro_batch in enumerate(part.split(self.recipe.train.micro_batch_tokens)):
                seed = hash((self.recipe.train.seed, self.progress.update, self.group.rank, number, piece))
                terms = self.objective(micro_batch.to(self.device), direction, update=self.progress.update, seed=seed)
                (terms.total / tokens[number] / len(self.directions)).backward()
                every.append((number, terms))
        others = self._retain()
        self.group.sum_gradients(self.optimizers.parameters)
        norm = self.optimizers.step(self.progress.update, self.progress.seconds / 60)
        if self.average is not None:
            self.average.update_parameters(self.model)
        # looked at last: to look is to wait for the device
        losses = self._mean_losses(every, tokens) | {name: float(value) for name, value in others.items()}
        if not math.isfinite(norm + sum(losses.values())):
            saved = (self.folder / "training.pt").exists()
            msg = (
                f"loss or gradient is not a number at update {self.progress.update}; "
                f"{'training.pt holds the last saved state' if saved else 'nothing had been saved'}. "
                f"Lower the learning rate and {'resume' if saved else 'start again'}."
            )
            raise TrainingError(msg)
        self.progress.update += 1
        self.progress.tokens += int(tokens.sum())
        return UpdateReport(losses, norm, int(tokens.sum()))

    def _retain(self) -> dict[str, Tensor]:
        """The gradients of the text to be retained; `divergence`, in nats a source token, if there is such text."""
        if self.retention is None:
            return {}
        config, update, group = self.recipe.train, self.progress.update, self.group
        batch = self.retention.batch(update, rank=group.rank)
        lengths = [batch.side(direction.source).lengths.sum() for direction in self.directions]
        tokens = group.sum(torch.stack(lengths).float().to(self.device))
        mean = torch.zeros((), device=self.device)
        for number, direction in enumerate(self.directions):
            for piece, part in enumerate(batch.split(config.micro_batch_tokens)):
                seed = hash((config.seed, update, group.rank, number, piece, _RETAINED))
                found = self.retention(direction, part.side(direction.source).to(self.device), seed=seed)
                share = found / tokens[number] / len(self.directions)
                (config.retain_weight * share).backward()
                mean += share.detach()
        return {"divergence": group.sum(mean)}

    def _mean_losses(self, every: list[tuple[int, Terms]], tokens: Tensor) -> dict[str, float]:
        """The terms of each direction (by its number) and part to means over all of them and all processes."""
        names = every[0][1].means.keys()
        sums = torch.zeros(2 + len(names), len(self.directions), device=self.device)
        for number, terms in every:
            sums[:, number] += torch.stack([terms.nll, torch.ones_like(terms.nll), *terms.means.values()])
        nll, computed, *means = self.group.sum(sums)
        others = {name: float(mean.sum() / computed.sum()) for name, mean in zip(names, means, strict=True)}
        taught = tokens > 0
        return {"nll": float((nll[taught] / tokens[taught]).mean()), **others}

    def _batches(self) -> Iterator[Batch]:
        """This process's batches from where the run stands, epoch after epoch; the next is read while one is used."""
        with ThreadPoolExecutor(1) as reader:
            drawn = self._drawn(self.progress.epoch, self.progress.batch)
            coming = reader.submit(next, drawn)
            while True:
                self.progress.epoch, self.progress.batch, batch = coming.result()
                coming = reader.submit(next, drawn)
                yield batch

    def _drawn(self, epoch: int, skip: int) -> Iterator[tuple[int, int, Batch]]:
        """Epoch, number in it from 1, and batch."""
        while True:
            batches = self.sampler.batches(epoch, skip=skip, rank=self.group.rank, size=self.group.size)
            for number, batch in enumerate(batches, start=skip + 1):
                yield epoch, number, batch
            epoch, skip = epoch + 1, 0

    def validate(self, curves: SummaryWriter | None) -> list[Score]:
        """Score the validation sets, log the scores, and keep the network if it is among the best."""
        if not self.validation or not self.group.leads:
            self.group.wait()
            return []
        network = self.kept.eval()
        scores = evaluate(
            lambda direction, texts: translate(network, self.tokenizer, direction, texts), self.validation
        )
        summary = {f"{entry.test_set} {entry.direction}": (entry.bleu, entry.chrf) for entry in scores}
        for name, (bleu, chrf) in summary.items():
            if curves is not None:
                curves.add_scalar(f"bleu/{name}", bleu, self.progress.update)
                curves.add_scalar(f"chrf/{name}", chrf, self.progress.update)
        self._keep_if_best(sum(entry.chrf for entry in scores) / len(scores))
        record = {**asdict(self.progress), "scores": summary}
        with (self.folder / "log.jsonl").open("a", encoding="utf-8") as log:
            log.write(json.dumps(record) + "\n")
        tqdm.write(f"update {self.progress.update}: BLEU " + ", ".join(f"{k} {v[0]:.1f}" for k, v in summary.items()))
        self.group.wait()
        return scores

    def _keep_if_best(self, chrf: float) -> None:
        save_weights(self._best_path(self.progress.update), self.kept, self._vocabulary)
        others = [entry for entry in self.progress.best if entry[1] != self.progress.update]
        ranked = sorted([*others, (chrf, self.progress.update)], reverse=True)
        self.progress.best = ranked[: self.recipe.train.keep_best]
        self._outdone |= {update for _, update in ranked[self.recipe.train.keep_best :]}

    def write_mean(self) -> Path:
        """Average the best networks into mean.safetensors.

        Raises:
            TrainingError: nothing was validated yet.
        """
        if not self.progress.best:
            msg = f"{self.folder} holds no validated network to average"
            raise TrainingError(msg)
        target = self.folder / "mean.safetensors"
        average_weights([self._best_path(update) for _, update in self.progress.best], target)
        return target

    def save(self) -> None:
        """Write training.pt, and remove the networks that are no longer among the best.

        In this order: whenever the run ends, the networks that training.pt names are there.

        Raises:
            CheckpointError: it cannot be written; the earlier one is untouched.
        """
        if self.group.leads:
            save_training(
                self.folder / "training.pt",
                {
                    "model": self.model.state_dict(),
                    "optimizers": self.optimizers.state_dict(),
                    "average": None if self.average is None else self.average.state_dict(),
                    "progress": asdict(self.progress),
                    "shape": asdict(self.recipe.model),
                    "vocabulary": self._vocabulary,
                },
            )
            for update in self._outdone - {update for _, update in self.progress.best}:
                self._best_path(update).unlink(missing_ok=True)
            self._outdone.clear()

    def _resume(self) -> None:
        path = self.folder / "training.pt"
        state = load_training(path)
        if missing := {"model", "optimizers", "progress", "shape"} - set(state):
            msg = f"{path} is not a checkpoint of this trainer: it lacks {', '.join(sorted(missing))}"
            raise CheckpointError(msg)
        try:
            shape, progress = ModelConfig(**state["shape"]), Progress(**state["progress"])
        except (TypeError, ValueError) as error:
            msg = f"{path} is not a checkpoint of this trainer: {error}"
            raise CheckpointError(msg) from error
        if shape != self.recipe.model:
            msg = f"{self.folder} holds a run of another shape ({state['shape']}); use another folder"
            raise TrainingError(msg)
        if state.get("vocabulary", self._vocabulary) != self._vocabulary:  # older ones do not tell
            msg = f"{self.folder} holds a run with another vocabulary than that of {self._packed}; use another folder"
            raise TrainingError(msg)
        try:
            self.model.load_state_dict(state["model"])
        except RuntimeError as error:
            msg = f"{path} does not fit its own description: {error}"
            raise CheckpointError(msg) from error
        try:
            self.optimizers.load_state_dict(state["optimizers"])
        except ValueError as error:
            msg = f"{self.folder} holds a run with another optimizer; use another folder, or start from its weights"
            raise TrainingError(msg) from error
        exponent = self.recipe.train.average_exponent
        if exponent is not None and state.get("average") is not None:
            self.average = power_average(self.model, exponent)
            self.average.load_state_dict(state["average"])
        self.progress = progress
        self.progress.best = [(float(chrf), int(update)) for chrf, update in self.progress.best]

    def _best_path(self, update: int) -> Path:
        return self.folder / f"best-{update}.safetensors"

    def _request_stop(self, _number: int, _frame: FrameType | None) -> None:
        self._stop_requested = True


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Keep other processes from training in a folder: they would write the same files.

    Raises:
        TrainingError: one does already.
    """
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(handle)
        msg = f"another process trains in {folder}; wait for its end, or use another folder"
        raise TrainingError(msg) from error
    except OSError:  # a file system without locks
        pass
    try:
        yield
    finally:
        os.close(handle)
