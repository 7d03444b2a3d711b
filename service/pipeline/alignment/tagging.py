"""Inline markup follows the words it stood around: the alignment says where they went.

Sentence and translation are read as words and punctuation marks. An element goes to that run of
the translation which holds most of its own words and fewest of others, inside the element it was
inside, beside its siblings. Markup without words goes next to the word it stood next to. What no
link speaks of is placed in proportion. Whatever the links say, all markup comes out once, nested.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import TYPE_CHECKING

from service.pipeline.alignment.units import Units, align_units
from service.types import Inline, InlineKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from service.types import Link

__all__ = ["place_inlines"]

_FOREIGN = 0.45
"""A word whose share of links into the element is above this belongs to it, below it does not. Just under a half:
the one word that two became (a compound) goes to either, rather than to none."""
_UNLINKED = -0.05
"""What a word without links costs a run that bridges it."""
_NEAR = 24
"""Characters from where a word is expected to where a word without links is taken for it."""
_MOST_PLACES = 32
"""As many are looked at where an element's text stands in the target."""
_EDGE = -1


def place_inlines(source: str, inlines: Sequence[Inline], links: Sequence[Link], target: str) -> tuple[Inline, ...]:
    """Where the markup of one sentence, or part of one, stands in its translation.

    An element of which only one end is among `inlines` reaches to the other side of the sentence.

    Args:
        source: the sentence.
        inlines: in the order of the document, `at` relative to the sentence.
        links: what became what; none means that nothing is known.
        target: the translation.

    Returns:
        The same inlines, each once, in the order in which they stand in `target`; elements nested as they were.
    """
    if not inlines or source == target:
        return tuple(inlines)
    root = _tree(inlines, len(source))
    units = align_units(source, target, links, cuts=sorted({inline.at for inline in inlines}))
    root.hi = len(target)
    _Placement(*units, source, target).run(root)
    return _flat(root)


@dataclass(slots=True, eq=False)
class _Node:
    """An element, or a single mark; the root stands for the sentence.

    `start` to `end` are its place in the source, `lo` to `hi` in the target, once it is placed. `left`, `right`: on
    that side it goes on into another sentence.
    """

    start: int
    end: int
    opening: Inline | None = None
    closing: Inline | None = None
    left: bool = False
    right: bool = False
    children: list[_Node] = field(default_factory=list)
    lo: int = 0
    hi: int = 0


def _partners(inlines: Sequence[Inline]) -> list[int | None]:
    """For each end of an element where the other is: its index, `_EDGE`, or None for what is treated as single."""
    partners: list[int | None] = [None] * len(inlines)
    stack: list[int] = []
    pending: set[int] = set()
    seen: set[int] = set()
    for index, inline in enumerate(inlines):
        if inline.kind is InlineKind.OPEN and inline.element not in seen:
            stack.append(index)
            pending.add(inline.element)
        elif inline.kind is InlineKind.CLOSE and inline.element in pending:
            # What is left open inside it crosses it: its ends become single marks.
            while (other := stack.pop()) is not None:
                pending.discard(inlines[other].element)
                if inlines[other].element == inline.element:
                    break
            partners[index], partners[other] = other, index
        elif inline.kind is InlineKind.CLOSE and inline.element not in seen:
            stack.clear()
            pending.clear()
            partners[index] = _EDGE
        seen.add(inline.element)
    for index in stack:
        partners[index] = _EDGE
    return partners


def _tree(inlines: Sequence[Inline], length: int) -> _Node:
    root = _Node(0, length)
    stack = [root]
    partners = _partners(inlines)
    for inline, partner in zip(reversed(inlines), reversed(partners), strict=True):
        if inline.kind is InlineKind.CLOSE and partner == _EDGE:
            stack.append(_Node(0, length, left=True))
            stack[-2].children.append(stack[-1])
    for inline, partner in zip(inlines, partners, strict=True):
        if partner is None:
            stack[-1].children.append(_Node(inline.at, inline.at, opening=inline))
        elif inline.kind is InlineKind.OPEN:
            stack.append(_Node(inline.at, length, opening=inline, right=partner == _EDGE))
            stack[-2].children.append(stack[-1])
        else:
            node = stack.pop()
            node.end, node.closing = inline.at, inline
    return root


