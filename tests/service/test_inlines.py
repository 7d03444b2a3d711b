"""Where inline markup stands in a translation."""

from __future__ import annotations

import re
import time
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.pipeline.alignment.tagging import place_inlines
from service.types import Inline, InlineKind, Link, Span

if TYPE_CHECKING:
    from collections.abc import Sequence

_WORD = re.compile(r"[\w'’]+")
_BOUND_S = 5.0
"""For what takes a tenth of a second on a quiet machine, and minutes if it grows with the square of the markup."""


def read(marked: str) -> tuple[str, list[Inline]]:
    """A sentence with tags, apart."""
    text, inlines = "", []
    waiting: list[int] = []
    for number, part in enumerate(re.split(r"(</?\w+/?>)", marked)):
        if not number % 2:
            text += part
        elif part.startswith("</"):
            inlines.append(Inline(len(text), part, InlineKind.CLOSE, waiting.pop() if waiting else number))
        elif part.endswith("/>"):
            inlines.append(Inline(len(text), part, InlineKind.SINGLE, number))
        else:
            inlines.append(Inline(len(text), part, InlineKind.OPEN, number))
            waiting.append(number)
    return text, inlines


def place(marked: str, target: str, pairs: str) -> str:
    """The target with the tags of a sentence; `pairs` says which word became which: "0-1 1-0"."""
    source, inlines = read(marked)
    ours, theirs = ([Span(*found.span()) for found in _WORD.finditer(text)] for text in (source, target))
    numbers = [map(int, pair.split("-")) for pair in pairs.split()]
    return marked_up(
        target, place_inlines(source, inlines, [Link(ours[one], theirs[other]) for one, other in numbers], target)
    )


def marked_up(target: str, placed: Sequence[Inline]) -> str:
    """The target with tags in it."""
    ends = [0, *(inline.at for inline in placed), len(target)]
    codes = [*(inline.code for inline in placed), ""]
    return "".join(target[low:high] + code for (low, high), code in zip(pairwise(ends), codes, strict=True))


@pytest.mark.parametrize(
    ("marked", "target", "links", "expected"),
    [
        pytest.param(
            "the<i>PATH</i> name", "derPATH-Name", "3-7/3-7 0-7/0-12 8-12/0-12", "der<i>PATH</i>-Name", id="glued"
        ),
        pytest.param(
            "<b>JSON</b> <i>file</i>", "JSON-Datei", "0-4/0-10 5-9/0-10", "<b>JSON</b>-<i>Datei</i>", id="parts"
        ),
        pytest.param(
            "<b>JSON</b>-<i>Datei</i>", "JSON file", "0-10/0-4 0-10/5-9", "<b>JSON</b> <i>file</i>", id="back"
        ),
        pytest.param("<b>test</b> <i>case</i>", "Testfall", "0-4/0-8 5-9/0-8", "<b><i>Testfall</i></b>", id="one word"),
        pytest.param("<b>test</b> <b>case</b>", "Testfall", "0-4/0-8 5-9/0-8", "<b>Testfall</b><b></b>", id="no link"),
        pytest.param(
            "{x} <b>Hint:</b> go", "{x} Tipp: geh", "0-3/0-3 4-8/0-8 8-9/8-9", "{x} <b>Tipp:</b> geh", id="around"
        ),
        pytest.param(
            "x <b>Hint:</b> go", "x Tipp: geh", "0-1/0-1 6-7/6-7 8-10/8-11", "x <b>Tipp:</b> geh", id="a mark"
        ),
    ],
)
def test_where_links_know_too_little(marked: str, target: str, links: str, expected: str) -> None:
    """Markup moves neither onto a copy that the words around it are linked with, nor off a word without links."""
    source, inlines = read(marked)
    spans = [Span(*map(int, span.split("-"))) for link in links.split() for span in link.split("/")]
    placed = place_inlines(source, inlines, [*map(Link, spans[::2], spans[1::2])], target)
    assert marked_up(target, placed) == expected


