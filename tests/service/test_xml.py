"""XML, as DeepL's clients send it: what is text, what stays, and that it is as well-formed afterwards as before."""

from __future__ import annotations

import time
from contextlib import closing, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from xml.parsers import expat

import pytest
from deepl import DeepLClient, SplitSentences, TextResult
from hypothesis import given
from hypothesis import strategies as st

from service.formats import InvalidDocument
from service.formats.xml import XmlRules, parse_xml

if TYPE_CHECKING:
    from collections.abc import Iterator

    import httpx

    from service.types import Block
    from tests.service.support import Reached

IGNORED = XmlRules(ignored=frozenset({"x"}))
FLOOD = 50_000
BOUND_S = 2.5

SOUP = [
    *("<p>", "</p>", "<b>", "</b>", "<B id='1'>", "</B>", "<x id='0'>", "</x>", "<x/>", "<br/>", "<a b='<c>'/>"),
    *("<Par>", "</Par>", "<source>", "</source>", "<title/>", "<script>", "</script>", "<g translate='no'>", "</g>"),
    *(
        "<!--c > d-->",
        "<?p a>b?>",
        "<![CDATA[a & <b>]]>",
        "<![CDATA[a < b]]>",
        "<![CDATA[<p>x<br></p>]]>",
        "<!DOCTYPE a>",
    ),
    *(
        "<",
        ">",
        "&",
        "&amp;",
        "&#38;",
        "&nbsp;",
        "&own;",
        "&#10;",
        "&#0;",
        "&#xFFFFFF;",
        "{1}",
        "]]>",
        "<![CDATA[",
        "<!--",
    ),
    *("a", "Bc", "d e", "f <ph/> ", " ", "\n", ". ", "1", "ä", "\xa0", "x<y"),
]


@pytest.fixture
def deepl(service: Reached) -> Iterator[DeepLClient]:
    """The official client of the service that is shared."""
    with closing(DeepLClient("none", server_url=service.url)) as client:
        yield client


def translated(client: DeepLClient, text: str, **options: Any) -> str:  # noqa: ANN401 - as the client
    """What the client is answered, in German."""
    result = client.translate_text(text, target_lang="DE", source_lang="EN", tag_handling="xml", **options)
    assert isinstance(result, TextResult)
    return result.text


def elements(source: str) -> list[tuple[str, tuple[tuple[str, str], ...]]]:
    """The elements of a fragment, sorted; fails if it is not well-formed."""
    found: list[tuple[str, tuple[tuple[str, str], ...]]] = []
    parser = expat.ParserCreate()
    parser.StartElementHandler = lambda name, attributes: found.append((name, tuple(sorted(attributes.items()))))
    parser.Parse(f"<root>{source}</root>", True)  # noqa: FBT003 - positional only
    return sorted(found)


def texts(source: str, rules: XmlRules = IGNORED) -> list[str]:
    """What is read as one text each."""
    return [block.text for block in parse_xml(source, rules).blocks]


def capitals(source: str, rules: XmlRules = IGNORED) -> str:
    """The document with its text in capitals."""
    document = parse_xml(source, rules)
    return document.render([replace(block, text=block.text.upper()) for block in document.blocks])


# --------------------------------------------------------------------------------- over HTTP


def test_what_weblate_sends(client: httpx.Client) -> None:
    """Its very body: placeholders come back as they are, once each, line breaks stay, and text is escaped."""
    sources = [
        'Hello <x id="6"></x>, you have <x id="20"></x> new messages.',
        'Could not open the file <x id="24">%(file)s</x>: it&#x27;s &quot;gone&quot; &amp; lost.\nPlease try again.',
        '<x id="0"></x>Two men<x id="7"></x> talk.',
        "Good morning!",
    ]
    body = {
        "text": sources,
        "source_lang": "EN",
        "target_lang": "DE",
        "formality": "default",
        "tag_handling": "xml",
        "ignore_tags": ["x"],
    }
    answer = client.post("/v2/translate", json=body)
    assert answer.status_code == 200, answer.text
    found = [one["text"] for one in answer.json()["translations"]]
    assert [elements(text) for text in found] == [elements(text) for text in sources]
    assert all(text not in sources for text in found)
    assert [found[0].count(f'<x id="{number}"></x>') for number in (6, 20)] == [1, 1]
    assert '<x id="24">%(file)s</x>' in found[1]
    assert found[1].count("\n") == 1
    assert answer.json() == client.post("/v2/translate", data=body | {"ignore_tags": "x"}).json()


