"""A clause in English: as a statement, a question or an infinitive, in all its ways."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from model.grammar.categories import AdverbTrait, Case, Person, Position, Tense, VerbTrait
from model.grammar.verb_forms import AM, DO, HAVE, WAS
from model.grammar.writing import joined

if TYPE_CHECKING:
    from model.grammar.clauses import Clause

__all__ = [
    "EnglishClause",
    "infinitive_in_english",
    "ing_in_english",
    "negated",
    "participle_in_english",
    "said_in_english",
]

_CONTRACTED = {"can": "can't", "will": "won't"}
_FORMS = {"be": AM, "was": WAS, "do": DO}
_NEVER_CONTRACTED = frozenset({*AM.values(), *WAS.values(), *HAVE.values()})


class EnglishClause(NamedTuple):
    """One way to say a clause.

    `predicate` is the verb in a statement, with negation and with an adverb in the middle; `auxiliary` and `rest`,
    without negation, are what a question has before and after the subject. `front` and `end` have an adverb.
    """

    front: str
    subject: str
    predicate: str
    auxiliary: str
    rest: str
    complements: str
    end: str

    @property
    def statement(self) -> str:
        """Today he reads the book."""
        return joined(self.front, self.subject, self.about_subject)

    @property
    def about_subject(self) -> str:
        """All but the subject: reads the book."""
        return joined(self.predicate, self.complements, self.end)

    @property
    def question(self) -> str:
        """Does he read the book."""
        return joined(self.auxiliary, self.subject, self.rest, self.complements, self.end)


class _Way(NamedTuple):
    """What English leaves open: which tense of two, n't or not, a comma after the first word, a modal verb of two."""

    progressive: bool = False
    perfect: bool = False
    contracted: bool = False
    comma: bool = True
    modal: int = 0


def said_in_english(clause: Clause) -> list[EnglishClause]:
    """All ways to say a clause; at least one."""
    modals = range(len(clause.modal.rest)) if clause.modal else range(1)
    contracted = (False, True) if clause.negated else (False,)
    comma = (True, False) if clause.position is Position.FRONT else (True,)
    ways = product(modals, _progressive(clause), _perfect(clause), contracted, comma)
    return [_said(clause, _Way(p, h, c, k, modal)) for modal, p, h, c, k in ways]


def _complements(clause: Clause) -> str:
    """What follows the verb: objects, how it is done, and phrases with a preposition."""
    manner = clause.manner.english if clause.manner else ""
    if clause.phrase:
        what = clause.phrase.english
        return joined(manner, what) if clause.phrase.begins_with_preposition else joined(what, manner)
    objects, others = [], []
    for phrase, slot in clause.complements:
        said = phrase.english(Case.ACCUSATIVE, negated=clause.negated)
        if slot.english_preposition:
            others.append(f"{slot.english_preposition} {said}")
        else:
            objects.append(said)
    return joined(*objects, manner, *others)


def infinitive_in_english(clause: Clause) -> str:
    """Read the book; without subject and adverb."""
    return joined(clause.verb.english.base, _complements(clause))


def ing_in_english(clause: Clause) -> str:
    """Reading the book; of a verb that has this form."""
    return joined(clause.verb.english.ing, _complements(clause))


def participle_in_english(clause: Clause) -> str:
    """Read the book, after "have"."""
    return joined(clause.verb.english.participle, _complements(clause))


def _progressive(clause: Clause) -> tuple[bool, ...]:
    """Whether the present is: he is reading; the usual way first."""
    adverb, verb = clause.adverb, clause.verb
    if clause.tense is not Tense.PRESENT or not verb.english.ing:
        return (False,)
    if adverb and adverb.progressive:
        return (True,)
    if adverb and AdverbTrait.MAYBE_PROGRESSIVE not in adverb.traits:
        return (False,)
    return (True, False) if VerbTrait.POSTURE in verb.traits else (False, True)


def _perfect(clause: Clause) -> tuple[bool, ...]:
    """Whether the past is: he has read; the usual way first."""
    adverb = clause.adverb
    at_an_hour = clause.phrase is not None and "o'clock" in clause.phrase.english
    if clause.tense is not Tense.PAST or clause.verb.english.participle == "got" or at_an_hour:
        return (False,)  # "has got" is "has"
    if adverb and adverb.perfect:
        return (True,)
    return (False, True) if not adverb or AdverbTrait.MAYBE_PERFECT in adverb.traits else (False,)


def _said(clause: Clause, way: _Way) -> EnglishClause:
    adverb, position = (clause.adverb.english if clause.adverb else ""), clause.position
    middle = adverb if position is Position.MIDDLE else ""
    auxiliary, rest = _with_auxiliary(clause, way)
    alone = _without_auxiliary(clause, way)
    if clause.negated:
        predicate = joined(negated(auxiliary, contracted=way.contracted), middle, rest)
    elif alone:
        predicate = joined(middle, alone)
    else:
        predicate = joined(auxiliary, middle, rest)
    return EnglishClause(
        front=_front(clause, adverb, comma=way.comma) if position is Position.FRONT else "",
        subject=clause.subject.english(),
        predicate=predicate,
        auxiliary=auxiliary,
        rest=joined(middle, rest),
        complements=_complements(clause),
        end=adverb if position is Position.END else "",
    )


def _with_auxiliary(clause: Clause, way: _Way) -> tuple[str, str]:
    """The finite auxiliary, as questions and negations need it, and the rest of the verb."""
    verb, person = clause.verb.english, clause.person
    if clause.modal:
        auxiliary = clause.modal.auxiliary
        finite = _FORMS[auxiliary][person] if auxiliary in _FORMS else auxiliary
        return finite, joined(clause.modal.rest[way.modal], verb.base)
    if verb.after_be:
        return (AM if clause.tense is Tense.PRESENT else WAS)[person], verb.after_be
    if way.progressive:
        return AM[person], verb.ing
    if way.perfect:
        return HAVE[person], verb.participle
    return DO[person] if clause.tense is Tense.PRESENT else "did", verb.base


def _without_auxiliary(clause: Clause, way: _Way) -> str:
    """What a statement has instead: reads, wants to read; empty where it has the auxiliary, too."""
    verb, person = clause.verb.english, clause.person
    if clause.modal:
        if not clause.modal.finite:
            return ""
        first, third = clause.modal.finite[way.modal]
        return joined(third if person is Person.IT else first, verb.base)
    if verb.after_be or way.progressive or way.perfect:
        return ""
    return verb.present(person) if clause.tense is Tense.PRESENT else verb.past(person)


def negated(auxiliary: str, *, contracted: bool = False) -> str:
    """With "not", or as one word."""
    if auxiliary == "can" and not contracted:
        return "cannot"
    if not contracted or auxiliary in _NEVER_CONTRACTED:  # these are contracted where all sentences are respelled
        return f"{auxiliary} not"
    return _CONTRACTED.get(auxiliary, f"{auxiliary}n't")


def _front(clause: Clause, adverb: str, *, comma: bool) -> str:
    no_comma = clause.adverb is not None and AdverbTrait.NO_COMMA in clause.adverb.traits
    return adverb if no_comma or not comma else f"{adverb},"
