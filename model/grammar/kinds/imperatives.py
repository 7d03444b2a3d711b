"""What somebody is asked to do, or not to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from model.grammar.categories import Tense, VerbTrait
from model.grammar.clauses import draw_clause
from model.grammar.english_clauses import infinitive_in_english
from model.grammar.german_clauses import said_in_german
from model.grammar.noun_phrases import POLITE_YOU, PRONOUNS
from model.grammar.writing import written

if TYPE_CHECKING:
    from model.grammar.clauses import Clause
    from model.grammar.drawing import Draw
    from model.grammar.noun_phrases import Pronoun
    from model.grammar.writing import Sentence

__all__ = ["prohibition", "proposal", "request"]

_WE = PRONOUNS[3]


def request(draw: Draw) -> Sentence:
    """Please read the book."""
    clause = _voluntary(draw, POLITE_YOU)
    return written(
        [f"please {infinitive_in_english(clause)}"], (f"bitte {said.inverted}" for said in said_in_german(clause))
    )


def prohibition(draw: Draw) -> Sentence:
    """Don't read the book!"""
    clause = _voluntary(draw, POLITE_YOU, negations=1.0)
    what = infinitive_in_english(clause)
    english = [f"{do_not} {what}" for do_not in ("don't", "do not")]
    return written(english, (said.inverted for said in said_in_german(clause)), draw.one_of("!."))


def proposal(draw: Draw) -> Sentence:
    """Let's read the book."""
    clause = _voluntary(draw, _WE, reflexive=False)
    return written(
        [f"let's {infinitive_in_english(clause)}"], (f"lass uns {said.infinitive}" for said in said_in_german(clause))
    )


def _voluntary(draw: Draw, subject: Pronoun, *, negations: float = 0.0, reflexive: bool = True) -> Clause:
    """What one can choose to do; all are negated, or none; without `reflexive`, not with such a verb in German."""
    return draw_clause(
        draw,
        tenses=(Tense.PRESENT,),
        negations=negations,
        subject=subject,
        fits=lambda one: (
            VerbTrait.INVOLUNTARY not in one.verb.traits
            and one.negated == bool(negations)
            and (reflexive or not one.verb.reflexive)
        ),
    )
