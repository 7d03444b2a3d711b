"""Words that the network garbles where a text begins, though it knows them elsewhere, are read after *And*.

The first word has no article to go by, and in English a capital that it has nowhere else: *Curtains are expensive* was
*Die sind teuer*, *And curtains are expensive* is *Und Vorhänge sind teuer*, of which *Und* is taken away again.
"""

from __future__ import annotations

import re
from functools import cache

from service.pipeline.edits import Edit, with_small_letter
from service.pipeline.lists import lines_of
from service.pipeline.substitution.parts_of_speech import AFTER_COMMAND
from service.types import Span

__all__ = ["find_beginning", "without_and"]

_FILE = "beginnings.txt"
_FIRST = {
    "en": re.compile(rf"(?P<word>[A-Z][a-z]+),?(?!{AFTER_COMMAND.pattern}) [a-z]"),
    "de": re.compile(r"(?P<word>[A-ZÄÖÜ][a-zäöüß]+),? (?![a-zäöüß]+n[.!]?$|[a-zäöüß ]+n$)[a-zäöüß]"),
}
"""A word that is no part of a name, nor of a command: Deckel öffnen."""
_AND = {"en": "And ", "de": "Und "}
_BEGIN = re.compile(r"(?:And|Und),? (?=\w)")
"""What a translation begins with then; in the sentence's language where the network has copied it."""


def find_beginning(text: str, language: str) -> list[Edit]:
    """What to read where a text of a language ("en", "de") begins with such a word."""
    first = _FIRST[language].match(text)
    if not first or first["word"] not in _listed()[language]:
        return []
    letter = with_small_letter(text[0]) if language == "en" else text[0]
    return [Edit(Span(0, 1), _AND[language] + letter)]


def without_and(text: str) -> tuple[list[Edit], list[Edit]]:
    """What takes the word away again from a translation, and the capital for the one after it."""
    begin = _BEGIN.match(text)
    if not begin:
        return [], []
    end = begin.end()
    return [Edit(Span(0, end), "")], [Edit(Span(end, end + 1), text[end].upper())]


@cache
def _listed() -> dict[str, frozenset[str]]:
    lists = [line.split(": ") for line in lines_of(_FILE)]
    return {one: frozenset(word for language, its in lists if language == one for word in its.split()) for one in _AND}
