"""Numbers in translations: in how many sentences the network gets one wrong, and in how many the service."""

from __future__ import annotations

import asyncio
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from benchmarks.in_process import side_by_side
from benchmarks.report import table
from benchmarks.sentences import read_texts, side_of
from cli.errors import reporting
from model.bundle import DIRECTIONS, Bundle, BundleError
from service.pipeline.numbers.checking import check_numbers
from service.pipeline.numbers.numerals import has_digits

if TYPE_CHECKING:
    from model.bundle import Direction

__all__ = ["has_wrong_number", "numbers"]

_SETS = tuple(Path("data/test", name) for name in ("flores-dev", "wmt13", "multi30k_val"))


def numbers(
    sets: Annotated[
        list[Path] | None, typer.Argument(help="Prefixes of parallel files, such as data/test/wmt13.")
    ] = None,
    bundle: Annotated[Path, typer.Option(help="The bundle.")] = Path("bundles/reder-medium"),
) -> None:
    """Translate the sentences that have digits in both languages, and count those in whose translation one is wrong.

    People's translations have some, too, that the comparison takes for wrong: they write 1.5 million for 1,499,300.

    Example:
        python -m benchmarks numbers data/test/wmt13
    """
    with reporting(BundleError):
        opened = Bundle.open(bundle)
    asyncio.run(_measure(opened, sets or list(_SETS)))


async def _measure(bundle: Bundle, sets: list[Path]) -> None:
    rows = []
    async with side_by_side(bundle) as translate:
        for prefix in sets:
            for direction in DIRECTIONS:
                files = chain(*(side_of([prefix], language) for language in (direction.source, direction.target)))
                pairs = [pair for pair in zip(*map(read_texts, files), strict=True) if all(map(has_digits, pair))]
                sources, references = map(list, zip(*pairs, strict=True))
                counts = [
                    sum(has_wrong_number(*pair, direction) for pair in zip(sources, texts, strict=True))
                    for texts in (references, *await translate(direction, sources))
                ]
                shares = (f"{100 * count / len(pairs):.1f}" for count in counts)
                rows.append([prefix.name, str(direction), str(len(pairs)), *shares])
    typer.echo(table(["a wrong number, %", "direction", "sentences", "people", "network", "service"], rows))


def has_wrong_number(source: str, target: str, direction: Direction) -> bool:
    """Whether a number of one is not in the other, or written as the other language would."""
    repair = check_numbers(source, target, (), direction)
    return bool(repair.edits) or not repair.sound
