"""`reder translate-corpus`: a corpus in many files, on one machine or a cluster."""

from __future__ import annotations

import hashlib
import json
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from tqdm import tqdm

from cli.errors import FAILED, INTERRUPTED, USAGE, fail, needs, reporting
from cli.glossary import read_glossary
from cli.options import BundleFolder, Form, GlossaryFile, Quality, Target, check_target
from cli.settings import load_settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cli.corpus_job import Pool
    from cli.corpus_worker import Finished, Plan
    from cli.translate_files import Job

__all__ = ["translate_corpus"]

_RECORD = "_reder.json"  # readers of Parquet folders skip names that begin so


def translate_corpus(  # noqa: PLR0917 - typer passes them by name
    inputs: Annotated[list[Path], typer.Argument(metavar="INPUT", help="Shards, or folders of them.")],
    direction: Annotated[
        Literal["en-de", "de-en", "auto"],
        typer.Option("--dir", help="From and to which language; auto finds out, row by row."),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER", help="Write shards of the same names to this folder.")
    ],
    column: Annotated[str, typer.Option(help="Which has the texts.")] = "text",
    into: Annotated[str, typer.Option(help="Which is added for the translations.")] = "translation",
    form: Annotated[Form, typer.Option("--format", help="What the texts are written in.")] = "text",
    quality: Quality = None,
    target: Target = None,
    glossary: GlossaryFile = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Processes, each with an engine. [default: as many as there is room for]")
    ] = None,
    cpus: Annotated[int, typer.Option(min=1, help="Cores of each worker.")] = 1,
    gpus: Annotated[float, typer.Option(min=0, help="GPUs of each worker; workers may share one, such as 0.5.")] = 0,
    address: Annotated[
        str | None,
        typer.Option(envvar="RAY_ADDRESS", help="Of a Ray cluster, such as 10.0.0.1:6379. [default: this machine]"),
    ] = None,
    bundle: BundleFolder = None,
    *,
    details: Annotated[
        bool, typer.Option("--details", help="Add reverse scores, and flags of what somebody should look at.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Do finished shards again, too.")] = False,
) -> None:
    """Translate a corpus in many files, on this machine or a Ray cluster.

    Reads Parquet (.parquet) and JSON lines (.jsonl, .ndjson; also .gz, .zst, .bz2), and writes the same
    with columns added: the translation, its confidence, with --dir auto the direction. Rows keep their
    order and all else that is in them. A row without a text has no translation.

    A shard is translated by one worker, and is there when all of it is: a worker that dies costs its
    shard's time and no row. Finished shards are not done again: after an interruption, run the same
    command. Needs the extra `ray`; on a cluster, inputs, output and bundle must have the same paths on
    every machine, and this program be installed there.

    Examples:
      reder translate-corpus --dir de-en corpus --output english
      reder translate-corpus --dir auto --target de --details shard-*.jsonl.gz --column body -o out
      reder translate-corpus --dir en-de --address 10.0.0.1:6379 --cpus 4 /nfs/corpus -o /nfs/german
    """
    check_target(target, direction)
    with needs("ray"):
        from cli.corpus_job import ClusterError, Pool
        from cli.corpus_shards import Columns, shard_form
    with needs("cpu"):
        import service.app  # noqa: F401 - loaded here, where a missing runtime can be named
    from cli.corpus_worker import Plan
    from cli.translate_engines import UNBOUNDED, Wishes
    from cli.translate_files import JobError, find_jobs, outdate, parted
    from model.bundle import BundleError

    columns = Columns(column, into, direction=direction == "auto", details=details)
    names = [column, *columns.added()]
    if len(set(names)) < len(names):
        fail(f"columns cannot have the same name: {', '.join(names)}", code=USAGE)
    terms = read_glossary(glossary) if glossary else ()
    settings = load_settings(bundle=bundle, **UNBOUNDED, threads=cpus)
    settings = settings.model_copy(update={"bundle": settings.bundle.resolve()})
    wishes = Wishes(quality or settings.quality, target, terms, details=details)
    plan = Plan(settings, wishes, direction, form, columns)
    try:
        with reporting(BundleError, ClusterError, JobError):
            # No links are followed: in a cache, the file itself often has another name.
            paths = [path.absolute() for path in inputs]
            jobs, unknown = find_jobs(paths, output.resolve(), None, shard_form)
            if strange := next((job for job in jobs if not shard_form(job.source)), None):
                fail(f"{strange.source} is neither Parquet nor JSON lines by its name", code=USAGE)
            if force:
                outdate(jobs)
            finished, waiting = parted(jobs)
            _record(plan, output, finished)
            results = _run(plan, waiting, address, Pool(workers, cpus, gpus)) if waiting else []
    except KeyboardInterrupt:
        again = ", without --force" if force else ""
        fail(f"interrupted; the same command goes on from here{again}", code=INTERRUPTED)
    _tell(results, len(finished), unknown)


def _run(plan: Plan, jobs: Sequence[Job], address: str | None, pool: Pool) -> list[Finished]:
    """Do all jobs, and show how far it is."""
    from cli.corpus_job import connected, run

    sizes = {job.name: job.size for job in jobs}
    results = []
    with (
        connected(address, pool),
        tqdm(total=sum(sizes.values()), desc="translated", unit="B", unit_scale=True, disable=None) as bar,
        closing(run(plan, jobs, pool)) as several,
    ):
        for one in several:
            bar.update(sizes[one.name])
            results.append(one)
    return results


def _record(plan: Plan, output: Path, finished: Sequence[Job]) -> None:
    """Write down how the shards in the folder are translated: they must all be translated alike.

    Raises:
        BundleError: there is no bundle.
        JobError: what is finished was translated otherwise.
    """
    from cli.translate_files import JobError
    from model.bundle import Bundle

    wishes, columns = plan.wishes, plan.columns
    manifest = Bundle.open(plan.settings.bundle, verify=False).manifest.to_json()
    made = {
        "direction": plan.direction,
        "target": wishes.target,
        "quality": wishes.quality,
        "glossary": [list(term) for term in wishes.glossary],
        "details": wishes.details,
        "format": plan.form,
        "column": columns.text,
        "into": columns.translation,
        "bundle": hashlib.sha256(manifest.encode()).hexdigest(),
    }
    path = output / _RECORD
    if finished:
        try:
            before = json.loads(path.read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError):
            before = {}
        if other := [name for name in made if made[name] != before.get(name)]:
            msg = f"{output} has shards made with another {', '.join(other)}: name another folder, or use --force"
            raise JobError(msg)
    output.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(made, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def _tell(results: Sequence[Finished], finished: int, unknown: int) -> None:
    """Say what became of all shards, and fail if there are some that could not be translated."""
    failures = [one for one in results if one.error]
    for one in failures:
        typer.echo(f"reder: {one.name}: {one.error}", err=True)
    counts = {
        "shards translated": len(results) - len(failures),
        "rows in them": sum(one.rows for one in results),
        "rows without a translation, refused": sum(one.refused for one in results),
        "shards finished earlier": finished,
        "shards failed": len(failures),
        "files that are no shards": unknown,
    }
    said = ", ".join(f"{count} {what}" for what, count in counts.items() if count)
    typer.echo(said or "no shard to translate", err=True)
    if failures:
        raise typer.Exit(FAILED)
