"""Blocks put together again: text between its gaps, markup in one piece, whatever became of the words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.pipeline.assembly import assemble, in_lines
from service.pipeline.segmentation.sentences import segment
from service.pipeline.tokenisation import tokenise
from service.types import Block, Inline, InlineKind, Link, Span, Written

if TYPE_CHECKING:
    from service.app import Loaded
    from service.pipeline.pieces import Tokenised

TEXTS = (
    "Hello world. How are you?  I am fine.\n\n- A dog. 42. ",
    "x",
    "  a b. C d e f! ",
    "One.Two three",
    "A very long sentence, with commas, and more words; that is cut at clauses, since it has more than fit.",
)


def markup(data: st.DataObject, low: int, high: int, depth: int = 0) -> list[Inline]:
    """Elements within elements, empty and crossing sentences too, and single marks."""
    inlines: list[Inline] = []
    places = sorted(data.draw(st.lists(st.integers(low, high), max_size=5)))
    while places:
        start = places.pop(0)
        name = f"{depth}.{len(inlines)}.{start}"
        number = hash(name)
        if not places or depth > 2 or data.draw(st.booleans()):
            inlines.append(Inline(start, f"<{name}/>", InlineKind.SINGLE, number))
        else:
            end = places.pop(0)
            inlines.append(Inline(start, f"<{name}>", InlineKind.OPEN, number))
            inlines += markup(data, start, end, depth + 1)
            inlines.append(Inline(end, f"</{name}>", InlineKind.CLOSE, number))
    return inlines


def rewritten(data: st.DataObject, source: str) -> Written:
    """Some of the words in another order, and links between anything."""
    target = " ".join([*data.draw(st.permutations(source.split()))[: data.draw(st.integers(0, 9))], "neu"])
    spans = st.integers(0, 99).flatmap(lambda start: st.tuples(st.just(start), st.integers(start + 1, start + 9)))
    links = [
        Link(Span(min(a, len(source) - 1), min(b, len(source))), Span(min(c, len(target) - 1), min(d, len(target))))
        for (a, b), (c, d) in data.draw(st.lists(st.tuples(spans, spans), max_size=5))
    ]
    return Written(target, 1.0, links)


def read(text: str, loaded: Loaded) -> Tokenised:
    """In pieces of at most 20 tokens."""
    return tokenise(segment(text, "en"), loaded.bundle.tokenizer, max_tokens=20)


@given(text=st.sampled_from(TEXTS), data=st.data())
def test_all_markup_comes_out_once_and_nested(loaded: Loaded, text: str, data: st.DataObject) -> None:
    """Also where elements cross sentences, and where words are lost."""
    inlines, tokenised = markup(data, 0, len(text)), read(text, loaded)
    written = [rewritten(data, piece.text) for piece in tokenised.pieces if piece.ids]
    block = assemble(Block(text, tuple(inlines)), tokenised, iter(written)).block
    assert sorted(one.code for one in block.inlines) == sorted(one.code for one in inlines)
    places = [one.at for one in block.inlines]
    assert places == sorted(places)
    assert all(0 <= place <= len(block.text) for place in places)
    opened: list[int] = []
    for one in block.inlines:
        if one.kind is InlineKind.OPEN:
            opened.append(one.element)
        elif one.kind is InlineKind.CLOSE:
            assert opened.pop() == one.element
    assert not opened


@given(text=st.sampled_from(TEXTS), data=st.data())
def test_what_is_not_changed_stays_where_it_is(loaded: Loaded, text: str, data: st.DataObject) -> None:
    """A translation equal to its source gives the block back, markup and all."""
    block, tokenised = Block(text, tuple(markup(data, 0, len(text)))), read(text, loaded)
    written = [Written(piece.text, 1.0) for piece in tokenised.pieces if piece.ids]
    assert assemble(block, tokenised, iter(written)).block == block


@pytest.mark.parametrize(
    ("text", "written", "expected"),
    [
        ("Call me!!! Now!!", ["Ruf mich an.", "Jetzt"], "Ruf mich an!!! Jetzt!!"),
        ("Call me!!! Now???", ["Ruf mich an!", "Jetzt!"], "Ruf mich an!!! Jetzt!??"),
        (
            "Call me!!!\nCall me! Call me",
            ["Ruf mich an.", "Ruf mich an.", "Ruf an"],
            "Ruf mich an!!!\nRuf mich an. Ruf an",
        ),
        ("He waits... What???", ["Er wartet...", "Was..."], "Er wartet... Was...???"),
        ("Call me!!!", [""], "!!"),
    ],
)
def test_a_run_of_marks_is_as_long_as_it_was(loaded: Loaded, text: str, written: list[str], expected: str) -> None:
    """The network reads the first mark alone; what it writes for that is not left before the others."""
    tokenised = read(text, loaded)
    ended = list(in_lines([tokenised], (Written(one, 1.0, alternatives=("Ruf an.", "Ruf an!")) for one in written)))
    assert assemble(Block(text, ()), tokenised, iter(ended)).block.text == expected
    assert all(one.text not in one.alternatives for one in ended)


def test_others_end_as_the_translation_does(loaded: Loaded) -> None:
    """Each has the mark that was read, once, whatever the network wrote for it; those alike then are told once."""
    written = Written("Komm!", 1.0, alternatives=("Geh.", "Geh!", "Kommt?", "Komm."))
    (ended,) = in_lines([read("Come!!!", loaded)], iter([written]))
    assert (ended.text, ended.alternatives) == ("Komm!", ("Geh!", "Kommt?"))


KEPT = "Look at `a. B\n- c` now. And {x y z} there. Then go."


@pytest.mark.parametrize("max_tokens", [8, 20])
def test_what_is_kept_is_in_one_piece(loaded: Loaded, max_tokens: int) -> None:
    """No sentence ends within it, however it looks, and no cut is made there; together the pieces are the text."""
    kept = (Span(8, 18), Span(28, 35))
    strings = [KEPT[span.start : span.end] for span in kept]
    assert strings == ["`a. B\n- c`", "{x y z}"]
    segmented = segment(KEPT, "en", kept)
    assert [sum(string in sentence for sentence in segmented.sentences) for string in strings] == [1, 1]
    tokenised = tokenise(segmented, loaded.bundle.tokenizer, max_tokens=max_tokens, kept=kept)
    assert [sum(string in piece.text for piece in tokenised.pieces) for string in strings] == [1, 1]
    parts = [part for gap, piece in zip(tokenised.gaps, tokenised.pieces, strict=False) for part in (gap, piece.text)]
    assert "".join([*parts, tokenised.gaps[-1]]) == KEPT
