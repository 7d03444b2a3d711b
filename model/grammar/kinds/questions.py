"""Questions: whether, who, what, when, which, how many, how, whose."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from model.grammar.categories import AdverbTrait, Case, Kind, Position, Tense, VerbTrait
from model.grammar.clauses import begins_with_subject, can_be_asked, draw_clause
from model.grammar.determiners import Determiner, strong_form
from model.grammar.english_clauses import negated, said_in_english
from model.grammar.german_clauses import said_in_german
from model.grammar.lexicon import Adverb, expression
from model.grammar.noun_phrases import WHO, Indefinite
from model.grammar.phrases import ANIMATE, draw_adjective, draw_noun_phrase
from model.grammar.verb_forms import be_and_sein
from model.grammar.writing import joined, written

if TYPE_CHECKING:
    from model.grammar.clauses import Clause
    from model.grammar.drawing import Draw
    from model.grammar.writing import Sentence

__all__ = [
    "asked_with",
    "how",
    "how_many",
    "lasted",
    "when_or_where",
    "whether",
    "which",
    "who",
    "whom_or_what",
    "whose",
    "why_not",
]

_TENSES = (Tense.PRESENT, Tense.PAST, Tense.MODAL)
_STAYING = frozenset({VerbTrait.LASTING, VerbTrait.RESTING, VerbTrait.POSTURE})

_WORDS = (
    expression("when", "wann"),
    expression("why", "warum"),
    expression("how often", "wie oft"),
    expression("where", "wo"),
    expression("how long", "wie lange"),
)
_TENSES_OF = {
    "when": frozenset({AdverbTrait.MAYBE_PROGRESSIVE}),
    "how often": frozenset({AdverbTrait.MAYBE_PERFECT}),
    "how long": frozenset[AdverbTrait](),
}
"""Which English tenses of two go with these words: neither "when has he read" nor "how often is he reading"."""


def whether(draw: Draw) -> Sentence:
    """Does he often read the book?"""
    clause = draw_clause(draw, tenses=(Tense.PRESENT, *_TENSES), adverbs=0.25, fits=can_be_asked)
    return _asked(clause)


def who(draw: Draw) -> Sentence:
    """Who reads the book?"""
    clause = draw_clause(draw, adverbs=0.2, negations=0.1, subject=WHO, fits=begins_with_subject)
    return written(
        (said.statement for said in said_in_english(clause)), (said.main for said in said_in_german(clause)), "?"
    )


def whom_or_what(draw: Draw) -> Sentence:
    """What does he read?"""
    clause = _clause_without_object(draw)
    (slot,) = clause.verb.slots
    return _asked(clause, *(("who", "wen") if slot.kinds <= ANIMATE else ("what", "was")))


def which(draw: Draw) -> Sentence:
    """Which book does he read?"""
    clause = _clause_without_object(draw)
    (slot,) = clause.verb.slots
    noun = draw_noun_phrase(draw, slot.kinds, determiners=(Determiner.THE,), adjectives=0.0)
    welch = strong_form("welch", noun.gender, Case.ACCUSATIVE)
    return _asked(clause, f"which {noun.bare_english}", f"{welch} {noun.german_noun(Case.ACCUSATIVE)}")


def how_many(draw: Draw) -> Sentence | None:
    """How many books does he read?"""
    clause = _clause_without_object(draw)
    (slot,) = clause.verb.slots
    noun = draw_noun_phrase(draw, slot.kinds, determiners=(Determiner.NONE,), adjectives=0.0).noun
    if Kind.SOLE_RELATIVE in noun.kinds:
        return None
    return _asked(clause, f"how many {noun.english_plural}", f"wie viele {noun.german_plural}")


def when_or_where(draw: Draw) -> Sentence:
    """When does he read the book? Why, how often, where, how long?"""
    word = draw.one_of(_WORDS)

    def fits(clause: Clause) -> bool:
        phrase = clause.phrase
        placed = clause.at_a_place or VerbTrait.PLACELESS in clause.verb.traits
        return (
            can_be_asked(clause)
            and not isinstance(clause.subject, Indefinite)
            and not (word.english == "where" and placed)
            and not (word.english == "when" and phrase is not None and phrase.is_time)
            and not (word.english == "how long" and not lasted(clause))
        )

    clause = asked_with(word.english, draw_clause(draw, tenses=_TENSES, fits=fits))
    return _asked(clause, word.english, *word.german)


def lasted(clause: Clause) -> bool:
    """Whether it may be asked how long; not of the present, which is another tense then: how long has he been here."""
    return clause.tense is not Tense.PRESENT and not clause.verb.traits.isdisjoint(_STAYING)


def asked_with(word: str, clause: Clause) -> Clause:
    """A clause without adverbs, in the tenses only that go with the word of a question."""
    if word not in _TENSES_OF:
        return clause
    nothing = Adverb("", ("",), (Position.END,), traits=_TENSES_OF[word])
    return replace(clause, adverb=nothing, position=Position.END)


def why_not(draw: Draw) -> Sentence:
    """Why doesn't he read the book?"""
    clause = draw_clause(
        draw,
        tenses=(Tense.PRESENT, Tense.PAST),
        negations=1.0,
        fits=lambda one: one.negated and not one.verb.english.after_be,
    )
    simple = (said for said in said_in_english(clause) if said.auxiliary in {"do", "does", "did"})
    asked = (said._replace(auxiliary=negated(said.auxiliary, contracted=True)).question for said in simple)
    return written(
        (f"why {question}" for question in asked),
        (f"warum {said.inverted}" for said in said_in_german(clause)),
        "?",
    )


