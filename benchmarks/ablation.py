"""What each part of the method is worth: small networks on captions, alike but for one thing, several seeds each."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, stdev
from typing import Annotated, Any

import typer

from benchmarks.short_runs import reder, trained_and_scored
from model.bundle import SearchSettings

__all__ = ["VARIANTS", "Figures", "Setting", "Variant", "ablation", "recipe_text", "render"]

_SCORE_LIMIT_S = 1800.0

_RECIPE = """\
[model]
preset = "tiny"
ffn_width = 512

[data]
packed = "{packed}"
also = ["{distilled}"]
max_tokens = 64
default_weight = 0.0
weights = {weights}
one_way = {one_way}

[[data.validation]]
name = "{validation}"
english = "{sets}/{validation}.en"
german = "{sets}/{validation}.de"
limit = 200

[train]
seed = {seed}
directions = {directions}
max_updates = {updates}
batch_tokens = 4000
micro_batch_tokens = 2000
optimizer = "muon"
learning_rate = 3e-3
schedule = "hold"
warmup_updates = 100
decay_updates = {decay}
label_smoothing = 0.0
average_exponent = 4.0
validate_every = 600.0
save_every = 2.0
{stage_two}"""

_CAPTIONS = "multi30k-task1-train"
_RAW = {_CAPTIONS: 1.0}
_DISTILLED = {f"{_CAPTIONS}.en-de": 0.5, f"{_CAPTIONS}.de-en": 0.5}
_BOTH = ("en-de", "de-en")
_SEARCH = SearchSettings()
_DECODING = {
    "greedy": (),
    "beam": ("--beam", str(_SEARCH.beam), "--reverse-weight", "0"),
    "reranked": ("--beam", str(_SEARCH.beam), "--reverse-weight", str(_SEARCH.reverse_weight)),
}


@dataclass(frozen=True, slots=True)
class Variant:
    """One network: on which text, in which directions, and the weights of stage two, if it has one.

    With `one_way` a distilled pair teaches only the direction that it was translated in.
    """

    weights: dict[str, float]
    directions: tuple[str, ...] = _BOTH
    one_way: bool = False
    agreement: float | None = None
    cycle: float | None = None

    @property
    def decoding(self) -> dict[str, tuple[str, ...]]:
        """How it can translate: a network of one direction has nothing to rerank with."""
        one_way = len(self.directions) == 1
        return {name: options for name, options in _DECODING.items() if not (one_way and name == "reranked")}


VARIANTS = {
    "raw": Variant(_RAW),
    "distilled": Variant(_DISTILLED),
    "distilled, each pair one way": Variant({name: 2 * weight for name, weight in _DISTILLED.items()}, one_way=True),
    "distilled, en-de alone": Variant({f"{_CAPTIONS}.en-de": 1.0}, ("en-de",)),
    "distilled, de-en alone": Variant({f"{_CAPTIONS}.de-en": 1.0}, ("de-en",)),
    "distilled, agreement": Variant(_DISTILLED, agreement=0.1, cycle=0.0),
    "distilled, cycle": Variant(_DISTILLED, agreement=0.0, cycle=0.1),
    "distilled, agreement and cycle": Variant(_DISTILLED, agreement=0.1, cycle=0.1),
}


Figures = dict[tuple[str, str], list[float]]
"""BLEU of one variant by direction and decoding, a value for each seed."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What all runs share."""

    folder: Path
    packed: Path
    distilled: Path
    sets: Path
    validation: str
    updates: int


