"""Quantities in short sentences: in how many the network keeps the unit, and in how many the service."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.in_process import side_by_side
from benchmarks.report import table
from cli.errors import reporting
from model.bundle import DIRECTIONS, Bundle, BundleError
from service.pipeline.finders.quantities import units

__all__ = ["is_kept", "quantities"]

_SENTENCES = {
    "en": (
        "Add {} of water.",
        "{} sugar",
        "The bottle holds {}.",
        "Take {} twice a day.",
        "It weighs {}.",
        "Maximum: {}",
        "Use {} water and stir.",
        "Not more than {} per person.",
        "Set it to {} and wait.",
        "Length 3 m, weight {}, black",
    ),
    "de": (
        "{} Wasser hinzufügen.",
        "{} Zucker",
        "Die Flasche fasst {}.",
        "Nehmen Sie zweimal täglich {}.",
        "Es wiegt {}.",
        "Höchstens: {}",
        "Mit {} Wasser verrühren.",
        "Nicht mehr als {} pro Person.",
        "Auf {} einstellen und warten.",
        "Länge 3 m, Gewicht {}, schwarz",
    ),
}
_NUMBERS = (5, 20, 150, 7, 12, 40, 250, 3, 60, 80)


def quantities(
    bundle: Annotated[Path, typer.Option(help="The bundle.")] = Path("bundles/reder-medium"),
) -> None:
    """Translate ten sentences with each unit that both languages write alike, and count those that still have it.

    Example:
        python -m benchmarks quantities
    """
    with reporting(BundleError):
        opened = Bundle.open(bundle)
    asyncio.run(_measure(opened))


async def _measure(bundle: Bundle) -> None:
    rows = []
    async with side_by_side(bundle) as translate:
        for direction in DIRECTIONS:
            names = [source for source, target in units(direction).items() if source == target]
            cases = [
                (sentence, f"{number} {name}")
                for name in names
                for sentence, number in zip(_SENTENCES[direction.source], _NUMBERS, strict=True)
            ]
            both = await translate(direction, [sentence.format(quantity) for sentence, quantity in cases])
            kept = [
                sum(is_kept(quantity, text) for text, (_, quantity) in zip(texts, cases, strict=True)) for texts in both
            ]
            rows.append([str(direction), str(len(cases)), *(f"{100 * count / len(cases):.1f}" for count in kept)])
    typer.echo(table(["unit kept, %", "sentences", "network", "service"], rows))


def is_kept(quantity: str, text: str) -> bool:
    """Whether a translation has a quantity, and it is part of no other word."""
    return re.search(rf"(?<![\d.,]){quantity.replace(' ', ' ?')}(?![\w-])", text) is not None
