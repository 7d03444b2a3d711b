"""Entry point: every command, each from its own module."""

from __future__ import annotations

import inspect
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.construct import construct
from cli.corpus import translate_corpus
from cli.dictionary import dictionary
from cli.distill import distill
from cli.distill_packed import distill_packed
from cli.evaluate import evaluate
from cli.export import export
from cli.fetch import fetch
from cli.key import key
from cli.language_models import language_models
from cli.prepare import prepare
from cli.refresh import refresh
from cli.serve import serve
from cli.shortlists import shortlists
from cli.train import train
from cli.translate import translate
from cli.word_pairs import word_pairs
from service import version

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["app", "main"]


def _help(command: Callable[..., None]) -> str:
    """Its docstring; the mark keeps the lines of the examples apart."""
    return inspect.cleandoc(command.__doc__ or "").replace("\n\nExample", "\n\n\b\nExample")


app = typer.Typer(
    name="reder",
    help="English-German translation with one reversible network: serve it, use it, train it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain text keeps examples as they are written
)
_COMMANDS = (
    *(serve, translate, translate_corpus, key),
    *(fetch, prepare, language_models, dictionary, shortlists, word_pairs, distill, distill_packed, construct, train),
    *(evaluate, export, refresh),
)
for _command in _COMMANDS:
    app.command(help=_help(_command))(_command)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"reder {version()}")
        raise typer.Exit


@app.callback()
def options(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """What may stand instead of a command."""


def main() -> None:
    """Run the command line."""
    if sys.stderr is None:  # closed by the caller; what would be said there is for nobody
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - for as long as the program runs
    app()


if __name__ == "__main__":
    main()
