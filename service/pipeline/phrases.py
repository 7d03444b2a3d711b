"""Sentences that are not their words, as "Kind regards" and "Merry Christmas": they are looked up.

Letters begin and end with formulas, and people wish and warn each other in some. What the network makes of the words
of one is seldom another, and there are few of them. `phrases.tsv` has them.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from model.bundle import Direction

__all__ = ["find_phrase"]

_FILE = "phrases.tsv"
_WAYS = {"en-de": "=>", "de-en": "=<"}
_ENDS = re.compile(r"[,.:!…]*$")
_SLOT = "{name}"
_WORD = r"(?:(?:von|van|vom|de|der|den|zu|zur)\s){0,2}[A-ZÄÖÜ][\w'’.-]*"
_PLACEHOLDER = r"\{\{?[^{}]*\}?\}|\$\{[^{}]*\}|%\(?\w*\)?s|\[[^\[\]]*\]"
_NAME = rf"(?P<name>{_WORD}(?:\s{_WORD}){{0,2}}|{_PLACEHOLDER})"
"""A person's, of up to three words; or what a program will put one in place of."""
_LONGEST = 80


class _Phrases(NamedTuple):
    """Of one direction: whole sentences by how they are looked up, and those with a name in them."""

    whole: dict[str, str]
    named: list[tuple[re.Pattern[str], str]]


def find_phrase(text: str, direction: Direction) -> str | None:
    """The translation of a sentence that is a phrase as a whole; None if it is none.

    Capital letters and punctuation at the end do not count, and come out as they went in. A phrase that is listed with
    a comma needs it: without one, "Best" is no end of a letter.
    """
    if len(text) > _LONGEST:
        return None
    phrases = _read(str(direction))
    end = _ENDS.search(text)
    body, ending = (text[: end.start()], end[0]) if end else (text, "")
    for key, left in ((_key(text), ""), (_key(body), ending)):
        if (found := phrases.whole.get(key)) is not None:
            return (found.upper() if body.isupper() and len(body.split()) > 1 else found) + left
    for pattern, found in phrases.named:
        if match := pattern.fullmatch(text):
            return found.replace(_SLOT, match["name"]) + match["ending"]
    return None


@cache
def _read(direction: str) -> _Phrases:
    lines = resources.files(__package__).joinpath(_FILE).read_text(encoding="utf-8").splitlines()
    whole: dict[str, str] = {}
    named: list[tuple[re.Pattern[str], str]] = []
    for line in lines:
        if not line or line.startswith("#"):
            continue
        english, way, german = line.split("\t")
        if way not in _WAYS[direction]:
            continue
        source, target = (english, german) if direction == "en-de" else (german, english)
        if _SLOT in source:
            before, _, after = source.partition(_SLOT)
            ending = "" if after else _ENDS.pattern.removesuffix("$")
            pattern = rf"(?i:{re.escape(before)}){_NAME}{re.escape(after)}(?P<ending>{ending})"
            named.append((re.compile(pattern), target))
        else:
            whole[_key(source)] = target
    named.sort(key=lambda one: len(one[0].pattern), reverse=True)  # "Herr Dr. Maier" before "Herr Maier"
    return _Phrases(whole, named)


def _key(text: str) -> str:
    return " ".join(text.replace("’", "'").casefold().split())
