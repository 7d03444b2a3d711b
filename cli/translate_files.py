"""Files and folders, translated to files of the same names in another folder; what is finished is not done again."""

from __future__ import annotations

import hashlib
import os
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TextIO

from cli.translate_engines import RefusedError
from cli.translate_report import weak_rows
from cli.translate_text import CHARACTERS, TEXT, Source, UnreadableError, form_of, translated
from service.pipeline.together import together

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from tqdm import tqdm

    from cli.translate_engines import Engine
    from cli.translate_report import Report, Row

__all__ = ["Job", "JobError", "Outcome", "find_jobs", "outdate", "parted", "translate_files", "waves"]

_WAVE_BYTES, _WAVE_FILES = 65_536, 32
"""So much is under way at once: short files share batches, and what waits stays bounded."""

_NAME_BYTES = 240
"""A name may have 255 in most file systems, and that of a file in the making is a little longer than its own."""


class JobError(ValueError):
    """It cannot be done as it was asked for; nothing has been written."""


@dataclass(frozen=True, slots=True)
class Job:
    """A file to translate.

    Args:
        source: the file.
        target: where the translation goes.
        name: its path below the folder for translations; for people.
        form: its format.
    """

    source: Path
    target: Path
    name: str
    form: str

    @property
    def size(self) -> int:
        """In bytes.

        Raises:
            OSError: it is not there.
        """
        return self.source.stat().st_size

    @property
    def finished(self) -> bool:
        """Whether the translation is there, and no older than the file."""
        try:
            return self.target.stat().st_mtime_ns >= self.source.stat().st_mtime_ns
        except OSError:
            return False


@dataclass(slots=True)
class Outcome:
    """What became of the files: how many are translated, and why others are not; each line names its file."""

    translated: int = 0
    failures: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Work:
    """What the jobs of one run share."""

    engine: Engine
    direction: str
    report: Report | None
    bar: tqdm[NoReturn]
    characters: int


def find_jobs(
    paths: Iterable[Path], output: Path, form: str | None, known: Callable[[Path], str | None] = form_of
) -> tuple[list[Job], int]:
    """A job for each file, and for each of known format in a folder; and how many others are in the folders.

    Hidden files and folders are left out, and so are links to folders. With a format given, every other file is
    taken for one of that; else `known` tells what a file is written in.

    Raises:
        JobError: a translation would take the place of its source, of another, or of another translation.
        OSError: a path is not there, or a folder cannot be read.
    """
    jobs: list[Job] = []
    unknown = 0
    for path in paths:
        if path.is_dir():
            for file in sorted(_files(path, output)):
                if found := form or known(file):
                    name = file.relative_to(path)
                    jobs.append(Job(file, output / name, name.as_posix(), found))
                else:
                    unknown += 1
        else:
            path.stat()
            jobs.append(Job(path, output / path.name, path.name, form or known(path) or TEXT))
    sources = {job.source.resolve() for job in jobs}
    taken: dict[Path, Path] = {}
    for job in jobs:
        if job.target.exists() and job.target.samefile(job.source):
            msg = f"{job.source} would be replaced by its translation; name another folder for --output"
            raise JobError(msg)
        if job.target.exists() and job.target.resolve() in sources:
            msg = f"{job.target} would be replaced by the translation of {job.source}; name another folder for --output"
            raise JobError(msg)
        if taken.setdefault(job.target, job.source) != job.source:
            msg = f"{taken[job.target]} and {job.source} would both become {job.target}"
            raise JobError(msg)
    return list({job.target: job for job in jobs}.values()), unknown


def outdate(jobs: Iterable[Job]) -> None:
    """Have finished jobs count as not finished, so that one run can do again what another has begun to do again.

    Raises:
        OSError: a file cannot be changed.
    """
    for job in jobs:
        if job.finished:
            before = job.source.stat().st_mtime_ns - 1
            os.utime(job.target, ns=(before, before))


