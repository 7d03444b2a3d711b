"""Format markdown: what is text, what stays byte for byte, and that a parser sees the same document afterwards."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from service.formats import parse
from service.types import Format
from tests.service.documents import from_gallery, read_or_refuse, rewrite, swapped, translate_document

if TYPE_CHECKING:
    import httpx
    from markdown_it.token import Token


FLOOD = 5_000
"""Characters of hostile documents."""
BOUND_S = 5.0
"""Of the processor's time, for one; a tenth of a second on a quiet machine."""

EMPHASIS = ("em_open ", "strong_open ", "s_open ")
READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])

SOUP = [
    *("*", "**", "_", "__", "~~", "`", "``", "[", "]", "(", ")", "![", "](x)", "](<y> 't')", "[a]", "[a]: /u\n", "<b>"),
    *("</b>", "<br>", "<!--c-->", "<http://a.b>", "<div>", "&amp;", "&#42;", "\\", "\\*", "|", "a|b\n-|-\n", "|c|d|\n"),
    *(
        "# ",
        "## ",
        " #",
        "> ",
        "- ",
        "1. ",
        "+ ",
        "    ",
        "\t",
        "\n",
        "\n\n",
        "  \n",
        "\\\n",
        "---\n",
        "===\n",
        "```\n",
    ),
    *("~~~\n", "[ ] ", "[^1]", "[^1]: ", "[!NOTE]", "\n:::", "\n: ", "$$", "a", "Bc", "d e", " ", "ä", "1", ".", "!"),
    *(":", "\r\n", "<kbd>x</kbd>"),
]
TEXTS = st.lists(st.sampled_from([*SOUP, "=", "#", "a", "b", " "]), min_size=1, max_size=8).map("".join)


def outline(source: str) -> tuple[list[str], Counter[str]]:
    """The blocks of a document in order, and its links, pictures, code and emphasis."""
    tokens = READER.parse(source)
    blocks = [f"{token.type} {token.tag} {token.attrs}" for token in tokens if token.type != "inline"]
    inner = (inner for token in tokens for inner in token.children or ())
    return blocks, Counter(
        f"{token.type} {token.attrs.get('href') or token.attrs.get('src') or ''}"
        for token in inner
        if token.type in {"link_open", "image", "code_inline", "em_open", "strong_open", "s_open"}
    )


def words(source: str) -> str:
    """What people read, without white space."""
    return "".join("".join(map(_text, token.children or ())) for token in READER.parse(source))


def _text(token: Token) -> str:
    return "".join(token.content.split()) if token.type in {"text", "code_inline"} else ""


@pytest.mark.parametrize("icon", ["<icon/>", '<Icon name="a" />', "<kbd></kbd>"])
def test_elements_without_text_keep_the_space_on_either_side(icon: str) -> None:
    """Where they go, they stick to no word."""
    document = parse(Format.MARKDOWN, f"Click {icon} to save.\n")
    (block,) = document.blocks
    moved = tuple(replace(inline, at=len("Jetzt ")) for inline in block.inlines)
    assert document.render([replace(block, text="Jetzt klicken.", inlines=moved)]) == f"Jetzt {icon} klicken.\n"


@pytest.mark.parametrize(
    ("source", "texts"),
    [
        ("> **Note**\n> You need it.\n", ["Note", "You need it."]),
        ("**Note:**\n`a` is needed.\n", ["Note:", "a is needed."]),
        ("__Note__:\nA b.\n", ["Note:", "A b."]),
        ("**Note**\nof the author\n", ["Note of the author"]),
        ("This is\n**a note**\nThat is.\n", ["This is a note That is."]),
        ("**A** note **B**\nThat is.\n", ["A note B That is."]),
        (f"**{'Long line ' * 6}here**\nThat is.\n", [f"{'Long line ' * 6}here That is."]),
    ],
)
def test_a_bold_line_that_begins_a_block_is_a_title(source: str, texts: list[str]) -> None:
    """What follows it is no part of its sentence; but a line that was broken for its length goes on."""
    assert [block.text for block in parse(Format.MARKDOWN, source).blocks] == texts


def test_tabs_before_the_lines_of_a_paragraph_are_no_text() -> None:
    """Where a list is within a tab, too, of which the parser leaves some spaces."""
    assert swapped(Format.MARKDOWN, "* A\n\t`b` c\n\t\td\n\n1.\tA\n\n\tb\n") == "* a `b` C D\n\n1.\ta\n\n\tB\n"


