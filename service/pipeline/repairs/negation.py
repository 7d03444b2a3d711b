"""Does a translation still deny what its sentence denies? A network that loses "not" writes the opposite.

Words tell. Of the sentences that deny something, people translate one in thirty without any of those below.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from model.bundle import Direction

__all__ = ["count_negations", "denies", "loses_negation"]

_DENIES = {
    "en": re.compile(
        r"(?<!-)\b(?:not(?! (?:only|just|far)\b)|never|cannot|nothing|nobody|without|neither"
        r"|no(?! (?:doubt|matter|\d)|[.-]))(?!-)\b|n['’]t\b",
        re.IGNORECASE,
    ),
    "de": re.compile(
        r"\b(?:nicht(?! (?:nur|wahr|allein|bloß|zuletzt)\b)|nichts|kein(?:e[mnrs]?)?|nie|niemals|niemand(?:e[mn]|es)?"
        r"|weder|ohne(?! [Ww]eiteres\b))\b(?!-)",
        re.IGNORECASE,
    ),
}
"""Plain words that deny."""

_NEED_NOT = {
    "en": re.compile(
        r"n['’]t (?:it|he|she|they|you|we|I)\?|\bwhy (?:don['’]t|not)\b|\bor not\b|\bin no time\b", re.IGNORECASE
    ),
    "de": re.compile(
        r"\boder nicht\b|\bwarum nicht\b|^(?:kannst|können|könnt|willst|wollen|woll?t)[^.!]*\?", re.IGNORECASE
    ),
}
"""Where they need not be translated: isn't it?"""

_MAY_DENY = {
    "en": re.compile(
        r"n['’]t\b|\b(?:not|no|non|nor|never|none|nobody|nothing|nowhere|neither|cannot|without|hardly|barely|rarely|seldom"
        r"|little|few|only|except|unless(?: otherwise)?|until|otherwise|rather|instead|regardless|beyond|all i"
        r"|un(?!der|til|i[tvoqf])[a-z]{4,}|ina[cdp][a-z]{4,}|inco(?:mp|n|r)[a-z]{4,}|incap[a-z]+|inde[cfp][a-z]+|ineff[a-z]+"
        r"|insuff[a-z]+|inv(?:al|ar|is)[a-z]+|(?:il|ir)(?:leg|log|rel|res|reg|rev)[a-z]+|imposs[a-z]+|improper[a-z]*|immat[a-z]+"
        r"|dis(?:ab|ag|al|ap|conn|cont|hon|lik|ob|ord|reg|sat|tr)[a-z]+|mis(?:lead|match|s?ing|tak|under|us)[a-z]*"
        r"|[a-z]{3,}(?:less(?:ly)?|-free)"
        r"|(?:fail|lack|miss|avoid|stop|prevent|refus|den[iy]|los[et]|exclud|reject|abs[et]n|empty|ignor|forb|prohib|skip"
        r"|omit|neglect|broke|wrong|free)[a-z]*)\b",
        re.IGNORECASE,
    ),
    "de": re.compile(
        r"\b(?:nein|nicht\w*|kein\w*|nie|niemals|niemand\w*|nirgend\w*|weder|ohne|kaum|selten|wenig\w*|nur|erst|sonst"
        r"|sondern|außer|statt|anstatt|egal|umsonst|gern geschehen|nackt\w*"
        r"|un(?!s(?:er)?|ter|d|i[vot]|gef)\w{4,}|(?:miss|irr|illeg|inak|inko)\w{4,}|instabil\w*"
        r"|\w{3,}(?:los|lose[mnrs]?)|\w{3,}frei(?:e[mnrs]?)?|freie[mnrs]?|frei (?:von|bleib\w*|halten)"
        r"|(?:fehl|verhinder|vermeid|vermied|mangel|verweiger|scheiter|verlor|verlier|verbiet|verbot|ausschl|entf[aä]ll|leugn"
        r"|ignor|verg[aei]ss|vergaß|ablehn|abgelehnt|leer|falsch|schlecht|anders)\w*)\b",
        re.IGNORECASE,
    ),
}
"""What may deny as well, however it is said."""


@lru_cache(maxsize=64)  # all candidates for a sentence are compared with it
def denies(text: str, language: str) -> bool:
    """Whether a sentence denies something in plain words, which its translation needs."""
    return bool(_DENIES[language].search(text)) and not _NEED_NOT[language].search(text)


def loses_negation(source: str, target: str, direction: Direction) -> bool:
    """Whether a sentence denies something, and its translation in no way."""
    return denies(source, direction.source) and not _MAY_DENY[direction.target].search(target)


def count_negations(text: str, language: str) -> int:
    """How much in a text may deny, however it is said; in German only what does."""
    return len((_MAY_DENY if language == "en" else _DENIES)[language].findall(text))
