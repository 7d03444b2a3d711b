"""Numbers in words in short sentences: in how many the network keeps the number, and in how many the service."""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from benchmarks.in_process import side_by_side
from benchmarks.options import Limit  # noqa: TC001 - typer reads annotations at run time
from benchmarks.report import table
from cli.errors import reporting
from model.bundle import DIRECTIONS, Bundle, BundleError
from service.pipeline.numbers.cardinals import in_words
from service.pipeline.numbers.ordinals import all_ordinals, ordinal_in_words

if TYPE_CHECKING:
    from model.bundle import Direction

__all__ = ["is_kept", "number_words"]

_SENTENCES = {
    "en": (
        "We invited {} people.",
        "I waited for {} minutes.",
        "The school has {} computers and a garden.",
        "There are {} names on the list.",
    ),
    "de": (
        "Wir haben {} Leute eingeladen.",
        "Ich habe {} Minuten gewartet.",
        "Die Schule hat {} Computer und einen Garten.",
        "Auf der Liste stehen {} Namen.",
    ),
}
_RANGES = {
    "2 to 12": range(2, 13),
    "13 to 19": range(13, 20),
    "20, 30 to 90": range(20, 100, 10),
    "21, 22 to 99": [number for number in range(21, 100) if number % 10],
    "100, 200 to 900": range(100, 1000, 100),
    "101, 118 to 985": [number for number in range(101, 1000, 17) if number % 100],
}
_MOST, _MOST_ORDINAL = 999, 99
_ORDINAL_SENTENCES = {
    "en": ("She lives on the {} floor.", "Today is her {} birthday."),
    "de": ("Sie wohnt im {}en Stock.", "Heute ist ihr {}er Geburtstag."),
}
_ORDINAL_RANGES = {"2nd to 12th": range(2, 13), "13th to 99th": range(13, 100)}


def number_words(
    bundle: Annotated[Path, typer.Option(help="The bundle.")] = Path("bundles/reder-medium"),
    limit: Limit = None,
) -> None:
    """Translate sentences with each of 153 numbers and 98 ordinals in words; count those that have it, or its figures.

    Example:
        python -m benchmarks number-words
    """
    with reporting(BundleError):
        opened = Bundle.open(bundle)
    typer.echo(asyncio.run(_measure(opened, limit)))


async def _measure(bundle: Bundle, limit: int | None) -> str:
    rows = []
    async with side_by_side(bundle) as translate:
        for direction in DIRECTIONS:
            cases = _cases(direction, limit)
            both = await translate(direction, [sentence for sentence, _, _ in cases])
            kept = defaultdict(list)
            for (_, number, name), *texts in zip(cases, *both, strict=True):
                kept[name].append([is_kept(number, text, direction.target) for text in texts])
            for name, found in kept.items():
                shares = (f"{100 * sum(one) / len(one):.1f}" for one in zip(*found, strict=True))
                rows.append([str(direction), name, str(len(found)), *shares])
    return table(["number kept, %", "numbers", "sentences", "network", "service"], rows)


def _cases(direction: Direction, limit: int | None) -> list[tuple[str, int, str]]:
    """Each sentence with each number, the number, and the range that it is of."""
    source = direction.source
    return [
        (sentence.format(write(number, source)), number, name)
        for sentences, ranges, write in (
            (_SENTENCES, _RANGES, in_words),
            (_ORDINAL_SENTENCES, _ORDINAL_RANGES, ordinal_in_words),
        )
        for name, numbers in ranges.items()
        for number in numbers[:limit]
        for sentence in sentences[source]
    ]


def is_kept(number: int, text: str, language: str) -> bool:
    """Whether a text has a number, in words or in figures, and not as a part of another."""
    names = _names(language)
    found = _pattern(language).findall(text.lower())
    return number in {names.get(one) or int(re.sub("[^0-9]", "", one)) for one in found}


@cache
def _pattern(language: str) -> re.Pattern[str]:
    """Of several numbers that begin alike the longest is found."""
    names = "|".join(sorted(_names(language), key=len, reverse=True))
    return re.compile(rf"(?<![\w-])(?:{names}|\d+(?:[.,]\d+)*(?:st|nd|rd|th)?)(?![\w-])")


@cache
def _names(language: str) -> dict[str, int]:
    """All ways to write a number in words, in small letters, and what it is."""
    names = {in_words(number, language): number for number in range(1, _MOST + 1)}
    names |= all_ordinals(_MOST_ORDINAL, language)
    if language == "en":
        names |= {name.replace(" and ", " "): number for name, number in names.items()}
        names |= {name.replace("-", " "): number for name, number in names.items()}
        return names | {name.replace("one hundred", "a hundred"): number for name, number in names.items()}
    return names | {f"ein{name}": number for name, number in names.items() if name.startswith("hundert")}
