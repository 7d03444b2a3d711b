"""What somebody has done by others is read with *let*: *I had my car repaired* as *I have let my car analyze*.

The network takes the participle for a perfect, *ich hatte mein Auto repariert*. After *let* it writes what German has,
*lassen* and an infinitive, but loses infinitives that it could take for nouns, as *repair*; *analyze* it keeps, and
*analysieren* becomes what was meant.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from service.pipeline.edits import Edit, with_capital
from service.pipeline.pieces import Substitute
from service.types import Span

__all__ = ["Causative", "find_causative"]

_DONE = {
    "adjusted": "einstellen",
    "altered": "ändern",
    "appraised": "schätzen",
    "built": "bauen",
    "certified": "beglaubigen",
    "changed": "ändern",
    "checked": "überprüfen",
    "cleaned": "reinigen",
    "copied": "kopieren",
    "corrected": "korrigieren",
    "cut": "schneiden",
    "deleted": "löschen",
    "delivered": "liefern",
    "designed": "entwerfen",
    "developed": "entwickeln",
    "dyed": "färben",
    "examined": "untersuchen",
    "extended": "verlängern",
    "fixed": "reparieren",
    "framed": "einrahmen",
    "inspected": "überprüfen",
    "insulated": "dämmen",
    "ironed": "bügeln",
    "looked at": "untersuchen",
    "made": "machen",
    "mended": "reparieren",
    "mowed": "mähen",
    "mown": "mähen",
    "neutered": "kastrieren",
    "notarised": "beglaubigen",
    "notarized": "beglaubigen",
    "painted": "streichen",
    "polished": "polieren",
    "printed": "drucken",
    "removed": "entfernen",
    "renewed": "verlängern",
    "renovated": "renovieren",
    "repaired": "reparieren",
    "replaced": "ersetzen",
    "reviewed": "überprüfen",
    "sent": "schicken",
    "serviced": "warten",
    "sharpened": "schärfen",
    "shortened": "kürzen",
    "signed": "unterschreiben",
    "taken": "machen",
    "tested": "testen",
    "towed": "abschleppen",
    "translated": "übersetzen",
    "trimmed": "schneiden",
    "tuned": "stimmen",
    "vaccinated": "impfen",
    "valued": "schätzen",
    "washed": "waschen",
    "wrapped": "einpacken",
    "x-rayed": "röntgen",
}
"""Not what befalls somebody, *stolen*, nor a state, *installed*."""
_CHANGED_FOR_ANOTHER = re.compile(r"\b(?:batter(?:y|ies)|filters?|locks?|oil|strings?|tires?|tyres?|wheels?)$")
_EXCHANGE = "wechseln"

_NO_PART = (
    "(?:and|as|at|been|but|by|for|from|has|have|if|in|into|is|it|never|not|of|on|or|that|the|to|was|were|which|who"
    "|with)"
)
_WHAT = (
    rf"(?:it|them|this|that|everything|(?:my|your|his|her|its|our|their|the|an?|this|that|these|those|all)"
    rf"(?: (?!{_NO_PART}\b)[A-Za-z][\w'-]*){{1,4}}?)"
)
_ANY_DONE = "|".join(_DONE)
_ENDS = (
    r"(?= *(?:[.,;:!?)]|$)| (?:again|and|as|at|because|before|but|by|during|each|every|fast|for|free|from|here|if"
    r"|in|last|next|now|of|once|or|professionally|properly|quickly|regularly|so|somewhere|soon|the|there|this|to"
    r"|today|tomorrow|twice|until|when|while|with(?:in)?|without|yesterday)\b)"
    r"(?!(?:(?<=built)|(?<=checked)) in\b)"
)
"""Not what makes another verb of it, nor what it would describe: *cut down*, *signed numbers*."""
_CAUSATIVE = re.compile(
    r"(?<![\w'-])(?<!that )(?<!which )(?P<verb>(?:(?:have|has|had|having) )?(?:had|got|gotten)"
    r"|having|[Hh]ave|has|getting|[Gg]et|gets|needs?|needed)"
    rf" (?P<what>{_WHAT}) (?P<done>{_ANY_DONE})(?: and (?P<too>{_ANY_DONE}))?{_ENDS}"
)
_HAVE = re.compile(r"'(?:d|s|ve) $")
_MANY = re.compile(
    r"(?:(?<![\w-])(?:I|[Yy]ou|[Ww]e|[Tt]hey|and [A-Z]\w+)|[a-z](?<!s)s|people|children)"
    r"(?: (?:also|just|only|then))? $"
)
_LONGEST_BEFORE = 60
_ABOUT_A_PICTURE = re.compile(r"(?:photo|photograph|picture|x-ray|selfie)s?$")
_OF_HAIR = re.compile(r"(?:hair|fringe|beard|nails?|grass|lawn|hedges?|trees?|it)$")
_OF_STATES = re.compile(r"(?:box|boxes|checkbox|option|options)$")
_IDIOM = {"it made", "it all made"}
_OF_WHOM = re.compile(r" (?:in|of|from|for|by|with|to) ")
"""After what somebody merely has: a car made in Japan."""

_READ = "analyze"
_INFINITIVE, _PARTICIPLE, _NOUN = "analysieren", "analysiert", "Analyse"
_ALREADY = re.compile(r"\banaly[sz]", re.IGNORECASE)


class Causative(NamedTuple):
    """What to read, in order, and what becomes of the verb that the network writes for it."""

    edits: tuple[Edit, ...]
    substitutes: tuple[Substitute, ...]


def find_causative(text: str) -> Causative:
    """What to read for the first thing of an English sentence that somebody has done by others.

    Args:
        text: with straight apostrophes.
    """
    if _ALREADY.search(text):
        return Causative((), ())
    for found in _CAUSATIVE.finditer(text):
        if _is_meant(found, text):
            before = text[max(0, found.start() - _LONGEST_BEFORE) : found.start()]
            let = _let(found["verb"].lower(), before)
            read = f"{with_capital(let) if found['verb'][0].isupper() else let} {found['what']} {_READ}"
            return Causative((Edit(Span(*found.span()), read),), (_substitute(found),))
    return Causative((), ())


def _is_meant(found: re.Match[str], text: str) -> bool:
    """Whether it is done for somebody, and is not a state, an idiom, or a thing that was made somewhere."""
    what, done = found["what"], found["done"]
    wanted = {"taken": _ABOUT_A_PICTURE, "cut": _OF_HAIR, "trimmed": _OF_HAIR}.get(done)
    if (wanted and not wanted.search(what)) or _OF_STATES.search(what) or f"{what} {done}" in _IDIOM:
        return False
    return not (what.startswith(("a ", "an ")) and _OF_WHOM.match(text, found.end()))


def _let(verb: str, before: str) -> str:
    """*Let* in the form of a verb. German tells of what is past in the perfect, which has *let* for both."""
    have, _, last = verb.rpartition(" ")
    if have:
        return f"{have} let"
    if last in {"had", "got", "gotten"} and _HAVE.search(before):
        return "let"
    if last in {"had", "got", "gotten"}:
        return "have let" if _MANY.search(before) else "has let"
    if last in {"having", "getting"}:
        return "letting"
    needs = {"need": "have to let", "needs": "has to let", "needed": "had to let"}
    return needs.get(last) or ("lets" if last in {"has", "gets"} else "let")


def _substitute(found: re.Match[str]) -> Substitute:
    infinitive = _DONE[found["done"]]
    if found["done"] == "changed" and _CHANGED_FOR_ANOTHER.search(found["what"]):
        infinitive = _EXCHANGE
    if found["too"]:
        infinitive += f" und {_DONE[found['too']]}"
    forms = {
        f"zu {_INFINITIVE} lassen": f"{infinitive} zu lassen",
        f"zu {_INFINITIVE}": f"{infinitive} zu lassen",
        _INFINITIVE: infinitive,
        _INFINITIVE.capitalize(): infinitive,
        f"{_NOUN} lassen": f"{infinitive} lassen",
        _PARTICIPLE: f"{infinitive} lassen",  # of a perfect that has lost it
    }
    return Substitute(tuple(forms), tuple(forms.values()), 1, (_READ,))
