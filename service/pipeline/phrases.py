"""Sentences that are not their words, as "Kind regards" and "Merry Christmas": they are looked up (decision 0017).

Letters begin and end with formulas, and people wish and warn each other in some. What the network makes of the words
of one is seldom another, and there are few of them. `phrases.tsv` has them. In braces stands

    {name}         whoever comes after a title: Mr, Frau
    {her}, {him}   a given name of `given_names.txt`, maybe with a surname
    {slot}         what a program will put a name in place of, as {{first_name}}
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from service.pipeline.lists import lines_of
from service.pipeline.names import given_names

if TYPE_CHECKING:
    from model.bundle import Direction

__all__ = ["find_phrase"]

_FILE = "phrases.tsv"
_WAYS = {"en-de": "=>", "de-en": "=<"}
_ENDS = re.compile(r"[,.:!…]*$")
_SLOT = re.compile(r"\{(\w+)\}")
_TITLE = (
    "Präsident|Professor|Doktor|Doctor|Bürgermeister|Mayor|Minister|Kanzler|Chancellor|Kolleg|Nachbar|Pfarrer|Kommissar"
    "|Direktor|Director|General|Vorsitzende|President|Chair|Speaker|Secretary|Commissioner|Ambassador|Botschafter|Judge"
    "|Richter|Dr\\b|Prof\\b"
)
_WORD = r"(?:(?:von|van|vom|de|der|den|zu|zur)\s){0,2}[A-ZÄÖÜ][\w'’.-]*"
_PLACEHOLDER = r"\{\{?[^{}]*\}?\}|\$\{[^{}]*\}|%\(?\w*\)?s|\[[^\[\]]*\]"
_LONGEST = 80


class _Phrase(NamedTuple):
    """What to write, as within a sentence; and whether that stands at the `begin` or the `end` of a letter."""

    text: str
    place: str


class _Phrases(NamedTuple):
    """Of one direction: whole sentences by how they are looked up, and those with a name in them."""

    whole: dict[str, _Phrase]
    named: list[tuple[re.Pattern[str], _Phrase]]


def find_phrase(text: str, direction: Direction) -> str | None:
    """The translation of a sentence that is a phrase as a whole; None if it is none.

    Capital letters do not count, and come out as they went in. Nor does punctuation at the end, unless it is listed:
    without its comma "Best" is no end of a letter.
    """
    if len(text) > _LONGEST:
        return None
    phrases = _read(str(direction))
    end = _ENDS.search(text)
    body, ending = (text[: end.start()], end[0]) if end else (text, "")
    for key, left in ((_key(text), ""), (_key(body), ending)):
        if found := phrases.whole.get(key):
            return _cased(found.text, body) + _ended(left, found.place, direction)
    for pattern, found in phrases.named:
        if match := pattern.fullmatch(text):
            filled = _SLOT.sub(match["name"].replace("\\", r"\\"), found.text)
            return _cased(filled, text[:1]) + _ended(match["ending"], found.place, direction)
    return None


def _cased(phrase: str, like: str) -> str:
    """With a capital letter if the sentence has one, or in capitals."""
    if like.isupper() and len(like.split()) > 1:
        return phrase.upper()
    return phrase if like[:1].islower() else phrase[:1].upper() + phrase[1:]


def _ended(ending: str, place: str, direction: Direction) -> str:
    """The punctuation at the end, as German has it at the beginning and the end of a letter."""
    if direction.target == "de" and (place, ending) in {("begin", ":"), ("end", ",")}:
        return "," if ending == ":" else ""
    return ending


@cache
def _read(direction: str) -> _Phrases:
    whole: dict[str, _Phrase] = {}
    named: list[tuple[re.Pattern[str], _Phrase]] = []
    slots = {"name": rf"(?!{_TITLE}){_WORD}(?:\s{_WORD}){{0,2}}|{_PLACEHOLDER}", "slot": _PLACEHOLDER}
    for whose, names in given_names().items():
        slots[whose] = rf"(?:{'|'.join(names)})(?:-\w+)?(?:\s{_WORD}){{0,2}}"
    for line in lines_of(_FILE):
        english, way, german, place = (*line.split("\t"), "")[:4]
        if way not in _WAYS[direction]:
            continue
        source, target = (english, german) if direction == "en-de" else (german, english)
        if slot := _SLOT.search(source):
            before, after = source[: slot.start()], source[slot.end() :]
            ending = "" if after else _ENDS.pattern.removesuffix("$")
            pattern = rf"(?i:{re.escape(before)})(?P<name>{slots[slot[1]]}){re.escape(after)}(?P<ending>{ending})"
            named.append((re.compile(pattern), _Phrase(target, place)))
        else:
            whole[_key(source)] = _Phrase(target, place)
    named.sort(key=lambda one: len(one[0].pattern), reverse=True)  # "Herr Dr. Maier" before "Herr Maier"
    return _Phrases(whole, named)


def _key(text: str) -> str:
    return " ".join(text.replace("’", "'").casefold().split())