@pytest.mark.parametrize(
    ("marked", "target", "pairs", "expected"),
    [
        pytest.param("The <b>red car</b>.", "Das rote Auto.", "0-0 1-1 2-2", "Das <b>rote Auto</b>.", id="in-place"),
        pytest.param(
            "I <i>have bought</i> a <b>car</b>.",
            "Ein Auto habe ich gekauft.",
            "0-3 1-2 2-4 3-0 4-1",
            "Ein <b>Auto</b> <i>habe ich gekauft</i>.",
            id="reordered, around a word that is not its own",
        ),
        pytest.param("<b>Hello</b> world!", "Hallo Welt!", "0-0 1-1", "<b>Hallo</b> Welt!", id="at-the-start"),
        pytest.param("x <b>Hello.</b> y", "x Hallo. y", "0-0 1-1 2-2", "x <b>Hallo.</b> y", id="with-its-full-stop"),
        pytest.param("<b>No!”</b> said", "Nein!“ sagte", "0-0 1-1", "<b>Nein!“</b> sagte", id="a-mark-and-a-quote"),
        pytest.param("<b>“No!”</b> he said", "„Nein!“ sagte er", "0-0 1-2 2-1", "<b>„Nein!“</b> sagte er", id="quoted"),
        pytest.param(
            "<b>„Nein“</b>, sagte er", "“No,” he said", "0-0 1-2 2-1", "<b>“No,”</b> he said", id="with-a-comma"
        ),
        pytest.param(
            "<b>“No”</b>, he said", "„Nein“, sagte er", "0-0 1-2 2-1", "<b>„Nein“</b>, sagte er", id="no-comma"
        ),
        pytest.param("x <b>hello</b>, y", "x hallo, y", "0-0 1-1 2-2", "x <b>hallo</b>, y", id="without-the-comma"),
        pytest.param(
            "<b>machine</b> <i>translation</i> works",
            "Maschinenübersetzung geht",
            "0-0 1-0 2-1",
            "<b><i>Maschinenübersetzung</i></b> geht",
            id="two-words-become-one",
        ),
        pytest.param(
            "Drink H<sub>2</sub>O, C<sub>2</sub>H<sub>6</sub>O!",
            "Trinkt H2O, C2H6O!",
            "0-0 1-1 2-2",
            "Trinkt H<sub>2</sub>O, C<sub>2</sub>H<sub>6</sub>O!",
            id="inside-words",
        ),
        pytest.param("The <b>Berlin</b>er", "Der Berliner", "0-0 1-1", "Der <b>Berlin</b>er", id="a-part-of-a-word"),
        pytest.param("<b>ref</b>ed set", "refed-Satz", "0-0 1-0 1-1", "<b>ref</b>ed-Satz", id="a-part-of-a-compound"),
        pytest.param(
            "the <i>wife of <b>my friend</b></i> came",
            "es kam meines Freundes Frau",
            "0-4 1-4 2-2 3-2 4-3 5-1",
            "es kam <i><b>meines Freundes</b> Frau</i>",
            id="nested",
        ),
        pytest.param("see<x/> this", "siehe das", "0-0 1-1", "siehe<x/> das", id="after-a-word"),
        pytest.param("open <x/>this", "das öffnen", "0-1 1-0", "<x/>das öffnen", id="before-a-word"),
        pytest.param("a <b>very</b> new", "ganz neu", "2-1", "<b>ganz</b> neu", id="a-word-without-links"),
        pytest.param(
            "point with <b>bold</b>",
            "Punkt mit fett",
            "0-0 1-1 1-2",
            "Punkt mit <b>fett</b>",
            id="all-words-are-linked",
        ),
        pytest.param(
            "from <b>$10</b> to <i>$5</i>",
            "von 10 $ bis 5 $",
            "0-0 1-1 2-2 3-3",
            "von <b>10 $</b> bis <i>5 $</i>",
            id="a-sign",
        ),
        pytest.param(
            "Only <b>5 €</b> a month",
            "Nur €5 im Monat",
            "0-0 1-1 2-2 3-3",
            "Nur <b>€5</b> im Monat",
            id="a-sign-before",
        ),
        pytest.param(
            "not <b>$50</b> now",
            "nicht 50 Dollar jetzt",
            "0-0 1-1 2-3",
            "nicht <b>50 Dollar</b> jetzt",
            id="a-sign-said",
        ),
        pytest.param(
            "Statt <s>100 €</s> nur <b>79,50 €</b>",
            "Instead of €100 only €79.50",
            "0-0 1-2 2-3 3-4 4-5",
            "Instead of <s>€100</s> only <b>€79.50</b>",
            id="a-sign-on-the-other-side-of-a-decimal",
        ),
        pytest.param(
            "Only <i>$</i><b>19.99</b> now",
            "Nur 19,99 Dollar jetzt",
            "0-0 1-1 1-3 2-2 3-4",
            "Nur <b>19,99</b> <i>Dollar</i> jetzt",
            id="a-sign-by-itself-said",
        ),
        pytest.param("now <b>5 %</b>.", "jetzt 5 %.", "0-0 1-1", "jetzt <b>5 %</b>.", id="a-sign-before-a-full-stop"),
        pytest.param("at <b>2 pm</b> now", "um 14 Uhr jetzt", "0-0 1-1 3-3", "um <b>14 Uhr</b> jetzt", id="a-time"),
        pytest.param(
            "on <b>Friday, May 3</b>.",
            "am Freitag, dem 3. Mai.",
            "0-0 1-1 2-2 3-3",
            "am <b>Freitag, dem 3. Mai</b>.",
            id="a-date",
        ),
        pytest.param(
            "from <b>May 1st</b> on",
            "von dem 1. bis an",
            "0-0 1-1 2-2 3-4",
            "von <b>dem 1.</b> bis an",
            id="an-ordinal",
        ),
        pytest.param("um <b>2 Uhr</b>.", "at 2 p.m.", "0-0 1-1 2-2", "at <b>2 p.m.</b>", id="points-of-letters"),
        pytest.param(
            "es ist <b>vom ersten Tag bis zum zweiten</b> <i>zu</i>",
            "it is closed from the first day to the second",
            "0-0 1-1 2-3 2-4 3-5 4-6 5-7 6-8 7-9",
            "it is <i>closed</i> <b>from the first day to the second</b>",
            id="a-word-without-links-is-far-away",
        ),
        pytest.param("see <b>42 %</b> of", "von 42 % sehen", "0-2 2-0", "von <b>42 %</b> sehen", id="copied-text"),
        pytest.param("a <b>b. c", "x y. z", "0-0 1-1 2-2", "x <b>y. z", id="ends-in-another-sentence"),
        pytest.param("a b</b> c", "x y z", "0-0 1-1 2-2", "x y</b> z", id="began-in-another-sentence"),
        pytest.param("a <b>b</b> c", "a b c", "", "a <b>b</b> c", id="the-same-text"),
        pytest.param("a <b>b</b> c d", "w x y z", "", "w <b>x</b> y z", id="nothing-is-known"),
        pytest.param("a <b>b</b>", "", "", "<b></b>", id="nothing-was-written"),
    ],
)
def test_markup_follows_its_words(marked: str, target: str, pairs: str, expected: str) -> None:
    """Each rule of the placement, by an example."""
    assert place(marked, target, pairs) == expected


