"""Signs that are no words and no punctuation: arrows, emoji, smileys, and runs such as "____" and "=== … ===".

So are marks of three quotes, as around docstrings, and guillemets alone, as of links to the next page.

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
EMOJI = (
    "[\u2600\u2605\u2606\u2639-\u263b\u2665\u2728\u2763\u2764\u2b50\U0001f31e\U0001f382\U0001f388-\U0001f38a\U0001f3fb-\U0001f3ff"
    "\U0001f442-\U0001f450\U0001f48b-\U0001f49f\U0001f4aa-\U0001f4af\U0001f525\U0001f600-\U0001f64f"
    "\U0001f90c-\U0001f97a\U0001fae0-\U0001faf8\ufe0f\u200d]"
)
"""Faces, hands, hearts, stars and the like, with what modifies them: they say how a sentence is meant, and end it."""
SMILEY = r"(?<!\S)(?:[:;]['’]?-?(?:[()]{1,5}+|[DPO/|*])|=[()D])(?![^\s.,!?)])"
""":-) ;) :D =)"""
RUN = "(?:{})".format("|".join(rf"(?<!{sign}){sign}{{3,}}+" for sign in map(re.escape, "_=*#~+<>^|–—-")))
"""Three of a sign or more, and all that are there."""

_PROMISING = re.compile('[:;=_*#~+<>^|–—-](?=[:;=_*#~+<>^|–—\'’()DPO/-])|"(?="")|[«»‹›](?=\\s|$)')
"""What a smiley begins with, and a run: two such signs. Most sentences have none, and are done with."""
_KEPT = re.compile(
    rf"{SMILEY}|(?<!\w){RUN}(?![\w>])|(?<!_)_{{3,}}+(?!\w)|(?<!\")\"{{3}}(?!\")|(?<!\S)[«»‹›]{{1,2}}(?!\S)"
)


def find_signs(text: str) -> Iterator[Span]:
    """Where smileys and runs stand, in order; a run is no part of a word, as in "rwx---rwx", but for "Date:____"."""
    return (Span(*found.span()) for found in _KEPT.finditer(text)) if _PROMISING.search(text) else iter(())
