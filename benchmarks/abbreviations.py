"""Text with abbreviations: what they cost the network, and what the service."""

from __future__ import annotations

import asyncio
import re
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from benchmarks.in_process import translated
from benchmarks.options import several
from benchmarks.report import table
from benchmarks.sentences import read_texts, side_of
from cli.errors import reporting
from model.bundle import DIRECTIONS, Bundle, BundleError
from model.decode import translate_best
from model.evaluate import score
from model.onnx_runner import GraphRunner
from service.app import open_translator
from service.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from model.bundle import Direction

__all__ = ["abbreviated", "abbreviations"]

_SETS = tuple(Path("data/test") / name for name in ("wmt13", "flores-dev", "multi30k_val"))
_PRECISION = "int8"
_LEFT_OUT = re.compile(
    r"aint|[ck][ou]z|dunno|g(?:imme|onna|otta)|i(?:dk|mh?o)|kinda|lemme|lmk|nvm|ni(?:ch|x)|outta|pl[sz]|ppl|rn|tbh|thx"
    r"|w/|wanna|i\.e\.|vs\.?|Stck\."
)
"""Abbreviations that do not stand for their words in most places, or are not written where others are."""


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
    search = bundle.manifest.search.of_good()
    runner, fluency = GraphRunner(bundle, _PRECISION), bundle.fluency()
    settings = Settings(bundle=bundle.path, provider="cpu", precision=_PRECISION, canary_on_start=False)
    rows = []
    async with open_translator(settings) as translator:
        for direction in DIRECTIONS:
            sources, references = (
                [text for prefix in sets for text in read_texts(side_of([prefix], language)[0])]
                for language in (direction.source, direction.target)
            )
            pairs = [
                (text, short, reference)
                for text, reference in zip(sources, references, strict=True)
                if (short := abbreviated(text, direction.source)) != text
            ]
            texts, shorter, references = (list(side) for side in zip(*pairs, strict=True))
            for name, written in (("as they are", texts), ("abbreviated", shorter)):
                alone = translate_best(runner, bundle.tokenizer, direction, written, search, fluency)
                service = await translated(translator, direction, written)
                scores = (_scored(direction, one, references) for one in (alone, service))
                rows.append([f"{direction}, {name}", str(len(pairs)), *scores])
    typer.echo(table(["BLEU / chrF", "sentences", "network", "service"], rows))


def abbreviated(text: str, language: str) -> str:
    """The text with abbreviations for what has one, but for what may be a word, and chat."""
    lines = resources.files("service.pipeline").joinpath("abbreviations.tsv").read_text(encoding="utf-8").splitlines()
    for its, abbreviation, meanings in (line.split("\t") for line in lines if line and not line.startswith("#")):
        if its != language or meanings.endswith("?") or _LEFT_OUT.fullmatch(abbreviation):
            continue
        for meaning in sorted(meanings.split("|"), key=len, reverse=True):
            shown = re.escape(meaning)
            left, right = (r"(?<=[0-9] )" if abbreviation.startswith("# ") else r"(?<![\w-])"), r"(?![\w-])"
            right += r"(?= [0-9])" if abbreviation.endswith(" #") else ""
            text = re.sub(f"{left}{shown}{right}", abbreviation.removeprefix("# ").removesuffix(" #"), text)
    return text


def _scored(direction: Direction, translations: Sequence[str], references: Sequence[str]) -> str:
    found = score("", direction, translations, references)
    return f"{found.bleu:.1f} / {found.chrf:.1f}"
