"""When something is: at six, by Friday, two years ago, all night, twice a week."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from model.grammar.categories import Position, Tense, VerbTrait
from model.grammar.clauses import can_be_asked, draw_clause
from model.grammar.determiners import Determiner
from model.grammar.english_clauses import said_in_english
from model.grammar.german_clauses import said_in_german
from model.grammar.lexicon import Adverb, expression
from model.grammar.noun_phrases import Indefinite, NounPhrase
from model.grammar.writing import written

if TYPE_CHECKING:
    from collections.abc import Callable

    from model.grammar.clauses import Clause
    from model.grammar.drawing import Draw
    from model.grammar.lexicon import Expression, Modal, Time
    from model.grammar.writing import Sentence

__all__ = ["asked_timed", "draw_time", "timed"]

_WEEKDAYS = 5
"""Those that another may be after."""


def timed(draw: Draw) -> Sentence:
    """He worked from Monday to Wednesday; of two years ago, in two weeks."""
    clause = _draw_timed(draw)
    return written((said.statement for said in said_in_english(clause)), (said.main for said in said_in_german(clause)))


def asked_timed(draw: Draw) -> Sentence:
    """Did he work last summer?"""
    clause = _draw_timed(draw, asked=True)
    return written(
        (said.question for said in said_in_english(clause)), (said.inverted for said in said_in_german(clause)), "?"
    )


def draw_time(draw: Draw, fits: Callable[[Time], bool] = lambda _: True) -> tuple[Time, Expression]:
    """A time, and what it is with words instead of their names."""
    time = draw.one_of([one for one in draw.lexicon.times if fits(one)])
    words = draw.lexicon.time_words
    hours, weekdays = words["hour"], words["weekday"]
    hour = draw.one_of(range(len(hours) - 1))
    later = draw.one_of(range(hour + 1, len(hours)))
    weekday = draw.one_of(range(_WEEKDAYS))
    day = draw.one_of(range(weekday + 1, len(weekdays)))
    drawn = {kind: draw.one_of(words[kind]) for kind in ("part", "month", "season", "number", "days")}
    drawn |= {"hour": hours[hour], "next": hours[hour + 1], "to": hours[later]}
    drawn |= {"weekday": weekdays[weekday if "{day}" in time.english else draw.one_of(range(len(weekdays)))]}
    drawn |= {"day": weekdays[day]}
    english = {kind: word.english for kind, word in drawn.items()}
    german = {kind: word.german[0] for kind, word in drawn.items()}
    german |= {f"small_{kind}": german[kind].lower() for kind in ("part", "weekday")}
    german |= {"tagen": drawn["days"].german[-1]}
    return time, expression(time.english.format(**english), *(way.format(**german) for way in time.german))


def _draw_timed(draw: Draw, *, asked: bool = False) -> Clause:
    """A clause with a time."""
    time, said = draw_time(draw)
    lasting, done = "lasting" in time.traits, "done" in time.traits

    def fits(clause: Clause) -> bool:
        traits, phrase = clause.verb.traits, clause.phrase
        return (
            not (phrase is not None and phrase.is_time)
            and not (lasting and (VerbTrait.LASTING not in traits or _reads_as_age(clause)))
            and not (done and VerbTrait.FINISHED not in traits)
            and traits.isdisjoint({VerbTrait.RESTING, VerbTrait.PLACELESS})
            and not (VerbTrait.INVOLUNTARY in traits and Tense.PRESENT in time.tenses)
            and (clause.modal is None or _suits_modal(clause.modal, time))
            and (not asked or (can_be_asked(clause) and not isinstance(clause.subject, Indefinite)))
        )

    clause = draw_clause(
        draw,
        tenses=sorted(time.tenses),
        negations=0.15 if "negated" in time.traits and not asked else 0.0,
        fits=fits,
    )
    position = Position.FRONT if draw.chance(0.25) and not (asked or done or lasting) else Position.END
    adverb = Adverb(said.english, said.german, (position,), time.tenses)
    return replace(clause, adverb=adverb, position=position, manner=None)


def _reads_as_age(clause: Clause) -> bool:
    """Whether German would say of an object how old it is: vier Tage alte Bücher."""
    phrases = [one.phrase for one in clause.complements if isinstance(one.phrase, NounPhrase)]
    return any(one.determiner is Determiner.NONE and one.adjective is not None for one in phrases)


def _suits_modal(modal: Modal, time: Time) -> bool:
    """Whether it may be about that time: about the future none of the past is, nor one that may be."""
    return Tense.PAST in time.tenses or not (modal.past or modal.auxiliary == "could")
