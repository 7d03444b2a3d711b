"""What does the network copy? Things that must survive, as they are, beside short stand-ins for them.

In sentence pairs that share a name, each takes the name's place in the source, where a noun may stand. What counts: how
often it is in the translation once and whole, and chrF of all the rest against the reference without the name.
"""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer
from sacrebleu.metrics.chrf import CHRF

from benchmarks.options import several
from benchmarks.report import RESULTS, number, save, table
from benchmarks.sentences import read_aligned
from cli.errors import USAGE, fail, reporting
from model.bundle import BLANK_ID, DIRECTIONS, Bundle, BundleError, Direction, collapse
from service.engine.choice import open_engine
from service.pipeline.detokenisation import one_line
from service.types import Batch

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from service.engine.protocol import Engine

__all__ = ["find_pairs", "stand_ins"]

LITERAL = (
    "https://example.org/a?b=1",
    "anna.schmidt@example.org",
    "{name}",
    "{0}",
    "%s",
    "%1$s",
    "${x}",
    "$HOME",
    "`make test`",
    "<b/>",
    "/usr/local/bin",
    "--verbose",
    "v1.2.3",
    "&nbsp;",
)
STAND_INS = ("X1", "Q7", "[1]", "#1", "X", "XYZ")

_NAME = re.compile(r"(?<![\w'’-])[A-Z][a-z]{3,}(?![\w'’-])")
_SHORTEST, _LONGEST = 30, 140
_ORDER_SEED = 1
_BATCH = 32


def find_pairs(pairs: Iterable[tuple[str, str]], count: int) -> list[tuple[str, str, str]]:
    """English, German, and a name that stands in each once, not first; `count` at most, drawn by chance."""
    found = []
    for english, german in pairs:
        if not _SHORTEST <= len(english) <= _LONGEST:
            continue
        names = [name for name in _NAME.findall(english)[:5] if not english.startswith(name)]
        shared = [name for name in names if english.count(name) == german.count(name) == 1]
        if shared and re.search(rf"(?<![\w-]){shared[0]}(?![\w-])", german):
            found.append((english, german, shared[0]))
    random.Random(_ORDER_SEED).shuffle(found)  # noqa: S311 - a draw, not a secret
    return found[:count]


def _translate(bundle: Bundle, engine: Engine, direction: Direction, texts: Sequence[str]) -> list[str]:
    ids = bundle.tokenizer.encode_batch(texts)
    order = sorted(range(len(texts)), key=lambda index: len(ids[index]))
    found = [""] * len(texts)
    for start in range(0, len(order), _BATCH):
        rows = order[start : start + _BATCH]
        frames = engine.infer(direction, Batch.pad([ids[index] for index in rows]))
        read = collapse(frames.ids, frames.log_probs, np.asarray(frames.lengths), blank_id=BLANK_ID)
        for index, one in zip(rows, read, strict=True):
            found[index] = one_line(one.ids, bundle.tokenizer)
    return found


def stand_ins(
    sets: Annotated[
        list[Path],
        several(
            (Path("data/test/wmt13"), Path("data/test/flores-dev")),
            "--set",
            metavar="PREFIX",
            help="Sentence pairs, PREFIX.en and PREFIX.de: validation sets, since a choice is made by them",
        ),
    ],
    text: Annotated[list[str], several((*LITERAL, *STAND_INS), "--text", help="What the network is to copy")],
    bundle: Annotated[Path, typer.Option(metavar="DIR", help="What translates.")] = Path("bundles/reder-medium"),
    precision: Annotated[str, typer.Option(help="Of the graphs.")] = "int8",
    count: Annotated[int, typer.Option(min=1, help="Sentences a direction, at most.")] = 150,
    output: Annotated[Path, typer.Option(metavar="DIR", help="Where stand-ins.json goes.")] = RESULTS,
) -> None:
    """Measure how well the network copies what must not be translated, and short things that may stand for it."""
    with reporting(BundleError):
        loaded = Bundle.open(bundle)
    cases = find_pairs([pair for prefix in sets for pair in read_aligned(prefix)], count)
    if not cases:
        fail("no sentence shares a name with its translation", code=USAGE)
    engine = open_engine(loaded, provider="cpu", precision=precision, threads=1)
    figures: dict[str, dict[str, dict[str, float]]] = {one: {} for one in text}
    for direction in DIRECTIONS:
        for one in text:
            figures[one][str(direction)] = _measured(loaded, engine, direction, cases, one)
    titles = [
        "text",
        *(f"{direction} {what}" for direction in DIRECTIONS for what in ("copied, %", "chrF of the rest")),
    ]
    rows = [
        [one.replace("`", "'"), *(number(value) for by_direction in found.values() for value in by_direction.values())]
        for one, found in figures.items()
    ]
    typer.echo(f"{len(cases)} sentences, {precision}\n\n{table(titles, rows)}")
    content = {"sets": [prefix.name for prefix in sets], "sentences": len(cases), "precision": precision}
    typer.echo(f"\nall figures: {save('stand-ins', {**content, 'texts': figures}, output)}", err=True)


def _measured(
    bundle: Bundle, engine: Engine, direction: Direction, cases: Sequence[tuple[str, str, str]], text: str
) -> dict[str, float]:
    """Share of translations with `text` exactly once, in %, and chrF of what is around it."""
    sides = [
        (english, german, name) if direction.source == "en" else (german, english, name)
        for english, german, name in cases
    ]
    found = _translate(bundle, engine, direction, [source.replace(name, text) for source, _, name in sides])
    rest = [translation.replace(text, "") for translation in found]
    references = [reference.replace(name, "") for _, reference, name in sides]
    return {
        "copied": 100 * sum(translation.count(text) == 1 for translation in found) / len(found),
        "chrf": CHRF().corpus_score(rest, [references]).score,
    }
