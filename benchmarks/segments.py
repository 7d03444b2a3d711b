"""The word alignment of segments, held against that of a statistical aligner."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from benchmarks.sentences import read_pairs, read_texts, side_of
from cli.errors import needs_aligner, reporting
from model.bundle import DIRECTIONS, BundleError
from model.word_alignment import align_words
from service.app import open_translator
from service.errors import StartupError
from service.pipeline.alignment.links import words
from service.settings import Settings
from service.types import Quality, Request

if TYPE_CHECKING:
    from collections.abc import Sequence

    from model.bundle import Direction
    from service.types import SegmentReport, Span

    _Report = tuple[Direction, SegmentReport]

__all__ = ["segments"]

_SETS = tuple(Path("data/test", name) for name in ("flores-dev", "multi30k_val", "wmt13"))
_AT_ONCE = 50
_TIMEOUT_S = 600.0
_LONGEST = 160  # characters of a pair's sides

Pairs = set[tuple[int, int]]


def segments(
    sets: Annotated[
        list[Path] | None, typer.Argument(help="Prefixes of parallel files, such as data/test/wmt13.")
    ] = None,
    bundle: Annotated[Path, typer.Option(help="The bundle.")] = Path("bundles/reder-medium"),
    sentences: Annotated[int, typer.Option(min=1, help="Of each side of each set, evenly over it.")] = 200,
    align_with: Annotated[
        Path, typer.Option(help="Pairs (xz, TSV) to train the aligner on: eflomal, which must be installed.")
    ] = Path("data/train/prose.tsv.xz"),
    pairs: Annotated[int, typer.Option(min=1, help="How many of them.")] = 150_000,
) -> None:
    """Measure word alignment on validation text: precision, recall and alignment error rate of the links.

    Example:
        python -m benchmarks segments --sentences 100
    """
    with reporting(BundleError, StartupError):
        reports = asyncio.run(_translate(bundle, sets or _SETS, sentences))
    _show_links(reports, read_pairs(align_with, pairs, longest=_LONGEST))


async def _translate(bundle: Path, sets: Sequence[Path], sentences: int) -> list[_Report]:
    """The sentences that the network translated as one segment each: what else is written has no reverse score."""
    reports: list[_Report] = []
    async with open_translator(Settings(bundle=bundle, canary_on_start=False)) as translator:
        for direction in DIRECTIONS:
            for file in side_of(sets, direction.source):
                texts = read_texts(file)
                texts = texts[:: max(1, len(texts) // sentences)][:sentences]
                for start in range(0, len(texts), _AT_ONCE):
                    some = tuple(texts[start : start + _AT_ONCE])
                    request = Request(direction, some, Quality.FAST, details=True)
                    translated = await translator.translate(request, timeout_s=_TIMEOUT_S)
                    single = (one.segments for one in translated.translations if len(one.segments) == 1)
                    reports += [(direction, one) for (one,) in single if one.reverse_score is not None]
    return reports


def _show_links(reports: Sequence[_Report], pairs: Sequence[tuple[str, str]]) -> None:
    """Hold links against those of the statistical aligner: its two ways joined, and what both agree on."""
    ours = [direction.english_first(report.source, report.target) for direction, report in reports]
    forth, back = _aligned([*ours, *pairs])
    found = correct = sure = agreed = 0
    for (direction, report), there, again in zip(reports, forth, back, strict=False):
        links, both = {direction.english_first(*link) for link in _links(report)}, there & again
        found, agreed = found + len(links), agreed + len(both)
        correct, sure = correct + len(links & (there | again)), sure + len(links & both)
    typer.echo(f"links: {found}; precision {correct / found:.1%}, recall {sure / agreed:.1%}, ", nl=False)
    typer.echo(f"alignment error rate {1 - (correct + sure) / (found + agreed):.1%}")


def _aligned(pairs: Sequence[tuple[str, str]]) -> tuple[list[Pairs], list[Pairs]]:
    source, target = ([_spaced(text) for text in side] for side in zip(*pairs, strict=True))
    with needs_aligner():
        found = list(align_words(source, target))
    return [set(forth) for forth, _ in found], [set(back) for _, back in found]


def _spaced(text: str) -> str:
    return " ".join(text[word.start : word.end].lower() for word in words(text)) or "-"


def _links(report: SegmentReport) -> Pairs:
    ours, theirs = _places(report.source), _places(report.target)
    both = ((ours.get(link.source), theirs.get(link.target)) for link in report.links)
    return {(one, other) for one, other in both if one is not None and other is not None}


def _places(text: str) -> dict[Span, int]:
    return {word: place for place, word in enumerate(words(text))}
