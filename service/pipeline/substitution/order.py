"""German sentences that begin with an object, or have *leider* within, are read in the order that the network knows.

*Ihre Unterlagen habe ich weitergeleitet* is read as *Ich habe Ihre Unterlagen weitergeleitet*: the network takes what
stands first for the subject. *Leider* it loses, but for that at the beginning: *Leider muss ich absagen*.
"""

from __future__ import annotations

import re

from service.pipeline.edits import Edit, with_capital, with_small_letter
from service.types import Span

__all__ = ["find_order"]

_NOUN = r"(?: [a-zäöüß]+(?:e[nrsm]?))?(?: [A-ZÄÖÜ][\w-]+){1,2}"
_OBJECT = (
    r"(?P<object>(?:Den|Die|Das|Diesen?|Dieses|(?:[MDS]ein|Ihr|Unser|Eur|K?[Ee]in)(?:en?)?|Alle|Welchen?)"
    rf"{_NOUN}(?: (?:für|von|aus|i[mn]|zu[mr]?|an|mit) (?:de[mnr] |die |das |Ihre[nrm]? |meine[nrm]? )?[A-ZÄÖÜ][\w-]+)?"
    r"|(?:Über|Auf|Um|Für|An) (?:Ihren?|Ihr|den|die|das|deinen?|dein|eine[nr]?|ein|unseren?)"
    rf"{_NOUN}(?= (?:freu|wart|dank|hoff|interessier|kümmer|bitt|verzicht|erinner)\w+ ))"
)
_DATIVE = r"(?:mir|dir|ihm|ihr|uns|euch|ihnen|Ihnen|mich|dich|sich)"
_PERSONS = r"(?:[\w-]*(?:er|innen|leute|eltern|kollegen|kunden|experten|ärzte|gäste|freunde|studenten))"
"""Of many, who may be the subject as well: *Die Mitarbeiter können Sie beraten*."""
_FRONTED = re.compile(
    rf"^{_OBJECT} (?:(?P<verb>(?!(?:und|oder|nenn\w+|nannte\w*|heiß\w+|ist|sind|war|waren)\b)[a-zäöüß]+)"
    r" (?P<subject>ich|wir|du|er|man)\b"
    r"|(?P<may>bekommen|brauchen|dürfen|erhalten|finden|haben|können|melden|müssen|schicken|senden|sollten)"
    r" (?P<you>Sie)\b(?! (?:weiter )?(?:unter|unten|oben)\b))"  # as manuals have it, which it knows
    rf"(?P<pronouns>(?: {_DATIVE}\b){{0,2}})(?P<rest>[^?]*)$"
)
_OF_PERSONS = re.compile(rf"(?:Die|Diese|Ihre|Unsere|Meine|Alle)(?: [a-zäöüß]+)? {_PERSONS}\b", re.IGNORECASE)
_PLEASE = " bitte"
_NOMINATIVE = (
    r"(?:ich|wir|er|sie|es|Sie|das|man|du|ihr|niemand|(?:d(?:er|ie|as)|dies(?:er|e|es)|(?:[mds]ein|ihr|unser|eur|kein)e?)"
    r"(?: [a-zäöüß]+e[rsn]?)?(?: [A-ZÄÖÜ][\w-]+){1,2})"
)
_FINITE = (
    r"(?:bin|ist|sind|war|waren|habe?|hat|haben|hatten?|hast|kann|können|konnten?|muss|müssen|mussten?|wird|werden|wurden?"
    r"|darf|dürfen|will|wollen|soll|sollen|gibt|gab|geht|ging|komm(?:e|t|en)|kam|weiß|wissen|finde(?:t|n)?|brauch(?:e|t|en)"
    r"|fehlt|fehlen|funktioniert|passt|schaff(?:e|t|en)|bekomm(?:e|t|en)|verst(?:ehe|eht|ehen)|liegt|hat)"
)
_REGRET = re.compile(
    rf"^(?:(?P<subject>(?i:{_NOMINATIVE})) (?P<verb>{_FINITE})\b(?! (?:ich|wir|du|er|man)\b)|(?P<when>"
    rf"(?:Am|Im|In|Bis|Heute|Morgen|Gestern|Diese[ns]?|Zur)(?: [\w.]+){{0,3}}?)"
    rf" (?P<finite>{_FINITE}) (?P<who>ich|wir|er|sie|Sie|es|das)\b)"
    r"(?P<middle>(?: [^\s,;:.!?]+){0,6}?) leider (?P<rest>[^,;:?]+[.!]*|[^,;:?]+,.*)$"
)


def find_order(text: str) -> list[Edit]:
    """What to read for a German sentence that is in another order than the network knows, all of it."""
    read = _with_regret_first(_with_subject_first(text))
    return [Edit(Span(0, len(text)), read)] if read != text else []


def _with_subject_first(text: str) -> str:
    found = _FRONTED.match(text)
    if not found or (found["you"] and _OF_PERSONS.match(found["object"])):
        return text
    subject, verb = found["subject"] or found["you"], found["verb"] or found["may"]
    begin, rest = f"{with_capital(subject)} {verb}", found["rest"]
    if found["you"] and rest.startswith(_PLEASE):
        begin, rest = f"Bitte {verb} {subject}", rest.removeprefix(_PLEASE)
    return f"{begin}{found['pronouns']} {_within(found['object'])}{rest}"


def _with_regret_first(text: str) -> str:
    found = _REGRET.match(text) if " leider " in text else None
    if not found:
        return text
    if when := found["when"]:
        return f"Leider {found['finite']} {found['who']} {with_small_letter(when)}{found['middle']} {found['rest']}"
    return f"Leider {found['verb']} {_within(found['subject'])}{found['middle']} {found['rest']}"


def _within(words: str) -> str:
    """As they are written where no sentence begins: *Ihr* is polite."""
    return words if words.startswith(("Ihr", "Sie")) else with_small_letter(words)
