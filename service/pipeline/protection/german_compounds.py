"""German compounds that nobody listed are read as their last part: Palliativpflege as Pflege.

*Care*, which the network writes for that, becomes *palliative care*, so that articles, number and case are right. Only
compounds that the network has not seen are read so. `lists/compounds` has heads that it knows, what may stand before
any of them and is the same in English before all, and compounds that are something else than their parts.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import chain, cycle, islice
from typing import TYPE_CHECKING

from service.pipeline.lists import lines_of, rows_of
from service.pipeline.protection.listed_words import Form, Word, numbered_forms, substitutes_and_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from model.bundle import Dictionary

__all__ = ["find_compound"]

_COMPOUNDS, _MODIFIERS, _HEADS = (f"compounds/{name}.tsv" for name in ("compounds", "modifiers", "heads"))
_NO_HEADS = "compounds/no_heads.txt"
_DIRECTION = "de-en"
_BETWEEN = ", "
_LEFT = ("-",)
"""Of a compound that is left to the network, for its parts mislead."""
_SHORTEST_MODIFIER, _SHORTEST_HEAD = 2, 3
_MOST_CACHED = 10_000
_NOUN = re.compile(r"[A-ZÄÖÜ][a-zäöüß]{2,}")


@lru_cache(_MOST_CACHED)
def find_compound(word: str, dictionary: Dictionary) -> Form | None:
    """A German compound, which is listed or made of parts that are; None if it is not one, or left to the network.

    Of one that is listed the longest head counts, for a *Forum* is no kind of *Rum*; of others the longest modifier.

    Args:
        word: in any form.
        dictionary: of German; it has what the network has seen often enough.
    """
    if not _NOUN.fullmatch(word):
        return None
    ends = range(_SHORTEST_MODIFIER, len(word) - _SHORTEST_HEAD + 1)
    all_heads = _heads()
    heads = [(word[:end], head) for end in ends if (head := all_heads.get(word[end:]))]
    listed = ((first, head, _listed().get(first + head.word.source[0].lower())) for first, head in heads)
    composed = ((first, head, _composed(first.lower(), head.word)) for first, head in reversed(heads))
    for first, head, english in chain(listed, composed):
        if english:
            forms = tuple(first + form.lower() for form in head.word.source)
            is_left = english == _LEFT or any(form in dictionary for form in forms)
            target = tuple(islice(cycle(english), len(head.word.target)))  # see `_known_heads`: some have more than two
            compound = Word(forms, target, is_inside=False, is_verb=False)
            return None if is_left else head._replace(written=word, word=compound)
    return None


def _composed(first: str, head: Word) -> tuple[str, ...]:
    """The English forms of a compound, from those of its head."""
    modifier = _modifier(first)
    return tuple(f"{modifier} {form}" for form in head.target) if modifier and head.source[0] not in _no_heads() else ()


def _modifier(first: str) -> str | None:
    """What stands before a head in English, for one or two first parts: gesundheitsforschungs is health research."""
    modifiers = _modifiers()
    if first in modifiers:
        return modifiers[first]
    for end in range(len(first) - _SHORTEST_MODIFIER, _SHORTEST_MODIFIER - 1, -1):
        if first[:end] in modifiers and first[end:] in modifiers:
            return f"{modifiers[first[:end]]} {modifiers[first[end:]]}"
    return None


@cache
def _modifiers() -> Mapping[str, str]:
    return {form: english for german, english in rows_of(_MODIFIERS) for form in german.split(_BETWEEN)}


@cache
def _no_heads() -> frozenset[str]:
    """Nouns that end names, or compounds in which they are something else: only listed compounds have them as heads."""
    return frozenset(lines_of(_NO_HEADS))


@cache
def _listed() -> Mapping[str, tuple[str, ...]]:
    """The English forms of whole compounds, by their first form."""
    return {german: tuple(english.split(_BETWEEN)) for german, english in rows_of(_COMPOUNDS)}


@cache
def _heads() -> Mapping[str, Form]:
    """Forms of nouns as they end compounds, in small letters."""
    heads: dict[str, Form] = {}
    for word, substitutes in (*_known_heads(), *_listed_heads()):
        for form, number in numbered_forms(word, _DIRECTION):
            heads.setdefault(form.lower(), Form(form, "", number, word, substitutes))
    return heads


def _known_heads() -> Iterator[tuple[Word, tuple[Word, ...]]]:
    """Nouns that the network knows, which are read as themselves.

    In the third column is what it writes for them where another word is meant, in the same order: singular, plural.
    """
    for english, german, *others in rows_of(_HEADS):
        source, target = tuple(german.split(_BETWEEN)), tuple(english.split(_BETWEEN))
        written = tuple(word for its in others for word in its.split(_BETWEEN))
        meant = *target, *islice(cycle(target), len(written))
        read = Word(source, target + written, is_inside=False, is_verb=False)
        yield read._replace(target=meant), (read,)


def _listed_heads() -> Iterator[tuple[Word, tuple[Word, ...]]]:
    """Nouns of the lists, and those that they are read as."""
    for substitutes, words in substitutes_and_words(_DIRECTION):
        for word in filter(_is_noun, substitutes):
            yield word, (word, *(one for one in substitutes if one != word))
        for word in filter(_is_noun, words):
            yield word, substitutes


def _is_noun(word: Word) -> bool:
    return not word.is_verb and all(map(_NOUN.fullmatch, word.source))
