"""A clause: who does what to whom, when and how, drawn at random. Others say it, in English and in German."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from model.grammar.categories import AdverbTrait, Position, Tense, VerbTrait
from model.grammar.determiners import Determiner
from model.grammar.manners import draw_manner
from model.grammar.noun_phrases import Indefinite, Phrase
from model.grammar.phrases import ANIMATE, draw_noun_phrase, draw_object, draw_subject

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from model.grammar.categories import Person
    from model.grammar.drawing import Draw
    from model.grammar.lexicon import Adverb, Expression, FixedPhrase, Modal, Slot, Verb

__all__ = ["Clause", "Complement", "begins_with_subject", "can_be_asked", "draw_clause"]

_FREQUENT_TENSES = (*[Tense.PRESENT] * 4, *[Tense.PAST] * 3, *[Tense.MODAL] * 3)
_GIVEN = (
    *[Determiner.THE] * 2,
    *[Determiner.A] * 2,
    Determiner.HIS,
    Determiner.THIS,
    Determiner.NONE,
    Determiner.MY,
)

_OF_PLACE = frozenset({"in", "vor", "durch"})
"""German prepositions with which a complement says where."""

_FEW = 0.15
"""Share of noun phrases with an adjective where there are two of them."""

_HOW = 0.4
"""Share of clauses that say how something is done, of those that can."""


class Complement(NamedTuple):
    """What fills one of the verb's slots."""

    phrase: Phrase
    slot: Slot


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A clause. It has complements or a fixed phrase, or neither; a modal verb if that is its tense."""

    subject: Phrase
    verb: Verb
    tense: Tense
    complements: tuple[Complement, ...] = ()
    phrase: FixedPhrase | None = None
    negated: bool = False
    modal: Modal | None = None
    adverb: Adverb | None = None
    position: Position | None = None
    manner: Expression | None = None

    @property
    def person(self) -> Person:
        """What the verb agrees with."""
        return self.subject.person

    @property
    def no_longer(self) -> bool:
        """Whether German says so with nicht mehr, or with kein before what it is said of."""
        return self.adverb is not None and AdverbTrait.ENDING in self.adverb.traits

    @property
    def denies(self) -> bool:
        """Whether an object, or what stands for one, is a negation, or would be read as one."""
        return (self.phrase is not None and not self.phrase.negated) or any(
            complement.phrase.negative or isinstance(complement.phrase, Indefinite) for complement in self.complements
        )

    @property
    def at_a_place(self) -> bool:
        """Whether it already says where."""
        return (self.phrase is not None and self.phrase.is_place) or any(
            complement.slot.german_preposition in _OF_PLACE for complement in self.complements
        )


def draw_clause(
    draw: Draw,
    *,
    tenses: Sequence[Tense] = _FREQUENT_TENSES,
    adverbs: float = 0.0,
    negations: float = 0.0,
    subject: Phrase | None = None,
    verbs: Sequence[Verb] = (),
    fits: Callable[[Clause], bool] = lambda _: True,
) -> Clause:
    """A clause.

    Args:
        draw: chance.
        tenses: one of these.
        adverbs: how many have one, 0 to 1.
        negations: how many are negated, 0 to 1, of those that can be.
        subject: or any.
        verbs: one of these, or of all.
        fits: what else it is to be like; others are drawn until one is.
    """
    fitting = [verb for verb in verbs or draw.lexicon.verbs if subject is None or subject.suits(verb.subjects)]
    while True:
        verb = draw.one_of(fitting)
        who = subject or draw_subject(draw, verb.subjects)
        tense = draw.one_of(tenses)
        phrase = draw.one_of(verb.phrases) if verb.phrases else None
        complements = _draw_complements(draw, verb, who)
        negated = draw.chance(negations) and _can_be_negated(who, complements, phrase)
        possible = [
            modal
            for modal in draw.lexicon.modals
            if (modal.negated or not negated) and (who.suits(ANIMATE) or not modal.animate)
        ]
        clause = Clause(
            subject=who,
            verb=verb,
            tense=tense,
            complements=complements,
            phrase=phrase,
            negated=negated,
            modal=draw.one_of(possible) if tense is Tense.MODAL else None,
        )
        if draw.chance(adverbs):
            clause = _with_adverb(draw, clause)
        if draw.chance(_HOW) and _can_say_how(clause):
            clause = replace(clause, manner=draw_manner(draw, verb, negated=negated))
        if fits(clause):
            return clause


def _draw_complements(draw: Draw, verb: Verb, subject: Phrase) -> tuple[Complement, ...]:
    if len(verb.slots) == 1:
        (slot,) = verb.slots
        return (Complement(draw_object(draw, slot.kinds, subject), slot),)
    if verb.slots:
        to_whom, what = verb.slots
        person = draw_object(draw, to_whom.kinds, subject, adjectives=_FEW)
        thing = draw_noun_phrase(draw, what.kinds, determiners=_GIVEN, adjectives=_FEW)
        return Complement(person, to_whom), Complement(thing, what)
    return ()


def _can_be_negated(subject: Phrase, complements: Sequence[Complement], phrase: FixedPhrase | None) -> bool:
    """Whether it would be clear what is denied, and nothing is already."""
    phrases = (subject, *(complement.phrase for complement in complements))
    return not any(one.negative or one.quantified for one in phrases) and (phrase is None or bool(phrase.negated))


def _with_adverb(draw: Draw, clause: Clause) -> Clause:
    """With one that goes with everything else, if there is any."""
    fitting = [adverb for adverb in draw.lexicon.adverbs if _suits_tense(adverb, clause) and _suits(adverb, clause)]
    if not fitting:
        return clause
    adverb = draw.one_of(fitting)
    return replace(clause, adverb=adverb, position=draw.one_of(adverb.positions))


def _can_say_how(clause: Clause) -> bool:
    """Whether what says how something is done has its place: beside some adverbs, and not beside kein."""
    takes_up_negation = any(complement.phrase.indefinite for complement in clause.complements)
    if clause.phrase:
        takes_up_negation = "nicht" not in clause.phrase.negated.split()
    return (
        not clause.denies
        and not (clause.negated and takes_up_negation)
        and (clause.adverb is None or AdverbTrait.TIMED in clause.adverb.traits)
    )


def _suits_tense(adverb: Adverb, clause: Clause) -> bool:
    if clause.modal and clause.modal.past:
        return Tense.PAST in adverb.tenses and Position.MIDDLE not in adverb.positions
    if clause.modal and clause.modal.auxiliary == "could" and adverb.tenses == {Tense.MODAL}:
        return False  # German konnte is of the past, which tomorrow is not
    if clause.tense in adverb.tenses:
        return True
    if clause.tense is Tense.PRESENT:
        return adverb.progressive and bool(clause.verb.english.ing)
    return clause.tense is Tense.PAST and adverb.perfect


def _suits(adverb: Adverb, clause: Clause) -> bool:
    """Whether it goes with everything but the tense."""
    traits, phrase = adverb.traits, clause.phrase
    resting = VerbTrait.RESTING in clause.verb.traits
    denies = clause.subject.negative or clause.denies
    return not (
        (clause.negated and AdverbTrait.NEGATED not in traits)
        or (denies and AdverbTrait.DENYING in traits)
        or (clause.subject.negative and AdverbTrait.AFFIRMING in traits)
        or (phrase is not None and phrase.is_time and AdverbTrait.TIMED not in traits)
        or ((resting or clause.at_a_place) and AdverbTrait.PLACE in traits)
        or (resting and AdverbTrait.SUDDEN in traits)
        or (not clause.verb.english.ing and AdverbTrait.DYNAMIC in traits)
        or (AdverbTrait.PLURAL in traits and not clause.person.plural)
    )


def begins_with_subject(clause: Clause) -> bool:
    """Whether no adverb comes first, so that another word may."""
    return clause.position is not Position.FRONT


def can_be_asked(clause: Clause) -> bool:
    """Whether it makes a question."""
    return begins_with_subject(clause) and not clause.subject.negative and (not clause.modal or clause.modal.asked)
