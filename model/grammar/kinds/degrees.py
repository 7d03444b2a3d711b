"""How much so, of an adjective."""

from __future__ import annotations

from typing import TYPE_CHECKING

from model.grammar.lexicon import expression

if TYPE_CHECKING:
    from model.grammar.lexicon import Adjective, Expression

__all__ = ["AFFIRMED", "DEGREES", "OF_COMPARATIVES", "TEMPORARY", "UNGRADED", "suits"]

_PLAIN = expression("", "")
_VERY, _TOO, _NOT = expression("very", "sehr"), expression("too", "zu"), expression("not", "nicht")

DEGREES = (_PLAIN, _VERY, _NOT, _TOO)
"""Of any adjective."""

AFFIRMED = (
    _PLAIN,
    _VERY,
    _TOO,
    expression("really", "wirklich"),
    expression("quite", "ziemlich", "recht"),
    expression("so", "so"),
)
"""More of them, for any clause."""

TEMPORARY = (
    *AFFIRMED,
    _NOT,
    expression("always", "immer"),
    expression("often", "oft"),
    expression("never", "nie"),
    expression("still", "noch", "immer noch"),
    expression("not very", "nicht sehr"),
    expression("no longer", "nicht mehr"),
    expression("already", "schon", "bereits"),
)
"""The same, and how often or still it is so."""

OF_COMPARATIVES = (
    _PLAIN,
    _PLAIN,
    expression("much", "viel"),
    expression("a little", "etwas", "ein bisschen", "ein wenig"),
    expression("even", "noch"),
)

UNGRADED = frozenset({"broken", "right", "wrong", "delicious"})
"""English of adjectives that nothing is more or less, nor becomes."""

_HOW_MUCH = frozenset({"very", "too", "quite", "so", "not very"})


def suits(degree: Expression, adjective: Adjective) -> bool:
    """Whether anything is so to this degree: not too right."""
    return not (adjective.english in UNGRADED and degree.english in _HOW_MUCH)
