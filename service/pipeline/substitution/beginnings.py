"""Words that the network garbles where a text begins, though it knows them elsewhere, are read after *And* or *Please*.

The first word has no article to go by, and in English a capital that it has nowhere else: *Curtains are expensive* was
*Die sind teuer*, *And curtains are expensive* is *Und Vorhänge sind teuer*, of which *Und* is taken away again. So is
what an instruction tells to do: *Please wear gloves* has a verb in German, and *sie* no other form of address.
"""

from __future__ import annotations

import re
from functools import cache

from service.pipeline.edits import Edit, with_small_letter
from service.pipeline.lists import kinds_of
from service.pipeline.substitution.parts_of_speech import AFTER_COMMAND
from service.types import Span

__all__ = ["find_beginning", "without_beginning"]

_FILE, _COMMANDS = "beginnings.txt", "commands.txt"
_FIRST = {
    "en": re.compile(rf"(?P<word>[A-Z][a-z]+),?(?!{AFTER_COMMAND.pattern}) [a-z]"),
    "de": re.compile(r"(?P<word>[A-ZÄÖÜ][a-zäöüß]+),? (?![a-zäöüß]+n[.!]?$|[a-zäöüß ]+n$)[a-zäöüß]"),
}
"""A word that is no part of a name, nor of a command: Deckel öffnen."""
_COMMAND = {
    "en": re.compile(
        r"(?P<word>[A-Z][a-z]+) (?=(?:the|an?|your|this|these|those|all|both|one|two|three|four|five|ten|half|\d+|it"
        r"|them|in|out|some|any|enough|plenty|more|each|every|at least|gloves|protective|fresh)\b)"
    ),
    "de": re.compile(r"(?P<word>[A-ZÄÖÜ][a-zäöüß]+n) Sie (?!bitte\b)(?=\w)"),
}
_AND = {"en": "And ", "de": "Und "}
_PLEASE = {"en": "Please ", "de": "Bitte "}
_BEGIN = re.compile(r"(?:And|Und|Please|Bitte),? (?:[b-hj-z] )?(?=\w)")
"""What a translation begins with then; in the sentence's language where the network has copied it."""


def find_beginning(text: str, language: str) -> list[Edit]:
    """What to read where a text of a language ("en", "de") begins with such a word."""
    command = _COMMAND[language].match(text)
    if command and command["word"] in _listed(_COMMANDS)[language]:
        return [Edit(Span(0, 1), _PLEASE[language] + with_small_letter(text[0]))]
    first = _FIRST[language].match(text)
    if not first or first["word"] not in _listed(_FILE)[language]:
        return []
    letter = with_small_letter(text[0]) if language == "en" else text[0]
    return [Edit(Span(0, 1), _AND[language] + letter)]


def without_beginning(text: str) -> tuple[list[Edit], list[Edit]]:
    """What takes the word away again from a translation, and the capital for the one after it."""
    begin = _BEGIN.match(text)
    if not begin:
        return [], []
    end = begin.end()
    return [Edit(Span(0, end), "")], [Edit(Span(end, end + 1), text[end].upper())]


@cache
def _listed(name: str) -> dict[str, frozenset[str]]:
    return kinds_of(name)