def test_line_ends_of_windows_are_kept() -> None:
    """With CR LF the gallery's document has the same text, and comes back byte for byte."""
    source = from_gallery("manual.md").replace("\n", "\r\n")
    assert swapped(Format.MARKDOWN, source) == from_gallery("manual.after.md").replace("\n", "\r\n")


@pytest.mark.parametrize(
    ("source", "text", "expected"),
    [
        pytest.param("A *b* c\n", "1. x", "1\\. x\n", id="no-list"),
        pytest.param("A\n", "- x", "\\- x\n", id="no-bullet"),
        pytest.param("A\n", "# x", "\\# x\n", id="no-heading"),
        pytest.param("# A\n", "1. x", "# 1. x\n", id="numbered-heading"),
        pytest.param("# A #\n", "x #", "# x \\# #\n", id="end-of-heading"),
        pytest.param("A\n", "> x", "\\> x\n", id="no-quotation"),
        pytest.param("A\n", "2 * 3 a_b *c* __d", "2 * 3 a_b \\*c\\* \\_\\_d\n", id="no-emphasis"),
        pytest.param("A\n", "[x](y) `z` <b> &lt;", "\\[x\\](y) &#96;z&#96; \\<b> &amp;lt;\n", id="no-markup"),
        pytest.param("|A|\n|-|\n", "x | y\\", "|x \\| y\\\\ |\n|-|\n", id="no-cell"),
        pytest.param("1|\n-|\nB|\n", "+ x", "1|\n-|\n\\+ x|\n", id="no-bullet-in-a-table"),
        pytest.param("A\n===\n", "x | y", "x &#124; y\n===\n", id="no-table"),
        pytest.param("A\n", "x\ny", "x y\n", id="one-line"),
        pytest.param("A [b](c)\n", "Hi!", "Hi\\![](c)\n", id="no-picture"),
    ],
)
def test_text_is_escaped_where_it_must_be(source: str, text: str, expected: str) -> None:
    """Text that looks like markup stays text; where it cannot be taken for any, it stays as it is."""
    document = parse(Format.MARKDOWN, source)
    (block,) = document.blocks
    inlines = tuple(replace(inline, at=len(text)) for inline in block.inlines)
    assert document.render([replace(block, text=text, inlines=inlines)]) == expected


@pytest.mark.parametrize(
    ("source", "text", "expected"),
    [
        pytest.param("At u.org/Mercury_(p).\n", "Bei u.org/Mercury_(p)!", "Bei u.org/Mercury_(p)!\n", id="address"),
        pytest.param("A $x_{i}^*$ b\n", "C $x_{i}^*$ d", "C $x_{i}^*$ d\n", id="formula"),
        pytest.param("A {{ b[0].c }} d\n", "D {{ b[0].c }}", "D {{ b[0].c }}\n", id="template"),
        pytest.param("See the [[ Home]].\n", "Sieh die [[ Startseite]].", "Sieh die [[ Startseite]].\n", id="brackets"),
        pytest.param("A \\*b\\* c_(d)\n", "E *f* g_(h)", "E \\*f\\* g_(h)\n", id="escaped-stars"),
        pytest.param("A \\[b\\] c\n", "D [b] e", "D \\[b\\] e\n", id="escaped-brackets"),
        pytest.param("A [b] [c\n", "A [b](c", "A \\[b\\](c\n", id="no-link"),
        pytest.param("A [b] c\n", "[b]: c", "\\[b\\]: c\n", id="no-definition"),
        pytest.param("A [b] c\n\n[d]: /d\n", "A [d] c", "A \\[d\\] c\n\n[d]: /d\n", id="no-reference"),
        pytest.param("A [^b c] d\n", "A [^b] d", "A \\[^b] d\n", id="no-footnote"),
        pytest.param("- A [x] c\n", "[x] A c", "- \\[x] A c\n", id="no-task"),
        pytest.param("A b_( c_( d\n", "A *b* _c_(d", "A \\*b\\* \\_c_(d\n", id="other-neighbours"),
    ],
)
def test_text_is_bare_where_it_was(source: str, text: str, expected: str) -> None:
    """Stars, underscores and brackets that needed no backslash in the source get none, unless they would be markup."""
    document = parse(Format.MARKDOWN, source)
    (block,) = document.blocks
    assert document.render([replace(block, text=text)]) == expected


