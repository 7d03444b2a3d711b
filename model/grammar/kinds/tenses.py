"""What a clause has neither with a simple tense nor with a modal verb: had read, would read, used to read."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from model.grammar.categories import Position, Tense, VerbTrait
from model.grammar.clauses import begins_with_subject, draw_clause
from model.grammar.english_clauses import (
    infinitive_in_english,
    ing_in_english,
    participle_in_english,
    said_in_english,
)
from model.grammar.german_clauses import said_in_german
from model.grammar.lexicon import Adverb, expression
from model.grammar.noun_phrases import PRONOUNS, Indefinite
from model.grammar.verb_forms import HAETTE, HATTE, HAVE, WAERE, WAR, regular_present
from model.grammar.writing import joined, written

if TYPE_CHECKING:
    from model.grammar.clauses import Clause
    from model.grammar.drawing import Draw
    from model.grammar.verb_forms import Forms
    from model.grammar.writing import Sentence

__all__ = ["hypothetical", "liking", "ongoing", "past_perfect", "used_to", "would_have"]

_PRESENT, _PAST = (Tense.PRESENT,), (Tense.PAST,)
_HAD_ADVERBS = (expression("already", "schon", "bereits"), expression("", ""), expression("never", "nie", "noch nie"))


def ongoing(draw: Draw) -> Sentence:
    """He has been waiting for two years: German has the present, seit zwei Jahren."""
    lasting = [verb for verb in draw.lexicon.verbs if VerbTrait.LASTING in verb.traits]
    clause = draw_clause(
        draw,
        tenses=_PRESENT,
        verbs=lasting,
        fits=lambda one: not one.subject.negative and not isinstance(one.subject, Indefinite),
    )
    duration = draw.one_of(draw.lexicon.durations)
    have = f"{clause.subject.english()} {HAVE[clause.person]}"
    english = [f"{have} been {ing_in_english(clause)} {duration.english}"] if clause.verb.english.ing else []
    english.append(joined(have, participle_in_english(clause), duration.english))
    return written(english, (said.main for said in said_in_german(_with_german_adverb(clause, *duration.german))))


def hypothetical(draw: Draw) -> Sentence:
    """If he had time, she would read; or the other way round."""
    who, whoever = draw.one_of(PRONOUNS), draw.one_of(PRONOUNS)
    english, (german,) = draw.one_of(draw.lexicon.conditions)
    clause = draw_clause(
        draw,
        tenses=(Tense.MODAL,),
        adverbs=0.2,
        negations=0.1,
        subject=whoever,
        fits=lambda one: begins_with_subject(one) and one.modal is not None and one.modal.hypothetical,
    )
    english_if = f"if {who.english()} {english}"
    german_if = f"wenn {who.german()} {german}{'n' if who.person.plural else ''}"
    if draw.chance(0.6):
        return written(
            (f"{english_if}, {said.statement}" for said in said_in_english(clause)),
            (f"{german_if}, {said.inverted}" for said in said_in_german(clause)),
        )
    return written(
        (f"{said.statement} {english_if}" for said in said_in_english(clause)),
        (f"{said.main}, {german_if}" for said in said_in_german(clause)),
    )


def used_to(draw: Draw) -> Sentence:
    """He used to read: German says so with früher."""
    clause = draw_clause(
        draw,
        tenses=_PAST,
        fits=lambda one: not (one.subject.negative or one.subject.quantified or VerbTrait.ONCE in one.verb.traits),
    )
    return written(
        [f"{clause.subject.english()} used to {infinitive_in_english(clause)}"],
        (said.main for said in said_in_german(_with_german_adverb(clause, "früher"))),
    )


def past_perfect(draw: Draw) -> Sentence:
    """He had already read the book."""
    clause = draw_clause(draw, tenses=_PAST, negations=0.1)
    positive = not clause.negated and not clause.subject.negative and not clause.denies
    adverb = draw.one_of(_HAD_ADVERBS) if positive else expression("", "")
    middle = "not" if clause.negated else adverb.english
    return written(
        [joined(clause.subject.english(), "had", middle, participle_in_english(clause))],
        _perfect(_with_german_adverb(clause, *adverb.german), HATTE, WAR),
    )


def would_have(draw: Draw) -> Sentence:
    """He would have read the book."""
    clause = draw_clause(draw, tenses=_PAST, negations=0.2)
    would = "would not have" if clause.negated else "would have"
    return written(
        [f"{clause.subject.english()} {would} {participle_in_english(clause)}"], _perfect(clause, HAETTE, WAERE)
    )


def liking(draw: Draw) -> Sentence:
    """He likes reading: German says so with gern."""
    clause = draw_clause(
        draw,
        tenses=_PRESENT,
        fits=lambda one: (
            bool(one.verb.english.ing)
            and VerbTrait.UNPLEASANT not in one.verb.traits
            and not one.subject.negative
            and not one.denies
            and not one.verb.reflexive
        ),
    )
    likes = f"{clause.subject.english()} {regular_present('like', clause.person)}"
    return written(
        [f"{likes} {ing_in_english(clause)}", f"{likes} to {infinitive_in_english(clause)}"],
        (said.main for said in said_in_german(_with_german_adverb(clause, "gern", "gerne"))),
    )


def _with_german_adverb(clause: Clause, *german: str) -> Clause:
    """With one that only German has, or has elsewhere."""
    return replace(clause, adverb=Adverb("", german, (Position.END,)), position=Position.END)


def _perfect(clause: Clause, with_haben: Forms, with_sein: Forms) -> list[str]:
    """Main clauses in a perfect with these forms of its auxiliaries."""
    return [
        said.with_finite(said.verb.auxiliary_of(clause.person, with_haben, with_sein)).main
        for said in said_in_german(clause)
        if said.perfect
    ]
