"""German *er* and *sie* for a thing are read as *es*: *als ich den Karton öffnete, war er leer*.

The network takes them for a person as often as not. A sentence in which anybody could be meant is left alone.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from service.pipeline.edits import Edit
from service.pipeline.lists import kinds_of
from service.pipeline.repairs.agreement import FEMININE_END, listed_genders
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["find_things"]

_FILE = "things.txt"
_PRONOUN = re.compile(r"(?<=[\w,;:–-] )(?P<he>er|ihn)\b|(?<=[\w,;:–-] )(?P<she>sie)\b")
_NOUN = re.compile(r"(?<=[\w,] )[A-ZÄÖÜ][\w-]+")
_DETERMINER = re.compile(
    r"\b(?:d(?:er|en|em|ie)|ei(?:ne?[nmr]?)|[mds]eine?[nmr]?|ihre?[nmr]?|unsere?[nmr]?|eure?[nmr]?|kei(?:ne?[nmr]?)"
    r"|diese[nmr]?|zu[mr]|[ivb]m|am|vom|beim) (?:[a-zäöüß]+e[nr]? )?$",
    re.IGNORECASE,
)
_LONGEST, _LONGEST_BEFORE = 500, 40
"""Characters of a sentence, and before a noun."""
_WHOSE = {"he": re.compile(r"\b[Ss]eine?[nmrs]?\b"), "she": re.compile(r"\b[Ii]hre?[nmrs]?\b")}
"""Tells of somebody."""
_POLITE = frozenset({"Ihr", "Ihre", "Ihrem", "Ihren", "Ihrer", "Ihnen", "Sie"})
_FEMININE = re.compile(rf"\w{{2,}}{FEMININE_END}$")
_BEGINNING = re.compile(
    r"(?:[„\"»]?(?:D(?:er|ie|as|en|em|iese[rsnm]?|ann|a|u)|Ein(?:e[nmr]?)?|[MDS]ein(?:e[nmr]?)?|Ihre?[nmr]?|Unsere?[nmr]?"
    r"|Eure?[nmr]?|Kein(?:e[nmr]?)?|Ich|Wir|Sie|Es|Man|Ihr|Als|Wenn|Falls|Weil|Da|Obwohl|Nachdem|Bevor|Sobald|Solange"
    r"|Bis|Seit|W(?:o|ann|ie|as|arum|elche[nrs]?)|Heute|Gestern|Morgen|Jetzt|Leider|Bitte|Hier|Dort|Auch|Nur|Aber|Und|Oder"
    r"|In|Im|Am|An|Auf|Aus|Bei|Mit|Nach|Von|Vor|Für|Zu[mr]?|Hast|Habt|Haben|Kannst|Können|Könnt|Könnten|Willst|Wollen"
    r"|Gib|Geben|Nimm|Nehmen|Ist|War|Sind|Hat|Muss|Musst|Soll|Sollen|Darf|Legen?|Stellen?|Öffnen?|Schließen?)\b)"
)
"""First words that are no person's name, nor a noun without an article."""
_CONJUNCTION = re.compile(
    r"(?:als|bevor|bis|da|damit|dass|falls|nachdem|ob|obwohl|seit|sobald|solange|weil|wenn|während|wo)"
)
_PLURAL_VERB = re.compile(r"(?:[a-zäöüß]+en|sind|sein)$")
_CLAUSE = re.compile(r"[^,.;:!?]*")
_OTHER_SUBJECT = re.compile(r"\b(?:ich|du|wir|ihr|man|Sie|er|es)\b")
_NOT_OTHERS = {"he": "fn", "she": "mn"}


def find_things(text: str) -> list[Edit]:
    """What to read for the pronouns of a German sentence that stand for a thing in it, in order."""
    edits: list[Edit] = []
    if not _BEGINNING.match(text) or len(text) > _LONGEST:
        return edits
    for found in _PRONOUN.finditer(text):
        kind = "he" if found["he"] else "she"
        if _is_of_thing(text, found, kind):
            edits.append(Edit(Span(*found.span()), "es"))
    return edits


def _is_of_thing(text: str, pronoun: re.Match[str], kind: str) -> bool:
    """Whether a thing of the gender is before it, nobody who could be meant, and no verb tells of several."""
    things = _things()["m" if kind == "he" else "f"]
    nouns = [noun for noun in _NOUN.finditer(text, 0, pronoun.start()) if noun[0] not in _POLITE]
    named = [
        noun
        for noun in nouns
        if noun[0] in things and _DETERMINER.search(text, max(0, noun.start() - _LONGEST_BEFORE), noun.start())
    ]
    somebody = _WHOSE[kind].search(text, 0, pronoun.start()) or any(
        _may_be_meant(noun[0], kind) for noun in nouns if noun not in named
    )
    if not named or somebody:
        return False
    return kind == "he" or not _tells_of_several(text, pronoun)


def _may_be_meant(noun: str, kind: str) -> bool:
    """Whether it may be a person of that gender, for all that is known of the word."""
    if any(noun in things for things in _things().values()):
        return False
    if kind == "he" and _FEMININE.search(noun):
        return False
    return listed_genders().get(noun, "?") not in _NOT_OTHERS[kind]


def _tells_of_several(text: str, pronoun: re.Match[str]) -> bool:
    """Whether the verb beside *sie*, or at the end of its clause, is that of a plural of which it is the subject."""
    before = text[: pronoun.start()].rstrip().rpartition(" ")[2]
    rest = _CLAUSE.match(text, pronoun.end())
    words = rest[0].split() if rest else []
    beside = words[-1:] if _CONJUNCTION.fullmatch(before) else [before, *words[:1]]
    clause = re.split(r"[,.;:!?]", text[: pronoun.start()])[-1]
    return not _OTHER_SUBJECT.search(clause) and any(map(_PLURAL_VERB.fullmatch, beside))


@cache
def _things() -> Mapping[str, frozenset[str]]:
    return {kind: frozenset(words) for kind, words in kinds_of(_FILE).items()}
