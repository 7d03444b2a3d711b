"""Words in capitals, German nouns without any, ss and ue for ß and ü, and ,,quotation'' are read as is usual.

See decision 0020.

The vocabulary has hardly a word in capitals, and a noun in lower case is another word to it: the network reads letters,
and writes some. What a word usually looks like, the bundle's dictionary knows. What was in capitals becomes capitals
again.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from model.bundle.dictionary import LONGEST_ABBREVIATION, UMLAUTS
from service.pipeline.edits import Edit, apply, with_capital
from service.pipeline.finders.placeholders import merge_spans
from service.pipeline.numbers.calendar import ANY_MONTH
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from model.bundle import Dictionary
    from service.pipeline.edits import Edited
    from service.types import Link

__all__ = ["find_apostrophes", "in_capitals", "respell", "retyped"]

_WORD = re.compile(r"(?<![\w])[^\W\d_]+(?![\w])")
_CAPITAL = re.compile(r"[A-ZÄÖÜ]")
_TWO_CAPITALS = re.compile(r"[^\W\d_a-zäöüß]{2}")
"""What every word in capitals has, if it is no abbreviation."""
_TWO_LETTERS = re.compile("|".join(("ss", *UMLAUTS)), re.IGNORECASE)
"""ss, ae, oe and ue, which may stand for one."""

_APOSTROPHE = re.compile(r"[`´](?<=[^\W\d_].)(?=[^\W\d_])")
"""Peter`s, geht´s."""
_OPENING = re.compile(r",,(?<![\w,],,)(?=\w)|``(?<![\w`]``)(?=\w)|''(?<![\w']'')(?=\w)")
""",,Hallo, ``hello, ''hello."""
_CLOSING = re.compile(r"(?:(?<=[^\W\d_])|(?<=[.,!?…]))''(?![\w'])")
"""The end of ''hello''. Without an opening one, these may be inches."""

_NO_WORD = re.compile(r"[a-z]\)|w(?=/)|(?<=\bw/)[a-z]\b")
"""The marker of an item, as in "b) this or c) that", and the letters of w/o."""

_MONTH = ANY_MONTH["en"].upper()
_DATED_MONTH = re.compile(rf"(?<=[0-9]\s){_MONTH}(?!\w)|(?<!\w){_MONTH}(?=\.?\s[0-9])")
"""English months that a day or a year is beside: in lower case some are other words."""

_TOO_SHORT = 2
"""Letters of a word that is an abbreviation as likely as not: US, IT."""

_LONGEST_ACRONYM = 3
"""Letters, beside words that are not in capitals: RAM, SIM."""
_NO_ACRONYMS = {"en": {"ALL", "ANY", "NEW", "NOW", "OUR", "TWO", "YOU"}, "de": {"NEU", "NUR"}}
_CONTRACTION = re.compile(r"(?<![\w'’])(?:[A-Z]{2,}N['’]T|(?:YOU|WE|THEY)['’](?:LL|RE|VE))(?![\w'’])")
"""DON'T, of which no part is a word."""
_LABEL = re.compile(r"[\[\"“„»]")
"""Before what a key or a button is called."""

_LONGEST_NAME = 7
"""Letters of a word that may be a name if it is not known: NVIDIA."""


def find_apostrophes(text: str) -> list[Span]:
    """Where an accent stands for one: Peter`s, geht´s."""
    return [Span(*found.span()) for found in _APOSTROPHE.finditer(text)]


def retyped(text: str) -> Edited:
    """A text with usual signs for those that keyboards suggest: accents, and commas or quotes twice."""
    edits = [Edit(span, "'") for span in find_apostrophes(text)]
    if opening := _OPENING.search(text):
        found = (*_OPENING.finditer(text), *_CLOSING.finditer(text, opening.end()))
        edits += [Edit(Span(*one.span()), '"') for one in found]
    return apply(text, sorted(edits, key=lambda edit: edit.span.start))


def respell(text: str, dictionary: Dictionary, language: str) -> tuple[Edited, tuple[Span, ...]]:
    """A text as it is usually written, and what of it was in capitals: words, or all of it."""
    has_capitals = _CAPITAL.search(text, 1 if language == "de" else 0)
    if has_capitals and not _TWO_CAPITALS.search(text) and (language != "de" or not _TWO_LETTERS.search(text)):
        return apply(text, ()), ()  # most sentences
    words = list(_WORD.finditer(text))
    shouted = [word for word in words if word[0].isupper() and len(word[0]) > _TOO_SHORT and word[0] not in dictionary]
    known = [word for word in shouted if dictionary.usual_form(word[0])]
    if text.isupper() and (known or any(len(word[0]) > _LONGEST_NAME for word in shouted)):
        edited = _edited(text, list(_whispered(words, dictionary)))
        return edited, (Span(0, len(edited.text)),)
    stressed = [word for word in known if len(word[0]) > _LONGEST_ACRONYM or word[0] in _NO_ACRONYMS[language]]
    if language == "en":
        stressed += _CONTRACTION.finditer(text)
    unusual = {word.start(): word for word in stressed}
    if _lacks_capitals(text, words, dictionary, language):
        small = [word for word in words if word[0].islower() and not _NO_WORD.match(text, word.start())]
        unusual |= {word.start(): word for word in small if word[0] not in dictionary}
    elif language == "de":
        unusual |= {word.start(): word for word in words if _is_respelled(word[0], dictionary)}
    edited = _edited(text, [(word, _usual_there(text, word, dictionary)) for _, word in sorted(unusual.items())])
    return edited, tuple(edited.forth(Span(*word.span())) for word in stressed)


def _edited(text: str, forms: Sequence[tuple[re.Match[str], str]]) -> Edited:
    """The text with other forms of some words, in order."""
    months = {month.start() for month in _DATED_MONTH.finditer(text)} if forms else ()
    cased = ((word, form.capitalize() if word.start() in months else form) for word, form in forms)
    return apply(text, [Edit(Span(*word.span()), form) for word, form in cased if form != word[0]])


def _whispered(words: Sequence[re.Match[str]], dictionary: Dictionary) -> Iterator[tuple[re.Match[str], str]]:
    """The words of a text that is all in capitals, in lower case but for names and where it begins."""
    for place, word in enumerate(words):
        form = _usual_or_name(word[0], dictionary)
        yield word, form if place else with_capital(form)


def _usual_or_name(word: str, dictionary: Dictionary) -> str:
    """A word in capitals as it is usual. One that is not known is a name, or a short one that says little."""
    if (usual := _usual(word, dictionary)) != word:
        return usual
    if len(word) <= LONGEST_ABBREVIATION:
        return word if word in dictionary else word.lower()
    return word.capitalize()


def _lacks_capitals(text: str, words: Sequence[re.Match[str]], dictionary: Dictionary, language: str) -> bool:
    """Whether a text has no capital; in German, where nouns have some, none but at its beginning.

    Of a text that begins with one most words must be known, or it may be in another language.
    """
    if not _CAPITAL.search(text):
        return True
    if language != "de" or _CAPITAL.search(text, 1):
        return False
    lower = [word[0] in dictionary for word in words if word[0].islower()]
    return 2 * sum(lower) > len(lower)


def _is_respelled(word: str, dictionary: Dictionary) -> bool:
    """Whether a word is known, but for letters that are two in it."""
    if not _TWO_LETTERS.search(word) or word in dictionary:
        return False
    return dictionary.usual_form(word).lower() not in {"", word.lower()}


def _usual_there(text: str, word: re.Match[str], dictionary: Dictionary) -> str:
    """A word as it is usual where it stands: with a capital if it begins what a key or a button is called."""
    form = word[0].lower() if _CONTRACTION.fullmatch(word[0]) else _usual(word[0], dictionary)
    return with_capital(form) if word[0].isupper() and _LABEL.match(text, word.start() - 1) else form


def _usual(word: str, dictionary: Dictionary) -> str:
    """How a word is written that the dictionary knows otherwise; itself if it does not."""
    form = dictionary.usual_form(word) or word
    return with_capital(form) if word[:1].isupper() and not word.isupper() else form


def in_capitals(capitals: Sequence[Span], source: str, target: str, links: Sequence[Link]) -> Sequence[Span]:
    """The words of a translation that are to be in capitals, in order, each once.

    Args:
        capitals: of the source.
        source: as it was read.
        target: its translation.
        links: between them.
    """
    if tuple(capitals) == (Span(0, len(source)),):
        return [Span(*word.span()) for word in _WORD.finditer(target)]
    if not capitals:
        return ()
    return merge_spans(link.target for link in links if any(map(link.source.meets, capitals)))
