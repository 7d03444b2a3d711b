"""Pairs of constructed sentences, for each direction: one way to say the source, and one of those to say the target.

They are in one file, constructed.tsv: English, German, and as the source's name which direction a pair teaches,
constructed.en-de, constructed.de-en, or constructed, which is both.

A network chooses the target: that which it finds likeliest. Of several right translations it is taught the one that
it would rather give, as a teacher's distilled text does. Of what it translates right already most is left out: it has
little to teach. Without a network both are any of the ways.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

from model.bundle import DIRECTIONS
from model.grammar.categories import Gender
from model.grammar.drawing import Draw
from model.grammar.reading import read_lexicon
from model.grammar.sentences import draw_sentences

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from model.bundle import Direction
    from model.grammar.choice import Chosen
    from model.grammar.lexicon import Words
    from model.grammar.writing import Sentence

Choose: TypeAlias = "Callable[[Direction, Sequence[str], Sequence[Sequence[str]]], list[Chosen | None]]"
"""Of sources and the translations that each may have, see `choice.choose`."""

__all__ = ["SOURCE", "Choose", "Construction", "construct", "reads_otherwise"]

SOURCE = "constructed"
"""Name of the source."""

_KEPT = 0.25
"""Share of the sentences that the network translates right already and that are to remind it."""

_YOU = re.compile(r"\byou\b", re.IGNORECASE)
_INFORMAL = re.compile(r"\b(?:[Dd]u|[Dd]ich|[Dd]ir|[Dd]ein\w*)\b")
_YOU_OR_THEY = re.compile(r"(?:You|They)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Construction:
    """What to construct.

    Args:
        sentences: how many.
        seed: of the draw; the same draws the same sentences.
        output: folder of the file.
        words: which nouns and verbs to use.
        choose: the network's choice of targets, if there is a network.
    """

    sentences: int
    seed: int
    output: Path
    words: Words = "all"
    choose: Choose | None = None


def construct(task: Construction) -> dict[Direction, int]:
    """Construct pairs and write them, whole or not at all.

    Returns:
        How many pairs teach each direction: fewer than sentences where a network knows some or reads some otherwise.
    """
    draw = Draw(read_lexicon().restricted(task.words), task.seed)
    sentences = list(draw_sentences(draw, task.sentences))
    taught: dict[tuple[str, str], list[Direction]] = {}
    for direction in DIRECTIONS:
        for pair in _pairs(task, direction, sentences):
            taught.setdefault(direction.english_first(*pair), []).append(direction)
    task.output.mkdir(parents=True, exist_ok=True)
    rows = ("\t".join([*pair, _source_name(directions)]) + "\n" for pair, directions in taught.items())
    partial = task.output / f"{SOURCE}.partial"
    partial.write_text("".join(rows), encoding="utf-8")
    partial.replace(partial.with_suffix(".tsv"))
    return {direction: sum(direction in directions for directions in taught.values()) for direction in DIRECTIONS}


def _source_name(directions: Sequence[Direction]) -> str:
    """Of a pair that teaches these."""
    return SOURCE if len(set(directions)) == len(DIRECTIONS) else f"{SOURCE}.{directions[0]}"


def reads_otherwise(direction: Direction, source: str, target: str, translation: str) -> bool:
    """Whether a network's translation takes a word of the source for another than the target does.

    English you may be du or Sie, a teacher Lehrer or Lehrerin, and Sie at the beginning you or they. What the network
    chooses elsewhere in the sentence is to stay its choice: to teach one of them for either would teach nothing.
    """
    if direction.source == "en":
        if bool(_feminine().search(target)) != bool(_feminine().search(translation)):
            return True
        return bool(_YOU.search(source)) and bool(_INFORMAL.search(target)) != bool(_INFORMAL.search(translation))
    one, other = _YOU_OR_THEY.match(target), _YOU_OR_THEY.match(translation)
    return source.startswith("Sie ") and one is not None and other is not None and one[0] != other[0]


@cache
def _feminine() -> re.Pattern[str]:
    """German for women whom English calls what it calls men: Lehrerin, Lehrerinnen."""
    nouns = read_lexicon().nouns
    men = {noun.english for noun in nouns if noun.gender is Gender.MASCULINE}
    women = [noun for noun in nouns if noun.gender is Gender.FEMININE and noun.english in men]
    return re.compile("|".join(rf"\b(?:{noun.german}|{noun.german_plural})\b" for noun in women))


def _pairs(task: Construction, direction: Direction, sentences: Sequence[Sentence]) -> list[tuple[str, str]]:
    """Sources and targets."""
    which = random.Random(task.seed)
    if task.choose is None:
        ways = [(which.choice(sentence.english), which.choice(sentence.german)) for sentence in sentences]
        return [direction.english_first(*pair) for pair in ways]  # the same in both directions
    sides = [sentence if direction.source == "en" else sentence[::-1] for sentence in sentences]
    sources = [which.choice(ways) for ways, _ in sides]
    accepted = [targets for _, targets in sides]
    pairs = []
    for source, targets, one in zip(sources, accepted, task.choose(direction, sources, accepted), strict=True):
        if one is None or reads_otherwise(direction, source, *one):
            continue
        if one.translation not in targets or which.random() < _KEPT:
            pairs.append((source, one.target))
    return pairs
