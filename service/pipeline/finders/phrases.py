"""Sentences that are not their words, as "Kind regards" and "Merry Christmas": they are looked up (decision 0017).

Letters begin and end with formulas, and people wish and warn each other in some. What the network makes of the words
of one is seldom another, and there are few of them. `phrases.tsv` has them. In braces stands

    {name}         whoever comes after a title: Mr, Frau
    {her}, {him}   a given name of `given_names.txt`, maybe with a surname
    {pair}         two or more given names, as Tom and Anna
    {slot}         what a program will put a name in place of, as {{first_name}}

Phrases may follow each other, as may what is said `before` them: OK, have a good trip.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from model.bundle import DIRECTIONS
from service.pipeline.edits import with_capital
from service.pipeline.finders.names import DEGREES
from service.pipeline.lists import WAYS, given_names, rows_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from model.bundle import Direction

__all__ = [
    "BEGIN",
    "END",
    "LONGEST",
    "NAME",
    "PLACEHOLDER",
    "FoundPhrase",
    "begins_as_phrase",
    "find_labels",
    "find_phrase",
    "look_up",
]

_FILE = "phrases.tsv"
_ENDS = re.compile(r"[,.:!…]*$")
"""Punctuation at the end."""
_AND = re.compile(r",? (?:and|&) ")
_SLOT = re.compile(r"\{(\w+)\}")
"""{name}."""
_TITLE = (
    "Präsident|Professor|Doktor|Doctor|Bürgermeister|Mayor|Minister|Kanzler|Chancellor|Kolleg|Nachbar|Pfarrer|Kommissar"
    "|Direktor|Director|General|Vorsitzende|President|Chair|Speaker|Secretary|Commissioner|Ambassador|Botschafter|Judge"
    "|Richter|Dr\\b|Prof\\b"
)
"""What follows a title and is no name: Frau Präsidentin."""
NAME = r"(?:(?:von|van|vom|de|der|den|zu|zur)\s){0,2}[A-ZÄÖÜ][\w'’.-]*"
"""Lee, von der Lee."""
PLACEHOLDER = r"\{\{?[^{}]*\}?\}|\$\{[^{}]*\}|%\(?\w*\)?s|\[[^\[\]]*\]"
"""{{first_name}}, ${name}, %s, [Name]."""
LONGEST = 80
"""Characters of a phrase."""
_ABBREVIATION = 3
"""Letters that a word in capitals has, at most, if it may be one."""
BEGIN, END, _LABEL, _BEFORE = "begin", "end", "label", "before"
_BETWEEN, _MOST_PARTS = ", ", 3
_WRITTEN = {
    "en": re.compile(r"(?:\bcannot|\bwon't|n't|'(?:m|s|re|ve|ll|d))\b"),
    "de": re.compile(r"(?:'s|\b(?:gerne|hab|wieviel))\b"),
}
"""What is also written in another way, in small letters: I'm, geht's."""
_LOOKED_UP = {
    "en": {"cannot": "ca not", "won't": "will not", "n't": " not", "'m": " am", "'s": " is", "'re": " are"}
    | {"'ve": " have", "'ll": " will", "'d": " would"},
    "de": {"'s": " es", "gerne": "gern", "hab": "habe", "wieviel": "wie viel"},
}
"""The way in which that is looked up."""
_FIRST_WORD = re.compile(r"\w+")


class _Phrase(NamedTuple):
    """What to write, as within a sentence; and its place, `begin` or `end` of a letter, a `label`, `before` others."""

    text: str
    place: str


class _Phrases(NamedTuple):
    """Of one direction: whole sentences by how they are looked up, and by their first words those with a name.

    What is only said before others is by itself. With lists of given names in them, patterns take long to compile: they
    are when a text needs them.
    """

    whole: dict[str, _Phrase]
    said_before: dict[str, _Phrase]
    named: dict[str, list[tuple[str, _Phrase]]]
    first_words: set[str]


class FoundPhrase(NamedTuple):
    """The translation of a phrase, with its capitals; what was left of the sentence, punctuation; and its place."""

    text: str
    ending: str
    place: str


def find_phrase(text: str, direction: Direction, *, is_signed: bool = False) -> str | None:
    """The translation of a sentence that is a phrase as a whole; None if it is none.

    Capital letters do not count, and come out as they went in. Nor does punctuation at the end, unless it is listed:
    without its comma "Best" is no end of a letter, unless a signature follows: `is_signed`.
    """
    found = look_up(text, direction)
    if not found and is_signed:
        found = look_up(f"{text},", direction)
    if not found:
        return _find_several(text, direction)
    ending = _ended(found.ending, found.place, direction)
    return found.text + ("" if ending == "." and found.text.endswith(".") else ending)


def _find_several(text: str, direction: Direction) -> str | None:
    """The translation of a sentence that is several phrases, with commas between them."""
    parts = text.split(_BETWEEN) if len(text) <= LONGEST else []
    if not 1 < len(parts) <= _MOST_PARTS:
        return None
    said_before, written = _read(str(direction)).said_before, list[str]()
    for part in parts[:-1]:
        if said := said_before.get(_key(part, direction.source)):
            written.append(_cased(said.text, part))
        elif " " in part and (found := look_up(part, direction)) and not found.place and not found.ending:
            written.append(found.text)
        else:
            return None
    last = look_up(parts[-1], direction)
    is_within = parts[-1][:1].islower() or direction.source == "de"
    if not last or last.place not in ("", END) or not is_within:
        return None
    return _BETWEEN.join([*written, last.text]) + last.ending


def find_labels(text: str, language: str) -> Iterator[int]:
    """Where the labels end that a line of a mail's header begins with, in a text that begins with the line."""
    place = 0
    while found := _labels(language).match(text, place):
        place = found.end()
        yield place


