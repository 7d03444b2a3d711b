"""Signs that are no words and no punctuation: arrows, emoji, smileys, and runs such as "____" and "=== … ===".

The network cannot tell how long a run is, since CTC takes repetitions for one, and reads some signs as words.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["EMOJI", "RUN", "SIGN", "SMILEY", "find_signs"]

SIGN = "[\u2190-\u23ff\u2500-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]"
"""Arrows, drawn signs and emoji."""
EMOJI = "[\u2600-\u2775\U0001f000-\U0001faff]"
"""Of these, what expresses something."""
SMILEY = r"(?<!\S)(?:[:;]['’]?-?(?:[()]{1,5}+|[DPO/|*])|=[()D])(?![^\s.,!?)])"
RUN = "(?:{})".format("|".join(rf"(?<!{sign}){sign}{{3,}}+" for sign in map(re.escape, "_=*#~+<>^|–—-")))
"""Three of a sign or more, and all that are there."""

_KEPT = re.compile(rf"{SMILEY}|(?<!\w){RUN}(?![\w>])|(?<!_)_{{3,}}+(?!\w)")


def find_signs(text: str) -> Iterator[Span]:
    """Where smileys and runs stand, in order; a run is no part of a word, as in "rwx---rwx", but for "Date:____"."""
    return (Span(*found.span()) for found in _KEPT.finditer(text))
