"""`reder translate`: texts, standard input, files and folders; with the pipeline in this process, or a service."""

from __future__ import annotations

import asyncio
import io
import os
import signal
import sys
from contextlib import AbstractAsyncContextManager, ExitStack, aclosing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NoReturn

import typer
from tqdm import tqdm

from cli.errors import FAILED, INTERRUPTED, USAGE, fail, needs, reporting
from cli.glossary import read_glossary
from cli.options import ApiKey, BundleFolder, Form, GlossaryFile, Quality, Target, check_target
from cli.settings import load_settings

if TYPE_CHECKING:
    from collections.abc import Collection

    from cli.translate_engines import Engine, Wishes
    from cli.translate_files import Job, Outcome
    from cli.translate_report import Report
    from cli.translate_text import Source

__all__ = ["translate"]

_STANDARD_INPUT = Path("-")


@dataclass(frozen=True, slots=True)
class _Plan:
    """How to translate, and whether it is single texts."""

    engine: AbstractAsyncContextManager[Engine]
    direction: str
    characters: int
    texts: bool


def translate(  # noqa: PLR0917 - typer passes them by name
    direction: Annotated[
        Literal["en-de", "de-en", "auto"],
        typer.Option("--dir", help="From and to which language; auto finds out, file by file and text by text."),
    ],
    texts: Annotated[
        list[str] | None,
        typer.Argument(metavar="TEXT", help="Texts, each printed on a line of its own; - alone is standard input."),
    ] = None,
    files: Annotated[
        list[Path] | None,
        typer.Option(
            "--file", "-f", metavar="PATH", help="Translate a file (- is standard input), or a folder; may be repeated."
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FOLDER", help="Write files of the same names to this folder."),
    ] = None,
    form: Annotated[
        Form | None, typer.Option("--format", help="What it is written in. [default: by extension, else text]")
    ] = None,
    attributes: Annotated[
        bool,
        typer.Option("--attributes", help="In HTML and Markdown, translate what alt, title and the like say, too."),
    ] = False,
    quality: Quality = None,
    target: Target = None,
    glossary: GlossaryFile = None,
    report: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="List segments to look at, as a table or, if it is called .jsonl, as JSON."),
    ] = None,
    *,
    force: Annotated[bool, typer.Option("--force", help="With --output: do finished files again, too.")] = False,
    url: Annotated[str | None, typer.Option(help="Use the service that runs here, not this process.")] = None,
    api_key: ApiKey = None,
    bundle: BundleFolder = None,
) -> None:
    """Translate texts, standard input, files or folders.

    Reads UTF-8 text of any length, and documents whose markup and structure it keeps: HTML, Markdown,
    SRT, PO, XLIFF and JSON. Needs a bundle, or with --url a running service; never torch. Without
    --output, everything goes to standard output, laid out as it came in. For a service, documents
    longer than it takes are sent in parts; HTML and XLIFF cannot be cut, and are refused then.

    In a folder, files of other formats, hidden ones and links to folders are left out. With --output,
    a file that is finished is not done again: after an interruption, run the same command. The report
    names segments with weak translations, and with numbers or terms that may be wrong.

    Examples:
      reder translate --dir en-de "Good morning."
      zcat notes.gz | reder translate --dir en-de | less
      reder translate --dir de-en -f brief.html -f text.md --output english
      reder translate --dir auto --target de -f site --output site-de --report look-at.tsv
      reder translate --dir en-de --url http://127.0.0.1:8000 -f subtitles --output untertitel
    """
    _check(texts, files, output, url=url, bundle=bundle)
    check_target(target, direction)
    if texts == [str(_STANDARD_INPUT)]:
        texts = None
    _check_texts(texts or [])
    if force and not output:
        fail("--force belongs to --output", code=USAGE)

    from cli.translate_engines import RefusedError, Wishes
    from cli.translate_files import JobError
    from cli.translate_report import ReportError
    from cli.translate_text import CHARACTERS, UnreadableError, is_strange
    from model.bundle import BundleError
    from reder import RederError
    from service.errors import ServiceError
    from service.formats import WITH_ATTRIBUTES

    if attributes and form not in WITH_ATTRIBUTES and (form or not files):
        fail("--attributes belongs to HTML and Markdown: say --format", code=USAGE)
    if not form and (strange := next(filter(is_strange, files or ()), None)):
        fail(f"{strange} is of no known format; --format text would translate its markup, too", code=USAGE)
    terms = read_glossary(glossary) if glossary else ()
    wishes = Wishes(quality=quality, target=target, glossary=terms, details=report is not None, attributes=attributes)
    # A service limits the time of a request, and searching takes longer; so it may where nobody says how hard to look.
    characters = CHARACTERS // 4 if url and quality != "fast" else CHARACTERS
    plan = _Plan(_engine(url, api_key, bundle, wishes, characters), direction, characters, texts=bool(texts))
    try:
        with reporting(BundleError, JobError, RederError, RefusedError, ReportError, ServiceError, UnreadableError):
            if output:
                _to_files(plan, files or [], output, form, report, force=force)
            else:
                _to_standard_output(plan, _sources(texts, files, form), report)
    except BrokenPipeError:
        # Whoever reads has enough (`| head`). Without this, Python complains when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(128 + signal.SIGPIPE) from None
    except KeyboardInterrupt:
        again = "; the same command goes on from here" + (", without --force" if force else "")
        fail("interrupted" + (again if output else ""), code=INTERRUPTED)


