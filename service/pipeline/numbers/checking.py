"""Are the numbers of a sentence in its translation? A wrong one is put right where it is clear which it should be.

They are compared by what they come to. Digits that became a word, or a word that became digits, are equal to it.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import permutations
from typing import TYPE_CHECKING, NamedTuple

from service.pipeline.numbers.currencies import check_signs
from service.pipeline.numbers.dates import check_dates
from service.pipeline.numbers.numerals import (
    count_numbers,
    has_digits,
    in_24_hours,
    in_words,
    localised,
    read_numbers,
    runs_of_digits,
)
from service.pipeline.numbers.percentages import check_percent_signs, repeated_percentages
from service.pipeline.numbers.times_of_day import HALF_A_DAY, begins_range, ends_range, in_twelve_hours, is_certain
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from model.bundle import Direction
    from service.pipeline.numbers.numerals import Number
    from service.types import Link

__all__ = ["Repair", "check_numbers"]

_LETTER = re.compile(r"[^\W\d_]")

_HALF_LEFT = re.compile(r"\s?(?:AM\b|am\b(?!\s(?!bis|und|oder)\w))")
"""The English word that stayed in a German sentence, where "am" is another one."""
_PM_LEFT = re.compile(r"\s?p\.?m\b", re.IGNORECASE)

_MOST_NUMBERS = 400
"""In a sentence and its translation; where there are more they are not compared."""

_MOST_WRONG = 8
"""A sentence with more wrong numbers than that is not put right."""


class Repair(NamedTuple):
    """Spans of the translation and what to put there, in order; `sound` if no number is wrong after that."""

    edits: tuple[tuple[Span, str], ...]
    sound: bool


def check_numbers(source: str, target: str, links: Sequence[Link], direction: Direction) -> Repair:
    """Compare the numbers of a sentence and its translation. What is to be left out of account is blank in both."""
    if not has_digits(source) and not has_digits(target):
        return Repair((), sound=True)
    if count_numbers(source) + count_numbers(target) > _MOST_NUMBERS:
        return Repair((), sound=False)
    ours, theirs = read_numbers(source, direction.source), read_numbers(target, direction.target)
    missing, extra = _compare(ours, theirs, source, target, direction)
    same, missing, extra = _written_alike(missing, extra, ours, theirs)
    missing, extra = _without_parts(missing, extra, source, target, direction)
    repeated = [] if missing or same else repeated_percentages(ours, extra, source, target)
    gone = [number for number, _ in repeated]
    extra, theirs = ([one for one in numbers if one not in gone] for numbers in (extra, theirs))
    glued = _glued(missing, extra)
    missing = [one for one in missing if not any(one in pair for pair, _ in glued)]
    extra = [one for one in extra if not any(one is wrong for _, wrong in glued)]
    found = [*same, *_pair(missing, extra, links)]
    pairs = [(right, wrong) for right, wrong in found if _is_clear(right, wrong, source)]
    edits = [_edit(right, wrong, target) for right, wrong in pairs]
    unclear = len(same) + len(extra) - len(pairs)
    paired = {right.span for right, _ in pairs}
    lost = [number for number in (*missing, *(right for right, _ in same)) if number.span not in paired]
    if len(lost) == 1 and not unclear and not lost[0].spoken:
        gap = _gap(lost[0].span, source, target, links)
        if gap is not None:
            edits.append((Span(gap, gap), f" {localised(lost[0])}"))
            lost = []
    for (first, _), wrong in glued:
        end = wrong.span.start + len(first.text)
        edits.append((Span(end, end), " "))
    spelling = _lists_for_dates(ours, theirs)
    if direction.target == "en":
        spelling += _impossible_times(theirs, target)
    edited = {span.start for span, _ in edits}
    edits += [edit for edit in spelling if edit[0].start not in edited]
    signs, has_signs = check_signs(ours, theirs, pairs, (source, target), direction)
    righted = [*pairs, *((last, wrong) for (_, last), wrong in glued)]
    percent = check_percent_signs(ours, theirs, righted, source, _without(target, [span for _, span in repeated]))
    percent += [(span, "") for _, span in repeated]
    months, has_months = check_dates(source, target, theirs, direction)
    changes = [(span, text) for span, text in edits if target[span.start : span.end] != text]
    return Repair(
        _in_order([*changes, *signs, *percent, *months]), sound=has_signs and has_months and not lost and not unclear
    )


# ---------------------------------------------------------------------------------------- compare


def _compare(
    missing: list[Number], extra: list[Number], source: str, target: str, direction: Direction
) -> tuple[list[Number], list[Number]]:
    """Of the numbers of both, those of the source that are not in the target, and the other way round."""

    def literally(number: Number) -> object:
        return number.text if _is_read_alike(number, direction) and not number.strict else None

    def by_parts(number: Number) -> object:
        return None if number.strict else number.parts

    def of_one_kind(key: Callable[[Number], object]) -> Callable[[Number], object]:
        return lambda number: None if key(number) is None else (key(number), number.clock)

    # A time with a time first: of "2 Uhr" and "2 Hunde" the first may be what is wrong.
    for key in (of_one_kind(literally), of_one_kind(by_parts), literally, by_parts, lambda number: number.meant):
        missing, extra = _without_equal(missing, extra, key)
        if not missing and not extra:
            return [], []
    if len(missing) != len(extra) and runs_of_digits(missing, source) == runs_of_digits(extra, target):
        return [], []  # 10 000 and 10,000
    return missing, extra


def _is_read_alike(number: Number, direction: Direction) -> bool:
    """Whether the number may stay as it is: a version, a date; not 1,250 or €5.99 in German, nor 1.250 in English."""
    if number.fixed:
        return True
    if number.amount and direction.source == "en" and "." in number.text:
        return False
    return len(number.parts) > 1 or not ("," in number.text or (direction.source == "de" and "." in number.text))


def _without_equal(
    missing: list[Number], extra: list[Number], key: Callable[[Number], object]
) -> tuple[list[Number], list[Number]]:
    """Both without those that have the same key, as many as the other has; no key equals None."""
    ours, theirs = Counter(map(key, missing)), Counter(map(key, extra))
    del ours[None], theirs[None]
    return _beyond(missing, theirs, key), _beyond(extra, ours, key)


def _beyond(numbers: Iterable[Number], counts: Counter[object], key: Callable[[Number], object]) -> list[Number]:
    beyond = []
    for number in numbers:
        if counts[key(number)] > 0:
            counts[key(number)] -= 1
        else:
            beyond.append(number)
    return beyond


def _written_alike(
    missing: list[Number], extra: list[Number], ours: list[Number], theirs: list[Number]
) -> tuple[list[tuple[Number, Number]], list[Number], list[Number]]:
    """Pairs of a number that is missing and one in its place that has been copied and now says something else.

    That is 1.000 for 1.000 in another language, or 2 Uhr for 2 pm, whatever words and links there are. Then the rest.
    """
    pairs = _of_one_face(missing, extra, ours, theirs)
    paired = [right for right, _ in pairs]
    absent, added = [], [number for number in extra if not any(_has_face(number, right) for right in paired)]
    for number in missing:
        if number in paired:
            continue
        other = next((one for one in added if _are_alike(number, one)), None)
        if other is None:
            absent.append(number)
        else:
            pairs.append((number, other))
            added.remove(other)
    return pairs, absent, added


def _of_one_face(
    missing: list[Number], extra: list[Number], ours: list[Number], theirs: list[Number]
) -> list[tuple[Number, Number]]:
    """Pairs of times with a face that more times of the sentence have: "2 pm" and "2 am" are 2 Uhr both.

    Which of those of the translation has been missed cannot be told by what they say, so it is told by their order.
    """
    pairs: list[tuple[Number, Number]] = []
    for face in dict.fromkeys(number.face for number in missing if number.strict and not number.spoken):
        rights = [one for one in ours if one.clock and not one.spoken and one.face == face]
        wrongs = [one for one in theirs if one.clock and not one.spoken and one.face == face]
        if len(rights) < 2 or len(rights) != len(wrongs):  # noqa: PLR2004 - else there is nothing to confuse
            continue
        in_order = list(zip(rights, wrongs, strict=True))
        lost = [(right, wrong) for right, wrong in in_order if right in missing]
        others_fit = all(right in missing or right.meant == wrong.meant for right, wrong in in_order)
        if others_fit and len(lost) == sum(one in extra for one in wrongs):
            pairs += lost
    return pairs


def _has_face(one: Number, other: Number) -> bool:
    return one.clock and not one.spoken and one.face == other.face


def _are_alike(one: Number, other: Number) -> bool:
    if one.strict or other.strict:
        return one.clock and other.clock and one.face == other.face and not (one.spoken or other.spoken)
    return one.text == other.text


def _without_parts(
    missing: list[Number], extra: list[Number], source: str, target: str, direction: Direction
) -> tuple[list[Number], list[Number]]:
    """Both without those whose parts the other side has within other numbers, or as words."""
    if not missing and not extra:
        return [], []
    source_words, target_words = in_words(source, direction.source), in_words(target, direction.target)
    faces = {number.face for number in extra}  # of "2 pm" the 2 is there: no word stands for it
    pool = Counter(part for number in extra for part in number.value)
    absent = []
    for number in missing:
        wanted = Counter(number.value)
        if target_words.has(wanted - pool, number) and not (number.strict and number.face in faces):
            pool -= wanted
        else:
            absent.append(number)
    added = []
    for number in extra:
        own = Counter(number.value) & pool
        pool -= own
        if not source_words.has(own, number):
            added.append(number)
    return absent, added


# ----------------------------------------------------------------------------------------- repair


def _pair(missing: list[Number], extra: list[Number], links: Sequence[Link]) -> list[tuple[Number, Number]]:
    """Which wrong number stands for which right one: they alone are linked, or of both there is one and no link."""
    if not missing or max(len(missing), len(extra)) > _MOST_WRONG:
        return []
    linked = [(one, other) for one in missing for other in extra if _are_linked(one.span, other.span, links)]
    if not linked and len(missing) == len(extra) == 1:
        known = any(missing[0].span.meets(link.source) or extra[0].span.meets(link.target) for link in links)
        return [] if known else [(missing[0], extra[0])]
    ours, theirs = Counter(one.span for one, _ in linked), Counter(other.span for _, other in linked)
    return [(one, other) for one, other in linked if ours[one.span] == theirs[other.span] == 1]


def _glued(missing: list[Number], extra: list[Number]) -> list[tuple[tuple[Number, Number], Number]]:
    """Two numbers that were written as one, and that: 20225 for 2022 and 5."""
    if len(missing) > _MOST_WRONG:
        return []
    pairs = {one.text + other.text: (one, other) for one, other in permutations(missing, 2)}
    return [(pairs[wrong.text], wrong) for wrong in extra if wrong.text in pairs][:1]


def _without(text: str, spans: Iterable[Span]) -> str:
    """The text with spaces in place of some of it."""
    for span in spans:
        text = f"{text[: span.start]}{' ' * (span.end - span.start)}{text[span.end :]}"
    return text


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


def _in_order(edits: Iterable[tuple[Span, str]]) -> tuple[tuple[Span, str], ...]:
    return tuple(sorted(edits, key=lambda edit: (edit[0].start, edit[0].end)))


def _edit(right: Number, wrong: Number, target: str) -> tuple[Span, str]:
    """What to write, and where, so that the one number stands where the other does."""
    is_halved = wrong.strict or (right.strict and _HALF_LEFT.match(target, wrong.span.end))
    is_late = right.clock and right.parts[0].isdecimal() and int(right.parts[0]) > HALF_A_DAY
    twelve = None
    if is_halved or (is_late and _PM_LEFT.match(target, wrong.span.end)):
        twelve = in_twelve_hours(target, wrong.span, in_24_hours(right))
    return twelve or (wrong.span, localised(right))


def _impossible_times(numbers: list[Number], english: str) -> list[tuple[Span, str]]:
    """What to write for those that there are not: 15 pm, of "15 Uhr", is 3 pm."""
    times = (one for one in numbers if one.strict and int(one.parts[0]) > HALF_A_DAY)
    edits = (in_twelve_hours(english, one.span, one.text) for one in times)
    return [edit for edit in edits if edit]


def _lists_for_dates(ours: list[Number], theirs: list[Number]) -> list[tuple[Span, str]]:
    """What to write where the commas of another language got into a date or a version: 12,03,2024 for 12.03.2024."""
    dates = {one.parts: one.text for one in ours if _is_list(one.parts)}
    return [(one.span, dates[one.parts]) for one in theirs if "," in one.text and "," not in dates.get(one.parts, ",")]


def _is_list(parts: tuple[str, ...]) -> bool:
    return len(parts) > 2  # noqa: PLR2004 - day, month and year


def _are_linked(one: Span, other: Span, links: Sequence[Link]) -> bool:
    return any(one.meets(link.source) and other.meets(link.target) for link in links)


def _gap(span: Span, source: str, target: str, links: Sequence[Link]) -> int | None:
    """Where a lost number goes: what stands before it in the source, and after it, are neighbours in the target."""
    before = [(link.source.end, link.target.end) for link in links if link.source.end <= span.start]
    after = [(link.source.start, link.target.start) for link in links if link.source.start >= span.end]
    if not before or not after:
        return None
    (near, left), (far, right) = max(before), min(after)
    if left > right or target[left:right].strip() or _LETTER.search(source[near : span.start] + source[span.end : far]):
        return None
    return left
