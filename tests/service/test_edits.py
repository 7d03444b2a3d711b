"""Edited texts: places in one are found again in the other, after one edit or two."""

from __future__ import annotations

import time
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from service.pipeline.edits import Edit, Edited, apply, blank, changes
from service.types import Span

BOUND_S = 2.0
"""Of processor time."""


@st.composite
def edits(draw: st.DrawFn, text: str) -> list[Edit]:
    """Edits of a text, in order, none of what another replaces."""
    ends = sorted(draw(st.lists(st.integers(0, len(text)), max_size=8, unique=True)))
    return [Edit(Span(*ends[i : i + 2]), draw(st.text("xyz", max_size=3))) for i in range(0, len(ends) - 1, 2)]


def between(text: str, spans: tuple[Span, ...]) -> list[str]:
    """What is left of a text without some spans of it."""
    around = [Span(0, 0), *spans, Span(len(text), len(text))]
    return [text[one.end : other.start] for one, other in pairwise(around)]


@given(st.data(), st.text("abcd ", max_size=20))
def test_two_edits_as_one(data: st.DataObject, text: str) -> None:
    """What neither of two edits, one after the other, has touched is the same in the first text and in the last."""
    first = apply(text, data.draw(edits(text)))
    second = apply(first.text, data.draw(edits(first.text)))
    both = first.then(second)
    assert both.text == second.text
    assert between(text, both.old) == between(both.text, both.new)


def test_two_edits_within_one() -> None:
    """What is edited twice within what was put there is one edit, and what follows keeps its place."""
    first = apply("ab cd ef", [Edit(Span(3, 5), "one two")])
    both = first.then(apply(first.text, [Edit(Span(3, 6), "1"), Edit(Span(7, 10), "2")]))
    assert both == Edited("ab 1 2 ef", (Span(3, 5),), (Span(3, 6),))
    assert both.back(Span(7, 9)) == Span(6, 8)


def test_a_word_with_a_tag_in_it() -> None:
    """A tag taken out of a word is part of the word when that becomes another, and what follows keeps its place."""
    text = "eine <b>T</b>uer zu"
    shown = apply(text, [Edit(Span(5, 8), ""), Edit(Span(9, 13), "")])
    both = shown.then(apply(shown.text, [Edit(Span(5, 9), "Tür")]))
    assert both == Edited("eine Tür zu", (Span(5, 8), Span(8, 16)), (Span(5, 5), Span(5, 8)))
    assert text[both.back(Span(9, 11)).start :] == "zu"


def test_many_edits_take_no_time() -> None:
    """Of two texts with many edits each, time is in proportion to their number."""
    text = "ab " * 10_000
    edits = [Edit(Span(place, place + 1), "xy") for place in range(0, len(text), 3)]
    started = time.process_time()
    first = apply(text, edits)
    first.then(apply(first.text, [Edit(Span(place + 2, place + 3), "z") for place in range(0, len(first.text), 4)]))
    assert time.process_time() - started < BOUND_S


def test_blank() -> None:
    """Every other character keeps its place, also where spans overlap or come in another order."""
    assert blank("ab cd ef", [Span(6, 8), Span(2, 4), Span(3, 5), Span(3, 4)]) == "ab      "
    assert blank("ab", []) == "ab"


@given(st.text("ab .", max_size=20), st.text("ab .", max_size=20))
def test_changes_make_one_text_of_another(text: str, other: str) -> None:
    """Whatever they are, and without any for the same text."""
    edits = changes(text, other)
    assert apply(text, edits).text == other
    assert edits or text == other
    assert edits == [] or text != other


def test_changes_leave_words_in_their_places() -> None:
    """What both texts have in this order is not edited."""
    text, other = "Den Brief habe ich geschrieben.", "Ich habe den Brief geschrieben."
    edited = apply(text, changes(text, other))
    assert edited.text == other
    assert "Brief" in between(text, edited.old)[1]
    assert between(text, edited.old) == between(edited.text, edited.new)
