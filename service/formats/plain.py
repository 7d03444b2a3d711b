"""Plain text: all of it is one block."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from service.types import Block

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

__all__ = ["parse_text"]


@dataclass(frozen=True, slots=True)
class _PlainText:
    blocks: tuple[Block, ...]

    def towards(self, _source: str, _target: str) -> Self:
        """See `service.formats.Document`."""
        return self

    def render(self, blocks: Sequence[Block]) -> str:
        (block,) = blocks
        return block.text


def parse_text(source: str) -> _PlainText:
    """See `service.formats.parse`."""
    return _PlainText((Block(source),))
