"""Names of places in short sentences: in how many the network has them right, and in how many the service."""

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
from service.pipeline.finders.places import names_of_places

__all__ = ["is_named", "places"]

_SENTENCES = {
    "en": (
        "She lives in {}.",
        "The company has offices in {} and sells its products there.",
        "Our new shop is near {}.",
    ),
    "de": (
        "Sie wohnt in {}.",
        "Das Unternehmen hat Büros in {} und verkauft dort seine Produkte.",
        "Er kommt aus {}.",
    ),
}


def places(
    bundle: Annotated[Path, typer.Option(help="The bundle.")] = Path("bundles/reder-medium"),
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first places of each direction.")] = None,
) -> None:
    """Translate three sentences with each place that is listed, and count those that have its name.

    Example:
        python -m benchmarks places
    """
    with reporting(BundleError):
        opened = Bundle.open(bundle)
    asyncio.run(_measure(opened, limit))


async def _measure(bundle: Bundle, limit: int | None) -> None:
    rows = []
    async with side_by_side(bundle) as translate:
        for direction in DIRECTIONS:
            names = names_of_places(direction)
            cases = [(sentence, name) for name in list(names)[:limit] for sentence in _SENTENCES[direction.source]]
            both = await translate(direction, [sentence.format(name) for sentence, name in cases])
            right = [
                sum(is_named(names[name], text) for text, (_, name) in zip(texts, cases, strict=True)) for texts in both
            ]
            rows.append([str(direction), str(len(cases)), *(f"{100 * count / len(cases):.1f}" for count in right)])
    typer.echo(table(["place named, %", "sentences", "network", "service"], rows))


def is_named(name: str, text: str) -> bool:
    """Whether a translation has a name, and it is part of no other word."""
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) is not None
