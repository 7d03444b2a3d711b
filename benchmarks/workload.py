"""Requests to send: real sentences of both languages, short and long mixed, alone and in arrays."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING

from benchmarks.generator import Post
from benchmarks.sentences import Sentence, read_mixed, side_of
from model.bundle import DIRECTIONS, Direction

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from model.bundle import Bundle

__all__ = ["MIXED", "SHAPES", "SINGLE", "Ask", "asks", "post_of", "read_both"]

SINGLE, MIXED = "single", "mixed"
SHAPES = (SINGLE, MIXED)
"""One sentence a request; or every fifth request an array of eight."""

ARRAY_EVERY, ARRAY_SIZE = 5, 8


@dataclass(frozen=True, slots=True)
class Ask:
    """One request, and the sentences in it."""

    direction: Direction
    sentences: tuple[Sentence, ...]

    def post(self) -> Post:
        """As the service takes it."""
        return post_of(self.direction, [one.text for one in self.sentences])


def post_of(direction: Direction, texts: Sequence[str]) -> Post:
    """A request for the service: one text as a string, several as an array."""
    body = json.dumps({"text": texts[0] if len(texts) == 1 else [*texts]}, ensure_ascii=False)
    return Post(f"/translate?dir={direction}", body, len(texts))


def read_both(prefixes: Sequence[Path], bundle: Bundle, count: int) -> dict[Direction, list[Sentence]]:
    """By direction `count` sentences of its source language, of all sets alike: PREFIX.en and PREFIX.de."""
    return {
        direction: read_mixed(side_of(prefixes, direction.source), bundle, language=direction.source, count=count)
        for direction in DIRECTIONS
    }


def asks(sentences: dict[Direction, list[Sentence]], shape: str) -> list[Ask]:
    """Requests in directions by turns. Each sentence is sent once; an array holds sentences of one direction."""
    by_direction = [[Ask(direction, group) for group in _groups(some, shape)] for direction, some in sentences.items()]
    return [ask for pair in zip_longest(*by_direction) for ask in pair if ask]


def _groups(sentences: list[Sentence], shape: str) -> list[tuple[Sentence, ...]]:
    groups: list[tuple[Sentence, ...]] = []
    rest = sentences
    while rest:
        size = ARRAY_SIZE if shape == MIXED and len(groups) % ARRAY_EVERY == ARRAY_EVERY - 1 else 1
        groups.append(tuple(rest[:size]))
        rest = rest[size:]
    return groups
