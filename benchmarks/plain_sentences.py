"""Plain sentences of a grammar: how many come out as one of the ways to say them, of the network and of the service."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from benchmarks.in_process import side_by_side
from benchmarks.report import table
from cli.errors import reporting
from model.bundle import DIRECTIONS, Bundle, BundleError
from model.evaluate import sentence_chrf
from model.grammar.drawing import Draw
from model.grammar.lexicon import Words  # noqa: TC001 - typer reads annotations at run time
from model.grammar.reading import read_lexicon
from model.grammar.sentences import draw_sentences

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["closeness", "plain_sentences"]

_SEED = 1012
"""None that text for training was drawn with."""


def plain_sentences(
    bundle: Annotated[Path, typer.Option(help="The bundle.")] = Path("bundles/reder-medium"),
    words: Annotated[
        Words,
        typer.Option(help="As of `reder construct`: rest has verbs that no text has which was constructed with most."),
    ] = "rest",
    sentences: Annotated[int, typer.Option(min=1, help="How many.")] = 1000,
) -> None:
    """Translate sentences of a grammar; count those that come out as it says them, in one of eight ways at most.

    What is right in yet another way does not count, so that a hundred per cent are out of reach: figures tell one
    bundle from another. chrF is a mean over sentences, each against the way that it is closest to.

    Example:
        python -m benchmarks plain-sentences
    """
    with reporting(BundleError):
        opened = Bundle.open(bundle)
    draw = Draw(read_lexicon().restricted(words), _SEED)
    typer.echo(asyncio.run(_measured(opened, [*draw_sentences(draw, sentences)])))


async def _measured(bundle: Bundle, sentences: Sequence[tuple[Sequence[str], Sequence[str]]]) -> str:
    """The table."""
    rows = []
    async with side_by_side(bundle) as translate:
        for direction in DIRECTIONS:
            sources, accepted = zip(*(direction.english_first(*one) for one in sentences), strict=True)
            cells = [str(direction), str(len(sentences))]
            for texts in await translate(direction, [ways[0] for ways in sources]):
                right, chrf = closeness(texts, accepted)
                cells += [f"{right:.1f}", f"{chrf:.1f}"]
            rows.append(cells)
    return table(["", "sentences", "network, %", "chrF", "service, %", "chrF"], rows)


def closeness(translations: Sequence[str], accepted: Sequence[Sequence[str]]) -> tuple[float, float]:
    """Per cent of translations that are one of their accepted ways, and the mean chrF with the closest of these."""
    pairs = [*zip(translations, accepted, strict=True)]
    right = sum(text in ways for text, ways in pairs)
    chrf = sum(max(sentence_chrf(text, way) for way in ways) for text, ways in pairs)
    return 100 * right / len(pairs), chrf / len(pairs)
