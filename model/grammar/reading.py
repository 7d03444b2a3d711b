"""The lexicon, from the lists of the folder `lists`: each begins with what its columns are."""

from __future__ import annotations

from functools import cache
from importlib import resources

from model.grammar.categories import AdverbTrait, Case, Gender, Kind, Person, Position, Tense, VerbTrait
from model.grammar.lexicon import (
    Adjective,
    AdjectiveWithPreposition,
    Adverb,
    Amount,
    Attribute,
    BodyPart,
    Expression,
    FixedPhrase,
    GivenName,
    Group,
    Impression,
    InfinitiveOpening,
    Lexicon,
    MainClause,
    Manner,
    Modal,
    Noun,
    Objective,
    Place,
    QuestionOpening,
    Slot,
    Supply,
    Time,
    Treatment,
    Verb,
    Weather,
)
from model.grammar.verb_forms import EnglishVerb, GermanVerb, forms

__all__ = ["interchangeable", "read_lexicon"]

_NONE = "-"


@cache
def read_lexicon() -> Lexicon:
    """Everything that the lists have."""
    return Lexicon(
        nouns=tuple(
            Noun(english, plural, Gender(gender), german, genitive, german_plural, _kinds(kinds))
            for english, plural, gender, german, genitive, german_plural, kinds in _rows("nouns.tsv")
        ),
        adjectives=tuple(_adjective(row) for row in _rows("adjectives.tsv")),
        verbs=tuple(_verb(*row) for row in _rows("verbs.tsv")),
        adverbs=tuple(_adverb(*row) for row in _rows("adverbs.tsv")),
        manners=tuple(_manner(*row) for row in _rows("manners.tsv")),
        modals=tuple(_modal(*row) for row in _rows("modals.tsv")),
        main_clauses=tuple(
            MainClause(english, _several(german), conjunction, mark)
            for english, german, conjunction, mark in _rows("main_clauses.tsv")
        ),
        infinitive_openings=tuple(
            InfinitiveOpening(english, _several(german), None if person == _NONE else person)
            for english, german, person in _rows("infinitive_openings.tsv")
        ),
        conjunctions=_expressions("conjunctions.tsv"),
        quantities=_expressions("quantities.tsv"),
        durations=_expressions("durations.tsv"),
        conditions=_expressions("conditions.tsv"),
        adjectives_with_prepositions=tuple(
            _adjective_with_preposition(*row) for row in _rows("adjectives_with_prepositions.tsv")
        ),
        impressions=tuple(
            Impression(
                _several(english),
                _german_verb(*german.split(", ")),
                _kinds(subjects),
                tuple(_phrase(one) for one in _several(phrases)),
                frozenset(VerbTrait(word) for word in _optional(traits).split()),
            )
            for english, german, subjects, phrases, traits in _rows("impressions.tsv")
        ),
        weather=tuple(_weather(*row) for row in _rows("weather.tsv")),
        body_parts=tuple(
            BodyPart(Noun(english, plural, Gender(gender), german, genitive, german_plural, frozenset()), number)
            for english, plural, gender, german, genitive, german_plural, number in _rows("body_parts.tsv")
        ),
        treatments=tuple(_treatment(*row) for row in _rows("body.tsv")),
        illnesses=tuple(FixedPhrase(*row) for row in _rows("illnesses.tsv")),
        ages=_expressions("ages.tsv"),
        supplies=tuple(Supply(english, Gender(gender), german) for english, gender, german in _rows("supplies.tsv")),
        names=tuple(GivenName(name, Gender(gender)) for name, gender in _rows("names.tsv")),
        places=_places(),
        attributes=tuple(_attribute(*row) for row in _rows("attributes.tsv")),
        amounts=tuple(_amount(*row) for row in _rows("amounts.tsv")),
        question_openings=tuple(
            QuestionOpening(english, _several(german), mark) for english, german, mark in _rows("question_openings.tsv")
        ),
        groups=tuple(_group(*row) for row in _rows("groups.tsv")),
        times=tuple(
            Time(english, _several(german), frozenset(map(Tense, tenses.split())), frozenset(_optional(traits).split()))
            for english, german, tenses, traits in _rows("times.tsv")
        ),
        time_words=_time_words(),
    )


