"""Misspelt words: how many the service reads as they were meant, and what else it changes."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Annotated

import typer

from benchmarks.options import several
from benchmarks.report import table
from benchmarks.sentences import read_side
from cli.errors import reporting
from model.bundle import DIRECTIONS, Bundle, BundleError
from service.pipeline.normalisation.likelihood import Likelihood
from service.pipeline.normalisation.misspellings import Corrector

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from service.pipeline.edits import Edited

__all__ = ["misspellings", "misspelt"]

_SETS = (
    *(Path("data/test") / name for name in ("wmt13", "flores-dev", "multi30k_val")),
    Path("data/valid/manuals"),
)
_SEED = 1
_WORD = re.compile(r"(?<![\w'’-])\w[a-zäöüß]{3,}(?![\w'’-])")
"""Which may be misspelt."""
_ROWS = "qwertzuiop", "asdfghjkl", "yxcvbnm"
_VOWELS = "aeiou"


def misspellings(
    sets: Annotated[list[Path], several(_SETS, "--set", metavar="PREFIX", help="Parallel text: PREFIX.en, PREFIX.de")],
    bundle: Annotated[Path, typer.Option(help="The bundle.")] = Path("bundles/reder-medium"),
    sentences: Annotated[int, typer.Option(min=1, help="The first of each set.")] = 1000,
) -> None:
    """Correct text with a slip in each sentence, and text as it is; list what is changed in that.

    Some of it is misspelt indeed.

    Example:
        python -m benchmarks misspellings
    """
    with reporting(BundleError):
        opened = Bundle.open(bundle)
    fluency, dictionaries = opened.fluency(), opened.dictionaries()
    rows, changed = [], []
    for direction in DIRECTIONS:
        language = direction.source
        judges = fluency[direction.reverse]
        likelihood = Likelihood(judges.model, opened.tokenizer)
        corrector = Corrector(language, dictionaries[direction], judges.lexicon, likelihood)
        for prefix in sets:
            texts = read_side(prefix, language)[:sentences]
            edits = [edit for text in texts for edit in _edits(text, corrector.correct(text))]
            rows.append([f"{prefix.name}, {language}", *_shares(corrector, texts), str(len(edits)), str(len(texts))])
            changed += [f"{prefix.name}, {language}: {', '.join(edits)}"] if edits else []
    typer.echo(table(["", "slips undone, %", "other words instead, %", "changed as it is, words", "sentences"], rows))
    typer.echo("\n".join(["", *changed]))


def _shares(corrector: Corrector, texts: Sequence[str]) -> tuple[str, str]:
    """Of texts with a slip, how many become what they were, and how many something else, in percent."""
    rng = Random(_SEED)  # noqa: S311 - slips, not secrets
    pairs = [(text, misspelt(text, rng)) for text in texts]
    found = [(text, wrong, corrector.correct(wrong).text) for text, wrong in pairs if wrong != text]
    undone = sum(read == text for text, _, read in found)
    other = sum(read not in {text, wrong} for text, wrong, read in found)
    return f"{100 * undone / max(1, len(found)):.0f}", f"{100 * other / max(1, len(found)):.0f}"


def _edits(text: str, edited: Edited) -> Iterator[str]:
    for old, new in zip(edited.old, edited.new, strict=True):
        yield f"{text[old.start : old.end]} > {edited.text[new.start : new.end]}"


def misspelt(text: str, rng: Random) -> str:
    """The text with a slip in one of its longer words, if it has any."""
    words = list(_WORD.finditer(text))
    if not words:
        return text
    word = rng.choice(words)
    return text[: word.start()] + rng.choice(_slips(word[0])) + text[word.end() :]


def _slips(word: str) -> list[str]:
    """The word with a letter left out, or twice, or once instead, or at its neighbour's place, or another in its place.

    The first letter, which people seldom get wrong, stays.
    """
    found = []
    for place in range(1, len(word)):
        before, letter, after = word[:place], word[place], word[place + 1 :]
        found += [before + after, before + letter + letter + after, before + after[:1] + letter + after[1:]]
        others = _VOWELS if letter in _VOWELS else ""
        for row in _ROWS:
            _, is_here, right = row.partition(letter)
            others += (row[: row.find(letter)][-1:] + right[:1]) if is_here else ""
        found += [before + other + after for other in others]
    return [one for one in found if one != word]
