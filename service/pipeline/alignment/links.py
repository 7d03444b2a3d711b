"""Which words of a translation stand for which of its source.

The network writes over the places of its source: each token fills as many frames, and what it writes on them is mostly
that token's translation. Where the two languages put words in another order that is not so; names, numbers and words
that look alike put some of that right. Held against a statistical aligner, as `python -m benchmarks segments` does it
on validation text, nine in ten of these links are among those that either of its two ways has, and of those on which
both agree more than nine in ten are among these.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, overload

from service.types import Link, Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["Aligned", "LazyLinks", "align", "words"]

_WORD = re.compile(r"\w+(?:['’.,_-]\w+)*|[^\w\s]")
_SHARE = 0.5
"""A word of the translation is linked to the word that wrote most of its tokens, and to each other that wrote more
than this share of that number."""
_STEM = 4
"""Words that begin with as many equal letters may be the same, ..."""
_ALIKE = 0.6
"""... if this share of the longer one is equal, ..."""
_NEAR = 8
"""... and if they are at most as many words apart from where the frames say."""


@dataclass(frozen=True, slots=True)
class Aligned:
    """A text, and where in it each of its tokens stands: start and end, in characters."""

    text: str
    tokens: Sequence[tuple[int, int]]


class LazyLinks(Sequence[Link]):
    """Links that are worked out when somebody looks at them: mostly nobody does."""

    def __init__(self, work_out: Callable[[], Sequence[Link]]) -> None:
        self._work_out = work_out

    @cached_property
    def _links(self) -> Sequence[Link]:
        return self._work_out()

    @overload
    def __getitem__(self, index: int) -> Link: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Link]: ...

    def __getitem__(self, index: int | slice) -> Link | Sequence[Link]:
        """As of a tuple."""
        return self._links[index]

    def __len__(self) -> int:
        """As of a tuple."""
        return len(self._links)


def align(source: Aligned, target: Aligned, origins: Sequence[int]) -> tuple[Link, ...]:
    """Link words with words, and punctuation marks with punctuation marks, in the order of the source.

    Args:
        source: what the network read.
        target: what it wrote.
        origins: for each token of the target, the token of the source on whose frames it was written.
    """
    ours, theirs = words(source.text), words(target.text)
    pairs = _written_at(source, ours, target, theirs, origins)
    same = _same(source.text, ours, target.text, theirs, pairs)
    settled = {one for one, _ in same}, {other for _, other in same}
    pairs = [(one, other) for one, other in pairs if one not in settled[0] and other not in settled[1]]
    return tuple(Link(ours[one], theirs[other]) for one, other in sorted([*pairs, *same]))


def words(text: str) -> list[Span]:
    """Words and punctuation marks, in order: what links join."""
    return [Span(*found.span()) for found in _WORD.finditer(text)]


def _written_at(
    source: Aligned, ours: Sequence[Span], target: Aligned, theirs: Sequence[Span], origins: Sequence[int]
) -> list[tuple[int, int]]:
    """Which word of the target was written at which of the source."""
    our_word, their_word = _word_of(source, ours), _word_of(target, theirs)
    counts = Counter((our_word[origin], other) for other, origin in zip(their_word, origins, strict=True))
    likeliest: dict[int, int] = {}
    for (one, other), count in list(counts.items()):
        if one < 0 or other < 0 or _is_mark(source.text, ours[one]) != _is_mark(target.text, theirs[other]):
            del counts[one, other]
        else:
            likeliest[other] = max(count, likeliest.get(other, 0))
    return [(one, other) for (one, other), count in counts.items() if count > likeliest[other] * _SHARE]


def _word_of(aligned: Aligned, words: Sequence[Span]) -> list[int]:
    """For each token the first word that it overlaps, or -1."""
    found, word = [], 0
    for start, end in aligned.tokens:
        while word < len(words) and words[word].end <= start:
            word += 1
        found.append(word if word < len(words) and words[word].start < max(end, start + 1) else -1)
    return found


def _is_mark(text: str, word: Span) -> bool:
    return word.end - word.start == 1 and not text[word.start].isalnum()


def _same(
    source: str, ours: Sequence[Span], target: str, theirs: Sequence[Span], pairs: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Words that are the same in both texts, or nearly, each once: the most alike first, then the nearest."""
    candidates = sorted(_alike(source, ours, target, theirs, {other: one for one, other in pairs}))
    taken: tuple[set[int], set[int]] = set(), set()
    same = []
    for _, _, one, other in candidates:
        if one not in taken[0] and other not in taken[1]:
            taken[0].add(one)
            taken[1].add(other)
            same.append((one, other))
    return same


def _alike(
    source: str, ours: Sequence[Span], target: str, theirs: Sequence[Span], expected: dict[int, int]
) -> Iterator[tuple[float, int, int, int]]:
    """Of words that look alike and stand near: how unlike they are, how far apart, and the two."""
    stems: dict[str, list[int]] = defaultdict(list)
    words = [source[word.start : word.end].casefold() for word in ours]
    for one, word in enumerate(words):
        stems[word[:_STEM]].append(one)
    for other, span in enumerate(theirs):
        word = target[span.start : span.end].casefold()
        place = expected.get(other, other * len(ours) // len(theirs))
        for one in stems.get(word[:_STEM], ()):
            likeness = _likeness(words[one], word) if abs(one - place) <= _NEAR else 0.0
            if likeness >= _ALIKE:
                yield 1 - likeness, abs(one - place), one, other


def _likeness(one: str, other: str) -> float:
    """The share of the longer word in which both begin alike."""
    if one == other:
        return 1.0
    if len(one) < _STEM or len(other) < _STEM:
        return 0.0
    equal = next((place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    return (min(len(one), len(other)) if equal is None else equal) / max(len(one), len(other))
