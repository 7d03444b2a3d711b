"""The lists of words beside this file."""

from __future__ import annotations

from functools import cache
from importlib import resources

__all__ = ["given_names", "lines_of"]

_GIVEN_NAMES = "given_names.txt"


def lines_of(name: str) -> list[str]:
    """The lines of a list, without blank ones and comments."""
    lines = resources.files(__package__).joinpath(name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


@cache
def given_names() -> frozenset[str]:
    """Names that people have, whoever has them."""
    return frozenset(name for line in lines_of(_GIVEN_NAMES) for name in line.partition(": ")[2].split())
