"""The engine on a GPU: one sentence, full batches, the share of what the card can do, its memory.

Beside it the int8 engine on the processor of the same machine. With `--provider cpu` the same is
measured without a GPU, all but its memory.
"""

from __future__ import annotations

import csv
import subprocess
import time
from dataclasses import asdict, dataclass
from functools import partial
from itertools import cycle
from pathlib import Path
from statistics import fmean, median
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
import onnxruntime as ort
import typer

from benchmarks.ceiling import Ceiling
from benchmarks.multiply_adds import multiply_adds
from benchmarks.options import several
from benchmarks.planned import on_lanes, padded_batches, served_batches
from benchmarks.report import RESULTS, number, save, table, warn_if_busy
from benchmarks.rounds import interleaved
from benchmarks.sentences import read_parallel, spread
from cli.errors import reporting
from model.bundle import EN_DE, Bundle, BundleError
from model.config import ModelConfig, model_config_from_toml
from service.engine.choice import open_engine
from service.engine.cores import usable_cores
from service.engine.sessions import CPU, CUDA
from service.errors import StartupError
from service.pipeline.batching.planning import BatchBudget
from service.types import Batch

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from service.engine.protocol import Engine

__all__ = ["gpu", "gpu_memory_mib"]

BUDGETS = (1024, 4096, 16384, 65536)
LEAST_TOKENS, LEAST_LOOKED_AT = 4, 256
"""A plan considers so many sentences that even such short ones fill a batch, and never fewer."""

CPU_SHARE = 16
"""The processor translates so much less, and takes about as long."""

LEAST_SENTENCES = 64
SEEN_REPEATS = 3
PAUSE_S = 0.05
MIB_LIMIT_S = 20.0
MIDDLE_ROWS = 8192


@dataclass(frozen=True, slots=True)
class Throughput:
    """All sentences in batches of one budget: medians over the rounds, and the first pass by itself.

    `multiply_adds_per_s` are those with the network's weights, padding included.
    """

    batches: int
    padded_per_batch: float
    sentences_per_s: float
    tokens_per_s: float
    padded_over_real: float
    multiply_adds_per_s: float
    first_pass_s: float
    later_pass_s: float


