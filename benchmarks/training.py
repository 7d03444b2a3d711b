"""Where an update of training goes: tokens a second, the share of matrix products, and how near the ceiling they are.

The ceiling is what this machine reaches on one large matrix product in as many threads, in the
type that training multiplies in.
Utilisation is the floating-point operations of all matrix products in an update, forward and
backward, over what the ceiling would have allowed in that time.
"""

from __future__ import annotations

import tempfile
import time
from collections import defaultdict
from itertools import islice
from pathlib import Path
from typing import Annotated, TypeVar

import torch
import typer
from torch.profiler import profile
from torch.utils.flop_counter import FlopCounterMode

from cli.errors import reporting
from cli.recipes import open_recipe
from model.bundle import BundleError
from model.config import ConfigError
from model.data.corpus import CorpusError
from model.precision import product_dtype
from model.train import Trainer

__all__ = ["kind_of", "training"]

_KINDS = {
    "matrix products": ("mm", "bmm", "addmm", "baddbmm", "linear"),
    "attention kernels": ("scaled_dot_product", "flash", "efficient_attention"),
    "CTC": ("ctc_loss",),
    "softmax and normalisers": ("softmax", "logsumexp", "exp", "amax", "layer_norm"),
    "copies and casts": ("copy", "to", "clone", "contiguous", "cat", "fill", "zero", "pad"),
    "lookups": ("embedding", "gather", "scatter", "index"),
    "random numbers": ("bernoulli", "rand", "dropout"),
}
_Item = TypeVar("_Item")
_CEILING_SIZE = 4096
_CEILING_REPEATS = 5


def training(
    recipe: Annotated[Path, typer.Argument(metavar="RECIPE", help="What to train.")],
    updates: Annotated[int, typer.Option(min=1, help="Updates to time, after three that warm up.")] = 10,
    threads: Annotated[int, typer.Option(min=1, help="Threads on a CPU.")] = 1,
) -> None:
    """Time updates of a recipe in one process and print a Markdown table of where the time goes."""
    torch.set_num_threads(threads)
    with reporting(BundleError, ConfigError, CorpusError):
        settings, corpus = open_recipe(recipe)
    with tempfile.TemporaryDirectory() as folder:
        trainer = Trainer(settings, corpus, Path(folder))
        reports = trainer.updates()
        _wait(list(islice(reports, 3)))
        started = time.perf_counter()
        done = _wait(list(islice(reports, updates)))
        elapsed = time.perf_counter() - started
        tokens = sum(report.tokens for report in done)
        # compiled layers would refuse to be counted
        with torch.compiler.set_stance("force_eager"), FlopCounterMode(display=False) as counter:
            counted = next(reports).tokens
        with profile() as record:
            _wait([next(reports)])
    ceiling = _ceiling(trainer.device)
    speed = counter.get_total_flops() / counted * tokens / elapsed
    typer.echo(f"{trainer.model.parameter_count():,} parameters, {tokens / updates:,.0f} tokens in an update")
    typer.echo(
        f"{tokens / elapsed:,.0f} tokens/s; {speed / 1e9:,.0f} GFLOP/s of a ceiling of {ceiling / 1e9:,.0f}: "
        f"utilisation {speed / ceiling:.0%}"
    )
    typer.echo(_table(record))


def kind_of(operation: str) -> str:
    """The row of the table that an operation of the profiler belongs to."""
    name = operation.rpartition("::")[2].strip("_")
    for kind, stems in _KINDS.items():
        if any(name == stem or name.startswith(f"{stem}_") or (len(stem) > 3 and stem in name) for stem in stems):  # noqa: PLR2004 - short stems would match by accident
            return kind
    return "the rest"


def _table(record: profile) -> str:
    """Share of the time that each kind of operation takes by itself."""
    spent: dict[str, float] = defaultdict(float)
    for entry in record.key_averages():
        spent[kind_of(entry.key)] += entry.self_cpu_time_total + getattr(entry, "self_device_time_total", 0.0)
    total = sum(spent.values())
    rows = sorted(spent.items(), key=lambda item: item[1], reverse=True)
    return "\n".join(["| operations | share |", "|---|---:|", *(f"| {kind} | {t / total:.0%} |" for kind, t in rows)])


def _ceiling(device: torch.device) -> float:
    """Floating-point operations a second in one large product: the best of several."""
    matrix = torch.randn(_CEILING_SIZE, _CEILING_SIZE, device=device, dtype=product_dtype(device))
    best = float("inf")
    for _ in range(_CEILING_REPEATS):
        started = time.perf_counter()
        _wait([matrix @ matrix])
        best = min(best, time.perf_counter() - started)
    return 2 * _CEILING_SIZE**3 / best


def _wait(items: list[_Item]) -> list[_Item]:
    """The items, once a GPU that made them is done."""
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    return items
