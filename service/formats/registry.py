"""Which module reads which format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from service.formats.html import parse_html
from service.formats.json_strings import parse_json
from service.formats.markdown import parse_markdown
from service.formats.plain import parse_text
from service.formats.po import parse_po
from service.formats.srt import parse_subtitles
from service.formats.xliff import parse_xliff
from service.types import Format

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from service.types import Document

__all__ = ["SUFFIXES", "WITH_ATTRIBUTES", "parse"]

SUFFIXES: Mapping[str, Format] = {
    ".arb": Format.JSON,
    ".htm": Format.HTML,
    ".html": Format.HTML,
    ".json": Format.JSON,
    ".markdown": Format.MARKDOWN,
    ".md": Format.MARKDOWN,
    ".mdx": Format.MARKDOWN,
    ".mqxliff": Format.XLIFF,
    ".mxliff": Format.XLIFF,
    ".po": Format.PO,
    ".pot": Format.PO,
    ".sdlxliff": Format.XLIFF,
    ".srt": Format.SRT,
    ".txt": Format.TEXT,
    ".vtt": Format.SRT,
    ".xhtml": Format.HTML,
    ".xlf": Format.XLIFF,
    ".xliff": Format.XLIFF,
}
"""What a file is written in, by the end of its name in lower case."""

_PARSERS: Mapping[Format, Callable[..., Document]] = {
    Format.TEXT: parse_text,
    Format.HTML: parse_html,
    Format.MARKDOWN: parse_markdown,
    Format.SRT: parse_subtitles,
    Format.PO: parse_po,
    Format.XLIFF: parse_xliff,
    Format.JSON: parse_json,
}

WITH_ATTRIBUTES = frozenset({Format.HTML, Format.MARKDOWN})
"""Formats whose markup may have attributes that people read."""


def parse(form: Format, source: str, *, attributes: bool = False) -> Document:
    """Find the text of a document; with `attributes`, that of HTML's `alt`, `title` and the like too.

    Takes time in proportion to its length, whatever it holds.

    Raises:
        InvalidDocument: it is not written in that format.
    """
    if attributes and form in WITH_ATTRIBUTES:
        return _PARSERS[form](source, attributes=True)
    return _PARSERS[form](source)
