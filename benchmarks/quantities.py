"""Quantities in short sentences: in how many the network keeps the unit, and in how many the service."""

from __future__ import annotations

import asyncio
import re
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.in_process import share_kept
from benchmarks.options import Limit  # noqa: TC001 - typer reads annotations at run time
from cli.errors import reporting
from model.bundle import Bundle, BundleError, Direction
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
    limit: Limit = None,
) -> None:
    """Translate ten sentences with each unit that both languages write alike, and count those that still have it.

    Example:
        python -m benchmarks quantities
    """
    with reporting(BundleError):
        opened = Bundle.open(bundle)
    typer.echo(asyncio.run(share_kept(opened, partial(_cases, limit=limit), is_kept, "unit kept")))


def _cases(direction: Direction, *, limit: int | None) -> list[tuple[str, str]]:
    """Each sentence with each unit, and the quantity in it."""
    alike = [name for name, other in units(direction).items() if name == other]
    quantities = [
        (sentence, f"{number} {name}")
        for name in alike[:limit]
        for sentence, number in zip(_SENTENCES[direction.source], _NUMBERS, strict=True)
    ]
    return [(sentence.format(quantity), quantity) for sentence, quantity in quantities]


def is_kept(quantity: str, text: str) -> bool:
    """Whether a translation has a quantity, and it is part of no other word."""
    return re.search(rf"(?<![\d.,]){quantity.replace(' ', ' ?')}(?![\w-])", text) is not None
