"""What there is left of something: no milk, still some milk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from model.grammar.categories import Case, Gender, Person, Tense
from model.grammar.determiners import Determiner, german_determiner
from model.grammar.noun_phrases import Indefinite
from model.grammar.phrases import PEOPLE, draw_subject
from model.grammar.verb_forms import AM, DO, HABE, HATTE, HAVE, WAS, be_and_sein
from model.grammar.writing import written

if TYPE_CHECKING:
    from model.grammar.drawing import Draw
    from model.grammar.lexicon import Supply
    from model.grammar.writing import Sentence

__all__ = ["having_left", "there_is_left"]


def having_left(draw: Draw) -> Sentence | None:
    """We have no milk left; we still have some milk; do we have any milk left?"""
    supply, subject = draw.one_of(draw.lexicon.supplies), draw_subject(draw, PEOPLE)
    if subject.negative or subject.quantified or isinstance(subject, Indefinite):
        return None
    what, was, person = supply.english, supply.german, subject.person
    who, wer, past = subject.english(), subject.german(), draw.chance(0.3)
    have, habe = ("had", HATTE[person]) if past else (HAVE[person], HABE[person])
    does = "did" if past else DO[person]
    how = draw.weighted(("none", "some", "asked"), (6, 2, 2))
    if how == "asked":
        return written([f"{does} {who} have any {what} left"], [f"{habe} {wer} noch {was}"], "?")
    if how == "some":
        return written(
            [f"{who} still {have} some {what} left", f"{who} still {have} some {what}"], [f"{wer} {habe} noch {was}"]
        )
    english = [
        f"{who} {have} no {what} left",
        f"{who} {does} not have any {what} left",
        f"{who} {does}n't have any {what} left",
        f"{who} {have} no more {what}",
        f"{who} {'had' if past else HAVE[person]} run out of {what}",
        f"{who} {(WAS if past else AM)[person]} out of {what}",
    ]
    first = draw.one_of(range(len(english)))
    return written([*english[first:], *english[:first]], [f"{wer} {habe} {_no(supply, Case.ACCUSATIVE)} mehr"])


def there_is_left(draw: Draw) -> Sentence:
    """There is no milk left; is there any milk left?"""
    supply, tense = draw.one_of(draw.lexicon.supplies), draw.one_of((Tense.PRESENT, Tense.PRESENT, Tense.PAST))
    what, was = supply.english, supply.german
    person = Person.THEY if supply.gender is Gender.PLURAL else Person.IT
    be, sein = be_and_sein(person, tense)
    gibt = "gibt" if tense is Tense.PRESENT else "gab"
    how = draw.weighted(("none", "some", "asked"), (5, 2, 3))
    if how == "asked":
        return written([f"{be} there any {what} left"], [f"{sein} noch {was} da", f"{gibt} es noch {was}"], "?")
    if how == "some":
        return written(
            [f"there {be} still some {what} left", f"there {be} some {what} left"],
            [f"es {sein} noch {was} da", f"es {gibt} noch {was}"],
        )
    return written(
        [f"there {be} no {what} left", f"there {be}n't any {what} left", f"there {be} no more {what}"],
        [
            f"es {sein} {_no(supply, Case.NOMINATIVE)} mehr da",
            f"es {gibt} {_no(supply, Case.ACCUSATIVE)} mehr",
        ],
    )


def _no(supply: Supply, case: Case) -> str:
    """Keine Milch."""
    return f"{german_determiner(Determiner.NO, supply.gender, case)} {supply.german}"
