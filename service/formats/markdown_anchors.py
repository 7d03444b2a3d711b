"""Anchors of headings, made from their text as GitHub makes them, for links to the same document: `[Setup](#setup)`."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from service.formats.markdown_tokens import visible_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from markdown_it.token import Token

__all__ = ["anchors_of"]

_LEFT_OUT = re.compile(r"[^\w\- ]")


def anchors_of(tokens: Sequence[Token]) -> list[str]:
    """Those of a document's headings, in order; what comes again is numbered."""
    return list(_numbered(_anchor(token) for before, token in pairwise(tokens) if before.type == "heading_open"))


def _anchor(heading: Token) -> str:
    return _LEFT_OUT.sub("", visible_text(heading.children or ()).lower()).replace(" ", "-")


def _numbered(anchors: Iterable[str]) -> Iterator[str]:
    times: dict[str, int] = {}
    for first in anchors:
        anchor = first
        while anchor in times:
            times[first] += 1
            anchor = f"{first}-{times[first]}"
        times[anchor] = 0
        yield anchor
