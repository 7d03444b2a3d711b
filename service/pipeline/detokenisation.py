"""Token ids become text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from service.types import Translation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from model.bundle import Tokenizer
    from service.types import Hypothesis

__all__ = ["detokenise"]

_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f]")


def detokenise(hypotheses: Sequence[Hypothesis], tokenizer: Tokenizer) -> list[Translation]:
    """The text of each piece.

    A sentence is one line: byte tokens could spell line breaks and control characters, which
    become a space or go. Where the network writes nothing the translation is empty and its
    confidence 0, however sure it was: the caller gave words and gets none.
    """
    translations = []
    for one in hypotheses:
        text = " ".join(_CONTROLS.sub("", tokenizer.decode(one.ids)).split())
        translations.append(Translation(text=text, confidence=one.confidence if text else 0.0))
    return translations
