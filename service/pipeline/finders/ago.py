"""How long ago something was, of labels: "{n} days ago", "vor 5 Minuten". The network loses "ago", or writes "before".

Those with a placeholder are found wherever they are, others in labels: in sentences the network reads them well.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from service.pipeline.finders.match import Match
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from model.bundle import Direction

__all__ = ["find_ago"]

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
_SENTENCE = re.compile(r"[.!?;]\s*$|[.!?;,]\s")
_LONGEST = 60
"""Characters of a label."""


def find_ago(text: str, direction: Direction) -> Iterator[Match]:
    """Each of these in a text, with its counterpart."""
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


def _written(number: str, unit: str, direction: Direction) -> str:
    if direction.source == "de":
        unit = _FROM_GERMAN.get(_GERMAN.get(unit, unit), "")
        is_one = number in {"einem", "einer", "1"}
        number = {"wenigen": "a few", "ein paar": "a few"}.get(number, number)
        if number in {"einem", "einer"}:
            number = "an" if unit == "hour" else "a"
        return f"{number} {unit.removesuffix('s') if is_one else unit} ago" if unit else f"{number} ago"
    listed = _ENGLISH.get(unit, unit)
    singular = listed.removesuffix("s")
    if not listed:
        return f"vor {number}"
    is_many = number == "a few" or (number.isdecimal() and number != "1") or listed.endswith("s")
    word = _UNITS[singular][is_many]
    if number.casefold() in {"a", "an"}:
        number = "einem" if singular in {"day", "month", "year"} else "einer"
    return f"vor {'ein paar' if number.casefold() == 'a few' else number} {word}"