def gpu(  # noqa: PLR0913, PLR0917 - typer passes them by name
    budget: Annotated[list[int], several(BUDGETS, min=1, help="Padded tokens of a batch at most")],
    bundle: Annotated[Path, typer.Option(help="What to measure.")] = Path("bundles/reder-medium"),
    provider: Annotated[Literal["cuda", "cpu"], typer.Option(help="Where it runs.")] = "cuda",
    sentences: Annotated[
        Path, typer.Option(metavar="PREFIX", help="Real sentences, English to German: PREFIX.en and PREFIX.de.")
    ] = Path("data/test/wmt14.en-de"),
    alone: Annotated[int, typer.Option(min=1, help="Sentences translated one by one.")] = 50,
    tokens: Annotated[
        int, typer.Option(min=1, help="Tokens translated in batches, about; sentences repeat.")
    ] = 400_000,
    rounds: Annotated[int, typer.Option(min=1, help="How often each is measured.")] = 3,
    output: Annotated[Path, typer.Option(metavar="DIR", help="Where gpu.json goes.")] = RESULTS,
) -> None:
    """Measure the engine on a GPU: fp16 and fp32, one sentence and batches, beside int8 on the processor."""
    memory: dict[str, float | None] = {"before": gpu_memory_mib()}
    name = CUDA if provider == "cuda" else CPU
    with reporting(BundleError, StartupError):
        opened = Bundle.open(bundle)
        # The processor has no products in float16.
        engines = {
            f"{provider} {precision}": open_engine(opened, provider=provider, precision=precision)
            for precision in (("fp16", "fp32") if provider == "cuda" else ("fp32",))
        }
        memory["engines open"] = gpu_memory_mib()
        processor = {"cpu int8": open_engine(opened, provider="cpu", precision="int8")}
    config = model_config_from_toml((opened.path / "config.toml").read_text(encoding="utf-8"))
    pairs = read_parallel(sentences, opened.tokenizer, max_tokens=opened.manifest.max_source_tokens)
    sources = [pair.source for pair in spread(pairs, len(pairs))]
    warn_if_busy()

    everything = engines | processor
    new = {case: new_shapes(engine, sources[:alone]) for case, engine in everything.items()}
    one_by_one = interleaved(
        {case: partial(time_alone, engine, sources[:alone]) for case, engine in everything.items()},
        rounds,
        pause_s=PAUSE_S,
    )
    typer.echo(f"\n{alone_table(one_by_one, new)}")

    # The best of all rounds: a ceiling is what the card can do, not what it mostly does.
    ceilings = interleaved(ceiling_runs(name, config), rounds, pause_s=PAUSE_S)
    best = {title: max(values) for title, values in ceilings.items()}
    typer.echo(f"\n{ceiling_table(best)}")

    queue = repeated(sources, tokens)
    full = {limit: batches_of(queue, limit) for limit in budget}
    plans = {
        f"{case}, {limit} tokens": (engine, batches)
        for limit, batches in full.items()
        for case, engine in engines.items()
    }
    short = repeated(sources, tokens // CPU_SHARE)
    plans |= {f"{case}, as served": (engine, served_batches(short, engine.info)) for case, engine in processor.items()}
    first = interleaved({title: partial(time_batches, *plan) for title, plan in plans.items()}, 1, pause_s=PAUSE_S)
    memory["after the first pass"] = gpu_memory_mib()
    later = interleaved({title: partial(time_batches, *plan) for title, plan in plans.items()}, rounds, pause_s=PAUSE_S)
    memory["at the end"] = gpu_memory_mib()
    throughput = {
        title: summarise(batches, config, first[title][0], median(later[title]))
        for title, (_, batches) in plans.items()
    }
    typer.echo(f"\n{throughput_table(throughput, best)}\n\n{memory_table(memory)}")

    content: dict[str, Any] = {
        "bundle": opened.manifest.name,
        "gpu": gpu_name(),
        "runtime": f"onnxruntime {ort.__version__}",
        "rounds": rounds,
        "alone_s": one_by_one,
        "new_shapes_s": new,
        "throughput": {title: asdict(one) for title, one in throughput.items()},
        "ceiling_multiply_adds_per_s": ceilings,
        "gpu_memory_mib": memory,
    }
    typer.echo(f"\nall figures: {save('gpu', content, output)}", err=True)


def new_shapes(engine: Engine, sources: Sequence[tuple[int, ...]]) -> dict[str, list[float]]:
    """Seconds of the first run at each length, and, right after it, of the same once more (a median)."""
    engine.infer(EN_DE, Batch.pad([sources[0]]))
    lengths = {len(source): source for source in sources if len(source) != len(sources[0])}
    first, again = [], []
    for source in lengths.values():
        batch = Batch.pad([source])
        first.append(_seconds(engine, batch))
        again.append(median(_seconds(engine, batch) for _ in range(SEEN_REPEATS)))
    return {"first": first, "again": again}


def time_alone(engine: Engine, sources: Sequence[tuple[int, ...]]) -> list[float]:
    """Seconds of each sentence in a batch of its own; the first is run twice, since the engine had rested."""
    engine.infer(EN_DE, Batch.pad([sources[0]]))
    return [_seconds(engine, Batch.pad([source])) for source in sources]


def time_batches(engine: Engine, batches: Sequence[Batch]) -> float:
    """Seconds of all, each on the next lane that is free."""
    started = time.perf_counter()
    on_lanes(engine, lambda lane, batch: lane.infer(EN_DE, batch), batches)
    return time.perf_counter() - started


def repeated(sources: Sequence[tuple[int, ...]], tokens: int) -> list[tuple[int, ...]]:
    """The sentences round and round, until they have so many tokens and are not too few for a batch."""
    found: list[tuple[int, ...]] = []
    total = 0
    for source in cycle(sources):
        if total >= tokens and len(found) >= LEAST_SENTENCES:
            return found
        found.append(source)
        total += len(source)
    return found


def batches_of(sources: Sequence[tuple[int, ...]], tokens: int) -> list[Batch]:
    """As the service's planner cuts them, with no limit but that of tokens; since batches cost much, they are full."""
    lookahead = max(LEAST_LOOKED_AT, tokens // LEAST_TOKENS)
    return list(padded_batches(sources, BatchBudget(tokens, items=lookahead, overhead=tokens), lookahead))


def summarise(batches: Sequence[Batch], config: ModelConfig, first_s: float, later_s: float) -> Throughput:
    """What the seconds of all batches come to."""
    real = sum(int(batch.lengths.sum()) for batch in batches)
    padded = sum(batch.ids.size for batch in batches)
    count = sum(multiply_adds(config, *batch.ids.shape).weights for batch in batches)
    return Throughput(
        batches=len(batches),
        padded_per_batch=padded / len(batches),
        sentences_per_s=sum(len(batch.ids) for batch in batches) / later_s,
        tokens_per_s=real / later_s,
        padded_over_real=padded / real,
        multiply_adds_per_s=count / later_s,
        first_pass_s=first_s,
        later_pass_s=later_s,
    )


def ceiling_runs(provider: str, config: ModelConfig) -> dict[str, Callable[[], float]]:
    """Multiply-adds a second of large products, and of those of the network's own shapes, by precision."""
    threads = usable_cores()
    projections = [(MIDDLE_ROWS, config.width, config.width)] * 4
    layer = [*projections, (MIDDLE_ROWS, config.width, config.ffn_width), (MIDDLE_ROWS, config.ffn_width, config.width)]
    runs: dict[str, Callable[[], float]] = {}
    for precision in ("fp16", "fp32") if provider == CUDA else ("fp32",):
        runs[f"{precision}, large"] = Ceiling(precision, provider, threads).measure
        runs[f"{precision}, a layer's"] = Ceiling(precision, provider, threads, layer).measure_together
    return runs


def alone_table(runs: Mapping[str, Sequence[Sequence[float]]], new: Mapping[str, Mapping[str, list[float]]]) -> str:
    """Milliseconds of a sentence alone, over those of the last line; and of lengths not seen before."""
    typical = {case: [median(times) for times in zip(*rounds, strict=True)] for case, rounds in runs.items()}
    base = fmean(typical["cpu int8"])
    rows = [
        [
            case,
            number(fmean(times) * 1000),
            number(median(times) * 1000),
            number(float(np.percentile(times, 99)) * 1000),
            number(fmean(times) / base),
            *(number(median(seconds) * 1000) if seconds else "" for seconds in new[case].values()),
        ]
        for case, times in typical.items()
    ]
    titles = ["one sentence", "mean ms", "median ms", "p99 ms", "mean / cpu int8", "new length: first ms", "again ms"]
    return table(titles, rows)


def throughput_table(found: Mapping[str, Throughput], ceilings: Mapping[str, float]) -> str:
    """One line a budget; the share of the ceiling once that is known, of its precision's."""
    base = next((one.tokens_per_s for case, one in found.items() if case.startswith("cpu int8")), None)
    rows = []
    for case, one in found.items():
        ceiling = ceilings.get(f"{case.partition(',')[0].split()[1]}, large")
        rows.append(
            [
                case,
                str(one.batches),
                number(one.padded_per_batch, 0),
                number(one.sentences_per_s, 0),
                number(one.tokens_per_s, 0),
                number(one.tokens_per_s / base if base else None),
                number(one.padded_over_real),
                number(one.multiply_adds_per_s / 1e9, 0),
                f"{one.multiply_adds_per_s / ceiling:.0%}" if ceiling else "",
                number(one.first_pass_s / one.later_pass_s),
            ]
        )
    titles = ["batches", "how many", "padded tokens of one", "sentences/s", "tokens/s", "/ cpu int8", "padded / real"]
    return table([*titles, "10⁹ multiply-adds/s", "share of the ceiling", "first pass / later"], rows)


def ceiling_table(best: Mapping[str, float]) -> str:
    """Multiply-adds a second."""
    return table(
        ["products", "10⁹ multiply-adds/s"], [[title, number(value / 1e9, 0)] for title, value in best.items()]
    )


def memory_table(memory: Mapping[str, float | None]) -> str:
    """Of the card, whoever uses it."""
    return table(["GPU memory", "MiB"], [[moment, number(mib, 0)] for moment, mib in memory.items()])


def gpu_memory_mib() -> float | None:
    """Memory in use on the first card; None without one."""
    found = _ask_driver("memory.used")
    return float(found) if found else None


def gpu_name() -> str:
    """The first card, and its driver; empty without one."""
    return ", ".join(found for found in (_ask_driver("name"), _ask_driver("driver_version")) if found)


def _ask_driver(field: str) -> str:
    command = ["nvidia-smi", f"--query-gpu={field}", "--format=csv,noheader,nounits"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=MIB_LIMIT_S)  # noqa: S603 - our own command
    except (OSError, subprocess.SubprocessError):
        return ""
    return next(csv.reader(done.stdout.splitlines()), [""])[0].strip()


def _seconds(engine: Engine, batch: Batch) -> float:
    started = time.perf_counter()
    engine.infer(EN_DE, batch)
    return time.perf_counter() - started
