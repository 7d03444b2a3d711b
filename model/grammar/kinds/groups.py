"""Some, all or none of several people: everyone, both of us, neither of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from model.grammar.categories import AdverbTrait, Case, Person
from model.grammar.clauses import begins_with_subject, can_be_asked, draw_clause
from model.grammar.english_clauses import said_in_english
from model.grammar.german_clauses import said_in_german
from model.grammar.kinds.attributes import with_object
from model.grammar.noun_phrases import Phrase
from model.grammar.phrases import PEOPLE
from model.grammar.writing import written

if TYPE_CHECKING:
    from model.grammar.clauses import Clause
    from model.grammar.drawing import Draw
    from model.grammar.writing import Sentence

__all__ = ["Several", "several", "stated", "to_several"]


@dataclass(frozen=True, slots=True)
class Several(Phrase):
    """A pronoun, the same in all cases of English; what it agrees with is that of one language."""

    word: str
    nominative: str
    accusative: str
    dative: str
    of: Person = Person.IT
    denying: bool = False

    @property
    def person(self) -> Person:
        """What the verb agrees with."""
        return self.of

    @property
    def negative(self) -> bool:
        """None of them."""
        return self.denying

    @property
    def quantified(self) -> bool:
        """All others."""
        return not self.denying

    def english(self, case: Case = Case.NOMINATIVE, *, negated: bool = False) -> str:  # noqa: ARG002
        """All of us."""
        return self.word

    def german(self, case: Case = Case.NOMINATIVE, *, negated: bool = False) -> str:  # noqa: ARG002
        """Wir alle, uns alle, uns allen."""
        return {Case.NOMINATIVE: self.nominative, Case.ACCUSATIVE: self.accusative}.get(case, self.dative)


def several(draw: Draw) -> Sentence:
    """Everyone is waiting; neither of us reads; or the question."""
    english, germans = _draw_several(draw)
    asked = draw.chance(0.2) and not english.denying
    clause = draw_clause(
        draw,
        adverbs=0.3,
        subject=english,
        fits=lambda one: (
            (can_be_asked(one) if asked else begins_with_subject(one) or not one.verb.reflexive)
            and not (one.adverb and AdverbTrait.DENYING in one.adverb.traits)
            and not (english.denying and one.modal and one.modal.auxiliary == "must")
            and not any(phrase.english(Case.ACCUSATIVE) in {"me", "us"} for phrase, _ in one.complements)
        ),
    )
    clauses = [replace(clause, subject=german) for german in germans]
    if asked:
        return written(
            (said.question for said in said_in_english(clause)),
            (said.inverted for one in clauses for said in said_in_german(one)),
            "?",
        )
    return stated([clause], clauses)


def to_several(draw: Draw) -> Sentence:
    """I know all of them."""
    english, germans = _draw_several(draw, " of us")
    verbs = [verb for verb in draw.lexicon.verbs if len(verb.slots) == 1 and verb.slots[0].kinds & PEOPLE]
    clause = draw_clause(draw, verbs=verbs, fits=lambda one: not one.subject.negative)
    return stated([with_object(clause, english)], [with_object(clause, german) for german in germans])


def _draw_several(draw: Draw, besides: str = "none") -> tuple[Several, list[Several]]:
    """One for English and what it may be in German; none that ends so."""
    group = draw.one_of([one for one in draw.lexicon.groups if not one.english.endswith(besides)])
    germans = [Several(group.english, *way, denying=group.negative) for way in group.german]
    return replace(germans[0], of=group.person), germans


def stated(english: list[Clause], german: list[Clause] | None = None) -> Sentence:
    """These in English, and in German, where they are the same if none are given."""
    return written(
        (said.statement for one in english for said in said_in_english(one)),
        (said.main for one in german or english for said in said_in_german(one)),
    )
