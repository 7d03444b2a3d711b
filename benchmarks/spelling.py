"""Text that is misspelt, or in capitals, or without any: what it costs the network, and what the service."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Annotated

import typer

from benchmarks.in_process import side_by_side
from benchmarks.misspellings import misspelt
from benchmarks.options import several
from benchmarks.report import bleu_and_chrf, table
from benchmarks.sentences import read_side
from cli.errors import reporting
from model.bundle import DIRECTIONS, Bundle, BundleError, Direction
from model.evaluate import score

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["spelling"]

_SETS = (Path("data/test/multi30k_val"), Path("data/test/flores-dev"), Path("data/valid/manuals"))
_ASCII = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss"})
_WAYS: dict[str, Callable[[str, Random], str]] = {
    "as written": lambda text, _: text,
    "a slip in each": misspelt,
    "in capitals": lambda text, _: text.upper(),
    "in lower case": lambda text, _: text.lower(),
    "ae, oe, ue, ss": lambda text, _: text.translate(_ASCII),
}
_SEED = 1


def spelling(
    sets: Annotated[list[Path], several(_SETS, "--set", metavar="PREFIX", help="Parallel text: PREFIX.en, PREFIX.de")],
    bundle: Annotated[Path, typer.Option(help="The bundle.")] = Path("bundles/reder-medium"),
    sentences: Annotated[int, typer.Option(min=1, help="The first of each set.")] = 300,
) -> None:
    """Translate text as it is, misspelt, and in other capitals: the network alone, and the service; quality good.

    BLEU and chrF are of translations and references in capitals: it is the words that count.

    Example:
        python -m benchmarks spelling
    """
    with reporting(BundleError):
        opened = Bundle.open(bundle)
    asyncio.run(_measure(opened, sets, sentences))


async def _measure(bundle: Bundle, sets: Sequence[Path], sentences: int) -> None:
    rows = []
    async with side_by_side(bundle) as translate:
        for prefix in sets:
            english, german = (read_side(prefix, language)[:sentences] for language in ("en", "de"))
            for direction in DIRECTIONS:
                sources, references = (english, german) if direction.source == "en" else (german, english)
                network: list[str] = []
                service: list[str] = []
                for written in _WAYS.values():
                    rng = Random(_SEED)  # noqa: S311 - slips, not secrets
                    both = await translate(direction, [written(text, rng) for text in sources])
                    for cells, translations in zip((network, service), both, strict=True):
                        cells.append(_scored(direction, translations, references))
                rows += [
                    [f"{prefix.name} {direction}, network", *network],
                    [f"{prefix.name} {direction}, service", *service],
                ]
    typer.echo(table(["BLEU / chrF", *_WAYS], rows))


def _scored(direction: Direction, translations: Sequence[str], references: Sequence[str]) -> str:
    sides = ([text.upper() for text in side] for side in (translations, references))
    return bleu_and_chrf(score("", direction, *sides))
