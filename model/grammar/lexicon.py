"""The words and turns of phrase of constructed sentences, by what the grammar needs to know of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, NamedTuple

from model.grammar.categories import AdverbTrait, Case, Gender, Kind, Position, Tense, VerbTrait

if TYPE_CHECKING:
    from model.grammar.verb_forms import EnglishVerb, Forms, GermanVerb

__all__ = [
    "WORDS_IN_BOTH",
    "Adjective",
    "Adverb",
    "Expression",
    "FixedPhrase",
    "GivenName",
    "InfinitiveOpening",
    "Lexicon",
    "MainClause",
    "Manner",
    "Modal",
    "Noun",
    "Slot",
    "Verb",
    "Words",
    "expression",
]

Words = Literal["all", "most", "rest"]
"""All words; without every sixth noun and verb; or of the verbs only those that `most` is without."""

WORDS_IN_BOTH = frozenset({"live", "work", "wait", "know"})
"""Verbs in `most` and in `rest`: some kinds of sentence have no others."""

_SHARE, _LEFT_OUT_NOUN, _LEFT_OUT_VERB = 6, 2, 3


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun. `genitive` is the singular's; a weak noun has it in the accusative and dative, too."""

    english: str
    english_plural: str
    gender: Gender
    german: str
    genitive: str
    german_plural: str
    kinds: frozenset[Kind]

    @property
    def weak(self) -> bool:
        """Whether all cases but the nominative have an ending: des Jungen, den Jungen."""
        return self.gender is Gender.MASCULINE and self.genitive in {f"{self.german}n", f"{self.german}en"}


@dataclass(frozen=True, slots=True)
class Adjective:
    """An adjective; what it lacks is empty. `kinds` it stands before and is said of, `states_of` it is only said of."""

    english: str
    english_comparative: str
    english_superlative: str
    german: str
    german_comparative: str
    german_superlative: str
    kinds: frozenset[Kind]
    states_of: frozenset[Kind]


class Slot(NamedTuple):
    """A noun phrase that a verb takes; what German has before it, and English, is empty if there is nothing.

    `german_noun` belongs to the verb: Angst haben (vor).
    """

    case: Case
    kinds: frozenset[Kind]
    english_preposition: str = ""
    german_preposition: str = ""
    german_noun: str = ""


class FixedPhrase(NamedTuple):
    """What a verb may have instead. `negated` is the German of its negation, empty if it is a negation itself."""

    english: str
    german: str
    negated: str

    @property
    def is_time(self) -> bool:
        """Whether it says when: few adverbs go with that."""
        return not _TIMES.isdisjoint(self.english.split()) or "on time" in self.english

    @property
    def is_place(self) -> bool:
        """Whether it may say where: there is no asking for that, then, and no here and there."""
        return not _PLACES.isdisjoint(self.english.split())

    @property
    def begins_with_preposition(self) -> bool:
        """Whether what says how something is done stands before it."""
        return self.english.split()[0] in _PREPOSITIONS


_TIMES = frozenset({"o'clock", "early", "late"})
_PLACES = frozenset(["in", "at", "on", "to", "from", "under", "home", "across", "around", "into"])
_PREPOSITIONS = (_PLACES - {"home"}) | {"about", "behind", "by", "for", "in", "of", "out", "over", "through", "with"}


@dataclass(frozen=True, slots=True)
class Verb:
    """An English verb, German ones that translate it, and what goes with them: slots, or one of some phrases."""

    english: EnglishVerb
    german: tuple[GermanVerb, ...]
    subjects: frozenset[Kind]
    slots: tuple[Slot, ...]
    phrases: tuple[FixedPhrase, ...]
    traits: frozenset[VerbTrait]

    @property
    def reflexive(self) -> bool:
        """Whether German has a reflexive pronoun: sich freuen."""
        return self.german[0].reflexive

    @property
    def takes_accusative(self) -> bool:
        """Whether it has an object that a question can ask for, and a passive make the subject."""
        return len(self.slots) == 1 and self.slots[0].case is Case.ACCUSATIVE and not self.slots[0].german_preposition