def ablation(  # noqa: PLR0913, PLR0917 - typer passes them by name
    folder: Annotated[Path, typer.Option(help="Where the runs live.")] = Path("runs/ablation"),
    packed: Annotated[Path, typer.Option(help="The packed corpus.")] = Path("data/packed"),
    distilled: Annotated[Path, typer.Option(help="The packed distilled corpus.")] = Path("data/packed-distilled"),
    sets: Annotated[Path, typer.Option(help="Folder of the validation set.")] = Path("data/test"),
    validation: Annotated[str, typer.Option(help="The set to score.")] = "multi30k_val",
    seeds: Annotated[int, typer.Option(min=1, help="Runs of each variant.")] = 3,
    updates: Annotated[int, typer.Option(min=10, help="Updates of each run.")] = 900,
    jobs: Annotated[int, typer.Option(min=1, help="Runs at the same time, one thread each.")] = 2,
    only: Annotated[list[str] | None, typer.Option(metavar="VARIANT", help="Only this variant. Repeatable.")] = None,
) -> None:
    """Train and score every variant; print a Markdown table of BLEU, means over the seeds and their deviation."""
    setting = Setting(folder, packed, distilled, sets, validation, updates)
    chosen = {name: variant for name, variant in VARIANTS.items() if not only or name in only}
    if not chosen:
        raise typer.BadParameter(", ".join(VARIANTS), param_hint="--only; there are")
    # seed by seed, so that a table of fewer seeds is there early
    work = [(name, seed) for seed in range(1, seeds + 1) for name in chosen]
    with ThreadPoolExecutor(jobs) as pool:
        scores = list(pool.map(lambda entry: _scored(setting, *entry), work))
    figures: dict[str, Figures] = {name: {} for name in chosen}
    for (name, _), found in zip(work, scores, strict=True):
        for way, bleu in found.items():
            direction, decoding = way.split(" ")
            figures[name].setdefault((direction, decoding), []).append(bleu)
    typer.echo(render(figures))


def render(figures: dict[str, Figures]) -> str:
    """A Markdown table: a row for each variant, BLEU by direction and decoding, empty where there is none."""
    columns = [(direction, decoding) for direction in _BOTH for decoding in _DECODING]
    lines = [
        "| network | " + " | ".join(f"{direction} {decoding}" for direction, decoding in columns) + " |",
        "|---|" + "---:|" * len(columns),
    ]
    for name, bleu in figures.items():
        cells = [_cell(bleu.get(column, [])) for column in columns]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _cell(values: list[float]) -> str:
    if not values:
        return ""
    return f"{mean(values):.1f} ± {stdev(values):.1f}" if len(values) > 1 else f"{values[0]:.1f}"


def _scored(setting: Setting, name: str, seed: int) -> dict[str, float]:
    """BLEU of one run by "direction decoding"; trains and scores what is not there yet."""
    run = setting.folder / f"{name.replace(', ', '-').replace(' ', '-')}-{seed}"
    variant = VARIANTS[name]

    def score() -> dict[str, float]:
        return {
            f"{entry['direction']} {decoding}": entry["bleu"]
            for decoding, options in variant.decoding.items()
            for entry in _evaluate(setting, run, options)
            if entry["direction"] in variant.directions
        }

    return trained_and_scored(run, recipe_text(setting, variant, seed), score)


def recipe_text(setting: Setting, variant: Variant, seed: int) -> str:
    """The text of one run's recipe."""
    stage_two = ""
    if variant.agreement is not None:
        stage_two = (
            f"stage_two_update = {setting.updates // 2}\n"
            f"agreement_weight = {variant.agreement}\ncycle_weight = {variant.cycle}\n"
        )
    weights = ", ".join(f'"{name}" = {weight}' for name, weight in variant.weights.items())
    return _RECIPE.format(
        packed=setting.packed,
        distilled=setting.distilled,
        weights="{" + weights + "}",
        one_way="{" + ", ".join(f'"*.{way}" = "{way}"' for way in _BOTH if variant.one_way) + "}",
        sets=setting.sets,
        validation=setting.validation,
        seed=seed,
        directions=json.dumps(variant.directions),
        updates=setting.updates,
        decay=setting.updates // 2,
        stage_two=stage_two,
    )


def _evaluate(setting: Setting, run: Path, options: tuple[str, ...]) -> list[dict[str, Any]]:
    """Scores of the last running mean: with one validation, at the end, it is the mean of the best."""
    output = run / "evaluation.json"
    reder(
        *("evaluate", "--weights", run / "mean.safetensors", "--tokenizer", setting.packed),
        *("--json", output, setting.sets / setting.validation, *options),
        limit_s=_SCORE_LIMIT_S,
    )
    entries: list[dict[str, Any]] = json.loads(output.read_text(encoding="utf-8"))
    return entries
