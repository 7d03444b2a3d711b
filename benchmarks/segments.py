"""What the details of a segment are worth: its reverse score as a judge of quality, and its word alignment."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer

from benchmarks.sentences import read_pairs, read_texts, side_of
from cli.errors import USAGE, fail, reporting
from model.bundle import DIRECTIONS, POOR_CHRF, BundleError
from model.evaluate import sentence_chrf
from model.word_alignment import align_words
from service.app import open_translator
from service.errors import StartupError
from service.pipeline.alignment.links import words
from service.settings import Settings
from service.types import Quality, Request

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from model.bundle import Direction
    from service.pipeline.translator import Translator
    from service.types import SegmentReport, Span

__all__ = ["segments"]

_SETS = tuple(Path("data/test", name) for name in ("flores-dev", "multi30k_val", "wmt13"))
_THRESHOLDS = (0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.4)
_AT_ONCE = 50
_TIMEOUT_S = 600.0
_LONGEST = 160  # characters of a pair's sides

Pairs = set[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class _Judged:
    """A sentence that was translated as one segment; `chrf`, 0 to 100, is that to people's translation."""

    direction: Direction
    report: SegmentReport
    chrf: float


def segments(
    sets: Annotated[
        list[Path] | None, typer.Argument(help="Prefixes of parallel files, such as data/test/wmt13.")
    ] = None,
    bundle: Annotated[Path, typer.Option(help="The bundle.")] = Path("bundles/reder-medium"),
    sentences: Annotated[int, typer.Option(min=1, help="Of each side of each set, evenly over it.")] = 200,
    align_with: Annotated[
        Path | None,
        typer.Option(help="Pairs (xz, TSV) to train eflomal on, which must be installed: links are held against its."),
    ] = None,
    pairs: Annotated[int, typer.Option(min=1, help="How many of them.")] = 150_000,
) -> None:
    """Measure reverse score and word alignment on validation text.

    Example:
        python -m benchmarks segments --align-with data/train/prose.tsv.xz
    """
    with reporting(BundleError, StartupError):
        judged = asyncio.run(_translate(bundle, sets or _SETS, sentences))
    _show_scores(judged)
    if align_with:
        _show_links(judged, read_pairs(align_with, pairs, longest=_LONGEST))


async def _translate(bundle: Path, sets: Sequence[Path], sentences: int) -> list[_Judged]:
    judged = []
    async with open_translator(Settings(bundle=bundle, canary_on_start=False)) as translator:
        for direction in DIRECTIONS:
            sides = (side_of(sets, direction.source), side_of(sets, direction.target))
            for source, target in zip(*sides, strict=True):
                lines = list(zip(read_texts(source), read_texts(target), strict=True))
                judged += await _judge(translator, direction, lines[:: max(1, len(lines) // sentences)][:sentences])
    return judged


async def _judge(translator: Translator, direction: Direction, lines: Sequence[tuple[str, str]]) -> list[_Judged]:
    judged = []
    for start in range(0, len(lines), _AT_ONCE):
        batch = lines[start : start + _AT_ONCE]
        request = Request(direction, tuple(source for source, _ in batch), Quality.FAST, details=True)
        translated = await translator.translate(request, timeout_s=_TIMEOUT_S)
        for (_, reference), translation in zip(batch, translated.translations, strict=True):
            if len(translation.segments) == 1 and translation.segments[0].reverse_score is not None:
                chrf = sentence_chrf(translation.text, reference)
                judged.append(_Judged(direction, translation.segments[0], chrf))
    return judged


def _show_scores(judged: Sequence[_Judged]) -> None:
    chrf = np.array([one.chrf for one in judged])
    scores = np.array([one.report.reverse_score for one in judged])
    confidence = np.array([one.report.confidence for one in judged])
    typer.echo(
        f"{len(judged)} segments, mean chrF {chrf.mean():.1f}, {(chrf < POOR_CHRF).mean():.0%} below {POOR_CHRF:.0f}"
    )
    typer.echo(f"rank correlation with chrF: reverse score {_correlation(scores, chrf):.2f}, ", nl=False)
    typer.echo(f"confidence {_correlation(confidence, chrf):.2f}")
    typer.echo(f"below  segments  chrF  of them < {POOR_CHRF:.0f}   others' chrF  of them < {POOR_CHRF:.0f}")
    for threshold in _THRESHOLDS:
        weak = scores < threshold
        cells = [f"{_mean(chrf[part]):.1f}  {_mean(chrf[part] < POOR_CHRF):13.0%}" for part in (weak, ~weak)]
        typer.echo(f"{threshold:5}  {weak.mean():8.0%}  {cells[0]}   {cells[1]:>12}")


def _mean(values: NDArray[np.generic]) -> float:
    return float(values.astype(float).mean()) if values.size else float("nan")


def _correlation(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Spearman's; ties are broken by order."""
    return float(np.corrcoef(one.argsort().argsort(), other.argsort().argsort())[0, 1])


def _show_links(judged: Sequence[_Judged], pairs: Sequence[tuple[str, str]]) -> None:
    """Hold links against those of the statistical aligner: its two ways joined, and what both agree on."""
    ours = [one.direction.english_first(one.report.source, one.report.target) for one in judged]
    forth, back = _aligned([*ours, *pairs])
    found = correct = sure = agreed = 0
    for one, there, again in zip(judged, forth, back, strict=False):
        links, both = {one.direction.english_first(*link) for link in _links(one.report)}, there & again
        found, agreed = found + len(links), agreed + len(both)
        correct, sure = correct + len(links & (there | again)), sure + len(links & both)
    typer.echo(f"links: {found}; precision {correct / found:.1%}, recall {sure / agreed:.1%}, ", nl=False)
    typer.echo(f"alignment error rate {1 - (correct + sure) / (found + agreed):.1%}")


def _aligned(pairs: Sequence[tuple[str, str]]) -> tuple[list[Pairs], list[Pairs]]:
    source, target = ([_spaced(text) for text in side] for side in zip(*pairs, strict=True))
    try:
        found = list(align_words(source, target))
    except ImportError:
        advice = "pip install -c constraints.txt '.[align]', or leave out --align-with"
        fail(f"eflomal is not installed: {advice}", code=USAGE)
    return [set(forth) for forth, _ in found], [set(back) for _, back in found]


def _spaced(text: str) -> str:
    return " ".join(text[word.start : word.end].lower() for word in words(text)) or "-"


def _links(report: SegmentReport) -> Pairs:
    ours, theirs = _places(report.source), _places(report.target)
    both = ((ours.get(link.source), theirs.get(link.target)) for link in report.links)
    return {(one, other) for one, other in both if one is not None and other is not None}


def _places(text: str) -> dict[Span, int]:
    return {word: place for place, word in enumerate(words(text))}
