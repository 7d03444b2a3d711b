"""Noun phrases, pronouns and names: what a verb is said of, in English, and in German by case."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from model.grammar.categories import Case, Gender, Kind, Person
from model.grammar.determiners import Determiner, adjective_ending, german_determiner, with_article
from model.grammar.writing import joined

if TYPE_CHECKING:
    from model.grammar.lexicon import Adjective, Expression, GivenName, Noun

__all__ = [
    "INDEFINITES",
    "NOBODY",
    "POLITE_YOU",
    "PRONOUNS",
    "WHO",
    "YOU",
    "Indefinite",
    "Name",
    "NounPhrase",
    "Phrase",
    "Pronoun",
    "inflected",
]


class Phrase(ABC):
    """Whatever may be a subject or an object."""

    __slots__ = ()

    @property
    def person(self) -> Person:
        """What the verb agrees with."""
        return Person.IT

    @property
    def indefinite(self) -> bool:
        """Whether it takes up a negation: not a dog, kein Hund."""
        return False

    @property
    def negative(self) -> bool:
        """Whether it is a negation: nobody, no dog."""
        return False

    @property
    def quantified(self) -> bool:
        """Whether a negation with it might be read in two ways: somebody, every dog, two dogs."""
        return False

    @abstractmethod
    def english(self, case: Case = Case.NOMINATIVE, *, negated: bool = False) -> str:
        """In English; `negated`, after "not"."""

    @abstractmethod
    def german(self, case: Case = Case.NOMINATIVE, *, negated: bool = False) -> str:
        """In German; `negated`, with kein, if it is indefinite."""

    def suits(self, kinds: frozenset[Kind]) -> bool:
        """Whether it can be said of this; all that is no noun is a person."""
        return Kind.PERSON in kinds


@dataclass(frozen=True, slots=True)
class Pronoun(Phrase):
    """A personal pronoun."""

    subject: str
    object: str
    nominative: str
    accusative: str
    dative: str
    of: Person

    @property
    def person(self) -> Person:
        """What the verb agrees with."""
        return self.of

    def english(self, case: Case = Case.NOMINATIVE, *, negated: bool = False) -> str:  # noqa: ARG002
        """I, me."""
        return self.subject if case is Case.NOMINATIVE else self.object

    def german(self, case: Case = Case.NOMINATIVE, *, negated: bool = False) -> str:  # noqa: ARG002
        """Ich, mich, mir."""
        return _of_case(case, self.nominative, self.accusative, self.dative)


PRONOUNS = (  # all but those for you
    Pronoun("I", "me", "ich", "mich", "mir", Person.I),
    Pronoun("he", "him", "er", "ihn", "ihm", Person.IT),
    Pronoun("she", "her", "sie", "sie", "ihr", Person.IT),
    Pronoun("we", "us", "wir", "uns", "uns", Person.WE),
    Pronoun("they", "them", "sie", "sie", "ihnen", Person.THEY),
)
INFORMAL_YOU = Pronoun("you", "you", "du", "dich", "dir", Person.YOU)
POLITE_YOU = Pronoun("you", "you", "Sie", "Sie", "Ihnen", Person.THEY)
YOU = (INFORMAL_YOU, POLITE_YOU)


@dataclass(frozen=True, slots=True)
class Name(Phrase):
    """A given name, the same in both languages and all cases."""

    given: GivenName

    def english(self, case: Case = Case.NOMINATIVE, *, negated: bool = False) -> str:  # noqa: ARG002
        """As it is."""
        return self.given.name

    def german(self, case: Case = Case.NOMINATIVE, *, negated: bool = False) -> str:  # noqa: ARG002
        """As it is."""
        return self.given.name


@dataclass(frozen=True, slots=True)
class Indefinite(Phrase):
    """A pronoun for nobody in particular."""

    word: str
    nominative: str
    accusative: str
    dative: str

    @property
    def negative(self) -> bool:
        """Of nobody."""
        return self.word == "nobody"

    @property
    def quantified(self) -> bool:
        """Of all others but who."""
        return self.word not in {"nobody", "who"}

    def english(self, case: Case = Case.NOMINATIVE, *, negated: bool = False) -> str:  # noqa: ARG002
        """The same in all cases."""
        return self.word

    def german(self, case: Case = Case.NOMINATIVE, *, negated: bool = False) -> str:  # noqa: ARG002
        """Niemand, niemanden, niemandem."""
        return _of_case(case, self.nominative, self.accusative, self.dative)


NOBODY = Indefinite("nobody", "niemand", "niemanden", "niemandem")
INDEFINITES = (
    NOBODY,
    Indefinite("everybody", "jeder", "jeden", "jedem"),
    Indefinite("somebody", "jemand", "jemanden", "jemandem"),
    Indefinite("everyone", "jeder", "jeden", "jedem"),
    Indefinite("someone", "jemand", "jemanden", "jemandem"),
)
WHO = Indefinite("who", "wer", "wen", "wem")


def _of_case(case: Case, nominative: str, accusative: str, dative: str) -> str:
    return {Case.NOMINATIVE: nominative, Case.ACCUSATIVE: accusative, Case.DATIVE: dative}[case]


@dataclass(frozen=True, slots=True)
class NounPhrase(Phrase):
    """A noun with what stands before it. `quantity` is there with that determiner, which needs a plural."""

    noun: Noun
    determiner: Determiner
    plural: bool = False
    adjective: Adjective | None = None
    quantity: Expression | None = None

    @property
    def person(self) -> Person:
        """What the verb agrees with."""
        return Person.THEY if self.plural else Person.IT

    @property
    def gender(self) -> Gender:
        """What German articles and adjectives agree with."""
        return Gender.PLURAL if self.plural else self.noun.gender

    @property
    def indefinite(self) -> bool:
        """A dog, dogs."""
        return self.determiner in {Determiner.A, Determiner.NONE}

    @property
    def negative(self) -> bool:
        """No dog."""
        return self.determiner is Determiner.NO

    @property
    def quantified(self) -> bool:
        """Every dog, two dogs."""
        return self.determiner in {Determiner.EVERY, Determiner.QUANTITY}

    def suits(self, kinds: frozenset[Kind]) -> bool:
        """Whether the noun is of one of these kinds."""
        return not self.noun.kinds.isdisjoint(kinds)

    @property
    def bare_english(self) -> str:
        """Without the determiner."""
        noun = self.noun.english_plural if self.plural else self.noun.english
        return joined(self.adjective.english if self.adjective else "", noun)

    def english(self, case: Case = Case.NOMINATIVE, *, negated: bool = False) -> str:  # noqa: ARG002
        """The same in all cases; "any" in a negated plural."""
        bare = self.bare_english
        if self.indefinite:
            if self.plural:
                return f"any {bare}" if negated else bare
            return with_article(bare)
        if self.quantity:
            return f"{self.quantity.english} {bare}"
        if self.determiner is Determiner.THIS and self.plural:
            return f"these {bare}"
        return f"{self.determiner} {bare}"

    def german(self, case: Case = Case.NOMINATIVE, *, negated: bool = False) -> str:
        """In any of the four cases."""
        determiner = Determiner.NO if negated and self.indefinite else self.determiner
        before = german_determiner(determiner, self.gender, case)
        if self.quantity:
            (before,) = self.quantity.german
            before += "n" if before.endswith("e") and case is Case.DATIVE else ""
        return joined(before, self.bare_german(case, determiner))

    def bare_german(self, case: Case, after: Determiner) -> str:
        """Without the determiner, as it is after another."""
        ending = adjective_ending(after, self.gender, case)
        adjective = inflected(self.adjective.german, ending) if self.adjective else ""
        return joined(adjective, self.german_noun(case))

    def german_noun(self, case: Case) -> str:
        """The noun alone."""
        noun = self.noun
        if self.plural:
            ending = "n" if case is Case.DATIVE and not noun.german_plural.endswith(("n", "s")) else ""
            return noun.german_plural + ending
        if case is Case.GENITIVE or (noun.weak and case is not Case.NOMINATIVE):
            return noun.genitive
        return noun.german


def inflected(adjective: str, ending: str) -> str:
    """An adjective with an ending, before which teuer loses its last e."""
    if adjective.endswith("euer"):
        adjective = f"{adjective.removesuffix('er')}r"
    return adjective + ending
