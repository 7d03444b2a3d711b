"""The Ray job beside one process that does the same shards: what more workers bring, and what Ray costs."""

from __future__ import annotations

import json
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from benchmarks.options import several
from benchmarks.report import RESULTS, number, save, table, warn_if_busy
from benchmarks.sentences import SETS, read_texts, side_of, spread
from cli.errors import fail, needs
from cli.settings import load_settings
from service.engine.cores import usable_cores

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cli.corpus_worker import Plan
    from cli.translate_files import Job

__all__ = ["corpus"]


def corpus(
    sets: Annotated[list[Path], several(SETS, "--set", help="Prefix of parallel files; their English is translated")],
    rows: Annotated[int, typer.Option(min=1, help="In the corpus.")] = 8000,
    shards: Annotated[int, typer.Option(min=1, help="That it is in.")] = 16,
    workers: Annotated[
        list[int] | None, typer.Option(min=1, help="May be repeated. [default: 1, one per core]")
    ] = None,
    bundle: Annotated[Path | None, typer.Option(help="Folder of the bundle.")] = None,
    output: Annotated[Path, typer.Option(help="Folder for the JSON file.")] = RESULTS,
) -> None:
    """Translate a corpus with one process and with `reder translate-corpus` on this machine; one core each.

    Start-up is measured apart, with a row for each worker: a corpus worth a cluster takes hours.

    Example:
        python -m benchmarks corpus --rows 20000
    """
    with needs("ray"):
        from cli.corpus_shards import Columns  # noqa: PLC0415 - needs an extra
        from cli.corpus_worker import Plan  # noqa: PLC0415 - same
    from cli.translate_engines import UNBOUNDED, Wishes  # noqa: PLC0415 - with them

    texts = [text for file in side_of(sets, "en") for text in read_texts(file)]
    warn_if_busy()
    texts = spread(texts, len(texts))
    texts = [texts[place % len(texts)] for place in range(rows)]
    settings = load_settings(bundle=bundle, **UNBOUNDED, threads=1)
    settings = settings.model_copy(update={"bundle": settings.bundle.resolve()})
    plan = Plan(settings, Wishes(), "en-de", "text", Columns("text", "translation"))
    figures = []
    with TemporaryDirectory() as folder:
        jobs = _write(texts, shards, Path(folder, "corpus"))
        alone = rows / _one_process(plan, jobs)
        figures.append({"workers": 0, "rows_per_s": alone, "start_s": None, "ratio": 1.0})
        for count in workers or sorted({1, usable_cores()}):
            start_s = _job(plan, _write(texts[:count], count, Path(folder, "start")), count)
            rate = rows / (_job(plan, jobs, count) - start_s)
            figures.append({"workers": count, "rows_per_s": rate, "start_s": start_s, "ratio": rate / alone})
    names = ("one process", *(f"Ray, {one['workers']} worker(s)" for one in figures[1:]))
    cells = [
        [name, number(one["rows_per_s"], 0), number(one["ratio"]), number(one["start_s"], 1)]
        for name, one in zip(names, figures, strict=True)
    ]
    typer.echo(table(["", "rows a second", "against one process", "start-up, s"], cells))
    typer.echo(save("corpus", {"rows": rows, "shards": shards, "figures": figures}, output))


def _write(texts: Sequence[str], shards: int, folder: Path) -> list[Job]:
    """The corpus as shards of about the same size."""
    from cli.translate_files import find_jobs  # noqa: PLC0415 - as above

    folder.mkdir(exist_ok=True)
    paths = [folder / f"{shard:04}.jsonl" for shard in range(min(shards, len(texts)))]
    for shard, path in enumerate(paths):
        lines = (json.dumps({"text": text}) + "\n" for text in texts[shard :: len(paths)])
        path.write_text("".join(lines), encoding="utf-8")
    return find_jobs(paths, folder.with_name("translated"), "jsonl")[0]


def _one_process(plan: Plan, jobs: Sequence[Job]) -> float:
    """Seconds that this process takes for the shards, once its engine is there."""
    from cli.corpus_worker import ShardWorker  # noqa: PLC0415 - as above

    worker = ShardWorker(plan)
    started = time.perf_counter()
    errors = [
        error
        for job in jobs
        for error in worker({"name": [job.name], "source": [job.source], "target": [job.target]})["error"]
    ]
    seconds = time.perf_counter() - started
    worker.close()
    _check(errors)
    return seconds


def _job(plan: Plan, jobs: Sequence[Job], workers: int) -> float:
    """Seconds that the Ray job takes for the shards, with its start."""
    from cli.corpus_job import Pool, connected, run  # noqa: PLC0415 - as above

    pool = Pool(workers, cpus=1, gpus=0)
    started = time.perf_counter()
    with connected(None, pool):
        errors = [finished.error for finished in run(plan, jobs, pool)]
    seconds = time.perf_counter() - started
    _check(errors)
    return seconds


def _check(errors: Sequence[str]) -> None:
    if found := next(filter(None, errors), None):
        fail(f"a shard was not translated: {found}")
