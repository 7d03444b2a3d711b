"""What formats have in common."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["BYTE_ORDER_MARK", "Cut", "InvalidDocument", "is_language"]

BYTE_ORDER_MARK = "\ufeff"
"""Some editors begin a file with it. It is no part of the text."""


class InvalidDocument(Exception):  # noqa: N818 - named for what happened, as in service.errors
    """The source is not written in its format. The message says what is wrong and where, and quotes nothing of it."""


@dataclass(frozen=True, slots=True)
class Cut:
    """Character `at` of a source begins another document, if `closing` ends the one before, and `opening` goes first.

    No text is in either of them, so that they come back as they are.
    """

    at: int
    closing: str = ""
    opening: str = ""


def is_language(tag: str, language: str) -> bool:
    """Whether a tag, such as ``en-US`` or ``en_GB``, names a language, whatever the region."""
    return tag[: len(language)].lower() == language and not tag[len(language) : len(language) + 1].isalnum()
