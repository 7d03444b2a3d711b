"""German that addresses one person in two ways: *Nehmen Sie das, wenn du müde bist* is *wenn Sie müde sind*.

English has one *you* for both, and the network writes each clause by itself. What the sentence begins with decides, if
that is a command with *Sie*.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from service.pipeline.edits import Edit
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["check_address"]

_POLITE = re.compile(r"(?:Bitte )?[A-ZÄÖÜa-zäöüß]+n Sie\b(?!-)")
_CLAUSE = re.compile(r"[^,.;:!?\"“„]+")
_FAMILIAR = re.compile(r"(?<![\w-])(?:du|dich|dir|dein(?:e[nmrs]?)?)(?![\w-])")
_WRITTEN = {"du": "Sie", "dich": "Sie", "dir": "Ihnen"}
_REFLEXIVE = re.compile(r"(?<![\w-])du (?:\w+ )?(?P<pronoun>di(?:ch|r))(?![\w-])|(?<![\w-])(?P<after>di(?:ch|r)) du\b")
_VERB = re.compile(
    r"(?<![\w-])(?!(?:bereits|erst|zuerst|fast|fest|selbst|sonst|meist|zumeist|ernst|höchst|längst|nächst|jüngst|umsonst"
    r"|möglichst|herzlichst|einst|gefasst|gewusst|bewusst|verfasst|gemusst)\b)[a-zäöüß]+(?:st|[ßxz]t)(?![\w-])"
)
_IRREGULAR = {
    "bist": "sind",
    "brichst": "brechen",
    "darfst": "dürfen",
    "empfiehlst": "empfehlen",
    "fährst": "fahren",
    "fällst": "fallen",
    "fängst": "fangen",
    "gibst": "geben",
    "hast": "haben",
    "hilfst": "helfen",
    "hältst": "halten",
    "isst": "essen",
    "kannst": "können",
    "lädst": "laden",
    "lässt": "lassen",
    "läufst": "laufen",
    "liest": "lesen",
    "magst": "mögen",
    "musst": "müssen",
    "möchtest": "möchten",
    "nimmst": "nehmen",
    "schläfst": "schlafen",
    "siehst": "sehen",
    "sollst": "sollen",
    "sprichst": "sprechen",
    "trittst": "treten",
    "triffst": "treffen",
    "trägst": "tragen",
    "vergisst": "vergessen",
    "verlässt": "verlassen",
    "wäschst": "waschen",
    "weißt": "wissen",
    "willst": "wollen",
    "wirst": "werden",
}
_TENSE = re.compile(r"(?P<stem>[a-zäöüß]+(?:te|tte))st")
_HISSED = re.compile(r"(?P<stem>[a-zäöüß]+[sßxz])t")
_PREFIX = re.compile("(?:ab|an|auf|aus|be|ein|ent|er|mit|nach|um|unter|ver|vor|zu|zurück|über)(?=[a-zäöüß]{3})")
_PRESENT = re.compile(r"(?P<stem>[a-zäöüß]{2,}?)(?:(?<=[td])e|(?<=[bcdfghkmnprst][mn])e)?st")


def check_address(text: str) -> Iterator[Edit]:
    """What to write for *du* and its verb, in order, after a command with *Sie*; not within quotation marks."""
    if not _POLITE.match(text) or not _FAMILIAR.search(text) or '"' in text or "„" in text:
        return
    for clause in _CLAUSE.finditer(text):
        if _FAMILIAR.search(clause[0]):
            yield from sorted(_polite(text, Span(*clause.span())), key=lambda edit: edit.span.start)


def _polite(text: str, clause: Span) -> Iterator[Edit]:
    reflexive = {
        found.start(name)
        for found in _REFLEXIVE.finditer(text, clause.start, clause.end)
        for name in ("pronoun", "after")
        if found[name]
    }
    has_subject = False
    for word in _FAMILIAR.finditer(text, clause.start, clause.end):
        has_subject |= word[0] == "du"
        written = "sich" if word.start() in reflexive else _WRITTEN.get(word[0]) or f"Ihr{word[0].removeprefix('dein')}"
        yield Edit(Span(*word.span()), written)
    verbs = [*_VERB.finditer(text, clause.start, clause.end)] if has_subject else []
    finite = verbs if len(verbs) == 1 else [verb for verb in verbs if verb[0] in _IRREGULAR]
    if len(finite) == 1 and (plural := _plural(finite[0][0])):
        yield Edit(Span(*finite[0].span()), plural)


def _plural(verb: str) -> str:
    """A verb as it is after *Sie*: öffnest is öffnen."""
    prefix = _PREFIX.match(verb)
    start = prefix.end() if prefix and verb not in _IRREGULAR else 0
    if verb[start:] in _IRREGULAR:
        return verb[:start] + _IRREGULAR[verb[start:]]
    for pattern, ending in ((_TENSE, "n"), (_PRESENT, "en"), (_HISSED, "en")):
        if found := pattern.fullmatch(verb):
            return found["stem"] + ending
    return ""
