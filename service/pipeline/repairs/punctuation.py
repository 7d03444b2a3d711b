"""Does a translation end as its sentence does, with a mark, dots or nothing, and has it its other marks?

Quotation marks and brackets are left to `pairs`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from service.pipeline.edits import Edit
from service.pipeline.repairs.pairs import SINGLES, check_pairs
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from service.types import Link

__all__ = ["check_punctuation"]

_DOUBLED_COMMA = re.compile(rf"(?P<before>,)(?<![\"“”„‟«»{SINGLES}],)[\"“”„‟«»{SINGLES}](?P<after>,)")
_DOTS_AT_END = re.compile(r"(?<![.…])(?:…|\.{3})$")
_MARK_AT_END = re.compile(r"[!?,;:](?<=[^\W_].)(?=[\"'“”‘’»«)\]]{0,2}$)")
_POINT_FOR_MARK = re.compile(
    r"(?<=[^\W_])(?<!\d[ap]m)(?<!\d\s[ap]m)(?<![ap]\.m)\.(?=[\"'“”‘’)\]]{0,2}$)", re.IGNORECASE
)
"""The point that the network writes for another mark, but the one of p.m."""
_STOPS_AT_END = re.compile(r"(?<![\s.…])\s{0,2}[.…]?[\s.…]{0,5}$")
_OPEN_END = re.compile(r"[\w%€$£]")
_MARK_TOO_MANY = re.compile(
    r"(?:(?<![^\W\d])[ap]m|[%€$£]|(?P<number>(?<!\d)\d{1,9})|(?<!\.)[^\W\d_]{4,})\s?(?P<mark>[.?!])$"
)
"""After a time, an amount or a word of four letters, which is no abbreviation. After a number it may be an ordinal one:
"on the 3rd"."""
_ADDED_MARK = re.compile(r"(?<!\betc)(?<!\busw)\s?[.?!]$")
_HALF_OF_DAY = re.compile(r"\d\s?[ap](?P<rest>\.m(?![.\w])|m(?!\w)(?:\.$)?)")
_HAS_HALF = re.compile(r"\d\s?[ap]\.?m\b")
"""9:00 a.m., 6pm. If the sentence has none, as in German, all of the translation get points: a text has one style."""
_TWO_HYPHENS = re.compile(r"(?<= )--(?= )")
_LINK = re.compile(r"\](?P<apart>\s?)\(")
_NUMBER_SIGN = re.compile(r"#(?P<apart>\s?)(?=\d)")
_APART = re.compile(r"\s(?=[.,;:!?](?:\s|$))(?<=\w\s)")


def check_punctuation(source: str, target: str, links: Sequence[Link], language: str, end_mark: str = "") -> list[Edit]:
    """Compare a sentence and its translation, of a language: what to change in that.

    `end_mark` is what the sentence ends with for the network alone.
    """
    found = [
        *(_added_mark(target) if end_mark else _at_end(source, target, language)),
        *_dashes(source, target),
        *(_points_of_half_days(target) if language == "en" and not _HAS_HALF.search(source) else ()),
        *_set_apart(_NUMBER_SIGN, source, target),
        *(_set_apart(_LINK, source, target) if "](" in source else ()),
        *_doubled_comma(source, target, language),
        *_joined_to_words(source, target),
        *check_pairs(source, target, links, language),
    ]
    return sorted(found, key=lambda edit: (edit.span.start, edit.span.end))


def _set_apart(pattern: re.Pattern[str], source: str, target: str) -> Iterator[Edit]:
    """Nothing between # and a number, and within ](, if the sentence has nothing there, either."""
    if not any(sign["apart"] for sign in pattern.finditer(source)):
        for sign in pattern.finditer(target):
            if sign["apart"]:
                yield Edit(Span(*sign.span("apart")), "")


def _doubled_comma(source: str, target: str, language: str) -> Iterator[Edit]:
    """One on either side of what closes a quotation: English has it before that, German after it."""
    if not _DOUBLED_COMMA.search(source):
        for comma in _DOUBLED_COMMA.finditer(target):
            yield Edit(Span(*comma.span("after" if language == "en" else "before")), "")


def _joined_to_words(source: str, target: str) -> Iterator[Edit]:
    """No space before a comma or a full stop, which is where the network has lost a word, if the sentence has none."""
    found = [*_APART.finditer(target)]
    if found and not _APART.search(source):
        yield from (Edit(Span(*space.span()), "") for space in found)


def _at_end(source: str, target: str, language: str) -> Iterator[Edit]:
    yield from _dots_at_end(source, target, language)
    yield from _mark_too_many(source, target)
    yield from _mark_at_end(source, target)


def _added_mark(target: str) -> Iterator[Edit]:
    """What has become of the mark that the network was given."""
    if found := _ADDED_MARK.search(target):
        yield Edit(Span(*found.span()), "")


def _mark_too_many(source: str, target: str) -> Iterator[Edit]:
    """None at the end where the sentence has none, as a label."""
    if not _OPEN_END.fullmatch(source[-1:]):
        return
    found = _MARK_TOO_MANY.search(target)
    if found and (not found["number"] or source[-1].isdigit()):
        yield Edit(Span(*found.span("mark")), "")


def _mark_at_end(source: str, target: str) -> Iterator[Edit]:
    """The mark that a sentence, a line of a poem or an item of a list ends with, for which the network has a point."""
    expected = _MARK_AT_END.search(source)
    if expected and (point := _POINT_FOR_MARK.search(target)):
        yield Edit(Span(*point.span()), expected[0])


def _dashes(source: str, target: str) -> Iterator[Edit]:
    """A dash for two hyphens between words, if the sentence has none."""
    if " -- " in target and "--" not in source:
        for found in _TWO_HYPHENS.finditer(target):
            yield Edit(Span(*found.span()), "–")


def _points_of_half_days(target: str) -> Iterator[Edit]:
    """Points for all of a.m. and p.m. The letter itself is changed by those who check numbers."""
    for found in _HALF_OF_DAY.finditer(target):
        yield Edit(Span(*found.span("rest")), ".m.")


def _dots_at_end(source: str, target: str, language: str) -> Iterator[Edit]:
    """The dots that a sentence ends with, instead of what its translation ends with. The network may set them apart."""
    if not source.endswith(("…", "...")) or not (expected := _DOTS_AT_END.search(source)):
        return
    written = _STOPS_AT_END.search(target)
    if not written or not written.start():
        return
    may_be_apart = language == "de" or source[: expected.start()][-1:].isspace()
    text = (" " if may_be_apart and written[0][:1].isspace() else "") + expected[0]
    if written[0] != text:
        yield Edit(Span(*written.span()), text)
