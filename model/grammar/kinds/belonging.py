"""Whose something is: mine, his; it belongs to him; a friend of mine; taller than yours."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from model.grammar.categories import Case, Gender, Kind, Tense
from model.grammar.clauses import draw_clause
from model.grammar.determiners import POSSESSIVES, Determiner, strong_form
from model.grammar.english_clauses import said_in_english
from model.grammar.german_clauses import said_in_german
from model.grammar.kinds.degrees import OF_COMPARATIVES
from model.grammar.noun_phrases import PRONOUNS, YOU, NounPhrase, Phrase, Pronoun
from model.grammar.phrases import PEOPLE, draw_adjective, draw_noun_phrase
from model.grammar.verb_forms import DO, be_and_sein
from model.grammar.writing import joined, written

if TYPE_CHECKING:
    from model.grammar.clauses import Clause
    from model.grammar.drawing import Draw
    from model.grammar.writing import Sentence

__all__ = ["belonging", "friend_of_mine", "is_mine", "older_than_mine"]


class _Owner(NamedTuple):
    """Whose: the pronoun, English mine, the German stem mein, and the determiner, where there is one."""

    who: Pronoun
    mine: str
    mein: str
    determiner: Determiner | None


_DU, _SIE = YOU
_OWNERS = (
    *(
        _Owner(who, mine, mein, determiner)
        for who, mine, mein, determiner in zip(
            PRONOUNS,
            ("mine", "his", "hers", "ours", "theirs"),
            ("mein", "sein", "ihr", "unser", "ihr"),
            (Determiner.MY, Determiner.HIS, Determiner.HER, Determiner.OUR, Determiner.THEIR),
            strict=True,
        )
    ),
    _Owner(_DU, "yours", "dein", None),
    _Owner(_SIE, "yours", "Ihr", None),
)
_OWNED = (Kind.THING, Kind.VEHICLE, Kind.GARMENT, Kind.ANIMAL, Kind.BUILDING)
_COMPARED = (Kind.RELATIVE, Kind.VEHICLE, Kind.BUILDING, Kind.ANIMAL, Kind.GARMENT)
_FRIENDS = frozenset({"friend", "colleague", "neighbour", "cousin", "student", "customer"})
_TENSES = (Tense.PRESENT, Tense.PRESENT, Tense.PRESENT, Tense.PAST)


def belonging(draw: Draw) -> Sentence:
    """This bag belongs to me, is mine; or the question."""
    what = draw_noun_phrase(draw, {draw.one_of(_OWNED)}, determiners=(Determiner.THIS, Determiner.THE), adjectives=0.2)
    owner = draw.one_of(_OWNERS)
    if draw.chance(0.25):
        return _belonging_to(draw, what)
    to, mine, mir = owner.who.object, owner.mine, owner.who.dative
    tense = draw.one_of(_TENSES)
    be, sein = be_and_sein(what.person, tense)
    gehoert = _gehoert(what, tense)
    meine = _strong(owner, what.gender)
    this, dies = what.english(), what.german()
    does = DO[what.person] if tense is Tense.PRESENT else "did"
    how = draw.weighted(("stated", "asked", "negated"), (5, 2.5, 2))
    if how == "asked":
        return written(
            [f"{be} {this} {mine}", f"{does} {this} belong to {to}"],
            [f"{gehoert} {mir} {dies}", f"{gehoert} {dies} {mir}"],
            "?",
        )
    if how == "negated":
        return written(
            [f"{this} {be} not {mine}", f"{this} {does} not belong to {to}", f"{this} {does}n't belong to {to}"],
            [f"{dies} {gehoert} {mir} nicht"],
        )
    belongs = "belonged" if tense is Tense.PAST else "belong" if what.plural else "belongs"
    return written(
        [f"{this} {be} {mine}", f"{this} {belongs} to {to}"], [f"{dies} {gehoert} {mir}", f"{dies} {sein} {meine}"]
    )


def _belonging_to(draw: Draw, what: NounPhrase) -> Sentence:
    """The bag belongs to my sister; who does it belong to?"""
    belongs, gehoert = "belong" if what.plural else "belongs", _gehoert(what, Tense.PRESENT)
    be, _ = be_and_sein(what.person, Tense.PRESENT)
    if draw.chance(0.35):
        whose = f"whose {what.bare_english} {be} {'these' if what.plural else 'this'}"
        english = [f"who {DO[what.person]} {what.english()} belong to", f"whose {be} {what.english()}"]
        if what.determiner is Determiner.THIS:
            english.append(whose)
        return written(english, [f"wem {gehoert} {what.german()}"], "?")
    owner = draw_noun_phrase(draw, PEOPLE, determiners=(Determiner.THE, Determiner.MY, Determiner.HIS), adjectives=0.1)
    return written(
        [f"{what.english()} {belongs} to {owner.english()}"],
        [f"{what.german()} {gehoert} {owner.german(Case.DATIVE)}"],
    )


def is_mine(draw: Draw) -> Sentence:
    """Is this yours? That is not mine."""
    owner = draw.one_of(_OWNERS)
    this = draw.one_of(("this", "that"))
    to, mine, mir = owner.who.object, owner.mine, owner.who.dative
    meins = _strong(owner, Gender.NEUTER)
    how = draw.weighted(("stated", "asked", "negated"), (3, 4, 2))
    if how == "asked":
        return written(
            [f"is {this} {mine}", f"does {this} belong to {to}"], [f"gehört das {mir}", f"ist das {meins}"], "?"
        )
    if how == "negated":
        return written(
            [f"{this} is not {mine}", f"{this} does not belong to {to}", f"{this} doesn't belong to {to}"],
            [f"das gehört {mir} nicht"],
        )
    return written([f"{this} is {mine}", f"{this} belongs to {to}"], [f"das gehört {mir}", f"das ist {meins}"])


def older_than_mine(draw: Draw) -> Sentence | None:
    """Her brother is taller than mine; their house is as big as ours."""
    kind = draw.one_of(_COMPARED)
    whose = draw.one_of(POSSESSIVES)
    noun = replace(
        draw_noun_phrase(draw, {kind}, determiners=(Determiner.MY,), adjectives=0.0), determiner=whose, quantity=None
    )
    kinds = {Kind.PERSON} if not noun.noun.kinds.isdisjoint(PEOPLE) else noun.noun.kinds
    adjective = draw_adjective(draw, kinds, gradable=True)
    other = draw.one_of([one for one in _OWNERS if one.determiner is not whose])
    if adjective is None:
        return None
    be, sein = be_and_sein(noun.person, draw.one_of(_TENSES))
    mine, meiner = other.mine, _strong(other, noun.gender)
    if draw.chance(0.3):
        as_, so = draw.one_of((("as", "so"), ("not as", "nicht so"), ("just as", "genauso")))
        return written(
            [f"{noun.english()} {be} {as_} {adjective.english} as {mine}"],
            [f"{noun.german()} {sein} {so} {adjective.german} wie {meiner}"],
        )
    degree = draw.one_of(OF_COMPARATIVES)
    return written(
        [joined(noun.english(), be, degree.english, adjective.english_comparative, "than", mine)],
        (joined(noun.german(), sein, way, adjective.german_comparative, "als", meiner) for way in degree.german),
    )


def friend_of_mine(draw: Draw) -> Sentence:
    """A friend of mine works here; she is a friend of mine."""
    owner = draw.one_of(_OWNERS)
    friend = NounPhrase(draw.one_of([one for one in draw.lexicon.nouns if one.english in _FRIENDS]), Determiner.A)
    if draw.chance(0.3):
        who = draw.one_of([one for one in draw.lexicon.names if one.gender is friend.gender])
        be, sein = be_and_sein(friend.person, draw.one_of(_TENSES))
        of_mine = _OfMine(friend, owner)
        return written([f"{who.name} {be} {of_mine.english()}"], [f"{who.name} {sein} {of_mine.german()}"])
    clause = draw_clause(draw, adverbs=0.3, subject=_OfMine(friend, owner), fits=lambda one: not _is_about(one, owner))
    return written((one.statement for one in said_in_english(clause)), (one.main for one in said_in_german(clause)))


@dataclass(frozen=True, slots=True)
class _OfMine(Phrase):
    """Somebody of several that are somebody's."""

    friend: NounPhrase
    owner: _Owner

    @property
    def quantified(self) -> bool:
        """One of several."""
        return True

    def english(self, case: Case = Case.NOMINATIVE, *, negated: bool = False) -> str:  # noqa: ARG002
        """A friend of mine."""
        return f"{self.friend.english()} of {self.owner.mine}"

    def german(self, case: Case = Case.NOMINATIVE, *, negated: bool = False) -> str:  # noqa: ARG002
        """Einem Freund von mir."""
        return f"{self.friend.german(case)} von {self.owner.who.dative}"


def _is_about(clause: Clause, owner: _Owner) -> bool:
    """Whether it has the owner's pronoun once more."""
    return any(isinstance(one.phrase, Pronoun) for one in clause.complements) and owner.mine != "yours"


def _gehoert(what: NounPhrase, tense: Tense) -> str:
    gehoert, gehoeren = ("gehört", "gehören") if tense is Tense.PRESENT else ("gehörte", "gehörten")
    return gehoeren if what.plural else gehoert


def _strong(owner: _Owner, gender: Gender) -> str:
    """Meiner, meine, meins."""
    if gender is Gender.NEUTER and owner.mein in {"mein", "dein", "sein"}:
        return f"{owner.mein}s"
    return strong_form(owner.mein, gender, Case.NOMINATIVE)
