"""The beam search beside the network: how long each takes for a sentence, and whether searches run side by side."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from functools import partial
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Annotated

import typer

from benchmarks.options import several
from benchmarks.planned import served_batches
from benchmarks.report import RESULTS, number, save, table, warn_if_busy
from benchmarks.rounds import interleaved
from benchmarks.sentences import SETS, read_mixed, side_of
from cli.errors import reporting
from model.bundle import EN_DE, Bundle, BundleError
from service.engine.choice import open_engine
from service.engine.cores import usable_cores
from service.errors import StartupError
from service.pipeline.batching.work import Search
from service.pipeline.decoding.frames import find_candidates

if TYPE_CHECKING:
    from collections.abc import Callable

    from model.bundle import Fluency

__all__ = ["search"]


def search(
    sets: Annotated[list[Path], several(SETS, "--set", metavar="PREFIX", help="Real sentences: those of PREFIX.en")],
    bundle: Annotated[Path, typer.Option(help="What to measure.")] = Path("bundles/reder-medium"),
    sentences: Annotated[int, typer.Option(min=1, help="Of all sets together.")] = 600,
    rounds: Annotated[int, typer.Option(min=1, help="How often each is measured.")] = 5,
    output: Annotated[Path, typer.Option(metavar="DIR", help="Where search.json goes.")] = RESULTS,
) -> None:
    """Measure the beam search beside the network, on one core and on all, English to German.

    Example:
        python -m benchmarks search
    """
    with reporting(BundleError, StartupError):
        opened = Bundle.open(bundle)
        lane = open_engine(opened, provider="cpu", threads=1)
        fluency = opened.fluency().get(EN_DE)
    files = side_of(sets, EN_DE.source)
    texts = read_mixed(files, opened, language=EN_DE.source, count=sentences)
    sources = [sentence.ids for sentence in texts]
    batches = served_batches(sources, lane.info)
    choices = [Search(EN_DE).run(lane, [source])[0] for source in sources]
    find = partial(find_candidates, beam=opened.manifest.search.beam, blank_id=opened.manifest.blank_id)
    warn_if_busy()

    def search_all(fluency: Fluency | None, threads: int) -> None:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(lambda one, source: find([one], [source], fluency=fluency), choices, sources))

    cores = usable_cores()
    cases: dict[str, Callable[[], float]] = {
        "network, in batches, one core": partial(_timed, lambda: [lane.search(EN_DE, batch) for batch in batches]),
        "search, one core": partial(_timed, lambda: search_all(fluency, 1)),
        "search without language model and lexicon": partial(_timed, lambda: search_all(None, 1)),
        f"search, {cores} at the same time": partial(_timed, lambda: search_all(fluency, cores)),
    }
    seconds = interleaved(cases, rounds)
    typer.echo("\n" + _table(seconds, len(sources)))
    content = {"bundle": str(bundle), "sentences": len(sources), "cores": cores, "seconds": seconds}
    file = save("search", content | {"search": asdict(opened.manifest.search)}, output)
    typer.echo(f"\nall figures: {file}")


def _timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _table(seconds: dict[str, list[float]], sentences: int) -> str:
    times = {name: median(values) for name, values in seconds.items()}
    network = next(iter(times.values()))
    rows = [
        (name, number(1000 * value / sentences), number(sentences / value, 0), number(value / network, 3))
        for name, value in times.items()
    ]
    return table(("what", "ms a sentence", "sentences/s", "time / network"), rows)
