"""`reder language-models`: a packed corpus in, what makes translations fluent out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.errors import reporting
from cli.options import ExcludedSources, PackedFolder, SourceWeightsFile
from cli.test_sets import find_test_sets

__all__ = ["language_models"]


def language_models(
    corpus: PackedFolder,
    output: Annotated[Path, typer.Option(help="Folder to write.")],
    order: Annotated[int, typer.Option(min=2, max=5, help="Tokens of the longest n-grams.")] = 4,
    threshold: Annotated[
        float, typer.Option(min=0, help="How much an n-gram must tell to be kept: twice as much, half the size.")
    ] = 8.0,
    weights: SourceWeightsFile = None,
    excluded_sources: ExcludedSources = None,
    validation: Annotated[
        list[Path] | None,
        typer.Option(metavar="SET", help="Text to tell the perplexity of, as `evaluate` takes it. Repeatable."),
    ] = None,
) -> None:
    r"""Count the n-grams and the words of a corpus: a language model for each language.

    The network writes the words of a sentence independently of each other. A language model knows
    which belong together, and which exist; `distill`, `evaluate` and the bundles of `export` search
    with it.

    Reads a packed corpus; two minutes for 40 million tokens. Writes ngrams.en.npz, ngrams.de.npz and
    language-models.json, which says what they were made from.

    What most of the text is like need not be what will be translated. --weights names a file with a
    table [weights], from sources, or patterns, to how often each counts; the perplexity of text of
    the wanted kind, the lower the better, tells whether that helps.

    Example:
      reder language-models data/packed --output data/language-models --validation data/test/wmt13
    """
    from model.bundle import BundleError, LanguageModel, ngrams_file
    from model.config import ConfigError, load_source_weights
    from model.data.corpus import CorpusError
    from model.data.packed import PackedCorpus
    from model.ngrams import perplexity, write_language_models

    with reporting(BundleError, ConfigError, CorpusError):
        packed = PackedCorpus.open(corpus)
        test_sets = find_test_sets(validation or ())
        sizes = write_language_models(
            packed,
            output,
            order=order,
            threshold=threshold,
            excluded_sources=excluded_sources or (),
            weights=load_source_weights(weights),
        )
    for language, counts in sizes.items():
        kept = ", ".join(f"{count:,} of {length}" for length, count in enumerate(counts, start=1))
        typer.echo(f"{output}: n-grams of {language}: {kept}")
    models = {language: LanguageModel.open(output / ngrams_file(language)) for language in sizes}
    tokenizer = packed.tokenizer()
    for test_set in test_sets:
        figures = (
            f"{language} {perplexity(models[language], map(tokenizer.encode, test_set.side(language))):.1f}"
            for language in sizes
        )
        typer.echo(f"{output}: perplexity of {test_set.name}: {', '.join(figures)}")
