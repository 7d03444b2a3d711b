"""Translated text becomes HTML again."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from service.formats.flow import Flow
    from service.types import Block

__all__ = ["escape_attribute", "write_attribute", "write_text"]

_HARD_SPACE, _BETWEEN_WORDS = (re.compile(rf"(?<!\S)(\S++){space}(?=(\S++))") for space in ("\xa0", " "))
_PUNCTUATION = ".,;:!?)"


def write_text(flow: Flow, block: Block, rewritten: Callable[[int, int], str]) -> str:
    """A flow around another block."""
    block = replace(block, text=_with_hard_spaces(block.text, flow.block.text))
    return "".join(piece.written for piece in flow.weave(block, _escape, rewritten))


def write_attribute(_flow: Flow, block: Block, _rewritten: Callable[[int, int], str]) -> str:
    """The value of an attribute, in quotation marks."""
    return f'"{escape_attribute(block.text)}"'


def escape_attribute(text: str) -> str:
    """Text as it stands in a value between quotation marks."""
    return html.escape(text, quote=False).replace('"', "&quot;")


def _with_hard_spaces(text: str, source: str) -> str:
    """The text with a hard space between what has one between it in the source: "© 2024", any number and "kg"."""
    held = {_ends(found) for found in _HARD_SPACE.finditer(source)}
    if not held:
        return text
    return _BETWEEN_WORDS.sub(lambda found: f"{found[1]}\xa0" if _ends(found) in held else found[0], text)


def _ends(found: re.Match[str]) -> tuple[str, str]:
    """The words on either side of a space, for comparison: any that ends in a digit is like another."""
    return "0" if found[1][-1].isdigit() else found[1], found[2].rstrip(_PUNCTUATION)


def _escape(text: str) -> str:
    return html.escape(text, quote=False).replace("\xa0", "&#160;")  # XHTML knows no &nbsp;
