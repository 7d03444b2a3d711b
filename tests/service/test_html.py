"""Format html: what is text, what stays byte for byte, and that browsers see the same elements afterwards."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from service.formats import parse
from service.types import Format
from tests.service.documents import from_gallery, read_or_refuse, swapped, translate_document

if TYPE_CHECKING:
    import httpx


FLOOD = 10_000
"""Characters of hostile documents."""
BOUND_S = 5.0
"""Of the processor's time, for one; a tenth of a second on a quiet machine."""

SOUP = [
    *("<p>", "</p>", "<b>", "</b>", "<i class='a'>", "</i>", "<div>", "</div>", "<li>", "<ul>", "</ul>", "<br>"),
    *("<td>", "<tr>", "<table>", "</table>", "<a href=x title='a b'>", "</a>", "<img alt=a src=y>", "<!--c-->"),
    *("<code>", "</code>", "<span translate=no>", "</span>", "<script>", "</script>", "<title>", "</title>"),
    *("<svg>", "</svg>", "<pre>", "</pre>", "<select>", "<option>", "</select>", "<textarea>", "</textarea>"),
    *("<", ">", "&", "</", "<!", "<?", "'", '"', "=", "/", "<a b='", "&amp", "&#38;", "&#0;", "&nbsp;", "&notit;"),
    *("a", "Bc", "d e", " ", "\n", "\t", "\xa0", "1", ".", "ä", "\u00ad"),
]


def elements(source: str) -> list[tuple[str, dict[str, str | None]]]:
    """The elements of a page with their attributes, in order, as a browser's parser has them."""
    root = LexborHTMLParser(source).root
    assert root is not None
    return [(node.tag or "", dict(node.attributes)) for node in root.traverse()]


def test_attributes_are_text_on_request_only() -> None:
    """Without being asked to, only what stands between tags is text."""
    source = '<p title="A title">Text <img alt="A cat" src="Cat.png"> here</p><input placeholder=Name>'
    assert [block.text for block in parse(Format.HTML, source).blocks] == ["Text here"]
    texts = [block.text for block in parse(Format.HTML, source, attributes=True).blocks]
    assert texts == ["A title", "Text here", "A cat", "Name"]


def test_links_in_a_menu_are_texts_of_their_own() -> None:
    """Without a space between them they would be read as one word; with one, or with a dot, they are a sentence."""
    source = "<nav><a href=a>Home</a><a href=b>News</a></nav><p>See <a href=c>here</a> <a href=d>now</a></p>"
    assert [block.text for block in parse(Format.HTML, source).blocks] == ["Home", "News", "See here now"]


def test_attributes_are_written_as_they_must_be() -> None:
    """Quotes and references in a translated attribute cannot end it."""
    document = parse(Format.HTML, "<p><img alt=cat> Text</p>", attributes=True)
    image, text = document.blocks
    written = document.render([replace(image, text='a "b" & <c>'), text])
    assert written == '<p><img alt="a &quot;b&quot; &amp; &lt;c&gt;"> Text</p>'
    assert ("img", {"alt": 'a "b" & <c>'}) in elements(written)


def test_text_is_escaped() -> None:
    """No text can become markup."""
    document = parse(Format.HTML, "<p>One <b>two</b></p>")
    (block,) = document.blocks
    assert document.render([replace(block, text="<i>&lt;\xa0")]) == "<p>&lt;i&gt;&amp;<b>lt;</b>&nbsp;</p>"


def test_moved_markup_keeps_its_code_and_spaces() -> None:
    """A picture between words has a space on either side wherever it goes; kept code is written as it was."""
    source = "<p>Click <img src=a> the <code>a&nbsp;<b>b</b></code> now</p>"
    document = parse(Format.HTML, source)
    (block,) = document.blocks
    assert block.text == "Click the a\xa0b now"
    picture, opening, closing = block.inlines
    text = "Jetzt a\xa0b klicken"
    moved = (replace(opening, at=6), replace(closing, at=9), replace(picture, at=len(text) - 7))
    written = document.render([replace(block, text=text, inlines=moved)])
    assert written == "<p>Jetzt <code>a&nbsp;<b>b</b></code> <img src=a> klicken</p>"


@hypothesis_settings(deadline=None)
@given(st.lists(st.sampled_from(SOUP), max_size=25).map("".join), st.booleans())
def test_any_soup_comes_back_and_keeps_its_elements(source: str, attributes: bool) -> None:  # noqa: FBT001 - drawn
    """Own blocks give the source. With others, a browser's parser sees the same elements and attributes."""
    assert read_or_refuse(Format.HTML, source) == source
    if not attributes:
        assert elements(swapped(Format.HTML, source)) == elements(source)
    else:
        assert [tag for tag, _ in elements(swapped(Format.HTML, source, attributes=True))] == [
            tag for tag, _ in elements(source)
        ]


@pytest.mark.parametrize(
    "piece",
    [
        *("<b>x", "</b>", "<b><i></b>x", "<", "<a ", "<a x='", "&", "&#9", "<!--", "<?php ", "<svg>", "<code>x"),
        *("<code>x<br>", "<script>", "<title>", "<ul><li>a", "<p>a", "<div>", "<span translate=no>", "a<b></b>"),
        *("<a =", " ", "\u00ad", "<table>", "<select><option>a", "<pre>a"),
    ],
)
def test_floods_take_bounded_time(piece: str) -> None:
    """Hostile HTML, read, written and rewritten; quadratic time would be minutes."""
    source = piece * (FLOOD // len(piece))
    started = time.process_time()
    assert read_or_refuse(Format.HTML, source) == source
    swapped(Format.HTML, source)
    assert time.process_time() - started < BOUND_S


def test_long_numbers_and_attributes_take_bounded_time() -> None:
    """A character reference with very many digits, a tag with very many attributes."""
    started = time.process_time()
    digits = "9" * FLOOD
    assert parse(Format.HTML, f"<p>a&#{digits};&#x{digits};</p>").blocks[0].text == "a\ufffd\ufffd"
    assert len(parse(Format.HTML, f"<p {'a=b ' * (FLOOD // 4)}>x</p>", attributes=True).blocks) == 1
    assert time.process_time() - started < BOUND_S


def test_service_translates_a_page(client: httpx.Client) -> None:
    """The whole way: text translated, tags around the translations of their words, the rest untouched."""
    source = (
        '<div class="a"><p>The <b>red car</b> is in the <a href="/g?a=1&b=2">garden</a>.</p>\n'
        '<p translate="no">The house.</p><pre>The  house.</pre><p>Call <code>run_all()</code> now.</p></div>'
    )
    written = translate_document(client, Format.HTML, source)
    assert "Auto</b>" in written
    assert '<a href="/g?a=1&b=2">Garten</a>' in written
    assert '</p>\n<p translate="no">The house.</p><pre>The  house.</pre><p>' in written
    assert "<code>run_all()</code>" in written
    assert sorted(map(str, elements(written))) == sorted(map(str, elements(source)))


def test_service_keeps_the_structure_of_a_page(client: httpx.Client) -> None:
    """The page of the gallery translated: a browser's parser sees the same elements with the same attributes."""
    source = from_gallery("page.html")
    written = translate_document(client, Format.HTML, source)
    assert sorted(map(str, elements(written))) == sorted(map(str, elements(source)))
    assert written.count("not text") == source.count("not text")
    assert "Our" not in written
