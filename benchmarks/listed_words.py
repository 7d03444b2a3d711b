"""Words of the service's lists in short sentences: in how many the network has them right, and in how many the service.

Places have names (decision 0030), other words are read as others of their kind (decision 0031).
"""

from __future__ import annotations

import asyncio
import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from benchmarks.in_process import share_kept
from benchmarks.options import Limit  # noqa: TC001 - typer reads annotations at run time
from cli.errors import reporting
from model.bundle import Bundle, BundleError, Direction
from service.pipeline.finders.places import names_of_places
from service.pipeline.substitution.listed_words import listed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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
_VERBS = {
    "en": ("They wanted to {} it.", "You have to {} more often.", "I will never {} again."),
    "de": ("Sie wollten es {}.", "Wir müssen öfter {}.", "Ich werde nie wieder {}."),
}


def listed_words(
    bundle: Annotated[Path, typer.Option(help="The bundle.")] = Path("bundles/reder-medium"),
    limit: Limit = None,
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

    def words(direction: Direction, frames: Mapping[str, Sequence[str]], *, are_verbs: bool) -> list[tuple[str, str]]:
        anywhere = (one for one in listed(direction) if not (one.objects or one.frame or one.only_begins))
        known = [one for one in anywhere if one.is_verb == are_verbs][:limit]
        return [
            (sentence.format(one.source[0]), "\n".join(one.target))
            for one in known
            for sentence in frames[direction.source]
        ]

    typer.echo(asyncio.run(share_kept(opened, places, is_written, "place named")))
    nouns, verbs = partial(words, frames=_WORDS, are_verbs=False), partial(words, frames=_VERBS, are_verbs=True)
    typer.echo(asyncio.run(share_kept(opened, nouns, is_written, "word known")))
    typer.echo(asyncio.run(share_kept(opened, verbs, is_written, "verb known")))


def is_written(forms: str, text: str) -> bool:
    """Whether a translation has a word, in one of its forms, each in a line, and it is part of no other word."""
    names = "|".join(map(re.escape, forms.splitlines()))
    return re.search(rf"(?<![\w-])(?:{names})(?![\w-])", text) is not None
