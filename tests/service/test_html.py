"""Format html: what is text, what stays byte for byte, and that browsers see the same elements afterwards."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from service.formats import parse
from service.types import Format
from tests.service.documents import from_gallery, read_or_refuse, rewrite, swapped, translate_document

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
    *("<?= a ?>", "@if (", ")", "<my-a>", "</my-a>", "<sup>", "</sup>", "<iframe title=a>", "</iframe>"),
]


def elements(source: str) -> list[tuple[str, dict[str, str | None]]]:
    """The elements of a page with their attributes, in order, as a browser's parser has them."""
    root = LexborHTMLParser(source).root
    assert root is not None
    return [(node.tag or "", dict(node.attributes)) for node in root.traverse()]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('<!doctype html><HTML class=a lang="en">', '<!doctype html><HTML class=a lang="de">'),
        ("<html xml:lang='en-GB' lang=en>", "<html xml:lang='de' lang=de>"),
        ('<p>A</p><html lang="EN_us"><html lang="en">', '<p>a</p><html lang="de"><html lang="en">'),
        ('<html lang="en" title="{{ en }}"><!-- A -->', '<html lang="de" title="{{ en }}"><!-- A -->'),
    ],
)
def test_the_language_of_a_page(before: str, after: str) -> None:
    """Where html names the source language, it names the target language then; quotes stay."""
    text = '<q lang="en">{} <i lang=en>{}</i></q>'
    written = rewrite(Format.HTML, before + text.format("A", "B"), str.lower, ("en", "de"))
    assert written == after + text.format("a", "b")


@pytest.mark.parametrize(
    "tag",
    [
        *('<html lang="de">', '<html lang="fr">', '<html lang="end">', '<html lang="">', "<html>", '<body lang="en">'),
        *('<html lang="{{ en }}">', '<html data-lang="en">', "<!--<html lang=en>-->", '<html-a lang="en">'),
    ],
)
def test_other_languages_stay(tag: str) -> None:
    """What html says is left alone where it is not the source language; so is every other element, and a comment."""
    assert rewrite(Format.HTML, f"{tag}<p>A</p>", str.lower, ("en", "de")) == f"{tag}<p>a</p>"
    untouched = '<html lang="en" translate="no"><p>A</p>'
    assert rewrite(Format.HTML, untouched, str.lower, ("en", "de")) == untouched


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
        ("<nav><a href=a>&laquo; Back</a><b>1</b><a href=b>2</a><i>…</i><a href=c>Next</a></nav>", ["« Back", "Next"]),
        ("<i>Price: <b>5 €</b></i><b>35</b><a href=a>Buy it</a>", ["Price: 5 €35", "Buy it"]),
        ("<a href=a>Back</a><b><i>1</i></b>", ["Back"]),
        ("<p><a href=a>H</a><sub>2</sub>O and <a href=b>m</a><sup>two</sup></p>", ["H2O and mtwo"]),
        ("<p><a href=a>See</a><i> it</i><i>, </i><a href=b>here</a><sup>2</sup><b>!</b></p>", ["See it, here!"]),
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
        *("<%= user.name %>", "<%# if a > b && c %>", '<%= link_to "<b>x</b>", "/" %>', "<%-- <p>why</p> --%>"),
        *(
            "{{> user}}",
            "{{{ user & co }}}",
            "{{ a &lt; b }}",
            "{% url a && b < 3 %}",
            "{# a & b #}",
            "{{> a}}<%= b %>",
        ),
        *(
            "<?= $a->b('<i>') ?>",
            "<?php echo $a; ?>",
            '<@a b="c"/>',
            "{{> if }}",
            "{@html a}",
            "{% trans 'a' %}",
            "{{ block('a') }}",
        ),
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


