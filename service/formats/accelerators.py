"""Accelerators: the sign in an interface string before the letter that is its key, as in "Save _As" or "E&xit".

Translated with its sign, a word would be unknown to the network. So the sign is taken out, and put before a letter of
the translation: the same one where there is one, for it is the key that users of the program know.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from service.types import Block

__all__ = ["put_back", "take_out"]

_LONGEST = 60  # characters; longer strings are no labels
_SIGN = re.compile(
    r"(?:(?<![\w&_~])&|(?<![^\s(])[_~])(?=[^\W\d_])|(?<=[A-Za-zÄÖÜäöüß])&(?=[a-zäöüß])"
    r"|(?<=(?<!\w)[A-ZÄÖÜ])_(?=[a-zäöüß]{2})"  # E_xit; elsewhere in a word it is an identifier's
)
_REFERENCE = re.compile(r"&\w+;")
_EMPHASIS = re.compile(r"(?<![^\s(])([_~])\S(?:.*\S)?\1(?!\w)", re.DOTALL)
_IDENTIFIER = re.compile(r"[_~][a-z]\S*")
"""The only word of a text, as "_blank": that of a label has a capital."""
_CHUNK = re.compile(r"(?:\{[^{}]*\}|\S)+")
_CODE = re.compile(r"://|[{$%=]|_\w+_|\w\.[a-z]")
"""In a placeholder, a name or an address the sign means something else."""
_SENTENCE = re.compile(r"(?:\S+\s+){4}\S|[^.][.!?]\Z")
"""In which a sign between letters stands for a word, as in "We love rock&roll." """
_WORD = re.compile(r"(?<![\w%{$<&_~\\+-])[^\W\d_]++(?!\+)")
"""None of a keyboard shortcut, as in "Ctrl+C"."""


def take_out(block: Block, *, within_words: bool = True) -> tuple[Block, str]:
    """The block without its accelerator, and that: the sign and its letter, or "" where there is none.

    Args:
        block: a string of an interface, if it is short.
        within_words: whether one may stand within a word: "Pre&ferences" is as likely as "Drag&drop".
    """
    text = block.text
    if len(text) > _LONGEST or any(pattern.search(text) for pattern in (_REFERENCE, _EMPHASIS)):
        return block, ""
    signs = [sign.start() for start, end in _plain(text) for sign in _SIGN.finditer(text, start, end)]
    if len(signs) != 1 or _IDENTIFIER.fullmatch(text):
        return block, ""
    at = signs[0]
    is_within = at > 0 and text[at - 1].isalpha()
    stands_for_a_word = is_within and (not within_words or _SENTENCE.search(text))
    if stands_for_a_word or any(span.start <= at < span.end for span in block.kept):
        return block, ""
    return _moved(block, text[:at] + text[at + 1 :], at + 1, -1), text[at : at + 2]


def put_back(block: Block, accelerator: str) -> Block:
    """The block with an accelerator that `take_out` found in its source; without, if it has no word to bear one."""
    if not accelerator:
        return block
    text, sign, letter = block.text, accelerator[0], accelerator[1]
    place = min(_bearers(text, letter), default=None)
    if place is None:
        return block
    at = place[1]
    return _moved(block, text[:at] + sign + text[at:], at + 1, 1)


def _moved(block: Block, text: str, start: int, by: int) -> Block:
    """The block with this text, what is at `start` or after it moved by so much."""

    def place(at: int) -> int:
        return at + by if at >= start else at

    inlines = tuple(replace(inline, at=place(inline.at)) for inline in block.inlines)
    kept = tuple(Span(place(span.start), place(span.end)) for span in block.kept)
    return replace(block, text=text, inlines=inlines, kept=kept)


def _bearers(text: str, letter: str) -> Iterator[tuple[int, int]]:
    """Places where a sign may stand, the best with the lowest number: that letter at a word's head, in it, any head.

    None after a tab: what is there is a keyboard shortcut.
    """
    label = text.partition("\t")[0]
    for word in (word for start, end in _plain(label) for word in _WORD.finditer(label, start, end)):
        for place, character in enumerate(word[0]):
            same = character.casefold() == letter.casefold()
            if same or place == 0:
                yield (0 if same and place == 0 else 1 if same else 2), word.start() + place


def _plain(text: str) -> Iterator[tuple[int, int]]:
    """Where what stands between white space is no placeholder, no name and no address."""
    return (chunk.span() for chunk in _CHUNK.finditer(text) if not _CODE.search(chunk[0]))
