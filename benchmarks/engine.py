"""REDER's engine beside CTranslate2, on networks of the same width with random weights.

REDER writes all positions in one pass; the Transformers that CTranslate2 runs write one token at a
time. Which is faster, and by how much, depends on the lengths: they are those of real sentences and
of their human translations.
"""

from __future__ import annotations

import subprocess
import sys
import time
from dataclasses import astuple, dataclass, replace
from functools import partial
from pathlib import Path
from statistics import fmean, median
from typing import TYPE_CHECKING, Annotated, Any

import typer

from benchmarks.ceiling import Ceiling
from benchmarks.engine_systems import RederSystem, TransformerSystem, open_translator, thread_settings
from benchmarks.engine_tables import (
    REDER,
    REDER_ALL,
    REDER_FP32,
    REDER_ONNX,
    ceiling_table,
    compare,
    latency_table,
    reder_with,
    throughput_table,
)
from benchmarks.multiply_adds import multiply_adds
from benchmarks.planned import on_lanes, served_batches
from benchmarks.random_transformer import Shape, write_random_transformer
from benchmarks.report import RESULTS, save, warn_if_busy
from benchmarks.rounds import interleaved
from benchmarks.sentences import read_parallel, spread
from cli.errors import reporting
from model.bundle import DIRECTIONS, EN_DE, Bundle, BundleError, shortlist_file
from model.config import ModelConfig, model_config_from_toml
from service.app import batcher_limits
from service.engine.choice import open_engine
from service.engine.cores import usable_cores
from service.engine.network import instruction_sets
from service.errors import ConfigurationError
from service.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from benchmarks.sentences import Parallel
    from service.engine.protocol import Engine

__all__ = ["engine"]

BATCH = 64
BEAM = 5
CT2_BATCHES = ((BATCH, "examples"), (1024, "tokens"), (4096, "tokens"))
WRITE_LIMIT_S = 1800.0
CEILING_REPEATS = 3

System = RederSystem | TransformerSystem


@dataclass(frozen=True, slots=True)
class Case:
    """What CTranslate2 runs: a model, the beam (1 is greedy), and whether tokens are chosen from shortlists."""

    model: Path
    beam: int
    listed: bool


@dataclass(frozen=True, slots=True)
class Sample:
    """What is translated: sentences one by one, and sentences that all wait at the start."""

    alone: list[Parallel]
    together: list[Parallel]


def engine(  # noqa: PLR0913, PLR0917 - typer passes them by name
    bundle: Annotated[
        Path | None, typer.Option(help="A bundle to measure. [default: one with random weights, written when missing]")
    ] = None,
    preset: Annotated[str, typer.Option(help="Size of the random bundle.")] = "base",
    tokenizer: Annotated[Path, typer.Option(help="Vocabulary of the random bundle, a SentencePiece model.")] = Path(
        "bundles/reder-small/tokenizer.model"
    ),
    sentences: Annotated[
        Path, typer.Option(metavar="PREFIX", help="Real lengths: PREFIX.en, and their translations PREFIX.de.")
    ] = Path("data/test/wmt14.en-de"),
    alone: Annotated[int, typer.Option(min=1, help="Sentences translated one by one.")] = 50,
    together: Annotated[int, typer.Option(min=1, help="Sentences translated in batches.")] = 256,
    rounds: Annotated[int, typer.Option(min=1, help="How often each system is measured.")] = 3,
    instructions: Annotated[
        str, typer.Option(help="What REDER is compared with, as REDER_INSTRUCTIONS; slower ones are measured, too.")
    ] = "auto",
    output: Annotated[
        Path, typer.Option(metavar="DIR", help="Where engine.json and the random networks go.")
    ] = RESULTS,
) -> None:
    """Compare the engine with CTranslate2: one sentence, batches, int8 and fp32, and the share of the int8 ceiling.

    Each system's best setting counts: for CTranslate2 threads and batch size, for REDER batch size. Where the bundle
    has shortlists, both are measured with them and without.
    """
    threads = usable_cores()
    native = partial(open_engine, provider="cpu", precision="int8", threads=threads)
    with reporting(BundleError, ConfigurationError):
        opened = Bundle.open(bundle or random_bundle(output, preset, tokenizer))
        int8 = native(opened, instructions=instructions)
    config = model_config_from_toml((opened.path / "config.toml").read_text(encoding="utf-8"))
    pairs = read_parallel(sentences, opened.tokenizer, max_tokens=opened.manifest.max_source_tokens)
    sample = Sample(spread(pairs, alone), spread(pairs, together))
    cases = transformers(output, config, opened)
    warn_if_busy()
    engines = {
        REDER: int8,
        REDER_ONNX: native(opened, runtime="onnxruntime"),
        REDER_FP32: open_engine(opened, provider="cpu", precision="fp32", threads=threads),
    }
    for name in slower_than(int8.info.runtime):
        engines[reder_with(name)] = native(opened, instructions=name)
    if opened.shortlists():
        engines[REDER_ALL] = native(without_shortlists(opened), instructions=instructions)
    one_by_one = interleaved(latency_runs(engines, cases, sample.alone), rounds)
    at_once = interleaved(throughput_runs(engines, cases, sample.together), rounds)
    ceiling = interleaved(ceiling_runs(int8, opened, config, pairs, threads), rounds)

    alone_found, together_found = compare(one_by_one, cases), compare(at_once, cases)
    typer.echo(f"\n{latency_table(alone_found)}\n\n{throughput_table(together_found)}\n\n{ceiling_table(ceiling)}")
    content: dict[str, Any] = {
        "bundle": opened.manifest.name,
        "runtime": int8.info.runtime,
        "threads": threads,
        "rounds": rounds,
        "sentences": {"alone": lengths_of(sample.alone), "together": lengths_of(sample.together)},
        "latency_s": one_by_one,
        "seconds": at_once,
        "ceiling_multiply_adds_per_s": ceiling,
        "summary": {"latency": alone_found, "throughput": together_found},
    }
    typer.echo(f"\nall figures: {save('engine', content, output)}", err=True)


