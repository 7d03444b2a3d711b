"""Whether a form is the listed word where it stands: the verb and not the noun like it, and no part of a name."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from model.bundle import EN_DE
from service.pipeline.conjugation import BASE, COMMAND, PAST, PRESENT, THIRD_PERSON
from service.pipeline.substitution.listed_words import listed

if TYPE_CHECKING:
    from model.bundle import Direction
    from service.pipeline.substitution.listed_words import Form
    from service.types import Span

__all__ = ["AFTER_ADVERB", "AFTER_COMMAND", "is_meant"]

_NAME_GOES_ON = re.compile(r"\s(?!I\b)[A-Z]")
"""Follows a part of a name in English: Welsh Assembly."""
_TO, _THAT = " to", " that"
_TO_YOU = " Sie "
"""Tells verbs from nouns that begin a German text: Reiben Sie den Käse, not Reiben sind scharf."""

_BEFORE_SINGULAR = re.compile(r"(?<!, )\b(?:das|ins) $", re.IGNORECASE)
"""Tells German infinitives from plurals: das Wiegen der Briefe, but ein Buch, das Wiegen zeigt."""

# English verbs.
_BEFORE_VERB = {
    BASE: re.compile(
        r"\b(?:to|not|can|could|will|would|shall|should|may|might|must|do|does|did|let's|let us|please|I|you|we|they"
        r"|who|never|always|often|\w+n't|\w+'ll|(?:can|could|will|would|should|may|might|must|do|does|did|\w+n't)"
        r" (?:he|she|it)) $",
        re.IGNORECASE,
    ),
    THIRD_PERSON: re.compile(r"\b(?:he|she|it|who|that|(?<=[\w,] )which|never|always|often) $", re.IGNORECASE),
}
"""Tells the forms that nouns have, too: to peel an orange, what smells, but orange peel. Which smells are these?"""
AFTER_COMMAND = re.compile(r" (?:the|an?|your|it|them|this|these|that|those|all|some|him|her|me|us)\b")
"""Tells a verb from a noun where a text begins, and from an adjective: Peel the orange, not Peel is bitter."""
_BEFORE_PAST = re.compile(
    r"\b(?:has|had|have|\w+'ve|was|were|is|are|be|been|being"
    r"|(?<!did )(?<!does )(?<!ould )(?<!can )(?<!will )(?:he|she|it)) $",
    re.IGNORECASE,
)
"""Tells the past of a verb from its base where they are alike: he put up with it."""
_BEFORE_PRESENT = re.compile(
    r"\b(?:am|is|are|was|were|been?|\w+'(?:m|re)|(?:he|she|it|who|that)'s)"
    r"(?: (?:I|you|he|she|it|we|they|not|now|still))? $",
    re.IGNORECASE,
)
"""Tells the form in -ing from a noun that is listed as well: it is swelling, a swelling."""
_BEFORE_NOUN = re.compile(
    r" (?!(?:the|an?|th(?:is|at|ese|ose)|my|your|his|her|its|our|their|me|you|him|it|us|them|all|some|any|no"
    r"|every(?:thing|one)?|and|or|but|nor|if|is|are|was|were|has|have|had|can|will|would|should|could|may|might|must"
    r"|does|did|do|in|on|at|by|for|from|to|with|without|of|off|up|down|out|about|around|over|under|through|into|after"
    r"|before|during|while|when|where|because|since|until|as|than|not|so|too|very|more|less|again|now"
    r"|to(?:day|night|morrow)|yesterday"
    r"|here|there|alone|together|each|[a-z]+ly)\b)[a-z]"
)
"""Tells a form in -ing that stands before a noun: the smoking area, a skating competition."""
_BEFORE_GERUND = re.compile(r" [a-z]{2,}ing\b")
"""What the network has right after to: we look forward to seeing you."""
_BEFORE_OBJECT = re.compile(
    r"\b(?:by|without|while|when|admit(?:s|ted)?|den(?:y|ies|ied)|keeps?|kept|stop(?:s|ped)?|start(?:s|ed)?|began|avoid"
    r"|(?:accused|suspected|convicted|guilty|capable|instead) of) $",
    re.IGNORECASE,
)
"""Tells one that has an object: accused of bribing officials. One with objects listed is told by these."""
_TO_A_NOUN = re.compile(
    r"\b(?:due|thanks|according|contrary|compared|next|close|prior|access|response|resistan(?:t|ce)|lead(?:s|ing)?|led"
    r"|exposed|subject(?:ed)?|reduced|addicted|resort(?:s|ed|ing)?|contribut(?:es?|ed|ing)|from \w+) to $",
    re.IGNORECASE,
)
"""Tells a noun from an infinitive: it leads to abuse."""
_AFTER_SUBJECT = re.compile(r"\b(?:he|she|it|who) $", re.IGNORECASE)
"""Tells a verb from a plural like it: she coats the fish, it spirals out of control."""
_LONGEST_BEFORE = 24

_VERBS = (
    "bin ist sind sei war waren wäre wären wird werde werden wurde wurden würde würden habe haben hat hatte "
    "hatten hätte hätten kann können konnte konnten könnte könnten muss müssen musste mussten müsste müssten soll "
    "sollen sollte sollten will wollen wollte wollten darf dürfen durfte durften möchte möchten gibt gab gaben "
    "geht gehen ging gingen kommt kommen kam kamen steht stehen stand standen bleibt bleiben blieb blieben liegt "
    "liegen lag lagen findet finden fand fanden lässt lassen ließ ließen"
)
_NO_VERBS = (
    "aber als am an auch auf aus bei bevor bis da damit das dass dem den denn der des die doch dort durch ein "
    "eine einem einen einer eines für gegen hinter im in mit nach nachdem neben nicht noch nur ob obwohl oder "
    "ohne seit sobald sowie um und unter vom von vor während weil wenn wie wo zu zwischen über"
)
_SUBJECTS_AND_OBJECTS = (
    "ich du er es sie Sie wir man sich ihm ihn ihr ihnen mir mich uns das dem den der die deine deinem deinen "
    "diese diesem diesen dieser dieses ein eine einem einen mein meine meinem meinen dein seine seinem seinen "
    "unser unsere unserem unseren ihre ihrem ihren Ihr Ihre Ihnen kein keine keinen alle alles viele jemand niemand"
)
AFTER_ADVERB = {
    "en": re.compile(r",|(?<!However) (?:I|you|he|she|it|we|they|there)\b"),
    "de": re.compile(
        rf" (?:(?:{_VERBS.replace(' ', '|')})\b(?!,)"
        rf"|(?!(?:{_NO_VERBS.replace(' ', '|')})\b)[a-zäöüß]{{2,}} (?:{_SUBJECTS_AND_OBJECTS.replace(' ', '|')})\b)"
    ),
}
"""Shows that an adverb before it is one of the whole sentence: a comma, a subject, a verb."""


def is_meant(text: str, span: Span, form: Form, direction: Direction, *, is_first: bool) -> bool:
    """Whether what is there is that form of the word, and not another word or part of a name.

    Args:
        text: in the source language, with straight apostrophes.
        span: where the form is.
        form: of a listed word.
        direction: whose words are meant.
        is_first: whether the text begins with it.
    """
    if form.word.only_begins:
        return is_first and AFTER_ADVERB[direction.source].match(text, span.end) is not None
    has_capital = text[span.start].isupper()
    if form.word.is_verb and direction.source == "en":
        is_gerund_next = form.written.endswith(_TO) and _BEFORE_GERUND.match(text, span.end)
        return not is_gerund_next and _is_english_verb(text, span, form, is_first=is_first)
    if form.word.is_verb:
        is_to_you = is_first and form.number == BASE and text.startswith(_TO_YOU, span.end)
        is_noun = form.word.is_homograph and has_capital
        is_other = form.number == COMMAND and not is_first  # alter!
        return is_to_you or not (is_noun or is_other)
    if direction.source == "en" and (_NAME_GOES_ON.match(text, span.end) or _is_verb_like_a_noun(text, span, form)):
        return False
    if direction.source == "de" and form.number and has_capital and _is_infinitive(text, span):
        return False
    is_other = form.word.is_homograph or text.startswith(_TO_YOU, span.end)
    return not (is_first and has_capital and is_other)


def _is_infinitive(text: str, span: Span) -> bool:
    """Whether what may be the plural of a German noun is a verb used as one."""
    before = max(0, span.start - _LONGEST_BEFORE)
    return text[span.end - 1] == "n" and _BEFORE_SINGULAR.search(text, before, span.start) is not None


def _is_english_verb(text: str, span: Span, form: Form, *, is_first: bool) -> bool:
    """Whether what stands beside a form shows it to be one of the verb, if it may be another one, or a noun."""
    before = max(0, span.start - _LONGEST_BEFORE)
    if form.number == PAST and f"{form.written} {form.prefix}".rstrip() == form.word.source[BASE]:  # put it off
        return _BEFORE_PAST.search(text, before, span.start) is not None
    if form.number == PRESENT:
        return _is_present_participle(text, span, form)
    if not form.word.is_homograph or form.number not in _BEFORE_VERB:
        return True
    if is_first and form.number == BASE and AFTER_COMMAND.match(text, span.end):
        return True
    if form.number == BASE and _TO_A_NOUN.search(text, before, span.start):
        return False
    return _BEFORE_VERB[form.number].search(text, before, span.start) is not None


def _is_present_participle(text: str, span: Span, form: Form) -> bool:
    """Whether a form in -ing is one of the verb, if it may be a noun or an adjective."""
    if form.written in _adjectives() and (
        text.startswith(_THAT, span.end) or not AFTER_COMMAND.match(text, span.end)
    ):  # it is annoying that it rains
        return False
    before = max(0, span.start - _LONGEST_BEFORE)
    may_be_noun = form.word.is_homograph and _BEFORE_NOUN.match(text, span.end)
    is_verb = form.word.objects or (may_be_noun and _BEFORE_OBJECT.search(text, before, span.start))
    is_other = not is_verb and (may_be_noun or form.written in _nouns_and_adjectives())
    return not is_other or _BEFORE_PRESENT.search(text, before, span.start) is not None


def _is_verb_like_a_noun(text: str, span: Span, form: Form) -> bool:
    """Whether a form of a noun is one of a verb where it stands: she coats the fish, she is greeting the guests."""
    if form.word.target[-1][0].islower():  # no noun: it is disgusting, it miraculously
        return False
    before = max(0, span.start - _LONGEST_BEFORE)
    if form.written.endswith("ing"):
        return len(form.word.source) > 1 and _BEFORE_PRESENT.search(text, before, span.start) is not None
    return form.written.endswith("s") and _AFTER_SUBJECT.search(text, before, span.start) is not None


@cache
def _adjectives() -> frozenset[str]:
    """All forms of the English words whose German ones have no capital."""
    return frozenset(
        form for word in listed(EN_DE) if not word.is_verb and word.target[-1].islower() for form in word.source
    )


@cache
def _nouns_and_adjectives() -> frozenset[str]:
    """All forms of the English words that are no verbs."""
    return frozenset(form for word in listed(EN_DE) if not word.is_verb for form in word.source)
