"""The lists of words beside this file."""

from __future__ import annotations

from importlib import resources

__all__ = ["lines_of"]


def lines_of(name: str) -> list[str]:
    """The lines of a list, without blank ones and comments."""
    lines = resources.files(__package__).joinpath(name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]
