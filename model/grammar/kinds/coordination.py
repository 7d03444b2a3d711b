"""Two of a kind in one clause: my brother and I, either the book or the lamp; lost it and bought another."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING

from model.grammar.categories import Case, Person, Tense
from model.grammar.clauses import Complement, begins_with_subject, draw_clause
from model.grammar.determiners import Determiner
from model.grammar.english_clauses import said_in_english
from model.grammar.german_clauses import said_in_german
from model.grammar.noun_phrases import PRONOUNS, Name, Phrase, Pronoun
from model.grammar.phrases import PEOPLE, draw_noun_phrase
from model.grammar.writing import joined, written

if TYPE_CHECKING:
    from model.grammar.clauses import Clause
    from model.grammar.drawing import Draw
    from model.grammar.german_clauses import GermanClause
    from model.grammar.writing import Sentence

__all__ = ["two_objects", "two_predicates", "two_subjects"]

_I = PRONOUNS[0]
_OWN = (Determiner.MY, Determiner.HIS, Determiner.HER, Determiner.OUR, Determiner.THE)

_BETWEEN = (
    (("", "and"), ("", "und")),
    (("", "and"), ("", "und")),
    (("", "or"), ("", "oder")),
    (("either", "or"), ("entweder", "oder")),
    (("both", "and"), ("sowohl", "als auch")),
    (("not only", "but also"), ("nicht nur", "sondern auch")),
    (("neither", "nor"), ("weder", "noch")),
)
"""What stands before and between two objects."""


@dataclass(frozen=True, slots=True)
class _Both(Phrase):
    """Two phrases, and what stands before and between them in both languages."""

    one: Phrase
    other: Phrase
    english_words: tuple[str, str] = ("", "and")
    german_words: tuple[str, str] = ("", "und")

    @property
    def person(self) -> Person:
        """What the verb agrees with: we, if one of them is I."""
        return Person.WE if Person.I in {self.one.person, self.other.person} else Person.THEY

    @property
    def negative(self) -> bool:
        """Neither of them."""
        return self.english_words[0] == "neither"

    @property
    def quantified(self) -> bool:
        """So that no negation is added to it."""
        return not self.negative

    def english(self, case: Case = Case.NOMINATIVE, *, negated: bool = False) -> str:  # noqa: ARG002
        """My brother and I."""
        before, between = self.english_words
        return joined(before, self.one.english(case), between, self.other.english(case))

    def german(self, case: Case = Case.NOMINATIVE, *, negated: bool = False) -> str:  # noqa: ARG002
        """Mein Bruder und ich."""
        before, between = self.german_words
        separator = "," if before == "nicht nur" else ""
        return joined(before, self.one.german(case) + separator, between, self.other.german(case))


def two_subjects(draw: Draw) -> Sentence:
    """My brother and I read the book."""
    both = _draw_people(draw)
    clause = draw_clause(
        draw,
        adverbs=0.35,
        subject=both,
        fits=lambda one: (
            (begins_with_subject(one) or not one.verb.reflexive)
            and not (one.phrase is not None and "me" in one.phrase.english.split())
            and not any(
                isinstance(phrase, Pronoun) and phrase.person in {both.person, Person.I}
                for phrase, _ in one.complements
            )
        ),
    )
    return _stated(clause)


def two_objects(draw: Draw) -> Sentence | None:
    """He buys either the book or the lamp; knows both Peter and Maria."""
    words, worte = draw.one_of(_BETWEEN)
    verbs = [verb for verb in draw.lexicon.verbs if verb.takes_accusative]
    clause = draw_clause(
        draw,
        adverbs=0.25,
        verbs=verbs,
        fits=lambda one: (
            not one.subject.negative
            and not one.subject.quantified
            and not (one.adverb and one.adverb.traits)
            and not (one.modal and words[0] == "neither")
        ),
    )
    (last,) = clause.complements
    determiners = (Determiner.THE, Determiner.THE, Determiner.A, Determiner.MY)
    one, other = (draw_noun_phrase(draw, last.slot.kinds, determiners=determiners, adjectives=0.15) for _ in range(2))
    if other.noun.english == one.noun.english or other.quantity or one.quantity:
        return None
    both = _Both(one, other, words, worte)
    return _stated(replace(clause, complements=(Complement(both, last.slot),), manner=None))


def two_predicates(draw: Draw) -> Sentence | None:
    """He lost the key and cannot open the door."""
    first = draw_clause(draw, tenses=(Tense.PRESENT, Tense.PAST), fits=lambda one: not one.subject.negative)
    others = [verb for verb in draw.lexicon.verbs if verb.english.base != first.verb.english.base]
    if not any(first.subject.suits(verb.subjects) for verb in others):
        return None
    but = draw.chance(0.3)
    second = draw_clause(
        draw,
        tenses=(first.tense, first.tense, Tense.MODAL),
        negations=0.7 if but else 0.2,
        subject=first.subject,
        verbs=others,
    )
    conjunction, konjunktion = (" but", ", aber") if but else (" and", " und")
    ways = said_in_english(second)[: 2 if second.negated else 1]  # n't is the second
    one, german = said_in_english(first)[0], product(said_in_german(first), said_in_german(second))
    same_tense = first.tense is second.tense
    return written(
        (f"{one.statement}{conjunction} {other.about_subject}" for other in ways),
        (
            f"{erst.main}{konjunktion} {_after(erst, dann)}"
            for erst, dann in german
            if erst.perfect == dann.perfect or not same_tense
        ),
    )


def _draw_people(draw: Draw) -> _Both:
    """Two people; the second may be I."""
    names = [Name(name) for name in draw.lexicon.names]
    how = draw.one_of(("names", "and I", "and I", "nouns", "name and noun"))
    if how == "names":
        return _Both(*draw.two_of(names))
    one = _draw_person(draw)
    if how == "and I":
        return _Both(draw.one_of((one, one, draw.one_of(names))), _I)
    if how == "name and noun":
        return _Both(draw.one_of(names), one)
    other = _draw_person(draw)
    while other.english().split()[-1] == one.english().split()[-1]:
        other = _draw_person(draw)
    return _Both(one, other)


def _draw_person(draw: Draw) -> Phrase:
    """My brother, the teacher."""
    while True:
        drawn = draw_noun_phrase(draw, PEOPLE, determiners=_OWN, adjectives=0.0)
        if not drawn.plural:
            return drawn


def _after(first: GermanClause, said: GermanClause) -> str:
    """What follows und: kann die Tür nicht öffnen; without an auxiliary that is there already."""
    again = first.perfect and said.perfect and first.finite == said.finite
    return joined("" if again else said.finite, said.middle, said.end)


def _stated(clause: Clause) -> Sentence:
    return written((said.statement for said in said_in_english(clause)), (said.main for said in said_in_german(clause)))
