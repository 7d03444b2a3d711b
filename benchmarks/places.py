"""Names of places in short sentences: in how many the network has them right, and in how many the service."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.in_process import share_kept
from cli.errors import reporting
from model.bundle import Bundle, BundleError, Direction
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

    def cases(direction: Direction) -> list[tuple[str, str]]:
        names = list(names_of_places(direction).items())[:limit]
        return [(sentence.format(name), other) for name, other in names for sentence in _SENTENCES[direction.source]]

    typer.echo(asyncio.run(share_kept(opened, cases, is_named, "place named")))


def is_named(name: str, text: str) -> bool:
    """Whether a translation has a name, and it is part of no other word."""
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) is not None
