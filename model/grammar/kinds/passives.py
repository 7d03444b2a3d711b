"""What is done to somebody or something."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from model.grammar.categories import Case, Kind, VerbTrait
from model.grammar.determiners import Determiner
from model.grammar.english_clauses import negated
from model.grammar.german_clauses import contracted
from model.grammar.lexicon import expression
from model.grammar.manners import draw_manner
from model.grammar.phrases import draw_noun_phrase
from model.grammar.verb_forms import AM, BIN, HAVE, WAS, WERDE, WURDE
from model.grammar.writing import joined, written

if TYPE_CHECKING:
    from model.grammar.categories import Person
    from model.grammar.drawing import Draw
    from model.grammar.lexicon import Expression
    from model.grammar.writing import Sentence

__all__ = ["passive"]

_SUBJECTS = (*[Determiner.THE] * 3, Determiner.THIS, Determiner.A, Determiner.QUANTITY, Determiner.NONE)

_NOTHING, _NOT = expression("", ""), expression("not", "nicht")
_NEVER, _AT_ONCE = expression("never", "nie"), expression("immediately", "sofort")
_SOMETIMES = (_NOTHING, _NOTHING, expression("often", "oft"), _NEVER, _AT_ONCE, _NOT, expression("always", "immer"))
_PRESENT = (*_SOMETIMES, expression("every day", "jeden Tag"))
_PAST = (*_SOMETIMES, expression("yesterday", "gestern"))
_PERFECT = (_NOTHING, _NOTHING, expression("already", "schon", "bereits"), _NOT, _NEVER)
_FUTURE = (_NOTHING, _NOTHING, _AT_ONCE, _NOT, *[expression("tomorrow", "morgen")] * 4)

_LAST = frozenset({"every day", "yesterday", "tomorrow"})
"""Adverbs that English has at the end."""


class _Tense(NamedTuple):
    """Auxiliaries: the finite one, what English has before the participle, and German after it; and an adverb."""

    english: str
    english_rest: str
    german: str
    german_rest: str
    adverb: Expression


def passive(draw: Draw) -> Sentence:
    """The book was read by the man."""
    verb = draw.one_of(
        [one for one in draw.lexicon.verbs if one.takes_accusative and VerbTrait.NO_PASSIVE not in one.traits]
    )
    subject = draw_noun_phrase(draw, verb.slots[0].kinds, determiners=_SUBJECTS)
    by, von = "", ""
    if draw.chance(0.3):
        doer = draw_noun_phrase(draw, {Kind.PERSON}, determiners=(Determiner.THE, Determiner.A), adjectives=0.15)
        by, von = f"by {doer.english(Case.ACCUSATIVE)}", contracted(f"von {doer.german(Case.DATIVE)}")
    tense = _draw_tense(draw, subject.person)
    if tense.adverb is _NOT and (subject.indefinite or subject.quantified):
        tense = tense._replace(adverb=_NOTHING)
    manner = _NOTHING
    if draw.chance(0.2) and not by and tense.adverb is not _AT_ONCE:
        manner = draw_manner(draw, verb, negated=tense.adverb is _NOT) or _NOTHING
    adverb = tense.adverb.english
    auxiliary = negated(tense.english) if tense.adverb is _NOT else tense.english
    middle, last = ("", adverb) if adverb in _LAST else (adverb, "")
    middle = "" if tense.adverb is _NOT else middle
    return written(
        [
            joined(
                subject.english(),
                auxiliary,
                middle,
                tense.english_rest,
                verb.english.participle,
                manner.english,
                by,
                last,
            )
        ],
        (
            joined(subject.german(), tense.german, adverb, how, von, german.participle, tense.german_rest)
            for german in verb.german
            for adverb in tense.adverb.german
            for how in manner.german
        ),
    )


def _draw_tense(draw: Draw, person: Person) -> _Tense:
    tense = draw.one_of(("present", "past", "perfect", "future", "modal"))
    if tense == "present":
        return _Tense(AM[person], "", WERDE[person], "", draw.one_of(_PRESENT))
    if tense == "past":
        return _Tense(WAS[person], "", WURDE[person], "", draw.one_of(_PAST))
    if tense == "perfect":
        return _Tense(HAVE[person], "been", BIN[person], "worden", draw.one_of(_PERFECT))
    adverb = draw.one_of(_FUTURE)
    if tense == "future":
        return _Tense("will", "be", WERDE[person], "werden", adverb)
    modals = [one for one in draw.lexicon.modals if one.auxiliary in {"can", "must", "should"}]
    modal = draw.one_of([one for one in modals if one.negated or adverb is not _NOT])
    return _Tense(modal.auxiliary, "be", modal.german[0][person], "werden", adverb)