def test_a_sign_stays_with_its_number() -> None:
    """Whatever the links say of it: of two equal ones they may mean the other."""
    source, inlines = read("<s>100 €</s> <b>80 €</b> now")
    target = "€100 €80 jetzt"
    links = [Link(Span(0, 3), Span(1, 4)), Link(Span(4, 5), Span(5, 6)), Link(Span(6, 8), Span(6, 8))]
    assert marked_up(target, place_inlines(source, inlines, links, target)) == "<s>€100</s> <b>€80</b> jetzt"


def test_words_of_which_nothing_is_known_are_linked_in_proportion() -> None:
    """Though the full stop is: of a phrase that was looked up, that is all that is the same."""
    source, inlines = read("Hello <b>world</b>.")
    placed = place_inlines(source, inlines, [Link(Span(11, 12), Span(10, 11))], "Hallo Welt.")
    assert [inline.at for inline in placed] == [6, 10]


@pytest.mark.parametrize("code", ["a()", "=="])
def test_code_stays_in_one_piece(code: str) -> None:
    """Its marks are no punctuation at the edge of what it stands in."""
    source, inlines = read(f"the <a><i>{code}</i> set</a> too")
    there = Span(4, 4 + len(code))
    placed = place_inlines(source, inlines, [Link(there, there)], f"die {code} auch")
    assert [inline.at for inline in placed] == [there.start, there.start, there.end, there.end]


