"""The beam search beside the network: how long each takes for a sentence, and whether searches run side by side."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
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
from model.bundle import EN_DE, Bundle, BundleError, prefix_beam_search
from service.engine.cores import usable_cores
from service.engine.onnx import OnnxEngine
from service.errors import StartupError
from service.pipeline.work import Search

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from model.bundle import Fluency
    from service.types import SegmentChoices

__all__ = ["search"]


@dataclass(frozen=True, slots=True)
class Searching:
    """Sentences, what the network found likely for each, and how to search it."""

    sources: Sequence[tuple[int, ...]]
    choices: Sequence[SegmentChoices]
    beam: int
    blank_id: int

    def one(self, place: int, fluency: Fluency | None) -> None:
        """Search one sentence."""
        found = self.choices[place]
        prefix_beam_search(
            found.ids,
            found.log_probs,
            beam=self.beam,
            blank_id=self.blank_id,
            fluency=fluency,
            source=self.sources[place],
        )

    def all(self, fluency: Fluency | None, threads: int) -> None:
        """Search all, so many at the same time."""
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(lambda place: self.one(place, fluency), range(len(self.sources))))


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
        lane = OnnxEngine(opened, provider="cpu", threads=1)
        fluency = opened.fluency().get(EN_DE)
    files = side_of(sets, EN_DE.source)
    texts = read_mixed(files, opened, language=EN_DE.source, count=sentences)
    sources = [sentence.ids for sentence in texts]
    batches = served_batches(sources, lane.info)
    choices = [Search(EN_DE).run(lane, [source])[0] for source in sources]
    searching = Searching(sources, choices, opened.manifest.search.beam, opened.manifest.blank_id)
    warn_if_busy()

    cores = usable_cores()
    cases: dict[str, Callable[[], float]] = {
        "network, in batches, one core": partial(_timed, lambda: [lane.search(EN_DE, batch) for batch in batches]),
        "search, one core": partial(_timed, lambda: searching.all(fluency, 1)),
        "search without language model and lexicon": partial(_timed, lambda: searching.all(None, 1)),
        f"search, {cores} at the same time": partial(_timed, lambda: searching.all(fluency, cores)),
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
