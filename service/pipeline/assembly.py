"""The translated pieces go back between the gaps they came from, and markup to its words."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from typing import TYPE_CHECKING

from service.pipeline.alignment.links import Aligned, LazyLinks, align
from service.pipeline.alignment.tagging import place_inlines
from service.pipeline.segmentation.wrapping import find_paragraphs, wrap
from service.types import Block, InlineKind, SegmentReport, Span, Translation, Written

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from service.formats import Document
    from service.pipeline.edits import Edited
    from service.pipeline.pieces import Piece, Tokenised
    from service.types import Inline

__all__ = ["Assembled", "assemble", "finish", "in_lines", "report"]

_MARKS = ("!", "?")
_FULL_STOP = re.compile(r"(?<!\.)\.$")


@dataclass(frozen=True, slots=True)
class Assembled:
    """One block translated. Its confidence is the mean over its pieces, weighted by source tokens: `weight` in all."""

    block: Block
    confidence: float
    weight: int


def assemble(block: Block, tokenised: Tokenised, written: Iterator[Written]) -> Assembled:
    """Put one block together again.

    Pieces that pass through do not count for its confidence; a block of which all does has confidence 1: nothing in
    it was guessed.

    Args:
        block: as it was found in the document.
        tokenised: its text as the engine was given it.
        written: yields what became of each piece that has ids, in order; more may follow.
    """
    inlines = _Inlines(block.inlines) if block.inlines else None
    texts, weighted, weight = [], 0.0, 0
    for gap, piece in zip(tokenised.gaps, tokenised.pieces, strict=False):  # one gap follows
        texts.append(gap)
        one = next(written) if piece.ids else _settled(piece)
        texts.append(one.text if one else piece.text)
        if one and piece.ids:
            weighted += one.confidence * len(piece.ids)
            weight += len(piece.ids)
        if inlines:
            inlines.skip(gap)
            inlines.replace(piece.text, one)
    texts.append(tokenised.gaps[-1])
    placed = inlines.rest() if inlines else ()
    return Assembled(Block("".join(texts), placed), weighted / weight if weight else 1.0, weight)


def finish(document: Document, blocks: Sequence[Assembled], segments: Sequence[SegmentReport] = ()) -> Translation:
    """The whole document with its text translated; its confidence is the mean of its blocks', as theirs of pieces."""
    weight = sum(one.weight for one in blocks)
    confidence = sum(one.confidence * one.weight for one in blocks) / weight if weight else 1.0
    return Translation(document.render([one.block for one in blocks]), confidence, tuple(segments))


def report(tokenised: Tokenised, written: Iterator[Written], *, links: bool) -> Iterator[SegmentReport]:
    """Tell of one segment after the other of a block, as long as it is known what became of them.

    Args:
        tokenised: the block's text.
        written: yields what became of each piece that has ids; may end early, or go on with other blocks.
        links: whether they are wanted.
    """
    source = target = 0
    for gap, piece in zip(tokenised.gaps, tokenised.pieces, strict=False):  # one gap follows
        one = next(written, None) if piece.ids else _settled(piece)
        if piece.ids and one is None:
            return
        text = one.text if one else piece.text
        source, target = source + len(gap), target + len(gap)
        spans = Span(source, source + len(piece.text)), Span(target, target + len(text))
        if one:
            linked = tuple(one.links) if links else ()
            yield SegmentReport(
                piece.text, text, *spans, one.confidence, one.reverse_score, linked, one.alternatives, one.flags
            )
        else:
            yield SegmentReport(piece.text, text, *spans, confidence=1.0)
        source, target = spans[0].end, spans[1].end


def in_lines(blocks: Iterable[Tokenised], written: Iterator[Written]) -> Iterator[Written]:
    """What became of the pieces of some blocks, in lines as long as they were, where lines were wrapped.

    A piece from which a run such as "!!!" goes on ends with its first mark.

    Args:
        blocks: in order.
        written: yields what became of each piece that has ids; may end early.
    """
    for tokenised in blocks:
        ended = _with_marks(tokenised, written)
        if any("\n" in piece.text for piece in tokenised.pieces):
            yield from _in_lines(tokenised, ended)
        else:
            yield from ended


