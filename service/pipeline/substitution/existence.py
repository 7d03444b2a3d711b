"""What is somewhere is read as what there is: *Im Kühlschrank ist noch Milch* as *Im Kühlschrank gibt es noch Milch*.

Where a place begins the sentence the network loses the verb or the subject; "there is" it knows.
"""

from __future__ import annotations

import re

from service.pipeline.edits import Edit
from service.types import Span

__all__ = ["find_existence"]

_PLACE = (
    r"(?:I[mn]|A[mn]|Auf|Unter|Hinter|Über|Vor|Neben|Zwischen|Bei|Beim)\b(?: (?:de[mnr]|diese[mnr]|\w+e[mnr]))?"
    r"(?: [a-zäöüß]+en)? [A-ZÄÖÜ]\w+"
)
_VERBS = {
    "gibt es": "ist|sind|steht|stehen|hängt|hängen",
    "gab es": "war|waren|stand|standen|hing|hingen",
}
_VERB = "|".join(f"(?P<{read.split()[0]}>{verbs})" for read, verbs in _VERBS.items())
_MANY = r"k?eine?|viele?|wenige?|mehrere|einige|etwas|genug|zwei|drei|vier|fünf|zehn|\d+"
_WHAT = (
    rf"(?:(?:noch|auch|nur|jetzt|heute|schon) )*(?:(?:{_MANY}) (?:[a-zäöüß]+e[rs]? )?|(?<=noch )|(?<=auch ))[A-ZÄÖÜ]\w+"
)
_EXISTS = re.compile(rf"{_PLACE} (?:{_VERB})(?= (?:{_WHAT}|nichts|niemand)(?: mehr)?[.!]?$)")
"""No time: Im Winter ist ein Mantel nötig does not end with what there is."""


def find_existence(text: str) -> list[Edit]:
    """What to read for the verb of a German sentence, if that begins with a place and ends with what is there."""
    found = _EXISTS.match(text)
    if not found:
        return []
    read = next(read for read in _VERBS if found[read.split()[0]])
    return [Edit(Span(*found.span(read.split()[0])), read)]
