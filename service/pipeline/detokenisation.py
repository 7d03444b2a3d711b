"""Token ids become text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from model.bundle import Tokenizer

__all__ = ["one_line"]

_UNWRITTEN = re.compile(r"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ufffd]")


def one_line(ids: Sequence[int], tokenizer: Tokenizer) -> str:
    """The text of token ids. Bytes may spell line breaks, controls, or no character: they become a space, or go."""
    return " ".join(_UNWRITTEN.sub("", tokenizer.decode(ids)).split())
