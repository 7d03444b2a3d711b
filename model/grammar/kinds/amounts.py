"""How much of what: a cup of coffee, two slices of bread."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from model.grammar.categories import Case
from model.grammar.clauses import draw_clause
from model.grammar.determiners import Determiner
from model.grammar.english_clauses import said_in_english
from model.grammar.german_clauses import said_in_german
from model.grammar.kinds.attributes import Attributed, having, with_object
from model.grammar.lexicon import FixedPhrase
from model.grammar.noun_phrases import PRONOUNS, NounPhrase
from model.grammar.verb_forms import HAETTE, MOECHTE
from model.grammar.writing import joined, written

if TYPE_CHECKING:
    from model.grammar.clauses import Clause
    from model.grammar.drawing import Draw
    from model.grammar.writing import Sentence

__all__ = ["amount", "draw_amount"]

_BOUGHT = frozenset({"buy", "order", "bring", "need"})


def amount(draw: Draw) -> Sentence:
    """He drinks a cup of coffee; he would like one, please."""
    what = draw_amount(draw)
    if draw.chance(0.35):
        who, please = draw.one_of(PRONOUNS), draw.chance(0.4)
        was = what.german(Case.ACCUSATIVE)
        return written(
            [f"{who.english()} would like {what.english()}{', please' if please else ''}"],
            [
                joined(who.german(), MOECHTE[who.person], "bitte" if please else "", was),
                f"{who.german()} {HAETTE[who.person]} gern {was}{', bitte' if please else ''}",
            ],
        )
    verbs = [verb for verb in draw.lexicon.verbs if verb.english.base in _BOUGHT and verb.slots]
    drink = [verb for verb in draw.lexicon.verbs if verb.english.base == "drink" and verb.phrases]
    if drink and (draw.chance(0.5) or not verbs):
        what = draw_amount(draw, "drink")
        phrase = FixedPhrase(what.english(), what.german(Case.ACCUSATIVE), "")
        return _stated(draw_clause(draw, adverbs=0.4, verbs=[replace(verb, phrases=(phrase,)) for verb in drink]))
    if not verbs:
        return having(draw, what)
    return _stated(with_object(draw_clause(draw, adverbs=0.3, verbs=verbs), what))


def draw_amount(draw: Draw, verb: str = "") -> Attributed:
    """A cup of coffee, two cups of coffee; of those that go with this verb."""
    amount = draw.one_of([one for one in draw.lexicon.amounts if verb in {"", one.verb}])
    of, (von,) = draw.one_of(amount.of)
    if draw.chance(0.3):
        head = NounPhrase(
            amount.measure, Determiner.QUANTITY, plural=True, quantity=draw.one_of(draw.lexicon.quantities[:4])
        )
    else:
        head = NounPhrase(amount.measure, Determiner.A)
    return Attributed(head, f"of {of}", von)


def _stated(clause: Clause) -> Sentence:
    return written((said.statement for said in said_in_english(clause)), (said.main for said in said_in_german(clause)))
