"""`reder dictionary`: a packed corpus in, what single words may become out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.errors import needs_aligner, reporting
from cli.options import ExcludedSources, PackedFolder

__all__ = ["dictionary"]


def dictionary(
    corpus: PackedFolder,
    output: Annotated[Path, typer.Option(help="Folder to write, which may be that of the language models.")],
    excluded_sources: ExcludedSources = None,
) -> None:
    r"""Find out which word of a corpus becomes which: a dictionary for each direction.

    A network that writes all tokens at once is at its worst where a word is all there is. The
    service holds what it writes then against the dictionary of its bundle.

    Reads a packed corpus; six minutes for a million pairs. Writes dictionary.en-de.tsv.gz,
    dictionary.de-en.tsv.gz and dictionary.json, which says what they were made from. `export` and
    `refresh` find them in the folder of the language models. Needs eflomal, a word aligner.

    Example:
      reder dictionary data/packed --output data/language-models
    """
    from model.bundle import BundleError
    from model.data.corpus import CorpusError
    from model.data.packed import PackedCorpus
    from model.dictionary import write_dictionary

    with reporting(BundleError, CorpusError), needs_aligner():
        sizes = write_dictionary(PackedCorpus.open(corpus), output, excluded_sources=excluded_sources or ())
    for direction, words in sizes.items():
        typer.echo(f"{output}: {words:,} words {direction}")