def _check(
    texts: list[str] | None, files: list[Path] | None, output: Path | None, *, url: str | None, bundle: Path | None
) -> None:
    """Fail if options contradict each other."""
    if texts and files:
        fail("give texts or files, not both", code=USAGE)
    if url and bundle:
        fail("give --url or --bundle, not both", code=USAGE)
    if url is not None and not url.strip():
        fail("--url is empty", code=USAGE)
    if output and not files:
        fail("--output needs files or folders: name them with --file", code=USAGE)
    if folders := [path for path in files or () if path.is_dir() and not output]:
        fail(f"{folders[0]} is a folder; say with --output where its translations go", code=USAGE)
    if (stdin := (files or []).count(_STANDARD_INPUT)) and output:
        fail("standard input has no name for a file in --output", code=USAGE)
    if stdin > 1:
        fail("standard input can be read only once", code=USAGE)


def _check_texts(texts: list[str]) -> None:
    """Fail if one cannot be sent, and say so if one may be meant for a file."""
    for number, text in enumerate(texts, 1):
        try:
            text.encode()
        except UnicodeEncodeError:
            fail(f"text {number} is not UTF-8", code=USAGE)
        if os.path.isfile(text):  # noqa: PTH113 - a path says no to what is too long for one
            typer.echo(f"reder: text {number} is the name of a file; to translate the file, say --file", err=True)


def _engine(
    url: str | None, api_key: str | None, bundle: Path | None, wishes: Wishes, characters: int
) -> AbstractAsyncContextManager[Engine]:
    """Not opened yet."""
    from cli.translate_engines import UNBOUNDED, open_local, open_remote

    if url:
        return open_remote(url, api_key, wishes, characters)
    settings = load_settings(bundle=bundle, **UNBOUNDED)
    with needs("cpu"):
        import service.app  # noqa: F401 - loaded here, where a missing runtime can be named

    from service.observability.logging import configure_logging

    configure_logging("error", "console")
    return open_local(settings, wishes)


def _sources(texts: list[str] | None, files: list[Path] | None, form: str | None) -> list[Source]:
    """What goes to standard output, in order."""
    from cli.translate_text import TEXT, Source, form_of

    if texts:
        line_end = Source("", TEXT, partial(io.StringIO, "\n"))
        given = (
            Source(f"text {number}", form or TEXT, partial(io.StringIO, text, newline=""))
            for number, text in enumerate(texts, 1)
        )
        return [source for text in given for source in (text, line_end)]
    return [
        _standard_input(form)
        if path == _STANDARD_INPUT
        else Source(str(path), form or form_of(path) or TEXT, partial(path.open, encoding="utf-8", newline=""))
        for path in files or [_STANDARD_INPUT]
    ]