@pytest.mark.parametrize(
    ("source", "text", "expected"),
    [
        pytest.param("5\\$ or 10\\$ a\n", "5 $ oder 10 $ b", "5 \\$ oder 10 \\$ b\n", id="prices"),
        pytest.param("$5 or 10$ a\n", "$5 oder 10 $ b", "$5 oder 10 $ b\n", id="bare"),
        pytest.param("A\n", "$5 (b)", "$5 (b)\n", id="none"),
        pytest.param("The $x_1$ is \\$5\n", "5 $ ist $x_1$.", "5 \\$ ist $x_1$.\n", id="beside-a-formula"),
        pytest.param("The $$x$$ is \\$5\n", "5 $ ist $$x$$.", "5 \\$ ist $$x$$.\n", id="two-dollars"),
        pytest.param("The \\(x\\) is\n", "Das (x) ist", "Das \\(x\\) ist\n", id="formula"),
        pytest.param("The \\(f(x)\\) (a)\n", "Das (a) ((f(x)))", "Das (a) (\\(f(x)\\))\n", id="nested"),
        pytest.param("The **a**(x) b\n", "Das A (x)", "**D**as A (x)\n", id="after-markup"),
        pytest.param("The \\\\(x\\\\) b\n", "Das \\(x\\) b", "Das \\\\(x\\\\) b\n", id="escaped-backslash"),
        pytest.param("A \\[b\\] c\n", "D [b] e", "D \\[b\\] e\n", id="brackets"),
        pytest.param("A&dollar;5\n", "5 $", "5 \\$\n", id="reference"),
        pytest.param("|A \\$5|\n|-|\n", "5 $", "|5 \\$|\n|-|\n", id="cell"),
    ],
)
def test_signs_of_formulas_have_backslashes_where_they_had(source: str, text: str, expected: str) -> None:
    """Where formulas are read, prose becomes none, and a formula stays one."""
    document = parse(Format.MARKDOWN, source)
    (block,) = document.blocks
    inlines = tuple(replace(one, at=place) for place, one in enumerate(block.inlines))
    assert document.render([replace(block, text=text, inlines=inlines)]) == expected


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("It is true<sup>4</sup>, *so*<sup><a href='#n'>[1]</a></sup> yes.\n", "It is true, so yes."),
        ("It is true.<sup>\\[4\\]</sup> Yes[^1].\n", "It is true. Yes."),
        ("All 10 m<sup>2</sup>, H<sub>2</sub>O, the 20<sup>th</sup>.\n", "All 10 m2, H2O, the 20th."),
    ],
)
def test_footnote_marks_are_no_part_of_a_word(source: str, text: str) -> None:
    """As in HTML, and as footnotes of Markdown are."""
    (block,) = parse(Format.MARKDOWN, source).blocks
    assert block.text == text
    assert outline(swapped(Format.MARKDOWN, source)) == outline(source)
    assert swapped(Format.MARKDOWN, source) != source


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("- [A](#a-bc)\n\n## A bc\n", "- [O](#o-bc)\n\n## O bc\n", id="contents"),
        pytest.param("# A\n\n# A\n\n[b](#a-1 't')\n", "# O\n\n# O\n\n[b](#o-1 't')\n", id="numbered"),
        pytest.param("# A\n\n# O\n\n[b](#o)\n", "# O\n\n# O\n\n[b](#o-1)\n", id="numbered-now"),
        pytest.param("[b](<#über-das>)\n\nÜber *das*!\n---\n", "[b](<#über-dos>)\n\nÜber *dos*!\n---\n", id="line"),
        pytest.param("[b](#%C3%BCa)\n\n# Üa\n", "[b](#üo)\n\n# Üo\n", id="encoded"),
        pytest.param("# `1` A_b\n\n|[b](#1-a_b)|\n|-|\n", "# `1` O_b\n\n|[b](#1-o_b)|\n|-|\n", id="cell"),
        pytest.param("> # [A](#a)\n\nC [**a**](#a).\n", "> # [O](#o)\n\nC [**o**](#o).\n", id="in-other-markup"),
        pytest.param("<tt>[b](#a)</tt> A\n\n# A\n", "<tt>[b](#o)</tt> O\n\n# O\n", id="in-kept-html"),
        pytest.param("[b](#other)\n\n# A\n", "[b](#other)\n\n# O\n", id="other-place"),
        pytest.param("[b](#A) [a](a.md#a)\n\n# A\n", "[b](#A) [o](a.md#a)\n\n# O\n", id="other-document"),
        pytest.param("[b](#a)\n\n<h1>A</h1>\n", "[b](#a)\n\n<h1>O</h1>\n", id="html"),
        pytest.param("[b][]\n\n# A\n\n[b]: #a\n", "[b][]\n\n# O\n\n[b]: #a\n", id="definition"),
        pytest.param("```\n[b](#a)\n```\n\n# A\n", "```\n[b](#a)\n```\n\n# O\n", id="code"),
    ],
)
def test_links_follow_their_headings(source: str, expected: str) -> None:
    """A heading's anchor changes with its text, and what links to it with the anchor; nothing else does."""
    assert read_or_refuse(Format.MARKDOWN, source) == source
    assert rewrite(Format.MARKDOWN, source, lambda text: text.replace("a", "o").replace("A", "O")) == expected


