"""What somebody or something is, and where."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from model.grammar.categories import Case, Gender, Kind, Person, Tense
from model.grammar.determiners import Determiner
from model.grammar.german_clauses import contracted
from model.grammar.kinds.degrees import AFFIRMED, TEMPORARY, UNGRADED, suits
from model.grammar.noun_phrases import Indefinite, Name, NounPhrase, Pronoun
from model.grammar.phrases import PEOPLE, draw_adjective, draw_noun_phrase, draw_subject
from model.grammar.verb_forms import AM, WERDE, be_and_sein, forms, regular_present
from model.grammar.writing import joined, written

if TYPE_CHECKING:
    from model.grammar.drawing import Draw
    from model.grammar.lexicon import Adjective
    from model.grammar.noun_phrases import Phrase
    from model.grammar.writing import Sentence

__all__ = [
    "adjective",
    "asked_adjective",
    "becoming",
    "future_adjective",
    "place",
    "profession",
    "seeming",
    "sex",
    "there_is",
    "this_is",
]

_SCHEINE = forms("scheine", "scheinst", "scheint", "scheinen")

_DESCRIBED = (Kind.THING, Kind.VEHICLE, Kind.BUILDING, Kind.TEXT, Kind.GARMENT, Kind.MATTER)
_SHOWN = (
    Kind.THING,
    Kind.PERSON,
    Kind.VEHICLE,
    Kind.RELATIVE,
    Kind.TEXT,
    Kind.GARMENT,
    Kind.MATTER,
    Kind.BUILDING,
)
_FOUND = (Kind.THING, Kind.PERSON, Kind.ANIMAL, Kind.SIGHT, Kind.PLACE, Kind.MATTER)
_LOCATED = (Kind.PERSON, Kind.THING, Kind.ANIMAL, Kind.VEHICLE)

_NEVER_BECOME = UNGRADED | {"new", "young"}
_AROUND = frozenset({"city", "village", "valley", "forest"})
"""Where there are other places."""

_POSSESSED = (Determiner.MY, Determiner.HIS, Determiner.HER)
_WHERE = (("in", "in"), ("in front of", "vor"), ("behind", "hinter"), ("next to", "neben"))


class _Described(NamedTuple):
    """Who is said to be how: both languages' subject, what it agrees with, and adjective with degree."""

    english: str
    german: str
    person: Person
    how: str
    wie: list[str]
    attribute: Adjective


def adjective(draw: Draw) -> Sentence | None:
    """He is very old."""
    drawn = _draw_described(draw, temporary=True)
    if drawn is None:
        return None
    be, sein = be_and_sein(drawn.person, draw.one_of((*[Tense.PRESENT] * 4, *[Tense.PAST] * 3)))
    return written([f"{drawn.english} {be} {drawn.how}"], (f"{drawn.german} {sein} {way}" for way in drawn.wie))


def asked_adjective(draw: Draw) -> Sentence | None:
    """Is he very old?"""
    drawn = _draw_described(draw)
    if drawn is None:
        return None
    be, sein = be_and_sein(drawn.person, Tense.PRESENT)
    return written([f"{be} {drawn.english} {drawn.how}"], (f"{sein} {drawn.german} {way}" for way in drawn.wie), "?")


def future_adjective(draw: Draw) -> Sentence | None:
    """He will be very old."""
    drawn = _draw_described(draw)
    if drawn is None:
        return None
    return written(
        [f"{drawn.english} will be {drawn.how}"],
        (f"{drawn.german} {WERDE[drawn.person]} {way} sein" for way in drawn.wie),
    )


def seeming(draw: Draw) -> Sentence | None:
    """He seems to be very old."""
    drawn = _draw_described(draw)
    if drawn is None:
        return None
    seem = regular_present("seem", drawn.person)
    return written(
        [f"{drawn.english} {seem} to be {drawn.how}"],
        (f"{drawn.german} {_SCHEINE[drawn.person]} {way} zu sein" for way in drawn.wie),
    )


def becoming(draw: Draw) -> Sentence | None:
    """He becomes old, is getting old."""
    drawn = _draw_described(draw)
    if drawn is None or drawn.attribute.english in _NEVER_BECOME:
        return None
    become = regular_present("become", drawn.person)
    ways = (become, f"{AM[drawn.person]} becoming", f"{AM[drawn.person]} getting")
    return written(
        (f"{drawn.english} {way} {drawn.attribute.english}" for way in ways),
        [f"{drawn.german} {WERDE[drawn.person]} {drawn.attribute.german}"],
    )


def _draw_described(draw: Draw, *, temporary: bool = False) -> _Described | None:
    """Somebody or something, and how; `temporary`: also how often, or that still."""
    kinds = PEOPLE if draw.chance(1 / 3) else frozenset({draw.one_of(_DESCRIBED)})
    subject = draw_subject(draw, kinds)
    if isinstance(subject, NounPhrase):
        subject, kinds = replace(subject, adjective=None), subject.noun.kinds
    attribute = draw_adjective(draw, kinds, states=True)
    if attribute is None or isinstance(subject, Indefinite):
        return None
    degrees = TEMPORARY if temporary and not (subject.negative or subject.quantified) else AFFIRMED
    degree = draw.one_of([one for one in degrees if suits(one, attribute)])
    return _Described(
        subject.english(),
        subject.german(),
        subject.person,
        joined(degree.english, attribute.english),
        [joined(way, attribute.german) for way in degree.german],
        attribute,
    )


