"""Noun phrases with another behind them: the key to the house, a letter from the bank."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from model.grammar.categories import Case, Kind, Tense
from model.grammar.clauses import Complement, draw_clause
from model.grammar.determiners import Determiner
from model.grammar.english_clauses import said_in_english
from model.grammar.german_clauses import contracted, said_in_german
from model.grammar.kinds.degrees import DEGREES, suits
from model.grammar.noun_phrases import NounPhrase, Phrase
from model.grammar.phrases import PEOPLE, draw_adjective, draw_subject
from model.grammar.verb_forms import HABE, HATTE, HAVE, be_and_sein
from model.grammar.writing import joined, written

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from model.grammar.categories import Person
    from model.grammar.clauses import Clause
    from model.grammar.drawing import Draw
    from model.grammar.lexicon import Attribute, Noun
    from model.grammar.writing import Sentence

__all__ = [
    "Attributed",
    "attributed_object",
    "attributed_subject",
    "described",
    "draw_attributed",
    "having",
    "with_object",
]

_OWN = (Determiner.MY, Determiner.HIS, Determiner.HER, Determiner.OUR)


@dataclass(frozen=True, slots=True)
class Attributed(Phrase):
    """A noun phrase, and what is behind it in both languages."""

    head: NounPhrase
    behind: str
    dahinter: str

    @property
    def person(self) -> Person:
        """What the verb agrees with."""
        return self.head.person

    @property
    def indefinite(self) -> bool:
        """A letter from the bank."""
        return self.head.indefinite

    @property
    def negative(self) -> bool:
        """No letter from the bank."""
        return self.head.negative

    @property
    def quantified(self) -> bool:
        """Two letters from the bank."""
        return self.head.quantified

    def suits(self, kinds: frozenset[Kind]) -> bool:
        """Whether the first noun is of one of these kinds."""
        return self.head.suits(kinds)

    def english(self, case: Case = Case.NOMINATIVE, *, negated: bool = False) -> str:
        """The key to the house."""
        return f"{self.head.english(case, negated=negated)} {self.behind}"

    def german(self, case: Case = Case.NOMINATIVE, *, negated: bool = False) -> str:
        """Der Schlüssel zum Haus."""
        return f"{self.head.german(case, negated=negated)} {self.dahinter}"


def draw_attributed(
    draw: Draw, kinds: Collection[Kind] = (), *, determiners: Sequence[Determiner] = (Determiner.THE,)
) -> Attributed:
    """The key to the house; of these kinds, or any.

    Args:
        draw: chance.
        kinds: of the first noun.
        determiners: of it, one of these.
    """
    while True:
        attribute = draw.one_of(draw.lexicon.attributes)
        heads = [
            noun
            for noun in draw.lexicon.nouns
            if noun.english in attribute.heads and not (kinds and noun.kinds.isdisjoint(kinds))
        ]
        behind = [noun for noun in draw.lexicon.nouns if _goes_behind(noun, attribute)]
        if heads and behind:
            break
    other = draw.one_of(behind)
    own = Kind.RELATIVE in other.kinds and Kind.PERSON not in other.kinds
    determiner = draw.one_of(_OWN) if own else Determiner(draw.one_of(attribute.determiners))
    said = NounPhrase(other, determiner)
    head = draw.one_of(heads)
    first = draw.one_of(determiners)
    several = first is Determiner.THE and Kind.PERSON not in head.kinds and head.english != "way" and draw.chance(0.12)
    return Attributed(
        NounPhrase(head, first, several),
        f"{attribute.english} {said.english()}",
        contracted(f"{attribute.german} {said.german(attribute.case)}"),
    )


def attributed_subject(draw: Draw) -> Sentence:
    """The man with the dog sleeps."""
    subject = draw_attributed(draw, PEOPLE)
    return _stated(draw_clause(draw, adverbs=0.4, negations=0.1, subject=subject))


def attributed_object(draw: Draw) -> Sentence | None:
    """He lost the key to the house; he has an appointment with the doctor."""
    what = draw_attributed(draw, determiners=(Determiner.THE, Determiner.THE, Determiner.A))
    verbs = [verb for verb in draw.lexicon.verbs if verb.takes_accusative and what.suits(verb.slots[0].kinds)]
    if not verbs and what.head.noun.english == "way":
        return None
    if not verbs:
        return having(draw, replace(what, head=replace(what.head, determiner=Determiner.A, plural=False)))
    clause = draw_clause(draw, adverbs=0.35, negations=0.1, verbs=verbs)
    return _stated(with_object(clause, what))


def described(draw: Draw) -> Sentence | None:
    """The shower in our room is broken; or the question; or where it is."""
    subject = draw_attributed(draw)
    be, sein = be_and_sein(subject.person, draw.one_of((Tense.PRESENT, Tense.PRESENT, Tense.PAST)))
    if draw.chance(0.25) and " zu" in f" {subject.dahinter}":
        return written([f"where {be} {subject.english()}"], [f"wo {sein} {subject.german()}"], "?")
    attribute = draw_adjective(draw, subject.head.noun.kinds, states=True)
    if attribute is None:
        return None
    degree, (grad,) = draw.one_of([one for one in DEGREES if suits(one, attribute)])
    how, wie = joined(degree, attribute.english), joined(grad, attribute.german)
    if draw.chance(0.25):
        return written([f"{be} {subject.english()} {how}"], [f"{sein} {subject.german()} {wie}"], "?")
    return written([f"{subject.english()} {be} {how}"], [f"{subject.german()} {sein} {wie}"])


def _goes_behind(noun: Noun, attribute: Attribute) -> bool:
    return noun.english in attribute.nouns or any(f"kind:{kind}" in attribute.nouns for kind in noun.kinds)


def with_object(clause: Clause, what: Phrase) -> Clause:
    """A clause with this object instead of the last."""
    *others, last = clause.complements
    return replace(clause, complements=(*others, Complement(what, last.slot)))


def having(draw: Draw, what: Phrase) -> Sentence:
    """He has an appointment with the doctor."""
    subject = draw_subject(draw, PEOPLE)
    past = draw.chance(0.3)
    have, habe = ("had" if past else HAVE[subject.person]), (HATTE if past else HABE)[subject.person]
    return written(
        [f"{subject.english()} {have} {what.english(Case.ACCUSATIVE)}"],
        [f"{subject.german()} {habe} {what.german(Case.ACCUSATIVE)}"],
    )


def _stated(clause: Clause) -> Sentence:
    return written((said.statement for said in said_in_english(clause)), (said.main for said in said_in_german(clause)))
