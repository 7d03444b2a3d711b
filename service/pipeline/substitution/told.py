"""What somebody is told to do is read as what he should: *she told me to stay* as *she said that I should stay*.

German has a clause for it, and the network loses the *soll* of that where English has none.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from service.pipeline.edits import Edit
from service.types import Span

if TYPE_CHECKING:
    from model.bundle import Dictionary

__all__ = ["find_told"]

_SUBJECTS = {"me": "I", "him": "he", "her": "she", "us": "we", "them": "they"}
"""Of whom is an object; others are written alike."""
_NO_PERSON = "(?:answer|joke|lie|name|news|rest|secret|stor(?:y|ies)|tales?|time|truth|way)"
_SOMEBODY = rf"(?:the|my|your|his|her|our|their) (?!{_NO_PERSON}\b)[a-z]+"
_WHOM = rf"(?:{_SOMEBODY}|everyone|everybody|people|you|{'|'.join(_SUBJECTS)})"
_NO_VERB = "(?:the|an?|my|your|his|her|its|our|their|this|that|these|those|me|you|him|us|them|everyone|everybody)"
_TOLD = re.compile(
    rf"(?<![\w'-])(?P<verb>told|tells) (?P<whom>{_WHOM})(?P<negation> not)? to (?!{_NO_VERB}\b)(?=[a-z]{{2}})"
)
_PASSIVE = re.compile(r"\b(?:am|is|are|was|were|be|been|being|get|gets|got|'m|'s|'re)(?: \w+)? $")
_LONGEST_PASSIVE = 30
_READ = {"told": "said", "tells": "says"}


def find_told(text: str, _: Dictionary) -> list[Edit]:
    """What to read for *told* and *tells* with what somebody is told to do, in order.

    Args:
        text: English, with straight apostrophes.
    """
    edits = []
    for found in _TOLD.finditer(text):
        if _PASSIVE.search(text, max(0, found.start() - _LONGEST_PASSIVE), found.start()):
            continue
        subject = _SUBJECTS.get(found["whom"], found["whom"])
        read = f"{_READ[found['verb']]} that {subject} should{found['negation'] or ''} "
        edits.append(Edit(Span(*found.span()), read))
    return edits
