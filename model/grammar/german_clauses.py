"""A clause in German: in each of its word orders, in all its ways."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from model.grammar.categories import Case, Position, Tense
from model.grammar.noun_phrases import Name, NounPhrase, Pronoun
from model.grammar.verb_forms import REFLEXIVE, GermanVerb
from model.grammar.writing import joined

if TYPE_CHECKING:
    from collections.abc import Sequence

    from model.grammar.clauses import Clause, Complement
    from model.grammar.lexicon import FixedPhrase

__all__ = ["GermanClause", "contracted", "said_in_german"]

_CONTRACTIONS = {
    "in dem": "im",
    "an dem": "am",
    "von dem": "vom",
    "zu dem": "zum",
    "zu der": "zur",
    "bei dem": "beim",
    "in das": "ins",
}


class GermanClause(NamedTuple):
    """One way to say a clause.

    `front` has an adverb that comes first; `middle` whatever stands between the verb's two parts; `end` the second
    part: prefix, infinitive or participle. `ahead` are pronouns, at the beginning of `middle`, that come before a
    subject behind the verb: deshalb freut sich das Kind.
    """

    front: str
    subject: str
    finite: str
    middle: str
    end: str
    verb: GermanVerb
    perfect: bool
    ahead: str = ""

    @property
    def main(self) -> str:
        """Er sieht das Bild an; heute sieht er das Bild an."""
        if self.front:
            return joined(self.front, self.inverted)
        return joined(self.subject, self.finite, self.middle, self.end)

    @property
    def inverted(self) -> str:
        """Sieht er das Bild an."""
        return joined(self.finite, self._subject_and_middle, self.end)

    @property
    def subordinate(self) -> str:
        """Er das Bild ansieht."""
        return joined(self._subject_and_middle, self._verb_at_end)

    @property
    def about_subject(self) -> str:
        """Das Bild ansieht: subordinate, without the subject."""
        return joined(self.middle, self._verb_at_end)

    @property
    def _subject_and_middle(self) -> str:
        return joined(self.ahead, self.subject, self.middle.removeprefix(self.ahead).lstrip())

    @property
    def _verb_at_end(self) -> str:
        if self.verb.prefix and self.end == self.verb.prefix:
            return self.end + self.finite
        return joined(self.end, self.finite)

    def with_finite(self, finite: str) -> GermanClause:
        """With another form of the finite verb."""
        return self._replace(finite=finite)

    @property
    def zu_infinitive(self) -> str:
        """Das Bild anzusehen."""
        return joined(self.middle, self.verb.zu_infinitive)

    @property
    def infinitive(self) -> str:
        """Das Bild ansehen."""
        return joined(self.middle, self.verb.infinitive)


def said_in_german(clause: Clause) -> list[GermanClause]:
    """All ways to say a clause; at least one. The preterite stands before the perfect, and sich behind the subject."""
    adverbs = clause.adverb.german if clause.adverb else ("",)
    manners = clause.manner.german if clause.manner else ("",)
    modals = clause.modal.german if clause.modal else (None,)
    perfects = _perfect(clause)
    subject, person = clause.subject.german(), clause.person
    said = []
    for verb, adverb, modal, perfect, manner in product(clause.verb.german, adverbs, modals, perfects, manners):
        if modal:
            finite, end = modal[person], verb.infinitive
        elif perfect:
            finite, end = verb.auxiliary_of(person), verb.participle
        elif clause.tense is Tense.PAST:
            finite, end = verb.preterite(person), verb.prefix
        else:
            finite, end = verb.present(person), verb.prefix
        front = adverb if clause.position is Position.FRONT else ""
        middle = _middle(clause, "" if front or clause.no_longer else adverb, manner)
        said.append(GermanClause(front, subject, finite, middle, end, verb, perfect))
    ahead = _ahead(clause)
    return [*said, *(one._replace(ahead=ahead) for one in said)] if ahead else said


def _perfect(clause: Clause) -> tuple[bool, ...]:
    """Whether the past is: er hat gelesen; where English has only that, German has not the preterite either."""
    if clause.tense is not Tense.PAST:
        return (False,)
    finished = clause.adverb is not None and clause.adverb.perfect and not clause.verb.english.after_be
    return (True,) if finished else (False, True)


def contracted(text: str) -> str:
    """A phrase whose first two words may be one: im Haus, not in dem Haus."""
    for two, one in _CONTRACTIONS.items():
        if text.startswith(f"{two} "):
            return one + text.removeprefix(two)
    return text


def _middle(clause: Clause, adverb: str, manner: str) -> str:
    """Pronouns, adverb, objects, negation, how it is done and phrases with a preposition, in that order."""
    early = _early(clause)
    if clause.phrase:
        return joined(*early, adverb, _fixed(clause.phrase, clause, manner))
    later = [one for one in clause.complements if not _is_early(one)]
    carrier = _carrier(clause, later)
    objects, others = [], []
    for one in later:
        (phrase, slot), carries = one, one is carrier
        if slot.german_noun:
            objects.append(f"keine {slot.german_noun}" if carries else slot.german_noun)
        said = phrase.german(slot.case, negated=carries and not slot.german_noun)
        if slot.german_preposition:
            others.append(contracted(f"{slot.german_preposition} {said}"))
        else:
            objects.append(said)
    if clause.no_longer and not carrier and any(one.phrase.quantified for one in later):
        return joined(*early, "nicht mehr", *objects, *others)
    return joined(*early, adverb, *objects, _negation(clause, carrier), manner, *others)


def _early(clause: Clause) -> list[str]:
    """Pronouns: the reflexive one, and objects."""
    reflexive = [REFLEXIVE[clause.person]] if clause.verb.reflexive else []
    return reflexive + [one.phrase.german(one.slot.case) for one in clause.complements if _is_early(one)]


def _ahead(clause: Clause) -> str:
    """Pronouns that may come before a noun that is the subject, since they are not read as that; if there are any."""
    may_be_subject = any(_is_early(one) and one.slot.case is not Case.DATIVE for one in clause.complements)
    if may_be_subject or not isinstance(clause.subject, NounPhrase | Name):
        return ""
    return joined(*_early(clause))


def _is_early(complement: Complement) -> bool:
    """Whether it comes before everything else: a pronoun by itself."""
    return isinstance(complement.phrase, Pronoun) and not complement.slot.german_preposition


def _carrier(clause: Clause, complements: Sequence[Complement]) -> Complement | None:
    """What is said with kein instead of nicht, if the clause is negated: the last that can be."""
    if not (clause.negated or clause.no_longer):
        return None
    able = [
        one
        for one in complements
        if one.slot.german_noun or (one.phrase.indefinite and not (clause.no_longer and one.slot.german_preposition))
    ]
    return able[-1] if able else None


def _negation(clause: Clause, carrier: Complement | None) -> str:
    """What stands behind the objects."""
    if clause.no_longer:
        return "mehr" if carrier else "nicht mehr"
    return "nicht" if clause.negated and not carrier else ""


def _fixed(phrase: FixedPhrase, clause: Clause, manner: str) -> str:
    if manner:
        return _with_manner(phrase, manner, negated=clause.negated)
    if clause.no_longer:
        kein = phrase.negated.startswith("kein")
        return f"{phrase.negated} mehr" if kein else phrase.negated.replace("nicht", "nicht mehr")
    return phrase.negated if clause.negated else phrase.german


def _with_manner(phrase: FixedPhrase, manner: str, *, negated: bool) -> str:
    """Behind an indefinite object, or behind nicht, or where that would be."""
    if phrase.german.startswith(("ein", "alles")):
        return joined(phrase.negated if negated else phrase.german, manner)
    if "nicht" in phrase.negated.split():
        return phrase.negated.replace("nicht", joined("nicht" if negated else "", manner))
    return joined(manner, phrase.german)