@pytest.mark.parametrize(
    ("source", "texts"),
    [
        ("Hi {% if a && b < 3 %}one{% else %}{{ n }} two{% endif %} now", ["Hi", "one", "{{ n }} two", "now"]),
        ("<b>It</b>\n{{#if a}}<p>is</p>{{/if}}", ["It", "is"]),
        ("Hi {{#each a}}{{b}}{{^c}}, {{/c}}{{else}}no{{/each}} now", ["Hi", "no", "now"]),
        ("Hi {{- if .A }} one {{ else }} two {{ end -}} now", ["Hi", "one", "two", "now"]),
        ("Hi <% if a > b { %>one<% } %> now", ["Hi", "one", "now"]),
        ("Hi <?php if ($a > 1): ?>one<?php endif; ?> now", ["Hi", "one", "now"]),
        ("@if (a > b && f(c) < 3) { <b>one</b> } @else { <b>two</b> }", ["one }", "two }"]),
        ("@foreach($users as $user) one @endforeach", ["one @endforeach"]),
        ("{#if a}one{:else if b}two{/if} now", ["one", "two", "now"]),
        ("{if $a}one{else}two{/if}, {foreach $a as $b}{$b}{/foreach} now", ["one", "two", "{$b}", "now"]),
        ('<#if a?? && b gt "1">one<#else>two</#if> now', ["one", "two", "now"]),
        ("{{ n }} day{% if n > 1 %}s{% endif %} left", ["{{ n }} day", "left"]),
        ("Hi{{ a@b }}all{{ c }} now", ["Hi{{ a@b }}all{{ c }} now"]),
        ("Hi{% if a %}{{ b }}all{{ c }} now{% endif %}", ["Hi", "{{ b }}all{{ c }} now"]),
        ("Hi <@a>you</@a> now", ["Hi", "you", "now"]),
        ("{% if a %}Yes{% else %}No{% endif %}", ["Yes", "No"]),
        ("{% blocktrans with a=b %}Hi {{ a }}{% endblocktrans %}, you", ["Hi {{ a }}", ", you"]),
    ],
)
def test_tags_of_templates_that_part_texts(source: str, texts: list[str]) -> None:
    """Read as one sentence, words would get to where another condition holds."""
    assert [block.text for block in parse(Format.HTML, source).blocks] == texts
    assert [block.text for block in parse(Format.HTML, swapped(Format.HTML, source)).blocks] == [
        swapped(Format.TEXT, text) if "{{" not in text else swapped(Format.HTML, text) for text in texts
    ]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            '<a><i class="left material-icons">send</i> Send it</a>',
            '<a><i class="left material-icons">send</i> sEND IT</a>',
        ),
        ("<mat-icon>home</mat-icon> Home", "<mat-icon>home</mat-icon> hOME"),
        ("<?xml version='1.0'?><p>My <mat-icon/>home</p>", "<?xml version='1.0'?><p>mY <mat-icon/>HOME</p>"),
        ("<p class=material-symbols-outlined>home", "<p class=material-symbols-outlined>HOME"),
        ('<i class="immaterial-icons">home</i>', '<i class="immaterial-icons">HOME</i>'),
    ],
)
def test_names_of_icons_are_no_text(source: str, expected: str) -> None:
    """A browser shows pictures for them."""
    assert swapped(Format.HTML, source) == expected


def test_tags_of_templates_within_tags() -> None:
    """What they hold does not end the tag that they are in; an attribute that could not keep its own is no text."""
    source = "<select><option <%= 'selected' if a > b %>>One</select><p>It is <5 and <% 3</p>"
    assert [block.text for block in parse(Format.HTML, source).blocks] == ["One", "It is <5 and <% 3"]
    source = "<img alt='Our {{ name }}'><img alt='Our {{ \"name\" }}'><img alt='Our <%= name %>'>"
    assert [block.text for block in parse(Format.HTML, source, attributes=True).blocks] == ["Our {{ name }}"]
    source = '<img alt="{% trans "One" %}"><img alt="It is {{ _("a") }}"><input type=submit value="{{ a|b:"c" }} d">'
    assert not parse(Format.HTML, source, attributes=True).blocks


