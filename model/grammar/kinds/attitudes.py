"""Adjectives with a preposition and its object: allergic to nuts, proud of him, interested in music."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from model.grammar.categories import Case, Tense
from model.grammar.clauses import Complement
from model.grammar.determiners import Determiner
from model.grammar.german_clauses import contracted
from model.grammar.kinds.states import (
    AT_TIMES,
    HABEN,
    LASTING,
    SEIN,
    State,
    Way,
    draw_state,
    english_verb,
    for_oneself,
    said,
    told,
)
from model.grammar.lexicon import Slot, expression
from model.grammar.noun_phrases import PRONOUNS, WHO, YOU, Indefinite, Name, NounPhrase, Phrase, Pronoun
from model.grammar.phrases import PEOPLE, draw_noun_phrase, draw_subject
from model.grammar.verb_forms import GermanVerb
from model.grammar.writing import joined, written

if TYPE_CHECKING:
    from collections.abc import Iterator

    from model.grammar.drawing import Draw
    from model.grammar.lexicon import AdjectiveWithPreposition, Objective
    from model.grammar.writing import Sentence

__all__ = ["attitude", "object_of_attitude"]

_VERBS = {
    "sein": SEIN,
    "haben": HABEN,
    "machen": GermanVerb("machen", "macht", "machte", "gemacht", "haben"),
    "interessieren": GermanVerb(
        "interessieren", "interessiert", "interessierte", "interessiert", "haben", reflexive=True
    ),
}
_DETERMINERS = (Determiner.THE, Determiner.THE, Determiner.THIS, Determiner.MY, Determiner.HIS, Determiner.HER)
_DEGREES = (
    *[expression("", "")] * 4,
    expression("very", "sehr"),
    expression("really", "wirklich"),
    expression("quite", "ziemlich"),
)
_VOWELS = "aiuü"


class _Object(NamedTuple):
    """English, and German ways by case; the phrase, if it is one; `it`: German daran, dafür."""

    english: str
    german: dict[Case, tuple[str, ...]]
    phrase: Phrase | None = None
    it: bool = False


def attitude(draw: Draw) -> Sentence | None:
    """She is very proud of him."""
    adjective = draw.one_of(draw.lexicon.adjectives_with_prepositions)
    subject = _draw_subject(draw, adjective)
    what = None if subject is None else _draw_object(draw, adjective, subject)
    if subject is None or what is None:
        return None
    degree = draw.one_of(_DEGREES) if "degree" in adjective.traits else expression("", "")
    state = State(
        subject=subject,
        english=tuple(english_verb("be", joined(degree.english, way, what.english)) for way in adjective.english),
        german=tuple(
            way
            for one in adjective.german
            for way in _ways(one, what, subject, *degree.german, last="last" in adjective.traits)
        ),
    )
    adverbs = AT_TIMES if "passing" in adjective.traits else LASTING
    if degree.english or any(one.early for one in state.german):
        adverbs = frozenset({"unfortunately", "perhaps", "maybe"})
    return told(draw, state, adverbs=adverbs, negations=0.0 if degree.english in {"quite", "really"} else 0.15)


def object_of_attitude(draw: Draw) -> Sentence | None:
    """What is she proud of? In German the preposition comes first: worauf, auf wen."""
    adjective = draw.one_of(draw.lexicon.adjectives_with_prepositions)
    subject = _draw_subject(draw, adjective)
    if subject is None or isinstance(subject, Indefinite) or subject.negative or PEOPLE.isdisjoint(adjective.subjects):
        return None
    if not all(one.preposition for one in adjective.german):
        return None
    whom = "people" in adjective.traits and not (_takes_things(adjective) and draw.chance(0.5))
    state = State(
        subject=subject,
        english=tuple(english_verb("be", way) for way in adjective.english),
        german=tuple(Way(_VERBS[one.verb], one.word, "", _early(one, subject)) for one in adjective.german),
    )
    clause = draw_state(draw, state, tenses=(Tense.PRESENT, Tense.PRESENT, Tense.PAST), plain=True, asked=True)
    german = (
        f"{_asked(one, whom=whom)} {way.inverted}"
        for one, how in zip(adjective.german, state.german, strict=True)
        for way in said(clause, replace(state, german=(how,)))[1]
    )
    return written((f"{'who' if whom else 'what'} {way.question}" for way in said(clause, state)[0]), german, "?")


def _draw_subject(draw: Draw, adjective: AdjectiveWithPreposition) -> Phrase | None:
    if not PEOPLE.isdisjoint(adjective.subjects):
        return WHO if draw.chance(0.05) else draw_subject(draw, adjective.subjects)
    subject = draw_noun_phrase(draw, adjective.subjects, determiners=_DETERMINERS, adjectives=0.0)
    return None if subject.plural and draw.chance(0.5) else subject


def _draw_object(draw: Draw, adjective: AdjectiveWithPreposition, subject: Phrase) -> _Object | None:
    """One that suits the adjective, and is not the subject."""
    if "people" in adjective.traits and draw.chance(0.4):
        if draw.chance(0.3):
            name = Name(draw.one_of(draw.lexicon.names))
            return None if name.english() == subject.english() else _of_phrase(name)
        pronouns = (one for one in (*PRONOUNS, *YOU) if {one.subject, subject.english()} != {"I", "we"})
        return _of_phrase(draw.one_of([one for one in pronouns if one.subject != subject.english()]))
    if _takes_things(adjective) and draw.chance(0.12):
        return _Object("it", {}, it=True)
    if adjective.phrases and (not adjective.kinds or draw.chance(0.6)):
        english, german = draw.one_of(adjective.phrases)
        return _Object(english, dict.fromkeys(Case, german))
    noun = draw_noun_phrase(draw, adjective.kinds, determiners=_DETERMINERS, adjectives=0.15)
    return None if isinstance(subject, NounPhrase) and subject.noun is noun.noun else _of_phrase(noun)


def _takes_things(adjective: AdjectiveWithPreposition) -> bool:
    """Whether one can be so of it: proud of it, but not married to it."""
    return (
        not PEOPLE.isdisjoint(adjective.subjects)
        and ("people" not in adjective.traits or "things" in adjective.traits)
        and all(one.preposition for one in adjective.german)
    )


def _of_phrase(phrase: Phrase) -> _Object:
    german: dict[Case, tuple[str, ...]] = {case: (phrase.german(case),) for case in (Case.ACCUSATIVE, Case.DATIVE)}
    return _Object(phrase.english(Case.ACCUSATIVE), german, phrase)


def _ways(objective: Objective, what: _Object, subject: Phrase, degree: str, *, last: bool) -> Iterator[Way]:
    """In both orders: ist stolz auf ihn, ist auf ihn stolz; `last`: the other first."""
    verb, word = _VERBS[objective.verb], joined(degree, objective.word)
    early = _early(objective, subject)
    if what.it:
        it = _compound("da", objective.preposition)
        if objective.verb != "sein":
            yield Way(verb, joined(word, it), _denied(objective, word, it), early)
            return
        orders = [(joined(word, it), f"nicht {word} {it}"), (joined(it, word), f"{it} nicht {word}")]
        yield from (Way(verb, *order) for order in (reversed(orders) if last else orders))
        return
    for noun in what.german[objective.case]:
        if not objective.preposition:
            yield _without_preposition(objective, what, noun, degree)
            continue
        after = contracted(f"{objective.preposition} {noun}")
        if objective.verb != "sein":
            yield Way(verb, joined(word, after), _denied(objective, word, after), early)
            continue
        orders = [(f"{word} {after}", f"nicht {word} {after}"), (f"{after} {word}", f"nicht {after} {word}")]
        yield from (Way(verb, *order) for order in (reversed(orders) if last else orders))


def _without_preposition(objective: Objective, what: _Object, noun: str, degree: str) -> Way:
    """Ist ihm ähnlich, hat die Schule satt, ist voller Menschen."""
    verb, word = _VERBS[objective.verb], joined(degree, objective.word)
    if objective.case is Case.GENITIVE:
        return Way(verb, f"{word} {noun}", f"nicht {word} {noun}")
    if isinstance(what.phrase, Pronoun):
        return Way(verb, word, f"nicht {word}", Complement(what.phrase, Slot(objective.case, frozenset())))
    return Way(verb, f"{noun} {word}", f"{noun} nicht {word}")


def _denied(objective: Objective, word: str, rest: str) -> str:
    """Keine Angst vor ihm; nicht dafür."""
    if objective.word == "genug":
        return ""
    return f"keine {word} {rest}" if word else f"nicht {rest}"


def _early(objective: Objective, subject: Phrase) -> Complement | None:
    return for_oneself(subject.person) if objective.verb == "machen" else None


def _asked(objective: Objective, *, whom: bool) -> str:
    """Worauf; auf wen."""
    if whom:
        return f"{objective.preposition} {WHO.german(objective.case)}"
    return _compound("wo", objective.preposition)


def _compound(first: str, preposition: str) -> str:
    """Dafür, daran, worauf."""
    return f"{first}{'r' if preposition[0] in _VOWELS else ''}{preposition}"
