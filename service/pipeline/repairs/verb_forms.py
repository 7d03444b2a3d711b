"""English verbs in the form that what is beside them wants: did not respond, has announced, used to getting up.

A network that writes all words at once wavers between "responded" and "did not respond", and may write both.
Put right is what can have been meant in one way: "can stripped" may be "be stripped", and is left to `flaws`.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from service.pipeline.conjugation import PAST, PRESENT, english_forms
from service.pipeline.edits import Edit
from service.pipeline.lists import kinds_of
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from collections.abc import Set as AbstractSet

    from model.bundle import Dictionary

__all__ = ["MODAL", "base_forms", "check_verb_forms", "listed_verbs", "participle"]

MODAL = "can|could|may|might|must|shall|should|will|would"
_LIST = "verbs.txt"

_ALREADY = "also|already|always|even|ever|just|never|no longer|not|often|only|really|recently|since"
_VERBS = re.compile(
    r"(?<![\w'’-])(?<!\bdo )(?<!\bdoes )(?<!\bdid )(?<!\b[Aa] )(?<!\bthe )"
    rf"(?P<first>[Hh]as|[Hh]ave|[Hh]ad|is|[Dd]o(?:es)?|[Dd]id|to|{MODAL})(?P<between>(?:n['’]t)?(?: (?:{_ALREADY}))*)"
    rf" (?P<second>(?!(?:{_ALREADY})\b)[a-z]{{3,}})(?![\w'’-])"
)
"""Not "all you have to do is press a key", nor "the will brought"."""
_NOT = re.compile(r"n['’]t|\b(?:not|no longer)\b")
_THIRD_PERSON = re.compile(
    r"(?!(?:across|afterwards|always|besides|has|hers|his|its|ours|perhaps|plus|sometimes|this|thus|towards|was|yes|yours)$)"
    r"[a-z]+(?<!ous)(?<![su])s"
)
_OBJECT = re.compile(
    r" (?:the|an?|his|her|its|their|my|our|your|these|those|some|all|him|them|us|me|\d+|two|three|four|five|six|ten)\b"
)
"""After a word that ends like a third person, it makes it one: is holds a mirror."""
_INFLECTED = re.compile(r"(?=[a-z]*[aeiouy][a-z]*(?:ing|ed)$)(?P<stem>[a-z]{2,}?)(?P<ending>ing|(?<!e)ed)")
"""Not bring, shed and feed."""
_PRONOUN = "I|you|he|she|it|we|they"
_IN_ING = re.compile(
    r"\b(?:(?:I['’]m|I am|(?:[Hh]e|[Ss]he)(?:['’]s| is)|(?:[Ww]e|[Yy]ou|[Tt]hey)['’]re|g[eo]t|getting) (?:not )?used to"
    r"|look(?:s|ed|ing)? forward to|(?P<like>f(?:eel|eels|elt) like to)) (?P<verb>[a-z]{2,})(?![\w'’-])"
)
"""I'm used to get up, look forward to meet you, feel like to cook: a verb, which has the form of a noun there."""
_ASKED = re.compile(
    rf"(?:^|[.,;:!?] )[Hh](?:ave|as|ad) (?:{_PRONOUN})(?: (?:{_ALREADY}|yet))? (?P<verb>[a-z]{{3,}})(?![\w'’-])"
)
"""Have you have breakfast?"""
_WHEN = r"(?:yesterday|last (?:night|week|month|year|summer|winter|[A-Z][a-z]+day)|[a-z\d]+ [a-z]+ ago)\b"
_IS_OVER = re.compile(_WHEN)
_OVER = re.compile(
    r"(?<!\bto )(?<!\bmay )(?<!\bmust )(?<!\bmight )(?<!ould )"
    r"(?P<have>(?:\b(?:have|has)|(?P<short>['’]ve)) (?:(?P<been>been)(?! to\b)|(?=(?P<verb>(?!been\b)[a-z]{3,})\b)))"
    rf" ?(?:(?!(?:since|after|before|until|when)\b)[^.,;:!?]){{0,60}}?\b{_WHEN}"
)
"""Has lost his job last year: what is over is in the past."""
_VERBS_ALONE = (
    "arrive|believe|bring|buy|call|change|check|come|drink|eat|find|follow|forget|get|give|have|help|hope|ignore|jump"
    "|know|learn|listen|make|meet|need|offer|pay|recommend|remember|respect|return|say|see|sell|send|sing|speak"
    "|support|take|tell|thank|think|travel|understand|visit|wait|want|work|write"
)
"""No adjectives, nouns or participles are among them that may stand after "I'm"."""
_NO_BE = re.compile(
    r"\b(?:I|[Ww]e|[Yy]ou|[Tt]hey)(?P<be>['’](?:m|re))"
    rf"(?= (?:(?:only|still|also|just) )?(?:{_VERBS_ALONE})(?![\w'’-]))"
)
"""I'm call you, we're still have time."""
_NOUNS = frozenset({"have", "share", "use"})
"""Base forms that may stand after "have" all the same."""
_SIBILANT = re.compile(r"(?:ss|sh|ch|x|zz|[^o]o)es$")