def parted(jobs: Iterable[Job]) -> tuple[list[Job], list[Job]]:
    """Those that are finished, and those that are not."""
    finished: list[Job] = []
    waiting: list[Job] = []
    for job in jobs:
        (finished if job.finished else waiting).append(job)
    return finished, waiting


def waves(jobs: Iterable[Job]) -> Iterator[list[Job]]:
    """Jobs that go together: some files, not too large together, or one that alone is."""
    wave: list[Job] = []
    total = 0
    for job in jobs:
        try:
            size = job.size
        except OSError:  # it has gone meanwhile; whoever reads it says so
            size = 0
        if wave and (total + size > _WAVE_BYTES or len(wave) == _WAVE_FILES):
            yield wave
            wave, total = [], 0
        wave.append(job)
        total += size
    if wave:
        yield wave


async def translate_files(
    engine: Engine,
    jobs: Sequence[Job],
    *,
    direction: str,
    report: Report | None,
    bar: tqdm[NoReturn],
    characters: int = CHARACTERS,
) -> Outcome:
    """Do all jobs. One that cannot be done does not stop the others, unless nothing can be translated any more.

    A translation is written to another file in its folder and takes its name when it is complete, and its rows are
    in the report then. `bar` counts bytes.

    Raises:
        RederError, ServiceError: as `Engine.translate`.
        OSError: a folder or the report cannot be written.
    """
    outcome = Outcome()
    work = _Work(engine, direction, report, bar, characters)
    for wave in waves(jobs):
        failures = [failure for failure in await together([_try(job, work) for job in wave]) if failure is not None]
        outcome.translated += len(wave) - len(failures)
        outcome.failures += failures
    return outcome


async def _try(job: Job, work: _Work) -> str | None:
    """Do a job; if that fails, say why, and leave nothing behind."""
    job.target.parent.mkdir(parents=True, exist_ok=True)
    new = _partial(job.target)
    try:
        with new.open("w", encoding="utf-8", newline="") as stream:
            rows = await _write(job, work, stream)
            stream.flush()
            os.fsync(stream.fileno())  # or the name could outlive a power failure, and the content not
        if work.report:
            work.report.add(rows)
        new.replace(job.target)
    except RefusedError as error:
        return f"{job.source}: {error}"
    except UnreadableError as error:
        return str(error)
    finally:
        new.unlink(missing_ok=True)
    return None


def _partial(target: Path) -> Path:
    """Where a translation is written until it is complete."""
    name = os.fsencode(target.name)
    short = target.name if len(name) <= _NAME_BYTES else hashlib.sha256(name).hexdigest()
    return target.with_name(f".{short}.partial")


async def _write(job: Job, work: _Work, stream: TextIO) -> list[Row]:
    """Translate a file to the stream. Gives the rows for the report."""
    source = Source(str(job.source), job.form, partial(job.source.open, encoding="utf-8", newline=""))
    several = source.pieces(work.characters)
    rows: list[Row] = []
    segments = 0
    async with aclosing(
        translated(work.engine, several, direction=work.direction, form=job.form, characters=work.characters)
    ) as groups:
        async for texts, translations in groups:
            stream.write("".join(one.text for one in translations))
            rows += weak_rows(job.name, translations, before=segments)
            segments += sum(len(one.segments) for one in translations)
            work.bar.update(sum(len(text.encode()) for text in texts))
    return rows


def _files(folder: Path, output: Path) -> Iterator[Path]:
    """Every file in a folder that is not hidden, but for those in the folder for translations.

    Raises:
        OSError: the folder, or one in it, cannot be read.
    """
    own = output.resolve()
    for parent, folders, names in os.walk(folder, onerror=_raise):
        inside = Path(parent)
        folders[:] = [name for name in folders if not name.startswith(".") and (inside / name).resolve() != own]
        yield from (file for name in names if not name.startswith(".") and (file := inside / name).is_file())


def _raise(error: OSError) -> NoReturn:
    raise error