def test_attributes_are_written_as_they_must_be() -> None:
    """Quotes and references in a translated attribute cannot end it."""
    document = parse(Format.HTML, "<p><img alt=cat> Text</p>", attributes=True)
    image, text = document.blocks
    written = document.render([replace(image, text='a "b" & <c>'), text])
    assert written == '<p><img alt="a &quot;b&quot; &amp; &lt;c&gt;"> Text</p>'
    assert ("img", {"alt": 'a "b" & <c>'}) in elements(written)


def test_text_is_escaped() -> None:
    """No text can become markup, and XHTML reads what is written."""
    document = parse(Format.HTML, "<p>One <b>two</b></p>")
    (block,) = document.blocks
    assert document.render([replace(block, text="<i>&lt;\xa0")]) == "<p>&lt;i&gt;&amp;<b>lt;</b>&#160;</p>"


@pytest.mark.parametrize(
    ("source", "text", "written"),
    [
        ("Copyright&nbsp;&copy;&nbsp;2024", "Copyright © 2024", "Copyright&#160;©&#160;2024"),
        ("It weighs 1.5\xa0kg, we think.", "Es wiegt, denken wir, 1,5 kg.", "Es wiegt, denken wir, 1,5&#160;kg."),
        ("A&nbsp;dog of 5 kg", "Ein Hund von 5 kg", "Ein Hund von 5 kg"),
    ],
)
def test_a_hard_space_stays_between_what_it_holds(source: str, text: str, written: str) -> None:
    """Where the translation has the same on both sides, or a number before it; the network reads it as any space."""
    assert rewrite(Format.HTML, source, lambda _: text) == written


@pytest.mark.parametrize(
    "filling", ["&nbsp;&zwnj;", "&#847; &shy;", "\u034f\u200c\xa0", "&#8199;&#xFEFF;&ZeroWidthSpace;"]
)
@pytest.mark.parametrize("around", ["{}", "<span>{}</span>", "<b>{}</b> <i></i>"])
def test_what_fills_up_a_line_stays(filling: str, around: str) -> None:
    """Mails have blanks without width behind the text that is shown before they are opened."""
    rest = around.format(filling * 50)
    for source in (f"<div>One offer{rest}</div>", f"<div>{rest}One offer</div>"):
        assert [block.text for block in parse(Format.HTML, source).blocks] == ["One offer"]
        assert swapped(Format.HTML, source) == source.replace("One offer", "oNE OFFER")


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


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("Click <i class=save></i> to save.", "Jetzt <i class=save></i> klicken."),
        ("Click <a name=x><i></i></a> to save.", "Jetzt <a name=x><i></i></a> klicken."),
        ("Click <i></i><svg></svg> to save.", "Jetzt <i></i><svg></svg> klicken."),
        ("Click <textarea></textarea> to save.", "Jetzt <textarea></textarea> klicken."),
        ("Click <my-icon/> to save.", "Jetzt <my-icon/> klicken."),
        ("Click <i class='save'/> to save.", "Jetzt <i class='save'/> klicken."),
        ("Click <kbd></kbd> to save.", "Jetzt <kbd></kbd> klicken."),
        ("Click <i class=save></i>to save.", "Jetzt <i class=save></i>klicken."),
        ("Click<i class=save></i> to save.", "Jetzt <i class=save></i>klicken."),
        ("Click <!-- here --> to save.", "Jetzt <!-- here -->klicken."),
        ("Click <b>now</b> to save.", "Jetzt <b></b>klicken."),
    ],
)
def test_elements_without_text_keep_the_space_on_either_side(source: str, expected: str) -> None:
    """An icon between words does not stick to one of them wherever it goes; what had a word beside it still may."""
    document = parse(Format.HTML, source)
    (block,) = document.blocks
    assert "  " not in block.text
    moved = tuple(replace(inline, at=len("Jetzt ")) for inline in block.inlines)
    assert document.render([replace(block, text="Jetzt klicken.", inlines=moved)]) == expected


XHTML = '<html xmlns="http://www.w3.org/1999/xhtml"><body>{}</body></html>'


