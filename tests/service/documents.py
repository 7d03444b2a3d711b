"""What the tests of document formats share."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from service.formats import InvalidDocument, parse
from tests.service.support import translate

if TYPE_CHECKING:
    from collections.abc import Callable

    import httpx

    from service.types import Block, Format

__all__ = [
    "FLOOD",
    "GALLERY",
    "check_flood",
    "from_gallery",
    "read_or_refuse",
    "refusal",
    "rewrite",
    "swapped",
    "translate_document",
]

GALLERY = Path(__file__).parent / "gallery"
"""A document of each kind, and what becomes of it where its text has its case swapped: NAME.after.KIND."""


FLOOD = 100_000
"""Characters of hostile documents."""

_BOUND_S = 5.0
"""To read and write one; well under half a second on a quiet machine. Quadratic ones take minutes."""


def from_gallery(name: str) -> str:
    """A document of the gallery, its line ends as they are."""
    return (GALLERY / name).read_bytes().decode()


def swapped(form: Format, source: str, *, attributes: bool = False) -> str:
    """The document with small letters for capitals and the reverse, wherever it is to be translated."""
    document = parse(form, source, attributes=attributes)
    return document.render([_swapped(block) for block in document.blocks])


def _swapped(block: Block) -> Block:
    kept = {place for span in block.kept for place in range(span.start, span.end)}
    text = (one if place in kept or len(one.swapcase()) > 1 else one.swapcase() for place, one in enumerate(block.text))
    return replace(block, text="".join(text))


def rewrite(form: Format, source: str, text: Callable[[str], str], way: tuple[str, str] | None = None) -> str:
    """The document with other texts; markup stays where it is, as far as the new text goes.

    With two languages, it is one that is translated from and to these.
    """
    document = parse(form, source)
    document = document.towards(*way) if way else document
    return document.render([_rewritten(block, text(block.text)) for block in document.blocks])


def read_or_refuse(form: Format, source: str) -> str | None:
    """The document with its own blocks, or None where it was refused."""
    try:
        document = parse(form, source)
    except InvalidDocument:
        return None
    return document.render(document.blocks)


def check_flood(form: Format, source: str) -> None:
    """It is read, written and rewritten, or refused, in bounded time."""
    started = time.process_time()
    if read_or_refuse(form, source) is not None:
        rewrite(form, source, str.swapcase)
    assert time.process_time() - started < _BOUND_S


def translate_document(client: httpx.Client, form: Format, source: str, *, direction: str = "en-de") -> str:
    """What the service makes of a document."""
    (translation,) = translate(client, direction, source, format=form)
    return str(translation["text"])


def _rewritten(block: Block, text: str) -> Block:
    inlines = tuple(replace(inline, at=min(inline.at, len(text))) for inline in block.inlines)
    return replace(block, text=text, inlines=inlines, kept=())


def refusal(form: Format, source: str) -> str:
    """Why a document is refused."""
    with pytest.raises(InvalidDocument) as caught:
        parse(form, source)
    return str(caught.value)
