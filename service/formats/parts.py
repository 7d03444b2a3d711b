"""A document that is too long for one request, in parts that are documents themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from service.formats.json_strings import cut_json
from service.formats.markdown import cut_markdown
from service.formats.po import cut_po
from service.formats.srt import cut_subtitles
from service.types import Format

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from service.formats.document import Cut

__all__ = ["Part", "split"]

_CUTS: Mapping[Format, Callable[[str], Iterator[Cut]]] = {
    Format.MARKDOWN: cut_markdown,
    Format.SRT: cut_subtitles,
    Format.PO: cut_po,
    Format.JSON: cut_json,
}
"""Where a document may be cut, its beginning and end among it. Others are in one piece: what an element is, is told by
those that it is in."""


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a document. `opening` and `closing`, around it, make it a document."""

    text: str
    opening: str = ""
    closing: str = ""

    @property
    def document(self) -> str:
        """The part as a document."""
        return f"{self.opening}{self.text}{self.closing}"

    def stretch(self, document: str) -> str:
        """What stands for the stretch in the document that this one became."""
        return document[len(self.opening) : len(document) - len(self.closing)]


def split(form: Format, source: str, characters: int) -> list[Part]:
    """Cut a document in parts of at most so many characters, as far as it can be cut; no block is.

    What their documents become, put together, is what the whole becomes; only that links to headings do not follow them
    from one part to another.

    Raises:
        InvalidDocument: it is not written in that format.
    """
    if form not in _CUTS or len(source) <= characters:
        return [Part(source)]
    cuts = _CUTS[form](source)
    parts = []
    start = last = next(cuts)
    for cut in cuts:
        if last is not start and len(start.opening) + cut.at - start.at + len(cut.closing) > characters:
            parts.append(Part(source[start.at : last.at], start.opening, last.closing))
            start = last
        last = cut
    return [*parts, Part(source[start.at : last.at], start.opening, last.closing)] if parts else [Part(source)]