def _standard_input(form: str | None) -> Source:
    from cli.translate_text import TEXT, Source

    if sys.stdin is None:
        fail("standard input is closed", code=USAGE)
    if sys.stdin.isatty():
        typer.echo("reading standard input; Ctrl-D ends it", err=True)
    return Source("standard input", form or TEXT, partial(io.TextIOWrapper, sys.stdin.buffer, "utf-8", newline=""))


def _to_standard_output(plan: _Plan, sources: list[Source], report: Path | None) -> None:
    if sys.stdout is None:
        fail("standard output is closed", code=USAGE)
    with ExitStack() as stack:
        hidden = plan.texts or not sys.stderr.isatty() or sys.stdout.isatty()
        bar: tqdm[NoReturn] = tqdm(desc="translated", unit=" characters", unit_scale=True, disable=hidden)
        stack.enter_context(bar)
        rows = stack.enter_context(_open_report(report)) if report else None
        asyncio.run(_print(plan, sources, rows, bar))


async def _print(plan: _Plan, sources: list[Source], report: Report | None, bar: tqdm[NoReturn]) -> None:
    """Translate and print what comes from each source, as if they were one where that makes no difference."""
    from cli.translate_engines import RefusedError
    from cli.translate_report import weak_rows
    from cli.translate_text import TEXT, runs, translated

    apart = report is not None or (plan.direction == "auto" and not plan.texts)
    output = sys.stdout.buffer
    async with plan.engine as engine:
        for name, form, pieces in runs(sources, plan.characters, apart=apart):
            segments = 0
            several = translated(
                engine, pieces, direction=plan.direction, form=form, characters=plan.characters, settle=not plan.texts
            )
            try:
                async with aclosing(several) as groups:
                    async for texts, translations in groups:
                        output.write("".join(one.text for one in translations).encode())
                        output.flush()
                        if report:
                            report.add(weak_rows(name, translations, before=segments))
                        segments += sum(len(one.segments) for one in translations)
                        bar.update(sum(map(len, texts)))
            except RefusedError as error:
                if form == TEXT:  # perhaps of several sources, and no fault of the text
                    raise
                msg = f"{name}: {error}"
                raise RefusedError(msg) from error


def _to_files(
    plan: _Plan, paths: list[Path], output: Path, form: str | None, report: Path | None, *, force: bool
) -> None:
    from cli.translate_files import Outcome, find_jobs, outdate, parted

    jobs, unknown = find_jobs(paths, output, form)
    if force:
        outdate(jobs)
    finished, waiting = parted(jobs)
    outcome = Outcome()
    with ExitStack() as stack:
        rows = stack.enter_context(_open_report(report, {job.name for job in finished})) if report else None
        if waiting:
            size = sum(job.size for job in waiting)
            bar: tqdm[NoReturn] = tqdm(total=size, desc="translated", unit="B", unit_scale=True, disable=None)
            stack.enter_context(bar)
            outcome = asyncio.run(_translate_files(plan, waiting, rows, bar))
    for failure in outcome.failures:
        typer.echo(f"reder: {' '.join(failure.split())}", err=True)
    counts = {
        "translated": outcome.translated,
        "finished earlier": len(finished),
        "failed": len(outcome.failures),
        "of no known format": unknown,
        "segments to look at": rows.rows if rows else 0,
    }
    said = ", ".join(f"{count} {what}" for what, count in counts.items() if count)
    typer.echo(said or "no file to translate", err=True)
    if outcome.failures:
        raise typer.Exit(FAILED)


async def _translate_files(plan: _Plan, jobs: list[Job], report: Report | None, bar: tqdm[NoReturn]) -> Outcome:
    from cli.translate_files import translate_files

    async with plan.engine as engine:
        return await translate_files(
            engine, jobs, direction=plan.direction, report=report, bar=bar, characters=plan.characters
        )


def _open_report(path: Path, keep: Collection[str] = ()) -> Report:
    from cli.translate_report import Report

    return Report(path, keep=keep)
