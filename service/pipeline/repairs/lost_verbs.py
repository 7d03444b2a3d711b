"""Has a translation lost its verb: wir haben den ganzen Morgen in Prag, does the van cheap?

German has the verb of a perfect, and one beside a modal verb, at its end, English that of a question after its subject.
A network that writes all words at once may leave it out there, and what is left says something else, or nothing.
Another candidate often has it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from service.pipeline.conjugation import PRESENT, english_forms
from service.pipeline.repairs.verb_forms import MODAL, base_forms

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from model.bundle import Dictionary, Direction

__all__ = ["PARTICIPLE", "has_lost_verb"]

_HABEN = frozenset({"habe", "hast", "hat", "haben", "habt", "hatte", "hattest", "hatten", "hattet"})
_MAY_BE_HABEN = re.compile(
    r"\b(?:have|has|had|having|got|gets?|own(?:s|ed)?|possess\w*|contain\w*|carr\w+|there|with|without|need\w*|hold\w*"
    r"|held|keep\w*|kept|suffer\w*|enjoy\w*|feels?|felt|lack(?:s|ed)?|wearing|wears?|wore)\b|['’](?:ve|d|s)\b",
    re.IGNORECASE,
)
"""What may be *haben* alone."""
_ALONE = re.compile(
    r"\b(?:Ahnung|Angst|Durst|Eile|Einfluss|Erfolg|Fieber|Geburtstag|Geduld|Glück|Hunger|Interesse|Lust|Mitleid|Mut|Pech"
    r"|Recht|Schuld|Sinn|Spaß|Verspätung|Vertrauen|Wirkung|Zeit|\w*[Ss]chmerzen|dabei|eilig|gern|gerne|leid|lieb|nötig"
    r"|recht|satt|übrig|vor|an|auf|inne|zu)\b"
)
"""With these *haben* is what something else is in English: she is afraid."""
_CLAUSE = re.compile(r"[.,;:!?()–](?!\d)|\b(?:aber|sondern|denn)\b")
_WORD = re.compile(r"\w+")
PARTICIPLE = (
    "(?:[a-zäöüß]*ge(?:[a-zäöüß]+(?:t|en)|tan)|[a-zäöüß]{3,}iert|(?:ab|an|auf|aus|bei|ein|vor|wieder|zu)?"
    "(?:be|emp|ent|er|miss|ver|zer|über|unter|um|durch|hinter|voll|wider)[a-zäöüß]{2,}(?:t|en))"
)
"""A pattern of German words that may be one."""
_PARTICIPLE = re.compile(PARTICIPLE)
_INFINITIVE = re.compile(r"[a-zäöüß]{2,}(?:en|ern|eln)|\w*(?:sein|tun)")
_NO_VERB = frozenset(
    {
        *("außen", "draußen", "drinnen", "drüben", "eben", "gegen", "gestern", "hinten", "innen", "morgen", "neben"),
        *("oben", "selten", "unten", "zwischen", "den", "denen", "ihnen", "allen", "anderen", "beiden", "diesen"),
        *("einen", "einigen", "jenen", "keinen", "vielen", "wenigen", "meinen", "deinen", "seinen", "ihren", "unseren"),
    }
)
"""Ending like one."""
_MODAL = re.compile(
    r"kann(?:st)?|k[oö]nn(?:t|te|ten|en)|m[uü]ss(?:en|t|te|ten)?|soll(?:st|en|te|ten)?|d[aü]rf(?:st|en|t|te|ten)?"
    r"|möchte(?:st|n)?|will(?:st)?|woll(?:en|te|ten)|würde(?:st|n)?"
)
"""Forms of German modal verbs."""
_NEEDS_INFINITIVE = re.compile(
    r"\b(?:want(?:s|ed)?|would like|able|allowed|have|has|had|needs?|going) to [a-z]|['’]d like to [a-z]"
    r"|\b(?:(?:can|could|may|might|must|should)\b|would\b(?! like\b))",
    re.IGNORECASE,
)
"""What a modal verb is that has another one beside it."""

_WANT_TO = re.compile(
    r"\b(?:want(?:s|ed)?|(?:would|['’]d) like|need(?:s|ed)?|(?:un)?able|allowed|tr(?:y|ies|ied|ying)|decided?"
    r"|manage[ds]?) to (?:the|an?|my|your|his|her|our|their|this|these|those)\b"
)
"""I want to the shoes."""
_QUESTION = re.compile(
    r"(?:^|[,;:] |\b(?i:what|where|why|how|when|whom|which)(?: \w+){0,3} )"
    rf"(?i:does|do|did|{MODAL})(?:n['’]t| not)? (?P<rest>[^\W\d_][^.,;:!?]* [^.,;:!?]+)\?$"
)
_TO = re.compile(r" to (?P<word>\w+)")
_VERBAL = re.compile("[a-zäöüß]+(?:en|ern|eln|tun)")
"""What English verbs become."""
_AUXILIARIES = frozenset({"be", "do", "have"})


def has_lost_verb(source: str, target: str, direction: Direction, english: Dictionary | None) -> bool:
    """Whether there is no verb where one must be; most of what may be lost is not seen.

    Args:
        source: the sentence.
        target: its translation.
        direction: of that.
        english: what English words become; without one nothing is said of English.
    """
    if direction.target == "de":
        words = {*_WORD.findall(target)}
        has_perfect = not _HABEN.isdisjoint(words)
        if has_perfect and any(map(_is_left, _CLAUSE.split(target))) and not _MAY_BE_HABEN.search(source):
            return True
        return _lacks_infinitive(words) and _NEEDS_INFINITIVE.search(source) is not None
    if _WANT_TO.search(target):
        return True
    if english is None or not target.endswith("?") or not (question := _QUESTION.search(target)):
        return False
    rest = question["rest"]
    if (to := _TO.search(rest)) and _is_verb(to["word"], english):  # could you to help
        rest = rest[: to.start()]
    _, *others = rest.lower().split()
    return bool(others) and not any(_is_verb(word, english) for word in others)


def _is_left(clause: str) -> bool:
    """Whether *haben* is there for what it was to help."""
    words = _WORD.findall(clause)
    if _HABEN.isdisjoint(words) or _ALONE.search(clause):
        return False
    others = {word for word in words if word.islower()} - _HABEN - _NO_VERB
    if any(map(_PARTICIPLE.fullmatch, others)):
        return False
    last = words[-2:] if words[-1] in _HABEN else words[-1:]
    return not any(word in others and _INFINITIVE.fullmatch(word) for word in last)


def _lacks_infinitive(words: AbstractSet[str]) -> bool:
    """Whether there is a modal verb, and nothing that may be one for it; not where that may want a clause."""
    if "dass" in words or not any(map(_MODAL.fullmatch, words)):
        return False
    others = {word for word in words if word.islower() and not _MODAL.fullmatch(word)} - _NO_VERB
    return not any(map(_INFINITIVE.fullmatch, others))


def _is_verb(word: str, english: Dictionary) -> bool:
    """Whether it may be the base of an English verb."""
    return (
        word in base_forms()
        or word in _AUXILIARIES
        or any(map(_VERBAL.fullmatch, english.translations(word)))
        or english_forms([word])[PRESENT] in english
    )
