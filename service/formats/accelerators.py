"""Accelerators: the sign in an interface string before the letter that is its key, as in "Save _As" or "E&xit".

Translated with its sign, a word would be unknown to the network. So the sign is taken out, and put before a letter of
the translation: the same one where there is one, for it is the key that users of the program know.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["put_back", "take_out"]

_LONGEST = 60  # characters; longer strings are no labels
_SIGN = re.compile(r"(?<![\w&_~])[&_~](?=[^\W\d_])|(?<=[A-Za-z])&(?=[a-z])")
_REFERENCE = re.compile(r"&\w+;")
_CHUNK = re.compile(r"\S+")
_CODE = re.compile(r"://|[{$%=]")  # in a placeholder or an address the sign means something else
_WORD = re.compile(r"(?<![\w%{$<&_~\\-])[^\W\d_]+")


def take_out(text: str) -> tuple[str, str]:
    """The text without its accelerator, and that: the sign and its letter, or "" where there is none."""
    if len(text) > _LONGEST or _REFERENCE.search(text):
        return text, ""
    signs = [sign.start() for start, end in _plain(text) for sign in _SIGN.finditer(text, start, end)]
    if len(signs) != 1:
        return text, ""
    at = signs[0]
    return text[:at] + text[at + 1 :], text[at : at + 2]


def put_back(text: str, accelerator: str) -> str:
    """The text with an accelerator that `take_out` found in its source; without, if it has no word to bear one."""
    if not accelerator:
        return text
    sign, letter = accelerator[0], accelerator[1]
    at = min(_bearers(text, letter), default=None)
    return text if at is None else text[: at[1]] + sign + text[at[1] :]


def _bearers(text: str, letter: str) -> Iterator[tuple[int, int]]:
    """Places where a sign may stand, the best with the lowest number: that letter at a word's head, in it, any head."""
    for word in (word for start, end in _plain(text) for word in _WORD.finditer(text, start, end)):
        for place, character in enumerate(word[0]):
            same = character.casefold() == letter.casefold()
            if same or place == 0:
                yield (0 if same and place == 0 else 1 if same else 2), word.start() + place


def _plain(text: str) -> Iterator[tuple[int, int]]:
    """Where what stands between white space is no placeholder and no address."""
    return (chunk.span() for chunk in _CHUNK.finditer(text) if not _CODE.search(chunk[0]))
