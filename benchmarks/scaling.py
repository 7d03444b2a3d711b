"""Which size to train with a given amount of compute: networks of several shapes, each for as many multiply-adds.

All of them read the same batches in the same order; the smaller a network, the more of them it gets to read.
"""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING, Annotated, Any, cast

import torch
import typer

from benchmarks.multiply_adds import multiply_adds
from benchmarks.options import several
from benchmarks.report import RESULTS, number, save, table
from benchmarks.short_runs import trained_and_scored
from cli.errors import USAGE, fail, reporting
from model.architecture import for_inference
from model.bundle import DIRECTIONS, BundleError
from model.checkpoint import load_model
from model.config import PRESETS, DataConfig, ModelConfig, ValidationSet, model_config_to_toml
from model.data.batches import Batch, EpochSampler, by_length, pad
from model.data.corpus import CorpusError
from model.data.packed import PackedCorpus
from model.evaluate import load_test_set
from model.losses import alignable, ctc_loss
from model.sparse_softmax import own_scores

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from model.bundle import Tokenizer
    from model.reder import Reder

__all__ = ["Run", "Study", "loss_per_token", "model_config", "render", "scaling", "updates_within"]

SHAPES = ("tiny", "small", "4x320", "medium")
BUDGETS = (20.0, 80.0, 320.0)
VALIDATION = tuple(map(Path, ("data/test/multi30k_val", "data/test/flores-dev", "data/valid/manuals")))

_TERA = 1e12
_PASSES = 3  # forward, and backward twice as much
_HEAD_WIDTH = 32
_MAX_TOKENS = 64
_BATCH_TOKENS = 2048  # padded, of sentences whose loss is computed together

_RECIPE = """\
{model}
[data]
packed = "{packed}"
max_tokens = {max_tokens}
{validation}
[train]
seed = {seed}
max_updates = {updates}
batch_tokens = {batch_tokens}
optimizer = "muon"
learning_rate = 2e-3
schedule = "hold"
warmup_updates = {warmup}
decay_updates = {decay}
label_smoothing = 0.0
average_exponent = 4.0
validate_every = 1e6
save_every = 2.0
keep_best = 1
"""

_VALIDATION = """
[[data.validation]]
name = "{set.name}"
english = "{set.english}"
german = "{set.german}"
limit = {set.limit}
"""

Pair = tuple[list[int], list[int]]
"""English and German token ids."""


@dataclass(frozen=True, slots=True)
class Run:
    """One shape at one budget (in 10^12 multiply-adds), and what came of it.

    `parameters` leaves out the tables of tokens and positions. `tokens` counts both sides of each pair, without
    padding. `loss` is CTC's per target token, by direction; `bleu` and `chrf`, 0 to 100, are means over the sets.
    """

    shape: str
    budget: float
    parameters: int
    updates: int
    tokens: int
    minutes: float
    loss: dict[str, float]
    bleu: dict[str, float]
    chrf: dict[str, float]

    @property
    def mean_loss(self) -> float:
        """Over the directions: what shapes are compared by."""
        return mean(self.loss.values())


