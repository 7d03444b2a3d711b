"""Sentences that are not their words, as "Kind regards" and "Merry Christmas": they are looked up (decision 0017).

Letters begin and end with formulas, and people wish and warn each other in some. What the network makes of the words
of one is seldom another, and there are few of them. `phrases.tsv` has them. In braces stands

    {name}         whoever comes after a title: Mr, Frau
    {her}, {him}   a given name of `given_names.txt`, maybe with a surname
    {pair}         two or more given names, as Tom and Anna
    {slot}         what a program will put a name in place of, as {{first_name}}
"""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from model.bundle import DIRECTIONS
from service.pipeline.edits import with_capital
from service.pipeline.finders.match import Match
from service.pipeline.finders.names import DEGREES
from service.pipeline.lists import WAYS, given_names, is_given_name, lines_of
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from model.bundle import Direction

__all__ = ["find_formulas", "find_labels", "find_phrase", "find_signatures", "is_greeting", "is_signature"]

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
_WORD = r"(?:(?:von|van|vom|de|der|den|zu|zur)\s){0,2}[A-ZÄÖÜ][\w'’.-]*"
"""Lee, von der Lee."""
_PLACEHOLDER = r"\{\{?[^{}]*\}?\}|\$\{[^{}]*\}|%\(?\w*\)?s|\[[^\[\]]*\]"
"""{{first_name}}, ${name}, %s, [Name]."""
_LONGEST = 80
_ABBREVIATION = 3
"""Letters that a word in capitals has, at most, if it may be one."""
_SHORT = 30
"""Characters that may follow the comma after the end of a letter: deine Anna."""
_BEGIN, _END, _LABEL = "begin", "end", "label"

_COMMA = re.compile(r",(?!\S)\s*")
_GREETING = re.compile(
    r"(?:Dear|Hello|Hey|Hi|Good\s(?:morning|afternoon|evening)|Hallo|Moin|Servus|Guten\s(?:Morgen|Tag|Abend)"
    r"|Liebe[rs]?|Sehr\s(?:geehrt|verehrt)e[rs]?)\b[^.!?\n]{0,80}(?:(?:Dr|M(?:r|r?s)|Prof)\.[^.!?\n]{0,60})?,"
)
_DEAR = re.compile(
    r"(?:(?:Hallo|Hi|Hey|Moin|Servus|Guten\s(?:Morgen|Tag|Abend))\s)?(?P<dear>(?i:sehr\s(?:geehrt|verehrt)|lieb)e[rs]?)\s(?=[A-ZÄÖÜ])(?!Gr[üu]|Wünsche)(?![^,!]*\bals\b)"
)
"""Sehr geehrte, liebe: before whoever has a capital, but in "Liebe Grüße" and "lieber Tee als Kaffee"."""
_CALL = re.compile(r"[^,.!?]{1,60}!")
"""Liebe Eltern der Klasse 3b! as all of a sentence."""
_GOES_ON = re.compile(r"\s(?:aus|an|from|to)\s")
"""Where the end of a letter has more words: Viele Grüße aus München."""
_CALLED = re.compile(rf"(?P<name>{_WORD})(?:\s{_WORD})?[!.…]*|(?:{_PLACEHOLDER})[!.…]*")
"""Who is wished something: Tom!"""
_RELATIVE = re.compile(
    r"(?:Mam[ai]|Mutti|Mutter|Pap[ai]|Vati|Vater|Om[ai]|Opi|Opa|Tante|Onkel|Fam\.|Familie|Herr|Frau)\b"
)
"""Who signs with a word that is no name."""
_SIGNERS = re.compile(rf"{_RELATIVE.pattern}(?:\s{_WORD})?|{_WORD}\s(?:&|und|u\.|and)\s{_WORD}")
"""They, and two: Familie Maier, Anna & Peter."""
_SPACE = re.compile(r"\s")
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
_NO_SIGNATURE = (
    r"(?!(?:The|Your?|Our|My|An?|Ihre?|Deine?|Eure?|Unsere?|Das|Die|Der|Ein|PS|Sent|Anlagen?|Anhang|Enclosures?|Encl"
    r"|Attachments?|Gesendet)\b"
    r"|.*(?i:team|service|support|sales|department|abteilung|office|büro|redaktion|verwaltung|customer|management|group"
    r"|gruppe|company|vertrieb|kunden|leit(?:er|ung)|direktor|director|manager|führ(?:er|ung)|vorstand|engineer|president"
    r"|human|resources|editor|assistant|assistenz|staff|gmbh|inc\b|ltd|verlag|club|verein))"
)
"""Who else signs a letter, and what else is there."""
_SIGNATURE = re.compile(rf"{_NO_SIGNATURE}(?:(?:Prof|Dr)\.\s)*+{_WORD}(?:\s{_WORD}){{0,3}}")
"""Ann Lee, Dr. Ann von Lee."""
_THANKS = re.compile(r"(?:(?:Many )?Thanks|Thank you|Thx|Danke|Vielen Dank),")
"""Ends many a mail before a name, and is no phrase for it alone."""
_TITLED = re.compile(r"(?:M(?:r|r?s)\.?|Miss|Herr|Frau)\s")
"""Who is named with a title, which is translated."""
_LINE = re.compile(r"^[ \t>]*+(?P<words>[^\r\n]*[^\s])", re.MULTILINE)
"""A line with something in it, maybe quoted."""