def test_a_document(deepl: DeepLClient) -> None:
    """DeepL's own example: structure stays, markup follows its words, and nothing outside the text changes."""
    source = (
        "<?xml version='1.0'?>\n<document>\n  <Meta>\n    <title>Two men</title><icon/>\n  </Meta>\n  <content>\n"
        "    <par>The <b>red car</b> is\n in the garden. The <Link to='&lt;a&gt;'>house</Link> &lt; the dog.</par>\n"
        "    <par>It rains.</par>\n  </content><!-- end --></document>\n"
    )
    text = translated(deepl, source, split_sentences=SplitSentences.NO_NEWLINES)
    assert "Auto</b>" in text
    assert "<title>Zwei Männer</title><icon/>\n  </Meta>\n  <content>\n    <par>" in text
    assert text.startswith("<?xml version='1.0'?>\n<document>\n  <Meta>\n    <title>")
    assert text.endswith("</par>\n  </content><!-- end --></document>\n")
    assert "&lt; " in text
    body = text.partition("?>")[2], source.partition("?>")[2]
    assert elements(body[0]) == elements(body[1])


def test_elements_that_are_ignored(deepl: DeepLClient) -> None:
    """They come back as they are, with whatever is in them, in XML and in HTML; other elements of that text do not."""
    kept = "<Name>The <b>red &quot;car&quot;</b></Name>"
    text = translated(deepl, f"Two men talk to {kept} in front of <b>the house</b>.", ignore_tags=["Name", "y"])
    assert text.count(kept) == 1
    assert "house" not in text
    for names in ("name", ["y", "NAME"]):
        page = deepl.translate_text(
            "<p>Two men talk to <name>the red car</name>.</p><Name>It rains.</Name>",
            target_lang="DE",
            tag_handling="html",
            ignore_tags=names,
        )
        assert isinstance(page, TextResult)
        assert "<name>the red car</name>" in page.text
        assert page.text.endswith("<Name>It rains.</Name>")
        assert "Two men" not in page.text


def test_its_language_is_detected(client: httpx.Client) -> None:
    """By its text, not by the names of its elements."""
    text = "<the-house-of-the-dog>Der Hund läuft am Strand entlang.</the-house-of-the-dog>"
    body = {"text": [text, "<p>Two men are talking.</p>"], "target_lang": "EN-US", "tag_handling": "xml"}
    german, english = client.post("/v2/translate", json=body).json()["translations"]
    assert german["detected_source_language"] == "DE"
    assert german["text"] != text
    assert (english["detected_source_language"], english["text"]) == ("EN", "<p>Two men are talking.</p>")


@pytest.mark.parametrize("model", ["latency_optimized", "quality_optimized"])
def test_translations_are_well_formed(client: httpx.Client, model: str) -> None:
    """Nested, crossing sentences, beside one another, empty, in capitals, named like HTML's: all elements survive."""
    words = [
        *(
            "Two <b>men <I>talk</I> to</b> the <ph/> dog. ",
            "<Link a='1'>The house. It <u>rains</u>.</Link> Good",
            " day. ",
        ),
        *(
            "<source>He</source> <input>reads</input> <br/> a <title/> book.",
            "<![CDATA[a < b & c]]> <hr></hr> the end. ",
        ),
        *(
            "<li>One<li>two</li></li>",
            "<code>x &amp; y</code>, <x id='1'/>and <x>z</x>",
            "<g id='1'>Red</g> <g id='2'>cars</g>",
        ),
    ]
    sources = [f"<{name}>{one}{other}</{name}>" for name, one in zip("abcpsxzP", words, strict=True) for other in words]
    body = {"text": sources, "source_lang": "EN", "target_lang": "DE", "tag_handling": "xml", "model_type": model}
    answer = client.post("/v2/translate", json=body | {"ignore_tags": ["x"]}).json()["translations"]
    assert [elements(one["text"]) for one in answer] == [elements(source) for source in sources]


# ---------------------------------------------------------------------------------- the reader


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("<d><h>A title</h><t>Some text.</t></d>", ["A title", "Some text."]),
        ("<d>\n <h>A title</h>\n <t>Some <b>text</b></t>\n</d>", ["A title", "Some text"]),
        ("<g>Red</g> <g>cars</g>", ["Red cars"]),
        ("<b>Red</b><i>dish</i>", ["Reddish"]),
        ("Red <p>cars</p> run", ["Red ", "cars", " run"]),
        ("<b>Red <p>cars</p> run</b> fast", ["Red ", "cars", " run", " fast"]),
        ("Red<br/>cars", ["Red", "cars"]),
        ("Click <ph/> here", ["Click here"]),
        ("Tom &amp; &#74;im &nbsp;&lt;&own; a&b", ["Tom & Jim \xa0<{1} a&b"]),
        ("Save {1} to <x>it</x>", ["Save {1} to {2}"]),
        ("Save<x/> to<x></x>", ["Save to"]),
        ("Save <q></q> to <g><ph></ph></g> <b></b> it", ["Save to it"]),
        ("<x>Save</x> <pre>it</pre> <script>now</script> 12", []),
        ("<![CDATA[Tom & <Jim]]> <c><![CDATA[<p>One<br>two]]></c>", ["Tom & <Jim ", "One", "two"]),
        ("<a translate='no'>Red</a> cars", ["{1} cars"]),
    ],
)
def test_what_is_a_text(source: str, found: list[str]) -> None:
    """Elements end a text by name, by standing alone, or because one in them does; entities are resolved or kept."""
    assert texts(source) == found


