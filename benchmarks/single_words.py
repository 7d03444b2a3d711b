"""Words alone: how many become what a printed dictionary has for them, with the bundle's own dictionary and without."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Annotated

import typer

from benchmarks.options import PRINTED, Printed
from benchmarks.report import number, table
from benchmarks.sentences import read_pairs, spread
from cli.errors import USAGE, fail, reporting
from model.bundle import DIRECTIONS, Bundle, BundleError
from model.decode import translate, translate_best
from model.evaluate import sentence_chrf
from model.onnx_runner import GraphRunner
from service.pipeline.single_words import check_word

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["single_words"]

_WORD = re.compile(r"[^\W\d_]{3,}")
_INFINITIVE = "to "
_LEAST_ENTRIES = 2
"""A word with one entry has mostly others that are not printed."""


def single_words(
    printed: Printed = PRINTED,
    bundle: Annotated[Path, typer.Option(help="The bundle.")] = Path("bundles/reder-medium"),
    words: Annotated[int, typer.Option(min=1, help="Of each language, evenly over those with several entries.")] = 2000,
    max_tokens: Annotated[int, typer.Option(min=1, help="Tokens of a word: what has more is rare.")] = 2,
    precision: Annotated[str, typer.Option(help="Which graphs.")] = "int8",
) -> None:
    """Translate single words, with and without the bundle's dictionary, and hold them against a printed one.

    Right is a translation that the printed dictionary has for the word; chrF is that with the nearest of them.
    Neither should have been made of the other.

    Example:
        python -m benchmarks single-words
    """
    with reporting(BundleError):
        opened = Bundle.open(bundle)
        dictionaries, fluency = opened.dictionaries(), opened.fluency()
    runner = GraphRunner(opened, precision)
    pairs = read_pairs(printed)
    rows = []
    for direction in DIRECTIONS:
        entries = _entries(pairs if direction.source == "en" else [(german, english) for english, german in pairs])
        short = [word for word in entries if len(opened.tokenizer.encode(word)) <= max_tokens]
        if not short:
            fail(f"{printed} has no {direction.source} word of {max_tokens} tokens with several entries", code=USAGE)
        chosen = spread(short, words)
        fast = translate(runner, opened.tokenizer, direction, chosen)
        good = translate_best(runner, opened.tokenizer, direction, chosen, opened.manifest.search.of_good(), fluency)
        for quality, written in (("fast", fast), ("good", good)):
            rows.append(_row(f"{direction} {quality}", chosen, written, entries))
            if dictionary := dictionaries.get(direction):
                checked = [
                    check_word(word, text, dictionary, direction) for word, text in zip(chosen, written, strict=True)
                ]
                held = [one.text if one else text for one, text in zip(checked, written, strict=True)]
                known = fmean(one is not None for one in checked)
                replaced = fmean(one is not None and one.is_replaced for one in checked)
                row = _row(f"{direction} {quality}, dictionary", chosen, held, entries)
                rows.append([*row, f"{known:.0%}", f"{replaced:.0%}"])
    titles = ["", "words", "right, %", "chrF", "known", "replaced"]
    typer.echo(table(titles, [row + [""] * (len(titles) - len(row)) for row in rows]))


def _entries(pairs: Sequence[tuple[str, str]]) -> dict[str, set[str]]:
    """What a printed dictionary has for each word that has several entries."""
    entries: defaultdict[str, set[str]] = defaultdict(set)
    for source, target in pairs:
        if _WORD.fullmatch(source):
            entries[source].add(_plain(target))
    return {word: found for word, found in entries.items() if len(found) >= _LEAST_ENTRIES}


def _row(name: str, words: Sequence[str], written: Sequence[str], entries: dict[str, set[str]]) -> list[str]:
    texts = [_plain(text) for text in written]
    right = fmean(text in entries[word] for word, text in zip(words, texts, strict=True))
    nearest = fmean(
        max(sentence_chrf(text, one) for one in entries[word]) for word, text in zip(words, texts, strict=True)
    )
    return [name, f"{len(words):,}", number(100 * right, 1), number(nearest, 1)]


def _plain(text: str) -> str:
    return text.casefold().removeprefix(_INFINITIVE)
