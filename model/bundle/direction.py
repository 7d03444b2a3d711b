"""The translation direction: an explicit value, never a flag on the model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Container
    from pathlib import Path

__all__ = ["DE_EN", "DIRECTIONS", "EN_DE", "OTHER_LANGUAGE", "Direction", "read_each"]

_Side = TypeVar("_Side")
_Table = TypeVar("_Table")


@dataclass(frozen=True, slots=True, order=True)
class Direction:
    """A source and a target language, as ISO 639-1 codes.

    Its string form, such as ``en-de``, is what the API, metric labels and file names use.
    """

    source: str
    target: str

    @classmethod
    def parse(cls, text: str) -> Direction:
        """Read ``en-de`` or ``de-en``.

        Raises:
            ValueError: `text` is not one of the known directions.
        """
        for direction in DIRECTIONS:
            if str(direction) == text:
                return direction
        known = ", ".join(map(str, DIRECTIONS))
        msg = f"unknown direction {text!r}; known: {known}"
        raise ValueError(msg)

    @property
    def reverse(self) -> Direction:
        """The direction that undoes this one."""
        return Direction(self.target, self.source)

    def english_first(self, source: _Side, target: _Side) -> tuple[_Side, _Side]:
        """What is the source's and what is the target's, in the order English, German."""
        return (source, target) if self.source == "en" else (target, source)

    def __str__(self) -> str:
        return f"{self.source}-{self.target}"


EN_DE = Direction("en", "de")
DE_EN = Direction("de", "en")
DIRECTIONS = (EN_DE, DE_EN)
OTHER_LANGUAGE = {direction.source: direction.target for direction in DIRECTIONS}
"""Of each language, the one that it is translated into, and from."""


def read_each(
    folder: Path, files: Container[str], name_of: Callable[[Direction], str], read: Callable[[Path], _Table]
) -> dict[Direction, _Table]:
    """What a folder has a file of for a direction, if that is among some files."""
    names = {direction: name_of(direction) for direction in DIRECTIONS}
    return {direction: read(folder / name) for direction, name in names.items() if name in files}
