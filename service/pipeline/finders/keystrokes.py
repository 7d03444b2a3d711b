"""Keys that have another name on the keyboards of the other language: Ctrl+Alt+Del is Strg+Alt+Entf.

The network knows Ctrl and Shift, and letters are the same. But of the keys that they are pressed with it makes others:
"Shift+Entf" became "Shift+Enter", which does something else.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from service.pipeline.edits import blank
from service.pipeline.finders.match import Match
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from model.bundle import Direction

__all__ = ["find_keys"]

_KEYS = (
    ("Delete/Del", "Entf"),
    ("Insert/Ins", "Einfg"),
    ("Home", "Pos1/Pos 1"),
    ("End", "Ende"),
    ("Page Up/PageUp/PgUp", "Bild auf/Bild hoch/Bild↑"),
    ("Page Down/PageDown/PgDown/PgDn", "Bild ab/Bild runter/Bild↓"),
    ("Backspace", "Rücktaste/Rückschritt"),
    ("Space/Spacebar/Space bar", "Leertaste"),
    ("Enter/Return", "Eingabetaste/Eingabe"),
    ("Print Screen/PrtScn/PrtSc", "Druck"),
    ("+", "+"),
    ("-", "-"),
)
"""Names of each key, English and German, the one to write first. Signs are here as the network drops some of them."""
_HELD = (
    *("Ctrl", "Strg", "Control", "Shift", "Umschalt", "Umsch"),
    *("Alt", "AltGr", "Cmd", "Command", "Super", "Win", "Fn"),
)
"""Those that are held meanwhile."""

_ON_MACS = re.compile(
    r"(?<![\w+-])(?=(?:\w{2,8}\s?\+\s?){0,3}C(?:md|MD)\s?\+)"
    rf"(?:(?:{'|'.join(_HELD)}|CMD)\s?\+\s?){{1,4}}+(?:\w{{1,12}}+|[^\w\s])(?![\w+])"
)
"""All of a combination with Cmd, which the network does not know."""
_HELD_NAMES = {"en": {"Ctrl": "Strg", "Shift": "Umschalt"}, "de": {"Strg": "Ctrl", "Umschalt": "Shift"}}


def _other_names(own: int, other: int) -> dict[str, str]:
    """The name of each key in the other language by each of its own, all in capitals as well."""
    names = {name: key[other].split("/")[0] for key in _KEYS for name in key[own].split("/")}
    return {name.upper(): theirs.upper() for name, theirs in names.items()} | names


def _written(names: Iterable[str]) -> str:
    return "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))


def _combination(keys: Iterable[str]) -> re.Pattern[str]:
    """Capital letters tell keys from words: shift-end is when a shift ends. So does Ctrl, before a hyphen."""
    held = _written({*_HELD, *map(str.upper, _HELD)})
    joined = rf"(?:(?:{held})\s?\+\s?)+|(?:Ctrl|CTRL|Strg|STRG)-(?:(?:{held})-)*"
    return re.compile(rf"(?<![\w+-])(?:{joined})({_written(keys)})(?![\w+])")


_OTHER_NAMES = {"en": _other_names(0, 1), "de": _other_names(1, 0)}
_COMBINATIONS = {language: _combination(names) for language, names in _OTHER_NAMES.items()}
_NAME = re.compile(r"\w+")


def find_keys(sentence: str, direction: Direction) -> Iterator[Match]:
    """The keys of a sentence that are pressed while others are held, each with its name in the other language.

    With Cmd, all of them are one.
    """
    if "+" not in sentence and "-" not in sentence:
        return
    names = _OTHER_NAMES[direction.source]
    on_macs = [Span(*found.span()) for found in _ON_MACS.finditer(sentence)] if "+" in sentence else []
    known = names | _HELD_NAMES[direction.source]
    for span in on_macs:
        yield Match(span, _NAME.sub(lambda name: known.get(name[0], name[0]), sentence[span.start : span.end]))
    for found in _COMBINATIONS[direction.source].finditer(blank(sentence, on_macs)):
        yield Match(Span(*found.span(1)), names[found[1]])
