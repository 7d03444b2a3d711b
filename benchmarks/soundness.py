"""What a translation must not get wrong, numbers and "not": in how many sentences the network does, and the service."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from benchmarks.in_process import side_by_side
from benchmarks.report import table
from benchmarks.sentences import read_side
from cli.errors import reporting
from model.bundle import DIRECTIONS, Bundle, BundleError
from service.pipeline.numbers.checking import check_numbers
from service.pipeline.numbers.numerals import has_digits
from service.pipeline.repairs.negation import denies, loses_negation

if TYPE_CHECKING:
    from collections.abc import Callable

    from model.bundle import Direction

__all__ = ["has_wrong_number", "soundness"]

_SETS = tuple(Path("data/test", name) for name in ("flores-dev", "wmt13"))


class _Measure(NamedTuple):
    """Of which pairs of a sentence and people's translation, and how it is seen that a translation is wrong."""

    name: str
    concerns: Callable[[str, str, Direction], bool]
    is_wrong: Callable[[str, str, Direction], bool]


def soundness(
    sets: Annotated[
        list[Path] | None, typer.Argument(help="Prefixes of parallel files, such as data/test/wmt13.")
    ] = None,
    bundle: Annotated[Path, typer.Option(help="The bundle.")] = Path("bundles/reder-medium"),
) -> None:
    """Translate sentences with numbers, and such as deny something; count those whose translation has it wrong.

    Some of people's translations have, too, by that count: they write 1.5 million for 1,499,300, and "he failed" for
    what did not work.

    Example:
        python -m benchmarks soundness data/test/wmt13
    """
    with reporting(BundleError):
        opened = Bundle.open(bundle)
    asyncio.run(_measure(opened, sets or list(_SETS)))


async def _measure(bundle: Bundle, sets: list[Path]) -> None:
    rows = []
    async with side_by_side(bundle) as translate:
        for prefix in sets:
            for direction in DIRECTIONS:
                sides = read_side(prefix, direction.source), read_side(prefix, direction.target)
                pairs = list(zip(*sides, strict=True))
                for measure in _MEASURES:
                    found = [(one, text) for one, text in pairs if measure.concerns(one, text, direction)]
                    sources, references = [source for source, _ in found], [reference for _, reference in found]
                    counts = [
                        sum(measure.is_wrong(one, text, direction) for one, text in zip(sources, texts, strict=True))
                        for texts in (references, *await translate(direction, sources))
                    ]
                    shares = (f"{100 * count / max(1, len(found)):.1f}" for count in counts)
                    rows.append([prefix.name, str(direction), measure.name, str(len(found)), *shares])
    typer.echo(table(["wrong, %", "direction", "what", "sentences", "people", "network", "service"], rows))


def has_wrong_number(source: str, target: str, direction: Direction) -> bool:
    """Whether a number of one is not in the other, or written as the other language would."""
    repair = check_numbers(source, target, (), direction)
    return bool(repair.edits) or not repair.sound


def _have_digits(source: str, reference: str, _: Direction) -> bool:
    return has_digits(source) and has_digits(reference)


def _denies(source: str, _: str, direction: Direction) -> bool:
    return denies(source, direction.source)


_MEASURES = (
    _Measure("numbers", _have_digits, has_wrong_number),
    _Measure("negation", _denies, loses_negation),
)
