"""`reder fetch`: download public parallel text."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Annotated

import typer

from cli.errors import needs, reporting

__all__ = ["fetch"]


def fetch(
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME", help="Corpora; without any, list all.")] = None,
    output: Annotated[Path, typer.Option(help="Folder to write to.")] = Path("data/raw"),
) -> None:
    """Download public parallel corpora with mtdata, or list them.

    Needs a network and the extra `fetch`. Writes one NAME.tsv.gz each: English, German, name of the
    corpus; what `reder prepare` reads. Mind each corpus' licence. The first call takes half a minute:
    mtdata builds its index.

    Examples:
      reder fetch | grep -i tatoeba
      reder fetch Statmt-news_commentary-16-deu-eng --output data/raw
      reder prepare data/raw --output data/packed
    """
    logging.basicConfig(level=logging.CRITICAL)  # mtdata would set it to INFO; what matters it raises
    with needs("fetch"):
        from model.data.fetch import FetchError, catalogue
        from model.data.fetch import fetch as download

    with reporting(FetchError):
        for name in names or ():
            typer.echo(download(name, output))
        if not names:
            typer.echo("\n".join(catalogue()))