@dataclass(frozen=True, slots=True)
class Study:
    """What all runs share."""

    folder: Path
    packed: Path
    validation: Sequence[ValidationSet]
    batch_tokens: int
    seed: int

    def batches(self, corpus: PackedCorpus, upsampling: int) -> Iterator[Batch]:
        """What every run reads, in its order, without end."""
        data = DataConfig(packed=self.packed, max_tokens=_MAX_TOKENS)
        sampler = EpochSampler(corpus, data, batch_tokens=self.batch_tokens, upsampling=upsampling, seed=self.seed)
        for epoch in count():
            yield from sampler.batches(epoch)

    def recipe(self, config: ModelConfig, updates: int) -> str:
        """The text of one run's recipe."""
        return _RECIPE.format(
            model=model_config_to_toml(config),
            packed=self.packed,
            max_tokens=_MAX_TOKENS,
            validation="".join(_VALIDATION.format(set=one) for one in self.validation),
            seed=self.seed,
            updates=updates,
            batch_tokens=self.batch_tokens,
            warmup=max(1, updates // 10),
            decay=updates // 2,
        )


def scaling(  # noqa: PLR0913, PLR0917 - typer passes them by name
    shapes: Annotated[
        list[str],
        several(SHAPES, "--shape", metavar="PRESET|LxW", help="A preset, or layers per end and width, such as 4x320"),
    ],
    budgets: Annotated[
        list[float],
        several(BUDGETS, "--budget", metavar="TERA", min=0.0, help="10^12 multiply-adds to train each shape for"),
    ],
    validation: Annotated[
        list[Path],
        several(
            VALIDATION, "--validation", metavar="PREFIX", help="Text that is not trained on, PREFIX.en and PREFIX.de"
        ),
    ],
    folder: Annotated[Path, typer.Option(help="Where the runs live.")] = Path("runs/scaling"),
    packed: Annotated[Path, typer.Option(help="The packed corpus.")] = Path("data/packed"),
    sentences: Annotated[int, typer.Option(min=1, help="The first of each validation set.")] = 200,
    batch_tokens: Annotated[int, typer.Option(min=2, help="Tokens of an update, both sides.")] = 4000,
    seed: Annotated[int, typer.Option(help="Of weights and batches.")] = 1,
    jobs: Annotated[int, typer.Option(min=1, help="Runs at the same time, one thread each.")] = 2,
    output: Annotated[Path, typer.Option(metavar="DIR", help="Where scaling.json goes.")] = RESULTS,
) -> None:
    """Train several shapes with the same compute; print a Markdown table for each budget, and one across them.

    A run that is finished is not repeated, so the command can be stopped and called again.

    Example:
        python -m benchmarks scaling --shape 2x64 --shape tiny --shape small --budget 4 --budget 16
    """
    torch.set_num_threads(1)  # losses of `jobs` networks are computed here, at the same time
    sets = [
        ValidationSet(
            name=prefix.name,
            english=prefix.with_name(f"{prefix.name}.en"),
            german=prefix.with_name(f"{prefix.name}.de"),
            limit=sentences,
        )
        for prefix in validation
    ]
    study = Study(folder, packed, sets, batch_tokens, seed)
    with reporting(BundleError, CorpusError):
        corpus = PackedCorpus.open(packed)
        tokenizer = corpus.tokenizer()
        held_out = [pair for one in sets for pair in encoded(one, tokenizer)]
        configs = {shape: model_config(shape, tokenizer.vocabulary_size) for shape in shapes}
        updates = updates_within(budgets, configs, study.batches(corpus, configs[shapes[0]].upsampling))

    def run(budget: float, shape: str) -> Run:
        return trained(study, shape, budget, configs[shape], updates[budget, shape], held_out)

    work = [(budget, shape) for budget in sorted(budgets) for shape in shapes]
    with ThreadPoolExecutor(jobs) as pool:
        runs = list(pool.map(lambda entry: run(*entry), work))
    typer.echo(render(runs))
    content = {"seed": seed, "batch_tokens": batch_tokens, "runs": [asdict(one) for one in runs]}
    typer.echo(f"\nall figures: {save('scaling', content, output)}", err=True)


def model_config(shape: str, vocabulary_size: int) -> ModelConfig:
    """A preset, or "4x320": four layers at each end, 320 features wide; ends the command if it is neither."""
    if shape in PRESETS:
        values = PRESETS[shape]
    elif found := re.fullmatch(r"([1-9]\d*)x([1-9]\d*)", shape):
        layers, width = map(int, found.groups())
        if width % _HEAD_WIDTH:
            fail(f"--shape {shape}: the width has to be a multiple of {_HEAD_WIDTH}, the width of a head", code=USAGE)
        values = {"layers_per_end": layers, "width": width, "ffn_width": 4 * width, "heads": width // _HEAD_WIDTH}
    else:
        fail(f"--shape {shape}: neither one of {', '.join(PRESETS)} nor layers x width, such as 4x320", code=USAGE)
    return ModelConfig(vocabulary_size=vocabulary_size, **{**values, "max_source_tokens": _MAX_TOKENS, "dropout": 0.0})


def updates_within(
    budgets: Sequence[float], configs: Mapping[str, ModelConfig], batches: Iterable[Batch]
) -> dict[tuple[float, str], int]:
    """Updates, by budget (10^12 multiply-adds) and shape: the first so many that take at least the budget.

    Counted from the shapes of batches and networks, padding included, both directions, forward and backward.
    """
    found: dict[tuple[float, str], int] = {}
    spent = dict.fromkeys(configs, 0)
    for update, batch in enumerate(batches, start=1):
        for shape, config in configs.items():
            for direction in DIRECTIONS:
                taken = multiply_adds(config, *batch.side(direction.source).ids.shape)
                spent[shape] += _PASSES * (taken.weights + taken.attention)
            for budget in budgets:
                if spent[shape] >= budget * _TERA:
                    found.setdefault((budget, shape), update)
        if len(found) == len(configs) * len(budgets):
            break
    return found


def trained(
    study: Study, shape: str, budget: float, config: ModelConfig, updates: int, held_out: Sequence[Pair]
) -> Run:
    """One run; trains and scores what is not there yet."""
    run = study.folder / f"{shape}-{budget:g}"

    def score() -> dict[str, Any]:
        network = cast("Reder", for_inference(load_model(run / "mean.safetensors")))
        last = json.loads((run / "log.jsonl").read_text(encoding="utf-8").splitlines()[-1])
        bleu, chrf = (
            {
                str(way): mean(last["scores"][f"{one.name} {way}"][place] for one in study.validation)
                for way in DIRECTIONS
            }
            for place in range(2)
        )
        inner = sum(parameter.numel() for parameter in network.ends.parameters())
        minutes = last["seconds"] / 60
        loss = loss_per_token(network, held_out)
        return asdict(Run(shape, budget, inner, last["update"], last["tokens"], minutes, loss, bleu, chrf))

    return Run(**trained_and_scored(run, study.recipe(config, updates), score))


def encoded(spec: ValidationSet, tokenizer: Tokenizer) -> list[Pair]:
    """The pairs of a validation set that are no longer than what is trained on.

    Raises:
        CorpusError: the set cannot be read.
    """
    texts = load_test_set(spec)
    sides = zip(tokenizer.encode_batch(texts.english), tokenizer.encode_batch(texts.german), strict=True)
    return [pair for pair in sides if all(0 < len(side) <= _MAX_TOKENS for side in pair)]


@torch.no_grad()
def loss_per_token(network: Reder, pairs: Sequence[Pair]) -> dict[str, float]:
    """CTC loss per target token, by direction; a target without an alignment counts for nothing."""
    device = network.embedding.weight.device
    losses = {}
    for direction in DIRECTIONS:
        total, tokens = 0.0, 0
        for rows in by_length([max(map(len, pair)) for pair in pairs], _BATCH_TOKENS):
            english, german = zip(*(pairs[row] for row in rows), strict=True)
            batch = Batch(pad(english), pad(german)).to(device)
            source, target = batch.side(direction.source), batch.side(direction.target)
            scores = network(direction, source.ids, source.lengths)
            total += float(ctc_loss(own_scores(scores.logits, scores.lengths, target)).nll)
            tokens += int(target.lengths[alignable(target.ids, target.lengths, scores.lengths)].sum())
        losses[str(direction)] = total / tokens
    return losses


def render(runs: Sequence[Run]) -> str:
    """A Markdown table for each budget, and one of the loss by shape and budget; the best of a budget is bold."""
    by_budget: dict[float, list[Run]] = {}
    for run in runs:
        by_budget.setdefault(run.budget, []).append(run)
    best = {budget: min(some, key=lambda run: run.mean_loss) for budget, some in by_budget.items()}

    def marked(run: Run, text: str) -> str:
        return f"**{text}**" if run is best[run.budget] else text

    parts = []
    for budget, some in by_budget.items():
        ways = [f"{score} {way}" for score in ("loss", "BLEU", "chrF") for way in some[0].loss]
        titles = [_title(budget), "parameters", "updates", "tokens", "minutes", *ways]
        parts.append(table(titles, [[marked(run, run.shape), *_cells(run)] for run in some]))
    across = {run.shape: [run.shape, _millions(run.parameters)] for run in runs}
    for run in runs:
        across[run.shape].append(f"{marked(run, number(run.mean_loss))} after {_millions(run.tokens)}")
    titles = ["mean loss after tokens", "parameters", *map(_title, by_budget)]
    return "\n\n".join([*parts, table(titles, across.values())])


def _title(budget: float) -> str:
    return f"{budget:g}e12 multiply-adds"


def _cells(run: Run) -> list[str]:
    return [
        *(_millions(run.parameters), number(run.updates, 0), _millions(run.tokens), number(run.minutes, 1)),
        *(number(loss) for loss in run.loss.values()),
        *(number(score, 1) for scores in (run.bleu, run.chrf) for score in scores.values()),
    ]


def _millions(value: int) -> str:
    return f"{value / 1e6:,.2f} M"
