"""How a command fails: one line on standard error, and an exit code. Never a traceback for what is foreseen."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

import typer

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["FAILED", "INTERRUPTED", "USAGE", "fail", "needs", "needs_aligner", "refuse", "reporting"]

FAILED = 1
USAGE = 2
INTERRUPTED = 128 + signal.SIGINT

_OURS = {"cli", "model", "service"}


def fail(reason: str, *, code: int = FAILED) -> NoReturn:
    """Say why and exit."""
    typer.echo(f"reder: {' '.join(reason.split())}", err=True)
    raise typer.Exit(code)


def refuse(context: typer.Context, *options: str, because: str) -> None:
    """Fail if one of these options, by the names of their parameters, was given: it would have no effect.

    What an environment variable says does not count: it is not meant for this command alone.
    """
    for option in options:
        source = context.get_parameter_source(option)
        if source is not None and source.name == "COMMANDLINE":
            fail(f"--{option.replace('_', '-')} {because}", code=USAGE)


@contextmanager
def reporting(*foreseen: type[Exception]) -> Iterator[None]:
    """Turn foreseen errors into one line and exit code 1.

    Errors of the operating system (no such file, disk full) are always foreseen; a broken pipe is
    not an error, see `translate`.
    """
    known: tuple[type[Exception], ...] = (OSError, *foreseen)
    try:
        yield
    except BrokenPipeError:
        raise
    except known as error:
        fail(_reason(error))


def _reason(error: Exception) -> str:
    """The message; for an operating system's error without its number."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename is not None else error.strerror
    return str(error) or type(error).__name__


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Around imports of what an extra installs: if it is missing, name the extra."""
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package in _OURS:
            raise
        fail(f"{package} is not installed; this command needs the extra {extra!r}: pip install '.[{extra}]'")


@contextmanager
def needs_aligner() -> Iterator[None]:
    """Around what aligns words or tokens: without eflomal, say how to get it."""
    try:
        yield
    except ImportError:
        fail("eflomal is not installed: pip install -c constraints.txt '.[align]'")
