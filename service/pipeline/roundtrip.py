"""There and back: does the service still translate?

A model that copies its input reconstructs it perfectly. So besides the scores of the
reconstruction, the share of *middle* texts that merely repeat their input counts: the copy rate.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF

from model.bundle import fold
from service.types import Quality, Request, Translated

if TYPE_CHECKING:
    from collections.abc import Sequence

    from model.bundle import Direction, RoundTripThresholds
    from service.types import Translation

__all__ = ["Reconstruction", "RoundTripReport", "RoundTripScore", "Translates", "round_trip", "score"]


class Translates(Protocol):
    """The part of `Translator` used here."""

    async def translate(self, request: Request, *, timeout_s: float) -> Translated:
        """See `Translator.translate`."""
        ...


@dataclass(frozen=True, slots=True)
class Reconstruction:
    """One text there and back. `chrf` is 0 to 100; `copied` if the middle text merely repeats the source."""

    direction: Direction
    source: str
    translation: Translation
    reconstruction: Translation
    chrf: float
    copied: bool


@dataclass(frozen=True, slots=True)
class RoundTripScore:
    """One direction's canary sentences there and back.

    `bleu` and `chrf` are sacreBLEU's, 0 to 100; `exact_match` and `copy_rate` are shares, 0 to 1.
    `failures` says which thresholds were missed; none means healthy.
    """

    direction: Direction
    bleu: float
    chrf: float
    exact_match: float
    copy_rate: float
    count: int
    duration_s: float
    thresholds: RoundTripThresholds
    failures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RoundTripReport:
    """The last run of all directions; `finished_at` is Unix time."""

    scores: tuple[RoundTripScore, ...]
    finished_at: float

    @property
    def ok(self) -> bool:
        """Whether every direction was within its thresholds."""
        return not any(score.failures for score in self.scores)


async def round_trip(
    translator: Translates, direction: Direction, texts: Sequence[str], *, timeout_s: float
) -> list[Reconstruction]:
    """Translate texts one way and the result back, both with quality fast, within `timeout_s` seconds in all.

    Raises:
        ServiceError: as `Translator.translate`.
    """
    started = time.monotonic()
    there = await translator.translate(Request(direction, tuple(texts), Quality.FAST), timeout_s=timeout_s)
    middle = tuple(translation.text for translation in there.translations)
    left = max(0.0, timeout_s - (time.monotonic() - started))
    back = await translator.translate(Request(direction.reverse, middle, Quality.FAST), timeout_s=left)
    hops = zip(texts, there.translations, back.translations, strict=True)
    return await asyncio.to_thread(lambda: [_compare(direction, *hop) for hop in hops])


def _compare(
    direction: Direction, source: str, translation: Translation, reconstruction: Translation
) -> Reconstruction:
    return Reconstruction(
        direction=direction,
        source=source,
        translation=translation,
        reconstruction=reconstruction,
        chrf=CHRF().sentence_score(reconstruction.text, [source]).score,
        copied=fold(translation.text) == fold(source),
    )


def score(
    direction: Direction,
    reconstructions: Sequence[Reconstruction],
    thresholds: RoundTripThresholds,
    *,
    duration_s: float,
) -> RoundTripScore:
    """Score one direction's reconstructions, of which there is at least one."""
    sources = [one.source for one in reconstructions]
    results = [one.reconstruction.text for one in reconstructions]
    count = len(reconstructions)
    chrf = CHRF().corpus_score(results, [sources]).score
    copy_rate = sum(one.copied for one in reconstructions) / count
    failures = []
    if chrf < thresholds.min_chrf:
        failures.append(f"chrF {chrf:.1f} is below {thresholds.min_chrf:g}")
    if copy_rate > thresholds.max_copy_rate:
        failures.append(f"copy rate {copy_rate:.2f} is above {thresholds.max_copy_rate:g}")
    return RoundTripScore(
        direction=direction,
        bleu=BLEU().corpus_score(results, [sources]).score,
        chrf=chrf,
        exact_match=sum(source == result for source, result in zip(sources, results, strict=True)) / count,
        copy_rate=copy_rate,
        count=count,
        duration_s=duration_s,
        thresholds=thresholds,
        failures=tuple(failures),
    )
