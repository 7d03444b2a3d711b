"""A word that is all there is: what the network writes for it must be one of its translations (decision 0019)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from model.bundle.dictionary import WORD
from service.pipeline.edits import with_capital
from service.pipeline.lists import is_given_name

if TYPE_CHECKING:
    from model.bundle import Dictionary, Direction

__all__ = ["SingleWord", "check_word"]

_WORD = re.compile(rf"(?P<word>{WORD})(?P<end>[.,:;!?…]*)")
_AROUND = ".,:;!?… "
_TO = "to "
"""What English infinitives may begin with; German ones end with an n."""

_ENDINGS = ("e", "en", "er", "es", "em")


class SingleWord(NamedTuple):
    """What to write for a word: `text`; whether the network wrote something else; and what else it may become."""

    text: str
    is_replaced: bool
    others: tuple[str, ...]


def check_word(source: str, written: str, dictionary: Dictionary, direction: Direction) -> SingleWord | None:
    """Hold what the network wrote for a single word against a dictionary; the likeliest of that, if it is not there.

    It has a capital if the word has, as a label. Given names stay.

    Args:
        source: a text; None is the answer if it is not one word, or none that the dictionary knows.
        written: its translation.
        dictionary: of the direction.
        direction: of the translation.
    """
    match = _WORD.fullmatch(source)
    if match is None:
        return None
    word, end = match["word"], match["end"]
    known = dictionary.translations(word, nouns_have_capitals=direction.source == "de")
    if is_given_name(word) and word.lower() not in dictionary and all(map(_has_capital, known[:1])):
        return SingleWord(source, is_replaced=written != source, others=())
    if not known:
        return None
    if _has_capital(word):
        known, written = tuple(map(with_capital, known)), with_capital(written)
    written = written.strip(_AROUND)
    bare = written.removeprefix(_TO) if word.islower() and word.endswith("n") else written
    others = tuple(f"{one}{end}" for one in known if not _is_form(bare, one))
    if len(others) < len(known):
        return SingleWord(f"{written}{end}", is_replaced=False, others=others)
    return SingleWord(others[0], is_replaced=True, others=others[1:])


def _has_capital(word: str) -> bool:
    return word[:1].isupper()


def _is_form(written: str, listed: str) -> bool:
    """Whether it is the word listed, or an adjective listed without the ending."""
    written, base = written.casefold(), listed.casefold()
    return written == base or (listed[:1].islower() and written in {base + ending for ending in _ENDINGS})
