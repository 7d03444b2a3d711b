"""Which words of a translation stand for which of its source.

Words that translate each other by the bundle's dictionaries are linked first, and words that look alike, such as names
and numbers. The rest is linked by where it was written: each token of the source fills as many frames, and what the
network writes on them is mostly that token's translation, but where the two languages order words otherwise. The frames
also tell which of several equal words is meant.

Held against a statistical aligner, as `python -m benchmarks segments` does it on validation text, more than nine in ten
of these links are among those that either of its two ways has, and of those on which both agree nineteen in twenty are
among these. Without dictionaries it is eight, and less than nine, in ten.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, overload

from service.pipeline.edits import begin_alike
from service.types import Link, Span

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from model.bundle import Dictionary

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
"""... and if they are at most as many words apart from where the frames say, as words that translate each other are."""
_RARE = 0.5
"""What the dictionaries put first is worth a longer way: as many words for each place further down, in both, ..."""
_RARELY = 1.5
"""... but at most this in one, and as much where it has not got it."""
_DENIES = re.compile(r"cannot|\w+n['’]t")
_DENIAL = re.compile("nicht|kein|nie|ohne")
_BESIDE = 2
"""Of the words that a compound became none is further from another than this, ..."""
_PART = 4
"""... and a part of it that tells one has as many letters, ..."""
_REST = 3
"""... and the rest as many as this."""


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

    def __iter__(self) -> Iterator[Link]:
        """As of a tuple."""
        return iter(self._links)

    def __len__(self) -> int:
        """As of a tuple."""
        return len(self._links)


def align(
    source: Aligned,
    target: Aligned,
    origins: Sequence[int],
    dictionary: Dictionary | None = None,
    reverse: Dictionary | None = None,
) -> tuple[Link, ...]:
    """Link words with words, and punctuation marks with punctuation marks, in the order of the source.

    Args:
        source: what the network read.
        target: what it wrote.
        origins: for each token of the target, the token of the source on whose frames it was written.
        dictionary: of this direction.
        reverse: of the other one.
    """
    ours, theirs = words(source.text), words(target.text)
    pairs = _written_at(source, ours, target, theirs, origins)
    our_words, their_words = _Words.of(source.text, ours, dictionary), _Words.of(target.text, theirs, reverse)
    places, their_places = _places(_turned(pairs), theirs, ours), _places(pairs, ours, theirs)
    same = _same(our_words, their_words, places)
    settled = {one for one, _ in same}, {other for _, other in same}
    ours_in_theirs = _turned(_parts(their_words, our_words, places, dict(_turned(same)), settled[0]))
    theirs_in_ours = _parts(our_words, their_words, their_places, dict(same), settled[1])
    for part, whole, compounds in ((0, 1, ours_in_theirs), (1, 0, theirs_in_ours)):
        settled[part].update(pair[part] for pair in compounds)
        counts = Counter(pair[whole] for pair in compounds)
        settled[whole].update(one for one, count in counts.items() if count > 1)
    pairs = [(one, other) for one, other in pairs if one not in settled[0] and other not in settled[1]]
    found = sorted({*pairs, *same, *ours_in_theirs, *theirs_in_ours})
    return tuple(Link(ours[one], theirs[other]) for one, other in found)


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


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of a text, and of each what it may become, the likeliest first, all as they are compared."""

    words: list[str]
    translations: list[dict[str, int]]

    @classmethod
    def of(cls, text: str, spans: Sequence[Span], dictionary: Dictionary | None) -> _Words:
        found = [text[span.start : span.end] for span in spans]
        known = [dictionary.translations(word) if dictionary else () for word in found]
        ranks = [{word.casefold(): rank for rank, word in reversed([*enumerate(words)])} for words in known]
        return cls([word.casefold() for word in found], ranks)


