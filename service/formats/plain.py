"""Plain text: all of it is one block."""

from __future__ import annotations

from service.formats.slots import Slot, SlottedDocument
from service.types import Block

__all__ = ["parse_text"]


def parse_text(source: str) -> SlottedDocument:
    """See `service.formats.parse`."""
    return SlottedDocument([Slot(Block(source), lambda block: block.text)])
