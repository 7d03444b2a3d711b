"""Words of the service's lists in short sentences: in how many the network has them right, and in how many the service.

Places have names (decision 0030), other words are read as others of their kind (decision 0031).
"""

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
from service.pipeline.protection.listed_words import words_and_meanings

__all__ = ["is_written", "listed_words"]

_PLACES = {
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
_WORDS = {
    "en": ("I have read a lot about {}.", "Do you know what {} means?", "This is about {} and nothing else."),
    "de": ("Ich habe viel über {} gelesen.", "Weißt du, was {} bedeutet?", "Es geht um {} und sonst nichts."),
}


def listed_words(
    bundle: Annotated[Path, typer.Option(help="The bundle.")] = Path("bundles/reder-medium"),
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first of each list and direction.")] = None,
) -> None:
    """Translate three sentences with each word that is listed, and count those that have it in some form.

    Example:
        python -m benchmarks listed-words
    """
    with reporting(BundleError):
        opened = Bundle.open(bundle)

    def places(direction: Direction) -> list[tuple[str, str]]:
        names = list(names_of_places(direction).items())[:limit]
        return [(sentence.format(name), other) for name, other in names for sentence in _PLACES[direction.source]]

    def words(direction: Direction) -> list[tuple[str, str]]:
        known = list(words_and_meanings(direction).items())[:limit]
        return [(sentence.format(one), "\n".join(its)) for one, its in known for sentence in _WORDS[direction.source]]

    typer.echo(asyncio.run(share_kept(opened, places, is_written, "place named")))
    typer.echo(asyncio.run(share_kept(opened, words, is_written, "word known")))


def is_written(forms: str, text: str) -> bool:
    """Whether a translation has a word, in one of its forms, each in a line, and it is part of no other word."""
    names = "|".join(map(re.escape, forms.splitlines()))
    return re.search(rf"(?<![\w-])(?:{names})(?![\w-])", text) is not None
