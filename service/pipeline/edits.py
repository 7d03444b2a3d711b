"""A text and the same text with some of it replaced; places in one are found again in the other."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from difflib import SequenceMatcher
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = [
    "Edit",
    "Edited",
    "alike_at_both_ends",
    "apply",
    "begin_alike",
    "blank",
    "changes",
    "is_word",
    "with_capital",
    "with_small_letter",
]

_START = attrgetter("start")
_WORD = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Edit:
    """`text` in place of the characters of `span`, of which there may be none."""

    span: Span
    text: str


class Edited(NamedTuple):
    """The new text, and where in the old one and in the new one each edit is, in order."""

    text: str
    old: tuple[Span, ...]
    new: tuple[Span, ...]

    def forth(self, span: Span) -> Span:
        """Where something of the old text is in the new one. What an edit touches grows to all of its text."""
        return _moved(span, self.old, self.new)

    def back(self, span: Span) -> Span:
        """Where something of the new text was in the old one."""
        return _moved(span, self.new, self.old)

    def then(self, later: Edited) -> Edited:
        """From the old text to that of a later edit of the new one. Where both have edited, it is one edit."""
        if not self.new or not later.new:
            return later if later.new else self
        earlier = [(old, later.forth(new)) for old, new in zip(self.old, self.new, strict=True)]
        added = [(self.back(old), new) for old, new in zip(later.old, later.new, strict=True)]
        pairs: list[tuple[Span, Span]] = []
        for old, new in sorted([*earlier, *added], key=lambda pair: [(span.start, span.end) for span in pair]):
            if pairs and (pairs[-1][0].meets(old) or pairs[-1][1].meets(new)):
                pairs[-1] = _joined(pairs[-1][0], old), _joined(pairs[-1][1], new)
            else:
                pairs.append((old, new))
        return Edited(later.text, tuple(old for old, _ in pairs), tuple(new for _, new in pairs))


def apply(text: str, edits: Iterable[Edit]) -> Edited:
    """Edit a text. The edits are in order; where two overlap, the first one counts."""
    if not (edits := list(edits)):
        return Edited(text, (), ())
    parts: list[str] = []
    old: list[Span] = []
    new: list[Span] = []
    place = length = 0
    for edit in edits:
        start, end = max(place, edit.span.start), max(place, edit.span.end)
        parts += [text[place:start], edit.text]
        begins = length + start - place
        length = begins + len(edit.text)
        old.append(Span(start, end))
        new.append(Span(begins, length))
        place = end
    return Edited("".join([*parts, text[place:]]), tuple(old), tuple(new))


def blank(text: str, spans: Iterable[Span], char: str = " ") -> str:
    """The text with a space, or another character, for each in some spans, which may be in any order."""
    parts, done = [], 0
    for span in sorted(spans, key=lambda span: span.start):
        end = max(done, span.end)
        parts.append(text[done : span.start].ljust(end - done, char))
        done = end
    return "".join([*parts, text[done:]])


def begin_alike(one: str, other: str) -> int:
    """How many characters two texts have in common at their beginnings."""
    differing = (place for place, (left, right) in enumerate(zip(one, other, strict=False)) if left != right)
    return next(differing, min(len(one), len(other)))


def alike_at_both_ends(one: str, other: str) -> tuple[int, int]:
    """How many characters two texts have in common at their beginnings, and of what is left then at their ends."""
    start = begin_alike(one, other)
    return start, begin_alike(one[start:][::-1], other[start:][::-1])


def changes(text: str, other: str) -> list[Edit]:
    """What to edit in a text for it to be another one, so that words that both have keep their places."""
    old, new = ([*_WORD.finditer(one)] for one in (text, other))
    matcher = SequenceMatcher(None, [one[0] for one in old], [one[0] for one in new], autojunk=False)
    both = [
        (old[start + number].span(), new[other_start + number].span())
        for start, other_start, size in matcher.get_matching_blocks()
        for number in range(size)
    ]
    edits = []
    place, other_place = 0, 0
    for (end, next_place), (other_end, next_other) in [*both, ((len(text),) * 2, (len(other),) * 2)]:
        begin, rest = alike_at_both_ends(text[place:end], other[other_place:other_end])
        if begin + rest < max(end - place, other_end - other_place):
            edits.append(Edit(Span(place + begin, end - rest), other[other_place + begin : other_end - rest]))
        place, other_place = next_place, next_other
    return edits


def is_word(text: str, place: int) -> bool:
    """Whether a letter or digit is there."""
    return 0 <= place < len(text) and text[place].isalnum()


def with_capital(text: str) -> str:
    """The text with a capital for its first letter; the rest stays as it is."""
    return text[:1].upper() + text[1:]


def with_small_letter(text: str) -> str:
    """The text with a small letter for its first one; the rest stays as it is."""
    return text[:1].lower() + text[1:]


def _joined(one: Span, other: Span) -> Span:
    return Span(min(one.start, other.start), max(one.end, other.end))


def _moved(span: Span, was: Sequence[Span], now: Sequence[Span]) -> Span:
    return Span(_moved_place(span.start, was, now, is_end=False), _moved_place(span.end, was, now, is_end=True))


def _moved_place(place: int, was: Sequence[Span], now: Sequence[Span], *, is_end: bool) -> int:
    """Text that ends where an edit starts, or starts where one ends, is not touched by it."""
    before = (bisect_left if is_end else bisect_right)(was, place, key=_START)
    if not before:
        return place
    one, other = was[before - 1], now[before - 1]
    if place < one.end:
        return other.end if is_end else other.start
    return place + other.end - one.end
