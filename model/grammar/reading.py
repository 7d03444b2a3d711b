"""The lexicon, from the lists of the folder `lists`: each begins with what its columns are."""

from __future__ import annotations

from functools import cache
from importlib import resources

from model.grammar.categories import AdverbTrait, Case, Gender, Kind, Position, Tense, VerbTrait
from model.grammar.lexicon import (
    Adjective,
    Adverb,
    Expression,
    FixedPhrase,
    GivenName,
    InfinitiveOpening,
    Lexicon,
    MainClause,
    Manner,
    Modal,
    Noun,
    Slot,
    Verb,
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
        names=tuple(GivenName(name, Gender(gender)) for name, gender in _rows("names.tsv")),
    )


@cache
def interchangeable() -> dict[str, str]:
    """English words, and others that may stand for them everywhere."""
    return {word: other for word, other in _rows("interchangeable.tsv")}  # noqa: C416 - so that both are named


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


def _verb(english: str, german: str, subjects: str, follows: str, traits: str) -> Verb:
    is_phrases = follows.startswith("phrases: ")
    return Verb(
        EnglishVerb(*(_optional(form) for form in english.split(", "))),
        tuple(_german_verb(*one.split(", ")) for one in _several(german)),
        _kinds(subjects),
        () if is_phrases or follows == _NONE else _slots(follows),
        tuple(_phrase(one) for one in _several(follows.removeprefix("phrases: "))) if is_phrases else (),
        frozenset(VerbTrait(word) for word in _optional(traits).split()),
    )


def _german_verb(stem: str, third: str, past: str, participle: str, auxiliary: str, prefix: str = "") -> GermanVerb:
    return GermanVerb(
        stem, third, past, participle, "sein" if auxiliary == "sein" else "haben", auxiliary == "sich", prefix
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


def _phrase(text: str) -> FixedPhrase:
    """`ill = krank`, `milk = Milch, keine Milch` or `nothing = nichts, -`."""
    english, _, german = text.partition(" = ")
    german, _, negated = german.partition(", ")
    return FixedPhrase(english, german, _optional(negated or f"nicht {german}"))


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
    )
