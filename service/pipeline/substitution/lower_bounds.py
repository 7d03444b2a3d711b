"""From how much on something is, *ab 12 €* within a German sentence, is read as *über 12 €*, and is *from* again.

The network loses the preposition: *Wir liefern ab 30 € kostenlos* was *We deliver €30*.
"""

from __future__ import annotations

import re

from service.pipeline.edits import Edit
from service.pipeline.pieces import Substitute
from service.types import Span

__all__ = ["find_lower_bounds"]

_COUNTED = r"(?:Euro|Dollar|Cent|Franken|Pfund|Prozent|Personen|Stück|Jahren?|Monaten?|Teilnehmern?|Kilo|kg|km|m²)\b"
_NUMBER = r"(?:\d[\d.,]*|zwei|drei|vier|fünf|sechs|acht|zehn|zwölf|zwanzig)"
_AMOUNT = rf"(?:[$€£¤] ?\d|{_NUMBER} ?(?:[$€£¤%]|{_COUNTED}))"
_FROM = re.compile(rf"(?:(?<=[\w,:)] )|(?<=\S \())ab (?=(?:nur |je |ca\. |etwa |rund )?{_AMOUNT}(?!\w))")
_READ = "über"
_WRITTEN = ("over", "above", "more than")
_MEANT = "from"
_ALREADY = re.compile(r"\b(?:[Üü]ber|[Dd]arüber|[Mm]ehr als|[Oo]berhalb|[Üü]brig)\b")
"""Of which the network may write the same."""


def find_lower_bounds(text: str) -> tuple[list[Edit], tuple[Substitute, ...]]:
    """What to read for them in a German text, and what becomes of what the network writes for that."""
    if "ab " not in text or _ALREADY.search(text):
        return [], ()
    edits = [Edit(Span(found.start(), found.end() - 1), _READ) for found in _FROM.finditer(text)]
    if not edits:
        return [], ()
    return edits, (Substitute(_WRITTEN, (_MEANT,) * len(_WRITTEN), len(edits), (_READ,)),)
