"""`reder language-models`: a packed corpus in, what makes translations fluent out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.errors import reporting

__all__ = ["language_models"]


def language_models(
    corpus: Annotated[Path, typer.Argument(metavar="PACKED", help="A folder written by `prepare`.")],
    output: Annotated[Path, typer.Option(help="Folder to write.")],
    order: Annotated[int, typer.Option(min=2, max=5, help="Tokens of the longest n-grams.")] = 4,
    threshold: Annotated[
        float, typer.Option(min=0, help="How much an n-gram must tell to be kept: twice as much, half the size.")
    ] = 8.0,
    exclude_source: Annotated[
        list[str] | None, typer.Option(metavar="PATTERN", help="Leave out sources by name. Repeatable.")
    ] = None,
) -> None:
    r"""Count the n-grams and the words of a corpus: a language model for each language.

    The network writes the words of a sentence independently of each other. A language model knows
    which belong together, and which exist; `distill`, `evaluate` and the bundles of `export` search
    with it.

    Reads a packed corpus; two minutes for 40 million tokens. Writes ngrams.en.npz, ngrams.de.npz and
    language-models.json, which says what they were made from.

    Example:
      reder language-models data/packed --output data/language-models
    """
    from model.bundle import BundleError
    from model.data.corpus import CorpusError
    from model.data.packed import PackedCorpus
    from model.ngrams import write_language_models

    with reporting(BundleError, CorpusError):
        sizes = write_language_models(
            PackedCorpus.open(corpus),
            output,
            order=order,
            threshold=threshold,
            excluded_sources=exclude_source or (),
        )
    for language, counts in sizes.items():
        kept = ", ".join(f"{count:,} of {length}" for length, count in enumerate(counts, start=1))
        typer.echo(f"{output}: n-grams of {language}: {kept}")