def test_emphasis_that_cannot_be_written_as_it_was() -> None:
    """Within a word underscores become stars; around nothing, emphasis goes."""
    document = parse(Format.MARKDOWN, "the _test_ and **more**\n")
    (block,) = document.blocks
    one, other, three, four = block.inlines
    inlines = (replace(one, at=0), replace(other, at=4), replace(three, at=9), replace(four, at=9))
    assert document.render([replace(block, text="Testmodus", inlines=inlines)]) == "*Test*modus\n"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("See [the house] and [it][].\n", "sEE [THE HOUSE][the house] AND [IT][it].\n", id="links"),
        pytest.param("See [**the** house].\n", "sEE [**THE** HOUSE][**the** house].\n", id="emphasis"),
        pytest.param("> See [the\n> house] b\n", "> sEE [THE HOUSE][the house] B\n", id="two-lines"),
        pytest.param("# [it]\n", "# [IT][it]\n", id="only-a-link"),
        pytest.param("**[*it*][] !**\n", "**[*IT*][*it*] !**\n", id="nothing-around-a-link"),
        pytest.param("[it] [the house][]\n", "[IT][it] [THE HOUSE][the house]\n", id="links-in-a-row"),
        pytest.param("![it]\n\n![the house][]\n", "![IT][it]\n\n![THE HOUSE][the house]\n", id="pictures"),
        pytest.param("See ![it] here.\n", "sEE ![IT][it] HERE.\n", id="picture-in-text"),
        pytest.param("[![it] a](u)\n", "[![IT][it] A](u)\n", id="picture-in-a-link"),
    ],
)
def test_a_translated_reference_still_finds_its_definition(source: str, expected: str) -> None:
    """The text of a link or a picture may be its name: then the name is written beside it."""
    definitions = "\n[the house]: /h\n[**the** house]: /b\n[it]: /i\n[*it*]: /e\n"
    after = swapped(Format.MARKDOWN, source + definitions)
    assert after == expected + definitions
    assert outline(after) == outline(source + definitions)


@pytest.mark.parametrize("source", ["---\ntitle: a\n---\n# B\n", "# A\n", "<p>A</p>\n"])
def test_a_byte_order_mark_is_no_text(source: str) -> None:
    """It is kept; what follows it is the beginning of the document."""
    marked = f"\ufeff{source}"
    assert parse(Format.MARKDOWN, marked).blocks == parse(Format.MARKDOWN, source).blocks
    assert swapped(Format.MARKDOWN, marked) == f"\ufeff{swapped(Format.MARKDOWN, source)}"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("- A\n\n  <p>B\n  c</p>\n", "- a\n\n  <p>b C</p>\n", id="item"),
        pytest.param("1. <p>A</p>\n   <p>B</p>\n", "1. <p>a</p>\n   <p>b</p>\n", id="begins-an-item"),
        pytest.param("> - <p>A</p>\n", "> - <p>a</p>\n", id="quotation"),
        pytest.param("> <p>A\n> b</p>\n", "> <p>A\n> b</p>\n", id="lines-of-a-quotation"),
    ],
)
def test_html_within_other_blocks(source: str, expected: str) -> None:
    """Its text is read too, unless marks of a quotation stand in it."""
    assert swapped(Format.MARKDOWN, source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param('# <img alt="A b"> C\n', '# <img alt="a B"> c\n', id="heading"),
        pytest.param('<a href=b><img alt="A"></a>\n', '<a href=b><img alt="a"></a>\n', id="without-other-text"),
        pytest.param('A <B title="C" d={e}>f</B> g\n', 'a <B title="c" d={e}>F</B> G\n', id="component"),
        pytest.param(
            "A <B title={c('d')} />\n\n<p title={e}>F</p>\n",
            "a <B title={c('d')} />\n\n<p title={e}>f</p>\n",
            id="expression",
        ),
        pytest.param("A <!-- <b title=c> -->\n", "a <!-- <b title=c> -->\n", id="comment"),
    ],
)
def test_attributes_of_html_within_lines(source: str, expected: str) -> None:
    """They are text if they are asked for, but for what a program works out."""
    assert swapped(Format.MARKDOWN, source, attributes=True) == expected


