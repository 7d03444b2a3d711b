"""`reder construct`: pairs of sentences from a grammar of both languages."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from cli.errors import USAGE, fail, needs, reporting
from cli.options import tokenizer_file

if TYPE_CHECKING:
    from model.grammar.construction import Choose

__all__ = ["construct"]


def construct(
    output: Annotated[Path, typer.Option(metavar="FOLDER", help="Folder for the file.")],
    sentences: Annotated[int, typer.Option(min=1, help="How many, all different.")] = 40_000,
    seed: Annotated[int, typer.Option(help="Of the draw: the same draws the same sentences.")] = 1,
    weights: Annotated[
        Path | None, typer.Option(help="A network (.safetensors) that chooses translations; with --tokenizer.")
    ] = None,
    tokenizer: Annotated[Path | None, typer.Option(help="Its vocabulary: a file, a packed corpus or a bundle.")] = None,
    words: Annotated[
        Literal["all", "most", "rest"],
        typer.Option(
            help="Leave out every sixth noun and verb (most), or use no verbs but those (rest): what has been learned "
            "can be measured on the rest."
        ),
    ] = "all",
) -> None:
    r"""Construct sentences with their translations, from a small grammar of both languages.

    Writes constructed.tsv (English, German, source name), which `prepare` reads. A source is called
    constructed.en-de where a pair is to teach that direction only, constructed where it may teach
    both. Most sentences can be said in several ways. Of the source any of them is taken; of the
    target that which the network finds likeliest, since several would teach it to waver. Pairs are
    left out whose "you", "Sie" or "teacher" (Lehrer, Lehrerin) it reads otherwise, and three in four
    of those that it translates right already. Without a network any ways are taken.

    Needs the extra `train` for the network, which runs on a GPU if there is one.

    Example:
      reder construct --sentences 40000 --output data/constructed \
        --weights runs/medium/mean.safetensors --tokenizer data/packed
    """
    from model.bundle import BundleError
    from model.grammar.construction import Construction
    from model.grammar.construction import construct as run

    if (weights is None) != (tokenizer is None):
        fail("--weights and --tokenizer belong together", code=USAGE)
    with reporting(BundleError):
        choose = _choose(weights, tokenizer) if weights and tokenizer else None
        written = run(Construction(sentences=sentences, seed=seed, output=output, words=words, choose=choose))
    for direction, pairs in written.items():
        typer.echo(f"{output}: {pairs:,} pairs {direction}")


def _choose(weights: Path, tokenizer: Path) -> Choose:
    """A network's choice of translations."""
    with needs("train"):
        from model.checkpoint import CheckpointError, load_model

    from model.architecture import for_inference
    from model.bundle import Tokenizer
    from model.grammar.choice import choose

    with reporting(CheckpointError):
        vocabulary = Tokenizer(tokenizer_file(tokenizer))
        network = load_model(weights, vocabulary)
        for_inference(network)
    return partial(choose, network, vocabulary)
