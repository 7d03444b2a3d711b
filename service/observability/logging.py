"""Structured logs: one JSON object a line on standard error, ours and the libraries' alike."""

from __future__ import annotations

import logging
import re
import sys
import traceback
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, TextIO

import structlog

if TYPE_CHECKING:
    from collections.abc import Iterator

    from structlog.typing import EventDict, ExcInfo, Processor

__all__ = ["configure_logging", "without_messages"]

_PLAIN_WORDS = re.compile(r"[A-Za-z ]*")


def configure_logging(level: str = "info", log_format: str = "json") -> None:
    """Set up logging for the whole process. Text of callers is never logged, in either format.

    Args:
        level: the least severe line shown: debug, info, warning or error.
        log_format: ``json``, or ``console`` for people.
    """
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    final: list[Processor] = [
        structlog.processors.ExceptionRenderer(_without_messages),
        structlog.processors.JSONRenderer(ensure_ascii=False)
        if log_format == "json"
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty()),
    ]
    structlog.configure(
        processors=[*shared, *final],
        logger_factory=partial(_Lines, sys.stderr),
        wrapper_class=structlog.make_filtering_bound_logger(level),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*shared, structlog.stdlib.ExtraAdder(allow={"status"}), _without_representations],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *final],
        )
    )
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False  # no line tells of them
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for name in ("uvicorn", "uvicorn.error"):
        logging.getLogger(name).handlers.clear()
        logging.getLogger(name).propagate = True
    logging.getLogger("asyncio").setLevel(logging.WARNING)


class _Lines:
    """Writes our own lines; what Python's logging does for each of the libraries' takes as long again.

    A line that cannot be written is lost: a full disk ends no request.
    """

    def __init__(self, stream: TextIO, name: str) -> None:
        self.name = name
        self._stream = stream

    def write(self, line: str) -> None:
        with suppress(OSError, ValueError):
            self._stream.write(f"{line}\n")
            self._stream.flush()

    debug = info = warning = error = critical = write


def without_messages(error: BaseException) -> str:
    """What an exception and its causes are and where they were raised: types, files, lines, functions.

    Not what they say: a message may quote the text that was being worked on.
    """
    told = []
    for number, one in enumerate(_chain(error)):
        frames = traceback.StackSummary.extract(traceback.walk_tb(one.__traceback__), lookup_lines=False)
        where = [f"  {frame.filename}:{frame.lineno} in {frame.name}" for frame in frames]
        told += [("from " if number else "") + f"{type(one).__module__}.{type(one).__qualname__}", *where]
    return "\n".join(told)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """An exception, those it groups, and what caused it."""
    seen: set[int] = set()
    waiting = [error]
    while waiting:
        one = waiting.pop(0)
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        if isinstance(one, BaseExceptionGroup):
            waiting += one.exceptions
        waiting.append(one.__cause__ or (None if one.__suppress_context__ else one.__context__))


def _without_messages(exc_info: ExcInfo) -> str:
    return without_messages(exc_info[1])


def _without_representations(_logger: object, _method: str, event: EventDict) -> EventDict:
    """Of what asyncio logs, keep the words that say what happened; it goes on with the objects it happened to."""
    if event.get("logger") == "asyncio" and (words := _PLAIN_WORDS.match(event["event"])):
        event["event"] = words[0].strip()
    return event
