"""`reder prepare`: text pairs in, packed token ids out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.errors import refuse, reporting
from cli.options import ExcludedSources, ParallelText, tokenizer_file
from cli.shares import parse_shares

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["prepare"]


def prepare(  # noqa: PLR0917 - typer passes them by name
    context: typer.Context,
    inputs: ParallelText,
    output: Annotated[Path, typer.Option(help="Folder to write.")],
    vocabulary_size: Annotated[int, typer.Option(min=300, help="Tokens in the joint vocabulary.")] = 8000,
    vocabulary_sentences: Annotated[
        int, typer.Option(min=1, help="Sentences to learn the vocabulary from, drawn at random.")
    ] = 500_000,
    vocabulary_share: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATTERN=SHARE",
            help="Let only this share (0 to 1) of some pairs take part in that draw: those whose source, or whose "
            "file's name, matches. Repeatable; the first that matches counts.",
        ),
    ] = None,
    tokenizer: Annotated[
        Path | None, typer.Option(help="Use this vocabulary: a file, a packed corpus or a bundle.")
    ] = None,
    hold_out: Annotated[
        list[Path] | None, typer.Option(metavar="PATH", help="Text never to train on: a file or folder. Repeatable.")
    ] = None,
    excluded_sources: ExcludedSources = None,
    max_characters: Annotated[int, typer.Option(min=1, help="Drop pairs with a longer side.")] = 400,
    max_ratio: Annotated[float, typer.Option(min=1, help="Drop pairs with one side so many times as long.")] = 2.5,
    language_check: Annotated[bool, typer.Option(help="Drop pairs that are in the wrong language.")] = True,
    seed: Annotated[int, typer.Option(help="Of the random draw for the vocabulary.")] = 1,
    force: Annotated[bool, typer.Option("--force", help="Replace an earlier packed corpus.")] = False,
) -> None:
    r"""Clean parallel text, learn a vocabulary, pack both for training.

    Reads UTF-8 text, plain, .gz or .xz: TSV files (English, German, optionally the name of the
    source), pairs of files NAME.en and NAME.de, folders of both. Drops pairs that are empty, too
    long, out of proportion, copied, duplicate, held out or in the wrong language, and prints how
    many of each. Writes a folder: tokenizer.model, arrays of ids, packed.json.

    Example:
      reder prepare data/train --output data/packed --hold-out data/test \
        --vocabulary-share 'docs-*=0.1' --vocabulary-share 'dictionary.*=0'
    """
    if tokenizer:
        learning = ("vocabulary_size", "vocabulary_sentences", "vocabulary_share", "seed")
        refuse(context, *learning, because="is for learning a vocabulary; --tokenizer names one that is there")

    from model.bundle import BundleError
    from model.data.corpus import CorpusError
    from model.data.prepare import Preparation, VocabularyConfig
    from model.data.prepare import prepare as run

    learned = VocabularyConfig(
        size=vocabulary_size,
        sentences=vocabulary_sentences,
        shares=parse_shares("--vocabulary-share", vocabulary_share),
        seed=seed,
    )
    with reporting(BundleError, CorpusError):
        prepared = run(
            Preparation(
                inputs=inputs,
                output=output,
                vocabulary=tokenizer_file(tokenizer) if tokenizer else learned,
                held_out=hold_out or (),
                excluded_sources=excluded_sources or (),
                max_characters=max_characters,
                max_ratio=max_ratio,
                is_other_language=_detector() if language_check else None,
                replace=force,
            )
        )
    typer.echo(prepared.report())
    typer.echo(f"\n{output}: {len(prepared.corpus):,} pairs")


def _detector() -> Callable[[str, str], bool]:
    from model.data.language import is_other_language

    return is_other_language
