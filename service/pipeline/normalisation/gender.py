"""German words for women and men at once, as Mitarbeiter:innen, are read as those for men.

The vocabulary has these, and English makes no difference.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from service.pipeline.edits import Edit, apply
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from model.bundle import Dictionary
    from service.pipeline.edits import Edited

__all__ = ["with_one_gender"]

_BETWEEN = "[:*_·•]|/-?"
_ARTICLE = "der|die|dem|den|des"
_PROMISING = re.compile(r"[:*_·•|/(I](?<=[a-zäöüß].)")
"""Every form has such a sign or capital after a small letter; most sentences do not, and are done with."""
_FORM = re.compile(
    rf"""
    (?<![\w/:*·•])(?:
        (?P<stem>[A-ZÄÖÜ][a-zäöüß]{{1,40}})
        (?:(?:{_BETWEEN})(?P<ending>in|innen)|\(-?(?P<bracketed>in|innen)\)|\(inn\)en|(?P<inner>(?<=er)In|Innen))
      | (?P<word>[A-Za-zäöüß][a-zäöüß]{{1,20}})(?:{_BETWEEN})(?P<more>[enr])
      | (?P<article>{_ARTICLE})(?:{_BETWEEN})(?P<other>{_ARTICLE})
    )(?![\w/*_·•]|:\w)
    """,
    re.VERBOSE,
)
"""Mitarbeiter:innen, Kund(in), Student(inn)en, LehrerInnen; jede:r; der/die."""

_SINGULAR, _PLURAL, _PLURAL_WITH_UMLAUT = ("", "e"), ("en", "n", "s"), ("e", "en")
"""Endings, in the order in which they are tried."""
_PHRASE_END = re.compile(r"\s?(?:[,;:.!?()/|–]|$)|\s(?:und|oder|für|mit|bei|als)\b")
_ALIKE = "er"
"""What ends so is the same in the plural."""
_UMLAUTS = str.maketrans("äöüÄÖÜ", "aouAOU")
_MALE = ("dem", "den", "des", "der", "die")
"""Of two articles the one that comes first here is that of men."""


def with_one_gender(text: str, dictionary: Dictionary) -> Edited:
    """A German text without such words.

    Args:
        text: any.
        dictionary: which words there are.
    """
    return apply(text, _edits(text, dictionary) if _PROMISING.search(text) else ())


def _edits(text: str, dictionary: Dictionary) -> Iterator[Edit]:
    for found in _FORM.finditer(text):
        if found["article"]:
            form = min(found["article"], found["other"], key=_MALE.index)
        elif found["word"]:
            form = found["word"] + found["more"]
            if not dictionary.usual_form(form):
                continue
        elif found[0].endswith("/in") and not _is_woman(found[0].replace("/", ""), text, found.end(), dictionary):
            continue  # "im Ausland/in der EU"
        else:
            ending = found["ending"] or found["bracketed"] or found["inner"] or "innen"
            form = _male(found["stem"], dictionary, is_plural=ending.lower() == "innen")
        yield Edit(Span(*found.span()), form)


def _is_woman(word: str, text: str, end: int, dictionary: Dictionary) -> bool:
    """Whether a word that ends with -in is one for a woman, and no preposition: known, or before what ends a phrase."""
    return word in dictionary or (word.endswith("erin") and bool(_PHRASE_END.match(text, end)))


def _male(stem: str, dictionary: Dictionary, *, is_plural: bool) -> str:
    """What is said of a man, or of several, where that of a woman begins with `stem`."""
    if stem.endswith(_ALIKE):
        return stem
    stems = stem, stem.translate(_UMLAUTS)
    endings: tuple[str, ...] = _SINGULAR
    if is_plural:
        endings = _PLURAL_WITH_UMLAUT if stem not in dictionary and stems[1] in dictionary else _PLURAL
    forms = (one + ending for ending in endings for one in stems)
    return next((form for form in forms if form in dictionary), stem + endings[0])
