"""Words and punctuation marks of a sentence and of its translation, and which became which."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING
from unicodedata import category

from service.pipeline.edits import begin_alike
from service.types import Span

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

    from service.types import Link

__all__ = ["Unit", "Units", "align_units"]

_INITIALS = r"[^\W\d_](?:\.[^\W\d_])+\.(?!\w)"
_ORDINAL = r"(?<!\w)\d{1,3}\.(?=\s+[^\W\d_])"
_UNIT = re.compile(rf"{_INITIALS}|{_ORDINAL}|(?:\w|[\u0300-\u036f\u200d]|(?<=\w)['’](?=\w))+|[^\w\s]")
_HYPHENATED = re.compile(r"\w+(?:-\w+)+")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_SEPARATORS = frozenset(".,")
_SIGNS = frozenset("%‰°")
_CLOSING = frozenset("\"'”“’‘»«")
_MOST_PAIRS = 400
"""A link of more words than this, source times target, joins them in order instead of all with all."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A word, part of one, a sign such as $ and %, or a punctuation mark: characters `start` to `end` of its text."""

    start: int
    end: int
    text: str

    @property
    def span(self) -> Span:
        """Its place."""
        return Span(self.start, self.end)

    @property
    def is_word(self) -> bool:
        """Not a punctuation mark."""
        return self.text[0].isalnum() or len(self.text) > 1 or self.is_sign

    @property
    def is_closing(self) -> bool:
        """What closes a quotation, or may."""
        return self.text in _CLOSING

    @property
    def is_sign(self) -> bool:
        """Of a currency, or another that stands beside a number and is said as a word."""
        return self.text in _SIGNS or (len(self.text) == 1 and category(self.text) == "Sc")


class Units:
    """The units of a text in order; `links` has for each the units of the other text that it is linked with."""

    def __init__(self, units: list[Unit], links: list[list[int]]) -> None:
        self.units = units
        self.links = links
        self.starts = [unit.start for unit in units]
        self.ends = [unit.end for unit in units]

    def __len__(self) -> int:
        return len(self.units)

    def within(self, start: int, end: int) -> range:
        """The units of which a part lies between two places of the text."""
        return range(bisect_right(self.ends, start), bisect_left(self.starts, end)) if start < end else range(0)


def align_units(source: str, target: str, links: Sequence[Link], cuts: Sequence[int]) -> tuple[Units, Units]:
    """Source and target, linked with each other.

    Args:
        source: the sentence.
        target: its translation.
        links: between spans of the two, of a word, a part of one, or several; without any of words, these are linked
            in proportion to their place.
        cuts: places in the source, ascending, at which a word is cut where its translation can be cut likewise.
    """
    whole = [link for link in links if _is_copy(source, target, link, cuts)]
    left = _units(source, [link.source for link in whole])
    right = _units(target, [link.target for link in whole])
    copies = [{link.source for link in whole}, {link.target for link in whole}]
    compounds = _pairs_of_compounds(source, left, target, right, links)
    pairs = {
        (mine, other)
        for link in links
        for mine, other in compounds.get(link) or _pairs(source, left, target, right, link)
        # A link of the words around a copy is none of the copy, which has its own.
        if link in whole or not (left[mine].span in copies[0] or right[other].span in copies[1])
    }
    if not any(left[mine].is_word for mine, _ in pairs):
        pairs |= _in_proportion(left, right)
    pairs = _each_with_its_sign(left, right, pairs)
    pairs |= _words_behind_numbers(right, pairs)
    return _cut(left, right, pairs, cuts)


def _is_copy(source: str, target: str, link: Link, cuts: Sequence[int]) -> bool:
    """Whether a link is between copies that are more than a word or a mark, such as code is."""
    if link.source.end > len(source) or link.target.end > len(target):
        return False
    text = source[_slice(link.source)]
    if not text.strip() or text != target[_slice(link.target)]:
        return False
    return _is_code(text) or (link.source.start in cuts and link.source.end in cuts)


def _is_code(text: str) -> bool:
    return any(map(str.isalnum, text)) and not text.isalnum()


def _units(text: str, whole: Sequence[Span]) -> list[Unit]:
    """The units of a text, of which none is cut that is `whole`."""
    units, done = [], 0
    for span in (*sorted(whole, key=lambda span: span.start), None):
        place = span.start if span else len(text)
        units += [Unit(*found.span(), found[0]) for found in _UNIT.finditer(text, done, place)]
        if span and done <= place:
            units.append(Unit(span.start, span.end, text[_slice(span)]))
            done = span.end
    return units