class _Phrase(NamedTuple):
    """What to write, as within a sentence; and whether that is at the `begin` or `end` of a letter, or a `label`."""

    text: str
    place: str


class _Phrases(NamedTuple):
    """Of one direction: whole sentences by how they are looked up, and by their first words those with a name."""

    whole: dict[str, _Phrase]
    named: dict[str, list[tuple[re.Pattern[str], _Phrase]]]
    first_words: set[str]


class _Found(NamedTuple):
    """The translation of a phrase, with its capitals; what was left of the sentence, punctuation; and its place."""

    text: str
    ending: str
    place: str


def find_phrase(text: str, direction: Direction, *, is_signed: bool = False) -> str | None:
    """The translation of a sentence that is a phrase as a whole; None if it is none.

    Capital letters do not count, and come out as they went in. Nor does punctuation at the end, unless it is listed:
    without its comma "Best" is no end of a letter, unless a signature follows: `is_signed`.
    """
    found = _look_up(text, direction)
    if not found and is_signed:
        found = _look_up(f"{text},", direction)
    if not found:
        return None
    ending = _ended(found.ending, found.place, direction)
    return found.text + ("" if ending == "." and found.text.endswith(".") else ending)


def find_formulas(text: str, direction: Direction) -> Iterator[Match]:
    """The phrases that a sentence begins with, as letters do, or else end; of the latter also a name that follows."""
    first = _FIRST_WORD.match(text)
    if not first or first[0].casefold() not in _read(str(direction)).first_words:
        return
    place = 0
    while comma := _COMMA.search(text, place, place + _LONGEST):
        found = _look_up(text[place : comma.start() + 1], direction)
        if found and found.place == _BEGIN:
            yield Match(Span(place, comma.start()), found.text.removesuffix(","))
        elif dear := _dear(text, place, comma.start(), direction):
            yield dear
        else:
            break
        place = comma.end()
    if not place:
        yield from _call_or_closing(text, comma, direction)


def _call_or_closing(text: str, comma: re.Match[str] | None, direction: Direction) -> Iterator[Match]:
    """A salutation that is all of a text, or the end of a letter before a comma, or before whom it greets."""
    if _CALL.fullmatch(text) and (dear := _dear(text, 0, len(text), direction)):
        yield dear
        return
    wish = _look_up(text[: comma.start()], direction) if comma else None
    if comma and wish and (dear := _dear(text, comma.end(), len(text), direction)):  # Alles Gute, liebe Oma!
        yield Match(Span(0, comma.start()), wish.text)
        yield dear
        return
    if comma and wish and not wish.place and (called := _CALLED.fullmatch(text, comma.end())):
        if not called["name"] or is_given_name(called["name"]):  # Happy birthday, Tom!
            yield Match(Span(0, comma.start()), wish.text)
        return
    if (found := _closing_before(comma, text, ",", direction)) and comma:
        is_signed = _SIGNATURE.fullmatch(text, comma.end()) is not None
        if is_signed or (direction.source == "de" and len(text) - comma.end() < _SHORT):  # Viele Grüße, deine Anna
            yield Match(Span(0, comma.start()), found.text.removesuffix(","))
        if is_signed:
            yield Match(Span(comma.end(), len(text)), text[comma.end() :])
    if not comma and (signed := _signed(text, direction)):
        yield from signed
        return
    more = _GOES_ON.search(text, 0, _LONGEST)
    if more and (found := _closing_before(more, text, "", direction)):
        yield Match(Span(0, more.start()), found.text)


def _signed(text: str, direction: Direction) -> list[Match]:
    """The end of a letter before who signs it, without a comma, and the name: Viele Grüße Anna."""
    if not text.rsplit(maxsplit=1)[-1][0].isupper():  # as most sentences: it ends with no name
        return []
    for space in _SPACE.finditer(text, 0, _LONGEST):
        found = _look_up(text[: space.start()], direction)
        if not found or found.place != _END:
            continue
        is_name = not _RELATIVE.match(text, space.end()) and _SIGNATURE.fullmatch(text, space.end())
        if is_name or _SIGNERS.fullmatch(text, space.end()):
            closing = Match(Span(0, space.start()), f"{found.text.removesuffix(',')},")
            name = Match(Span(space.end(), len(text)), text[space.end() :])
            return [closing, name] if is_name else [closing]
    return []


def _dear(text: str, start: int, end: int, direction: Direction) -> Match | None:
    """How a German letter begins, whoever it goes to: for that the network writes love, and very honoured."""
    found = _DEAR.match(text, start, end) if direction.source == "de" else None
    return Match(Span(*found.span("dear")), "Dear" if found["dear"][0].isupper() else "dear") if found else None