@pytest.mark.parametrize(
    ("source", "texts"),
    [
        ('<?xml version="1.0"?><html><head><title/></head><body><p>One</p></body></html>', ["One"]),
        (XHTML.format("<script src='a'/><p>One</p><iframe/><p>Two <textarea/> three</p>"), ["One", "Two three"]),
        (XHTML.format("<p/><p>One <code/> two <i/> three<a/></p><div/>Four <b>five</b>"),
         ["One two three", "Four five"]),
        (XHTML.format("<p><code lang=en/>One</code></p>"), []),
        ("<p>One</p><script src='a'/><p>Two</p>", ["One"]),
    ],
)  # fmt: skip
def test_what_ends_an_element_in_xhtml(source: str, texts: list[str]) -> None:
    """There any start tag may be the end, too; elsewhere a script goes on, as in browsers."""
    assert [block.text for block in parse(Format.HTML, source).blocks] == texts
    assert elements(swapped(Format.HTML, source)) == elements(source)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("It is true<sup>4</sup>.", "It is true."),
        ("In Berlin<sup>5</sup> in 1950.", "In Berlin in 1950."),
        ("It is true.<sup>4, 5</sup> He left.", "It is true. He left."),
        ("It is true<sup>[4]</sup><sup>[5]</sup>.", "It is true."),
        ("In <b>Berlin</b><sup id=r><a href=#n><span>&#91;</span>1<span>]</span></a></sup> it is.", "In Berlin it is."),
        ("In Berlin<a href=#n><sup>1</sup></a><a href=#m><sup>2</sup></a> in 1950.", "In Berlin in 1950."),
        ("In 1950<sup><a href=#n>1</a></sup> or <i>so</i><sup>*)</sup>.", "In 1950 or so."),
        ("Tax<sup>*</sup> and costs<sup>†</sup>, both<sup>[note 2]</sup>.", "Tax and costs, both."),
        ("All of 10 m<sup>2</sup>, 10 km<sup>2</sup>, H<sub>2</sub>O.", "All of 10 m2, 10 km2, H2O."),
        ("So 10<sup>6</sup>, x<sup>2</sup> and CO<sub>2</sub>.", "So 106, x2 and CO2."),
        ("The 20<sup>th</sup>, my page<sup>new</sup>.", "The 20th, my pagenew."),
        ("So sin<sup>2</sup>x, the <sup>14</sup>C.", "So sin2x, the 14C."),
        ("It is true<a href=#n>4</a>, or <a href=#m><sup>4</sup> not</a>.", "It is true4, or 4 not."),
        ("<sup>1</sup> It is true<sup>4<p>x</p></sup>", "1 It is true4"),
    ],
)
def test_footnote_marks_are_no_part_of_a_word(source: str, text: str) -> None:
    """What points to a note is hidden from the network, and comes back where it was; exponents are read."""
    document = parse(Format.HTML, source)
    assert document.blocks[0].text == text
    assert elements(swapped(Format.HTML, source)) == elements(source)
    marks = [inline for inline in document.blocks[0].inlines if "sup>" in inline.code and inline.kind == "single"]
    assert bool(marks) == ("".join(re.findall(r"\w", re.sub("<.*?>", "", source))) != "".join(re.findall(r"\w", text)))