@pytest.mark.parametrize(
    ("source", "texts"),
    [
        pytest.param("[Home](/) [About us](/about)\n", ["Home", "About us"], id="space"),
        pytest.param("**See [a](/a)\n[b](/b) too**\n", ["See a", "b too"], id="line-break"),
        pytest.param("[a](/a), [b](/b)\n", ["a, b"], id="sentence"),
    ],
)
def test_links_in_a_row_are_not_one_sentence(source: str, texts: list[str]) -> None:
    """With nothing but white space between two links, the text of each stays in its own."""
    assert [block.text for block in parse(Format.MARKDOWN, source).blocks] == texts
    assert outline(swapped(Format.MARKDOWN, source)) == outline(source)


# The same soups every time: the parser takes what looks like a fence for a table's head where another table is above.
@hypothesis_settings(derandomize=True)
@given(st.lists(st.sampled_from(SOUP), max_size=25).map("".join))
def test_any_soup_comes_back_and_keeps_its_structure(source: str) -> None:
    """Own blocks give the source. With letters changed, a parser sees the same blocks, and links and code in them.

    Emphasis may go: stars in such soup mean what they mean by what is next to them.
    """
    assert read_or_refuse(Format.MARKDOWN, source) == source
    before, after = outline(source), outline(swapped(Format.MARKDOWN, source))
    assert after[0] == before[0]
    assert {kind: count for kind, count in after[1].items() if kind not in EMPHASIS} == {
        kind: count for kind, count in before[1].items() if kind not in EMPHASIS
    }
    assert all(after[1][kind] <= before[1][kind] for kind in EMPHASIS)


@given(
    st.sampled_from(
        ["# {}\n", "{}\n", "- {}\n  {}\n", "> {}\n", "|{}|{}|\n|-|-|\n|{}|{}|\n", "{}\n===\n", "{}  \n{}\n"]
    ),
    st.sampled_from(["One", "One **two** three", "A [link](u), an ![image](v)", "Code `x` _here_"]),
    TEXTS,
    st.data(),
)
def test_any_text_can_be_written(frame: str, content: str, text: str, data: st.DataObject) -> None:
    """Whatever the translation is: the same blocks, links and pictures, and people read that text."""
    source = frame.replace("{}", content)
    document = parse(Format.MARKDOWN, source)
    text = " ".join(text.split()) or "x"
    changed = []
    for block in document.blocks:
        if block.text == "image":  # in a picture: not among the words
            changed.append(block)
            continue
        places = sorted(data.draw(st.tuples(*(st.integers(0, len(text)) for _ in block.inlines))))
        moved = (replace(one, at=at) for one, at in zip(block.inlines, places, strict=True))
        changed.append(replace(block, text=text, inlines=tuple(moved), kept=()))
    written = document.render(changed)
    before, after = outline(source), outline(written)
    assert after[0] == before[0]
    for kind in ("link_open u", "image v"):
        assert after[1][kind] == before[1][kind]
    assert words(written) == "".join("".join(block.text.split()) for block in changed if block.text != "image")