def _with_marks(tokenised: Tokenised, written: Iterator[Written]) -> Iterator[Written]:
    """The network reads the first mark of "!!!" alone, and may write a full stop for it."""
    pieces = [(piece, gap) for piece, gap in zip(tokenised.pieces, tokenised.gaps[1:], strict=True) if piece.ids]
    for (piece, gap), one in zip(pieces, written, strict=False):  # what is written may end early, or go on
        mark = piece.text[-1]
        if mark in _MARKS and gap.startswith(_MARKS) and one.text:
            text, *others = (_marked(it, mark) for it in (one.text, *one.alternatives))
            yield replace(one, text=text, alternatives=tuple(it for it in dict.fromkeys(others) if it != text))
        else:
            yield one


def _marked(text: str, mark: str) -> str:
    return text if text.endswith(_MARKS) else _FULL_STOP.sub("", text) + mark


def _in_lines(tokenised: Tokenised, written: Iterator[Written]) -> Iterator[Written]:
    parts = zip_longest(tokenised.gaps, (piece.text for piece in tokenised.pieces), fillvalue="")
    paragraphs = find_paragraphs("".join(chain.from_iterable(parts)))
    place = column = 0
    for gap, piece in zip(tokenised.gaps, tokenised.pieces, strict=False):  # one gap follows
        place += len(gap)
        column = _column_after(column, gap)
        one = next(written, None) if piece.ids else _settled(piece)
        if piece.ids and one is None:
            return
        if piece.ids and one:
            paragraph = next((it for it in paragraphs if it.span.start <= place < it.span.end), None)
            one = _in_paragraph(one, wrap(one.text, column, paragraph)) if paragraph else one
            yield one
        column = _column_after(column, one.text if one else piece.text)
        place += len(piece.text)


def _column_after(column: int, text: str) -> int:
    """How many characters are in a line after some more."""
    _, is_new, line = text.rpartition("\n")
    return len(line) if is_new else column + len(line)


def _in_paragraph(written: Written, lines: Edited) -> Written:
    links = LazyLinks(lambda: [replace(link, target=lines.forth(link.target)) for link in written.links])
    return replace(written, text=lines.text, links=links)


def _settled(piece: Piece) -> Written | None:
    if (text := piece.settled) is None:
        return None
    # all that is known is which words stayed as they are
    return Written(text, 1.0, LazyLinks(lambda: align(Aligned(piece.text, ()), Aligned(text, ()), ())))


class _Inlines:
    """The markup of a block, on its way from the source to the translation, piece by piece."""

    def __init__(self, inlines: Sequence[Inline]) -> None:
        self._waiting = list(reversed(inlines))
        self._placed: list[Inline] = []
        self._source = self._target = 0

    def skip(self, gap: str) -> None:
        """Go over a gap: markup in it, or at its start, or that closes at its end, stays where it is."""
        end = self._source + len(gap)
        self._copy(self._take(lambda at: at < end))
        at_end = self._take(lambda at: at == end)
        ends = [place for place, inline in enumerate(at_end, 1) if inline.kind is InlineKind.CLOSE]
        staying = ends[-1] if ends else 0
        self._copy(at_end[:staying])
        self._waiting += reversed(at_end[staying:])
        self._source, self._target = end, self._target + len(gap)

    def replace(self, source: str, written: Written | None) -> None:
        """Go over a piece: what is left of the markup at its start, what is in it, and what closes there at its end."""
        end = self._source + len(source)
        inside = self._take(lambda at: at < end)
        opened = {inline.element for inline in inside if inline.kind is InlineKind.OPEN}
        while self._waiting and self._waiting[-1].at == end and self._waiting[-1].kind is InlineKind.CLOSE:
            if self._waiting[-1].element not in opened:
                break
            inside.append(self._waiting.pop())
        if written is None or not inside:
            self._copy(inside)
        else:
            relative = [replace(inline, at=inline.at - self._source) for inline in inside]
            placed = place_inlines(source, relative, written.links, written.text)
            self._placed += [replace(inline, at=inline.at + self._target) for inline in placed]
        self._source, self._target = end, self._target + len(written.text if written else source)

    def rest(self) -> tuple[Inline, ...]:
        """All that was placed; what has not been yet, is in the last gap."""
        self._copy(self._take(lambda _: True))
        return tuple(self._placed)

    def _take(self, belongs: Callable[[int], bool]) -> list[Inline]:
        taken = []
        while self._waiting and belongs(self._waiting[-1].at):
            taken.append(self._waiting.pop())
        return taken

    def _copy(self, inlines: Iterable[Inline]) -> None:
        shift = self._target - self._source
        self._placed += [replace(inline, at=inline.at + shift) for inline in inlines]
