"""The point that something written with one ends with, as *Std.* and *Inc.*: it may end its sentence, too."""

from __future__ import annotations

import re

__all__ = ["ends_sentence", "full_stop"]

_REST = re.compile(r"[ \"'”“’»)]*+\Z")
"""What may follow a sentence in its text."""
_CLOSING = {")": "(", "]": "["}
_SMALL_WORD = re.compile(r"(?<![^\W_])[a-zäöüß]{2}")


def ends_sentence(text: str, end: int) -> bool:
    """Whether the mark before `end` ends the sentence that is all of a text, and not only what is written with it.

    Within brackets that do not begin the text it ends none: "a break (15 min.)". Nor does it where no word is small, as
    in "8 Std.": a sentence has a verb.
    """
    if not _REST.match(text, end):
        return False
    if text[end : end + 1] in _CLOSING and text.rfind(_CLOSING[text[end : end + 1]], 0, end) > 0:
        return False
    return _SMALL_WORD.search(text, 0, text.rfind(" ", 0, end) + 1) is not None


def full_stop(text: str, end: int) -> str:
    """The point that something written with one ends with, if it ends the text, too; else nothing."""
    return "." if text[end - 1] == "." and ends_sentence(text, end) else ""
