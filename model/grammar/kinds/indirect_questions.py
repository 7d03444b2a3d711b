"""Questions that are part of another sentence: when he reads, whether he could help, what to do."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

from model.grammar.categories import Case, Tense, VerbTrait
from model.grammar.clauses import can_be_asked, draw_clause
from model.grammar.determiners import Determiner, strong_form
from model.grammar.english_clauses import infinitive_in_english, said_in_english
from model.grammar.german_clauses import said_in_german
from model.grammar.kinds.questions import asked_with, lasted
from model.grammar.lexicon import Modal, expression
from model.grammar.noun_phrases import PRONOUNS, WHO, YOU, Indefinite
from model.grammar.phrases import ANIMATE, draw_noun_phrase
from model.grammar.verb_forms import forms
from model.grammar.writing import joined, written

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from model.grammar.clauses import Clause
    from model.grammar.drawing import Draw
    from model.grammar.lexicon import Verb
    from model.grammar.noun_phrases import Pronoun
    from model.grammar.writing import Sentence

__all__ = ["asked_if", "embedded", "opened", "what_to_do"]

_TENSES = (Tense.PRESENT, Tense.PRESENT, Tense.PAST, Tense.MODAL)

_ADVERBS = (
    expression("where", "wo"),
    expression("when", "wann"),
    expression("why", "warum", "wieso"),
    expression("how often", "wie oft"),
    expression("how long", "wie lange"),
    expression("how", "wie"),
)
_WHETHER = (expression("whether", "ob"), expression("if", "ob"))

_COULD = Modal(
    "could",
    ("",),
    (),
    (forms("könnte", "könntest", "könnte", "könnten"), forms("könne", "könntest", "könne", "könnten")),
    asked=True,
    negated=False,
    past=False,
)
_TO = Modal("to", ("",), (), (forms("soll", "sollst", "soll", "sollen"),), asked=True, negated=False, past=False)
_SHOULD = replace(_TO, german=(forms("sollte", "solltest", "sollte", "sollten"),))

_ASKED = (
    expression("he asked me", "er fragte mich", "er hat mich gefragt"),
    expression("she asked me", "sie fragte mich", "sie hat mich gefragt"),
    expression("they asked us", "sie fragten uns", "sie haben uns gefragt"),
    expression("I asked her", "ich fragte sie", "ich habe sie gefragt"),
    expression("I asked him", "ich fragte ihn", "ich habe ihn gefragt"),
    expression("he wanted to know", "er wollte wissen"),
    expression("I wondered", "ich fragte mich", "ich habe mich gefragt"),
)
_UNDECIDED = (
    (expression("I don't know", "ich weiß nicht"), "I", _TO),
    (expression("I do not know", "ich weiß nicht"), "I", _TO),
    (expression("he doesn't know", "er weiß nicht"), "he", _TO),
    (expression("we don't know", "wir wissen nicht"), "we", _TO),
    (expression("she has no idea", "sie hat keine Ahnung"), "she", _TO),
    (expression("can you tell me", "können Sie mir sagen", "kannst du mir sagen"), "I", _TO),
    (expression("she told me", "sie sagte mir", "sie hat mir gesagt"), "I", _SHOULD),
    (expression("I didn't know", "ich wusste nicht"), "I", _SHOULD),
    (expression("they didn't know", "sie wussten nicht"), "they", _SHOULD),
    (expression("nobody knew", "niemand wusste"), "he", _SHOULD),
)


def embedded(draw: Draw) -> Sentence:
    """Do you know when he reads the book, what he reads, who reads it, whether he reads it?"""
    how = draw.one_of(("adverb", "adverb", "adverb", "whether", "whether", "object", "which", "who"))
    if how == "adverb":
        return _with_adverb(draw)
    if how == "whether":
        english, german = draw.one_of(_WHETHER)
        return _after_opening(draw, english, german, _draw_asked(draw))
    if how == "who":
        clause = draw_clause(draw, tenses=_TENSES, subject=WHO, fits=_is_clear)
        return _after_opening(draw, "", ("",), clause)
    clause = _without_object(draw)
    (slot,) = clause.verb.slots
    if how == "object":
        word, wort = ("who", "wen") if slot.kinds <= ANIMATE else ("what", "was")
        return _after_opening(draw, word, (wort,), clause)
    noun = draw_noun_phrase(draw, slot.kinds, determiners=(Determiner.THE,), adjectives=0.0)
    welch = strong_form("welch", noun.gender, Case.ACCUSATIVE)
    return _after_opening(draw, f"which {noun.bare_english}", (f"{welch} {noun.german_noun(Case.ACCUSATIVE)}",), clause)


def asked_if(draw: Draw) -> Sentence:
    """He asked me if I could help him."""
    english, german = draw.one_of(_ASKED)
    clause = replace(_draw_asked(draw, tenses=(Tense.PRESENT,)), tense=Tense.MODAL, modal=_COULD)
    whether, _ = draw.one_of(_WHETHER)
    said = said_in_german(clause)
    return written(
        (f"{english} {whether} {one.statement}" for one in said_in_english(clause)),
        (f"{fragte}, ob {one.subordinate}" for one in said for fragte in german),
    )


def what_to_do(draw: Draw) -> Sentence:
    """I don't know what to read, how to repair the car, when to sleep."""
    (english, german), who, modal = draw.one_of(_UNDECIDED)
    subject = next(one for one in PRONOUNS if one.subject == who)
    how, mark = draw.one_of(("what", "adverb", "do")), "?" if english.startswith("can") else "."
    if how == "do":
        do, tun = draw.one_of((("do", "tun"), ("say", "sagen"), ("think", "denken"), ("expect", "erwarten")))
        soll = f"{subject.german()} {tun} {modal.german[0][subject.person]}"
        return written([f"{english} what to {do}"], (f"{way}, was {soll}" for way in german), mark)
    if how == "what":
        verbs = [verb for verb in draw.lexicon.verbs if verb.takes_accusative and not verb.slots[0].kinds & ANIMATE]
        clause = replace(_draw_voluntary(draw, subject, verbs), complements=(), manner=None)
        word, wort = "what", "was"
    else:
        clause = _draw_voluntary(draw, subject)
        word, (wort,) = draw.one_of((_ADVERBS[1], _ADVERBS[5]))
        clause = replace(clause, manner=None)
    clause = replace(clause, tense=Tense.MODAL, modal=modal)
    return written(
        [f"{english} {word} to {infinitive_in_english(clause)}"],
        (f"{way}, {wort} {said.subordinate}" for said in said_in_german(clause) for way in german),
        mark,
    )