@pytest.mark.parametrize(
    ("source", "texts"),
    [
        ("<textarea placeholder='Your message' aria-label=Message>Text</textarea>", ["Your message", "Message"]),
        ("<p>One <svg aria-label='A car'><title>Two</title></svg> three</p>", ["One three", "A car"]),
        ("<iframe title='A map' src=x></iframe>", ["A map"]),
        ("<p>In Berlin<sup title='A note'>[1]</sup> now</p>", ["In Berlin now", "A note"]),
        ("<textarea translate=no placeholder=Name></textarea>", []),
        ("<div translate=no><iframe title=Name></iframe></div>", []),
        ("<script title=Name></script><style title=Name></style>", []),
    ],
)
def test_attributes_of_elements_that_are_not_read(source: str, texts: list[str]) -> None:
    """What is in them stays as it is; what their start tags say to people is text on request."""
    document = parse(Format.HTML, source, attributes=True)
    assert [block.text for block in document.blocks] == texts
    after = swapped(Format.HTML, source, attributes=True)
    assert re.sub("Text|Two|<.*?>", "", after).swapcase() == re.sub("Text|Two|<.*?>", "", source)
    assert [block.text for block in parse(Format.HTML, after, attributes=True).blocks] == list(map(str.swapcase, texts))


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
        *("a&nbsp;", "&zwnj;&nbsp;", "<html xmlns "),
        *("<a =", " ", "\u00ad", "<table>", "<select><option>a", "<pre>a"),
        *("<%", "<%x%>", "<a <%", "<a <%x%>", "{{", "{{x}}a", "{%", "{#", "{{{", "<a>x</a> ", "<a>x</a>: ", "<label>a"),
        *(
            "@if (",
            "@if ((a)",
            "@if (a) {",
            "<?= a ?>b",
            "{% if a %}",
            "{{#a}}b",
            "{{a}}{%else%}",
            "{#if a}",
            "{if ",
            "{:a",
            "<#if ",
            "<#if '",
            "<#a>b",
            "<mat-icon>a",
        ),
        *("ab<sup>1</sup>", "ab<sup>1", "<a><sup>", "<i></i> ", "<textarea title=a></textarea>"),
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


@pytest.mark.parametrize(
    ("source", "texts"),
    [
        ("<b>Size:</b> Big <b>Price:</b> Low <b>Age:</b> Old", ["Size: Big", "Price: Low", "Age: Old"]),
        ("<p>A<p><i>a</i> <b>Size:</b> Big <b>Price:</b> Low", ["A", "a Size: Big Price: Low"]),
        ("The <b>Size:</b> field and the <b>Price:</b> field", ["The Size: field and the Price: field"]),
    ],
)
def test_labels_with_their_values_are_texts_of_their_own(source: str, texts: list[str]) -> None:
    """If a bold one begins the line; within a sentence they are its words."""
    assert [block.text for block in parse(Format.HTML, source).blocks] == texts


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


@pytest.mark.parametrize(
    ("direction", "source", "expected"),
    [
        ("en-de", "<p>You should <b>not</b> close the <i>door</i>.</p>", ["<b>nicht</b>", "<i>Tür</i>"]),
        ("en-de", "<p>I have <b>never</b> seen <i>the dog</i> before.</p>", ["<b>nie</b>", "Hund</i>"]),
        ("de-en", "<p>Sie dürfen das Fenster <b>nicht</b> öffnen.</p>", ["<b>not</b>"]),
        ("en-de", "<p>Merry <b>Christmas</b>!</p>", ["<b>Weihnachten</b>"]),
        ("de-en", "<p>Nur <b>5 €</b> pro Monat</p>", ["<b>€5</b>"]),
        ("de-en", "<p>Das <b>Benutzerkonto</b> wurde gelöscht.</p>", ["<b>user account</b>"]),
        ("en-de", "<p>Our appointment is on <b>June 3</b> at <i>2:30 PM</i>.</p>", ["<b>3. Juni</b>", "<i>14:30"]),
    ],
)
def test_markup_follows_words_that_move(client: httpx.Client, direction: str, source: str, expected: list[str]) -> None:
    """Over HTTP: "not" stands elsewhere in German, and so does the sign of a currency."""
    written = translate_document(client, Format.HTML, source, direction=direction)
    assert [one for one in expected if one not in written] == []


def test_service_keeps_the_structure_of_a_page(client: httpx.Client) -> None:
    """The page of the gallery translated: a browser's parser sees the same elements and attributes, but for `lang`."""
    source = from_gallery("page.html")
    written = translate_document(client, Format.HTML, source)
    source = source.replace('<html lang="en">', '<html lang="de">')
    assert sorted(map(str, elements(written))) == sorted(map(str, elements(source)))
    assert written.count("not text") == source.count("not text")
    assert "Our" not in written
