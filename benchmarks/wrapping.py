"""Text whose lines are wrapped: what is lost if each line is translated by itself, and what the service makes of it."""

from __future__ import annotations

import asyncio
import textwrap
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from benchmarks.in_process import translated
from benchmarks.options import several
from benchmarks.report import bleu_and_chrf, table
from benchmarks.sentences import read_side
from cli.errors import reporting
from model.bundle import DIRECTIONS, BundleError
from model.evaluate import score
from service.app import open_translator
from service.errors import StartupError
from service.pipeline.segmentation.wrapping import find_paragraphs
from service.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from model.bundle import Direction
    from service.pipeline.translator import Translator

__all__ = ["wrapping"]

_SETS = tuple(Path("data/test") / name for name in ("wmt13", "flores-dev"))
_WAYS = ("one line", "wrapped", "line by line")


def wrapping(
    sets: Annotated[list[Path], several(_SETS, "--set", metavar="PREFIX", help="Parallel text: PREFIX.en, PREFIX.de")],
    bundle: Annotated[Path, typer.Option(help="The bundle.")] = Path("bundles/reder-medium"),
    width: Annotated[int, typer.Option(min=20, help="Characters of a line, at most.")] = 72,
    sentences: Annotated[int, typer.Option(min=1, help="Of each paragraph.")] = 4,
    paragraphs: Annotated[int, typer.Option(min=1, help="The first of each set.")] = 100,
) -> None:
    """Translate paragraphs in one line, wrapped, and wrapped with each line by itself; BLEU / chrF, quality good.

    White space does not count for the scores. The last column tells of how many breaks between two sentences, each on a
    line, as in a text of these two, is one taken for a wrapped line.

    Example:
        python -m benchmarks wrapping
    """
    settings = Settings(bundle=bundle, provider="cpu", canary_on_start=False)
    with reporting(BundleError, StartupError):
        asyncio.run(_measure(settings, sets, (width, sentences, paragraphs)))


async def _measure(settings: Settings, sets: Sequence[Path], shape: tuple[int, int, int]) -> None:
    width, sentences, paragraphs = shape
    rows = []
    async with open_translator(settings) as translator:
        for prefix in sets:
            for direction in DIRECTIONS:
                languages = direction.source, direction.target
                sides = (read_side(prefix, language) for language in languages)
                sources, references = (
                    [" ".join(side[start : start + sentences]) for start in range(0, len(side), sentences)][:paragraphs]
                    for side in sides
                )
                written = await _ways(translator, direction, sources, width)
                scores = (_scored(direction, one, references) for one in written)
                mistaken = _mistaken(read_side(prefix, direction.source))
                rows.append([f"{prefix.name} {direction}", *scores, mistaken])
    typer.echo(table(["BLEU / chrF", *_WAYS, "mistaken"], rows))


async def _ways(translator: Translator, direction: Direction, texts: Sequence[str], width: int) -> list[list[str]]:
    wrapped = [textwrap.fill(text, width, break_long_words=False, break_on_hyphens=False) for text in texts]
    lines = iter(await translated(translator, direction, [line for text in wrapped for line in text.split("\n")]))
    return [
        await translated(translator, direction, texts),
        await translated(translator, direction, wrapped),
        [" ".join(next(lines) for _ in text.split("\n")) for text in wrapped],
    ]


def _mistaken(texts: Sequence[str]) -> str:
    """How many breaks between two sentences are taken for wrapped lines."""
    pairs = [f"{one}\n{other}" for one, other in pairwise(texts)]
    return f"{sum(len(find_paragraphs(pair)) for pair in pairs)} of {len(pairs)}"


def _scored(direction: Direction, translations: Sequence[str], references: Sequence[str]) -> str:
    return bleu_and_chrf(score("", direction, [" ".join(text.split()) for text in translations], references))
