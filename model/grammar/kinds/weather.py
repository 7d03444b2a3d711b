"""Weather: it is raining, it is getting dark outside; and what somebody does if it is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING

from model.grammar.categories import Tense, VerbTrait
from model.grammar.clauses import draw_clause
from model.grammar.english_clauses import said_in_english
from model.grammar.german_clauses import said_in_german
from model.grammar.kinds.states import IT, State, Way, draw_state, english_verb, said
from model.grammar.lexicon import expression
from model.grammar.noun_phrases import PRONOUNS
from model.grammar.verb_forms import AM
from model.grammar.writing import joined, written

if TYPE_CHECKING:
    from collections.abc import Sequence

    from model.grammar.clauses import Clause
    from model.grammar.drawing import Draw
    from model.grammar.english_clauses import EnglishClause
    from model.grammar.german_clauses import GermanClause
    from model.grammar.lexicon import Expression, Weather
    from model.grammar.writing import Sentence

__all__ = ["because_of_weather", "if_weather", "weather"]

_NOTHING = expression("", "")
_TIMES: dict[Tense, Sequence[Expression]] = {
    Tense.PRESENT: (
        *[_NOTHING] * 4,
        expression("today", "heute"),
        expression("now", "jetzt"),
        expression("in winter", "im Winter"),
    ),
    Tense.PAST: (
        *[_NOTHING] * 2,
        expression("yesterday", "gestern"),
        expression("last week", "letzte Woche"),
        expression("last night", "letzte Nacht"),
        expression("all day", "den ganzen Tag"),
        expression("all night", "die ganze Nacht"),
        expression("this morning", "heute Morgen"),
        expression("on Sunday", "am Sonntag"),
        expression("yesterday evening", "gestern Abend"),
        expression("last winter", "letzten Winter"),
    ),
    Tense.MODAL: (
        _NOTHING,
        expression("tomorrow", "morgen"),
        expression("next week", "nächste Woche"),
        expression("tonight", "heute Nacht", "heute Abend"),
        expression("at the weekend", "am Wochenende"),
        expression("tomorrow morning", "morgen früh"),
        expression("on Monday", "am Montag"),
        expression("the day after tomorrow", "übermorgen"),
    ),
}
_PLACES = (
    *[expression("", "")] * 5,
    expression("outside", "draußen"),
    expression("outside", "draußen"),
    expression("here", "hier"),
    expression("in Berlin", "in Berlin"),
    expression("in the mountains", "in den Bergen"),
    expression("in the north", "im Norden"),
    expression("in London", "in London"),
    expression("in Italy", "in Italien"),
)
_TOWNS = 5
"""How many of these, at the end, are too far away to say that it is dark there."""

_DONE = frozenset(["stay", "go", "come", "drive", "travel", "swim", "work", "cook", "watch", "sleep", "wait", "visit"])
"""Verbs of what one does or not by how the weather is."""

_LIGHT = frozenset({"dark", "light"})
"""What it is everywhere at once, and not on a day."""

_AT_NIGHT = frozenset(["last night", "all night", "yesterday evening", "tonight"])
_ON_DAYS = frozenset(["all day", "all night", "in winter", "last week", "next week", "last winter"])
_IF = (expression("if", "wenn"), expression("if", "wenn"), expression("when", "wenn"))


def weather(draw: Draw) -> Sentence:
    """It is getting dark outside. Will it rain tomorrow? I hope that it will not rain tomorrow."""
    tense = draw.one_of((Tense.PRESENT, Tense.PRESENT, Tense.PAST, Tense.PAST, Tense.MODAL))
    how = draw.weighted(("stated", "asked", "introduced"), (6, 2, 1.5))
    drawn = _draw_weather(draw, tense, negations=0.0 if how == "asked" else 0.12)
    if how == "asked":
        english = (drawn.in_english(one.question) for one in drawn.english)
        return written(english, (one.inverted for one in drawn.german), "?")
    if how == "introduced":
        opening, openings, conjunction, mark = draw.one_of(draw.lexicon.main_clauses)
        return written(
            (f"{opening} {drawn.in_english(one.statement)}" for one in drawn.english),
            (f"{main}, {conjunction} {one.subordinate}" for one, main in product(drawn.german, openings)),
            mark,
        )
    return written(_statements(draw, drawn), (one.main for one in (*drawn.german, *drawn.fronted)))


def if_weather(draw: Draw) -> Sentence:
    """If it rains tomorrow, we will stay at home; or the other way round."""
    to_come = draw.chance(0.65)
    if_or_when, (wenn,) = draw.one_of(_IF[:1] if to_come else _IF)
    drawn = _draw_weather(draw, Tense.PRESENT, negations=0.15, to_come=to_come)
    conditions = [f"{if_or_when} {drawn.in_english(one.statement)}" for one in drawn.english[: 1 if to_come else 2]]
    clause = _draw_done(draw, Tense.MODAL if to_come else Tense.PRESENT)
    english = [one.statement for one in said_in_english(clause) if to_come or one.auxiliary not in AM.values()]
    german = said_in_german(replace(clause, tense=Tense.PRESENT, modal=None)) if to_come else []
    german += said_in_german(clause)
    before = [f"{wenn} {one.subordinate}" for one in drawn.german]
    if draw.chance(0.6):
        return written(
            (f"{condition}, {one}" for one, condition in product(english, conditions)),
            (f"{condition}, {one.inverted}" for one, condition in product(german, before)),
        )
    return written(
        (f"{one} {condition}" for one, condition in product(english, conditions)),
        (f"{one.main}, {condition}" for one, condition in product(german, before)),
    )


def because_of_weather(draw: Draw) -> Sentence:
    """We stayed at home because it was too cold."""
    drawn = _draw_weather(draw, Tense.PAST)
    clause = _draw_done(draw, Tense.PAST)
    done = said_in_english(clause)[0].statement
    return written(
        (f"{done} because {drawn.in_english(one.statement)}" for one in drawn.english),
        (f"{main.main}, weil {one.subordinate}" for one, main in product(drawn.german, said_in_german(clause))),
    )


@dataclass(frozen=True, slots=True)
class _Drawn:
    """The ways to say it: English without where and when, German also with either of them first."""

    english: list[EnglishClause]
    german: list[GermanClause]
    fronted: list[GermanClause]
    where: str
    when: str

    def in_english(self, clause: str) -> str:
        """The clause, and where and when it is so."""
        return joined(clause, self.where, self.when)


def _statements(draw: Draw, drawn: _Drawn) -> list[str]:
    """In some of them when it is so comes first."""
    if not drawn.when or drawn.when.startswith("all") or draw.chance(0.6):
        return [drawn.in_english(one.statement) for one in drawn.english]
    said_first = [joined(one.statement, drawn.where) for one in drawn.english]
    return [f"{drawn.when}{comma} {one}" for comma in (",", "") for one in said_first]


def _draw_weather(draw: Draw, tense: Tense, *, negations: float = 0.0, to_come: bool = False) -> _Drawn:
    """How the weather is; `to_come`: in the present, but later."""
    one = draw.one_of(draw.lexicon.weather)
    is_verb, light = not one.rest.english, one.rest.english in _LIGHT
    when = draw.one_of(_TIMES[Tense.MODAL if to_come else tense])
    if (light or one.english.startswith("get")) and when.english in _ON_DAYS:
        when = _NOTHING
    if when.english == "in winter" and one.english != "be":
        when = _NOTHING
    if one.rest.english == "sunny" and when.english in _AT_NIGHT:
        when = _NOTHING
    where = draw.one_of(_PLACES[: -_TOWNS if light else None])
    degree = draw.one_of((_NOTHING, *one.degrees))
    rest, german_rest = joined(degree.english, one.rest.english), joined(*degree.german, *one.rest.german)
    if is_verb:
        rest = degree.english
    forms = [english_verb(one.english, rest)]
    if is_verb and tense is Tense.PAST:
        forms.append(english_verb("be", joined(f"{one.english.split(', ')[-1]}", rest)))
    state = State(
        subject=IT,
        english=tuple(forms),
        german=tuple(_way(one, wann, where.german[0], german_rest) for wann in when.german),
        traits=frozenset() if to_come else frozenset({VerbTrait.POSTURE}),
    )
    clause = draw_state(draw, state, tenses=(tense,), negations=negations)
    clauses = [clause]
    if clause.modal and clause.modal.auxiliary == "will" and when.english:
        clauses.append(replace(clause, tense=Tense.PRESENT, modal=None))
    fronts = [(wann, where.german[0], wann) for wann in when.german if wann]
    fronts += [(wo, "", when.german[0]) for wo in where.german if wo]
    fronted = [
        way._replace(front=front)
        for front, place, time in fronts
        for other in clauses
        for way in said(other, replace(state, german=(_way(one, "" if front == time else time, place, german_rest),)))[
            1
        ]
    ]
    english = [
        way for way in said(clause, state)[0] if not (tense is Tense.PAST and when.english and way.auxiliary == "has")
    ]
    german = [way for other in clauses for way in said(other, state)[1]]
    return _Drawn(english, german, fronted, where.english, when.english)


def _way(one: Weather, when: str, where: str, rest: str) -> Way:
    return Way(one.german, joined(when, where, rest), joined(when, where, "nicht", rest))


def _draw_done(draw: Draw, tense: Tense) -> Clause:
    """What somebody does who can choose."""
    return draw_clause(
        draw,
        tenses=(tense,),
        subject=draw.one_of(PRONOUNS),
        verbs=[verb for verb in draw.lexicon.verbs if verb.english.base in _DONE],
        negations=0.15,
        fits=lambda one: (
            not one.complements
            and one.manner is None
            and not (one.phrase is not None and one.phrase.english.startswith("from"))
            and (one.modal is None or (one.modal.auxiliary, one.modal.rest) == ("will", ("",)))
        ),
    )