def test_rules() -> None:
    """The caller says which elements part a text, whether the document does, and what a line break is."""
    source = "<d><h>A\ntitle</h><p>Some <k>more</k> text</p></d>"
    assert texts(source) == ["A\ntitle", "Some more text"]
    assert texts(source, XmlRules(outline=False, lines=False)) == ["A titleSome more text"]
    assert texts(source, XmlRules(outline=False, splitting=frozenset({"k"}))) == ["A\ntitle", "Some ", "more", " text"]
    assert texts("Red <p>cars</p> run", XmlRules(inline=frozenset({"p"}))) == ["Red cars run"]


@pytest.mark.parametrize(
    ("source", "written"),
    [
        ("Tom &#x26; <b>&lt;Jim</b>", "TOM &amp; <b>&lt;JIM</b>"),
        ("<x a='1'>a&quot;b</x> and <ph/> it", "<x a='1'>a&quot;b</x> AND <ph/> IT"),
        ("<![CDATA[a < b & c]]>", "A &lt; B &amp; C"),
        ("a&#10;b &own; c", "A&#10;B &own; C"),
        ("a &own;<ph/> b", "A &own;<ph/> B"),
        ("a <ph/> b <ph/> <q/> ", "A <ph/> B <ph/> <q/> "),
        ("a <ph/> <x>b</x> <ph/> ", "A <ph/> <x>b</x> <ph/> "),
        ("a <ph></ph> b <g><q></q></g> c <b>d</b>", "A <ph></ph> B <g><q></q></g> C <b>D</b>"),
        ("<r><q></q><c>a</c><c>b <ph></ph>c</c></r>", "<r><q></q><c>A</c><c>B <ph></ph>C</c></r>"),
        ("<!DOCTYPE d [<!ENTITY own '>'>]><d>a &own;</d>", "<!DOCTYPE d [<!ENTITY own '>'>]><d>A &own;</d>"),
    ],
)
def test_what_is_written(source: str, written: str) -> None:
    """Text is escaped; what is kept is as it was, byte for byte, spaces between markup included."""
    document = parse_xml(source, IGNORED)
    assert document.render(document.blocks) == source
    assert capitals(source) == written


@pytest.mark.parametrize("end", ["&#10;", "&#1;", "&nbsp;", "<![CDATA[ ]]>", "<y/>", "&unknown;"])
def test_marks_at_the_end_are_not_cut(end: str) -> None:
    """A space before the last of them stays, whatever way white space is written in."""
    source = f"foo <x/> {end}"
    document = parse_xml(source, IGNORED)
    assert document.render(document.blocks) == source


def test_what_is_kept_is_never_lost() -> None:
    """Wherever its stand-in goes, twice or not at all, each comes back once."""
    document = parse_xml("See <x>one</x> and <b><x>two</x></b>", IGNORED)
    (block,) = document.blocks
    other: Block = replace(block, text="{2} {2}")
    assert document.render([other]).count("<x>two</x>") == document.render([other]).count("<x>one</x>") == 1


@pytest.mark.parametrize(
    "source", ["a <b", "a </b", "<b c='>", "<!-- a", "<![CDATA[ a", "<?a", "<!a>", "<!DOCTYPE a ["]
)
def test_what_does_not_end_is_refused(source: str) -> None:
    """Where it is, is said; what it is, is not."""
    with pytest.raises(InvalidDocument, match=r"position [02] that does not end"):
        parse_xml(source, IGNORED)


@given(st.lists(st.sampled_from(SOUP), max_size=25).map("".join))
def test_any_soup_comes_back_and_keeps_its_elements(source: str) -> None:
    """Own blocks give the source. With others, what was well-formed is, and has the same elements."""
    for rules in (IGNORED, XmlRules(outline=False, lines=False)):
        try:
            document = parse_xml(source, rules)
        except InvalidDocument:
            continue
        assert document.render(document.blocks) == source
        try:
            found = elements(source)
        except expat.ExpatError:
            continue
        assert elements(capitals(source, rules)) == found


@pytest.mark.parametrize(
    "piece",
    [
        *(
            "<b>x",
            "</b>",
            "<b><i></b>x",
            "<",
            "< a",
            "<a b='",
            "&",
            "&#9;",
            "&own; ",
            "<x>",
            "<x/> ",
            "<x>a</x>b ",
            "{1}",
        ),
        *(
            "<!-- -->",
            "<![CDATA[a]]>",
            "<![CDATA[<b>]]>",
            "<?a?>",
            "<p>a",
            "<a>b</a>\n",
            "<ph/> ",
            "<!DOCTYPE a>",
            "a\n",
        ),
        *("<!DOCTYPE a", "<a 'b", "<a b=\"c'", " "),
    ],
)
def test_floods_take_bounded_time(piece: str) -> None:
    """Hostile documents, read and written, or refused; quadratic time would be minutes."""
    source = f"a{piece * (FLOOD // len(piece))}"
    started = time.process_time()
    with suppress(InvalidDocument):
        capitals(source)
    assert time.process_time() - started < BOUND_S
