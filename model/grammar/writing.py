"""From ways to say something to a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from model.grammar.spellings import respelled

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["MAX_WAYS", "Sentence", "joined", "written"]

MAX_WAYS = 8
"""Of each sentence, in either language."""


class Sentence(NamedTuple):
    """What is said in several ways in English and in several ways in German, each of which translates each."""

    english: tuple[str, ...]
    german: tuple[str, ...]


def joined(*parts: str) -> str:
    """The parts that are there, with spaces between."""
    return " ".join(filter(None, parts))


def written(english: Iterable[str], german: Iterable[str], mark: str = ".") -> Sentence:
    """A sentence of what is said in both languages.

    Args:
        english: ways to say it, without the first letter's case and the mark at the end; one at least.
        german: the same.
        mark: how a sentence ends.
    """
    spelled = (spelling for way in dict.fromkeys(english) for spelling in respelled(_capitalised(way) + mark))
    return Sentence(_different(spelled), _different(_capitalised(way) + mark for way in german))


def _capitalised(text: str) -> str:
    return text[0].upper() + text[1:]


def _different(ways: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(ways))[:MAX_WAYS]
