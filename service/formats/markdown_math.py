r"""Backslashes before the signs that mark formulas: `$x$` and `\(x\)`.

CommonMark reads the sign itself with a backslash or without. Where formulas are read too, "\$5" is no formula and
"\(x\)" is one. So the translation has backslashes where the source had them, and none elsewhere.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["MATH_SIGNS", "MathSigns"]

MATH_SIGNS = "$()"

_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_DOLLARS = re.compile(r"\$\$[^$\n]+\$\$|\$[^$\n]+\$")
_BRACKETS = re.compile(r"\((?:[^()\n]|\([^()\n]*+\))*+\)")


@dataclass(frozen=True, slots=True)
class MathSigns:
    """Which signs of a text get a backslash.

    Dollar signs do if there were such with one, except those of `formulas`. Round brackets do if all had one, or around
    a text that is among `bracketed`.
    """

    dollars: bool
    formulas: frozenset[str]
    brackets: bool
    bracketed: frozenset[str]

    @classmethod
    def of(cls, literal: str) -> MathSigns:
        """As in a text that is written like this; a line break stands for other markup."""
        places: set[int] = set()
        for found in _ESCAPE.finditer(literal):
            places.add(found.start() - len(places))  # once the backslashes are gone
        text = _ESCAPE.sub(r"\1", literal)
        escaped = {text[place] for place in places}
        bare = {sign for place, sign in enumerate(text) if sign in "()" and place not in places}
        return cls(
            "$" in escaped,
            frozenset(found[0] for found in _stretches(_DOLLARS, text, lambda found: found.start() not in places)),
            not escaped.isdisjoint("()") and not bare,
            frozenset(
                found[0]
                for found in _stretches(_BRACKETS, text, lambda found: {found.start(), found.end() - 1} <= places)
            ),
        )

    def escaped_in(self, text: str) -> set[int]:
        """The places of the signs in another text that get a backslash."""
        places: set[int] = set()
        if self.dollars:
            places.update(place for place, sign in enumerate(text) if sign == "$")
            for found in _stretches(_DOLLARS, text, lambda found: found[0] in self.formulas):
                places.difference_update(range(*found.span()))
        if self.brackets:
            places.update(place for place, sign in enumerate(text) if sign in "()")
        elif self.bracketed:
            for found in _stretches(_BRACKETS, text, lambda found: found[0] in self.bracketed):
                places |= {found.start(), found.end() - 1}
        return places


def _stretches(
    pattern: re.Pattern[str], text: str, is_wanted: Callable[[re.Match[str]], bool]
) -> Iterator[re.Match[str]]:
    """What matches and is wanted; what is not may overlap it."""
    place = 0
    while found := pattern.search(text, place):
        if is_wanted(found):
            yield found
            place = found.end()
        else:
            place = found.start() + 1
