"""Which noun phrase, pronoun or name: drawn at random, of kinds that suit a verb."""

from __future__ import annotations

from typing import TYPE_CHECKING

from model.grammar.categories import Kind
from model.grammar.determiners import POSSESSIVES, Determiner
from model.grammar.noun_phrases import INDEFINITES, PRONOUNS, YOU, Name, NounPhrase, Pronoun

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from model.grammar.drawing import Draw
    from model.grammar.lexicon import Adjective
    from model.grammar.noun_phrases import Phrase

__all__ = ["ANIMATE", "PEOPLE", "draw_adjective", "draw_noun_phrase", "draw_object", "draw_subject"]

PEOPLE = frozenset({Kind.PERSON, Kind.RELATIVE})
ANIMATE = PEOPLE | {Kind.ANIMAL}

_FREQUENT = (
    *[Determiner.THE] * 5,
    *[Determiner.A] * 3,
    Determiner.THIS,
    Determiner.MY,
    Determiner.HIS,
    Determiner.HER,
    Determiner.OUR,
    Determiner.NONE,
    Determiner.QUANTITY,
    Determiner.NO,
    Determiner.EVERY,
)
_NOBODYS = frozenset({Kind.SIGHT, Kind.PERSON, Kind.DOOR})
"""What is seldom said to be somebody's."""


def draw_noun_phrase(
    draw: Draw,
    kinds: Collection[Kind],
    *,
    determiners: Sequence[Determiner] = _FREQUENT,
    adjectives: float = 0.3,
) -> NounPhrase:
    """A noun phrase of one of these kinds.

    Args:
        draw: chance.
        kinds: of the noun.
        determiners: any of these, as far as it suits the noun: relatives are always somebody's, for one.
        adjectives: how many phrases have one, 0 to 1.
    """
    noun = draw.one_of([noun for noun in draw.lexicon.nouns if not noun.kinds.isdisjoint(kinds)])
    somebodys = Kind.RELATIVE in noun.kinds and not (Kind.PERSON in noun.kinds and draw.chance(0.5))
    plural = draw.chance(0.3) and Kind.SOLE_RELATIVE not in noun.kinds
    determiner = draw.one_of(POSSESSIVES if somebodys else determiners)
    if determiner in POSSESSIVES and not somebodys and not noun.kinds.isdisjoint(_NOBODYS):
        determiner = Determiner.THE
    if determiner is Determiner.A and plural:
        determiner = Determiner.QUANTITY
    quantity = draw.one_of(draw.lexicon.quantities) if determiner is Determiner.QUANTITY else None
    if determiner in {Determiner.NO, Determiner.EVERY} and draw.chance(0.6):
        determiner = Determiner.THE
    if determiner in {Determiner.QUANTITY, Determiner.NONE}:
        plural = True
    elif determiner is Determiner.EVERY:
        plural = False
    adjective = None
    if not somebodys and draw.chance(adjectives):
        fitting = [one for one in draw.lexicon.adjectives if not one.kinds.isdisjoint(noun.kinds)]
        adjective = draw.one_of(fitting) if fitting else None
    return NounPhrase(noun, determiner, plural, adjective, quantity)


def draw_subject(draw: Draw, kinds: Collection[Kind]) -> Phrase:
    """Of these kinds; a person may be a pronoun, a name or nobody in particular."""
    if PEOPLE.isdisjoint(kinds):
        return draw_noun_phrase(draw, kinds)
    if draw.chance(0.42):
        return draw.one_of((*PRONOUNS, *YOU))
    if draw.chance(0.17):
        return Name(draw.one_of(draw.lexicon.names))
    if draw.chance(0.08):
        return draw.one_of(INDEFINITES)
    return draw_noun_phrase(draw, kinds)


def draw_object(draw: Draw, kinds: Collection[Kind], subject: Phrase, *, adjectives: float = 0.3) -> Phrase:
    """The same for an object, which is not the subject, or a part of it."""
    if not PEOPLE.isdisjoint(kinds):
        if draw.chance(0.35):
            return draw.one_of([one for one in (*PRONOUNS, *YOU) if not _overlaps(one, subject)])
        if draw.chance(0.1):
            return Name(draw.one_of([one for one in draw.lexicon.names if one.name != subject.english()]))
        if draw.chance(0.05):
            return draw.one_of(INDEFINITES)
    return draw_noun_phrase(draw, kinds, adjectives=adjectives)


def draw_adjective(
    draw: Draw, kinds: Collection[Kind], *, states: bool = False, gradable: bool = False
) -> Adjective | None:
    """What can be said of something of these kinds, or None if nothing can.

    Args:
        draw: chance.
        kinds: of the thing; a relative is a person.
        states: also what is only said of things, not put before them.
        gradable: only what can be compared.
    """
    of = {*kinds, Kind.PERSON} if Kind.RELATIVE in kinds else {*kinds}
    fitting = [
        one
        for one in draw.lexicon.adjectives
        if (one.kinds & of or (states and one.states_of & of)) and (one.english_superlative or not gradable)
    ]
    return draw.one_of(fitting) if fitting else None


def _overlaps(pronoun: Pronoun, subject: Phrase) -> bool:
    return pronoun.subject == subject.english() or {pronoun.subject, subject.english()} == {"I", "we"}
