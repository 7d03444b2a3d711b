"""Does a translation begin with a capital where its sentence does, and has it those that names have within?"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from service.pipeline.edits import Edit
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from model.bundle import Dictionary
    from service.pipeline.pieces import Protected

__all__ = ["find_names", "find_start"]

_WITH_CAPITAL = re.compile(r"[\"'„“‚‘(\[]{0,3}[A-ZÄÖÜ](?:.*[.!?…][\"'“”‘’)\]]{0,3}|.{0,60})", re.DOTALL)
"""A sentence, or a label: what is longer may be a part of a sentence, and begin with a noun."""
_WORD = re.compile(r"(?<![\w@./-])[^\W\d_]+(?![\w@/]|\.\w)")
_SMALL_START = re.compile(r"[\"'„“‚‘(\[]{0,3}(?P<word>[a-zäöü][a-zäöüß]*+)(?![\w./@-]|:\S)")

_CAPITAL_START = re.compile(r"(?!(?:Sie|Ihr(?:e[mnrs]?)?|Ihnen)\b)[A-ZÄÖÜ][a-zäöüß]*+(?![\w./@-])")
"""Of a German sentence; Sie has a capital wherever it is."""

_WITHIN = re.compile(r"(?<![\w@./-])[^\W\d_]*[a-zäöüß][A-ZÄÖÜ][^\W\d_]*(?![\w@/]|\.\w)")
"""PayPal, iPhone."""


def find_names(source: str, target: str) -> Iterator[Edit]:
    """Names with a capital within, which the network wrote otherwise: payPal, Youtube."""
    names = {name.casefold(): name for name in _WITHIN.findall(source)}
    if not names:
        return
    for word in _WORD.finditer(target):
        name = names.get(word[0].casefold(), word[0])
        if name != word[0]:
            yield Edit(Span(*word.span()), name)


def find_start(protected: Protected, target: str, back: Dictionary | None, language: str) -> Iterator[Edit]:
    """A capital for what begins with one, but for a word that the source has as well, such as a command.

    After the greeting of a letter, English always has one, and German none but for nouns and Sie: what is no noun there
    becomes a word with a capital, by the dictionary of the way back.
    """
    if protected.is_greeted and language == "de":
        first = _CAPITAL_START.match(target)
        if (
            first
            and back
            and first[0].lower() in back
            and all(one[:1].isupper() for one in back.translations(first[0])[:1])
        ):
            yield Edit(Span(0, 1), target[0].lower())
        return
    small = _SMALL_START.match(target)
    begins = protected.is_greeted or (
        _WITH_CAPITAL.fullmatch(protected.text)
        and not (small and re.search(rf"(?<!\w){small['word']}(?!\w)", protected.text))
    )
    if small and begins:
        place = small.start("word")
        yield Edit(Span(place, place + 1), target[place].upper())
