"""What is read for a pattern."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from service.pipeline.conjugation import BASE, PAST, PRESENT, THIRD_PERSON, english_forms
from service.pipeline.edits import Edit, with_capital, with_small_letter
from service.types import Span

__all__ = ["Construction"]

_FORMS = {
    "I": {"whom": "me"},
    "you": {"whom": "you"},
    "he": {"whom": "him"},
    "she": {"whom": "her"},
    "we": {"whom": "us"},
    "they": {"whom": "them"},
    "mir": {"whom": "mich", "whose": "mein", "has": "ich habe", "had": "ich hatte"},
    "dir": {"whom": "dich", "whose": "dein", "has": "du hast", "had": "du hattest"},
    "ihm": {"whom": "ihn", "whose": "sein", "has": "er hat", "had": "er hatte"},
    "ihr": {"whom": "sie", "whose": "ihr", "has": "sie hat", "had": "sie hatte"},
    "uns": {"whom": "uns", "whose": "unser", "has": "wir haben", "had": "wir hatten"},
    "euch": {"whom": "euch", "whose": "eur", "has": "ihr habt", "had": "ihr hattet"},
    "ihnen": {"whom": "Sie", "whose": "Ihr", "has": "Sie haben", "had": "Sie hatten"},
}
"""Of an English subject, the object; of a German dative, whom it is for, what is his, and what he has."""

_SMALL = "small"
_ENDINGS = {"ing": PRESENT, "ed": PAST, "s": THIRD_PERSON}


@dataclass(frozen=True, slots=True)
class Construction:
    """What is `read` for a pattern, in a text that has the `hint`.

    The groups of the pattern stand in it, and other forms of its group `who`: `{whom}`, `{whose}`. A group with a colon
    is an English verb, whose form another one takes, `{verb:rotate}`, `{verb:send|sent|sending}`, or a word that begins
    with a `small` letter.
    """

    hint: str
    pattern: str
    read: str

    def find(self, text: str) -> Edit | None:
        """What to read where the pattern first is, with a capital where the text begins.

        Args:
            text: with straight apostrophes.
        """
        if self.hint not in text or not (found := _compiled(self.pattern).search(text)):
            return None
        groups = {name: _Group(group or "") for name, group in found.groupdict().items()}
        who = groups.get("who", _Group())
        if who and who != "I":
            groups["who"] = who = _Group(who.lower())
        read = self.read.format_map(groups | _FORMS.get(who, {}))
        return Edit(Span(*found.span()), with_capital(read) if found.start() == 0 else read)


class _Group(str):
    """What a group has matched."""

    __slots__ = ()

    def __format__(self, verb: str) -> str:
        """Itself, or a verb in its form."""
        if not verb or self == "I":
            return str(self)
        if verb == _SMALL:
            return with_small_letter(self)
        form = next((form for ending, form in _ENDINGS.items() if self.endswith(ending)), BASE)
        written = english_forms(verb.split("|"))[form]
        return with_capital(written) if self[0].isupper() else written


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """When the first text has its hint: there are many."""
    return re.compile(pattern)
