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
    *("<%", "<%= a %>", "{{", "}}", "{% a < b %}", "<a <%= b %>>", "<label>", "</label>", " | "),
    *("<?= a ?>", "@if (", ")", "<my-a>", "</my-a>"),
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


@pytest.mark.parametrize(
    ("source", "texts"),
    [
        ("<nav><a href=a>Home</a><a href=b>News</a></nav>", ["Home", "News"]),
        ("<nav>\n<a href=a>Home</a>\n<a href=b>Our <b>news</b></a>&nbsp;\n</nav>", ["Home", "Our news"]),
        ("<p><a href=a>Home</a> | <i><a href=b>News</a></i> &middot; <a href=c>Us</a></p>", ["Home", "News", "Us"]),
        ("<div>\n<my-x>Save it</my-x>\n<slot>The <b>end</b></slot>\n</div>", ["Save it", "The end"]),
        ("<my-card><my-title>One</my-title><my-text>Two</my-text></my-card>", ["One", "Two"]),
        ("<p>The <my-x>word</my-x> of the <my-y>day</my-y></p>", ["The word of the day"]),
        ("<p>Follow us: <a href=a>News</a> <a href=b>Letters</a></p>", ["Follow us:", "News", "Letters"]),
        ("<a href=a>Home</a> <a href=b>News</a><br>Text <a href=c>here</a>", ["Home", "News", "Text here"]),
        ("<label><input type=radio> Dogs</label> <label><input type=radio> Cats</label>", ["Dogs", "Cats"]),
        ("<p>See <a href=a>here</a><a href=b>there</a>", ["See here", "there"]),
        ("<p>See <a href=a>here</a> <a href=b>now</a></p>", ["See here now"]),
        ("<p><a href=a>Red</a> <a href=b>cars</a> are here.</p>", ["Red cars are here."]),
        ("<p><a href=a>Red</a>. <a href=b>Cars</a></p>", ["Red. Cars"]),
        ("<p>More about this: <a href=a>here</a></p>", ["More about this: here"]),
        ("<a name=top><p>See <a href=a>here</a> <a href=b>now</a></p>", ["See here now"]),
    ],
)
def test_links_in_a_menu_are_texts_of_their_own(source: str, texts: list[str]) -> None:
    """Read as a sentence they would lose their words to one another; links among other words are one."""
    document = parse(Format.HTML, source)
    assert [block.text for block in document.blocks] == texts
    swapped = document.render([replace(block, text=block.text.swapcase()) for block in document.blocks])
    assert [block.text for block in parse(Format.HTML, swapped).blocks] == [text.swapcase() for text in texts]


@pytest.mark.parametrize(
    "tag",
    [
        *("<%= user.name %>", "<% if a > b && c %>", '<%= link_to "<b>x</b>", "/" %>', "<%-- <p>why</p> --%>"),
        *("{{> user}}", "{{{ user & co }}}", "{{ a &lt; b }}", "{% if a && b < 3 %}", "{# a & b #}", "{{> a}}<%= b %>"),
        *("@if (a > b && f(c) < 3) {", "@foreach($users as $user)", "<?= $a->b('<i>') ?>", "<?php echo $a; ?>"),
    ],
)
def test_tags_of_templates_are_kept_as_they_are_written(tag: str) -> None:
    """Nothing in them is escaped or read as markup, and where their text goes they go; alone they are no text."""
    document = parse(Format.HTML, f"<p>Hello <i>{tag}</i>, now</p><p>{tag}</p>")
    (block,) = document.blocks
    assert block.text == f"Hello {tag}, now"
    assert [block.text[span.start : span.end] for span in block.kept] == [tag]
    moved = tuple(replace(inline, at=inline.at - len("Hello ")) for inline in block.inlines)
    written = document.render([replace(block, text=f"{tag}, < jetzt", inlines=moved)])
    assert written == f"<p><i>{tag}</i>, &lt; jetzt</p><p>{tag}</p>"


def test_tags_of_templates_within_tags() -> None:
    """What they hold does not end the tag that they are in; an attribute that could not keep its own is no text."""
    source = "<select><option <%= 'selected' if a > b %>>One</select><p>It is <5 and <% 3</p>"
    assert [block.text for block in parse(Format.HTML, source).blocks] == ["One", "It is <5 and <% 3"]
    source = "<img alt='Our {{ name }}'><img alt='Our {{ \"name\" }}'><img alt='Our <%= name %>'>"
    assert [block.text for block in parse(Format.HTML, source, attributes=True).blocks] == ["Our {{ name }}"]


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
        *("<%", "<%x%>", "<a <%", "<a <%x%>", "{{", "{{x}}a", "{%", "{#", "{{{", "<a>x</a> ", "<a>x</a>: ", "<label>a"),
        *("@if (", "@if ((a)", "@if (a) {", "<?= a ?>b"),
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
