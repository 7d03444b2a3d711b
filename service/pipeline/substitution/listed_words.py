"""Words that the network does not know, and what they may be read as: `lists/substitutes`, a list for each field.

    @    dog, dogs                    Hund, Hundes, Hunde, Hunden
    =    hedgehog, hedgehogs          Igel, Igels, Igel, Igeln
    >    … to jog, jogged, jogging    zu joggen                      none
    <    to look forward to           zu freuen                      sich auf

Lines have three columns, or four, with tabs between them:

1. `@` is before words that the network knows, as which those of the next lines may be read: `@>` into German only, `@<`
   into English only. Before these it is told which way: `=` both, `>` into German, `<` into English.
2. English, and 3. German:

   - of nouns and others all forms, or those that the network does not know, in the same order for all words that are
     read as one another; one with a hyphen at its end, Weihnachts-, stands in compounds;
   - of adjectives one with `~` for their endings; German ones are compared, too;
   - of verbs, after *to* and *zu*, the infinitive alone or the principal parts (see `conjugation`).

   "… " is before a word that another one is written like (see `Word.is_homograph`), " …" after an adverb that is meant
   only where the text begins, and goes on with a comma, a verb or a subject.
4. What must stand beside a verb for this to be meant:

   - beside an English one (`>`) one of these objects: to cancel a `picnic`, but not a print job; `person` is any
     person, `none` that there must be no object: talks break down, but not the costs (see `verb_objects`);
   - beside a German one (`<`) `sich`, a preposition, or both, `sich auf`; `sich etwas` is the pronoun and an object,
     and ` + Dativ` follows prepositions that may take the accusative as well; or one of these subjects or
     objects, `Zug, Bus` (see `verb_frames`).
"""

from __future__ import annotations

import re
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from service.pipeline.conjugation import english_forms, german_forms
from service.pipeline.edits import with_capital
from service.pipeline.lists import WAYS, rows_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from model.bundle import Direction

__all__ = ["Form", "Word", "listed", "numbered_forms", "other_genitives", "substitutes_and_words"]

_FOLDER = "substitutes"
_SUBSTITUTE = "@"
_HOMOGRAPH = "… "
_BEGINS = " …"
_ADJECTIVE = "~"
_VERBS = {"to ": english_forms, "zu ": german_forms}
_TO = len("to ")
_ENDINGS = ("", "e", "en"), ("", "e", "en", "er", "es", "em")
"""Of adjectives as nouns, with a capital, and others."""
_DECLINED = _ENDINGS[1][1:]
_NEEDS_E = re.compile("(?:[sßzx]|[^i]sch|[^e]t|[^n]d)$")
"""Before the ending of the superlative: interessanteste."""
_ONE_GENITIVE = re.compile("[^aeiouäöü]e[lnr]$")
"""Nouns that have it in -s alone."""
_UMLAUT = re.compile("(?:arm|hart|kalt|klug|krank|lang|scharf|schwach|schwarz|stark)$")


