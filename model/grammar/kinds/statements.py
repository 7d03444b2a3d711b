"""Statements of one clause, of several, and of a clause in another."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from model.grammar.categories import Tense
from model.grammar.clauses import begins_with_subject, draw_clause
from model.grammar.english_clauses import said_in_english
from model.grammar.german_clauses import said_in_german
from model.grammar.lexicon import expression
from model.grammar.noun_phrases import PRONOUNS, YOU
from model.grammar.verb_forms import be_and_sein
from model.grammar.writing import written

if TYPE_CHECKING:
    from model.grammar.clauses import Clause
    from model.grammar.drawing import Draw
    from model.grammar.writing import Sentence

__all__ = ["connected", "contrasted", "introduced", "so_that", "statement", "subordinated"]

_ENOUGH = 2
"""Ways of each of two clauses, whose combinations are many."""

_STATES = (
    expression("tired", "müde"),
    expression("old", "alt"),
    expression("angry", "wütend"),
    expression("ill", "krank"),
    expression("happy", "glücklich"),
    expression("rich", "reich"),
    expression("nervous", "nervös"),
    expression("hungry", "hungrig"),
)


def statement(draw: Draw) -> Sentence:
    """He often reads the book."""
    clause = draw_clause(draw, adverbs=0.55, negations=0.12)
    return written((said.statement for said in said_in_english(clause)), (said.main for said in said_in_german(clause)))


def introduced(draw: Draw) -> Sentence:
    """I know that he reads the book."""
    english, german, conjunction, mark = draw.one_of(draw.lexicon.main_clauses)
    clause = draw_clause(draw, adverbs=0.35, negations=0.12, fits=begins_with_subject)
    return written(
        (f"{english} {said.statement}" for said in said_in_english(clause)),
        (f"{main}, {conjunction} {said.subordinate}" for main in german for said in said_in_german(clause)),
        mark,
    )


def subordinated(draw: Draw) -> Sentence:
    """Because he reads the book, she sleeps; or the other way round."""
    english, german = draw.one_of(draw.lexicon.conjunctions)
    at_once = english in {"when", "while", "before"}
    first = draw_clause(
        draw,
        tenses=(Tense.PRESENT, Tense.PRESENT, Tense.PAST, Tense.MODAL) if english == "because" else (Tense.PRESENT,),
        adverbs=0.2,
        negations=0.0 if english == "before" else 0.12,
        fits=_is_one_of_two,
    )
    second = draw_clause(
        draw,
        tenses=(Tense.PRESENT,) if at_once else (Tense.PRESENT, Tense.MODAL),
        adverbs=0.2,
        negations=0.12,
        fits=_is_one_of_two,
    )
    in_english = list(product(said_in_english(first)[:_ENOUGH], said_in_english(second)[:_ENOUGH]))
    in_german = list(product(german, said_in_german(first)[:_ENOUGH], said_in_german(second)[:_ENOUGH]))
    if draw.chance(0.5):
        return written(
            (f"{english} {one.statement}, {other.statement}" for one, other in in_english),
            (f"{conjunction} {one.subordinate}, {other.inverted}" for conjunction, one, other in in_german),
        )
    return written(
        (f"{other.statement} {english} {one.statement}" for one, other in in_english),
        (f"{other.main}, {conjunction} {one.subordinate}" for conjunction, one, other in in_german),
    )


def connected(draw: Draw) -> Sentence:
    """He reads the book and she sleeps."""
    return _coordinated(draw, " and", " und", negations=0.05)


def contrasted(draw: Draw) -> Sentence:
    """He reads the book, but she sleeps."""
    return _coordinated(draw, ", but", ", aber", negations=0.3)


def _coordinated(draw: Draw, english: str, german: str, *, negations: float) -> Sentence:
    """Two clauses with this between them; the second is negated in this share (0 to 1) of cases."""
    first = draw_clause(draw, adverbs=0.2, negations=0.1, fits=_is_one_of_two)
    second = draw_clause(draw, adverbs=0.2, negations=negations, fits=_is_one_of_two)
    in_english = product(said_in_english(first)[:_ENOUGH], said_in_english(second)[:_ENOUGH])
    in_german = product(said_in_german(first)[:3], said_in_german(second)[:3])
    return written(
        (f"{one.statement}{english} {other.statement}" for one, other in in_english),
        (f"{one.main}{german} {other.main}" for one, other in in_german),
    )


def so_that(draw: Draw) -> Sentence:
    """He was so tired that he slept."""
    subject, state = draw.one_of(PRONOUNS), draw.one_of(_STATES)
    tense = draw.one_of((Tense.PRESENT, Tense.PAST))
    clause = draw_clause(draw, tenses=(tense,), negations=0.3, subject=subject)
    be, sein = be_and_sein(subject.person, tense)
    return written(
        [f"{subject.english()} {be} so {state.english} that {said_in_english(clause)[0].statement}"],
        (
            f"{subject.german()} {sein} so {german}, dass {said.subordinate}"
            for german in state.german
            for said in said_in_german(clause)
        ),
    )


def _is_one_of_two(clause: Clause) -> bool:
    """Whether it goes with another: it begins with the subject, and that is not you, who might be one or two then."""
    return begins_with_subject(clause) and clause.subject not in YOU