@st.composite
def markup(draw: st.DrawFn, length: int) -> list[Inline]:
    """Markup of a sentence: mostly nested, some of it with one end only, or crossing."""
    ends = sorted(draw(st.lists(st.integers(0, length), max_size=12)))
    waiting: list[int] = []
    inlines = []
    for number, at in enumerate(ends):
        kind = draw(st.sampled_from(InlineKind))
        element = number
        if kind is InlineKind.CLOSE and waiting:
            element = waiting.pop(draw(st.sampled_from([-1, -1, -1, 0])))
        elif kind is InlineKind.OPEN:
            waiting.append(number)
        inlines.append(Inline(at, f"{kind}{number}", kind, element))
    return inlines


@st.composite
def spans(draw: st.DrawFn, length: int) -> Span:
    """A part of a text, with luck."""
    start, end = sorted((draw(st.integers(0, length)), draw(st.integers(0, length + 3))))
    return Span(start, end)


def test_links_beyond_the_text() -> None:
    """A link that goes on behind the end of the translation says no more than none."""
    inlines = [Inline(1, "<b>", InlineKind.OPEN, 0), Inline(2, "</b>", InlineKind.CLOSE, 0)]
    beyond = [Link(Span(1, 2), Span(3, 5))]
    assert place_inlines("11", inlines, beyond, "1111") == place_inlines("11", inlines, [], "1111")


@given(st.data())
def test_all_markup_comes_out_once_and_nested(data: st.DataObject) -> None:
    """Whatever the markup, the links and the target are: each inline once, in order, elements closed inside out."""
    texts = st.text(st.sampled_from("ab AB.,'-1 ü"), max_size=30)
    source, target = data.draw(texts), data.draw(texts)
    inlines = data.draw(markup(len(source)))
    pairs = st.builds(Link, spans(len(source)), spans(len(target)))
    placed = place_inlines(source, inlines, data.draw(st.lists(pairs, max_size=8)), target)
    assert sorted(inline.code for inline in placed) == sorted(inline.code for inline in inlines)
    assert all(0 <= one.at <= other.at <= max(len(target), 0) for one, other in pairwise(placed))
    if _crosses(inlines):
        return
    assert not _crosses(placed)


def _crosses(inlines: list[Inline] | tuple[Inline, ...]) -> bool:
    """Whether an element ends inside one that goes on; ends that lie elsewhere do not count."""
    opened = {inline.element for inline in inlines if inline.kind is InlineKind.OPEN}
    closed = {inline.element for inline in inlines if inline.kind is InlineKind.CLOSE}
    waiting = []
    for inline in inlines:
        if inline.kind is InlineKind.OPEN:
            waiting.append(inline.element)
        elif inline.kind is InlineKind.CLOSE:
            if inline.element in opened and (not waiting or waiting.pop() != inline.element):
                return True
            if inline.element not in opened and waiting:
                return True
    return any(element in closed for element in waiting)


def test_much_markup_takes_bounded_time() -> None:
    """Thousands of elements: inside each other, empty, with one end only, in one word, each around a word."""
    many = range(10_000)
    opening = [Inline(0, "(", InlineKind.OPEN, number) for number in many]
    closing = [Inline(3, ")", InlineKind.CLOSE, number) for number in reversed(many)]
    lots = ["ab " * 2000, "x" * 5000]
    steps = [3, 1]
    started = time.process_time()
    for inlines in ([*opening, *closing], opening, closing):
        assert len(place_inlines("a b c", inlines, [Link(Span(0, 1), Span(0, 1))], "x y z")) == len(inlines)
    for text, step in zip(lots, steps, strict=True):
        places = range(0, len(text), step)
        inlines = [
            inline
            for at in places
            for inline in (Inline(at, "(", InlineKind.OPEN, at), Inline(at + 1, ")", InlineKind.CLOSE, at))
        ]
        whole = Span(0, len(text))
        assert len(place_inlines(text, inlines, [Link(whole, whole)], text.upper())) == len(inlines)
    assert time.process_time() - started < _BOUND_S