@cache
def _labels(language: str) -> re.Pattern[str]:
    directions = [str(direction) for direction in DIRECTIONS if direction.source == language]
    listed = [key for direction in directions for key, one in _read(direction).whole.items() if one.place == _LABEL]
    labels = "|".join(map(re.escape, [*map(str.capitalize, listed), *map(str.upper, listed)]))
    return re.compile(rf"[\s>]*+(?:{labels})(?=[ \t\u00a0]+[^\s\d])")


def begins_as_phrase(text: str, direction: Direction) -> bool:
    """Whether the first word of a text is that of a phrase."""
    first = _FIRST_WORD.match(text)
    return first is not None and first[0].casefold() in _read(str(direction)).first_words


def look_up(text: str, direction: Direction) -> FoundPhrase | None:
    """The phrase that a text is, whatever punctuation is at its end."""
    if len(text) > LONGEST:
        return None
    phrases, first = _read(str(direction)), _first_word(text)
    if first not in phrases.first_words:
        return None
    end = _ENDS.search(text)
    body, ending = (text[: end.start()], end[0]) if end else (text, "")
    key = _key(body, direction.source)
    space = " " if body[-1:].isspace() else ""
    for whole, left in ((f"{key}{space}{ending}", ""), (key, ending)) if ending else ((key, ""),):
        if found := phrases.whole.get(whole):
            return FoundPhrase(_cased(found.text, body, found.place), left, found.place)
    for pattern, found in phrases.named.get(first, ()):
        if match := _compiled(pattern).fullmatch(text):
            name = _AND.sub(" und ", match["name"]) if direction.target == "de" else match["name"]
            filled = _SLOT.sub(name.replace("\\", r"\\"), found.text)
            return FoundPhrase(_cased(filled, body), match["ending"], found.place)
    return None


def _cased(phrase: str, like: str, place: str = "") -> str:
    """With a capital letter if the sentence has one, or in capitals, unless it is short and no label, as LG."""
    if like.isupper() and (len(like) > _ABBREVIATION or place == _LABEL):
        return phrase.upper()
    return phrase if like[:1].islower() else with_capital(phrase)


def _ended(ending: str, place: str, direction: Direction) -> str:
    """The punctuation at the end, as German has it at the beginning and the end of a letter."""
    if direction.target == "de" and (place, ending) in {(BEGIN, ":"), (END, ",")}:
        return "," if ending == ":" else ""
    return ending


@cache
def _read(direction: str) -> _Phrases:
    whole: dict[str, _Phrase] = {}
    said_before: dict[str, _Phrase] = {}
    named: dict[str, list[tuple[str, _Phrase]]] = {}
    first_words: set[str] = set()
    slots = _slots()
    for row in rows_of(_FILE):
        english, way, german, place = (*row, "")[:4]
        if way not in WAYS[direction]:
            continue
        source, target = (english, german) if direction == "en-de" else (german, english)
        if place == _BEFORE:
            said_before[_key(source, direction[:2])] = _Phrase(target, place)
            continue
        first = _first_word(source)
        first_words.add(first)
        if slot := _SLOT.search(source):
            before, after = source[: slot.start()], source[slot.end() :]
            ending = "" if _ENDS.sub("", after) != after else _ENDS.pattern.removesuffix("$")
            pattern = rf"(?i:{re.escape(before)}){slots[slot[1]]}{re.escape(after)}(?P<ending>{ending})"
            named.setdefault(first, []).append((pattern, _Phrase(target, place)))
        else:
            key = _key(source, direction[:2])
            first_words.add(_first_word(key))
            whole[key] = _Phrase(target, place)
    for alike in named.values():
        alike.sort(key=lambda one: len(one[0]), reverse=True)  # "Herr Dr. Maier" before "Herr Maier"
    return _Phrases(whole, said_before, named, first_words)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _slots() -> dict[str, str]:
    """Patterns for what stands in braces, see above."""
    name = rf"(?!{_TITLE}){NAME}(?:\s{NAME}){{0,2}}|{PLACEHOLDER}"
    slots = {"name": rf"{DEGREES}(?P<name>{name})", "slot": rf"(?P<name>{PLACEHOLDER})"}
    for whose, names in given_names().items():
        given = "|".join(sorted({*names, *map(str.upper, names)}))
        slots[whose] = rf"(?P<name>(?:{given})(?:-\w+)?(?:\s{NAME}){{0,2}})"
    given = "|".join(sorted(name for names in given_names().values() for name in names))
    slots["pair"] = rf"(?P<name>(?:{given})(?:, (?:{given}))*+{_AND.pattern}(?:{given}))"
    return slots


def _first_word(text: str) -> str:
    """As `_Phrases` has it; empty if there is none."""
    found = _FIRST_WORD.search(text)
    return found[0].casefold() if found else ""


def _key(text: str, language: str) -> str:
    """How a sentence is looked up: I'm as I am, whatever its capitals and spaces."""
    key = " ".join(text.replace("’", "'").casefold().split())
    return _WRITTEN[language].sub(lambda found: _LOOKED_UP[language][found[0]], key)
