"""What somebody likes better: prefers tea to coffee, would rather read."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from model.grammar.categories import Position, Tense, VerbTrait
from model.grammar.clauses import draw_clause
from model.grammar.english_clauses import infinitive_in_english
from model.grammar.german_clauses import said_in_german
from model.grammar.lexicon import Adverb, Modal, expression
from model.grammar.noun_phrases import PRONOUNS, Name
from model.grammar.verb_forms import MAG, forms, regular_present
from model.grammar.writing import written

if TYPE_CHECKING:
    from model.grammar.drawing import Draw
    from model.grammar.writing import Sentence

__all__ = ["preferring", "rather"]

_TRINKE = forms("trinke", "trinkst", "trinkt", "trinken")
_ESSE = forms("esse", "isst", "isst", "essen")

_DRINKS = (
    expression("tea", "Tee"),
    expression("coffee", "Kaffee"),
    expression("water", "Wasser"),
    expression("milk", "Milch"),
    expression("wine", "Wein"),
    expression("beer", "Bier"),
    expression("orange juice", "Orangensaft"),
)
_FOOD = (
    expression("meat", "Fleisch"),
    expression("fish", "Fisch"),
    expression("rice", "Reis"),
    expression("bread", "Brot"),
    expression("cheese", "Käse"),
    expression("vegetables", "Gemüse"),
    expression("chocolate", "Schokolade"),
    expression("cake", "Kuchen"),
    expression("fruit", "Obst"),
)
_LIKED = (
    expression("summer", "den Sommer"),
    expression("winter", "den Winter"),
    expression("dogs", "Hunde"),
    expression("cats", "Katzen"),
    expression("books", "Bücher"),
    expression("films", "Filme"),
    expression("the city", "die Stadt"),
    expression("the country", "das Land"),
)
_WOULD = Modal(
    "would", ("rather",), (), (forms("würde", "würdest", "würde", "würden"),), asked=True, negated=False, past=False
)


def preferring(draw: Draw) -> Sentence:
    """He prefers tea to coffee: German says so with lieber."""
    subject = draw.one_of((*PRONOUNS, None)) or Name(draw.one_of(draw.lexicon.names))
    person = subject.person
    things, trinke = draw.one_of(((_DRINKS, _TRINKE), (_FOOD, _ESSE), (_LIKED, None)))
    index = draw.one_of(range(len(things) // 2)) * 2
    one, other = draw.two_of(things) if trinke else draw.two_of(things[index : index + 2])
    german = [f"{subject.german()} {MAG[person]} {one.german[0]} lieber als {other.german[0]}"]
    if trinke:
        german.insert(0, f"{subject.german()} {trinke[person]} lieber {one.german[0]} als {other.german[0]}")
    prefer = regular_present("prefer", person)
    return written([f"{subject.english()} {prefer} {one.english} to {other.english}"], german)


def rather(draw: Draw) -> Sentence:
    """He would rather read: German says so with lieber."""
    clause = draw_clause(
        draw,
        tenses=(Tense.PRESENT,),
        subject=draw.one_of(PRONOUNS),
        fits=lambda one: (
            VerbTrait.INVOLUNTARY not in one.verb.traits
            and VerbTrait.UNPLEASANT not in one.verb.traits
            and not one.denies
        ),
    )
    clause = replace(
        clause,
        tense=Tense.MODAL,
        modal=_WOULD,
        adverb=Adverb("", ("lieber",), (Position.END,)),
        position=Position.END,
        manner=None,
    )
    return written(
        [f"{clause.subject.english()} would rather {infinitive_in_english(clause)}"],
        (said.main for said in said_in_german(clause)),
    )
