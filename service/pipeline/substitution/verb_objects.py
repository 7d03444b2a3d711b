"""Whether an English verb has one of the objects that it means something else with: to cancel a picnic, but no job.

An object is after the verb, before a passive, or before a clause that belongs to it: *the money that we spent*.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from service.pipeline.conjugation import PARTICIPLE, PAST
from service.pipeline.lists import is_given_name
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

__all__ = ["has_object", "particle_after_object", "particle_after_pronoun"]

_NONE = "none"
_PERSON = "person"
_PERSONS = re.compile(
    "me|him|her|us|you|myself|himself|herself|ourselves|yourself|themselves|everybody|everyone|somebody"
    "|someone|anybody|anyone|nobody|man|men|woman|women|boy|girl|child|children|baby|babies|kid|parent|mother"
    "|father|mum|mom|dad|brother|sister|son|daughter|wife|wives|husband|girlfriend|boyfriend|friend|uncle|aunt"
    "|cousin|grandmother|grandfather|grandparent|grandson|granddaughter|neighbour|neighbor|teacher|doctor|boss"
    "|colleague|guest|student|pupil|prisoner|king|queen|soldier|people|family|families|minister|president"
    "|driver|gardener|cook|nurse|assistant|manager"
)

_WORD = re.compile(r" ([\w'-]+)")
_MOST_WORDS = 5
"""Of an object, with its article and adjectives."""
_AMOUNTS = re.compile("lot|lots|plenty|much|most|some|all|half|part|amount|amounts|sum|sums|couple|pair|bit")
"""With an *of* after them that is part of the object."""
_NO_NOUN = (
    "and|or|but|that|which|who|in|on|at|for|with|to|by|from|about|into|over|off|up|out|down|is|are|was|were|as|if|when"
    "|than|because"
)
"""Words that are no part of an object, and may follow one."""
_NO_PART = re.compile(f"{_NO_NOUN}|has|have|had|not|back|away")
"""Where an object has ended, or there is none."""
_AFTER = re.compile(
    rf"(?=[^\w\s'-]|\s*$|\s(?:{_NO_NOUN}|of|before|after|until|till|while|since|during|without|every|each|again|too|now"
    r"|then|next|last|this|yesterday|today|tonight|tomorrow|soon|immediately|here|there|so|we|I|you|they|he|she|it"
    r"|\w+ly)\b)"
)
"""What may follow, so that it is no part of a compound: cancel the meeting, but not the meeting room."""
_PRONOUN = re.compile(
    r" (?:it|this|that|them|these|those|him|her|me|us|you|everything|something|anything|everyone|everybody|someone"
    r"|somebody|both|himself|herself|myself|yourself|themselves|ourselves) "
)
_PLACE = re.compile(r" (?:to|there|here|of|into|onto|from|(?:in|on|at) the)\b")
"""Shows that what is before it tells where: take it over there, leave it out in the rain."""
_WITHOUT_OBJECT = re.compile(
    r" (?:once|twice|\d|two|three|four|five|six|seven|eight|nine|ten|all (?:day|night|over)|(?:the|that) (?:next|same)"
    r"|a (?:bit|lot|little)|away|back|along|down|through|across|under|against|between|towards?|like|behind|past|inside"
    r"|outside|throughout|among|due|halfway|completely|despite|amid|onto|around|over|off)\b"
)
"""May follow a verb that has none, beside that."""
_PASSIVE = re.compile(
    r"(?<![\w-])(?P<object>[\w-]+)(?: which| that)?(?: (?:has|have|had|will|would|must|should|can|could|may|might"
    r"|cannot|\w+n't|to|not|never|always)){0,3} (?:was|were|is|are|be|been|being|got|get|wasn't|weren't|isn't|aren't)"
    r"(?: (?:being|not|never|already|also|just|now|often|always|still|all|only|\w+ly))? $"
)
"""The picnic has been cancelled."""
_CLAUSE = re.compile(
    r"(?<![\w-])(?P<object>[\w-]+)(?: which| that| did| do| does)? (?:I|you|he|she|we|they|people)(?:'ve|'d|'ll)?"
    r"(?: (?:have|has|had|will|would|can|could|should|must|wants?|wanted|to|just|never|already)){0,2} $"
)
"""The money that we have spent; how much money did you spend?"""
_LONGEST_BEFORE = 80


def has_object(text: str, span: Span, objects: AbstractSet[str], number: int) -> bool:
    """Whether a form of a verb has one of its objects.

    Args:
        text: English, with straight apostrophes.
        span: where the form is.
        objects: nouns, `person`, or `none`, where it must have none at all.
        number: which form it is.
    """
    if any(_AFTER.match(text, end) for end in _ends(text, span.end, objects)):
        return True
    before = max(0, span.start - _LONGEST_BEFORE)
    patterns = [_PASSIVE] if number in {PAST, PARTICIPLE} else []
    if _NONE in objects:
        is_alone = _AFTER.match(text, span.end) or _WITHOUT_OBJECT.match(text, span.end)
        return is_alone is not None and not any(pattern.search(text, before, span.start) for pattern in patterns)
    patterns += [_CLAUSE] if _AFTER.match(text, span.end) else []  # not: after the meeting we cancelled our order
    found = (pattern.search(text, before, span.start) for pattern in patterns)
    return any(one is not None and _is_one(one["object"], objects) for one in found)


def particle_after_object(text: str, start: int, objects: AbstractSet[str], particle: str) -> Span | None:
    """Where the particle of a verb is whose object stands before it: take your shoes off."""
    for end in _ends(text, start, objects):
        found = Span(end + 1, end + 1 + len(particle))
        if text[end : found.end] == f" {particle}" and _AFTER.match(text, found.end):  # not: put the hat on the table
            return found
    return None


def particle_after_pronoun(text: str, start: int, particle: str) -> Span | None:
    """Where the particle of a verb is that has a pronoun before it: put it off."""
    pronoun = _PRONOUN.match(text, start)
    if not pronoun or not text.startswith(particle, pronoun.end()):
        return None
    found = Span(pronoun.end(), pronoun.end() + len(particle))
    return found if _AFTER.match(text, found.end) and not _PLACE.match(text, found.end) else None


def _ends(text: str, start: int, objects: AbstractSet[str]) -> Iterator[int]:
    """Where nouns end after a verb that are objects."""
    last = ""
    for _ in range(_MOST_WORDS):
        found = _WORD.match(text, start)
        if not found or _NO_PART.fullmatch(found[1]) or (found[1] == "of" and not _AMOUNTS.fullmatch(last)):
            return
        start, last = found.end(), found[1]
        if _is_one(found[1], objects):
            yield start


def _is_one(word: str, objects: AbstractSet[str]) -> bool:
    """Whether a word is one of the objects, in the singular or the plural."""
    small = word.lower()
    forms = {small, small.removesuffix("s"), small.removesuffix("es")}
    is_person = _PERSON in objects and (any(map(_PERSONS.fullmatch, forms)) or is_given_name(word))
    return is_person or not objects.isdisjoint(forms)
