"""What a worker of the corpus job does: it has an engine of its own, and translates one shard after another."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cli.corpus_shards import ShardError, rewrite
from cli.translate_engines import RefusedError, open_local
from cli.translate_text import groups
from service.errors import ServiceError
from service.observability.logging import configure_logging

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cli.corpus_shards import Columns
    from cli.translate_engines import Wishes
    from reder import Translation
    from service.settings import Settings

__all__ = ["ATTEMPTS", "Finished", "Plan", "ShardWorker", "attempts"]

ATTEMPTS = 3
"""Workers that may die on one shard. Ray would go on for ever, and a shard that takes all memory kills every one."""

_TOGETHER = 2
"""Groups of texts: the engine has the next one to do while the last is written."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How to translate, the same for all shards.

    Args:
        settings: for the engine.
        wishes: for the translations.
        direction: such as ``en-de``, or ``auto``: row by row.
        form: the format of the texts.
        columns: which one has them, and which ones are added.
    """

    settings: Settings
    wishes: Wishes
    direction: str
    form: str
    columns: Columns


@dataclass(frozen=True, slots=True)
class Finished:
    """What became of a shard: `error` says why it was not translated, and is empty if it was.

    `rows` are all of its rows, `refused` those that have a text that could not be translated.
    """

    name: str
    rows: int = 0
    refused: int = 0
    error: str = ""


class ShardWorker:
    """A callable class for `Dataset.map_batches`. A batch is one shard: ``name``, ``source`` and ``target``.

    The translation is written to a file of another name, which takes its own when it is complete and on the disk:
    whoever dies leaves nothing that could be taken for a shard, and whoever does a shard again replaces all of it.
    An attempt whose process dies leaves its file behind: so they are counted.

    Args:
        plan: how to translate.

    Raises:
        BundleError, StartupError: the engine cannot be run here.
    """

    def __init__(self, plan: Plan) -> None:
        configure_logging("error", "console")
        self._plan = plan
        self._refused = 0
        self._runner = asyncio.Runner()
        self._stack = AsyncExitStack()
        self._engine = self._runner.run(self._stack.enter_async_context(open_local(plan.settings, plan.wishes)))

    def __call__(self, batch: dict[str, Any]) -> dict[str, list[Any]]:
        """Do one shard; gives a `Finished`, as columns."""
        name, source, target = (str(batch[key][0]) for key in ("name", "source", "target"))
        finished = self._finish(name, Path(source), Path(target))
        return {key: [value] for key, value in asdict(finished).items()}

    def close(self) -> None:
        """Stop the engine. Ray does without: it ends the process."""
        self._runner.run(self._stack.aclose())
        self._runner.close()

    def _finish(self, name: str, source: Path, target: Path) -> Finished:
        self._refused = 0
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            new = _claim(target)
            try:
                rows = rewrite(source, new, self._plan.columns, self._translate)
                _write_through(new)  # or the name could outlive a power failure, and the content not
                new.replace(target)
            except (OSError, ShardError):
                new.unlink(missing_ok=True)
                raise
        except (OSError, ShardError) as error:
            return Finished(name, error=" ".join(str(error).split()))
        except ServiceError:
            # The engine of this process cannot go on. Ray starts another process, and has it do this shard.
            signal.raise_signal(signal.SIGKILL)
            raise
        return Finished(name, rows, self._refused)

    def _translate(self, texts: Sequence[str | None]) -> list[Translation | None]:
        return self._runner.run(self._translate_all(texts))

    async def _translate_all(self, texts: Sequence[str | None]) -> list[Translation | None]:
        done: list[Translation | None] = [None] * len(texts)
        places = [place for place, text in enumerate(texts) if text is not None and _is_unicode(text)]
        self._refused += sum(text is not None for text in texts) - len(places)
        turn = asyncio.Semaphore(_TOGETHER)
        together = groups(texts[place] or "" for place in places)
        several = await asyncio.gather(*(self._translate_group(group, turn) for group in together))
        for place, one in zip(places, (one for group in several for one in group), strict=True):
            done[place] = one
        return done

    async def _translate_group(self, group: Sequence[str], turn: asyncio.Semaphore) -> list[Translation | None]:
        plan = self._plan
        async with turn:
            try:
                return [*await self._engine.translate(group, direction=plan.direction, form=plan.form)]
            except RefusedError:
                if len(group) == 1:
                    self._refused += 1
                    return [None]
        alone = [await self._translate_group([text], turn) for text in group]  # to find those that are refused
        return [one for several in alone for one in several]


def attempts(target: Path) -> list[Path]:
    """Where attempts at a shard write, the first attempt first."""
    return [target.with_name(f".{target.name}.{number}.partial") for number in range(1, ATTEMPTS + 1)]


def _claim(target: Path) -> Path:
    """A file for this attempt alone, even if an earlier one is not quite dead yet.

    Raises:
        ShardError: there have been too many.
    """
    for path in attempts(target):
        try:
            path.touch(exist_ok=False)
        except FileExistsError:
            continue
        return path
    msg = f"{ATTEMPTS} workers died while they translated it"
    raise ShardError(msg)


def _write_through(path: Path) -> None:
    """Have the disk write what has been written to a file."""
    with path.open("r+b") as stream:
        os.fsync(stream.fileno())


def _is_unicode(text: str) -> bool:
    """Whether it can be written as UTF-8; JSON can escape what cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
