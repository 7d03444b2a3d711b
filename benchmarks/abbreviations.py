"""Text with abbreviations: what they cost the network, and what the service."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from benchmarks.in_process import side_by_side
from benchmarks.options import several
from benchmarks.report import bleu_and_chrf, table
from benchmarks.sentences import read_side
from cli.errors import reporting
from model.bundle import DIRECTIONS, Bundle, BundleError
from model.evaluate import score
from service.pipeline.normalisation.abbreviations import entries

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["abbreviated", "abbreviations"]

_SETS = tuple(Path("data/test") / name for name in ("wmt13", "flores-dev", "multi30k_val"))
_LEFT_OUT = re.compile(
    r"aint|bc|b/c|[ck][ou]z|dunno|g(?:imme|onna|otta)|i(?:dk|mh?o)|kinda|lemme|lmk|nvm|ni(?:ch|x)|outta|pl[sz]|ppl|rn|tbh|thx"
    r"|w/|wanna|i\.e\.|vs\.?|Stck\.|thru|tmr|tonite|u\.|od\.|zB|z\. Bsp\."
)
"""Abbreviations that do not stand for their words in most places, or are not written where others are."""
_BEFORE = {"": "", "#": "(?= [0-9])", "*": "(?= [A-ZÄÖÜ][a-zäöüß])"}
"""What follows one that stands for its words there alone."""


def abbreviations(
    sets: Annotated[list[Path], several(_SETS, "--set", metavar="PREFIX", help="Parallel text: PREFIX.en, PREFIX.de")],
    bundle: Annotated[Path, typer.Option(help="The bundle.")] = Path("bundles/reder-medium"),
) -> None:
    """Translate the sentences of which a word can be abbreviated, as they are and with that abbreviation; quality good.

    Example:
        python -m benchmarks abbreviations
    """
    with reporting(BundleError):
        opened = Bundle.open(bundle)
    asyncio.run(_measure(opened, sets))


async def _measure(bundle: Bundle, sets: Sequence[Path]) -> None:
    rows = []
    async with side_by_side(bundle) as translate:
        for direction in DIRECTIONS:
            sources, references = (
                [text for prefix in sets for text in read_side(prefix, language)]
                for language in (direction.source, direction.target)
            )
            pairs = [
                (text, short, reference)
                for text, reference in zip(sources, references, strict=True)
                if (short := abbreviated(text, direction.source)) != text
            ]
            texts, shorter, references = (list(side) for side in zip(*pairs, strict=True))
            for name, written in (("as they are", texts), ("abbreviated", shorter)):
                both = await translate(direction, written)
                scores = (bleu_and_chrf(score("", direction, one, references)) for one in both)
                rows.append([f"{direction}, {name}", str(len(pairs)), *scores])
    typer.echo(table(["BLEU / chrF", "sentences", "network", "service"], rows))


def abbreviated(text: str, language: str) -> str:
    """The text with abbreviations for what has one, but for what may be a word, and chat."""
    for entry in entries(language):
        if entry.is_uncertain or _LEFT_OUT.fullmatch(entry.text):
            continue
        left = rf"(?<=[0-9]{re.escape(entry.after.removeprefix('#'))} )" if entry.after else r"(?<![\w-])"
        right = rf"(?![\w-]){_BEFORE[entry.before]}"
        for meaning in sorted(entry.meanings, key=len, reverse=True):
            text = re.sub(f"{left}{re.escape(meaning)}{right}", entry.text, text)
    return text
