"""Lengths of time: how old somebody is, how long something took, how late it was."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from model.grammar.categories import Case, Gender, Kind, Tense
from model.grammar.clauses import draw_clause
from model.grammar.determiners import Determiner
from model.grammar.english_clauses import infinitive_in_english
from model.grammar.german_clauses import said_in_german
from model.grammar.lexicon import Noun, expression
from model.grammar.noun_phrases import PRONOUNS, YOU, Indefinite, NounPhrase, Pronoun
from model.grammar.phrases import PEOPLE, draw_noun_phrase, draw_subject
from model.grammar.verb_forms import AM, BIN, HABE, HATTE, WERDE, WURDE, GermanVerb, be_and_sein
from model.grammar.writing import joined, written

if TYPE_CHECKING:
    from collections.abc import Sequence

    from model.grammar.drawing import Draw
    from model.grammar.noun_phrases import Phrase
    from model.grammar.writing import Sentence

__all__ = ["age", "being_late", "birthday", "taking_time", "years_older"]

_BRAUCHEN = GermanVerb("brauchen", "braucht", "brauchte", "gebraucht", "haben")
_LAST_WEEK = (
    *[expression("", "")] * 2,
    expression("last week", "letzte Woche"),
    expression("yesterday", "gestern"),
    expression("on Monday", "am Montag"),
    expression("last year", "letztes Jahr"),
    expression("in May", "im Mai"),
    expression("two days ago", "vor zwei Tagen"),
)
_NEXT_WEEK = (
    *[expression("", "")],
    expression("next week", "nächste Woche"),
    expression("tomorrow", "morgen"),
    expression("on Saturday", "am Samstag"),
    expression("next month", "nächsten Monat"),
    expression("soon", "bald"),
    expression("this year", "dieses Jahr", "in diesem Jahr"),
)
_LONG = (
    expression("two hours", "zwei Stunden"),
    expression("an hour", "eine Stunde"),
    expression("half an hour", "eine halbe Stunde"),
    expression("ten minutes", "zehn Minuten"),
    expression("three days", "drei Tage"),
    expression("a week", "eine Woche"),
    expression("a long time", "lange"),
    expression("a year", "ein Jahr"),
    expression("six months", "sechs Monate"),
)
_LATE = (
    expression("two hours", "zwei Stunden"),
    expression("an hour", "eine Stunde"),
    expression("ten minutes", "zehn Minuten"),
    expression("twenty minutes", "zwanzig Minuten"),
    expression("half an hour", "eine halbe Stunde"),
    expression("five minutes", "fünf Minuten"),
    expression("three hours", "drei Stunden"),
)
_YEARS = (
    expression("two years", "zwei Jahre"),
    expression("a year", "ein Jahr"),
    expression("three years", "drei Jahre"),
    expression("five years", "fünf Jahre"),
    expression("ten years", "zehn Jahre"),
    expression("six months", "sechs Monate"),
)
_LENGTHY = frozenset(["read", "write", "repair", "clean", "build", "find", "pack", "translate", "learn", "cook"])
"""Verbs of what takes some time."""

_GETTING = (
    expression("get home", "nach Hause zu kommen"),
    expression("get to work", "zur Arbeit zu kommen"),
    expression("get to the airport", "zum Flughafen zu kommen"),
    expression("get there", "dorthin zu kommen"),
    expression("finish the work", "mit der Arbeit fertig zu werden"),
    expression("fall asleep", "einzuschlafen"),
    expression("find the house", "das Haus zu finden"),
)
_FLIGHT = Noun("flight", "flights", Gender.MASCULINE, "Flug", "Fluges", "Flüge", frozenset())
_PUBLIC = frozenset({"train", "bus", "plane", "tram", "ship"})


def age(draw: Draw) -> Sentence | None:
    """My grandmother is ninety; how old is she?"""
    subject = _draw_person(draw)
    if subject is None:
        return None
    years, (jahre,) = draw.one_of(draw.lexicon.ages)
    be, sein = be_and_sein(subject.person, draw.one_of((Tense.PRESENT, Tense.PRESENT, Tense.PAST)))
    who, wer = subject.english(), subject.german()
    if draw.chance(0.25):
        return written([f"how old {be} {who}"], [f"wie alt {sein} {wer}"], "?")
    return written(
        [f"{who} {be} {years}", f"{who} {be} {years} years old"],
        [f"{wer} {sein} {jahre}", f"{wer} {sein} {jahre} Jahre alt"],
    )


def birthday(draw: Draw) -> Sentence | None:
    """My grandmother turned ninety last week; she will be ninety next week."""
    subject = _draw_person(draw)
    if subject is None:
        return None
    years, (jahre,) = draw.one_of(draw.lexicon.ages)
    person, who, wer = subject.person, subject.english(), subject.german()
    if draw.chance(0.35):
        when, ways = draw.one_of(_NEXT_WEEK)
        english = [f"{who} will be {years}", f"{who} will turn {years}", f"{who} {AM[person]} turning {years}"]
        return written(
            (joined(one, when) for one in english if when or "turning" not in one),
            (
                way
                for one in ways
                for old in ("", "Jahre alt")
                for way in (
                    joined(wer, WERDE[person], one, jahre, old),
                    *([joined(one, WERDE[person], wer, jahre, old)] if one else []),
                )
            ),
        )
    when, (wann,) = draw.one_of(_LAST_WEEK)
    german = [
        joined(wer, BIN[person], wann, jahre, "geworden"),
        joined(wer, BIN[person], wann, jahre, "Jahre alt geworden"),
        joined(wer, WURDE[person], wann, jahre),
        joined(wer, WURDE[person], wann, jahre, "Jahre alt"),
    ]
    if wann:
        german += [joined(wann, BIN[person], wer, jahre, "geworden"), joined(wann, WURDE[person], wer, jahre)]
    return written([joined(who, "turned", years, when)], german)


def years_older(draw: Draw) -> Sentence | None:
    """He is two years older than my sister."""
    one, other = _draw_person(draw), _draw_person(draw)
    if one is None or other is None or {one.english(), other.english()} == {"I", "we"}:
        return None
    if one.english() == other.english():
        return None
    years, (jahre,) = draw.one_of(_YEARS)
    older, aelter = draw.one_of((("older", "älter"), ("younger", "jünger")))
    be, sein = be_and_sein(one.person, Tense.PRESENT)
    english = [f"{one.english()} {be} {years} {older} than {other.english(Case.ACCUSATIVE)}"]
    if isinstance(other, Pronoun):
        english.append(f"{one.english()} {be} {years} {older} than {other.english()} {AM[other.person]}")
    return written(english, [f"{one.german()} {sein} {jahre} {aelter} als {other.german()}"])


def taking_time(draw: Draw) -> Sentence:
    """It took me two hours to get home; how long did it take you?"""
    subject = draw.one_of((*PRONOUNS, *YOU))
    clause = draw_clause(
        draw,
        tenses=(Tense.PRESENT,),
        subject=subject,
        verbs=[one for one in draw.lexicon.verbs if one.english.base in _LENGTHY],
        fits=lambda one: one.manner is None and not one.denies,
    )
    zu: Sequence[str]
    to, zu = infinitive_in_english(clause), [one.zu_infinitive for one in said_in_german(clause)]
    if draw.chance(0.3):
        to, zu = draw.one_of(_GETTING)
    um = [f"um {one}" for one in zu]
    whom, wer, person = subject.object, subject.german(), subject.person
    if draw.chance(0.25):
        past = [f"wie lange {HABE[person]} {wer} gebraucht", f"wie lange {_BRAUCHEN.preterite(person)} {wer}"]
        return written(
            [f"how long did it take {whom} to {to}"], (f"{one}, {other}" for one in past for other in um), "?"
        )
    long, (lange,) = draw.one_of(_LONG)
    if draw.chance(0.25):
        german = [f"{wer} {WERDE[person]} {lange} brauchen", f"{wer} {_BRAUCHEN.present(person)} {lange}"]
        return written([f"it will take {whom} {long} to {to}"], (f"{one}, {other}" for one in german for other in um))
    german = [f"{wer} {HABE[person]} {lange} gebraucht", f"{wer} {_BRAUCHEN.preterite(person)} {lange}"]
    return written([f"it took {whom} {long} to {to}"], (f"{one}, {other}" for one in german for other in um))


def being_late(draw: Draw) -> Sentence | None:
    """The train was two hours late: German has a delay."""
    nouns = [_FLIGHT, *(one for one in draw.lexicon.nouns if one.english in _PUBLIC)]
    determiners = (Determiner.THE, Determiner.THE, Determiner.OUR, Determiner.MY, Determiner.HIS)
    vehicle = replace(
        draw_noun_phrase(draw, {Kind.VEHICLE}, determiners=determiners, adjectives=0.0), noun=draw.one_of(nouns)
    )
    if vehicle.plural and vehicle.determiner is not Determiner.THE:
        return None
    late, (spaet,) = draw.one_of(_LATE)
    past = draw.chance(0.6)
    be, _ = be_and_sein(vehicle.person, Tense.PAST if past else Tense.PRESENT)
    habe = (HATTE if past else HABE)[vehicle.person]
    when, wann = draw.one_of((("", ""), ("", ""), ("today", "heute"), ("again", "wieder"), ("yesterday", "gestern")))
    if when == "yesterday" and not past:
        return None
    what, was = vehicle.english(), vehicle.german()
    if draw.chance(0.15):
        return written([joined(be, what, "late", when)], [joined(habe, was, wann, "Verspätung")], "?")
    return written(
        [joined(what, be, late, "late", when), joined(what, be, "delayed by", late, when)],
        [joined(was, habe, wann, spaet, "Verspätung")],
    )


def _draw_person(draw: Draw) -> Phrase | None:
    """Somebody of an age."""
    subject = draw_subject(draw, PEOPLE)
    several = isinstance(subject, NounPhrase) and subject.plural
    return None if several or subject.negative or subject.quantified or isinstance(subject, Indefinite) else subject
