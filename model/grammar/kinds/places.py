"""Cities and countries: where somebody lives, goes to, comes from, has been."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from model.grammar.categories import Position, Tense, VerbTrait
from model.grammar.clauses import can_be_asked, draw_clause
from model.grammar.determiners import Determiner
from model.grammar.english_clauses import said_in_english
from model.grammar.german_clauses import said_in_german
from model.grammar.lexicon import expression
from model.grammar.noun_phrases import NounPhrase
from model.grammar.phrases import PEOPLE, draw_subject
from model.grammar.verb_forms import BIN, HAVE, WAR, WAS, WURDE, be_and_sein
from model.grammar.writing import joined, written

if TYPE_CHECKING:
    from model.grammar.clauses import Clause
    from model.grammar.drawing import Draw
    from model.grammar.lexicon import Verb
    from model.grammar.noun_phrases import Phrase
    from model.grammar.writing import Sentence

__all__ = ["been_to", "being_in", "born_in", "named_place", "near", "place_and_time"]

_DONE_ANYWHERE = frozenset(
    ["work", "get married", "buy", "meet", "find", "lose", "sell", "photograph", "get to know", "relax", "see", "read"]
)
"""Verbs of what is done in a country, without saying where in it."""

_NEAR = frozenset({"village", "castle", "lake", "forest", "airport", "hotel", "factory", "university", "island"})

_HOW_OFTEN = (
    expression("", "schon"),
    expression("once", "schon einmal", "einmal"),
    expression("twice", "schon zweimal", "zweimal"),
    expression("three times", "schon dreimal", "dreimal"),
)
_NOW = (
    expression("", ""),
    expression("now", "jetzt"),
    expression("at the moment", "im Moment", "zurzeit", "gerade"),
    expression("today", "heute"),
)
_THEN = (
    expression("", ""),
    expression("yesterday", "gestern"),
    expression("last week", "letzte Woche"),
    expression("last year", "letztes Jahr"),
    expression("last summer", "letzten Sommer"),
    expression("two weeks ago", "vor zwei Wochen"),
)


def named_place(draw: Draw) -> Sentence:
    """He moved to Italy last year; or the question."""
    names = tuple(f" {one.english}" for one in draw.lexicon.places)
    verbs = [verb for verb in draw.lexicon.verbs if _is_of(verb, names)]
    if draw.chance(0.25):
        clause = draw_clause(draw, adverbs=0.2, verbs=verbs, fits=lambda one: can_be_asked(one) and _suits_living(one))
        return written(
            (said.question for said in said_in_english(clause)), (said.inverted for said in said_in_german(clause)), "?"
        )
    return _stated(draw_clause(draw, adverbs=0.5, negations=0.15, verbs=verbs, fits=_suits_living))


def place_and_time(draw: Draw) -> Sentence:
    """They got married in Italy last summer: German says first when, then where."""
    verbs = [
        verb
        for verb in draw.lexicon.verbs
        if verb.english.base in _DONE_ANYWHERE and not verb.phrases and (verb.takes_accusative or not verb.slots)
    ]
    place = draw.one_of(draw.lexicon.places)
    clause = draw_clause(
        draw,
        tenses=(Tense.PAST, Tense.PAST, Tense.MODAL),
        adverbs=1.0,
        verbs=verbs,
        fits=lambda one: one.adverb is not None and {Position.FRONT, Position.END} <= {*one.adverb.positions},
    )
    return _stated(replace(clause, manner=expression(f"in {place.english}", place.where)))


def being_in(draw: Draw) -> Sentence | None:
    """My brother was in Japan last year."""
    subject, place = _draw_traveller(draw), draw.one_of(draw.lexicon.places)
    if subject is None:
        return None
    tense = draw.one_of((Tense.PRESENT, Tense.PAST))
    when = draw.one_of(_NOW if tense is Tense.PRESENT else _THEN)
    be, sein = be_and_sein(subject.person, tense)
    if draw.chance(0.25):
        return written(
            [joined(be, subject.english(), "in", place.english, when.english)],
            (joined(sein, subject.german(), wann, place.where) for wann in when.german),
            "?",
        )
    german = [joined(subject.german(), sein, wann, place.where) for wann in when.german]
    german += [joined(wann, sein, subject.german(), place.where) for wann in when.german if wann]
    return written([joined(subject.english(), be, "in", place.english, when.english)], german)


def been_to(draw: Draw) -> Sentence | None:
    """He has never been to Japan; or the question."""
    subject, place = _draw_traveller(draw), draw.one_of(draw.lexicon.places)
    if subject is None:
        return None
    who, wer, person = subject.english(), subject.german(), subject.person
    if draw.chance(0.35):
        return written(
            [f"{HAVE[person]} {who} ever been to {place.english}"],
            [
                f"{WAR[person]} {wer} schon einmal {place.where}",
                f"{WAR[person]} {wer} schon mal {place.where}",
                f"{WAR[person]} {wer} jemals {place.where}",
                f"{BIN[person]} {wer} schon einmal {place.where} gewesen",
            ],
            "?",
        )
    if draw.chance(0.5):
        return written(
            [f"{who} {HAVE[person]} never been to {place.english}"],
            [
                f"{wer} {WAR[person]} noch nie {place.where}",
                f"{wer} {BIN[person]} noch nie {place.where} gewesen",
                f"{wer} {WAR[person]} nie {place.where}",
            ],
        )
    often, wie_oft = draw.one_of(_HOW_OFTEN)
    simple = [f"{wer} {WAR[person]} {oft} {place.where}" for oft in wie_oft]
    perfect = [f"{wer} {BIN[person]} {oft} {place.where} gewesen" for oft in wie_oft]
    return written([joined(who, HAVE[person], "been to", place.english, often)], simple + perfect)


def born_in(draw: Draw) -> Sentence | None:
    """He was born in Germany; or where he was."""
    subject, place = _draw_traveller(draw), draw.one_of(draw.lexicon.places)
    if subject is None:
        return None
    who, wer, person = subject.english(), subject.german(), subject.person
    if draw.chance(0.2):
        return written(
            [f"where {WAS[person]} {who} born"],
            [f"wo {WURDE[person]} {wer} geboren", f"wo {BIN[person]} {wer} geboren"],
            "?",
        )
    return written(
        [f"{who} {WAS[person]} born in {place.english}"],
        [f"{wer} {WURDE[person]} {place.where} geboren", f"{wer} {BIN[person]} {place.where} geboren"],
    )


def near(draw: Draw) -> Sentence:
    """He lives near Munich; the village is near Munich."""
    city = draw.one_of([one for one in draw.lexicon.places if "city" in one.traits])
    if draw.chance(0.6):
        live = next(verb for verb in draw.lexicon.verbs if verb.english.base == "live")
        verb = replace(live, slots=(), phrases=(city.near,))
        return _stated(draw_clause(draw, adverbs=0.3, negations=0.1, verbs=[verb], fits=_suits_living))
    noun = draw.one_of([one for one in draw.lexicon.nouns if one.english in _NEAR])
    subject = NounPhrase(noun, draw.one_of((Determiner.THE, Determiner.THE, Determiner.THIS)))
    be, sein = be_and_sein(subject.person, Tense.PRESENT)
    return written(
        [f"{subject.english()} {be} {city.near.english}"],
        (f"{subject.german()} {verb} {city.near.german}" for verb in ("liegt", sein)),
    )


def _is_of(verb: Verb, names: tuple[str, ...]) -> bool:
    """Whether all that follows the verb is a named place."""
    return bool(verb.phrases) and all(phrase.english.endswith(names) for phrase in verb.phrases)


def _suits_living(clause: Clause) -> bool:
    """Whether it has no adverb that says how often, or at what time: one lives somewhere all the time."""
    often = clause.adverb is not None and clause.adverb.english.split()[0] in {"every", "in", "at", "on", "today"}
    return VerbTrait.RESTING not in clause.verb.traits or not often


def _draw_traveller(draw: Draw) -> Phrase | None:
    """Of whom it is clear who that is."""
    subject = draw_subject(draw, PEOPLE)
    return None if subject.negative or subject.quantified or subject.indefinite else subject


def _stated(clause: Clause) -> Sentence:
    return written((said.statement for said in said_in_english(clause)), (said.main for said in said_in_german(clause)))