class _Placement:
    """Gives every node of a tree its place in the target."""

    def __init__(self, source: Units, target: Units, source_text: str, target_text: str) -> None:
        self._source = source
        self._target = target
        self._source_text = source_text
        self._target_text = target_text
        self._taken = [False] * len(target)
        self._words = [0, *accumulate(unit.is_word for unit in source.units)]
        self._behind = self._places_behind()

    def run(self, root: _Node) -> None:
        """Place what is below the root, which is placed itself."""
        waiting = [root]
        while waiting:
            parent = waiting.pop()
            self._place_children(parent)
            waiting += parent.children

    def _place_children(self, parent: _Node) -> None:
        """First the elements with words, then between them what has none."""
        room = self._target.within(parent.lo, parent.hi)
        whole = self._source.within(parent.start, parent.end)
        elements: list[_Node] = []
        marks: list[_Node] = []
        for child in parent.children:
            (elements if self._source.within(child.start, child.end) else marks).append(child)
        if len(elements) == 1 and self._source.within(elements[0].start, elements[0].end) == whole:
            elements[0].lo, elements[0].hi = parent.lo, parent.hi
        else:
            # What goes on beyond the sentence must reach its edge: it comes before its siblings.
            elements.sort(key=lambda child: not (child.left or child.right))
            left = [child for child in elements if not self._place_element(child, parent, whole, room)]
            moved: set[_Node] = set()
            elements = [child for child in elements if child.lo < child.hi]
            owners = {index: one for one in elements for index in self._target.within(one.lo, one.hi)} if left else {}
            for child in left:
                if owner := self._owner(child, owners):
                    owner.children.append(child)
                    moved.add(child)
                else:
                    marks.append(child)
            parent.children = [child for child in parent.children if child not in moved]
            for index in room:
                self._taken[index] = False
        elements.sort(key=lambda child: child.lo)
        starts = [child.lo for child in elements]
        for mark in marks:
            place = min(max(self._anchor(mark.start), parent.lo), parent.hi)
            if (around := bisect_right(starts, place) - 1) >= 0:
                place = _beside(mark, elements[around], place)
            mark.lo = mark.hi = parent.lo if mark.left else parent.hi if mark.right else place
        parent.children.sort(key=lambda child: (child.lo, child.hi))

    def _place_element(self, child: _Node, parent: _Node, whole: range, room: range) -> bool:
        """False if there is no word for it."""
        own = self._source.within(child.start, child.end)
        run = self._best_run(own, whole, room, child)
        if not (child.left or child.right):
            run = self._same_text(child, run, room) or run or self._one_word(own, room)
        if not run:
            return False
        run = range(room.start if child.left else run.start, room.stop if child.right else run.stop)
        for index in run:
            self._taken[index] = True
        child.lo = parent.lo if child.left else self._target.starts[run[0]]
        child.hi = parent.hi if child.right else self._target.ends[run[-1]]
        return True

    def _owner(self, child: _Node, owners: Mapping[int, _Node]) -> _Node | None:
        """The element that has the word which the child's became as well, a compound: the child may be inside it."""
        if child.left or child.right:
            return None
        reached = (index for unit in self._source.within(child.start, child.end) for index in self._source.links[unit])
        found = next((owners[index] for index in reached if index in owners), None)
        return found if found and _name(found) != _name(child) else None

    def _best_run(self, own: range, whole: range, room: range, child: _Node) -> range:
        """The run of free units with most that belong to `own`, and fewest that do not; empty if there is none."""
        if self._covers_words(own, whole) and room and not any(self._taken[index] for index in room):
            low = room.start + (own.start > whole.start and not self._target.units[room[0]].is_word)
            high = room.stop - (own.stop < whole.stop and not self._target.units[room[-1]].is_word)
            return range(low, max(low, high))
        # Outside of these no run gets better, unless it must reach an edge.
        reached = [index for unit in own for index in self._source.links[unit] if index in room]
        if not reached:
            return range(0)
        room_start = room.start if child.left else min(reached)
        room_stop = room.stop if child.right else max(reached) + 1
        best, best_sum, start, total = range(0), 0.0, room_start, 0.0
        for index in range(room_start, room_stop):
            if self._taken[index]:
                if child.left:
                    break
                start, total = index + 1, 0.0
                continue
            if total <= 0 and not child.left:
                start, total = index, 0.0
            total += self._weight(index, own)
            if total > 0 and (total >= best_sum or child.right):
                best, best_sum = range(start, index + 1), total
        if child.right:
            return range(start, room_stop) if total > 0 else range(0)
        return self._with_punctuation(self._with_word(best, own, room), own, room) if best else best

    def _covers_words(self, own: range, whole: range) -> bool:
        return self._words_in(own) == self._words_in(whole)

    def _words_in(self, units: range) -> int:
        return self._words[units.stop] - self._words[units.start]

    def _weight(self, index: int, own: range) -> float:
        links = self._target.links[index]
        return sum(link in own for link in links) / len(links) - _FOREIGN if links else _UNLINKED

    def _with_word(self, run: range, own: range, room: range) -> range:
        """A run of marks alone, for an element that ends with them, with the word before it that no link speaks of."""
        before = run.start - 1
        if any(self._target.units[index].is_word for index in run) or not self._source.units[own[0]].is_word:
            return run
        lone = before in room and self._is_free_word(before) and not self._target.links[before]
        return range(before, run.stop) if lone else run

    def _with_punctuation(self, run: range, own: range, room: range) -> range:
        """Punctuation at an edge of the element is at that edge of the run."""
        source, target = self._source.units, self._target.units
        low, high = run.start, run.stop
        while high < self._last_mark(own, run, room) and not target[high].is_word and not self._taken[high]:
            if source[own[-1]].is_closing and target[high - 1].is_closing:
                break
            high += 1
        if not source[own[0]].is_word and target[low].is_word and low > room.start:
            low -= not target[low - 1].is_word and not self._taken[low - 1]
        if source[own[-1]].is_word and not target[high - 1].is_word and high - low > 1:
            high -= 1
        return range(low, high)

    def _last_mark(self, own: range, run: range, room: range) -> int:
        """The end of the marks that may belong to the element after the last word of a run.

        They are as many as it ends with; before or after what closes a quotation there may be one more.
        """
        units, target = self._source.units, self._target.units
        if units[own[-1]].is_word:
            return run.stop
        marks = next((count for count, index in enumerate(reversed(own)) if units[index].is_word), len(own))
        behind = next((count for count, index in enumerate(reversed(run)) if target[index].is_word), len(run))
        return min(room.stop, run.stop - behind + max(marks, 1 + units[own[-1]].is_closing))

    def _same_text(self, child: _Node, run: range, room: range) -> range:
        """Where the element's own text stands, if it was copied and is no mere word: the links may know less."""
        text = self._source_text[child.start : child.end].strip()
        if not text or (run and text.isalpha()) or not room:
            return range(0)
        own = self._source.within(child.start, child.end)
        found, nearest = range(0), len(self._target_text) + 1
        expected = self._target.starts[run[0]] if run else self._anchor(child.start)
        last = self._target.ends[room[-1]]
        at = self._target_text.find(text, self._target.starts[room[0]], last)
        for _ in range(_MOST_PLACES):
            if at < 0:
                break
            units = self._target.within(at, at + len(text))
            exact = units and self._target.starts[units[0]] == at and self._target.ends[units[-1]] == at + len(text)
            if exact and abs(at - expected) < nearest and not any(self._is_others(index, own) for index in units):
                found, nearest = units, abs(at - expected)
            at = self._target_text.find(text, at + len(text), last)
        return found

    def _one_word(self, own: range, room: range) -> range:
        """For want of a run: the free word with the largest share of links into the element.

        Without links it is one near, rather one that no other word is known to have become: an element around nothing
        could not be seen, nor a link be followed.
        """
        if reached := {index for unit in own for index in self._source.links[unit]}:
            free = [index for index in reached if index in room and self._is_free_word(index)]
            best = max(sorted(free), key=lambda index: self._weight(index, own), default=None)
        else:
            expected = self._anchor(self._source.starts[own[0]])
            near = self._target.within(expected - _NEAR, expected + _NEAR)
            free = [index for index in near if index in room and self._is_free_word(index)]
            free = free or [index for index in room if self._is_free_word(index) and not self._target.links[index]]
            best = min(free, key=lambda index: self._remoteness(index, expected), default=None)
        return range(0) if best is None else range(best, best + 1)

    def _is_others(self, index: int, own: range) -> bool:
        """Whether a sign belongs to another element, or to a number that is none of this one's."""
        is_of_other_number = self._target.units[index].is_sign and self._weight(index, own) < _UNLINKED
        return self._taken[index] or is_of_other_number

    def _remoteness(self, index: int, expected: int) -> tuple[bool, int]:
        return bool(self._target.links[index]), abs(self._target.starts[index] - expected)

    def _is_free_word(self, index: int) -> bool:
        return not self._taken[index] and self._target.units[index].is_word

    def _anchor(self, at: int) -> int:
        """Where a mark without words goes: beside the translation of the word that it touches, else of one near."""
        source, target = self._source, self._target
        following, preceding = bisect_left(source.starts, at), bisect_right(source.ends, at) - 1
        if following - preceding > 1:  # inside a word: after it
            preceding = following - 1
        if preceding < 0:
            return 0
        if following == len(source):
            return target.ends[-1] if len(target) else 0
        touches_next, touches_previous = source.starts[following] == at, source.ends[preceding] == at
        goes_before = not touches_previous and (touches_next or source.units[following].is_word)
        if source.links[following] and (goes_before or not source.links[preceding]):
            return min(target.starts[index] for index in source.links[following])
        return self._behind[preceding]

    def _places_behind(self) -> list[int]:
        """For each unit of the source, the end of what it, or else the nearest linked one before it, became."""
        places, place = [], 0
        for links in self._source.links:
            place = max((self._target.ends[index] for index in links), default=place)
            places.append(place)
        return places


def _name(node: _Node) -> str:
    """What kind of element it is: no link may be inside another."""
    code = node.opening.code if node.opening else ""
    return code.split(maxsplit=1)[0].rstrip(">") if code else ""


def _beside(mark: _Node, element: _Node, place: int) -> int:
    """Out of the element, if `place` is in it: on the side where the mark was."""
    if mark.start >= element.end and place < element.hi:
        return element.hi
    if element.lo < place < element.hi:
        return element.lo if mark.start <= element.start else element.hi
    return place


def _flat(root: _Node) -> tuple[Inline, ...]:
    """The markup in the order in which it stands in the target."""
    placed: list[Inline] = []
    waiting: list[tuple[_Node, bool]] = [(root, False)]
    while waiting:
        node, done = waiting.pop()
        inline, at = (node.closing, node.hi) if done else (node.opening, node.lo)
        if inline:
            placed.append(replace(inline, at=at))
        if not done:
            waiting.append((node, True))
            waiting += [(child, False) for child in reversed(node.children)]
    return tuple(placed)