@cache
def interchangeable() -> dict[str, str]:
    """English words, and others that may stand for them everywhere."""
    return {word: other for word, other in _rows("interchangeable.tsv")}  # noqa: C416 - so that both are named


@cache
def _places() -> tuple[Place, ...]:
    return tuple(
        Place(english, where, whither, whence, frozenset(traits.split()))
        for english, where, whither, whence, traits in _rows("places.tsv")
    )


def _time_words() -> dict[str, tuple[Expression, ...]]:
    words: dict[str, tuple[Expression, ...]] = {}
    for kind, english, *german in _rows("time_words.tsv"):
        words[kind] = (*words.get(kind, ()), Expression(english, tuple(german)))
    return words


def _rows(name: str) -> list[list[str]]:
    """The columns of the lines of a list, without comments."""
    text = resources.files(__package__).joinpath("lists", name).read_text(encoding="utf-8")
    return [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]


def _expressions(name: str) -> tuple[Expression, ...]:
    return tuple(Expression(english, _several(german)) for english, german in _rows(name))


def _several(cell: str) -> tuple[str, ...]:
    return tuple(cell.split("; "))


def _optional(cell: str) -> str:
    return "" if cell == _NONE else cell


def _kinds(cell: str) -> frozenset[Kind]:
    return frozenset(Kind(word) for word in _optional(cell).split())


def _adjective(row: list[str]) -> Adjective:
    *words, kinds, states_of = row
    english, comparative, superlative, german, german_comparative, german_superlative = map(_optional, words)
    return Adjective(
        english,
        comparative,
        superlative,
        german,
        german_comparative,
        german_superlative,
        _kinds(kinds),
        _kinds(states_of),
    )


def _adjective_with_preposition(
    english: str, german: str, subjects: str, kinds: str, phrases: str, traits: str
) -> AdjectiveWithPreposition:
    others = (one.partition(" = ") for one in _several(phrases)) if phrases != _NONE else ()
    return AdjectiveWithPreposition(
        _several(english),
        tuple(_objective(*one.split()) for one in _several(german)),
        _kinds(subjects),
        _kinds(kinds),
        tuple(Expression(one, tuple(other.split(", "))) for one, _, other in others),
        frozenset(_optional(traits).split()),
    )


def _objective(*words: str) -> Objective:
    """`stolz auf accusative`, `haben Angst vor dative` or `haben satt - accusative`."""
    *verb, word, preposition, case = words
    return Objective(verb[0] if verb else "sein", _optional(word), _optional(preposition), Case(case))


def _verb(english: str, german: str, subjects: str, follows: str, traits: str) -> Verb:
    are_slots = follows != _NONE and not follows.startswith(("phrases: ", "places: "))
    return Verb(
        EnglishVerb(*(_optional(form) for form in english.split(", "))),
        tuple(_german_verb(*one.split(", ")) for one in _several(german)),
        _kinds(subjects),
        _slots(follows) if are_slots else (),
        () if are_slots else _phrases(follows),
        frozenset(VerbTrait(word) for word in _optional(traits).split()),
    )


def _german_verb(stem: str, third: str, past: str, participle: str, auxiliary: str, prefix: str = "") -> GermanVerb:
    return GermanVerb(
        stem, third, past, participle, "sein" if auxiliary == "sein" else "haben", auxiliary == "sich", prefix
    )


def _treatment(english: str, german: str, parts: str, traits: str) -> Treatment:
    pairs = (one.split(" = ") for one in _several(parts))
    return Treatment(
        english,
        _german_verb(*german.split(", ")),
        tuple(Expression(one, (other,)) for one, other in pairs),
        frozenset(_optional(traits).split()),
    )


def _weather(english: str, german: str, rest: str, german_rest: str, degrees: str) -> Weather:
    pairs = (one.split(" = ") for one in _several(degrees)) if degrees != _NONE else ()
    return Weather(
        english,
        _german_verb(*german.split(", ")),
        Expression(_optional(rest), (_optional(german_rest),)),
        tuple(Expression(one, (other,)) for one, other in pairs),
    )