def profession(draw: Draw) -> Sentence | None:
    """He is a teacher: German has no article where that is what he does."""
    subject = draw_subject(draw, PEOPLE)
    if subject.negative or subject.person.plural or isinstance(subject, Indefinite):
        return None
    noun = replace(
        draw_noun_phrase(draw, {Kind.PERSON}, determiners=(Determiner.A,)),
        determiner=Determiner.A,
        plural=False,
        quantity=None,
    )
    gender = sex(subject)
    if gender not in {None, noun.noun.gender}:
        return None
    be, sein = be_and_sein(subject.person, draw.one_of((Tense.PRESENT, Tense.PRESENT, Tense.PRESENT, Tense.PAST)))
    german = [noun.german()]
    if Kind.PROFESSION in noun.noun.kinds and not noun.adjective:
        german.insert(0, noun.noun.german)
    return written(
        [f"{subject.english()} {be} {noun.english()}"], (f"{subject.german()} {sein} {one}" for one in german)
    )


def place(draw: Draw) -> Sentence:
    """The book is in the house; or where it is."""
    determiners = (Determiner.THE, Determiner.THE, *_POSSESSED)
    subject = draw_noun_phrase(draw, {draw.one_of(_LOCATED)}, determiners=determiners)
    tense = draw.one_of((Tense.PRESENT, Tense.PAST))
    be, sein = be_and_sein(subject.person, tense)
    if draw.chance(1 / 3):
        return written([f"where {be} {subject.english()}"], [f"wo {sein} {subject.german()}"], "?")
    where = draw_noun_phrase(draw, {Kind.PLACE}, determiners=(Determiner.THE,), adjectives=0.0)
    preposition, german = draw.one_of(_WHERE)
    return written(
        [f"{subject.english()} {be} {preposition} {where.english()}"],
        [f"{subject.german()} {sein} {contracted(f'{german} {where.german(Case.DATIVE)}')}"],
    )


def this_is(draw: Draw) -> Sentence | None:
    """This is a book; it is not; or the question."""
    determiners = (Determiner.THE, Determiner.A, Determiner.A, Determiner.OUR, *_POSSESSED)
    noun = draw_noun_phrase(draw, {draw.one_of(_SHOWN)}, determiners=determiners)
    if noun.quantified:
        return None
    one, several = draw.one_of((("this", "these"), ("that", "those")))
    this = several if noun.plural else one
    be, sein = be_and_sein(noun.person, Tense.PRESENT)
    if draw.chance(0.25):
        return written([f"{be} {this} {noun.english()}"], [f"{sein} das {noun.german()}"], "?")
    if draw.chance(0.2):
        nicht = noun.german(negated=True) if noun.indefinite else f"nicht {noun.german()}"
        return written([f"{this} {be} not {noun.english()}"], [f"das {sein} {nicht}"])
    return written([f"{this} {be} {noun.english()}"], [f"das {sein} {noun.german()}"])


def there_is(draw: Draw) -> Sentence | None:
    """There is a book in the house; or the question."""
    determiners = (Determiner.A, Determiner.QUANTITY, Determiner.QUANTITY, Determiner.NO, Determiner.NONE)
    noun = draw_noun_phrase(draw, {draw.one_of(_FOUND)}, determiners=determiners)
    if noun.determiner not in determiners:
        return None
    where, wo = "", ""
    if Kind.MATTER not in noun.noun.kinds:
        house = draw_noun_phrase(
            draw, {Kind.PLACE}, determiners=(Determiner.THE, Determiner.THIS, Determiner.OUR), adjectives=0.0
        )
        great = not noun.noun.kinds.isdisjoint({Kind.PLACE, Kind.SIGHT})
        if house.noun is noun.noun or (great and house.noun.english not in _AROUND):
            return None
        where, wo = f"in {house.english()}", contracted(f"in {house.german(Case.DATIVE)}")
    tense = draw.one_of((Tense.PRESENT, Tense.PRESENT, Tense.PRESENT, Tense.PAST))
    be, _ = be_and_sein(noun.person, tense)
    gibt, what = "gibt" if tense is Tense.PRESENT else "gab", noun.german(Case.ACCUSATIVE)
    if draw.chance(0.2) and not noun.negative:
        return written(
            [joined(be, "there", noun.english(), where)],
            [joined(gibt, "es", what, wo), joined(gibt, "es", wo, what)],
            "?",
        )
    german = [joined("es", gibt, what, wo), joined("es", gibt, wo, what)]
    if wo:
        german.append(f"{wo} {gibt} es {what}")
    return written([joined("there", be, noun.english(), where)], german)


def sex(subject: Phrase) -> Gender | None:
    """The gender of nouns that somebody is called by; None for any."""
    if isinstance(subject, Name):
        return subject.given.gender
    if isinstance(subject, NounPhrase):
        return None if subject.noun.gender is Gender.NEUTER else subject.noun.gender
    if isinstance(subject, Pronoun):
        return {"er": Gender.MASCULINE, "sie": Gender.FEMININE}.get(subject.nominative)
    return None
