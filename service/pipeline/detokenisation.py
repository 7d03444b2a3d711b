"""Token ids become text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from service.types import Written

if TYPE_CHECKING:
    from collections.abc import Sequence

    from model.bundle import Tokenizer
    from service.types import Hypothesis

__all__ = ["detokenise", "one_line"]

_UNWRITTEN = re.compile(r"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ufffd]")


def detokenise(hypotheses: Sequence[Hypothesis], tokenizer: Tokenizer) -> list[Written]:
    """The text of each piece.

    Where the network writes nothing the translation is empty and its confidence 0, however sure it
    was: the caller gave words and gets none.
    """
    written = []
    for one in hypotheses:
        text = one_line(one.ids, tokenizer)
        written.append(Written(text, one.confidence if text else 0.0))
    return written


def one_line(ids: Sequence[int], tokenizer: Tokenizer) -> str:
    """The text of token ids. Bytes may spell line breaks, controls, or no character: they become a space, or go."""
    return " ".join(_UNWRITTEN.sub("", tokenizer.decode(ids)).split())
