"""`reder distill`: a corpus translated by a teacher."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer

from cli.errors import USAGE, fail, needs, reporting
from cli.evaluate import tokenizer_file
from cli.shares import TranslatedShares, parse_shares

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
    language_models: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Search with these: of `reder language-models`, or a bundle's."),
    ] = None,
    closest: Annotated[
        bool,
        typer.Option(
            "--closest", help="Of the beam take the translation closest to what people wrote, not the most probable."
        ),
    ] = False,
    min_chrf: Annotated[
        float, typer.Option(min=0, max=100, help="Leave out translations with less chrF against what people wrote.")
    ] = 0.0,
    share: TranslatedShares = None,
    part: Annotated[
        str, typer.Option(metavar="K/N", help="Only every Nth shard, from the Kth on: for N commands side by side.")
    ] = "1/1",
    shard_sentences: Annotated[int, typer.Option(min=1, help="Sentences in a shard.")] = 10_000,
    minutes: Annotated[float | None, typer.Option(min=0, help="Start no new shard after so long.")] = None,
) -> None:
    r"""Translate a training corpus with a teacher, both ways, for a student.

    Reads parallel text as `prepare` does. Writes TSV shards (English, German, source name) that
    `prepare` reads in turn; a source is called NAME.en-de where its German is the teacher's, and
    NAME.de-en where its English is. Each sentence is translated once. The same command goes on
    where it stopped. Uses a GPU if there is one, else one core.

    Examples:
      reder distill data/train --weights runs/teacher/mean.safetensors --tokenizer data/packed \
        --output data/distilled --minutes 60
      reder distill data/train ... --share 'docs-*=0.1' --part 1/2 & \
        reder distill data/train ... --share 'docs-*=0.1' --part 2/2
    """
    number, parts = _part(part)
    with needs("train"):
        from model.architecture import Decoding, for_inference, search
        from model.checkpoint import CheckpointError, load_network

    from model.bundle import DIRECTIONS, BundleError, Direction, SearchSettings, Tokenizer, read_fluency
    from model.data.corpus import CorpusError
    from model.data.distillation import Distillation
    from model.data.distillation import distill as run

    with reporting(BundleError, CheckpointError, CorpusError):
        teacher = for_inference(load_network(weights))
        vocabulary = Tokenizer(tokenizer_file(tokenizer))
        fluency = read_fluency(language_models, SearchSettings(), vocabulary)
        decoding = Decoding(beam=beam, reverse_weight=reverse_weight, fluency=fluency)
        outcome = run(
            Distillation(
                inputs=inputs,
                output=output,
                teacher=weights.name,
                translate=partial(search, teacher, vocabulary, decoding=decoding),
                decoding={
                    "beam": beam,
                    "reverse_weight": reverse_weight,
                    "language_models": language_models.resolve().name if language_models else None,
                },
                closest=closest,
                min_chrf=min_chrf,
                directions=DIRECTIONS if direction == "both" else (Direction.parse(direction),),
                shares=parse_shares("--share", share),
                part=(number - 1, parts),
                shard_sentences=shard_sentences,
            ),
            minutes=minutes,
        )
    state = "complete" if outcome.complete else "not complete: run it again to go on"
    typer.echo(f"{output}: {outcome.written} shards written, {outcome.found} found; {state}")


def _part(text: str) -> tuple[int, int]:
    """Read K/N."""
    number, _, parts = text.partition("/")
    if not (number.isdecimal() and parts.isdecimal() and 1 <= int(number) <= int(parts)):
        fail(f"--part {text!r}: expected K/N, such as 1/4", code=USAGE)
    return int(number), int(parts)
