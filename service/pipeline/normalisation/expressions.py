"""Expressions that are not their words are read as plain ones: every now and then as sometimes.

The network takes them word by word. What `expressions.tsv` has beside each is of the same language, and means the same.
Ages and ordinals are among them: died at 82 is died at the age of 82, the twentieth of May is the 20th of May.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from operator import attrgetter
from typing import TYPE_CHECKING

from service.pipeline.edits import Edit, apply, with_capital
from service.pipeline.lists import rows_of
from service.pipeline.normalisation.ages import find_ages
from service.pipeline.numbers.ordinals import read_ordinals
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from service.pipeline.edits import Edited

__all__ = ["expressions_and_plain_words", "with_plain_words"]

_FILE = "expressions.tsv"
_BETWEEN = ", "
_SOMEBODY = "one's"
_WHOSE = ("my", "your", "his", "her", "its", "our", "their")
_WORD = re.compile(r"(?<![\w@./-])[^\W\d_]+")
_TWO_WORDS = re.compile(r"(?<![\w@./-])(?=([^\W\d_]+(?:'[^\W\d_]+)? [^\W\d_]+))")
_START = attrgetter("span.start")
_GOES_ON = re.compile(r"[\w-]|['’]\w|\.\w")


def with_plain_words(text: str, language: str) -> Edited:
    """A text with other words for its expressions."""
    by_form = sorted([*find_ages(text, language), *read_ordinals(text, language)], key=_START)
    beginnings, words = _beginnings(language), _WORD.findall(text.lower())
    if beginnings.isdisjoint(pairwise(words)) and beginnings.isdisjoint(zip(words, words[1:], words[2:], strict=False)):
        return apply(text, by_form)  # in most sentences there are none
    edits = [*_edits(text.replace("’", "'"), _read(language))]
    by_form = [one for one in by_form if not any(one.span.meets(edit.span) for edit in edits)]
    return apply(text, sorted([*edits, *by_form], key=_START))


def _edits(text: str, listed: Mapping[str, Sequence[tuple[str, str]]]) -> Iterator[Edit]:
    end = 0
    for begin in _TWO_WORDS.finditer(text):
        start = begin.start()
        for expression, plain in listed.get(begin[1].lower(), ()) if start >= end else ():
            its_end = start + len(expression)
            has_capital = text[start].isupper() and expression[0].islower()
            if text[start + 1 : its_end] == expression[1:] and not _GOES_ON.match(text, its_end):
                yield Edit(Span(start, its_end), with_capital(plain) if has_capital else plain)
                end = its_end
                break


def expressions_and_plain_words(language: str) -> Iterator[tuple[str, str]]:
    """All of a language, each form of an expression with the form that is read instead."""
    for its, expression, plain in rows_of(_FILE):
        forms = zip(expression.split(_BETWEEN), plain.split(_BETWEEN), strict=True) if its == language else ()
        for form, instead in forms:
            if _SOMEBODY in form:
                yield from ((form.replace(_SOMEBODY, whose), instead.replace(_SOMEBODY, whose)) for whose in _WHOSE)
            else:
                yield form, instead


@cache
def _beginnings(language: str) -> frozenset[tuple[str, ...]]:
    """The first three words of all expressions, or both, in small letters."""
    return frozenset(tuple(_WORD.findall(one.lower())[:3]) for one, _ in expressions_and_plain_words(language))


@cache
def _read(language: str) -> Mapping[str, Sequence[tuple[str, str]]]:
    """By the first two words of an expression, in small letters, the longest first."""
    listed: dict[str, list[tuple[str, str]]] = {}
    for expression, plain in expressions_and_plain_words(language):
        if begin := _TWO_WORDS.match(expression):
            listed.setdefault(begin[1].lower(), []).append((expression, plain))
    return {begin: sorted(its, key=lambda pair: len(pair[0]), reverse=True) for begin, its in listed.items()}