def _pairs(source: str, left: list[Unit], target: str, right: list[Unit], link: Link) -> list[tuple[int, int]]:
    """The units that one link joins: words with words, punctuation with the same punctuation."""
    ours, theirs = _overlapping(left, link.source), _overlapping(right, link.target)
    texts = source[_slice(link.source)], target[_slice(link.target)]
    if len(ours) == len(theirs) and (texts[0] == texts[1] or all(map(_NUMBER.fullmatch, texts))):
        return list(zip(ours, theirs, strict=True))
    if len(ours) * len(theirs) > _MOST_PAIRS:
        return [(index, theirs[place * len(theirs) // len(ours)]) for place, index in enumerate(ours)]
    return [
        (mine, other)
        for mine in ours
        for other in theirs
        if (left[mine].is_word and right[other].is_word) or left[mine].text == right[other].text
    ]


def _pairs_of_compounds(
    source: str, left: list[Unit], target: str, right: list[Unit], links: Sequence[Link]
) -> dict[Link, list[tuple[int, int]]]:
    """The links of compounds that have as many parts as there are words on the other side: part by part, in order."""
    found: dict[Link, list[tuple[int, int]]] = {}
    for side, text in enumerate((source, target)):
        alike: dict[Span, list[Link]] = defaultdict(list)
        for link in links:
            span = (link.source, link.target)[side]
            if _HYPHENATED.fullmatch(text, span.start, span.end):
                alike[span].append(link)
        for group in alike.values():
            ours = sorted({index for link in group for index in _overlapping(left, link.source) if left[index].is_word})
            theirs = sorted(
                {index for link in group for index in _overlapping(right, link.target) if right[index].is_word}
            )
            if len(ours) == len(theirs) > 1:
                found |= {link: list(zip(ours, theirs, strict=True)) for link in group}
    return found


def _in_proportion(left: list[Unit], right: list[Unit]) -> set[tuple[int, int]]:
    """The words of both in order; all units of what has none."""
    ours = [index for index, unit in enumerate(left) if unit.is_word] or range(len(left))
    theirs = [index for index, unit in enumerate(right) if unit.is_word] or range(len(right))
    return {(mine, theirs[place * len(theirs) // len(ours)]) for place, mine in enumerate(ours) if theirs}


def _each_with_its_sign(left: list[Unit], right: list[Unit], pairs: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """The sign of a number is linked with that of the number which it became, and with nothing else.

    For want of one it is the word behind, if no link but the number's speaks of it: "$5", "5 Dollar".
    """
    ours = _signed(left, _runs(left))
    if not ours:
        return pairs
    runs = _runs(right)
    numbers = {index: run for run in runs for index in run}
    sign_of = {run: sign for sign, run in _signed(right, runs).items()}
    forth: dict[int, list[int]] = defaultdict(list)
    back: dict[int, set[int]] = defaultdict(set)
    for mine, other in pairs:
        forth[mine].append(other)
        back[other].add(mine)
    found: dict[int, int] = {}
    for sign, run in ours.items():
        became = {numbers[other] for mine in run for other in forth[mine] if other in numbers}
        if len(became) != 1:
            continue
        number = became.pop()
        other = sign_of.get(number, number.stop)
        is_same = number in sign_of and right[other].text == left[sign].text
        if is_same or _is_word_of(right, number, other, back[other] - {sign, *run}):
            found[sign] = other
    theirs = set(found.values())
    return {(mine, other) for mine, other in pairs if mine not in found and other not in theirs} | set(found.items())


def _is_word_of(right: list[Unit], number: range, other: int, linked: AbstractSet[int]) -> bool:
    """Whether what stands behind a number is a word of nothing else."""
    return other == number.stop < len(right) and right[other].is_word and not (right[other].is_sign or linked)


def _signed(units: list[Unit], runs: list[range]) -> dict[int, range]:
    """The signs that stand beside one of the numbers, and that number's units."""
    before, after = {run.stop: run for run in runs}, {run.start - 1: run for run in runs}
    found = {}
    for sign in sorted(before.keys() | after.keys()):
        if 0 <= sign < len(units) and units[sign].is_sign:
            touches_next = sign in after and units[sign].end == units[sign + 1].start
            touches_last = sign in before and units[sign - 1].end == units[sign].start
            is_next = sign not in before or (touches_next and not touches_last)
            found[sign] = (after if is_next else before)[sign]
    return found


def _runs(units: list[Unit]) -> list[range]:
    """The units of each number, which separators divide: 1,299.00 has five."""
    runs: list[range] = []
    for index, unit in enumerate(units):
        if not unit.text[0].isdigit():
            continue
        if runs and runs[-1].stop == index - 1 and _goes_on(*units[index - 2 : index + 1]):
            runs[-1] = range(runs[-1].start, index + 1)
        else:
            runs.append(range(index, index + 1))
    return runs


def _goes_on(digits: Unit, mark: Unit, unit: Unit) -> bool:
    """Whether a number goes on after a separator."""
    return mark.text in _SEPARATORS and digits.end == mark.start and mark.end == unit.start


def _words_behind_numbers(right: list[Unit], pairs: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """What became a time or an ordinal, also for the word behind it that no link speaks of: "9 Uhr", "3. Mai"."""
    known = {other for _, other in pairs}
    lone = {index for index, unit in enumerate(right) if unit.is_word and index not in known}
    return {
        (mine, other + 1)
        for mine, other in pairs
        if other + 1 in lone and _counts(right[other].text, right[other + 1].text)
    }


def _counts(number: str, word: str) -> bool:
    if word == "Uhr":
        return number.isdecimal()
    return number.endswith(".") and number[:-1].isdecimal() and word[0].isupper()


def _slice(span: Span) -> slice:
    return slice(span.start, span.end)


def _overlapping(units: list[Unit], span: Span) -> range:
    first = bisect_right(units, span.start, key=lambda unit: unit.end)
    return range(first, max(first, bisect_left(units, span.end, key=lambda unit: unit.start)))


def _cut(left: list[Unit], right: list[Unit], pairs: set[tuple[int, int]], cuts: Sequence[int]) -> tuple[Units, Units]:
    """Cut words in two, and their translations, where markup stands inside a word and both parts can be told."""
    forth: list[list[int]] = [[] for _ in left]
    back: list[list[int]] = [[] for _ in right]
    for mine, other in sorted(pairs):
        forth[mine].append(other)
        back[other].append(mine)
    ours: dict[int, list[int]] = {}
    theirs: dict[int, list[int]] = {}
    became: dict[int, int] = {}
    for index, unit in enumerate(left):
        inside = cuts[bisect_right(cuts, unit.start) : bisect_left(cuts, unit.end)]
        found = _counterpart(unit, forth[index], right, back) if inside else None
        if found is not None and found not in theirs:
            places = [place - unit.start for place in inside]
            if other_places := _counterparts(unit.text, right[found].text, places):
                ours[index], theirs[found], became[index] = places, other_places, found
    if not ours:
        return Units(left, forth), Units(right, back)
    new_left, left_places = _divide(left, ours)
    new_right, right_places = _divide(right, theirs)
    new_forth: list[list[int]] = [[] for _ in new_left]
    new_back: list[list[int]] = [[] for _ in new_right]
    for mine, other in sorted(pairs):
        joined = (
            zip(left_places[mine], right_places[other], strict=True)
            if became.get(mine) == other
            else ((one, two) for one in left_places[mine] for two in right_places[other])
        )
        for one, two in joined:
            new_forth[one].append(two)
            new_back[two].append(one)
    return Units(new_left, new_forth), Units(new_right, new_back)


def _counterpart(unit: Unit, links: Sequence[int], right: list[Unit], back: list[list[int]]) -> int | None:
    """The unit that this one became, if it is no other's and there is no other, or is the same word."""
    copies = (other for other in links if right[other].text == unit.text)
    only = links[0] if len(links) == 1 and len(back[links[0]]) == 1 else None
    return next(copies, only)


def _counterparts(source: str, target: str, places: list[int]) -> list[int]:
    """The same places in another word, told by what the two words have in common; none if one cannot be told."""
    prefix, suffix = begin_alike(source, target), begin_alike(source[::-1], target[::-1])
    found = []
    for place in places:
        if place <= prefix:
            found.append(place)
        elif len(source) - place <= suffix:
            found.append(len(target) - (len(source) - place))
        else:
            return []
    fits = all(low < high for low, high in zip([0, *found], [*found, len(target)], strict=True))
    return found if fits else []


def _divide(units: list[Unit], places: dict[int, list[int]]) -> tuple[list[Unit], list[range]]:
    """The units with some of them cut, and where the parts of each now stand."""
    divided: list[Unit] = []
    now = []
    for index, unit in enumerate(units):
        bounds = [0, *places.get(index, []), len(unit.text)]
        first = len(divided)
        divided += [Unit(unit.start + low, unit.start + high, unit.text[low:high]) for low, high in pairwise(bounds)]
        now.append(range(first, len(divided)))
    return divided, now
