"""What is said of somebody or something that a relative clause describes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from model.grammar.categories import Gender, Kind, Tense
from model.grammar.clauses import begins_with_subject, draw_clause
from model.grammar.determiners import Determiner
from model.grammar.english_clauses import said_in_english
from model.grammar.german_clauses import said_in_german
from model.grammar.kinds.degrees import DEGREES
from model.grammar.phrases import draw_adjective, draw_noun_phrase
from model.grammar.verb_forms import be_and_sein
from model.grammar.writing import joined, written

if TYPE_CHECKING:
    from collections.abc import Sequence

    from model.grammar.drawing import Draw
    from model.grammar.noun_phrases import NounPhrase
    from model.grammar.writing import Sentence

__all__ = ["of_object", "of_subject"]

_SIMPLE = (Tense.PRESENT, Tense.PAST)
_NOMINATIVE = {Gender.MASCULINE: "der", Gender.FEMININE: "die", Gender.NEUTER: "das", Gender.PLURAL: "die"}
_ACCUSATIVE = _NOMINATIVE | {Gender.MASCULINE: "den"}


def of_subject(draw: Draw) -> Sentence | None:
    """The man who reads the book is old."""
    noun = draw_noun_phrase(draw, {Kind.PERSON}, determiners=(Determiner.THE,))
    clause = draw_clause(draw, tenses=_SIMPLE, adverbs=0.2, negations=0.05, subject=noun, fits=begins_with_subject)
    return _said_of(
        draw,
        noun,
        [f"{noun.english()} who {said.about_subject}" for said in said_in_english(clause)],
        [f"{noun.german()}, {_NOMINATIVE[noun.gender]} {said.about_subject}," for said in said_in_german(clause)],
    )


def of_object(draw: Draw) -> Sentence | None:
    """The book that he reads is old."""
    noun = draw_noun_phrase(draw, {Kind.THING}, determiners=(Determiner.THE,))
    verbs = [
        verb
        for verb in draw.lexicon.verbs
        if verb.takes_accusative and not verb.slots[0].kinds.isdisjoint(noun.noun.kinds)
    ]
    if not verbs:
        return None
    clause = draw_clause(draw, tenses=_SIMPLE, verbs=verbs, fits=lambda one: not one.subject.negative)
    clause = replace(clause, complements=())
    that = draw.one_of(("that", "that", "", "which"))
    return _said_of(
        draw,
        noun,
        [joined(noun.english(), that, said.statement) for said in said_in_english(clause)],
        [f"{noun.german()}, {_ACCUSATIVE[noun.gender]} {said.subordinate}," for said in said_in_german(clause)],
    )


def _said_of(draw: Draw, noun: NounPhrase, english: Sequence[str], german: Sequence[str]) -> Sentence | None:
    """That this is old, very rich, too big: of a noun, and of it with the relative clause in both languages."""
    adjective = draw_adjective(draw, noun.noun.kinds, states=True)
    if adjective is None or adjective == noun.adjective:
        return None
    be, sein = be_and_sein(noun.person, draw.one_of((Tense.PRESENT, Tense.PRESENT, Tense.PAST)))
    degree = draw.one_of(DEGREES)
    return written(
        (joined(subject, be, degree.english, adjective.english) for subject in english),
        (joined(subject, sein, way, adjective.german) for subject in german for way in degree.german),
    )
