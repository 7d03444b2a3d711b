"""How long ago something was, and how much is left, of labels: "{n} days ago", "vor 5 Minuten", "2 items left".

The network loses "ago" and "noch", or writes "before", and "nach links". What has a placeholder is found wherever it
is, the rest in labels: in sentences the network reads it well.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from service.pipeline.finders.match import Match
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from model.bundle import Direction

__all__ = ["find_time_spans"]

_ENGLISH = {"sec": "second", "secs": "second", "min": "minute", "mins": "minute", "hr": "hour", "hrs": "hour"}
_GERMAN = {"Sek.": "Sekunden", "Min.": "Minuten", "Std.": "Stunden"}
"""Abbreviations."""
_UNITS = {
    "second": ("Sekunde", "Sekunden"),
    "minute": ("Minute", "Minuten"),
    "hour": ("Stunde", "Stunden"),
    "day": ("Tag", "Tagen"),
    "week": ("Woche", "Wochen"),
    "month": ("Monat", "Monaten"),
    "year": ("Jahr", "Jahren"),
}
"""German ones as after "vor"."""
_NOMINATIVE = {"Tagen": "Tage", "Monaten": "Monate", "Jahren": "Jahre"}
_AFTER_VOR = {word: after for after, word in _NOMINATIVE.items()}
"""Otherwise, and after "vor"."""
_FROM_GERMAN = {word: english + "s" * number for english, words in _UNITS.items() for number, word in enumerate(words)}
_PLACEHOLDER = r"[$#%]?\{\{?[^\s{}]{1,40}\}?\}|%(?:\d\$)?[sdiu@]|%\(\w{1,40}\)[sd]|(?<!\S):[a-z_]{1,40}"
_TIME = re.compile(r"time|zeit|dauer|duration|ago|since|period|elapsed", re.IGNORECASE)
"""What a placeholder is called that stands for some days or hours, as "vor {name}" is in front of someone."""
_NAME = re.compile(r"[^\W\d_]{3}")
_AGO = {
    "en": re.compile(
        rf"(?<!\w)(?P<number>(?P<slot>{_PLACEHOLDER})|\d{{1,4}}|(?i:an?|a few))"
        rf"(?:\s(?P<unit>{'|'.join(_ENGLISH)}|(?:{'|'.join(_UNITS)})s?))?\sago(?!\w)"
    ),
    "de": re.compile(
        rf"(?<!\w)[Vv]or\s(?P<number>(?P<slot>{_PLACEHOLDER})|\d{{1,4}}|eine[mr]|wenigen|ein paar)"
        rf"(?:\s(?P<unit>{'|'.join(map(re.escape, _GERMAN))}|(?:{'|'.join(_FROM_GERMAN)})(?!\w)))?(?!\w)"
    ),
}
_NUMBER = rf"(?P<number>(?:{_PLACEHOLDER})|\d{{1,4}})"
_LEFT = {
    "en": re.compile(
        rf"(?P<only>[Oo]nly\s)?{_NUMBER}\s(?:(?P<unit>{'|'.join(_ENGLISH)}|(?:{'|'.join(_UNITS)})s?)\s)?"
        r"(?:[a-z]+\s){0,2}?(?P<left>left|remaining)(?P<end>[.!]?)"
    ),
    "de": re.compile(
        rf"(?P<only>[Nn]ur\s)?[Nn]och\s{_NUMBER}\s"
        rf"(?P<unit>{'|'.join(_NOMINATIVE.get(word, word) for word in _FROM_GERMAN)})(?P<end>[.!]?)"
    ),
}
"""All of a label: 2 items left, nur noch 5 Minuten!"""
_SENTENCE = re.compile(r"[.!?;]\s*$|[.!?;,]\s")
_LONGEST = 60
"""Characters of a label."""


def find_time_spans(text: str, direction: Direction) -> Iterator[Match]:
    """Each of these in a text, with its counterpart."""
    if len(text) <= _LONGEST and (left := _LEFT[direction.source].fullmatch(text)):
        yield _left(left, direction)
        return
    if ("ago" if direction.source == "en" else "or ") not in text:  # as in most
        return
    for found in _AGO[direction.source].finditer(text):
        span = Span(*found.span())
        is_all = span == Span(0, len(text))
        if found["slot"]:
            is_meant = (
                direction.source == "en"
                or found["unit"]
                or _TIME.search(found["slot"])
                or (is_all and not _NAME.search(found["slot"]))
            )
        else:  # into German the network knows it in labels, too, unless it is all of one
            is_label = len(text) <= _LONGEST and not _SENTENCE.search(text.removesuffix(found["unit"] or ""))
            is_meant = found["unit"] and (is_all or (direction.source == "de" and is_label))
        if is_meant:
            yield Match(span, _written(found["number"], found["unit"] or "", direction))


def _left(found: re.Match[str], direction: Direction) -> Match:
    """All of a time that is left; of what is counted otherwise the network knows the name."""
    whole, only, number, unit = Span(0, found.end()), found["only"], found["number"], found["unit"]
    if direction.source == "de":
        written = f"{'Only ' if only else ''}{number} {_FROM_GERMAN[_AFTER_VOR.get(unit, unit)]} left"
    elif not unit:
        return Match(Span(*found.span("left")), "übrig")
    else:
        german = _german(unit, number)
        written = f"{'Nur noch' if only else 'Noch'} {number} {_NOMINATIVE.get(german, german)}"
    return Match(whole, written + found["end"])


def _german(unit: str, number: str) -> str:
    """What a unit is called after "vor", of which there may be many."""
    listed = _ENGLISH.get(unit, unit)
    is_many = number == "a few" or (number.isdecimal() and number != "1") or listed.endswith("s")
    return _UNITS[listed.removesuffix("s")][is_many]


def _written(number: str, unit: str, direction: Direction) -> str:
    if direction.source == "de":
        unit = _FROM_GERMAN.get(_GERMAN.get(unit, unit), "")
        is_one = number in {"einem", "einer", "1"}
        number = {"wenigen": "a few", "ein paar": "a few"}.get(number, number)
        if number in {"einem", "einer"}:
            number = "an" if unit == "hour" else "a"
        return f"{number} {unit.removesuffix('s') if is_one else unit} ago" if unit else f"{number} ago"
    if not unit:
        return f"vor {number}"
    word = _german(unit, number.casefold())
    if number.casefold() in {"a", "an"}:
        number = "einem" if word in {"Tag", "Monat", "Jahr"} else "einer"
    return f"vor {'ein paar' if number.casefold() == 'a few' else number} {word}"