def _closing_before(match: re.Match[str] | None, text: str, ending: str, direction: Direction) -> _Found | None:
    found = _look_up(text[: match.start()] + ending, direction) if match else None
    return found if found and found.place == _END else None


def find_signatures(text: str, direction: Direction) -> Iterator[Span]:
    """The names in a line of their own after a phrase that ends a letter."""
    if "\n" not in text:
        return
    for closing, line in pairwise(_LINE.finditer(text)):
        if not is_signature(line["words"]) or _TITLED.match(line["words"]):
            continue
        found = _look_up(closing["words"], direction) or _look_up(f"{closing['words']},", direction)
        is_thanks = _THANKS.fullmatch(closing["words"]) and not _look_up(line["words"], direction)
        if is_thanks or (found and found.place == _END):
            yield Span(*line.span("words"))


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


def is_greeting(text: str) -> bool:
    """Whether a text is how a letter begins, with a comma after which German goes on with a small letter."""
    return text.endswith(",") and _GREETING.fullmatch(text) is not None


def is_signature(line: str) -> bool:
    """Whether a line may be the name of who wrote a letter."""
    return len(line) <= _LONGEST and _SIGNATURE.fullmatch(line) is not None


def _look_up(text: str, direction: Direction) -> _Found | None:
    if len(text) > _LONGEST:
        return None
    phrases, first = _read(str(direction)), _first_word(text)
    if first not in phrases.first_words:
        return None
    end = _ENDS.search(text)
    body, ending = (text[: end.start()], end[0]) if end else (text, "")
    for key, left in ((_key(text, direction.source), ""), (_key(body, direction.source), ending)):
        if found := phrases.whole.get(key):
            return _Found(_cased(found.text, body, found.place), left, found.place)
    for pattern, found in phrases.named.get(first, ()):
        if match := pattern.fullmatch(text):
            name = _AND.sub(" und ", match["name"]) if direction.target == "de" else match["name"]
            filled = _SLOT.sub(name.replace("\\", r"\\"), found.text)
            return _Found(_cased(filled, body), match["ending"], found.place)
    return None


def _cased(phrase: str, like: str, place: str = "") -> str:
    """With a capital letter if the sentence has one, or in capitals, unless it is short and no label, as LG."""
    if like.isupper() and (len(like) > _ABBREVIATION or place == _LABEL):
        return phrase.upper()
    return phrase if like[:1].islower() else with_capital(phrase)


def _ended(ending: str, place: str, direction: Direction) -> str:
    """The punctuation at the end, as German has it at the beginning and the end of a letter."""
    if direction.target == "de" and (place, ending) in {(_BEGIN, ":"), (_END, ",")}:
        return "," if ending == ":" else ""
    return ending


@cache
def _read(direction: str) -> _Phrases:
    whole: dict[str, _Phrase] = {}
    named: dict[str, list[tuple[re.Pattern[str], _Phrase]]] = {}
    first_words: set[str] = set()
    name = rf"(?!{_TITLE}){_WORD}(?:\s{_WORD}){{0,2}}|{_PLACEHOLDER}"
    slots = {"name": rf"{DEGREES}(?P<name>{name})", "slot": rf"(?P<name>{_PLACEHOLDER})"}
    for whose, names in given_names().items():
        given = "|".join(sorted({*names, *map(str.upper, names)}))
        slots[whose] = rf"(?P<name>(?:{given})(?:-\w+)?(?:\s{_WORD}){{0,2}})"
    given = "|".join(sorted(name for names in given_names().values() for name in names))
    slots["pair"] = rf"(?P<name>(?:{given})(?:, (?:{given}))*+{_AND.pattern}(?:{given}))"
    for line in lines_of(_FILE):
        english, way, german, place = (*line.split("\t"), "")[:4]
        if way not in WAYS[direction]:
            continue
        source, target = (english, german) if direction == "en-de" else (german, english)
        first = _first_word(source)
        first_words.add(first)
        if slot := _SLOT.search(source):
            before, after = source[: slot.start()], source[slot.end() :]
            ending = "" if _ENDS.sub("", after) != after else _ENDS.pattern.removesuffix("$")
            pattern = rf"(?i:{re.escape(before)}){slots[slot[1]]}{re.escape(after)}(?P<ending>{ending})"
            named.setdefault(first, []).append((re.compile(pattern), _Phrase(target, place)))
        else:
            key = _key(source, direction[:2])
            first_words.add(_first_word(key))
            whole[key] = _Phrase(target, place)
    for alike in named.values():
        alike.sort(key=lambda one: len(one[0].pattern), reverse=True)  # "Herr Dr. Maier" before "Herr Maier"
    return _Phrases(whole, named, first_words)


def _first_word(text: str) -> str:
    """As `_Phrases` has it; empty if there is none."""
    found = _FIRST_WORD.search(text)
    return found[0].casefold() if found else ""


def _key(text: str, language: str) -> str:
    """How a sentence is looked up: I'm as I am, whatever its capitals and spaces."""
    key = " ".join(text.replace("’", "'").casefold().split())
    return _WRITTEN[language].sub(lambda found: _LOOKED_UP[language][found[0]], key)
