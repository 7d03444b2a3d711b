"""Words that the network merely copied, and that the dictionary knows: names of places and days, and nouns.

It copies what it does not know, as names: "Polen began", "the Nabel of the world". Most such words are names of persons
and products, and must stay; those that surely are none become what the dictionary has for them.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from model.bundle import fold
from service.pipeline.edits import Edit
from service.pipeline.numbers.calendar import DAYS
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from model.bundle import Dictionary, Direction

__all__ = ["find_copies"]

_WORD = re.compile(r"(?<![\w.@/&'’-])[A-ZÄÖÜ][^\W\d_]{3,}(?![\w@/&-]|[.:]\w|['’]\w)")
_BEFORE, _AFTER = re.compile(r"([A-ZÄÖÜ][\w-]*)\s$"), re.compile(r"\s([A-ZÄÖÜ][\w-]*)")
"""What is beside a word may be a name with it, if it was copied as well: Qatar Airways."""
_NO_NAME = re.compile(
    r"A[nst]|And|Auf|Aus|Bei|By|D(?:as|e[mnr]|ie)|For|From|Für|I[mn]|Mit|Nach|On|The|To|Und|Von|With|Zu"
)
"""What else may begin a sentence in both languages, before a name."""
_WORDS = re.compile(r"[\w-]+")
_LONGEST = 60
"""Characters before a word that are looked at."""
_ALIKE = 0.6
"""Share of the letters that are the same, in order: Mekka and Mecca."""
_NOUN_AFTER = re.compile(
    r"\b(?:d(?:er|ie|as|en|em|es)|(?:k?ein|mein|dein|sein|ihr|unser|euer|eur|dies|jed|jen|welch|manch|solch)(?:e[mnrs]?)?"
    r"|im|am|zum|zur|vom|beim|ins|ans|[a-zäöüß]{3,}(?:en|er|es|em|e))\s$"
)
"""A German article or adjective: what follows it is hardly the surname that Fischer may be."""


def find_copies(
    source: str, target: str, dictionaries: Mapping[Direction, Dictionary], direction: Direction
) -> Iterator[Edit]:
    """What to write for them, in order; `dictionaries` are of both directions, or there is nothing to tell by.

    A sentence that was copied as a whole stays, and can be seen to be one.
    """
    known, back = dictionaries.get(direction), dictionaries.get(direction.reverse)
    if not known or not back:
        return
    copies = [copy for copy in _WORD.finditer(target) if copy[0] in source]
    if not copies or fold(source) == fold(target):
        return
    ours = {word[0]: word for word in _WORD.finditer(source)}
    names = {word for word in _WORDS.findall(source) if not _NO_NAME.fullmatch(word)}
    for copy in copies:
        is_day = copy[0] in DAYS[direction.source].values() and target.startswith((",", ")"), copy.end())
        if copy[0] not in ours or (back.translations(copy[0]) and not is_day):
            continue
        word, translations = ours[copy[0]], known.translations(copy[0], nouns_have_capitals=direction.source == "de")
        if not translations or copy[0].casefold() in map(str.casefold, translations):
            continue
        is_place = _is_place(target, copy, names, translations[0])
        if is_day or is_place or _is_noun(source, word, translations[0], direction):
            yield Edit(Span(*copy.span()), translations[0])


def _is_place(target: str, copy: re.Match[str], names: Collection[str], translation: str) -> bool:
    """Whether a word is a name that the other language spells otherwise, and no part of a longer one."""
    if not translation[:1].isupper() or " " in translation:
        return False
    beside = _BEFORE.search(target, max(0, copy.start() - _LONGEST), copy.start()), _AFTER.match(target, copy.end())
    if any(one and one[1] in names for one in beside):
        return False
    return SequenceMatcher(None, copy[0].casefold(), translation.casefold()).ratio() >= _ALIKE


def _is_noun(source: str, word: re.Match[str], translation: str, direction: Direction) -> bool:
    """Whether a word with a capital is a German noun; English ones have none, and German ones need their ending."""
    return direction.source == "de" and translation.islower() and _stands_after_article(source, word.start())


def _stands_after_article(source: str, place: int) -> bool:
    return _NOUN_AFTER.search(source, max(0, place - _LONGEST), place) is not None
