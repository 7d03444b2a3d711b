"""Does a translation have all that its sentence says by plain words: only, again, today, two?

A network that writes all words at once drops such words where it is not sure of their place. Nobody misses them in the
translation, and it says something else. Another candidate often has them.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from service.pipeline.lists import WAYS, rows_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from model.bundle import Direction

__all__ = ["count_lost"]

_FILE = "lost_words.tsv"
_BETWEEN = ", "
_WITHIN_SENTENCE = r"(?<=[\w,] )"
_BEGIN = {"de": "", "en": r"(?<![^\W\d_])"}
"""Before what stands for them: in German, words are parts of others."""

_LASTS = re.compile(
    r"\b(?:(?:have|has)(?:n['’]t| not)?|\w+['’](?:ve|s)) (?:\w+ )?been [a-z]+ing\b[^.,;:!?]{0,100}"
    r" (?:since|for (?:\d+|half an|(?:quite )?a few|[a-z]+) (?:[a-z]+ )?"
    r"(?:minutes?|hours?|days?|weeks?|months?|years?|decades?|time|while)|for (?:hours|days|weeks|months|years))\b",
    re.IGNORECASE,
)
"""What goes on. German says by one of the words below that it does: *she waits two days* is what English would be."""
_UNTIL_NOW = re.compile(r"\b(?:seit|schon|bereits|\w+lang|lange)", re.IGNORECASE)


class _Listed(NamedTuple):
    """A pattern for all listed words of a language, and for each what may stand for it."""

    words: re.Pattern[str]
    others: Mapping[str, re.Pattern[str]]


def count_lost(source: str, target: str, direction: Direction) -> int:
    """How many of the listed words of a sentence nothing in its translation can stand for.

    Args:
        source: the sentence, as the network reads it.
        target: what it wrote.
        direction: of the translation.
    """
    return sum(not other.search(target) for other in _wanted(source, direction))


@lru_cache(maxsize=64)  # all candidates for a sentence are compared with it
def _wanted(source: str, direction: Direction) -> tuple[re.Pattern[str], ...]:
    listed = _listed(direction)
    wanted = tuple(listed.others[word] for word in {*listed.words.findall(source)})
    return (*wanted, _UNTIL_NOW) if direction.source == "en" and _LASTS.search(source) else wanted


@cache
def _listed(direction: Direction) -> _Listed:
    ways, begin = WAYS[str(direction)], _BEGIN[direction.target]
    rows = {word: others.split(_BETWEEN) for way, word, others in rows_of(_FILE) if way in ways}
    return _Listed(
        re.compile(rf"{_WITHIN_SENTENCE}(?:{'|'.join(sorted(rows, key=len, reverse=True))})\b"),
        {word: re.compile(rf"{begin}(?:{'|'.join(its)})", re.IGNORECASE) for word, its in rows.items()},
    )
