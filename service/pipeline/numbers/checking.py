"""Are the numbers of a sentence in its translation? A wrong one is put right where it is clear which it should be.

They are compared by what they come to. Digits that became a word, or a word that became digits, are equal to it.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import chain, pairwise, permutations
from typing import TYPE_CHECKING, NamedTuple

from service.pipeline.edits import Edit, blank
from service.pipeline.numbers.currencies import check_signs
from service.pipeline.numbers.dates import check_dates, repeated_days
from service.pipeline.numbers.decimals import find_decimals
from service.pipeline.numbers.fragments import find_garbled, find_leftovers
from service.pipeline.numbers.numerals import (
    Both,
    Words,
    count_numbers,
    has_digits,
    in_24_hours,
    localised,
    read_numbers,
    read_source,
    runs_of_digits,
)
from service.pipeline.numbers.percentages import check_percent_signs, repeated_percentages
from service.pipeline.numbers.respelling import respelled
from service.pipeline.numbers.scales import check_scales
from service.pipeline.numbers.scores import rejoined
from service.pipeline.numbers.times_of_day import HALF_A_DAY, begins_range, ends_range, in_twelve_hours, is_certain
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from model.bundle import Direction
    from service.pipeline.numbers.numerals import Number
    from service.types import Link

    Pair = tuple[Number, Number]  # a right one of the sentence, and a wrong one of the translation

__all__ = ["Repair", "check_numbers"]

_LETTER = re.compile(r"[^\W\d_]")

_HALF_LEFT = re.compile(r"\s?(?:AM\b|am\b(?!\s(?!bis|und|oder)\w))")
"""The English word that stayed in a German sentence, where "am" is another one."""
_PM_LEFT = re.compile(r"\s?p\.?m\b", re.IGNORECASE)
"""The same of p.m."""

_WORD_BEFORE = re.compile(r"[^\W\d_][a-zäöüß]$")
"""On of on5; not x of 4x5."""
_IN_NAME = re.compile(r"[^\W\d_]\d")
"""O2 of CO2."""

_SIGNED = re.compile(r"[-–~](?=\d)(?:(?<=[^\d\s]\s.)|(?<=\(.))")
"""The sign before a number, which no range has, and no item of a list."""
_SAYS_NEGATIVE = re.compile(r"\b(?:minus|negativ|below|unter)|[-–−](?=\d)", re.IGNORECASE)
_SAYS_ABOUT = re.compile(r"~|\b(?:about|approx|around|circa|ca\.|etwa|rund|ungefähr)", re.IGNORECASE)

_ONE_SPACE, _DASH = re.compile(" "), re.compile("[-–]")
_GLUED_HALF = re.compile(r"(?<=\d)[ap]\.?m\b")
_LETTER_BEFORE, _LETTERED = re.compile(r"(?<![\w-])([A-PR-TV-Z])$"), re.compile(r"(?<![^\W_])[A-Z][- ]?$")
_CODED = re.compile(r"\d{2,}")
"""B before 23, and what is B 23 already."""

_MOST_NUMBERS = 400
"""In a sentence and its translation; where there are more they are not compared."""

_MOST_WRONG = 8
"""A sentence with more wrong numbers than that is not put right."""


class Repair(NamedTuple):
    """What to change in the translation, in order; `sound` if no number is wrong after that."""

    edits: tuple[Edit, ...]
    sound: bool


class _Left(NamedTuple):
    """Numbers of which it is not known what became of them: `missing` in the translation; `extra`, there alone."""

    missing: list[Number]
    extra: list[Number]

    def without(self, missing: Iterable[Number] = (), extra: Iterable[Number] = ()) -> _Left:
        """The others, when it is known of some."""
        return _Left(_without(self.missing, missing), _without(self.extra, extra))


class _Differences(NamedTuple):
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


def check_numbers(
    source: str, target: str, links: Sequence[Link], direction: Direction, *, judged: bool = False
) -> Repair:
    """Compare the numbers of a sentence and its translation. What is to be left out of account is blank in both.

    Of one that is only `judged` no edits are needed.
    """
    if not has_digits(source) and not has_digits(target):
        return Repair((), sound=True)
    if count_numbers(source) + count_numbers(target) > _MOST_NUMBERS:
        return Repair((), sound=False)
    ours, theirs = read_source(source, direction.source), read_numbers(target, direction.target)
    return _repair(*_differences(Both(source, target, links, direction, ours, theirs), judged=judged))


# ---------------------------------------------------------------------------------------- compare


def _differences(both: Both, *, judged: bool) -> tuple[Both, _Differences]:
    """What is wrong; and both again, without the numbers that will go. Each step leaves less to those after it."""
    left = _unequal(both)
    split, left = _split(left, both.target)
    copied, left = _copied(left, both)
    days = [*repeated_days(left.extra, both.target)] if both.direction.target == "en" else []
    left = _without_parts(left.without(extra=(number for number, _ in days)), both)
    repeated = [] if left.missing or copied else repeated_percentages(both, left.extra)
    left = left.without(extra=(number for number, _ in repeated))
    repeated += [*find_leftovers(both, *left), *days]
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
    return stays, _Differences(righted, glued, to_words, repeated, lost, unclear)


def _without(numbers: Iterable[Number], others: Iterable[Number]) -> list[Number]:
    places = {other.span for other in others}
    return [number for number in numbers if number.span not in places]


def _unequal(both: Both) -> _Left:
    """The numbers of the sentence that are not in the translation, and the other way round."""
    left = _Left(both.ours, sorted(both.theirs, key=lambda number: _follows_word(number, both)))
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
        if not _ONE_SPACE.fullmatch(target, one.span.end, other.span.start):
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
    missing, extra = [], [number for number in left.extra if not any(_has_face(number, right) for right in paired)]
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
        rights = [one for one in both.ours if one.clock and not one.spoken and one.face == face]
        wrongs = [one for one in both.theirs if one.clock and not one.spoken and one.face == face]
        if len(rights) < 2 or len(rights) != len(wrongs):  # noqa: PLR2004 - else there is nothing to confuse
            continue
        in_order = list(zip(rights, wrongs, strict=True))
        lost = [(right, wrong) for right, wrong in in_order if right in left.missing]
        others_fit = all(right in left.missing or right.meant == wrong.meant for right, wrong in in_order)
        if others_fit and len(lost) == sum(one in left.extra for one in wrongs):
            pairs += lost
    return pairs


def _has_face(one: Number, other: Number) -> bool:
    return one.clock and not one.spoken and one.face == other.face


def _are_alike(one: Number, other: Number) -> bool:
    if one.strict or other.strict:
        return one.clock and other.clock and one.face == other.face and not (one.spoken or other.spoken)
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


# ----------------------------------------------------------------------------------------- repair


def _repair(both: Both, wrong: _Differences) -> Repair:
    """Put right what is clear, and whatever else belongs to numbers: signs of currencies, percent signs, months."""
    returned = _returned(both, wrong)
    edits = [
        *(_edit(right, one, both.target) for right, one in wrong.righted),
        *returned,
        *(_apart(one, both.source) for one in wrong.glued),
    ]
    edited = {edit.span.start for edit in edits}
    edits += [edit for edit in respelled(both) if edit.span.start not in edited]
    theirs = _put_right(both, wrong)
    scores = [*rejoined(replace(both, theirs=theirs))]
    edits = [*scores, *(edit for edit in edits if not any(edit.span.meets(score.span) for score in scores))]
    edits = [edit for edit in edits if both.target[edit.span.start : edit.span.end] != edit.text]
    edits += _letters(both, theirs)
    signs, has_signs = check_signs(both, wrong.righted)
    percent = _percent_signs(both, wrong)
    months, has_months = check_dates(both)
    scales, has_scales = check_scales(both)
    spaces = [Edit(Span(one.span.start, one.span.start), " ") for one in wrong.to_words]  # what else goes there follows
    in_order = sorted(
        [*spaces, *edits, *scales, *signs, *percent, *months, *_lost_signs(both, spaces), *_halves_apart(both, edits)],
        key=lambda edit: (edit.span.start, edit.span.end),
    )
    has_all = has_signs and has_months and has_scales and len(returned) == len(wrong.lost)
    return Repair(tuple(in_order), sound=has_all and not wrong.unclear)


def _returned(both: Both, wrong: _Differences) -> list[Edit]:
    """The one number that is lost, if nothing else is wrong and its place is clear."""
    if len(wrong.lost) != 1 or wrong.unclear or wrong.lost[0].spoken:
        return []
    (number,) = wrong.lost
    gap = _gap(number.span, both)
    if gap is None:
        return []
    joint = both.source[number.span.start - 1 : number.span.start]
    is_joined = _DASH.fullmatch(joint) and both.target[gap - 1 : gap].isdigit()
    return [Edit(Span(gap, gap), f"{joint if is_joined else ' '}{localised(number)}")]


def _put_right(both: Both, wrong: _Differences) -> list[Number]:
    """The numbers of the translation as they will be."""
    rights = {one.span: right for right, one in wrong.righted}
    return [rights[one.span]._replace(span=one.span) if one.span in rights else one for one in both.theirs]


def _apart(glued: tuple[Pair, Number], source: str) -> Edit:
    """What goes between two numbers that were written as one: the dash of a score, else a space."""
    pair, wrong = glued
    first, last = sorted(pair, key=lambda one: one.span.start)
    between = source[first.span.end : last.span.start]
    end = wrong.span.start + len(pair[0].text)
    return Edit(Span(end, end), between if _DASH.fullmatch(between) and pair[0].text == first.text else " ")


def _halves_apart(both: Both, edits: Iterable[Edit]) -> Iterator[Edit]:
    """A space between a time and its am or pm, for all of a text to have one; some are written by other edits."""
    ends = {edit.span.start: edit.span.end for edit in edits}
    for one in both.theirs if both.direction.target == "en" else ():
        if ends.get(one.span.start, 0) <= one.span.end and _GLUED_HALF.match(both.target, one.span.end):
            yield Edit(Span(one.span.end, one.span.end), " ")


def _lost_signs(both: Both, spaces: Iterable[Edit]) -> Iterator[Edit]:
    """The sign of a negative number, or an approximate one, if the translation has none that could be meant."""
    signs = {found.end(): found[0] for found in _SIGNED.finditer(both.source)}
    if not signs:
        return
    said = {"~"} if _SAYS_ABOUT.search(both.target) else set()
    said |= {"-", "–"} if _SAYS_NEGATIVE.search(both.target) else set()
    if said.issuperset(signs.values()):
        return
    for one in both.ours:
        sign = signs.get(one.span.start, "")
        same = [other.span.start for other in both.theirs if other.parts == one.parts]
        if sign and sign not in said and len(same) == 1:
            is_apart = any(edit.span.start == same[0] for edit in spaces)
            apart = " " if both.target[same[0] - 1 : same[0]].isalpha() and not is_apart else ""
            yield Edit(Span(same[0], same[0]), apart + sign)


def _percent_signs(both: Both, wrong: _Differences) -> list[Edit]:
    """What to do with percent signs; what is repeated goes with its own."""
    gone = [span for _, span in wrong.repeated]
    righted = [*wrong.righted, *((last, one) for (_, last), one in wrong.glued)]
    rest = blank(both.target, gone)
    return [
        *check_percent_signs(replace(both, target=rest), righted),
        *(Edit(span, "") for span in gone),
    ]


def _edit(right: Number, wrong: Number, target: str) -> Edit:
    """What to write, and where, so that the one number stands where the other does."""
    is_halved = wrong.strict or (right.strict and _HALF_LEFT.match(target, wrong.span.end))
    is_late = right.clock and right.parts[0].isdecimal() and int(right.parts[0]) > HALF_A_DAY
    twelve = None
    if is_halved or (is_late and _PM_LEFT.match(target, wrong.span.end)):
        twelve = in_twelve_hours(target, wrong.span, in_24_hours(right))
    return twelve or Edit(wrong.span, localised(right))


def _letters(both: Both, theirs: Sequence[Number]) -> Iterator[Edit]:
    """The letter of gates, rooms and parts that was lost: Gate 23 for Gate B23. Quarters and youth teams have words."""
    counts = Counter(one.parts for one in both.ours)
    for one in both.ours:
        letter = _LETTER_BEFORE.search(both.source[max(0, one.span.start - 3) : one.span.start])
        if not letter or not _CODED.fullmatch(one.text) or counts[one.parts] > 1:
            continue
        named = f"{letter[1]}{one.text}"
        same = [other for other in theirs if other.parts == one.parts]
        if named in both.target or len(same) != 1:
            continue
        start = same[0].span.start
        if not _LETTERED.search(both.target[:start]):
            apart = " " if both.target[start - 1 : start].isalpha() else ""
            yield Edit(Span(start, start), f"{apart}{letter[1]}")


def _are_linked(one: Span, other: Span, links: Sequence[Link]) -> bool:
    return any(one.meets(link.source) and other.meets(link.target) for link in links)


def _gap(span: Span, both: Both) -> int | None:
    """Where a lost number goes: what stands before it in the source, and after it, are neighbours in the target."""
    before = [(link.source.end, link.target.end) for link in both.links if link.source.end <= span.start]
    after = [(link.source.start, link.target.start) for link in both.links if link.source.start >= span.end]
    if not before or not after:
        return None
    (near, left), (far, right) = max(before), min(after)
    between = both.source[near : span.start] + both.source[span.end : far]
    if left > right or both.target[left:right].strip() or _LETTER.search(between):
        return None
    return left
