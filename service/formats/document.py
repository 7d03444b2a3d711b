"""What every format gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from service.types import Block

__all__ = ["Cut", "Document", "InvalidDocument", "is_language"]


class InvalidDocument(Exception):  # noqa: N818 - named for what happened, as in service.errors
    """The source is not written in its format. The message says what is wrong and where, and quotes nothing of it."""


class Document(Protocol):
    """A document whose text has been found."""

    @property
    def blocks(self) -> tuple[Block, ...]:
        """Its texts, in the order in which they are read."""
        ...

    def towards(self, source: str, target: str) -> Document:
        """The document as one to be translated from and to these languages, by their ISO 639-1 codes.

        Where it names the one as its own, it names the other. The blocks are the same.

        Raises:
            InvalidDocument: it says that it is translated from and to others.
        """
        ...

    def render(self, blocks: Sequence[Block]) -> str:
        """The document with other text: one block for each of `blocks`, in order.

        With its own blocks, the source; but formats that keep translations beside their sources then have each text
        as its own translation.
        A block's inlines may have moved, and come in another order; each is there once. Text is escaped as the
        format asks.
        """
        ...


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
