"""German compounds that the network has not seen, in a short sentence: how many it has right, and the service.

They are read as their last part (decision 0032).
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from benchmarks.in_process import share_kept
from benchmarks.listed_words import is_written
from benchmarks.options import PRINTED, Printed
from benchmarks.sentences import read_pairs, spread
from cli.errors import USAGE, fail, reporting
from model.bundle import DE_EN, Bundle, BundleError, Direction
from service.pipeline.substitution.german_compounds import find_compound
from service.pipeline.substitution.listed_forms import find_forms

if TYPE_CHECKING:
    from model.bundle import Dictionary

__all__ = ["compounds"]

_SENTENCE = "Wir sprachen gestern über {}."


def compounds(
    printed: Printed = PRINTED,
    bundle: Annotated[Path, typer.Option(help="The bundle.")] = Path("bundles/reder-medium"),
    words: Annotated[int, typer.Option(min=1, help="Evenly over those that there are.")] = 1000,
) -> None:
    """Translate a sentence with each compound that is read as its last part; count those with a printed word for it.

    Most others have another word that is right as well, *access fee* for *access charge*.

    Example:
        python -m benchmarks compounds
    """
    with reporting(BundleError):
        opened = Bundle.open(bundle)
        dictionary = opened.dictionaries().get(DE_EN)
    entries: defaultdict[str, list[str]] = defaultdict(list)
    for english, german in read_pairs(printed):
        entries[german].append(english.casefold())
    chosen = spread(sorted(word for word in entries if dictionary and _is_compound(word, dictionary)), words)
    if not chosen:
        fail(f"{printed} has no compound that is read as its last part", code=USAGE)

    def cases(_: Direction) -> list[tuple[str, str]]:
        return [(_SENTENCE.format(word), "\n".join(entries[word])) for word in chosen]

    def has_one(forms: str, text: str) -> bool:
        return is_written(forms, text.casefold())

    typer.echo(asyncio.run(share_kept(opened, cases, has_one, "compound as printed", [DE_EN])))


def _is_compound(word: str, dictionary: Dictionary) -> bool:
    """Whether it is read as its last part, and is in the form that dictionaries have."""
    found = find_compound(word, dictionary)
    return found is not None and not found.number and not [*find_forms(word, DE_EN)]
