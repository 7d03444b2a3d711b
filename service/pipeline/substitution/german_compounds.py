"""German compounds that nobody listed are read as their last part: Palliativpflege as Pflege.

*Care*, which the network writes for that, becomes *palliative care*, so that articles, number and case are right. Only
compounds that the network has not seen are read so, and listed ones. `lists/compounds` has heads that it knows, what
may stand before any of them and is the same in English before all, and compounds that it garbles, or that are something
else than their parts.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import cycle, islice
from typing import TYPE_CHECKING

from service.pipeline.lists import lines_of, rows_of
from service.pipeline.substitution.listed_words import (
    Form,
    Word,
    numbered_forms,
    other_genitives,
    substitutes_and_words,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from model.bundle import Dictionary

__all__ = ["find_compound"]

_COMPOUNDS, _MODIFIERS, _HEADS = (f"compounds/{name}.tsv" for name in ("compounds", "modifiers", "heads"))
_NO_HEADS = "compounds/no_heads.txt"
_DIRECTION = "de-en"
_BETWEEN = ", "
_LEFT = ("-",)
"""Of a compound that is left to the network, for its parts mislead."""
_SHORTEST_MODIFIER, _SHORTEST_HEAD = 2, 3
_SHORTEST_NOUN, _SHORTEST_HEAD_OF_NOUN = 7, 5
"""Of parts of which neither is listed as one: shorter ones are often others, *Konsul-tieren*."""
_TAKES_S = re.compile("(?:ung|heit|keit|schaft|ion|tät|tum|ling)$")
_MOST_CACHED = 10_000
_NOUN = re.compile(r"[A-ZÄÖÜ][a-zäöüß]{2,}")


def find_compound(word: str, dictionary: Dictionary) -> Form | None:
    """A German compound, which is listed or made of parts that are; None if it is not one, or left to the network.

    Of one that is listed the longest head counts, for a *Forum* is no kind of *Rum*; of others the longest modifier, or
    two with the longest head: *Provinz-hauptstadt* comes before *Provinzhaupt-stadt*; or a long noun of the lists.

    Args:
        word: in any form.
        dictionary: of German; it has what the network has seen often enough.
    """
    found, is_listed = _divided(word)
    is_seen = found is not None and not is_listed and any(form in dictionary for form in found.word.source)
    return None if is_seen else found


@lru_cache(_MOST_CACHED)  # by the word alone, so that no dictionary of a former bundle is kept
def _divided(word: str) -> tuple[Form | None, bool]:
    """The compound that a word is, if it is one, and whether that is listed whole."""
    if not _NOUN.fullmatch(word):
        return None, False
    ends = range(_SHORTEST_MODIFIER, len(word) - _SHORTEST_HEAD + 1)
    all_heads = _heads()
    heads = [(word[:end], _form(word[end:], *found)) for end in ends if (found := all_heads.get(word[end:]))]
    for first, head in heads:
        if english := _listed().get(first + head.word.source[0].lower()):
            return None if english == _LEFT else _compound(word, first, head, english), True
    for first, head, modifier in _divisions(heads):
        return _compound(word, first, head, [f"{modifier} {form}" for form in head.word.target]), False
    return None, False


def _compound(written: str, first: str, head: Form, english: Sequence[str]) -> Form:
    """One that is read as its head."""
    source = tuple(first + form.lower() for form in head.word.source)
    target = tuple(islice(cycle(english), len(head.word.target)))  # see `_known_heads`: some have more than two
    return head._replace(written=written, word=Word(source, target))


def _divisions(heads: Sequence[tuple[str, Form]]) -> Iterator[tuple[str, Form, str]]:
    """What may stand before a head, that head, and what the first part is in English, the likeliest first."""
    usual = [(first, head) for first, head in heads if head.word.source[0] not in _no_heads()]
    for modifier, divisions in (
        (_modifiers().get, reversed(usual)),
        (_two_modifiers, usual),
        (_nouns_before().get, [(first, head) for first, head in usual if len(head.written) >= _SHORTEST_HEAD_OF_NOUN]),
    ):
        yield from ((first, head, english) for first, head in divisions if (english := modifier(first.lower())))


def _two_modifiers(first: str) -> str | None:
    """What stands before a head in English, for two first parts: gesundheitsforschungs is health research."""
    modifiers = _modifiers()
    for end in range(len(first) - _SHORTEST_MODIFIER, _SHORTEST_MODIFIER - 1, -1):
        if first[:end] in modifiers and first[end:] in modifiers:
            return f"{modifiers[first[:end]]} {modifiers[first[end:]]}"
    return None


@cache
def _modifiers() -> Mapping[str, str]:
    return {form: english for german, english in rows_of(_MODIFIERS) for form in german.split(_BETWEEN)}


@cache
def _nouns_before() -> Mapping[str, str]:
    """Nouns of the lists as they stand before others, tulpen, schwangerschafts, schildkröten, and their English."""
    nouns = ((word.source[0].lower(), word.target[0]) for word, _ in _listed_heads())
    return {f"{noun}{_link(noun)}": english for noun, english in nouns if len(noun) >= _SHORTEST_NOUN}


def _link(noun: str) -> str:
    return "n" if noun.endswith("e") else "s" if _TAKES_S.search(noun) else ""


@cache
def _no_heads() -> frozenset[str]:
    """Nouns that end names, or compounds in which they are something else: only listed compounds have them as heads."""
    return frozenset(lines_of(_NO_HEADS))


@cache
def _listed() -> Mapping[str, tuple[str, ...]]:
    """The English forms of whole compounds, by their first form."""
    return {german: tuple(english.split(_BETWEEN)) for german, english in rows_of(_COMPOUNDS)}


@cache
def _heads() -> Mapping[str, tuple[Word, tuple[Word, ...]]]:
    """By their forms, as these end compounds, in small letters, nouns and those that they are read as."""
    heads: dict[str, tuple[Word, tuple[Word, ...]]] = {}
    for head in (*_known_heads(), *_listed_heads()):
        for form in (*head[0].source, *other_genitives(head[0])):
            heads.setdefault(form.lower(), head)
    return heads


def _form(small: str, word: Word, substitutes: tuple[Word, ...]) -> Form:
    """The form of a head that is so in small letters."""
    forms = numbered_forms(word, _DIRECTION)
    written, number = next((form, number) for form, number in forms if form.lower() == small)
    return Form(written, "", number, word, substitutes)


def _known_heads() -> Iterator[tuple[Word, tuple[Word, ...]]]:
    """Nouns that the network knows, which are read as themselves.

    In the third column is what it writes for them where another word is meant, in the same order: singular, plural.
    """
    for english, german, *others in rows_of(_HEADS):
        source, target = tuple(german.split(_BETWEEN)), tuple(english.split(_BETWEEN))
        written = tuple(word for its in others for word in its.split(_BETWEEN))
        meant = *target, *islice(cycle(target), len(written))
        read = Word(source, target + written)
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
