"""Polite requests and offers: could you, may I, would you like, would you mind; and instructions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from model.grammar.categories import Case, Position, Tense, VerbTrait
from model.grammar.clauses import draw_clause
from model.grammar.english_clauses import infinitive_in_english, ing_in_english
from model.grammar.german_clauses import said_in_german
from model.grammar.kinds.amounts import draw_amount
from model.grammar.kinds.times import draw_time
from model.grammar.lexicon import Adverb, Modal, expression
from model.grammar.noun_phrases import POLITE_YOU, PRONOUNS, YOU
from model.grammar.verb_forms import HAETTE, KANN, MOECHTE, forms
from model.grammar.writing import joined, written

if TYPE_CHECKING:
    from model.grammar.clauses import Clause
    from model.grammar.drawing import Draw
    from model.grammar.lexicon import Expression, Time
    from model.grammar.noun_phrases import Pronoun
    from model.grammar.verb_forms import Forms
    from model.grammar.writing import Sentence

__all__ = ["instruction", "minding", "offered", "permission", "requested"]

_KOENNTE = forms("könnte", "könntest", "könnte", "könnten")
_WUERDE = forms("würde", "würdest", "würde", "würden")
_DARF = forms("darf", "darfst", "darf", "dürfen")
_SOLL = forms("soll", "sollst", "soll", "sollen")

_NOT_ASKED = frozenset({VerbTrait.INVOLUNTARY, VerbTrait.UNPLEASANT, VerbTrait.ONCE})
_RUDE = frozenset(["hit", "hate", "give up", "reach", "earn", "lie", "shout", "fight", "kiss", "disturb", "punish"])
"""Verbs of what nobody asks for politely."""

_I, _WE = PRONOUNS[0], PRONOUNS[3]


class _Form(NamedTuple):
    """How it is asked: English around what is asked for, and the German modal verb, with bitte or without."""

    english: str
    german: Forms
    please: str = "bitte"


_REQUESTS = (
    _Form("could you please {}", _KOENNTE),
    _Form("could you please {}", _KOENNTE),
    _Form("can you please {}", KANN),
    _Form("can you {}, please", KANN),
    _Form("could you {}, please", _KOENNTE),
    _Form("would you please {}", _WUERDE),
    _Form("could you {}", _KOENNTE, ""),
    _Form("can you {}", KANN, ""),
)
_PERMISSIONS = (
    (_I, _Form("may I {}", _DARF, "")),
    (_I, _Form("may I {}", _DARF, "")),
    (_I, _Form("can I {}", KANN, "")),
    (_I, _Form("could I {}", _KOENNTE, "")),
    (_I, _Form("could I please {}", _KOENNTE)),
    (_I, _Form("may I please {}", _DARF)),
    (_WE, _Form("may we {}", _DARF, "")),
    (_I, _Form("shall I {}", _SOLL, "")),
    (_WE, _Form("shall we {}", _SOLL, "")),
)


def requested(draw: Draw) -> Sentence:
    """Could you please send me the bill by Friday?"""
    return _asked(draw, draw.one_of(YOU), draw.one_of(_REQUESTS), times=0.4)


def permission(draw: Draw) -> Sentence:
    """May I read the book? Shall we?"""
    who, form = draw.one_of(_PERMISSIONS)
    return _asked(draw, who, form, times=0.25)


def offered(draw: Draw) -> Sentence:
    """Would you like to read the book? Would you like a cup of tea?"""
    you = draw.one_of(YOU)
    if draw.chance(0.5):
        what = draw_amount(draw, draw.one_of(("drink", "eat")))
        return written(
            [f"would you like {what.english()}"],
            [
                f"{MOECHTE[you.person]} {you.german()} {what.german(Case.ACCUSATIVE)}",
                f"{HAETTE[you.person]} {you.german()} gern {what.german(Case.ACCUSATIVE)}",
            ],
            "?",
        )
    return _asked(draw, you, _Form("would you like to {}", MOECHTE, ""), times=0.3)


def minding(draw: Draw) -> Sentence:
    """Would you mind closing the door? Do you mind if I close it?"""
    you = draw.one_of(YOU)
    dir_, dich = you.german(Case.DATIVE), you.german(Case.ACCUSATIVE)
    if draw.chance(0.5):
        clause = _draw_voluntary(draw, you, reflexive=False)
        while not clause.verb.english.ing:
            clause = _draw_voluntary(draw, you, reflexive=False)
        return written(
            [f"would you mind {ing_in_english(clause)}"],
            (f"würde es {dir_} etwas ausmachen, {said.zu_infinitive}" for said in said_in_german(clause)),
            "?",
        )
    clause = _draw_voluntary(draw, _I)
    return written(
        [f"do you mind if I {infinitive_in_english(clause)}"],
        (
            f"{way}, wenn ich {said.about_subject}"
            for way in (f"stört es {dich}", f"macht es {dir_} etwas aus")
            for said in said_in_german(clause)
        ),
        "?",
    )


def instruction(draw: Draw) -> Sentence:
    """Turn left at the traffic light. Please fill in the form by Friday."""
    turn = [verb for verb in draw.lexicon.verbs if verb.english.base in {"turn", "go straight on"}]
    if turn and draw.chance(0.35):
        verb = draw.one_of(turn)
        clause = draw_clause(draw, tenses=(Tense.PRESENT,), subject=POLITE_YOU, verbs=[verb])
        when = expression("", "")
    else:
        clause = _draw_voluntary(draw, POLITE_YOU)
        when = _draw_when(draw, clause) if draw.chance(0.5) else expression("", "")
    please = draw.chance(0.4)
    said = said_in_german(_with_german(clause, *when.german))
    return written(
        [joined("please" if please else "", infinitive_in_english(clause), when.english)],
        (joined("bitte" if please else "", one.inverted) for one in said),
    )


def _asked(draw: Draw, who: Pronoun, form: _Form, times: float) -> Sentence:
    """Whether somebody will, with a time in this share (0 to 1) of cases."""
    clause = _draw_voluntary(draw, who)
    when = _draw_when(draw, clause) if draw.chance(times) else expression("", "")
    modal = Modal("", ("",), (), (form.german,), asked=True, negated=False, past=False)
    adverbs = [joined(form.please, way) for way in when.german]
    asked = _with_german(replace(clause, tense=Tense.MODAL, modal=modal), *adverbs)
    return written(
        [form.english.format(joined(infinitive_in_english(clause), when.english))],
        (said.inverted for said in said_in_german(asked)),
        "?",
    )


def _draw_voluntary(draw: Draw, who: Pronoun, *, reflexive: bool = True) -> Clause:
    """What one can choose to do, and is not yet said when."""
    clause = draw_clause(
        draw,
        tenses=(Tense.PRESENT,),
        subject=who,
        verbs=[
            verb
            for verb in draw.lexicon.verbs
            if verb.traits.isdisjoint(_NOT_ASKED)
            and verb.english.base not in _RUDE
            and (reflexive or not verb.reflexive)
        ],
        fits=lambda one: not one.denies and not (one.phrase is not None and one.phrase.is_time),
    )
    return replace(clause, manner=None)


def _draw_when(draw: Draw, clause: Clause) -> Expression:
    """In the future, and for as long as it may last; by when only of what is done then."""
    lasting, finished = (trait in clause.verb.traits for trait in (VerbTrait.LASTING, VerbTrait.FINISHED))

    def fits(time: Time) -> bool:
        future = Tense.MODAL in time.tenses and Tense.PRESENT not in time.tenses
        asked = future and not time.english.startswith(("this morning", "during"))
        return asked and ("lasting" not in time.traits or lasting) and ("done" not in time.traits or finished)

    return draw_time(draw, fits)[1]


def _with_german(clause: Clause, *adverbs: str) -> Clause:
    """With these in German, where English has its own."""
    return replace(clause, adverb=Adverb("", adverbs, (Position.END,)), position=Position.END)
