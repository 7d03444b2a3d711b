"""`reder shortlists`: a packed corpus in, which tokens a translation is chosen from out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.errors import needs_aligner, reporting
from cli.options import ExcludedSources, PackedFolder, SourceWeightsFile

__all__ = ["shortlists"]


def shortlists(
    corpus: PackedFolder,
    output: Annotated[Path, typer.Option(help="Folder to write, which may be that of the language models.")],
    also: Annotated[
        list[Path] | None,
        typer.Option(metavar="PACKED", help="More text, packed with the same vocabulary. Repeatable."),
    ] = None,
    weights: SourceWeightsFile = None,
    excluded_sources: ExcludedSources = None,
) -> None:
    r"""Find out which token of a corpus becomes which: a shortlist for each direction.

    Of a large vocabulary, few tokens can stand in the translation of a sentence. On a CPU the
    network weighs only those, in a fifth less time.

    Reads a packed corpus; eight minutes for a million pairs. Writes shortlist.en-de.npz,
    shortlist.de-en.npz and shortlists.json, which says what they were made from. `export` and
    `refresh` find them in the folder of the language models. Needs eflomal, a word aligner.

    What is common in most of the text need not be in what will be translated: --weights is that of
    `reder language-models`.

    Example:
      reder shortlists data/packed --output data/language-models
    """
    from model.bundle import BundleError
    from model.config import ConfigError, load_source_weights
    from model.data.corpus import CorpusError
    from model.data.packed import PackedCorpus
    from model.shortlist import write_shortlists

    with reporting(BundleError, ConfigError, CorpusError), needs_aligner():
        sizes = write_shortlists(
            PackedCorpus.open(corpus).joined([PackedCorpus.open(one) for one in also or ()]),
            output,
            excluded_sources=excluded_sources or (),
            weights=load_source_weights(weights),
        )
    for direction, pairs in sizes.items():
        typer.echo(f"{output}: {pairs:,} pairs of tokens {direction}")
