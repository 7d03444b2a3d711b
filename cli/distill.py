"""`reder distill`: a corpus translated by a teacher."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer

from cli.errors import needs, reporting
from cli.evaluate import tokenizer_file

__all__ = ["distill"]


def distill(  # noqa: PLR0917 - typer passes them by name
    inputs: Annotated[
        list[Path], typer.Argument(metavar="INPUT", help="TSV files, pairs NAME.en and NAME.de, or folders of them.")
    ],
    weights: Annotated[Path, typer.Option(help="The teacher (.safetensors), of either architecture.")],
    tokenizer: Annotated[Path, typer.Option(help="Its vocabulary: a file, a packed corpus or a bundle.")],
    output: Annotated[Path, typer.Option(help="Folder for the shards.")],
    direction: Annotated[Literal["en-de", "de-en", "both"], typer.Option("--dir", help="Which way.")] = "both",
    beam: Annotated[int, typer.Option(min=1, help="Prefixes kept in the search.")] = 4,
    reverse_weight: Annotated[
        float, typer.Option(min=0, help="Weight of the other direction when reranking; 0 is none.")
    ] = 0.0,
    shard_sentences: Annotated[int, typer.Option(min=1, help="Sentences in a shard.")] = 10_000,
    minutes: Annotated[float | None, typer.Option(min=0, help="Start no new shard after so long.")] = None,
) -> None:
    r"""Translate a training corpus with a teacher, both ways, for a student to learn from.

    Reads parallel text as `prepare` does. Writes TSV shards (English, German, source name) that
    `prepare` reads in turn; a source is called NAME.en-de where its German is the teacher's, and
    NAME.de-en where its English is. Each sentence is translated once. The same command goes on
    where it stopped.

    Example:
      reder distill data/train --weights runs/teacher/mean.safetensors --tokenizer data/packed \
        --output data/distilled --minutes 60
    """
    with needs("train"):
        from model.architecture import search
        from model.checkpoint import CheckpointError, load_network

    from model.bundle import DIRECTIONS, BundleError, Direction, Tokenizer
    from model.data.corpus import CorpusError
    from model.data.distillation import Distillation
    from model.data.distillation import distill as run

    with reporting(BundleError, CheckpointError, CorpusError):
        teacher = load_network(weights)
        vocabulary = Tokenizer(tokenizer_file(tokenizer))
        outcome = run(
            Distillation(
                inputs=inputs,
                output=output,
                teacher=weights.name,
                translate=partial(search, teacher, vocabulary, beam=beam, reverse_weight=reverse_weight),
                directions=DIRECTIONS if direction == "both" else (Direction.parse(direction),),
                shard_sentences=shard_sentences,
            ),
            minutes=minutes,
        )
    state = "complete" if outcome.complete else "not complete: run it again to go on"
    typer.echo(f"{output}: {outcome.written} shards written, {outcome.found} found; {state}")
