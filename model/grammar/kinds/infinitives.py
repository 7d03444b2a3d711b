"""Sentences with a clause whose verb is an infinitive, or would be one in English."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from model.grammar.categories import Case, Person, Tense, VerbTrait
from model.grammar.clauses import draw_clause
from model.grammar.english_clauses import infinitive_in_english, ing_in_english, said_in_english
from model.grammar.german_clauses import said_in_german
from model.grammar.lexicon import expression
from model.grammar.noun_phrases import PRONOUNS, YOU, Name
from model.grammar.verb_forms import MOECHTE, be_and_sein, forms, regular_present
from model.grammar.writing import written

if TYPE_CHECKING:
    from model.grammar.clauses import Clause
    from model.grammar.drawing import Draw
    from model.grammar.noun_phrases import Pronoun
    from model.grammar.writing import Sentence

__all__ = [
    "in_order_to",
    "introduced_infinitive",
    "letting",
    "seeing",
    "stopping",
    "too_to",
    "wanting",
    "without_doing",
]

_PRESENT = (Tense.PRESENT,)
_SIMPLE = (Tense.PRESENT, Tense.PAST)

_WILL = forms("will", "willst", "will", "wollen")
_LASSE = forms("lasse", "lässt", "lässt", "lassen")
_SEHE = forms("sehe", "siehst", "sieht", "sehen")
_SAH = forms("sah", "sahst", "sah", "sahen")
_HOERE = forms("höre", "hörst", "hört", "hören")
_HOERTE = forms("hörte", "hörtest", "hörte", "hörten")

_TOO = (
    expression("tired", "müde"),
    expression("old", "alt"),
    expression("young", "jung"),
    expression("ill", "krank"),
    expression("poor", "arm"),
    expression("small", "klein"),
    expression("weak", "schwach"),
    expression("busy", "beschäftigt"),
    expression("shy", "schüchtern"),
)


def introduced_infinitive(draw: Draw) -> Sentence:
    """It is important to read the book."""
    english, german, person = draw.one_of(draw.lexicon.infinitive_openings)
    subject = next((one for one in PRONOUNS if one.subject == person), PRONOUNS[0])
    clause = draw_clause(
        draw, tenses=_PRESENT, subject=subject, fits=lambda one: person is not None or not one.verb.reflexive
    )
    return written(
        [f"{english} {infinitive_in_english(clause)}"],
        (f"{opening}, {said.zu_infinitive}" for said in said_in_german(clause) for opening in german),
    )


def in_order_to(draw: Draw) -> Sentence:
    """He came to read the book."""
    first, second = _of_one_person(draw, wanted=True)
    to = draw.one_of(("to", "in order to"))
    return written(
        [f"{said_in_english(first)[0].statement} {to} {infinitive_in_english(second)}"], _with(first, "um", second)
    )


def without_doing(draw: Draw) -> Sentence:
    """He came without reading the book."""
    first, second = _of_one_person(draw)
    return written(
        [f"{said_in_english(first)[0].statement} without {ing_in_english(second)}"], _with(first, "ohne", second)
    )


def too_to(draw: Draw) -> Sentence:
    """He is too tired to read."""
    subject, state, tense = draw.one_of(PRONOUNS), draw.one_of(_TOO), draw.one_of(_SIMPLE)
    clause = draw_clause(draw, tenses=_PRESENT, subject=subject)
    be, sein = be_and_sein(subject.person, tense)
    return written(
        [f"{subject.english()} {be} too {state.english} to {infinitive_in_english(clause)}"],
        (
            f"{subject.german()} {sein} zu {german}, um {said.zu_infinitive}"
            for german in state.german
            for said in said_in_german(clause)
        ),
    )


def stopping(draw: Draw) -> Sentence:
    """He stopped reading."""
    subject, past = draw.one_of(PRONOUNS), draw.chance(0.6)
    clause = draw_clause(draw, tenses=_PRESENT, subject=subject, fits=_has_ing)
    stop = "stopped" if past else regular_present("stop", subject.person)
    hoere = (_HOERTE if past else _HOERE)[subject.person]
    return written(
        [f"{subject.english()} {stop} {ing_in_english(clause)}"],
        (f"{subject.german()} {hoere} auf, {said.zu_infinitive}" for said in said_in_german(clause)),
    )


def wanting(draw: Draw) -> Sentence:
    """He wants her to read: German has a clause with dass."""
    who = draw.one_of((*PRONOUNS, None)) or Name(draw.one_of(draw.lexicon.names))
    clause = draw_clause(
        draw,
        tenses=_PRESENT,
        fits=lambda one: not one.subject.negative and one.subject not in YOU and one.subject.english() != who.english(),
    )
    wants = draw.chance(0.5)
    want = regular_present("want", who.person) if wants else "would like"
    will = (_WILL if wants else MOECHTE)[who.person]
    return written(
        [f"{who.english()} {want} {clause.subject.english(Case.ACCUSATIVE)} to {infinitive_in_english(clause)}"],
        (f"{who.german()} {will}, dass {said.subordinate}" for said in said_in_german(clause)),
    )


def letting(draw: Draw) -> Sentence:
    """He lets her read."""
    who, whom, clause = _of_two_people(draw)
    return written(
        [f"{who.subject} {regular_present('let', who.person)} {whom.object} {infinitive_in_english(clause)}"],
        (
            f"{who.nominative} {_LASSE[who.person]} {whom.accusative} {said.infinitive}"
            for said in said_in_german(clause)
        ),
    )


def seeing(draw: Draw) -> Sentence:
    """He saw her reading."""
    who, whom, clause = _of_two_people(draw, ing=True)
    past = draw.chance(0.6)
    see, sehe = ("saw", _SAH) if past else (regular_present("see", who.person), _SEHE)
    doing = ing_in_english(clause) if draw.chance(0.6) else infinitive_in_english(clause)
    return written(
        [f"{who.subject} {see} {whom.object} {doing}"],
        (f"{who.nominative} {sehe[who.person]} {whom.accusative} {said.infinitive}" for said in said_in_german(clause)),
    )


def _of_one_person(draw: Draw, *, wanted: bool = False) -> tuple[Clause, Clause]:
    """Two clauses of different verbs; the second has an -ing form; `wanted`: both of what one chooses to do."""
    subject = draw.one_of(PRONOUNS)

    def fits(clause: Clause) -> bool:
        return not wanted or clause.verb.traits.isdisjoint({VerbTrait.INVOLUNTARY, VerbTrait.UNPLEASANT})

    first = draw_clause(draw, tenses=(Tense.PAST, Tense.PRESENT), subject=subject, fits=fits)
    second = draw_clause(
        draw,
        tenses=_PRESENT,
        subject=subject,
        fits=lambda one: fits(one) and one.verb is not first.verb and _has_ing(one),
    )
    return first, second


def _with(first: Clause, conjunction: str, second: Clause) -> list[str]:
    """Both in German."""
    both = product(said_in_german(first), said_in_german(second))
    return [f"{one.main}, {conjunction} {other.zu_infinitive}" for one, other in both]


def _of_two_people(draw: Draw, *, ing: bool = False) -> tuple[Pronoun, Pronoun, Clause]:
    """Somebody, and another who does something; `ing`: of a verb that has that form."""
    who, whom = draw.two_of(PRONOUNS)
    while {who.person, whom.person} == {Person.I, Person.WE}:
        who, whom = draw.two_of(PRONOUNS)
    clause = draw_clause(
        draw, tenses=_PRESENT, subject=whom, fits=lambda one: not one.verb.reflexive and (_has_ing(one) or not ing)
    )
    return who, whom, clause


def _has_ing(clause: Clause) -> bool:
    return bool(clause.verb.english.ing)
