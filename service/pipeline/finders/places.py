"""Names of places that the network takes apart, or leaves as they are: Salzgitter became salt guitars.

`places.tsv` lists those that the other language calls otherwise, `towns.txt` German ones that keep theirs.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from service.pipeline.edits import with_capital
from service.pipeline.finders.match import Match
from service.pipeline.lists import lines_of, pairs_of
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from model.bundle import Direction

__all__ = ["find_places", "names_of_places"]

_PAIRS, _TOWNS = "places.tsv", "towns.txt"

_CAPITALISED = re.compile(r"[A-ZÄÖÜ](?<![\w@.-].)[^\W\d_]*")
"""Erfurt, Bad of Bad Kreuznach, St of St. Pölten."""
_SMALL_WORDS = re.compile(r"(?:[a-zäöü]+ )*")
"""In der, before Steiermark."""
_GOES_ON = re.compile(r"[\w-]|['’]\w|\.\w")
_NOUN = re.compile(r" [A-ZÄÖÜ]")
_PLACED = "… "
_WHERE = re.compile(r"(?<!\w)(?:[Ii]n|[Aa]us|[Nn]ach|[Vv]on|[Aa]t|[Ff]rom|[Nn]ear|[Oo][fn]|[Tt]o|[Tt]hrough) $")
_LONGEST_WHERE = 9

_NO_GENITIVE = ("s", "ß", "x", "z", ")")
_NO_ADJECTIVE = ("burg", ")")
"""Hamburger is as well what one eats, and a part of names."""
_ENDING = re.compile("e?n?$")
"""What Solingen and Celle lose to become Solinger and Celler."""


class _Form(NamedTuple):
    """A name as it may be written: an article or nothing `before`, and the rest; and what is written for it.

    One that is `placed` has a word such as in before it; an `adjective` stands before a noun: Erfurter Dom.
    """

    before: str
    name: str
    target: str
    placed: bool = False
    adjective: bool = False


def find_places(text: str, direction: Direction) -> Iterator[Match]:
    """Those of a text that are listed, in order."""
    if text.isupper():
        return
    forms, done = _read(str(direction)), 0
    for word in _CAPITALISED.finditer(text):
        for form in forms.get(word[0], ()):
            start = word.start() - len(form.before)
            if start >= done and _is_there(form, text, start):
                done = start + len(form.before) + len(form.name)
                begins = form.before and text[start].isupper()
                yield Match(Span(start, done), with_capital(form.target) if begins else form.target)
                break


def _is_there(form: _Form, text: str, start: int) -> bool:
    written = form.before + form.name
    end = start + len(written)
    if text[start : start + 1].lower() + text[start + 1 : end] != written[0].lower() + written[1:]:
        return False
    if _GOES_ON.match(text, end) or text[max(0, start - 1) : start].isalnum():
        return False
    if form.adjective and not _NOUN.match(text, end):
        return False
    return not form.placed or _WHERE.search(text[max(0, start - _LONGEST_WHERE) : start]) is not None


def names_of_places(direction: Direction) -> dict[str, str]:
    """All that are listed, as they are called alone, and what is written for them."""
    return {source: target for source, target, _ in _listed(str(direction))}


def _listed(direction: str) -> Iterator[tuple[str, str, bool]]:
    """Each name, what is written for it, and whether it must be placed."""
    towns = ", ".join(lines_of(_TOWNS)).split(", ") if direction == "de-en" else []
    for source, target in (*pairs_of(_PAIRS, direction), *zip(towns, towns, strict=True)):
        yield source.removeprefix(_PLACED), target.removeprefix(_PLACED), source.startswith(_PLACED)


@cache
def _read(direction: str) -> Mapping[str, Sequence[_Form]]:
    """All forms of the names of one direction, by the first word with a capital; the longest come first."""
    forms: dict[str, list[_Form]] = {}
    for source, target, is_placed in _listed(direction):
        small = _SMALL_WORDS.match(source)
        before = small[0] if small else ""
        name = source.removeprefix(before)
        inflected = [] if before or is_placed else _inflected(name, target, direction)
        for form in (_Form(before, name, target, placed=is_placed), *inflected):
            if first := _CAPITALISED.match(form.name):
                forms.setdefault(first[0], []).append(form)
    for its in forms.values():
        its.sort(key=lambda form: (len(form.before) + len(form.name), form.placed), reverse=True)
    return forms


def _inflected(name: str, target: str, direction: str) -> Iterator[_Form]:
    """The genitive, and in German what people and things of a town are called."""
    if direction == "en-de":
        ending = "’" if target.endswith(_NO_GENITIVE) else "s"
        yield from (_Form("", f"{name}{mark}s", f"{target}{ending}") for mark in "'’")
        return
    if not name.endswith(_NO_GENITIVE):
        yield _Form("", f"{name}s", f"{target}'s")
    if not name.endswith(_NO_ADJECTIVE):
        stem = _ENDING.sub("", name)
        yield from (_Form("", adjective, target, adjective=True) for adjective in {f"{stem}er", f"{name}er"})