@pytest.mark.parametrize(
    "piece",
    [
        *(
            "*a ",
            "a**b",
            "_a",
            "[",
            "[a](",
            "![",
            "![a](b",
            "`",
            ">",
            "> ",
            "\\",
            "<http://a",
            "[^",
            "~~a",
            "a\n",
            "a\n\n",
        ),
        *("# a\n", "[a]: b\n", "---\n", "<b>\n", "<div>\n\n", "a <kbd>", "&amp;", "a  \n", "1. a\n", "|a\n|-\n"),
        *("$$a\n", ":::\n", "import a from '", "a\n[^b]: ", "*[a", "a\n{:b", "# a\n\n[a](#a)\n\n", "[a](#"),
        *(
            "[[a|",
            "[[a]]",
            "[a]({{",
            "[a]({{b}}",
            "<a @b={",
            '<a @b="',
            "a\\{$ $",
            "\\[\\a",
            "[a](b){c=",
            "{#a ",
            "::a[",
        ),
        *(
            "!!! a\n    ",
            "=== a\n\n    b\n",
            "[^a]: b\n\n    c\n\n",
            "export {\n\n",
            "import {\n",
            "{%katex\n",
            "[!a ",
            "(a)=\n",
        ),
        *("\\$a$", "\\(a", "\\((", "(a", "\\(a\\) (b)", "ab<sup>1</sup>", "ab<sup>1"),
    ],
)
def test_floods_take_bounded_time(piece: str) -> None:
    """Hostile Markdown, read, written and rewritten; quadratic time would be minutes."""
    source = piece * (FLOOD // len(piece))
    started = time.process_time()
    assert read_or_refuse(Format.MARKDOWN, source) == source
    swapped(Format.MARKDOWN, source)
    assert time.process_time() - started < BOUND_S


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("A[^1]\n\n[^1]: One\n\n    Two\n\n[b]: One\n", "a[^1]\n\n[^1]: oNE\n\n    tWO\n\n[b]: One\n"),
        ("[^1]: One:\n    - Two *a*\n    - three\n", "[^1]: oNE:\n    - tWO *A*\n    - THREE\n"),
        ("[^1]: One *a*.\n[^b]: Two\nlines.\n", "[^1]: oNE *A*.\n[^b]: tWO LINES.\n"),
        (":::note Title *a*\nOne\ntwo.\n:::\n", ":::note tITLE *A*\noNE TWO.\n:::\n"),
        ("::: details A b {open}\nOne\n:::\n", "::: details A b {open}\noNE\n:::\n"),
        (':::zone a="b"\nOne\n::: zone-end\n', ':::zone a="b"\noNE\n::: zone-end\n'),
        ("::: warning\nOne\n:::image type :::\n", "::: warning\noNE\n:::image type :::\n"),
        ('<<< @/a/b.cs{1,2 c#}\n\n--8<-- "a b.md"\n', '<<< @/a/b.cs{1,2 c#}\n\n--8<-- "a b.md"\n'),
        ('!!! note "Title"\n    One\n    two.\n', '!!! note "Title"\n    oNE TWO.\n'),
        ("/// note | Title\nOne\n///\n\n/// Two b\n", "/// note | Title\noNE\n///\n\n/// tWO B\n"),
        ("Term\n: One\n: Two\n", "tERM\n: oNE\n: tWO\n"),
        ("*[HTML]: One\n*[CSS]: *Two*\n", "*[HTML]: oNE\n*[CSS]: *tWO*\n"),
        ("Some text\n{: .lead }\n", "sOME TEXT\n{: .lead }\n"),
        ("[[_TOC_]]\n", "[[_TOC_]]\n"),
        ("It is\n$$\nE = m*c \\\\ a*b\n$$\nor so.\n", "iT IS\n$$\nE = m*c \\\\ a*b\n$$\nOR SO.\n"),
        ("import A from '@b/c';\n", "import A from '@b/c';\n"),
        (
            "import {\n  A,\n} from 'b'\nexport * from 'c'\n\nOne\n",
            "import {\n  A,\n} from 'b'\nexport * from 'c'\n\noNE\n",
        ),
        ("export const A = () => {\n  b\n\n  c\n}\n\nOne\n", "export const A = () => {\n  b\n\n  c\n}\n\noNE\n"),
        ("export default settings to a file\n", "EXPORT DEFAULT SETTINGS TO A FILE\n"),
        ("export const is\n\nexport class one\n", "EXPORT CONST IS\n\nEXPORT CLASS ONE\n"),
        ("- export {a}\n- import * as a\n", "- EXPORT {A}\n- IMPORT * AS A\n"),
        ("export const a = [\n  '(b c',\n]\n\nOne\n", "export const a = [\n  '(b c',\n]\n\noNE\n"),
        (
            "Text\n{% highlight a %}\nb\n\nc\n{% endhighlight %}\n",
            "tEXT\n{% highlight a %}\nb\n\nc\n{% endhighlight %}\n",
        ),
        ("{{< highlight a >}}\nb\n{{< /highlight >}}\n", "{{< highlight a >}}\nb\n{{< /highlight >}}\n"),
        ('=== "Tab"\n\n    One\n\n    - `a` b\n\nTwo\n', '=== "Tab"\n\n    oNE\n\n    - `a` B\n\ntWO\n'),
        (
            "- A\n\n    ??? note\n\n        One\n        two\n\n    B\n",
            "- a\n\n    ??? note\n\n        oNE TWO\n\n    b\n",
        ),
        (
            "[^1]: A one.\n\n    Two\n    three.\n\n        code\n\nFour\n",
            "[^1]: a ONE.\n\n    tWO THREE.\n\n        code\n\nfOUR\n",
        ),
        ("Term\n:   One\n\n    - Two\n", "tERM\n:   oNE\n\n    - tWO\n"),
        ("One\n\n    code\n", "oNE\n\n    code\n"),
        ("One\n\n    !!! code\n    code\n", "oNE\n\n    !!! code\n    code\n"),
        (
            "    {% highlight a %}\n\nOne\n\n    {% endhighlight %}\n",
            "    {% highlight a %}\n\noNE\n\n    {% endhighlight %}\n",
        ),
        ('!!! note "A"\n\n        code\n', '!!! note "A"\n\n        code\n'),
        (":::{note} Title\n:class: tip\nOne\n:::\n", ":::{note} Title\n:class: tip\noNE\n:::\n"),
        ("(a-b)=\n# One\n", "(a-b)=\n# oNE\n"),
        ("::video[a]{id=b}\n\n::right::\n", "::video[a]{id=b}\n\n::right::\n"),
        ("One\n\n---\nlayout: a b\nclass: c\n---\n\nTwo\n", "oNE\n\n---\nlayout: a b\nclass: c\n---\n\ntWO\n"),
        ("---\n---\n---\nA title: b\n---\n\nc: d\n---\n", "---\n---\n---\na TITLE: B\n---\n\nC: D\n---\n"),
        ("[!INCLUDE [a](b.md)]\n", "[!INCLUDE [a](b.md)]\n"),
        ("> [!note]- One\n> two\n", "> [!note]- oNE\n> TWO\n"),
        ('> [!div class="a"]\n> One\n', '> [!div class="a"]\n> oNE\n'),
        ("% One\n% Two\n", "% oNE\n% tWO\n"),
        ("| One\n| two\n", "| oNE\n| TWO\n"),
        ("> Note: it\n> costs $$ 5\n", "> nOTE: IT COSTS $$ 5\n"),
    ],
)
def test_lines_of_other_flavours_stay_lines(source: str, expected: str) -> None:
    """What is read line by line where the document goes is not joined with the lines around it."""
    assert swapped(Format.MARKDOWN, source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("See [[A b]] now.\n", "sEE [[A b]] NOW.\n", id="wiki"),
        pytest.param("See [[A b#C|the *d*]].\n", "sEE [[A b#C|THE *D*]].\n", id="wiki-text"),
        pytest.param("|A|\n|-|\n|See [[b\\|c]]|\n", "|a|\n|-|\n|sEE [[b\\|C]]|\n", id="wiki-in-a-cell"),
        pytest.param("A ![[b.png|200]]\n", "a ![[b.png|200]]\n", id="wiki-picture"),
        pytest.param("A [[1]](#b) [[c]](d)\n", "a [\\[1\\]](#b) [\\[C\\]](d)\n", id="brackets-in-a-link"),
        pytest.param("A [[b]] c\n\n[b]: d\n", "a \\[[B][b]\\] C\n\n[b]: d\n", id="reference-in-brackets"),
        pytest.param("A <tt>*b*[c](d)</tt> e\n", "a <tt>*b*[c](d)</tt> E\n", id="in-kept-html"),
        pytest.param("A [b]({{ c.d }}/e) f\n", "a [B]({{ c.d }}/e) F\n", id="template-address"),
        pytest.param('A ![b]({% link "c d" %})\n', 'a ![B]({% link "c d" %})\n', id="template-picture"),
        pytest.param('A [b]({{< ref "c" >}} "d") e\n', 'a [B]({{< ref "c" >}} "d") E\n', id="shortcode"),
        pytest.param('A [b](c){:target="_blank"} d\n', 'a [B](c){:target="_blank"} D\n', id="attributes"),
        pytest.param("![A b](c){#d e=80%}\n", "![a B](c){#d e=80%}\n", id="picture"),
        pytest.param("A `b`{.c} d\n", "a `b`{.c} D\n", id="code"),
        pytest.param("A [b]{.c}\n\n[b]: d\n", "a [B][b]{.C}\n\n[b]: d\n", id="attributes-of-a-reference"),
        pytest.param("A {.b} `c`\n", "a {.B} `c`\n", id="attributes-of-nothing"),
        pytest.param("# A b {#c .d}\n", "# a B {#c .d}\n", id="heading"),
        pytest.param('A <b @c="d" :e="f">g</b>\n', 'a <b @c="d" :e="f">G</b>\n', id="vue"),
        pytest.param("A <B c={{d: 'e'}} f={() => g}>h</B>\n", "a <B c={{d: 'e'}} f={() => g}>H</B>\n", id="react"),
        pytest.param("A < b, c > d\n", "a < B, C > D\n", id="no-tag"),
        pytest.param("|A|\n|-|\n|<ul><li>B</li></ul>|\n", "|a|\n|-|\n|<ul><li>b</li></ul>|\n", id="list-in-a-cell"),
        pytest.param("A $\\{b\\}$ c\n", "a $\\{b\\}$ C\n", id="formula"),
        pytest.param("A $5 \\* and she 6$ b\n", "a $5 * AND SHE 6$ B\n", id="prices"),
        pytest.param("A $\\{b \\text{ and it}\\}$ c\n", "a $\\{b \\text{ and it}\\}$ C\n", id="formula-with-words"),
        pytest.param("A \\(b^2\\) c\n", "a \\(b^2\\) C\n", id="formula-in-brackets"),
        pytest.param("\\[\n\\sum a\n\\]\n", "\\[\n\\sum a\n\\]\n", id="formula-in-lines"),
        pytest.param("A \\[b\\] \\(c d\\)\n", "a \\[B\\] \\(C D\\)\n", id="brackets"),
        pytest.param("A \\(the sum = 5\\) b\n", "a \\(THE SUM = 5\\) B\n", id="words-in-brackets"),
    ],
)
def test_markup_of_other_flavours_stays(source: str, expected: str) -> None:
    """What CommonMark takes for text, and other readers for links, attributes, elements and formulas."""
    assert read_or_refuse(Format.MARKDOWN, source) == source
    assert swapped(Format.MARKDOWN, source) == expected