def how(draw: Draw) -> Sentence | None:
    """How big is the house?"""
    kinds = (Kind.PERSON, Kind.VEHICLE, Kind.BUILDING, Kind.SIGHT, Kind.TEXT, Kind.ANIMAL, Kind.WORK)
    determiners = (Determiner.THE, Determiner.THIS, Determiner.MY)
    noun = draw_noun_phrase(draw, {draw.one_of(kinds)}, determiners=determiners, adjectives=0.0)
    adjective = draw_adjective(draw, noun.noun.kinds, gradable=True)
    if adjective is None:
        return None
    be, sein = be_and_sein(noun.person, draw.one_of((Tense.PRESENT, Tense.PRESENT, Tense.PRESENT, Tense.PAST)))
    return written(
        [f"how {adjective.english} {be} {noun.english()}"], [f"wie {adjective.german} {sein} {noun.german()}"], "?"
    )


def whose(draw: Draw) -> Sentence:
    """Whose book is that?"""
    kinds = (Kind.THING, Kind.VEHICLE, Kind.TEXT, Kind.GARMENT)
    noun = draw_noun_phrase(draw, {draw.one_of(kinds)}, determiners=(Determiner.THE,), adjectives=0.0)
    that, this = ("those", "these") if noun.plural else ("that", "this")
    be, sein = be_and_sein(noun.person, Tense.PRESENT)
    return written(
        (f"whose {noun.bare_english} {be} {one}" for one in (that, this)),
        [f"wessen {noun.german_noun(Case.NOMINATIVE)} {sein} das"],
        "?",
    )


def _clause_without_object(draw: Draw) -> Clause:
    """Of a verb whose only complement is asked for."""
    clause = draw_clause(
        draw,
        tenses=_TENSES,
        verbs=[verb for verb in draw.lexicon.verbs if verb.takes_accusative],
        fits=lambda one: can_be_asked(one) and not isinstance(one.subject, Indefinite),
    )
    return replace(clause, complements=())


def _asked(clause: Clause, english: str = "", german: str = "") -> Sentence:
    """The question that begins with these words."""
    return written(
        (joined(english, said.question) for said in said_in_english(clause)),
        (joined(german, said.inverted) for said in said_in_german(clause)),
        "?",
    )
