"""`reder word-pairs`: a bundle and text in, what a word of a sentence says for one of its translation out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.errors import needs, reporting
from cli.options import PackedFolder, SourceWeightsFile

__all__ = ["word_pairs"]


def word_pairs(
    corpus: PackedFolder,
    bundle: Annotated[Path, typer.Option(help="Whose network and language models search.")],
    output: Annotated[Path, typer.Option(help="Folder to write, which may be that of the language models.")],
    sentences: Annotated[int, typer.Option(min=0, help="How many a grammar draws, as in `reder construct`.")] = 60_000,
    pairs: Annotated[int, typer.Option(min=0, help="How many of the corpus are drawn.")] = 24_000,
    weights: SourceWeightsFile = None,
) -> None:
    r"""Learn which words of a sentence speak for which of its translation.

    A network that writes all words at once wavers between tenses, articles and pronouns, and its
    search may choose another than the sentence asks for. From its candidates, and from what would be
    right, each pair of words gets a weight, which the service adds to what candidates are compared by.

    Reads a packed corpus, text by people, and a bundle, and draws plain sentences from a grammar,
    without every sixth noun and verb; three quarters of an hour on two cores. Writes
    word_pairs.en-de.npz, word_pairs.de-en.npz and word_pairs.json, which says what they were made
    from. `export` and `refresh` find them in the folder of the language models.

    Example:
      reder word-pairs data/packed --bundle bundles/reder-medium --output data/language-models \
        --weights model/recipes/word-pairs.toml
    """
    with needs("train"):
        from model.word_pairs import write_word_pairs

    from model.bundle import Bundle, BundleError
    from model.config import ConfigError, load_source_weights
    from model.data.corpus import CorpusError
    from model.data.packed import PackedCorpus

    with reporting(BundleError, ConfigError, CorpusError):
        learned = write_word_pairs(
            Bundle.open(bundle),
            PackedCorpus.open(corpus),
            output,
            sentences=sentences,
            pairs=pairs,
            weights=load_source_weights(weights),
        )
    for way, lists in learned.items():
        typer.echo(f"{output}: {way} from {lists:,} sentences")