def check_verb_forms(target: str, words: Dictionary | AbstractSet[str] = frozenset()) -> Iterator[Edit]:
    """What to change in an English translation.

    Args:
        target: the translation.
        words: of English, besides verbs that are listed: only what is a word is taken for the base of another.
    """
    for verbs in _VERBS.finditer(target):
        first, second, span = verbs["first"].lower(), verbs["second"], Span(*verbs.span("second"))
        if first == "is":
            may_be = _THIRD_PERSON.fullmatch(second) and _OBJECT.match(target, verbs.end())
            if (may_be or second in listed_verbs()["third"]) and not _NOT.search(verbs["between"]):
                yield Edit(Span(verbs.start(), verbs.end("first") + 1), "")
        elif first in ("has", "have", "had"):
            if right := _participle_of(second):
                yield Edit(span, right)
        elif right := _base_of(second, first, words, is_denied=bool(_NOT.search(verbs["between"]))):
            yield Edit(span, right)
    yield from _others(target)


def _others(target: str) -> Iterator[Edit]:
    """Used to getting up, feel like cooking; have you had; lost his job last year; I call you."""
    for found in _NO_BE.finditer(target):
        yield Edit(Span(*found.span("be")), "")
    for found in _IN_ING.finditer(target):
        verb = found["verb"]
        if verb in base_forms():
            yield Edit(Span(*found.span("verb")), english_forms([verb])[PRESENT])
            verb = ""
        if found["like"] and (not verb or verb.endswith("ing")):
            yield Edit(Span(found.end("like") - len(" to"), found.end("like")), "")
    for found in _ASKED.finditer(target):
        verb = found["verb"]
        if right := "had" if verb == "have" else _participle_of(verb):
            yield Edit(Span(*found.span("verb")), right)
    for found in _OVER.finditer(target) if _IS_OVER.search(target) else ():
        span, before = Span(*found.span("have")), " " * bool(found["short"])
        if found["been"]:
            is_one = found["have"].startswith("has") or target[max(0, span.start - 2) : span.start].strip() == "I"
            yield Edit(span, before + ("was" if is_one else "were"))
        elif past := _past_of(found["verb"]):
            yield Edit(Span(span.start, found.end("verb")), before + past)


def listed_verbs() -> Mapping[str, frozenset[str]]:
    """Of English verbs, `base`, `third` and `past` forms that nothing else is written like, and `irregular` ones."""
    return kinds_of(_LIST)


@cache
def base_forms() -> frozenset[str]:
    """Of all verbs that are listed, irregular ones too."""
    return listed_verbs()["base"].union(base for base, _, _ in _irregular())


def participle(verb: str) -> str:
    """That of a verb in its base form: known, announced."""
    return _irregular_participles().get(verb) or english_forms([verb])[PAST]


@cache
def _irregular() -> list[list[str]]:
    """Base, past and participle of irregular verbs."""
    return [forms.split("-") for forms in listed_verbs()["irregular"]]


@cache
def _base_of_past() -> dict[str, str]:
    return {past: base for base, past, _ in _irregular() if past != base}


@cache
def _base_of_participle() -> dict[str, str]:
    return {participle: base for base, _, participle in _irregular() if participle != base}


@cache
def _pasts() -> dict[str, str]:
    return {participle: past for _, past, participle in _irregular()}


def _past_of(participle: str) -> str:
    """Of one that is known, or regular; nothing for what may be another word."""
    return _pasts().get(participle) or (participle if participle.endswith("ed") else "")


@cache
def _irregular_participles() -> dict[str, str]:
    return {base: participle for base, _, participle in _irregular()}


def _participle_of(verb: str) -> str:
    """That of a base form, or of a past, that cannot stand after "has"; nothing for others."""
    if verb in listed_verbs()["past"]:
        return _irregular_participles()[_base_of_past()[verb]]
    if verb not in listed_verbs()["base"] or verb in _NOUNS:
        return ""
    right = participle(verb)
    return right if right != verb else ""


def _base_of(verb: str, first: str, words: Dictionary | AbstractSet[str], *, is_denied: bool) -> str:
    """The base form of what cannot stand after "to", "did" or "will"; nothing for others."""
    if verb in listed_verbs()["third"]:
        if verb.endswith("ies"):
            return f"{verb[:-3]}y"
        return verb[:-2] if _SIBILANT.search(verb) else verb[:-1]
    if first not in ("do", "does", "did"):
        if verb in listed_verbs()["past"]:
            return _base_of_past()[verb]
        is_wrong = is_denied and first != "to" and verb.endswith("ing")  # to starting; the can opening
    else:
        if is_denied and (base := _base_of_past().get(verb) or _base_of_participle().get(verb)):
            return base
        is_wrong = is_denied
    inflected = _INFLECTED.fullmatch(verb) if is_wrong else None
    return _regular_base(inflected, words) if inflected else ""


def _regular_base(verb: re.Match[str], words: Dictionary | AbstractSet[str]) -> str:
    """What a form in -ed or -ing is of, if that is a verb that is listed, or at least a word."""
    stem, form = verb["stem"], PAST if verb["ending"] == "ed" else PRESENT
    fitting = [
        base
        for base in (stem.removesuffix(stem[-1]), f"{stem.removesuffix('i')}y", stem, f"{stem}e")
        if english_forms([base])[form] == verb[0]
    ]
    listed = (base for base in fitting if base in listed_verbs()["base"] or base in _irregular_participles())
    return next(listed, next((base for base in fitting if base in words), ""))
