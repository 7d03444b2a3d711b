"""How somebody or something looks, feels, sounds, smells, tastes, stays and becomes; and how somebody is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from model.grammar.categories import Case, Gender, Kind, Tense, VerbTrait
from model.grammar.determiners import Determiner
from model.grammar.kinds.predicates import sex
from model.grammar.kinds.states import AT_TIMES, LASTING, THAT, State, Way, english_verb, told
from model.grammar.lexicon import expression
from model.grammar.noun_phrases import YOU
from model.grammar.phrases import PEOPLE, draw_noun_phrase, draw_subject
from model.grammar.verb_forms import AM, REFLEXIVE, WERDE, GermanVerb, be_and_sein, regular_present
from model.grammar.writing import joined, written

if TYPE_CHECKING:
    from model.grammar.drawing import Draw
    from model.grammar.noun_phrases import Phrase
    from model.grammar.writing import Sentence

__all__ = ["asked_wellbeing", "impression", "wellbeing", "wishing_well"]

_DEGREES = (*[expression("", "")] * 3, expression("very", "sehr"), expression("really", "wirklich"))
_UNGRADED = frozenset(
    ["alone", "different", "better", "worse", "awake", "well", "older", "stronger", "weaker", "cheaper", "delicious"]
)
"""What is not very much so."""

_FUEHLEN = GermanVerb("fühlen", "fühlt", "fühlte", "gefühlt", "haben", reflexive=True)
_HOFFE = expression("I hope", "ich hoffe"), expression("we hope", "wir hoffen"), expression("she hopes", "sie hofft")

_POINTED_AT = (Kind.MATTER, Kind.FOOD)
"""What "that" may be."""

_HOW_ONE_IS = {
    ("be", "fine"): "gut",
    ("be", "very well"): "sehr gut",
    ("feel", "better"): "besser",
    ("feel", "much better"): "viel besser",
    ("feel", "worse"): "schlechter",
    ("feel", "bad"): "schlecht",
    ("feel", "a little better"): "etwas besser",
}
"""Es geht ihm gut."""

_WHEN = (
    *[(Tense.PRESENT, expression("", ""))] * 3,
    (Tense.PRESENT, expression("today", "heute")),
    (Tense.PRESENT, expression("again", "wieder")),
    (Tense.PRESENT, expression("now", "jetzt")),
    (Tense.PAST, expression("yesterday", "gestern")),
    (Tense.PAST, expression("last week", "letzte Woche")),
)


def impression(draw: Draw) -> Sentence | None:
    """He looks very tired today."""
    row = draw.one_of(draw.lexicon.impressions)
    subject: Phrase = draw_subject(draw, row.subjects)
    if PEOPLE.isdisjoint(row.subjects):
        subject = draw_noun_phrase(draw, row.subjects, determiners=(Determiner.THE, Determiner.MY), adjectives=0.0)
        if not row.subjects.isdisjoint(_POINTED_AT) and draw.chance(0.4):
            subject = THAT
    english, german, negated = draw.one_of(row.phrases)
    degree = draw.one_of(_DEGREES)
    if degree.english and negated == f"nicht {german}" and " " not in english + german and english not in _UNGRADED:
        english, german = joined(degree.english, english), joined(*degree.german, german)
        negated = f"nicht {german}" if degree.english == "very" else ""
    if subject.person.plural and (german.startswith("wie ") or negated.startswith("kein")):
        return None
    if sex(subject) is Gender.FEMININE and (german.startswith("wie ein ") or negated.startswith("kein")):
        return None  # who would be Ärztin
    state = State(
        subject=subject,
        english=tuple(english_verb(forms, english) for forms in row.english),
        german=(Way(row.german, german, negated),),
        traits=row.traits,
    )
    return told(draw, state, adverbs=AT_TIMES if VerbTrait.PLACELESS in row.traits else LASTING)


def wellbeing(draw: Draw) -> Sentence | None:
    """I feel better today: German says that it goes better to me, or that one feels so oneself."""
    subject, (tense, (when, (wann,))) = draw_subject(draw, PEOPLE), draw.one_of(_WHEN)
    if subject.quantified or subject.negative:
        return None
    (verb, how), wie = draw.one_of(list(_HOW_ONE_IS.items()))
    past, person, whom = tense is Tense.PAST, subject.person, subject.german(Case.DATIVE)
    goes = "ging" if past else "geht"
    german = [joined(one, wann, wie) for one in (f"{whom} {goes} es", f"es {goes} {whom}")]
    if wann and wann != "wieder":
        german.append(joined(wann, goes, "es", whom, wie))
    if verb == "be":
        be, _ = be_and_sein(person, tense)
        return written([joined(subject.english(), be, how, when)], german)
    feel = "felt" if past else regular_present("feel", person)
    fuehle = (_FUEHLEN.preterite if past else _FUEHLEN.present)(person)
    german.append(joined(subject.german(), fuehle, REFLEXIVE[person], wann, wie))
    english = [joined(subject.english(), feel, how, when)]
    if not past:
        english.append(joined(subject.english(), AM[person], "feeling", how, when))
    return written(english, german)


def asked_wellbeing(draw: Draw) -> Sentence | None:
    """How is your mother? How are you today?"""
    subject = draw.one_of(YOU) if draw.chance(0.3) else draw_subject(draw, PEOPLE)
    if subject.quantified or subject.negative or subject.english() == "I":
        return None
    tense, (when, (wann,)) = draw.one_of(_WHEN[:4])
    be, _ = be_and_sein(subject.person, tense)
    whom = subject.german(Case.DATIVE)
    return written(
        [joined("how", be, subject.english(), when), joined("how", be, subject.english(), "doing", when)],
        [joined("wie geht es", whom, wann)],
        "?",
    )


def wishing_well(draw: Draw) -> Sentence | None:
    """I hope you feel better soon."""
    subject = draw.one_of(YOU) if draw.chance(0.4) else draw_subject(draw, PEOPLE)
    if subject.quantified or subject.negative or subject.english() in {"I", "we"}:
        return None
    hope, (hoffe,) = draw.one_of(_HOFFE)
    person, whom = subject.person, subject.german(Case.DATIVE)
    hopes = [f"{hope} {subject.english()}", f"{hope} that {subject.english()}"]
    if draw.chance(0.4):
        get = regular_present("get", person)
        return written(
            [*(f"{one} {get} well soon" for one in hopes), *(f"{one} will get well soon" for one in hopes)],
            [f"{hoffe}, dass {subject.german()} bald gesund {WERDE[person]}"],
        )
    feel, fuehle = regular_present("feel", person), _FUEHLEN.present(person)
    return written(
        [joined(one, way, "better", "soon") for one in hopes for way in (feel, "will feel")],
        [
            f"{hoffe}, dass es {whom} bald besser geht",
            f"{hoffe}, dass {subject.german()} {REFLEXIVE[person]} bald besser {fuehle}",
            f"{hoffe}, {subject.german()} {fuehle} {REFLEXIVE[person]} bald besser",
        ],
    )
