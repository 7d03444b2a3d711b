"""When the train to Berlin leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from model.grammar.lexicon import expression
from model.grammar.writing import written

if TYPE_CHECKING:
    from model.grammar.drawing import Draw
    from model.grammar.writing import Sentence

__all__ = ["train_to"]

_GOING = (
    expression("train", "der Zug"),
    expression("bus", "der Bus"),
    expression("plane", "das Flugzeug"),
    expression("flight", "der Flug"),
)
_LEAVING = (("leaves", "left"), ("fährt", "fuhr"), "ab")
_FLYING = (("leaves", "left"), ("fliegt", "flog"), "ab")
_WHEN_LEAVING = (
    expression("at six o'clock", "um sechs Uhr"),
    expression("at half past eight", "um halb neun"),
    expression("at nine", "um neun", "um neun Uhr"),
    expression("in ten minutes", "in zehn Minuten"),
    expression("in an hour", "in einer Stunde"),
    expression("soon", "bald"),
    expression("every hour", "jede Stunde", "stündlich"),
    expression("at midnight", "um Mitternacht"),
)


def train_to(draw: Draw) -> Sentence:
    """The train to Berlin leaves at six o'clock; or the question when."""
    means, (mittel,) = draw.one_of(_GOING)
    flies = means in {"plane", "flight"}
    place = draw.one_of([one for one in draw.lexicon.places if flies or "land" in one.traits])
    (leaves, left), (faehrt, fuhr), ab = _FLYING if flies else _LEAVING
    if flies and means == "flight":
        faehrt, fuhr = "geht", "ging"
    end = f" {ab}" if means != "flight" else ""
    subject, subjekt = f"the {means} to {place.english}", f"{mittel} {place.whither}"
    if draw.chance(0.3):
        return written([f"when does {subject} leave"], [f"wann {faehrt} {subjekt}{end}", f"wann geht {subjekt}"], "?")
    past = draw.chance(0.2)
    when, wann = draw.one_of([one for one in _WHEN_LEAVING if not past or one.english.startswith("at")])
    verb = fuhr if past else faehrt
    german = [f"{subjekt} {verb} {way}{end}" for way in wann]
    german += [f"{way} {verb} {subjekt}{end}" for way in wann]
    return written([f"{subject} {left if past else leaves} {when}"], german)
