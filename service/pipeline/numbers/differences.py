"""What is wrong with the numbers of a translation.

Numbers are compared by what they come to. Digits that became a word, or a word that became digits, are equal to it.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import chain, pairwise, permutations
from typing import TYPE_CHECKING, NamedTuple

from service.pipeline.numbers.dates import repeated_days
from service.pipeline.numbers.decimals import find_decimals
from service.pipeline.numbers.fragments import find_garbled, find_leftovers
from service.pipeline.numbers.numerals import localised, runs_of_digits
from service.pipeline.numbers.times_of_day import HALF_A_DAY, begins_range, ends_range, is_certain
from service.pipeline.numbers.words import Words
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from model.bundle import Direction
    from service.pipeline.numbers.numerals import Both, Number
    from service.types import Link

    Pair = tuple[Number, Number]  # a right one of the sentence, and a wrong one of the translation

__all__ = ["Differences", "find_differences"]

_WORD_BEFORE = re.compile(r"[^\W\d_][a-zäöüß]$")
"""On of on5; not x of 4x5."""
_IN_NAME = re.compile(r"[^\W\d_]\d")
"""O2 of CO2."""

_MOST_WRONG = 8
"""A sentence with more wrong numbers than that is not put right."""


class Differences(NamedTuple):
    """What is wrong with the numbers of a translation.

    Args:
        righted: numbers of the sentence, and those in their places that are clearly wrong.
        glued: two numbers of the sentence that were written as one, and that.
        to_words: those of the translation that stand for one of the sentence, and were written as one with a word.
        repeated: what is a piece of a number that is there as well, and its place.
        lost: numbers of the sentence that will not stand for one of the translation.
        unclear: how many of the translation are wrong, and nobody knows what is meant.
    """

    righted: list[Pair]
    glued: list[tuple[Pair, Number]]
    to_words: list[Number]
    repeated: list[tuple[Number, Span]]
    lost: list[Number]
    unclear: int


class _Left(NamedTuple):
    """Numbers of which it is not known what became of them: `missing` in the translation; `extra`, there alone."""

    missing: list[Number]
    extra: list[Number]

    def without(self, missing: Iterable[Number] = (), extra: Iterable[Number] = ()) -> _Left:
        """The others, when it is known of some."""
        return _Left(_without(self.missing, missing), _without(self.extra, extra))


def find_differences(both: Both, *, judged: bool) -> tuple[Both, Differences]:
    """What is wrong; and both again, without the numbers that will go. Each step leaves less to those after it."""
    left = _unequal(both)
    if not left.missing and not left.extra:  # as mostly
        return both, Differences([], [], [one for one in both.theirs if _follows_word(one, both)], [], [], 0)
    split, left = _split(left, both.target)
    copied, left = _copied(left, both)
    days = [*repeated_days(left.extra, both.target)] if both.direction.target == "en" else []
    left = _without_parts(left.without(extra=(number for number, _ in days)), both)
    repeated = [*find_leftovers(both, *left), *days]
    gone = [number for number, _ in repeated]
    left = left.without(extra=gone)
    glued = _glued(left)
    left = left.without(chain.from_iterable(pair for pair, _ in glued), (one for _, one in glued))
    is_hopeless = len(left.missing) - len(left.extra) not in (0, 1)  # however they are paired: links take time
    paired = [] if judged and is_hopeless else _paired(left, both.links)
    clear = [(right, wrong) for right, wrong in (*copied, *paired) if _is_clear(right, wrong, both.source)]
    righted = [*clear, *split]
    lost = _without([*left.missing, *(right for right, _ in copied)], [right for right, _ in righted])
    unclear = len(copied) + len(left.extra) - len(clear)
    stays = replace(both, theirs=_without(both.theirs, gone))
    unknown = _without(left.extra, [wrong for _, wrong in righted])
    to_words = [one for one in _without(stays.theirs, unknown) if _follows_word(one, both)]
    return stays, Differences(righted, glued, to_words, repeated, lost, unclear)


def _without(numbers: Iterable[Number], others: Iterable[Number]) -> list[Number]:
    places = {other.span for other in others}
    return [number for number in numbers if number.span not in places]


def _unequal(both: Both) -> _Left:
    """The numbers of the sentence that are not in the translation, and the other way round."""
    left = _Left([*both.ours], sorted(both.theirs, key=lambda number: _follows_word(number, both)))
    decimals = find_decimals(both.source, *left) if both.direction.source == "en" else set()
    with_point = {number.text for number in both.ours if number.span in decimals}

    def literally(number: Number) -> object:
        is_alike = _is_read_alike(number, both.direction) and not number.strict
        return number.text if is_alike and number.text not in with_point else None

    def by_parts(number: Number) -> object:
        return None if number.strict else number.parts

    def of_one_kind(key: Callable[[Number], object]) -> Callable[[Number], object]:
        return lambda number: None if (found := key(number)) is None else (found, number.clock)

    def as_meant(number: Number) -> object:
        return None if number.text in with_point else number.meant

    # A time with a time first: of "2 Uhr" and "2 Hunde" the first may be what is wrong.
    for key in (of_one_kind(literally), of_one_kind(by_parts), literally, by_parts, as_meant):
        left = _without_equal(left, key)
        if not left.missing and not left.extra:
            return left
    left = _Left(left.missing, sorted(left.extra, key=lambda number: number.span.start))
    runs = runs_of_digits(left.missing, both.source), runs_of_digits(left.extra, both.target)
    if len(left.missing) != len(left.extra) and runs[0] == runs[1]:
        return _Left([], [])  # 10 000 and 10,000
    return left


def _follows_word(number: Number, both: Both) -> bool:
    """Whether a number of the translation is written as one with the word before it, as on5 is, and none of ours is."""
    start = number.span.start
    return bool(_WORD_BEFORE.search(both.target[max(0, start - 2) : start])) and not _IN_NAME.search(both.source)


def _is_read_alike(number: Number, direction: Direction) -> bool:
    """Whether the number may stay as it is: a version, a date; not 1,250 or €5.99 in German, nor 1.250 in English."""
    if number.fixed:
        return True
    if number.amount and direction.source == "en" and "." in number.text:
        return False
    return len(number.parts) > 1 or not ("," in number.text or (direction.source == "de" and "." in number.text))


def _without_equal(left: _Left, key: Callable[[Number], object]) -> _Left:
    """Both without those that have the same key, as many as the other has; no key equals None."""
    ours, theirs = list(map(key, left.missing)), list(map(key, left.extra))
    return _Left(_beyond(left.missing, ours, theirs), _beyond(left.extra, theirs, ours))


def _beyond(numbers: Iterable[Number], keys: Iterable[object], others: Iterable[object]) -> list[Number]:
    counts = Counter(others)
    del counts[None]
    beyond = []
    for number, key in zip(numbers, keys, strict=True):
        if counts[key] > 0:
            counts[key] -= 1
        else:
            beyond.append(number)
    return beyond


def _split(left: _Left, target: str) -> tuple[list[Pair], _Left]:
    """Pairs of a number that is missing and what was written for it with a space in it: 7 1, 3.0 5. Then the rest."""
    pairs: list[Pair] = []
    for one, other in pairwise(left.extra):
        if target[one.span.end : other.span.start] != " ":
            continue
        whole = one._replace(span=Span(one.span.start, other.span.end))
        pairs += [(right, whole) for right in left.missing if localised(right) == one.text + other.text][:1]
    rights, wholes = [right for right, _ in pairs], [whole for _, whole in pairs]
    if len({*rights}) < len(pairs) or any(one.span.meets(other.span) for one, other in pairwise(wholes)):
        return [], left
    return pairs, left.without(rights, (one for one in left.extra if any(one.span.meets(two.span) for two in wholes)))


def _copied(left: _Left, both: Both) -> tuple[list[Pair], _Left]:
    """Pairs of a number that is missing and one in its place that has been copied and now says something else.

    That is 1.000 for 1.000 in another language, or 2 Uhr for 2 pm, whatever words and links there are. Then the rest.
    """
    pairs = _of_one_face(left, both)
    paired = [right for right, _ in pairs]
    missing, extra = [], [number for number in left.extra if not any(_has_face(number, right.face) for right in paired)]
    for number in left.missing:
        if number in paired:
            continue
        other = next((one for one in extra if _are_alike(number, one)), None)
        if other is None:
            missing.append(number)
        else:
            pairs.append((number, other))
            extra.remove(other)
    return pairs, _Left(missing, extra)


def _of_one_face(left: _Left, both: Both) -> list[Pair]:
    """Pairs of times with a face that more times of the sentence have: "2 pm" and "2 am" are 2 Uhr both.

    Which of those of the translation has been missed cannot be told by what they say, so it is told by their order.
    """
    pairs: list[Pair] = []
    for face in dict.fromkeys(number.face for number in left.missing if number.strict and not number.spoken):
        rights = [one for one in both.ours if _has_face(one, face)]
        wrongs = [one for one in both.theirs if _has_face(one, face)]
        if len(rights) < 2 or len(rights) != len(wrongs):  # noqa: PLR2004 - else there is nothing to confuse
            continue
        in_order = list(zip(rights, wrongs, strict=True))
        lost = [(right, wrong) for right, wrong in in_order if right in left.missing]
        others_fit = all(right in left.missing or right.meant == wrong.meant for right, wrong in in_order)
        if others_fit and len(lost) == sum(one in left.extra for one in wrongs):
            pairs += lost
    return pairs


def _has_face(number: Number, face: tuple[str, ...]) -> bool:
    return number.clock and not number.spoken and number.face == face


def _are_alike(one: Number, other: Number) -> bool:
    if one.strict or other.strict:
        return _has_face(one, other.face) and _has_face(other, one.face)
    return one.text == other.text


def _without_parts(left: _Left, both: Both) -> _Left:
    """Both without those whose parts the other side has within other numbers, or as words."""
    if not left.missing and not left.extra:
        return left
    source_words, target_words = Words(both.source, both.direction.source), Words(both.target, both.direction.target)
    faces = {number.face for number in left.extra}  # of "2 pm" the 2 is there: no word stands for it
    pool = Counter(part for number in left.extra for part in number.value)
    missing = []
    for number in left.missing:
        wanted = Counter(number.value)
        if target_words.has(wanted - pool, number) and not (number.strict and number.face in faces):
            pool -= wanted
        else:
            missing.append(number)
    extra = []
    for number in left.extra:
        own = Counter(number.value) & pool
        pool -= own
        if not source_words.has(own, number):
            extra.append(number)
    return _Left(missing, extra)


def _paired(left: _Left, links: Sequence[Link]) -> list[Pair]:
    """Which wrong number stands for which right one: they alone are linked, or else they alone have the same digits."""
    if not left.missing or max(map(len, left)) > _MOST_WRONG:
        return []
    linked = _linked(left, links)
    return [*linked, *_one_to_one(find_garbled(*left.without(*zip(*linked, strict=True))))]


def _linked(left: _Left, links: Sequence[Link]) -> list[Pair]:
    """Those that are linked with no other, or of which there is one and no link."""
    missing, extra = left
    linked = [(one, other) for one in missing for other in extra if _are_linked(one.span, other.span, links)]
    if not linked and len(missing) == len(extra) == 1:
        known = any(missing[0].span.meets(link.source) or extra[0].span.meets(link.target) for link in links)
        return [] if known else [(missing[0], extra[0])]
    return _one_to_one(linked)


def _one_to_one(pairs: Sequence[Pair]) -> list[Pair]:
    """Those of which neither is in another pair."""
    ours, theirs = Counter(one.span for one, _ in pairs), Counter(other.span for _, other in pairs)
    return [(one, other) for one, other in pairs if ours[one.span] == theirs[other.span] == 1]


def _glued(left: _Left) -> list[tuple[Pair, Number]]:
    """Two numbers that were written as one, and that: 20225 for 2022 and 5. There is one of these at most."""
    if len(left.missing) > _MOST_WRONG:
        return []
    pairs = {one.text + other.text: (one, other) for one, other in permutations(left.missing, 2)}
    return [(pairs[wrong.text], wrong) for wrong in left.extra if wrong.text in pairs][:1]


def _is_clear(right: Number, wrong: Number, source: str) -> bool:
    """Whether one may be written for the other: no half of the day is beside it, and no range begins with 12 hours.

    Nor is one in millions and the other not. But "19 Uhr" tells what should be written for "9 pm", and so does "9 Uhr
    morgens", unless it begins a range whose end the word belongs to.
    """
    if wrong.time and right.time:
        return wrong.strict and not right.spoken and not begins_range(source, right.span.end)
    if wrong.time:
        return wrong.strict and is_certain(source, right.span)
    if right.spoken or right.noughts != wrong.noughts:
        return False
    if right.time and (not right.strict or int(right.parts[0]) > HALF_A_DAY):
        return False
    return not right.strict or not ends_range(source, right.span.start)


def _are_linked(one: Span, other: Span, links: Sequence[Link]) -> bool:
    return any(one.meets(link.source) and other.meets(link.target) for link in links)
