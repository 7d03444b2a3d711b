"""How letters and mails begin and end: phrases beside names, which stay as they are (decision 0017)."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from service.pipeline.finders.match import Match
from service.pipeline.finders.phrases import (
    BEGIN,
    END,
    LONGEST,
    NAME,
    PLACEHOLDER,
    begins_as_phrase,
    look_up,
)
from service.pipeline.lists import is_given_name
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from model.bundle import Direction
    from service.pipeline.finders.phrases import FoundPhrase

__all__ = ["find_formulas", "find_signatures", "is_greeting", "is_signature"]

_SHORT = 30
"""Characters that may follow the comma after the end of a letter: deine Anna."""

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
_CALLED = re.compile(rf"(?P<name>{NAME})(?:\s{NAME})?[!.…]*|(?:{PLACEHOLDER})[!.…]*")
"""Who is wished something: Tom!"""
_RELATIVE = re.compile(
    r"(?:Mam[ai]|Mutti|Mutter|Pap[ai]|Vati|Vater|Om[ai]|Opi|Opa|Tante|Onkel|Fam\.|Familie|Herr|Frau)\b"
)
"""Who signs with a word that is no name."""
_SIGNERS = re.compile(rf"{_RELATIVE.pattern}(?:\s{NAME})?|{NAME}\s(?:&|und|u\.|and)\s{NAME}")
"""They, and two: Familie Maier, Anna & Peter."""
_SPACE = re.compile(r"\s")
_NO_SIGNATURE = (
    r"(?!(?:The|Your?|Our|My|An?|Ihre?|Deine?|Eure?|Unsere?|Das|Die|Der|Ein|PS|Sent|Anlagen?|Anhang|Enclosures?|Encl"
    r"|Attachments?|Gesendet)\b"
    r"|.*(?i:team|service|support|sales|department|abteilung|office|büro|redaktion|verwaltung|customer|management|group"
    r"|gruppe|company|vertrieb|kunden|leit(?:er|ung)|direktor|director|manager|führ(?:er|ung)|vorstand|engineer|president"
    r"|human|resources|editor|assistant|assistenz|staff|gmbh|inc\b|ltd|verlag|club|verein))"
)
"""Who else signs a letter, and what else is there."""
_SIGNATURE = re.compile(rf"{_NO_SIGNATURE}(?:(?:Prof|Dr)\.\s)*+{NAME}(?:\s{NAME}){{0,3}}")
"""Ann Lee, Dr. Ann von Lee."""
_THANKS = re.compile(r"(?:(?:Many )?Thanks|Thank you|Thx|Danke|Vielen Dank),")
"""Ends many a mail before a name, and is no phrase for it alone."""
_TITLED = re.compile(r"(?:M(?:r|r?s)\.?|Miss|Herr|Frau)\s")
"""Who is named with a title, which is translated."""
_LINE = re.compile(r"^[ \t>]*+(?P<words>[^\r\n]*[^\s])", re.MULTILINE)
"""A line with something in it, maybe quoted."""


def find_formulas(text: str, direction: Direction) -> Iterator[Match]:
    """The phrases that a sentence begins with, as letters do, or else end; of the latter also a name that follows."""
    if not begins_as_phrase(text, direction):
        return
    place = 0
    while comma := _COMMA.search(text, place, place + LONGEST):
        found = look_up(text[place : comma.start() + 1], direction)
        if found and found.place == BEGIN:
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
    wish = look_up(text[: comma.start()], direction) if comma else None
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
    more = _GOES_ON.search(text, 0, LONGEST)
    if more and (found := _closing_before(more, text, "", direction)):
        yield Match(Span(0, more.start()), found.text)


def _signed(text: str, direction: Direction) -> list[Match]:
    """The end of a letter before who signs it, without a comma, and the name: Viele Grüße Anna."""
    if not text.rsplit(maxsplit=1)[-1][0].isupper():  # as most sentences: it ends with no name
        return []
    for space in _SPACE.finditer(text, 0, LONGEST):
        found = look_up(text[: space.start()], direction)
        if not found or found.place != END:
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


def _closing_before(match: re.Match[str] | None, text: str, ending: str, direction: Direction) -> FoundPhrase | None:
    found = look_up(text[: match.start()] + ending, direction) if match else None
    return found if found and found.place == END else None


def find_signatures(text: str, direction: Direction) -> Iterator[Span]:
    """The names in a line of their own after a phrase that ends a letter."""
    if "\n" not in text:
        return
    for closing, line in pairwise(_LINE.finditer(text)):
        if not is_signature(line["words"]) or _TITLED.match(line["words"]):
            continue
        found = look_up(closing["words"], direction) or look_up(f"{closing['words']},", direction)
        is_thanks = _THANKS.fullmatch(closing["words"]) and not look_up(line["words"], direction)
        if is_thanks or (found and found.place == END):
            yield Span(*line.span("words"))


def is_greeting(text: str) -> bool:
    """Whether a text is how a letter begins, with a comma after which German goes on with a small letter."""
    return text.endswith(",") and _GREETING.fullmatch(text) is not None


def is_signature(line: str) -> bool:
    """Whether a line may be the name of who wrote a letter."""
    return len(line) <= LONGEST and _SIGNATURE.fullmatch(line) is not None
