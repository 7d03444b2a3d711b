"""What hurts, what somebody has broken, and what one does with one's hands."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from model.grammar.categories import Case, Gender, Tense, VerbTrait
from model.grammar.determiners import Determiner, german_determiner
from model.grammar.kinds.states import AT_TIMES, HABEN, State, Way, english_verb, for_oneself, told
from model.grammar.lexicon import expression
from model.grammar.noun_phrases import PRONOUNS, YOU, Name, NounPhrase, Phrase, Pronoun
from model.grammar.phrases import PEOPLE, draw_noun_phrase, draw_subject
from model.grammar.writing import joined, written

if TYPE_CHECKING:
    from model.grammar.drawing import Draw
    from model.grammar.writing import Sentence

__all__ = ["having_illness", "hurting", "treating"]

_POSSESSIVES = {"I": ("my", "mein"), "he": ("his", "sein"), "she": ("her", "ihr"), "we": ("our", "unser")}
_YOUR = {"du": "dein", "Sie": "Ihr"}
_WHEN = (
    *[expression("", "")] * 4,
    expression("today", "heute"),
    expression("a lot", "sehr"),
    expression("again", "wieder"),
)
_MANY = AT_TIMES | {"every morning", "every day", "again"}
_ONCE = frozenset({"yesterday", "unfortunately", "last week", "last year", "two days ago", "a week ago"})
_SEVERAL = frozenset({"hands", "feet", "teeth", "eyes", "hair"})
"""Parts of which several people have as many words."""

_TENSES = (Tense.PRESENT, Tense.PRESENT, Tense.PAST, Tense.MODAL)


def hurting(draw: Draw) -> Sentence | None:
    """My back hurts: German says whom it hurts, or whose back."""
    part, number = draw.one_of(draw.lexicon.body_parts)
    several = number == "both" and draw.chance(0.4)
    the_back = NounPhrase(part, Determiner.THE, plural=several)
    owner = draw.one_of((*PRONOUNS, *YOU))
    if owner.person.plural and not several and owner.german() != "Sie":
        return None
    my, mein = _possessive(owner)
    named = draw.chance(0.2)
    who: Phrase = owner
    if named:
        who = Name(draw.one_of([one for one in draw.lexicon.names if not one.name.endswith("s")]))
        my, mein = f"{who.english()}'s", f"{who.english()}s"
    whom, back, ruecken = who.german(Case.DATIVE), the_back.bare_english, the_back.german_noun(Case.NOMINATIVE)
    meine = mein if named else mein + german_determiner(Determiner.A, part.gender, Case.NOMINATIVE).removeprefix("ein")
    if several and not named:
        meine = f"{mein}e"
    past, (when, (wann,)) = draw.chance(0.3), draw.one_of(_WHEN)
    if past and when == "today":
        when, wann = "yesterday", "gestern"
    tut, schmerzt = ("tat", "schmerzte") if past else ("tut", "schmerzt")
    if several:
        tut, schmerzt = ("taten", "schmerzten") if past else ("tun", "schmerzen")
    hurts = "hurt" if past or several else "hurts"
    if draw.chance(0.25) and owner.english() != "I":
        does = "did" if past else "do" if several else "does"
        return written(
            [joined(does, my, back, "hurt", when)],
            [
                joined(tut, whom, the_back.german(), wann, "weh"),
                joined(tut, meine, ruecken, wann, "weh"),
                joined(schmerzt, meine, ruecken, wann),
            ],
            "?",
        )
    ongoing = "were" if past and several else "was" if past else "are" if several else "is"
    german = [
        joined(whom, tut, *_with(wann, the_back.german()), "weh"),
        joined(the_back.german(), tut, whom, wann, "weh"),
        joined(meine, ruecken, tut, wann, "weh"),
        joined(meine, ruecken, schmerzt, wann),
    ]
    if past:
        hat = "haben" if several else "hat"
        german.append(joined(whom, hat, *_with(wann, the_back.german()), "wehgetan"))
        german.append(joined(meine, ruecken, hat, wann, "wehgetan"))
    english = [joined(my, back, hurts, when), joined(my, back, ongoing, "hurting", when)]
    read_as_present = past and several and when != "yesterday"
    return written(english[1:] if read_as_present else english, german)


def having_illness(draw: Draw) -> Sentence:
    """I have a headache."""
    english, german, negated = draw.one_of(draw.lexicon.illnesses)
    state = State(
        subject=draw_subject(draw, PEOPLE),
        english=(english_verb("have, has, had, had", english),),
        german=(Way(HABEN, german, negated),),
    )
    return told(draw, state, adverbs=AT_TIMES)


def treating(draw: Draw) -> Sentence | None:
    """He is washing his hands; she broke her arm."""
    treatment = draw.one_of(draw.lexicon.treatments)
    subject = _draw_owner(draw)
    if subject is None:
        return None
    part, (teil,) = draw.one_of(treatment.parts)
    my, _ = _possessive(subject)
    once = "once" in treatment.traits
    early = for_oneself(subject.person) if "oneself" in treatment.traits else None
    if subject.person.plural and part not in _SEVERAL and subject.german() != "Sie":
        return None
    state = State(
        subject=subject,
        english=(english_verb(treatment.english, f"{my} {part}"),),
        german=(Way(treatment.german, teil, f"{teil} nicht", early),),
        traits=frozenset() if once else frozenset({VerbTrait.POSTURE}),
        spoken=once,
    )
    tenses = (Tense.PAST,) if once else _TENSES
    return told(draw, state, tenses=tenses, adverbs=_ONCE if once else _MANY, negations=0.1)


def _with(when: str, back: str) -> tuple[str, str]:
    """Heute der Rücken; der Rücken sehr."""
    return (back, when) if when == "sehr" else (when, back)


def _draw_owner(draw: Draw) -> Phrase | None:
    """Somebody of whom it is known whether they are he or she."""
    if draw.chance(0.6):
        return draw.one_of((*PRONOUNS, *YOU))
    if draw.chance(0.35):
        return Name(draw.one_of(draw.lexicon.names))
    determiners = (Determiner.THE, Determiner.THE, Determiner.MY, Determiner.OUR)
    phrase = replace(draw_noun_phrase(draw, PEOPLE, determiners=determiners), adjective=None)
    return None if phrase.gender is Gender.NEUTER else phrase


def _possessive(owner: Phrase) -> tuple[str, str]:
    """My, mein; German is only known of pronouns."""
    if isinstance(owner, Pronoun):
        if owner in YOU:
            return "your", _YOUR[owner.nominative]
        return _POSSESSIVES.get(owner.subject, ("their", "ihr"))
    if isinstance(owner, NounPhrase) and owner.plural:
        return "their", "ihr"
    gender = owner.given.gender if isinstance(owner, Name) else getattr(owner, "gender", Gender.MASCULINE)
    return _POSSESSIVES["she" if gender is Gender.FEMININE else "he"]