def test_cells_hold_lists() -> None:
    """Items of a list in a cell are no sentence."""
    blocks = parse(Format.MARKDOWN, "|A|\n|-|\n|<ul><li>B c</li><li>D e</li></ul>|\n").blocks
    assert [block.text for block in blocks] == ["A", "B c", "D e"]


def test_service_translates_a_document(client: httpx.Client) -> None:
    """The whole way: text translated, markup around the translations of their words, the rest untouched."""
    source = (
        '---\ntitle: The house\n---\n\n# The garden\n\nThe **red car** is in\nthe [garden](/g "The garden").\n\n'
        "- Call `run_all()` now.\n\n```\nThe house\n```\n"
    )
    written = translate_document(client, Format.MARKDOWN, source)
    assert written.startswith("---\ntitle: The house\n---\n\n# ")
    assert written.endswith("\n\n```\nThe house\n```\n")
    assert "Auto**" in written
    assert '[Garten](/g "The garden")' in written
    assert "`run_all()`" in written
    assert outline(written) == outline(source)


def test_service_keeps_the_structure_of_a_manual(client: httpx.Client) -> None:
    """The document of the gallery translated: a parser sees the same blocks, links, pictures and code."""
    source = from_gallery("manual.md")
    written = translate_document(client, Format.MARKDOWN, source)
    before, after = outline(source), outline(written)
    assert after[0] == before[0]
    for kind in before[1]:
        if kind.startswith(("link_open", "image", "code_inline")):
            assert after[1][kind] == before[1][kind]
    assert written.count("not text") == source.count("not text")
    assert "Getting" not in written
