"""Format xliff, 1.2 and 2: a target beside each source that had none; the Translate Toolkit reads the result."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from lxml import etree
from translate.storage.xliff import xlifffile
from translate.storage.xliff2 import Xliff2File

from service.formats import parse
from service.types import Format, InlineKind
from tests.service.documents import (
    FLOOD,
    check_flood,
    from_gallery,
    read_or_refuse,
    refusal,
    rewrite,
    translate_document,
)

if TYPE_CHECKING:
    import httpx

    from service.types import Block

ONE = '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="a" datatype="plaintext" '
ONE += 'source-language="en" target-language="de"><body>{}</body></file></xliff>'
UNIT = '<trans-unit id="1"><source>{}</source>{}</trans-unit>'
STATE = ' state="needs-review-translation" state-qualifier="mt-suggestion"'
TEXTS = st.text(st.one_of(st.sampled_from("&<>{}%s \n"), st.characters(exclude_categories=["Cc", "Cs"])), max_size=20)
CONTENT = st.recursive(
    st.one_of(
        TEXTS.map(escape),
        st.sampled_from(
            ['<x id="1"/>', '<ph id="2">%s</ph>', '<x id="3" equiv-text="{{n}}"/>', "<!--c-->", "<g id='4'/>"]
        ),
        st.sampled_from(['<bx id="5"/>', '<ex id="5"/>', '<bpt id="6">&lt;b></bpt>', '<ept id="6">&lt;/b></ept>']),
    ),
    lambda inner: st.lists(inner, max_size=4).map(lambda parts: f'<g id="7">{"".join(parts)}</g>'),
    max_leaves=8,
)

PIECES = ["<xliff version='2.0'>", "</xliff>", "<segment>", "</segment>", "<source>", "</source>", "a", "<target/>"]
PIECES += ["&lt;", "&x;", "<", "<![CDATA[b]]>", "<?c?>", "<mrk>", "</mrk>", "\ud800"]

SHOP = from_gallery("shop.xliff")
TWO = from_gallery("messages.xliff")


def target(content: str, text: str) -> str:
    """The target written for a source, once its texts have become `text`."""
    written = rewrite(Format.XLIFF, ONE.format(UNIT.format(content, "")), lambda _: text)
    found = re.search(rf"<target{STATE}>(.*)</target>", written, re.DOTALL)
    assert found
    return found[1]


@given(CONTENT, TEXTS)
@hypothesis_settings(max_examples=60, deadline=None)
def test_target_is_well_formed_and_has_all_markup(content: str, text: str) -> None:
    """Whatever becomes of the text: the target has each element of the source once, and an XML parser reads it."""
    source = ONE.format(UNIT.format(content, ""))
    written = rewrite(Format.XLIFF, source, lambda _: text)
    unit = etree.fromstring(written.encode())[0][0][0]
    tags = [[(one.tag, dict(one.attrib)) for one in part.iter() if one is not part] for part in unit]
    assert len(tags) == 2 or not content
    if len(tags) == 2:
        assert sorted(map(str, tags[0])) == sorted(map(str, tags[1]))
    assert re.sub(r"<target.*</target>", "", written, flags=re.DOTALL) == source


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_anything_is_read_or_refused(source: str) -> None:
    """Tags in any order are refused, or come back as XML with every source as it was."""
    written = read_or_refuse(Format.XLIFF, source)
    if written is not None:
        assert etree.fromstring(written.encode()) is not None
        assert re.findall("<source>[^<]*</source>", written) == re.findall("<source>[^<]*</source>", source)


@pytest.mark.parametrize(
    ("content", "text", "written"),
    [
        ("a &amp; b", "x < y & z", "x &lt; y &amp; z"),
        ("Hi <x id='1' equiv-text='{{n}}'/>, <x id='2' equiv-text='{{m}}'/>",
         "{{m}}, hallo {{n}}", "<x id='2' equiv-text='{{m}}'/>, hallo <x id='1' equiv-text='{{n}}'/>"),
        ("a <ph id='1'>%s</ph> <ph id='2'>%s</ph>", "%s x %s", "<ph id='1'>%s</ph> x <ph id='2'>%s</ph>"),
        ("a <ph id='1'>%s</ph>", "x", "x<ph id='1'>%s</ph>"),
        ("<![CDATA[a < b]]>", "x < y", "x &lt; y"),
        ("12 <x id='1'/>", "none is asked for", "12 <x id='1'/>"),
    ],
)  # fmt: skip
def test_contents(content: str, text: str, written: str) -> None:
    """Text is escaped; what stands for a value goes where the value went, and to the end if it went nowhere."""
    assert target(content, text) == written


def blocks(content: str, *, body: str = "<body") -> tuple[Block, ...]:
    """The blocks of a document of one unit."""
    return parse(Format.XLIFF, ONE.format(UNIT.format(content, "")).replace("<body", body)).blocks


def test_what_the_network_reads() -> None:
    """White space as in XML, values as words to be kept, elements around words as pairs."""
    content = "One\n   <g id='1'>two</g> <mrk mtype='protected'>III</mrk> <x id='2' equiv-text='{{ n }}'/>"
    (block,) = blocks(content)
    assert block.text == "One two III {{ n }}"
    assert [block.text[span.start : span.end] for span in block.kept] == ["III", "{{ n }}"]
    assert [(one.kind, one.at) for one in block.inlines[:2]] == [(InlineKind.OPEN, 4), (InlineKind.CLOSE, 7)]
    (block,) = blocks("One <x id='ICU' equiv-text='{n, plural, =0 {...} other {...}}' xid='1'/> two")
    assert block.text == "One {n, plural, =0 {...} other {...}} two"
    (block,) = blocks(content, body="<body xml:space='preserve'")
    assert block.text == "One\n   two III {{ n }}"


def test_pairs_never_cross() -> None:
    """Ends that are elements of their own are a pair where they stand in the same element, and single elsewhere."""
    (block,) = blocks("<bx id='1'/>a<g><ex id='1'/></g>")
    assert [one.kind for one in block.inlines] == ["single", "open", "single", "close"]
    link = "<x id='START_LINK_1'/>a<x id='LINE_BREAK'/>{}<x id='CLOSE_LINK'/>"
    (block,) = blocks(link.format("<x id='START_TAG_B'/>b<x id='CLOSE_TAG_B'/>"))
    assert [one.kind for one in block.inlines] == ["open", "single", "open", "close", "close"]
    assert block.inlines[0].element == block.inlines[-1].element  # as Angular names them
    (block,) = blocks("<bx id='1'/>a<g>b</g><ex id='1'/>")
    assert [one.kind for one in block.inlines] == ["open", "open", "close", "close"]


def test_marked_segments_are_translated_one_by_one() -> None:
    """Where the document says what its segments are, the target has the same ones."""
    inner = '<mrk mtype="seg" mid="0">A b.</mrk> <g id="1"><mrk mtype="seg" mid="1">C.</mrk></g>'
    source = ONE.format(UNIT.format("A b. C.", f"<seg-source>{inner}</seg-source>"))
    assert [block.text for block in parse(Format.XLIFF, source).blocks] == ["A b.", "C."]
    target = f"<target{STATE}>{inner.replace('A b.', 'a B.').replace('C.', 'c.')}</target>"
    assert rewrite(Format.XLIFF, source, str.swapcase) == source.replace("</seg-source>", f"</seg-source>{target}")


@pytest.mark.parametrize(
    "prepared",
    [
        '<target><mrk mtype="seg" mid="0"></mrk> <mrk mtype="seg" mid="1"/></target>',
        '<target state="new"><mrk mtype="seg" mid="0"> </mrk><g id="1"/></target>',
    ],
)
def test_empty_segments_are_filled(prepared: str) -> None:
    """A target that a tool prepared with segments without text is none: it becomes what would stand there without."""
    inner = '<mrk mtype="seg" mid="0">A b.</mrk> <g id="1"><mrk mtype="seg" mid="1">C.</mrk></g>'
    source = ONE.format(UNIT.format("A b. C.", f"<seg-source>{inner}</seg-source>{prepared}"))
    filled = inner.replace("A b.", "a B.").replace("C.", "c.")
    assert rewrite(Format.XLIFF, source, str.swapcase) == source.replace(prepared, f"<target{STATE}>{filled}</target>")


@pytest.mark.parametrize(
    ("content", "translation"),
    [
        ("Yes", "<target>✓</target>"),
        ("<x id='1'/>", "<target><x id='1'/></target>"),
        ("A b. C.", '<target><mrk mtype="seg" mid="0">D.</mrk><mrk mtype="seg" mid="1"/></target>'),
    ],
)
def test_targets_with_something_in_them_stay(content: str, translation: str) -> None:
    """Signs are a translation, markup is one of markup, and what a person has begun is left to them."""
    source = ONE.format(UNIT.format(content, translation))
    assert rewrite(Format.XLIFF, source, str.swapcase) == source


def test_version_1_translated_by_the_service(client: httpx.Client) -> None:
    """The toolkit finds German to be reviewed in the two units that had none; all other bytes are those of the file."""
    translated = translate_document(client, Format.XLIFF, SHOP)
    greeting, house, done, *others = xlifffile.parsestring(translated.encode()).units
    assert "Morgen" in greeting.target
    assert '<x id="INTERPOLATION" equiv-text="{{ name }}"/>' in re.findall("<target.*</target>", translated)[0]
    assert translated.count('<g id="1">') == translated.count("</g>") == 2
    assert house.isfuzzy()
    assert (done.target, [unit.target for unit in others]) == ("Schlaf gut!", [None, None])
    source = re.sub(rf"\n *<target{STATE}>.*Morgen.*</target>", "", translated)
    source = re.sub(rf"<target{STATE}>.*</target>", '<target state="needs-translation"/>', source)
    assert source.replace(' target-language="de"', "") == SHOP


def test_version_2_translated_by_the_service(client: httpx.Client) -> None:
    """Each segment has a target after its source and is `translated`; the document now names its target language."""
    translated = translate_document(client, Format.XLIFF, TWO)
    store = Xliff2File.parsestring(translated.encode())
    assert (store.sourcelanguage, store.targetlanguage) == ("en", "de")
    targets = re.findall(r"</source>\n    <target>(.*)</target>\n", translated)
    assert len(targets) == 2
    assert targets[0].count('<ph id="1" dataRef="d1"/>') == 1
    assert len(re.findall('<pc id="2">[^<]*</pc>', targets[0])) == 1
    assert translated.count('state="translated"') == 2
    assert "".join(re.findall("<ignorable>.*</ignorable>", translated)) == "<ignorable><source> </source></ignorable>"


def test_a_document_with_entities_is_the_callers_mistake(client: httpx.Client) -> None:
    """The problem names the text and the line, and quotes nothing."""
    documents = ["<xliff version='2.0'/>", '<!DOCTYPE a [<!ENTITY secret "ccc">]><a>&secret;</a>']
    answer = client.post("/translate", params={"dir": "en-de", "format": "xliff"}, json={"text": documents})
    assert answer.status_code == 422
    assert answer.json()["errors"] == [{"location": "text.1", "detail": "line 1: a document type is not allowed"}]
    assert "secret" not in answer.text


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (
            '<!DOCTYPE a [<!ENTITY b "cccc">]>\n<xliff version="1.2">&b;</xliff>',
            "line 1: a document type is not allowed",
        ),
        ('<!DOCTYPE a SYSTEM "outside.dtd">\n<a/>', "line 1: a document type is not allowed"),
        ("<html/>", "line 1: not XLIFF 1 or 2"),
        ("<xliff version='2.0'>\n\n<secret></xliff>", "line 3: mismatched tag"),
        ("<xliff version='1.2'>\n&secret;</xliff>", "line 2: undefined entity"),
        ("<xliff version='2.0'>\n<segment/></xliff>", "line 2: a unit without a source"),
        ("", "line 1: no element found"),
    ],
)
def test_refusals_say_where(source: str, reason: str) -> None:
    """Entities and outside resources are refused before they are read; faults are told with their line."""
    assert refusal(Format.XLIFF, source) == reason


@pytest.mark.parametrize(
    "source",
    [
        ONE.format(UNIT.format("a", "") * (FLOOD // 50)),
        ONE.format(UNIT.format("<g>" * (FLOOD // 8) + "a" + "</g>" * (FLOOD // 8), "")),
        ONE.format(UNIT.format("a<bx id='1'/>" * (FLOOD // 12), "")),
        ONE.format(UNIT.format("a<x equiv-text='{b}'/>" * (FLOOD // 24), "")),
        ONE.format(UNIT.format("a" + " " * FLOOD + "b" + "&lt;" * (FLOOD // 4), "")),
        ONE.format(UNIT.format("a", f"<target{' ' * FLOOD}/>")),
        ONE.format("<group>" * (FLOOD // 8) + "</group>" * (FLOOD // 8)),
        "<xliff version='2.0' " + "".join(f"a{index}='' " for index in range(FLOOD // 10)) + "/>",
        "<" * FLOOD,
    ],
)
def test_floods(source: str) -> None:
    """Units, depth, markup, attributes and spaces without end take time in proportion."""
    check_flood(Format.XLIFF, source)
