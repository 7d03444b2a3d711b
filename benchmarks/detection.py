"""How often the detected language is right, by the length of the text and by the confidence that was told."""

from __future__ import annotations

import random
from collections import defaultdict
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.sentences import read_texts, side_of
from service.pipeline.detection import UNCERTAIN, detect

__all__ = ["detection"]

_SETS = tuple(Path("data/test", name) for name in ("flores-dev", "multi30k_val", "wmt13"))
_WORDS = (1, 2, 3, 5, 8, None)
_SENTENCE_WORDS = 8
_BINS = 10
_SEED = 1


def detection(
    sets: Annotated[
        list[Path] | None, typer.Argument(help="Prefixes of parallel files, such as data/test/wmt13.")
    ] = None,
    sentences: Annotated[int, typer.Option(min=1, help="Of each side of each set, at most.")] = 1000,
    third: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Lines in other languages, `msgunfmt` has some: how many pass.")
    ] = None,
) -> None:
    """Measure the detection of languages.

    Reads parallel sets, and of each sentence a stretch of so many words, at a random place.

    Example:
        python -m benchmarks detection
    """
    texts = [
        (text, language)
        for language in ("en", "de")
        for file in side_of(sets or _SETS, language)
        for text in read_texts(file)[:sentences]
    ]
    typer.echo("words  texts  right   by confidence: share of texts, right")
    for words in _WORDS:
        typer.echo(_row(words, _stretches(texts, words)))
    if third:
        lines = read_texts(third)
        typer.echo(f"\nlines in other languages with a confidence of {UNCERTAIN} or more, by words at least")
        for least in (1, _SENTENCE_WORDS):
            sure = [detect(text).confidence >= UNCERTAIN for text in lines if len(text.split()) >= least]
            typer.echo(f"{least:5}  {len(sure):5}  {sum(sure) / max(1, len(sure)):.1%}")


def _stretches(texts: list[tuple[str, str]], words: int | None) -> list[tuple[str, str]]:
    """The texts, or so many words of each that have any letter."""
    if words is None:
        return texts
    chance = random.Random(_SEED)  # noqa: S311 - no secret
    found = []
    for text, language in texts:
        split = text.split()
        start = chance.randrange(max(1, len(split) - words + 1))
        stretch = " ".join(split[start : start + words])
        if any(map(str.isalpha, stretch)):
            found.append((stretch, language))
    return found


def _row(words: int | None, texts: list[tuple[str, str]]) -> str:
    bins: dict[int, list[bool]] = defaultdict(list)
    for text, language in texts:
        found = detect(text)
        bins[min(int(found.confidence * _BINS), _BINS - 1)].append(found.language == language)
    right = sum(map(sum, bins.values()))
    parts = [
        f"{place / _BINS:.1f}: {len(bins[place]) / len(texts):.1%}, {sum(bins[place]) / len(bins[place]):.1%}"
        for place in sorted(bins)
    ]
    return f"{words or 'all':>5}  {len(texts):5}  {right / len(texts):.1%}  {'; '.join(parts)}"