@dataclass(frozen=True, slots=True)
class Adverb:
    """An adverb, and tenses that it goes with: of those that are `progressive` or `perfect`, only with these forms."""

    english: str
    german: tuple[str, ...]
    positions: tuple[Position, ...]
    tenses: frozenset[Tense] = frozenset()
    progressive: bool = False
    perfect: bool = False
    traits: frozenset[AdverbTrait] = frozenset()


@dataclass(frozen=True, slots=True)
class Modal:
    """A modal verb: English by the auxiliary of its questions, German by its forms; both may have several ways.

    Args:
        auxiliary: "can"; "be" and "was" stand for all their forms; "do" and "did" only for questions and negation.
        rest: what follows it, "able to".
        finite: with "do" and "did" what stands without them: (want to, wants to).
        german: the forms.
        asked: whether it is asked so, too.
        negated: whether it is negated so, too.
        past: whether it is about the past.
    """

    auxiliary: str
    rest: tuple[str, ...]
    finite: tuple[tuple[str, str], ...]
    german: tuple[Forms, ...]
    asked: bool
    negated: bool
    past: bool

    @property
    def hypothetical(self) -> bool:
        """Whether it is "would" by itself: what would be if something else were."""
        return (self.auxiliary, self.rest) == ("would", ("",))


class GivenName(NamedTuple):
    """A name, and the gender of nouns that its bearer is called by."""

    name: str
    gender: Gender


class MainClause(NamedTuple):
    """What a subordinate clause follows: (I know that; ich weiß; dass; .)."""

    english: str
    german: tuple[str, ...]
    conjunction: str
    mark: str


class Manner(NamedTuple):
    """An adverb that says how something is done, and the English of verbs that say what is.

    The comparatives are empty where it has none, nor any degree: fluently.
    """

    english: str
    english_comparative: str
    german: str
    german_comparative: str
    verbs: frozenset[str]


class InfinitiveOpening(NamedTuple):
    """What an infinitive with "to" follows, and who does what it says; that is None where it says so in general."""

    english: str
    german: tuple[str, ...]
    person: str | None


class Expression(NamedTuple):
    """An expression and its German, which there may be several of; both may be empty."""

    english: str
    german: tuple[str, ...]


def expression(english: str, *german: str) -> Expression:
    """One that is in no list."""
    return Expression(english, german)


@dataclass(frozen=True, slots=True)
class Lexicon:
    """All of it."""

    nouns: tuple[Noun, ...]
    adjectives: tuple[Adjective, ...]
    verbs: tuple[Verb, ...]
    adverbs: tuple[Adverb, ...]
    manners: tuple[Manner, ...]
    modals: tuple[Modal, ...]
    main_clauses: tuple[MainClause, ...]
    infinitive_openings: tuple[InfinitiveOpening, ...]
    conjunctions: tuple[Expression, ...]
    quantities: tuple[Expression, ...]
    durations: tuple[Expression, ...]
    conditions: tuple[Expression, ...]
    names: tuple[GivenName, ...]

    def restricted(self, words: Words) -> Lexicon:
        """Only with these nouns and verbs."""
        if words == "all":
            return self
        away = {verb.english.base for number, verb in enumerate(self.verbs) if number % _SHARE == _LEFT_OUT_VERB}
        verbs = [
            verb
            for verb in self.verbs
            if verb.english.base in WORDS_IN_BOTH or (verb.english.base in away) == (words == "rest")
        ]
        if words == "rest":
            return replace(self, verbs=tuple(verbs))
        rare = {noun.english for number, noun in enumerate(self.nouns) if number % _SHARE == _LEFT_OUT_NOUN}
        return replace(self, verbs=tuple(verbs), nouns=tuple(n for n in self.nouns if n.english not in rare))
