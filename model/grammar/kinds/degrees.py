"""How much so, of an adjective."""

from __future__ import annotations

from model.grammar.lexicon import expression

__all__ = ["AFFIRMED", "DEGREES", "OF_COMPARATIVES", "TEMPORARY"]

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
