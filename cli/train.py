"""`reder train`: run a recipe, on every core or GPU of this machine."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from cli.errors import INTERRUPTED, USAGE, fail, needs, reporting
from cli.recipes import default_run, open_recipe
from service.engine.cores import usable_cores

__all__ = ["train"]


def train(
    recipe: Annotated[Path, typer.Argument(metavar="RECIPE", help="A TOML file, such as those in model/recipes.")],
    run: Annotated[Path | None, typer.Option(help="Folder of the run. [default: runs/<recipe>]")] = None,
    minutes: Annotated[
        float | None, typer.Option(min=0, help="Stop after so long; the last validation comes on top.")
    ] = None,
    from_weights: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Start a new run from these weights (.safetensors).")
    ] = None,
    processes: Annotated[
        int | None, typer.Option(min=1, help="Processes that share the run. [default: one per core, or per GPU]")
    ] = None,
) -> None:
    """Train from a recipe, or go on where its run stopped.

    Every update trains both directions. Reads the recipe, the packed corpus and the validation sets
    that it names. Writes to the run's folder: training.pt to resume from, the best networks, their
    mean as mean.safetensors (what to evaluate and export), log.jsonl, and curves for TensorBoard.

    Ctrl-C or SIGTERM saves, validates and ends. The same command goes on from there, as after a
    crash. Also runs under torchrun, which then decides on the processes.

    Examples:
      reder train model/recipes/small-cpu.toml --minutes 90
      tensorboard --logdir runs
    """
    with needs("train"):
        import torch

        from cli.launch import LaunchError, Stopped, launch
        from model.checkpoint import CheckpointError
        from model.train import TrainingError

    from model.bundle import BundleError
    from model.config import ConfigError
    from model.data.corpus import CorpusError

    gpus = torch.cuda.device_count()
    if gpus and processes and processes > gpus:
        fail(f"--processes {processes}: there are {gpus} GPUs here, and each has one", code=USAGE)
    foreseen = (BundleError, CheckpointError, ConfigError, CorpusError, TrainingError, torch.OutOfMemoryError)
    with reporting(*foreseen, LaunchError):
        settings, _ = open_recipe(recipe)
        if not settings.data.validation:
            msg = f"{recipe.name} names no validation set ([[data.validation]]): nothing could tell the best networks"
            raise ConfigError(msg)
        work = partial(_train, recipe, run or default_run(recipe), minutes, from_weights)
        if "TORCHELASTIC_RUN_ID" in os.environ:
            work()
            return
        try:
            launch(work, processes or gpus or usable_cores(), foreseen=(*foreseen, OSError))
        except Stopped:
            raise typer.Exit(INTERRUPTED) from None


def _train(recipe: Path, folder: Path, minutes: float | None, initial: Path | None) -> None:
    """The work of one process."""
    from torch import distributed

    from model.distributed import join
    from model.train import Trainer

    settings, corpus = open_recipe(recipe)
    group = join()
    try:
        trainer = Trainer(settings, corpus, folder, initial=initial, group=group)
        trainer.run(minutes=minutes)
        if group.leads:
            typer.echo(trainer.write_mean())
    finally:
        if distributed.is_initialized():
            distributed.destroy_process_group()