def slower_than(runtime: str) -> Sequence[str]:
    """The instructions of this processor that come after those of a runtime; none where it has none."""
    *_, used = runtime.split()
    usable = instruction_sets()
    return usable[usable.index(used) + 1 :] if used in usable else ()


def random_bundle(folder: Path, preset: str, tokenizer: Path) -> Path:
    """The bundle with random weights, written in a process of its own if it is not there: torch stays out of this."""
    path = folder / f"random-{preset}-{tokenizer.resolve().parent.name}"
    if not path.exists():
        typer.echo(f"writing {path}, which takes some minutes; it is kept", err=True)
        command = [sys.executable, "-m", "benchmarks.random_bundle", str(path), preset, str(tokenizer)]
        done = subprocess.run(command, check=False, timeout=WRITE_LIMIT_S)  # noqa: S603 - our own command
        if done.returncode:
            raise typer.Exit(done.returncode)
    return path


def without_shortlists(bundle: Bundle) -> Bundle:
    """The same network, with all of its vocabulary."""
    lists = set(map(shortlist_file, DIRECTIONS))
    files = {name: record for name, record in bundle.manifest.files.items() if name not in lists}
    return replace(bundle, manifest=replace(bundle.manifest, files=files))


def transformers(folder: Path, config: ModelConfig, bundle: Bundle) -> dict[str, Case]:
    """Transformers of REDER's width, FFN width, heads and vocabulary: as deep, and with a shallow decoder.

    A base bundle has six layers an end: 6+6, and 6+2 as in systems built for speed. Of each there is a case with the
    bundle's shortlists, if it has some.
    """
    shortlist = bundle.shortlists().get(EN_DE)
    deep = config.layers_per_end, config.layers_per_end
    shallow = config.layers_per_end, max(1, config.layers_per_end // 3)
    cases = {}
    for layers, decodings in ((deep, {"greedy": 1, f"beam {BEAM}": BEAM}), (shallow, {"greedy": 1})):
        shape = Shape(*layers, config.width, config.ffn_width, config.heads, config.vocabulary_size)
        model = folder / f"ct2-{'-'.join(map(str, astuple(shape)))}-{bundle.manifest.name}"
        if not model.exists():
            write_random_transformer(model, shape, shortlist)
        for decoding, beam in decodings.items():
            name = f"{layers[0]}+{layers[1]} {decoding}"
            cases[name] = Case(model, beam, listed=False)
            if shortlist:
                cases[f"{name}, shortlists"] = Case(model, beam, listed=True)
    return cases


def latency_runs(
    engines: Mapping[str, Engine], cases: dict[str, Case], pairs: list[Parallel]
) -> dict[str, Callable[[], list[float]]]:
    """Runs by "case | setting"; each gives the seconds of every sentence, translated alone."""
    systems: dict[str, System] = {
        f"{name} | as served": RederSystem(one, batcher_limits(Settings.model_construct(), one.info).budget, 1)
        for name, one in engines.items()
        if name != REDER_FP32
    }
    for name, case in cases.items():
        for threads in (one for one in thread_settings() if one.inter == 1):
            systems[f"{name} | {threads}"] = TransformerSystem(
                open_translator(case.model, threads), case.beam, 1, "examples", listed=case.listed
            )
    return {name: partial(time_alone, system, pairs) for name, system in systems.items()}


def throughput_runs(
    engines: Mapping[str, Engine], cases: dict[str, Case], pairs: list[Parallel]
) -> dict[str, Callable[[], list[float]]]:
    """Runs by "case | setting"; each gives the seconds of all sentences together, as a list of one."""
    longest = max(len(pair.source) for pair in pairs)
    systems: dict[str, System] = {}
    for name, one in engines.items():
        served = batcher_limits(Settings.model_construct(), one.info)
        by_count = replace(served.budget, tokens=BATCH * longest, items=BATCH)
        systems[f"{name} | as served"] = RederSystem(one, served.budget, served.lookahead)
        systems[f"{name} | {BATCH} examples"] = RederSystem(one, by_count, served.lookahead)
    for name, case in cases.items():
        for threads in thread_settings():
            for limit, kind in CT2_BATCHES:
                setting = f"{threads}, {limit} {kind}"
                translator = open_translator(case.model, threads)
                systems[f"{name} | {setting}"] = TransformerSystem(
                    translator, case.beam, limit, kind, listed=case.listed
                )
    return {name: partial(time_together, system, pairs) for name, system in systems.items()}


def ceiling_runs(
    int8: Engine, bundle: Bundle, config: ModelConfig, pairs: list[Parallel], threads: int
) -> dict[str, Callable[[], float]]:
    """Multiply-adds a second: of large int8 products, and of REDER on a batch of neighbours in length.

    Of REDER those with its weights and real frames count, which are what is done in int8; of the vocabulary the
    sentence's shortlist, if it has one.
    """
    middle = len(pairs) // 2
    ascending = sorted((pair.source for pair in pairs), key=len)
    sources = ascending[max(0, middle - BATCH // 2) :][:BATCH]
    batches = served_batches(sources, int8.info)
    shortlist = bundle.shortlists().get(EN_DE)
    count = 0
    for source in sources:
        listed = len(shortlist.listed(source)) if shortlist else config.vocabulary_size
        weighed = listed if listed <= config.vocabulary_size / 2 else None  # as the engine does
        count += multiply_adds(config, 1, len(source), weighed).weights
    large = Ceiling("int8", threads=threads)

    def run() -> None:
        on_lanes(int8, lambda lane, batch: lane.infer(EN_DE, batch), batches)

    def reder() -> float:
        run()
        seconds = []
        for _ in range(CEILING_REPEATS):
            started = time.perf_counter()
            run()
            seconds.append(time.perf_counter() - started)
        return count / median(seconds)

    return {"large int8 products": large.measure, f"REDER int8, batch {BATCH}": reder}


def time_alone(system: System, pairs: Sequence[Parallel]) -> list[float]:
    """Seconds of each sentence; the first is run twice, since it finds the caches full of another system."""
    system.one(pairs[0])
    seconds = []
    for pair in pairs:
        started = time.perf_counter()
        written = system.one(pair)
        seconds.append(time.perf_counter() - started)
        check(system, written.tokens, pair.target_tokens)
    return seconds


def time_together(system: System, pairs: Sequence[Parallel]) -> list[float]:
    """Seconds of all sentences."""
    system.one(pairs[0])
    started = time.perf_counter()
    written = system.many(pairs)
    elapsed = time.perf_counter() - started
    check(system, written.tokens, sum(pair.target_tokens for pair in pairs))
    return [elapsed]


def check(system: System, tokens: int, wanted: int) -> None:
    """Refuse figures of a Transformer that wrote less than it was told to.

    Raises:
        RuntimeError: it did.
    """
    if isinstance(system, TransformerSystem) and tokens < wanted:
        msg = f"CTranslate2 wrote {tokens} tokens instead of {wanted}: it was not made to do the work"
        raise RuntimeError(msg)


def lengths_of(pairs: Sequence[Parallel]) -> dict[str, float]:
    """How long the sentences are, in tokens."""
    sources, targets = [len(pair.source) for pair in pairs], [pair.target_tokens for pair in pairs]
    return {
        "count": len(pairs),
        "source_mean": round(fmean(sources), 1),
        "source_median": median(sources),
        "target_mean": round(fmean(targets), 1),
    }
