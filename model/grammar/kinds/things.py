"""Something, nothing and everything: something new, nothing to eat."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from model.grammar.categories import Kind, Person, Tense
from model.grammar.clauses import draw_clause
from model.grammar.kinds.attributes import with_object
from model.grammar.kinds.groups import Several, stated
from model.grammar.lexicon import expression
from model.grammar.noun_phrases import PRONOUNS, YOU, Indefinite, inflected
from model.grammar.phrases import ANIMATE, PEOPLE, draw_subject
from model.grammar.verb_forms import DO, HABE, HATTE, HAVE, MOECHTE, be_and_sein
from model.grammar.writing import written

if TYPE_CHECKING:
    from model.grammar.drawing import Draw
    from model.grammar.writing import Sentence

__all__ = ["everything_is", "something", "something_to"]


_NEW = frozenset(["new", "beautiful", "expensive", "cheap", "interesting", "important", "strange", "useful", "good"])

_TO_DO = (
    expression("to eat", "zu essen"),
    expression("to drink", "zu trinken"),
    expression("to read", "zu lesen"),
    expression("to do", "zu tun"),
    expression("to say", "zu sagen"),
)
_DESCRIBED = (
    expression("expensive", "teuer"),
    expression("new", "neu"),
    expression("possible", "möglich"),
    expression("ready", "fertig"),
    expression("all right", "in Ordnung"),
    expression("clean", "sauber"),
    expression("important", "wichtig"),
    expression("free", "kostenlos"),
    expression("different", "anders"),
    expression("perfect", "perfekt"),
)


def something(draw: Draw) -> Sentence:
    """He bought something, nothing new; did not buy anything."""
    verbs = [
        verb
        for verb in draw.lexicon.verbs
        if verb.takes_accusative and not verb.slots[0].kinds & {*ANIMATE, Kind.PLACE}
    ]
    clause = draw_clause(
        draw, adverbs=0.3, verbs=verbs, fits=lambda one: not one.subject.negative and not one.subject.quantified
    )
    clause = replace(clause, manner=None)
    new, neues = "", ""
    if draw.chance(0.4):
        adjective = draw.one_of([one for one in draw.lexicon.adjectives if one.english in _NEW])
        new, neues = f" {adjective.english}", f" {inflected(adjective.german, 'es').capitalize()}"
    elif draw.chance(0.3):
        return stated([with_object(clause, _thing("everything", "alles"))])
    positive = clause.adverb is None or not clause.adverb.traits
    can_be_negated = clause.modal is None or clause.modal.negated
    if draw.chance(0.5) and positive and can_be_negated:
        nothing = with_object(clause, _thing(f"nothing{new}", f"nichts{neues}"))
        anything = replace(with_object(clause, _thing(f"anything{new}", "")), negated=True)
        return stated([anything, nothing], [nothing])
    return stated([with_object(clause, _thing(f"something{new}", f"etwas{neues}"))])


def something_to(draw: Draw) -> Sentence:
    """He has nothing to eat; would you like something to drink?"""
    to_do, (zu_tun,) = draw.one_of(_TO_DO)
    how = draw.one_of(("offered", "offered", "asked", "is there", "has", "has", "had", "has nothing"))
    if how == "offered":
        drink = draw.one_of(_TO_DO[:2])
        you, verb = draw.one_of(YOU), drink.german[0].removeprefix("zu ")
        sie = you.german()
        return written(
            [f"would you like something {drink.english}"],
            [f"{MOECHTE[you.person]} {sie} etwas {verb}", f"{MOECHTE[you.person]} {sie} etwas zu {verb}"],
            "?",
        )
    if how == "is there":
        return written([f"is there anything {to_do}", f"is there something {to_do}"], [f"gibt es etwas {zu_tun}"], "?")
    if how == "asked":
        person = draw.one_of((*PRONOUNS, *YOU))
        asked = f"{DO[person.of]} {person.english()} have"
        return written(
            [f"{asked} anything {to_do}", f"{asked} something {to_do}"],
            [f"{HABE[person.of]} {person.german()} etwas {zu_tun}"],
            "?",
        )
    subject = draw_subject(draw, PEOPLE)
    nothing = how == "has nothing" and not (subject.negative or isinstance(subject, Indefinite) or subject.quantified)
    have, habe = ("had", HATTE) if how == "had" else (HAVE[subject.person], HABE)
    who, wer = subject.english(), subject.german()
    if nothing:
        does = DO[subject.person]
        return written(
            [
                f"{who} {have} nothing {to_do}",
                f"{who} {does} not have anything {to_do}",
                f"{who} {does}n't have anything {to_do}",
            ],
            [f"{wer} {habe[subject.person]} nichts {zu_tun}"],
        )
    thing = "anything" if subject.negative else "something"
    return written([f"{who} {have} {thing} {to_do}"], [f"{wer} {habe[subject.person]} etwas {zu_tun}"])


def everything_is(draw: Draw) -> Sentence:
    """Everything was expensive; or the question."""
    how, (wie,) = draw.one_of(_DESCRIBED)
    thing, ding = draw.one_of((("everything", "alles"), ("everything", "alles"), ("nothing", "nichts")))
    be, sein = be_and_sein(Person.IT, draw.one_of((Tense.PRESENT, Tense.PAST)))
    if thing == "everything" and draw.chance(0.3):
        return written([f"{be} everything {how}"], [f"{sein} alles {wie}"], "?")
    return written([f"{thing} {be} {how}"], [f"{ding} {sein} {wie}"])


def _thing(english: str, german: str) -> Several:
    return Several(english, german, german, german)
