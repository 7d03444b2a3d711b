"""`reder distill`: a corpus translated by a teacher."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from cli.errors import USAGE, fail, needs, reporting
from cli.options import Minutes, ParallelText, ShardSentences, tokenizer_file
from cli.shares import TranslatedShares, parse_shares
from model.bundle import MAX_BEAM

if TYPE_CHECKING:
    from model.bundle import Direction, SearchSettings

    Translate = Callable[[Direction, Sequence[str]], list[list[str]]]

__all__ = ["distill"]


def distill(  # noqa: PLR0917 - typer passes them by name
    inputs: ParallelText,
    output: Annotated[Path, typer.Option(help="Folder for the shards.")],
    weights: Annotated[
        Path | None, typer.Option(help="The teacher (.safetensors), of either architecture; with --tokenizer.")
    ] = None,
    tokenizer: Annotated[Path | None, typer.Option(help="Its vocabulary: a file, a packed corpus or a bundle.")] = None,
    bundle: Annotated[
        Path | None,
        typer.Option(help="Instead of weights, a bundle: its int8 graphs are faster on a CPU. Brings language models."),
    ] = None,
    direction: Annotated[Literal["en-de", "de-en", "both"], typer.Option("--dir", help="Which way.")] = "both",
    beam: Annotated[int, typer.Option(min=1, max=MAX_BEAM, help="Prefixes kept in the search.")] = 4,
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
    shard_sentences: ShardSentences = 10_000,
    minutes: Minutes = None,
) -> None:
    r"""Translate a training corpus with a teacher, both ways, for a student.

    Reads parallel text as `prepare` does. Writes TSV shards (English, German, source name) that
    `prepare` reads in turn; a source is called NAME.en-de where its German is the teacher's, and
    NAME.de-en where its English is. Each sentence is translated once. The same command goes on
    where it stopped. Weights run on a GPU if there is one, everything else on one core.

    Examples:
      reder distill data/train --weights runs/teacher/mean.safetensors --tokenizer data/packed \
        --output data/distilled --minutes 60
      reder distill data/train --bundle bundles/reder-medium --beam 10 --closest \
        --output data/self --dir en-de --part 1/2 & ... --part 2/2
    """
    own_part = _part(part)
    with needs("train"):
        from model.checkpoint import CheckpointError

    from model.bundle import DIRECTIONS, MANIFEST, MAX_CANDIDATES, BundleError, Direction, SearchSettings
    from model.data.corpus import CorpusError
    from model.data.distillation import Distillation, teacher_name
    from model.data.distillation import distill as run

    with reporting(BundleError, CheckpointError, CorpusError):
        candidates = min(beam, MAX_CANDIDATES) if closest else SearchSettings().candidates
        settings = SearchSettings(beam=beam, candidates=candidates, reverse_weight=reverse_weight)
        language_models = language_models or bundle
        if bundle and not (weights or tokenizer):
            translate = _graphs(bundle, language_models, settings)
            teacher = teacher_name(bundle.resolve().name, bundle / MANIFEST)
        elif weights and tokenizer and not bundle:
            translate = _network(weights, tokenizer, language_models, settings)
            teacher = teacher_name(weights.name, weights)
        else:
            fail("give either --weights and --tokenizer, or --bundle", code=USAGE)
        outcome = run(
            Distillation(
                inputs=inputs,
                output=output,
                teacher=teacher,
                translate=translate,
                decoding={
                    "beam": beam,
                    "candidates": candidates,
                    "reverse_weight": reverse_weight,
                    "language_models": language_models.resolve().name if language_models else None,
                },
                closest=closest,
                min_chrf=min_chrf,
                directions=DIRECTIONS if direction == "both" else (Direction.parse(direction),),
                shares=parse_shares("--share", share),
                part=own_part,
                shard_sentences=shard_sentences,
            ),
            minutes=minutes,
        )
    state = "complete" if outcome.complete else "not complete: run it again to go on"
    typer.echo(f"{output}: {outcome.written} shards written, {outcome.found} found; {state}")


def _network(weights: Path, tokenizer: Path, language_models: Path | None, settings: SearchSettings) -> Translate:
    import torch

    from model.architecture import Decoding, for_inference, search
    from model.baselines.dual import Dual
    from model.bundle import Tokenizer, read_fluency
    from model.checkpoint import load_network
    from model.descriptions import check_vocabulary

    torch.set_num_threads(1)  # cores are for other parts
    vocabulary = Tokenizer(tokenizer_file(tokenizer))
    network = load_network(weights, vocabulary)
    if isinstance(network, Dual) and language_models:
        fail(f"{weights} is autoregressive: language models have no say in its search", code=USAGE)
    check_vocabulary(language_models, vocabulary)
    decoding = Decoding(
        beam=settings.beam,
        candidates=settings.candidates,
        reverse_weight=settings.reverse_weight,
        fluency=read_fluency(language_models, settings, vocabulary),
    )
    return partial(search, for_inference(network), vocabulary, decoding=decoding)


def _graphs(path: Path, language_models: Path | None, settings: SearchSettings) -> Translate:
    """A bundle translates with its own weight of language models, which fits its network."""
    from model.bundle import Bundle, read_fluency
    from model.decode import translate_all
    from model.onnx_runner import GraphRunner

    bundle = Bundle.open(path)
    search = replace(
        bundle.manifest.search,
        beam=settings.beam,
        candidates=settings.candidates,
        reverse_weight=settings.reverse_weight,
    )
    fluency = bundle.fluency() if language_models == path else read_fluency(language_models, search, bundle.tokenizer)
    runner = GraphRunner(bundle, "int8", threads=1)
    return partial(translate_all, runner, bundle.tokenizer, settings=search, fluency=fluency)


def _part(text: str) -> tuple[int, int]:
    """Read K/N: which part, counted from 0, of how many."""
    number, _, parts = text.partition("/")
    if not (number.isdecimal() and parts.isdecimal() and 1 <= int(number) <= int(parts)):
        fail(f"--part {text!r}: expected K/N, such as 1/4", code=USAGE)
    return int(number) - 1, int(parts)
