"""What finders find of which the translation is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from service.types import Span

__all__ = ["Match"]


class Match(NamedTuple):
    """Words of a sentence, and what to write for them in the other language."""

    span: Span
    target: str