def _with_adverb(draw: Draw) -> Sentence:
    """Where, when, why, how he reads the book."""
    english, german = draw.one_of(_ADVERBS)

    def fits(clause: Clause) -> bool:
        timed = clause.phrase is not None and clause.phrase.is_time
        placed = clause.at_a_place or VerbTrait.PLACELESS in clause.verb.traits
        return (
            not (english == "where" and placed)
            and not (english.startswith(("when", "how")) and timed)
            and not (english.startswith("how") and VerbTrait.INVOLUNTARY in clause.verb.traits)
            and not (english == "how long" and not lasted(clause))
        )

    clause = _draw_asked(draw)
    while not fits(clause):
        clause = _draw_asked(draw)
    return _after_opening(draw, english, german, asked_with(english, replace(clause, manner=None)))


def _draw_asked(draw: Draw, tenses: tuple[Tense, ...] = _TENSES) -> Clause:
    return draw_clause(
        draw,
        tenses=tenses,
        fits=lambda one: can_be_asked(one) and _is_clear(one) and not isinstance(one.subject, Indefinite),
    )


def _draw_voluntary(draw: Draw, subject: Pronoun, verbs: Sequence[Verb] = ()) -> Clause:
    """What somebody can choose to do."""
    return draw_clause(
        draw,
        tenses=(Tense.PRESENT,),
        subject=subject,
        verbs=[one for one in verbs or draw.lexicon.verbs if VerbTrait.INVOLUNTARY not in one.traits],
        fits=lambda one: _is_clear(one) and not (one.phrase is not None and one.phrase.is_time),
    )


def _without_object(draw: Draw) -> Clause:
    """Of a verb whose only complement is asked for."""
    verbs = [verb for verb in draw.lexicon.verbs if verb.takes_accusative]
    clause = draw_clause(
        draw,
        tenses=_TENSES,
        verbs=verbs,
        fits=lambda one: can_be_asked(one) and _is_clear(one) and not isinstance(one.subject, Indefinite),
    )
    return replace(clause, complements=(), manner=None)


def _is_clear(clause: Clause) -> bool:
    """Whether it has no you, which might be another than the one who is asked."""
    return clause.subject not in YOU and not any(one.phrase in YOU for one in clause.complements)


def _after_opening(draw: Draw, english: str, german: tuple[str, ...], clause: Clause) -> Sentence:
    """A clause that begins with these words."""
    return opened(
        draw,
        [joined(english, said.statement) for said in said_in_english(clause)],
        [joined(word, said.subordinate) for said in said_in_german(clause) for word in german],
    )


def opened(draw: Draw, english: list[str], german: list[str], among: Collection[str] = ()) -> Sentence:
    """These ways after an opening, any or one of some."""
    possible = [one for one in draw.lexicon.question_openings if not among or one.english in among]
    opening, openings, mark = draw.one_of(possible)
    return written(
        (f"{opening} {way}" for way in english), (f"{one}, {way}" for way, one in product(german, openings)), mark
    )
