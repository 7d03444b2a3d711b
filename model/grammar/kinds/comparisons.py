"""How one compares with another, and with all others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from model.grammar.categories import Case, Gender, Kind, Person, Tense
from model.grammar.determiners import Determiner, german_determiner, strong_form
from model.grammar.kinds.degrees import OF_COMPARATIVES
from model.grammar.lexicon import expression
from model.grammar.noun_phrases import PRONOUNS
from model.grammar.phrases import draw_adjective, draw_noun_phrase
from model.grammar.verb_forms import be_and_sein
from model.grammar.writing import joined, written

if TYPE_CHECKING:
    from model.grammar.drawing import Draw
    from model.grammar.lexicon import Adjective
    from model.grammar.noun_phrases import NounPhrase, Phrase
    from model.grammar.writing import Sentence

__all__ = ["comparative", "equality", "superlative", "which_is_more"]

_KINDS = (Kind.PERSON, Kind.VEHICLE, Kind.BUILDING, Kind.GARMENT, Kind.TEXT, Kind.DEVICE, Kind.ANIMAL)
_TENSES = (*[Tense.PRESENT] * 4, Tense.PAST)
_EQUALITIES = (expression("as", "so"), expression("not as", "nicht so"), expression("just as", "genauso"))
_AMONG = (
    expression("in the city", "in der Stadt"),
    expression("in the world", "der Welt", "auf der Welt"),
    expression("in the village", "im Dorf"),
    expression("of all", "von allen"),
    expression("", ""),
)


def comparative(draw: Draw) -> Sentence | None:
    """The car is older than my house."""
    drawn = _draw_two(draw)
    if drawn is None:
        return None
    one, other, adjective = drawn
    be, sein = be_and_sein(one.person, draw.one_of(_TENSES))
    degree = draw.one_of(OF_COMPARATIVES)
    return written(
        [joined(one.english(), be, degree.english, adjective.english_comparative, "than", other.english())],
        (joined(one.german(), sein, way, adjective.german_comparative, "als", other.german()) for way in degree.german),
    )


def equality(draw: Draw) -> Sentence | None:
    """The car is as old as my house."""
    drawn = _draw_two(draw)
    if drawn is None:
        return None
    one, other, adjective = drawn
    be, sein = be_and_sein(one.person, draw.one_of(_TENSES))
    english, (german,) = draw.one_of(_EQUALITIES)
    return written(
        [f"{one.english()} {be} {english} {adjective.english} as {other.english()}"],
        [f"{one.german()} {sein} {german} {adjective.german} wie {other.german()}"],
    )


def superlative(draw: Draw) -> Sentence | None:
    """This is the oldest car in the city."""
    noun = _draw_noun(draw)
    adjective = draw_adjective(draw, noun.noun.kinds, gradable=True)
    if adjective is None:
        return None
    tense, among = Tense.PRESENT, draw.one_of(_AMONG)
    if Kind.PERSON in noun.noun.kinds:
        names = [one.name for one in draw.lexicon.names if noun.noun.gender in {one.gender, Gender.NEUTER}]
        name, tense = draw.one_of(names), draw.one_of(_TENSES)
        subject, subjekt = name, name
    else:
        subject, subjekt = draw.one_of((("this", "das"), ("it", "es")))
    be, sein = be_and_sein(Person.IT, tense)
    der = german_determiner(Determiner.THE, noun.noun.gender, Case.NOMINATIVE)
    german = f"{subjekt} {sein} {der} {adjective.german_superlative}e {noun.noun.german}"
    return written(
        [joined(subject, be, "the", adjective.english_superlative, noun.noun.english, among.english)],
        (joined(german, way) for way in among.german),
    )


def which_is_more(draw: Draw) -> Sentence | None:
    """Which car is older?"""
    noun = _draw_noun(draw).noun
    adjective = draw_adjective(draw, noun.kinds, gradable=True)
    if adjective is None:
        return None
    welcher = strong_form("welch", noun.gender, Case.NOMINATIVE)
    return written(
        [f"which {noun.english} is {adjective.english_comparative}"],
        [f"{welcher} {noun.german} ist {adjective.german_comparative}"],
        "?",
    )


def _draw_noun(draw: Draw) -> NounPhrase:
    determiners = (Determiner.THE, Determiner.THIS, Determiner.MY)
    return draw_noun_phrase(draw, {draw.one_of(_KINDS)}, determiners=determiners, adjectives=0.0)


def _draw_two(draw: Draw) -> tuple[Phrase, Phrase, Adjective] | None:
    """Two of the same kinds, and how both can be."""
    one = _draw_noun(draw)
    determiners = (Determiner.THE, Determiner.THIS, Determiner.MY, Determiner.HIS)
    other = draw_noun_phrase(draw, one.noun.kinds, determiners=determiners, adjectives=0.0)
    adjective = draw_adjective(draw, one.noun.kinds, gradable=True)
    if adjective is None or one.english() == other.english():
        return None
    if Kind.PERSON in one.noun.kinds and draw.chance(0.4):
        return draw.one_of(PRONOUNS), other, adjective
    return one, other, adjective
