"""After the engine: frames collapse to tokens, tokens become text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from model.bundle import collapse
from service.types import Translation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from model.bundle import Tokenizer
    from service.types import SegmentFrames

__all__ = ["detokenise"]

_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f]")


def detokenise(frames: Sequence[SegmentFrames], tokenizer: Tokenizer, *, blank_id: int) -> list[Translation]:
    """Read the text off each sentence's frames.

    A sentence is one line: byte tokens could spell line breaks and control characters, which
    become a space or go. Where every frame is blank the translation is empty and its
    confidence 0, however sure each blank was: the caller gave words and gets none.
    """
    translations = []
    for one in frames:
        (collapsed,) = collapse(
            one.ids[None], one.log_probs[None], np.array([len(one.ids)], dtype=np.int64), blank_id=blank_id
        )
        text = " ".join(_CONTROLS.sub("", tokenizer.decode(collapsed.ids)).split())
        translations.append(Translation(text=text, confidence=collapsed.confidence if text else 0.0))
    return translations
