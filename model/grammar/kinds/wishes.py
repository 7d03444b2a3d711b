"""What is not so: I wish I had time, if I were you, if he had read it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from model.grammar.categories import Tense, VerbTrait
from model.grammar.clauses import draw_clause
from model.grammar.english_clauses import infinitive_in_english, participle_in_english
from model.grammar.german_clauses import said_in_german
from model.grammar.lexicon import Modal, expression
from model.grammar.noun_phrases import PRONOUNS, YOU, Pronoun
from model.grammar.verb_forms import HAETTE, WAERE, forms
from model.grammar.writing import written

if TYPE_CHECKING:
    from model.grammar.clauses import Clause
    from model.grammar.drawing import Draw
    from model.grammar.verb_forms import Forms
    from model.grammar.writing import Sentence

__all__ = ["if_had", "in_your_place", "wish"]

_I, _HE, _SHE, _WE, _THEY = PRONOUNS
_DU, _SIE = YOU

_WUENSCHTE = forms("wünschte", "wünschtest", "wünschte", "wünschten")
_WISHING = ((_I, "wish"), (_I, "wish"), (_HE, "wishes"), (_SHE, "wishes"), (_WE, "wish"), (_THEY, "wish"))

_COULD = Modal(
    "could", ("",), (), (forms("könnte", "könntest", "könnte", "könnten"),), asked=True, negated=True, past=False
)
_WOULD = Modal(
    "would", ("",), (), (forms("würde", "würdest", "würde", "würden"),), asked=True, negated=True, past=False
)

_PLACES = (
    (_DU, "an deiner Stelle"),
    (_DU, "an deiner Stelle"),
    (_SIE, "an Ihrer Stelle"),
    (_HE, "an seiner Stelle"),
    (_SHE, "an ihrer Stelle"),
)

_KNOWN = (
    expression("had known that", "das gewusst hätte"),
    expression("had had more time", "mehr Zeit gehabt hätte"),
    expression("had had enough money", "genug Geld gehabt hätte"),
    expression("had seen it", "es gesehen hätte"),
    expression("had been there", "dort gewesen wäre", "da gewesen wäre"),
    expression("had arrived earlier", "früher angekommen wäre"),
    expression("had asked me", "mich gefragt hätte"),
    expression("had not been so tired", "nicht so müde gewesen wäre"),
    expression("had got up earlier", "früher aufgestanden wäre"),
)


def wish(draw: Draw) -> Sentence:
    """I wish I had more time, he could read."""
    who, wishes = draw.one_of(_WISHING)
    wuenschte = f"{who.german()} {_WUENSCHTE[who.person]}"
    whoever = who if draw.chance(0.5) else draw.one_of((*PRONOUNS, *YOU))
    english = f"{who.english()} {wishes} {whoever.english()}"
    if draw.chance(0.45):
        condition, (haette,) = draw.one_of(draw.lexicon.conditions)
        *rest, verb = haette.split()
        finite = _agreeing(verb, whoever)
        return written([f"{english} {condition}"], [f"{wuenschte}, {whoever.german()} {finite} {' '.join(rest)}"])
    modal = _WOULD if whoever is not who and draw.chance(0.3) else _COULD
    clause = _draw(draw, whoever, modal)
    could = f"{modal.auxiliary} not" if clause.negated else modal.auxiliary
    return written(
        [f"{english} {could} {infinitive_in_english(clause)}"],
        (f"{wuenschte}, {said.main}" for said in said_in_german(clause)),
    )


def in_your_place(draw: Draw) -> Sentence:
    """If I were you, I would read it."""
    you, stelle = draw.one_of(_PLACES)
    clause = _draw(draw, _I, _WOULD, negations=0.2)
    while any(isinstance(phrase, Pronoun) for phrase, _ in clause.complements):
        clause = _draw(draw, _I, _WOULD, negations=0.2)
    would = "would not" if clause.negated else "would"
    what = f"I {would} {infinitive_in_english(clause)}"
    were = f"if I were {you.object}"
    said = said_in_german(clause)
    if draw.chance(0.25):
        return written(
            [f"{what} {were}"],
            [
                *(f"{one.main}, wenn ich {you.nominative} wäre" for one in said),
                *(f"{stelle} {one.inverted}" for one in said),
            ],
        )
    return written(
        [f"{were}, {what}"],
        [
            *(f"wenn ich {you.nominative} wäre, {one.inverted}" for one in said),
            *(f"{stelle} {one.inverted}" for one in said),
        ],
    )


def if_had(draw: Draw) -> Sentence:
    """If I had known that, I would have read it."""
    who, whoever = draw.one_of(PRONOUNS), draw.one_of(PRONOUNS)
    known, ways = draw.one_of([one for one in _KNOWN if who is not _I or "me" not in one.english.split()])
    clause = draw_clause(draw, tenses=(Tense.PAST,), negations=0.2, subject=whoever)
    would = "would not have" if clause.negated else "would have"
    english_if = f"if {who.english()} {known}"
    german_ifs = [f"wenn {who.german()} {way}{'n' if who.person.plural else ''}" for way in ways]
    what = f"{whoever.english()} {would} {participle_in_english(clause)}"
    said = [
        one.with_finite(one.verb.auxiliary_of(clause.person, HAETTE, WAERE))
        for one in said_in_german(clause)
        if one.perfect
    ]
    if draw.chance(0.6):
        return written(
            [f"{english_if}, {what}"], (f"{german_if}, {one.inverted}" for german_if in german_ifs for one in said)
        )
    return written([f"{what} {english_if}"], (f"{one.main}, {german_if}" for german_if in german_ifs for one in said))


def _draw(draw: Draw, who: Pronoun, modal: Modal, *, negations: float = 0.0) -> Clause:
    """What somebody could do, with this modal verb."""
    clause = draw_clause(
        draw,
        tenses=(Tense.PRESENT,),
        negations=negations,
        subject=who,
        fits=lambda one: VerbTrait.INVOLUNTARY not in one.verb.traits and not one.denies,
    )
    return replace(clause, tense=Tense.MODAL, modal=modal)


def _agreeing(verb: str, who: Pronoun) -> str:
    """Hätte, hättest, hätten."""
    table: dict[str, Forms] = {"hätte": HAETTE, "wäre": WAERE, "würde": _WOULD.german[0]}
    return table[verb][who.person]
