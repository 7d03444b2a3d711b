"""What somebody has, and what is said of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from model.grammar.categories import Case, Gender, Kind, Person, Tense
from model.grammar.determiners import Determiner
from model.grammar.kinds.degrees import DEGREES
from model.grammar.noun_phrases import Indefinite
from model.grammar.phrases import PEOPLE, draw_adjective, draw_noun_phrase, draw_subject
from model.grammar.verb_forms import DO, HABE, HATTE, HAVE, be_and_sein
from model.grammar.writing import joined, written

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from model.grammar.drawing import Draw
    from model.grammar.noun_phrases import NounPhrase
    from model.grammar.writing import Sentence

__all__ = ["having", "of_name", "of_owner", "one_of"]

_OWNED = (Kind.THING, Kind.VEHICLE, Kind.GARMENT, Kind.TEXT, Kind.ANIMAL, Kind.BUILDING)
_HAD = (Kind.THING, Kind.VEHICLE, Kind.MATTER, Kind.ANIMAL, Kind.RELATIVE)
_EINER = {Gender.MASCULINE: ("einer",), Gender.FEMININE: ("eine",), Gender.NEUTER: ("eines", "eins")}


def having(draw: Draw) -> Sentence | None:
    """He has a car; had, has not; or the question."""
    subject, what = draw_subject(draw, PEOPLE), draw_noun_phrase(draw, {draw.one_of(_HAD)})
    if Kind.RELATIVE in what.noun.kinds:
        if Kind.SOLE_RELATIVE in what.noun.kinds:
            return None
        determiner = Determiner.QUANTITY if what.plural else Determiner.A
        quantity = draw.one_of(draw.lexicon.quantities) if what.plural else None
        what = replace(what, determiner=determiner, quantity=quantity)
    person, who, wer = subject.person, subject.english(), subject.german()
    english, german = what.english(Case.ACCUSATIVE), what.german(Case.ACCUSATIVE)
    how = draw.one_of(("present", "present", "past", "asked", "negated"))
    if how == "negated" and what.indefinite and not (subject.negative or isinstance(subject, Indefinite)):
        does, any_car = DO[person], what.english(Case.ACCUSATIVE, negated=True)
        return written(
            (f"{who} {do_not} have {any_car}" for do_not in (f"{does} not", f"{does}n't")),
            [f"{wer} {HABE[person]} {what.german(Case.ACCUSATIVE, negated=True)}"],
        )
    if how == "past":
        return written([f"{who} had {english}"], [f"{wer} {HATTE[person]} {german}"])
    if how == "asked" and not subject.negative:
        return written([f"{DO[person]} {who} have {english}"], [f"{HABE[person]} {wer} {german}"], "?")
    return written([f"{who} {HAVE[person]} {english}"], [f"{wer} {HABE[person]} {german}"])


def of_name(draw: Draw) -> Sentence | None:
    """Maria's old car is big."""
    owned = _draw_owned(draw)
    name = draw.one_of([one.name for one in draw.lexicon.names if not one.name.endswith("s")])
    return _said_of(
        draw,
        owned.noun.kinds,
        owned.person,
        [f"{name}'s {owned.bare_english}"],
        [f"{name}s {owned.bare_german(Case.NOMINATIVE, Determiner.NONE)}"],
    )


def of_owner(draw: Draw) -> Sentence | None:
    """The man's old car is big."""
    owned = _draw_owned(draw)
    determiners = (Determiner.THE, Determiner.THIS, Determiner.A)
    owner = draw_noun_phrase(draw, PEOPLE, determiners=determiners, adjectives=0.15)
    if owner.quantity:
        owner = replace(owner, determiner=Determiner.THE, quantity=None)
    ending = "'" if owner.english().endswith("s") and owner.plural else "'s"
    return _said_of(
        draw,
        owned.noun.kinds,
        owned.person,
        [f"{owner.english()}{ending} {owned.bare_english}", f"{owned.english()} of {owner.english()}"],
        [f"{owned.german()} {owner.german(Case.GENITIVE)}"],
    )


def one_of(draw: Draw) -> Sentence | None:
    """One of my old cars is big."""
    kinds = (Kind.PERSON, Kind.THING, Kind.BUILDING, Kind.RELATIVE)
    several = draw_noun_phrase(draw, kinds, determiners=(Determiner.THE, Determiner.MY, Determiner.OUR))
    if Kind.SOLE_RELATIVE in several.noun.kinds:
        return None
    several = replace(several, plural=True)
    return _said_of(
        draw,
        several.noun.kinds,
        Person.IT,
        [f"one of {several.english()}"],
        [f"{one} {several.german(Case.GENITIVE)}" for one in _EINER[several.noun.gender]],
    )


def _draw_owned(draw: Draw) -> NounPhrase:
    return draw_noun_phrase(draw, {draw.one_of(_OWNED)}, determiners=(Determiner.THE,))


def _said_of(
    draw: Draw, kinds: Collection[Kind], person: Person, english: Sequence[str], german: Sequence[str]
) -> Sentence | None:
    """That this is big, very old, not new: of something of these kinds, said in both languages."""
    adjective = draw_adjective(draw, kinds)
    if adjective is None:
        return None
    be, sein = be_and_sein(person, draw.one_of((Tense.PRESENT, Tense.PRESENT, Tense.PAST)))
    degree = draw.one_of(DEGREES)
    return written(
        (joined(subject, be, degree.english, adjective.english) for subject in english),
        (joined(subject, sein, way, adjective.german) for subject in german for way in degree.german),
    )
