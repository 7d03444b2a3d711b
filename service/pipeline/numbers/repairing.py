"""What to change in a translation for its numbers, and what belongs to them, to be right: signs, months, am and pm."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from service.pipeline.edits import Edit, blank
from service.pipeline.numbers.currencies import check_signs
from service.pipeline.numbers.dates import check_dates
from service.pipeline.numbers.numerals import in_24_hours, localised
from service.pipeline.numbers.percentages import check_percent_signs
from service.pipeline.numbers.respelling import respelled
from service.pipeline.numbers.scales import check_scales
from service.pipeline.numbers.scores import rejoined
from service.pipeline.numbers.times_of_day import HALF_A_DAY, in_twelve_hours
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from service.pipeline.numbers.differences import Differences, Pair
    from service.pipeline.numbers.numerals import Both, Number

__all__ = ["Repair", "repair"]

_LETTER = re.compile(r"[^\W\d_]")
_DASH = re.compile("[-–]")

_HALF_LEFT = re.compile(r"\s?(?:AM\b|am\b(?!\s(?!bis|und|oder)\w))")
"""The English word that stayed in a German sentence, where "am" is another one."""
_PM_LEFT = re.compile(r"\s?p\.?m\b", re.IGNORECASE)
"""The same of p.m."""
_GLUED_HALF = re.compile(r"(?<=\d)[ap]\.?m\b")
"""Pm of 3pm."""

_SIGNED = re.compile(r"[-–~](?=\d)(?:(?<=[^\d\s]\s.)|(?<=\(.))")
"""The sign before a number, which no range has, and no item of a list."""
_SAYS_NEGATIVE = re.compile(r"\b(?:minus|negativ|below|unter)|[-–−](?=\d)", re.IGNORECASE)
_SAYS_ABOUT = re.compile(r"~|\b(?:about|approx|around|circa|ca\.|etwa|rund|ungefähr)", re.IGNORECASE)

_LETTER_BEFORE, _CODE = re.compile(r"(?<![\w-])([A-PR-TV-Z])$"), re.compile(r"\d{2,}")
"""B and 23 of B23; quarters and youth teams, Q4 and U21, have words."""
_LETTERED = re.compile(r"(?<![^\W_])[A-Z][- ]?$")
"""What a number follows that has its letter: B of B23, B-23 and B 23."""


class Repair(NamedTuple):
    """What to change in the translation, in order; `sound` if no number is wrong after that."""

    edits: tuple[Edit, ...]
    sound: bool


def repair(both: Both, wrong: Differences, *, judged: bool) -> Repair:
    """Put right what is clear, and whatever else belongs to numbers: signs of currencies, percent signs, months.

    Of what is only `judged` no edits are needed.
    """
    returned = _returned(both, wrong)
    if judged and (wrong.unclear or len(returned) < len(wrong.lost)):
        return Repair((), sound=False)
    signs, has_signs = check_signs(both, wrong.righted)
    months, has_months = check_dates(both)
    scales, has_scales = check_scales(both)
    has_all = has_signs and has_months and has_scales and len(returned) == len(wrong.lost)
    if judged:
        return Repair((), sound=has_all)
    theirs = _put_right(both, wrong)
    numbers = [*_numbers(both, wrong, returned, theirs), *_letters(both, theirs)]
    percent = _percent_signs(both, wrong)
    spaces = [Edit(Span(one.span.start, one.span.start), " ") for one in wrong.to_words]  # what else goes there follows
    in_order = sorted(
        [
            *spaces,
            *numbers,
            *scales,
            *signs,
            *percent,
            *months,
            *_lost_signs(both, spaces),
            *_halves_apart(both, numbers),
        ],
        key=lambda edit: (edit.span.start, edit.span.end),
    )
    return Repair(tuple(in_order), sound=has_all and not wrong.unclear)


def _numbers(both: Both, wrong: Differences, returned: list[Edit], theirs: list[Number]) -> list[Edit]:
    """What to write for numbers. A score takes the place of what else would be written there."""
    edits = [
        *(_edit(right, one, both.target) for right, one in wrong.righted),
        *returned,
        *(_apart(one, both.source) for one in wrong.glued),
    ]
    edited = {edit.span.start for edit in edits}
    edits += [edit for edit in respelled(both) if edit.span.start not in edited]
    scores = [*rejoined(replace(both, theirs=theirs))]
    edits = [*scores, *(edit for edit in edits if not any(edit.span.meets(score.span) for score in scores))]
    return [edit for edit in edits if both.target[edit.span.start : edit.span.end] != edit.text]


def _returned(both: Both, wrong: Differences) -> list[Edit]:
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


def _put_right(both: Both, wrong: Differences) -> list[Number]:
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


def _percent_signs(both: Both, wrong: Differences) -> list[Edit]:
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
    """The letter of gates, rooms and parts that was lost: Gate 23 for Gate B23."""
    counts = Counter(one.parts for one in both.ours)
    for one in both.ours:
        letter = _LETTER_BEFORE.search(both.source[max(0, one.span.start - 3) : one.span.start])
        if not letter or not _CODE.fullmatch(one.text) or counts[one.parts] > 1:
            continue
        named = f"{letter[1]}{one.text}"
        same = [other for other in theirs if other.parts == one.parts]
        if named in both.target or len(same) != 1:
            continue
        start = same[0].span.start
        if not _LETTERED.search(both.target[:start]):
            apart = " " if both.target[start - 1 : start].isalpha() else ""
            yield Edit(Span(start, start), f"{apart}{letter[1]}")


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
