"""A word that is all there is: what the network writes for it must be one of its translations (decision 0019)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from model.bundle.dictionary import WORD

if TYPE_CHECKING:
    from model.bundle import Dictionary

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


def check_word(source: str, written: str, dictionary: Dictionary) -> SingleWord | None:
    """Hold what the network wrote for a single word against a dictionary; the likeliest of that, if it is not there.

    Args:
        source: a text; None is the answer if it is not one word, or none that the dictionary knows.
        written: its translation.
        dictionary: of the direction.
    """
    word = _WORD.fullmatch(source)
    known = dictionary.translations(word["word"]) if word else ()
    if word is None or not known:
        return None
    bare = written.strip(_AROUND)
    if word["word"].islower() and word["word"].endswith("n"):
        bare = bare.removeprefix(_TO)
    others = tuple(f"{one}{word['end']}" for one in known if not _is_form(bare, one))
    if len(others) < len(known):
        return SingleWord(written, is_replaced=False, others=others)
    return SingleWord(others[0], is_replaced=True, others=others[1:])


def _is_form(written: str, listed: str) -> bool:
    """Whether it is the word listed, or an adjective listed without the ending."""
    written, base = written.casefold(), listed.casefold()
    return written == base or (listed[:1].islower() and written in {base + ending for ending in _ENDINGS})
