"""How something is done: slowly, very slowly, more slowly."""

from __future__ import annotations

from typing import TYPE_CHECKING

from model.grammar.lexicon import expression

if TYPE_CHECKING:
    from collections.abc import Sequence

    from model.grammar.drawing import Draw
    from model.grammar.lexicon import Expression, Manner, Verb

__all__ = ["draw_manner"]

_DENIED = (
    *[expression("{}", "{}")] * 4,
    *[expression("very {}", "sehr {}")] * 2,
    expression("too {}", "zu {}"),
    expression("so {}", "so {}"),
)
_AFFIRMED = (
    *_DENIED,
    expression("quite {}", "ziemlich {}"),
    expression("as {} as possible", "so {} wie möglich", "möglichst {}"),
)


def draw_manner(draw: Draw, verb: Verb, *, negated: bool = False) -> Expression | None:
    """How what the verb says is done, or is not if it is negated; None if nothing goes with it."""
    fitting = [manner for manner in draw.lexicon.manners if verb.english.base in manner.verbs]
    return _graded(draw, draw.one_of(fitting), _DENIED if negated else _AFFIRMED) if fitting else None


def _graded(draw: Draw, manner: Manner, degrees: Sequence[Expression]) -> Expression:
    """To one of these degrees, or more so, if there is that."""
    if not manner.english_comparative:
        return expression(manner.english, manner.german)
    if draw.chance(0.15):
        return expression(manner.english_comparative, manner.german_comparative)
    english, german = draw.one_of(degrees)
    return expression(english.format(manner.english), *(way.format(manner.german) for way in german))
