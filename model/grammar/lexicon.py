"""The words and turns of phrase of constructed sentences, by what the grammar needs to know of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, NamedTuple

from model.grammar.categories import AdverbTrait, Case, Gender, Kind, Person, Position, Tense, VerbTrait

if TYPE_CHECKING:
    from model.grammar.verb_forms import EnglishVerb, Forms, GermanVerb

__all__ = [
    "WORDS_IN_BOTH",
    "Adjective",
    "AdjectiveWithPreposition",
    "Adverb",
    "Amount",
    "Attribute",
    "BodyPart",
    "Expression",
    "FixedPhrase",
    "GivenName",
    "Group",
    "Impression",
    "InfinitiveOpening",
    "Lexicon",
    "MainClause",
    "Manner",
    "Modal",
    "Noun",
    "Objective",
    "Place",
    "QuestionOpening",
    "Slot",
    "Supply",
    "Time",
    "Treatment",
    "Verb",
    "Weather",
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


class Objective(NamedTuple):
    """German that an English adjective with a preposition translates to: sein stolz auf, haben Angst vor.

    What it lacks is empty: haben satt; sich interessieren für.
    """

    verb: str
    word: str
    preposition: str
    case: Case


class AdjectiveWithPreposition(NamedTuple):
    """English ways to say it, "proud of", German ones, and objects: of kinds, or some phrases."""

    english: tuple[str, ...]
    german: tuple[Objective, ...]
    subjects: frozenset[Kind]
    kinds: frozenset[Kind]
    phrases: tuple[Expression, ...]
    traits: frozenset[str]


class Impression(NamedTuple):
    """How one looks, feels, becomes: forms of English verbs, a German verb, and some of what may follow."""

    english: tuple[str, ...]
    german: GermanVerb
    subjects: frozenset[Kind]
    phrases: tuple[FixedPhrase, ...]
    traits: frozenset[VerbTrait]


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
_PLACES = frozenset(["in", "at", "on", "to", "from", "under", "home", "across", "around", "into", "near"])
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
        animate: whether only people and animals do so, as they want to.
    """

    auxiliary: str
    rest: tuple[str, ...]
    finite: tuple[tuple[str, str], ...]
    german: tuple[Forms, ...]
    asked: bool
    negated: bool
    past: bool
    animate: bool = False

    @property
    def hypothetical(self) -> bool:
        """Whether it is "would" by itself: what would be if something else were."""
        return (self.auxiliary, self.rest) == ("would", ("",))


class GivenName(NamedTuple):
    """A name, and the gender of nouns that its bearer is called by."""

    name: str
    gender: Gender


class Place(NamedTuple):
    """A city or a country: its English name, and German where, whither and whence.

    `traits` say which of them it is, and how one gets there.
    """

    english: str
    where: str
    whither: str
    whence: str
    traits: frozenset[str]

    @property
    def near(self) -> FixedPhrase:
        """In the neighbourhood of a city."""
        german = f"in der Nähe von {self.where.removeprefix('in ')}"
        return FixedPhrase(f"near {self.english}", german, f"nicht {german}")


class Attribute(NamedTuple):
    """What some nouns have behind them: a preposition in both languages, and one of other nouns after a determiner."""

    heads: frozenset[str]
    english: str
    german: str
    case: Case
    nouns: frozenset[str]
    determiners: tuple[str, ...]


class Time(NamedTuple):
    """When something is, with names of words in braces, tenses that go with it, and what else does."""

    english: str
    german: tuple[str, ...]
    tenses: frozenset[Tense]
    traits: frozenset[str]


class Group(NamedTuple):
    """Some or all of several: English, and what its verb agrees with; the same in German, in three cases."""

    english: str
    person: Person
    german: tuple[tuple[str, str, str, Person], ...]
    negative: bool


class QuestionOpening(NamedTuple):
    """What an indirect question follows: (do you know; weißt du, wissen Sie; ?)."""

    english: str
    german: tuple[str, ...]
    mark: str


class Amount(NamedTuple):
    """A measure, the expressions that it is of, and the English of a verb that goes with it."""

    measure: Noun
    of: tuple[Expression, ...]
    verb: str


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


class BodyPart(NamedTuple):
    """A part of the body that hurts, or several, or both: one or several."""

    noun: Noun
    number: str


class Supply(NamedTuple):
    """What one has much or little of: milk, eggs."""

    english: str
    gender: Gender
    german: str


class Treatment(NamedTuple):
    """What one does with parts of one's body: forms of an English verb, a German verb, and the parts."""

    english: str
    german: GermanVerb
    parts: tuple[Expression, ...]
    traits: frozenset[str]


class Weather(NamedTuple):
    """What the weather does or is: forms of an English verb, a German verb, what follows, and how much so."""

    english: str
    german: GermanVerb
    rest: Expression
    degrees: tuple[Expression, ...]


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
    adjectives_with_prepositions: tuple[AdjectiveWithPreposition, ...]
    impressions: tuple[Impression, ...]
    weather: tuple[Weather, ...]
    body_parts: tuple[BodyPart, ...]
    treatments: tuple[Treatment, ...]
    illnesses: tuple[FixedPhrase, ...]
    supplies: tuple[Supply, ...]
    ages: tuple[Expression, ...]
    names: tuple[GivenName, ...]
    places: tuple[Place, ...]
    attributes: tuple[Attribute, ...]
    amounts: tuple[Amount, ...]
    groups: tuple[Group, ...]
    question_openings: tuple[QuestionOpening, ...]
    times: tuple[Time, ...]
    time_words: dict[str, tuple[Expression, ...]]

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