def _places(pairs: Sequence[tuple[int, int]], ours: Sequence[Span], theirs: Sequence[Span]) -> list[int]:
    """For each of our words the place of theirs where its translation is expected."""
    expected = dict(pairs)
    return [expected.get(one, one * len(theirs) // len(ours)) for one in range(len(ours))]


def _same(ours: _Words, theirs: _Words, places: Sequence[int]) -> list[tuple[int, int]]:
    """Words that translate each other or look alike, each once: the most alike first, then the nearest."""
    candidates = sorted([*_translated(ours, theirs, places), *_alike(ours.words, theirs.words, places)])
    taken: tuple[set[int], set[int]] = set(), set()
    same = []
    for _, _, one, other in candidates:
        if one not in taken[0] and other not in taken[1]:
            taken[0].add(one)
            taken[1].add(other)
            same.append((one, other))
    return same


def _translated(ours: _Words, theirs: _Words, places: Sequence[int]) -> Iterator[tuple[float, float, int, int]]:
    """Of words that translate each other and stand near: 0, how far apart, and the two."""
    forth = _ranks(ours, theirs)
    back = {(one, other): rank for (other, one), rank in _ranks(theirs, ours).items()}
    for one, other in forth.keys() | back.keys():
        apart = abs(one - places[other])
        if apart <= _NEAR:
            ranks = forth.get((one, other)), back.get((one, other))
            rarely = sum(_RARELY if rank is None else min(rank * _RARE, _RARELY) for rank in ranks)
            denied = _NEAR * _is_half_denied(ours.words[one], theirs.words[other])
            yield 0.0, apart + denied + rarely, one, other


def _ranks(ours: _Words, theirs: _Words) -> dict[tuple[int, int], int]:
    """For each of our words, and each of theirs that it may become, how far down that stands in its dictionary."""
    places: dict[str, list[int]] = defaultdict(list)
    for other, word in enumerate(theirs.words):
        places[word].append(other)
    return {
        (one, other): rank
        for one, translations in enumerate(ours.translations)
        for word, rank in translations.items()
        for other in places.get(word, ())
    }


def _is_half_denied(*words: str) -> bool:
    """Whether one of two words is "cannot" or "don't", and the other does not deny: it is what is said of it."""
    return any(map(_DENIES.fullmatch, words)) and not any(map(_DENIAL.match, words))


def _alike(
    ours: Sequence[str], theirs: Sequence[str], places: Sequence[int]
) -> Iterator[tuple[float, float, int, int]]:
    """Of words that look alike and stand near: how unlike they are, how far apart, and the two."""
    stems: dict[str, list[int]] = defaultdict(list)
    for one, word in enumerate(ours):
        stems[word[:_STEM]].append(one)
    for other, word in enumerate(theirs):
        for one in stems.get(word[:_STEM], ()):
            apart, longest = abs(one - places[other]), max(len(ours[one]), len(word))
            if apart <= _NEAR and (likeness := begin_alike(ours[one], word) / longest) >= _ALIKE:
                yield 1 - likeness, apart, one, other


def _parts(
    wholes: _Words, parts: _Words, places: Sequence[int], same: Mapping[int, int], settled: Collection[int]
) -> list[tuple[int, int]]:
    """Words, each with another that it became together with the one that is known, as compounds do.

    Args:
        wholes: words that may be compounds.
        parts: what they may be composed of.
        places: where each is expected.
        same: of some of them, the word that is known.
        settled: words that are no parts.
    """
    found = []
    long_ones = [[word for word in translations if len(word) >= _PART] for translations in parts.translations]
    for whole, word in enumerate(wholes.words):
        phrases = [f" {phrase} " for phrase in wholes.translations[whole] if " " in phrase and whole in same]
        if len(word) < _PART + _REST and not phrases:
            continue
        place, reach = (same[whole], _BESIDE) if whole in same else (places[whole], _NEAR)
        for part in range(max(0, place - reach), min(place + reach + 1, len(parts.words))):
            if part in settled:
                continue
            first, last = sorted((part, place))
            if _is_part(long_ones[part], word) or (
                phrases and any(f" {' '.join(parts.words[first : last + 1])} " in phrase for phrase in phrases)
            ):
                found.append((abs(part - place), part, whole))
    nearest: dict[int, int] = {}
    for _, part, whole in sorted(found):
        nearest.setdefault(part, whole)
    return [(whole, part) for part, whole in nearest.items()]


def _is_part(words: Iterable[str], compound: str) -> bool:
    """Whether a compound begins or ends with one of these words."""
    return any(
        (compound.startswith(word) or compound.endswith(word)) and len(word) <= len(compound) - _REST for word in words
    )


def _turned(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    return [(other, one) for one, other in pairs]