def _slots(follows: str) -> tuple[Slot, ...]:
    """`accusative: thing`, `dative and accusative: thing` or `of/Angst vor dative: animal`."""
    before, _, kinds = follows.partition(": ")
    if before == "dative and accusative":
        to_whom = frozenset({Kind.PERSON, Kind.RELATIVE})
        return Slot(Case.DATIVE, to_whom), Slot(Case.ACCUSATIVE, _kinds(kinds))
    prepositions, _, case = before.rpartition(" ")
    english, _, german = prepositions.partition("/")
    noun, _, preposition = _optional(german).rpartition(" ")
    return (Slot(Case(case), _kinds(kinds), _optional(english), preposition, noun),)


def _phrases(follows: str) -> tuple[FixedPhrase, ...]:
    """`phrases: ill = krank; early = früh`, `places: in` or -."""
    before, _, rest = _optional(follows).partition(": ")
    if before == "places":
        return tuple(_phrase(one) for one in _at_places(rest))
    return tuple(_phrase(one) for one in _several(rest)) if rest else ()


def _at_places(preposition: str) -> list[str]:
    """With "in", "to" or "from"; or "overland", which is "to" those that are in reach."""
    if preposition == "in":
        return [f"in {one.english} = {one.where}" for one in _places()]
    if preposition == "from":
        return [f"from {one.english} = {one.whence}" for one in _places()]
    reached = [one for one in _places() if preposition == "to" or "land" in one.traits]
    return [f"to {one.english} = {one.whither}" for one in reached]


def _phrase(text: str) -> FixedPhrase:
    """`ill = krank`, `milk = Milch, keine Milch` or `nothing = nichts, -`."""
    english, _, german = text.partition(" = ")
    german, _, negated = german.partition(", ")
    return FixedPhrase(english, german, _optional(negated or f"nicht {german}"))


def _attribute(heads: str, english: str, german: str, case: str, nouns: str, determiners: str) -> Attribute:
    return Attribute(
        frozenset(_several(heads)),
        english,
        german,
        Case(case),
        frozenset(_several(nouns)),
        tuple(determiners.split()),
    )


def _group(english: str, person: str, german: str, traits: str) -> Group:
    ways = (way.split(", ") for way in _several(german))
    return Group(
        english,
        Person(person),
        tuple((nominative, accusative, dative, Person(of)) for nominative, accusative, dative, of in ways),
        negative="negative" in traits,
    )


def _amount(english: str, plural: str, gender: str, german: str, german_plural: str, of: str, verb: str) -> Amount:
    measure = Noun(english, plural, Gender(gender), german, german, german_plural, frozenset())
    pairs = (one.split(" = ") for one in _several(of))
    return Amount(measure, tuple(Expression(what, (was,)) for what, was in pairs), verb)


def _adverb(english: str, german: str, positions: str, tenses: str, traits: str) -> Adverb:
    words = set(tenses.split())
    return Adverb(
        english,
        _several(german),
        tuple(Position(word) for word in positions.split()),
        frozenset(Tense(word) for word in words - {"progressive", "perfect"}),
        "progressive" in words,
        "perfect" in words,
        frozenset(AdverbTrait(word) for word in _optional(traits).split()),
    )


def _manner(english: str, comparative: str, german: str, german_comparative: str, verbs: str) -> Manner:
    return Manner(english, _optional(comparative), german, _optional(german_comparative), frozenset(verbs.split(", ")))


def _modal(auxiliary: str, rest: str, finite: str, *cells: str) -> Modal:
    *german, traits = cells
    return Modal(
        auxiliary,
        _several(_optional(rest)),
        tuple((i, it) for i, it in (way.split(", ") for way in _several(finite))) if finite != _NONE else (),
        tuple(forms(*way) for way in zip(*map(_several, german), strict=True)),
        asked="unasked" not in traits,
        negated="negated" in traits.split(),
        past="past" in traits.split(),
        animate="animate" in traits.split(),
    )