class Word(NamedTuple):
    """A word, and what the other language calls it.

    Args:
        source: its forms, in the same order as those of the words that it may be read as.
        target: those of the other language, in the same way.
        is_homograph: whether another word is written like it. Of a verb that is a noun: in English it is the verb after
            a pronoun or an auxiliary, in German where it has no capital. Of others it is a name, or a German verb, as
            which they are taken where the text begins. No command that begins a text is read as one.
        is_verb: with forms as in `conjugation`.
        only_begins: whether it is an adverb that is meant only where the text begins: elsewhere the network knows it.
        frame: what a German verb must have beside it.
        objects: what an English verb must have one of; empty if it needs none.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    is_homograph: bool = False
    is_verb: bool = False
    only_begins: bool = False
    frame: str = ""
    objects: frozenset[str] = frozenset()


class Form(NamedTuple):
    """A form of a word, its prefix if that stands apart, which one it is, and what the word may be read as."""

    written: str
    prefix: str
    number: int
    word: Word
    substitutes: tuple[Word, ...]


def listed(direction: Direction) -> list[Word]:
    """All words that the network does not know in a direction."""
    return [word for _, words in substitutes_and_words(str(direction)) for word in words]


def numbered_forms(word: Word, direction: str) -> Iterator[tuple[str, int]]:
    """Its forms in the source language and their numbers, of equal ones the first.

    German nouns have the other genitive as well where one alone is listed, Buchs beside Buches.
    """
    numbers: dict[str, int] = {}
    for number, form in enumerate(word.source):
        numbers.setdefault(form, number)
    yield from numbers.items()
    if direction == "de-en":
        yield from ((form, 1) for form in other_genitives(word))


def other_genitives(word: Word) -> tuple[str, ...]:
    """Those of a German noun that are not listed, but no Mittleres beside Mittlers."""
    genitives = f"{word.source[0]}s", f"{word.source[0]}es"
    is_noun = word.source[1:2] and word.source[1] in genitives
    if not is_noun or _ONE_GENITIVE.search(word.source[0]):
        return ()
    return tuple(form for form in genitives if form not in word.source)


@cache
def substitutes_and_words(direction: str) -> Sequence[tuple[tuple[Word, ...], tuple[Word, ...]]]:
    """What words are read as, and these words."""
    groups = []
    substitutes: tuple[Word, ...] = ()
    for are_substitutes, lines in groupby(rows_of(_FOLDER), lambda row: row[0].startswith(_SUBSTITUTE)):
        words = tuple(
            _word(english, german, objects="".join(beside))
            if direction == "en-de"
            else _word(german, english, frame="".join(beside))
            for way, english, german, *beside in lines
            if way.removeprefix(_SUBSTITUTE) in WAYS[direction]  # what is left of "@" is in both
        )
        if are_substitutes:
            substitutes = words
        else:
            groups.append((substitutes, words))
    return groups


def _word(source: str, target: str, *, frame: str = "", objects: str = "") -> Word:
    unmarked = source.removeprefix(_HOMOGRAPH)
    written = unmarked.removesuffix(_BEGINS)
    return Word(
        _forms(written),
        _forms(target.removeprefix(_HOMOGRAPH).removesuffix(_BEGINS)),
        is_homograph=unmarked != source,
        is_verb=written[:_TO] in _VERBS,
        only_begins=written != unmarked,
        frame=frame,
        objects=frozenset(objects.split(", ") if objects else ()),
    )


@cache
def _forms(written: str) -> tuple[str, ...]:
    """Igel, Igels; lettisch~ is an adjective with its endings, and as the name of a language; to knit, zu niesen."""
    if conjugated := _VERBS.get(written[:_TO]):
        return conjugated(written[_TO:].split(", "))
    listed = written.split(", ")
    if _ADJECTIVE not in written and not listed[-1].endswith(_DECLINED[-1]):
        return tuple(listed)
    forms: list[str] = []
    for form in listed:
        if form.endswith(_ADJECTIVE):
            stem = form.removesuffix(_ADJECTIVE)
            forms += [with_capital(stem) + ending for ending in _ENDINGS[0]]
            forms += [stem + ending for ending in _ENDINGS[1]]
        else:
            forms.append(form)
    declined = forms[-len(_ENDINGS[1]) :]
    is_adjective = len(declined) == len(_ENDINGS[1]) and declined[0].islower() and declined[-1].endswith(_DECLINED[-1])
    return (*forms, *_compared(declined)) if is_adjective else tuple(forms)


def _compared(declined: Sequence[str]) -> Iterator[str]:
    """The comparative and the superlative of a German adjective with their endings, but for *gefährlicher* alone."""
    base, elided = (_UMLAUT.sub(_with_umlaut, form.removesuffix("e")) for form in declined[:2])
    for stem in (f"{elided}er", f"{base}{'e' if _NEEDS_E.search(base) else ''}st"):
        yield from (stem + ending for ending in _DECLINED)


def _with_umlaut(match: re.Match[str]) -> str:
    return match[0].replace("a", "ä").replace("u", "ü")
