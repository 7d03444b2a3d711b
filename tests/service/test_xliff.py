"""Format xliff, 1.2 and 2: a target beside each source that had none; the Translate Toolkit reads the result."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from lxml import etree
from translate.storage.xliff import xlifffile
from translate.storage.xliff2 import Xliff2File

from service.formats import InvalidDocument, parse
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
    from collections.abc import Callable

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
        st.sampled_from(
            [
                '<x id="8" ctype="lb"/>',
                '<x id="9" ctype="image"/>',
                " ",
                '<bx id="5"/>',
                '<ex id="5"/>',
                '<bpt id="6">&lt;b></bpt>',
                '<ept id="6">&lt;/b></ept>',
            ]
        ),
    ),
    lambda inner: st.lists(inner, max_size=4).map(lambda parts: f'<g id="7">{"".join(parts)}</g>'),
    max_leaves=8,
)

PIECES = ["<xliff version='2.0'>", "</xliff>", "<segment>", "</segment>", "<source>", "</source>", "a", "<target/>"]
PIECES += ["&lt;", "&x;", "<", "<![CDATA[b]]>", "<?c?>", "<mrk>", "</mrk>", "\ud800"]

SHOP = from_gallery("shop.xliff")
TWO = from_gallery("messages.xliff")


def target(content: str, text: Callable[[str], str]) -> str:
    """The target written for a source with other texts."""
    written = rewrite(Format.XLIFF, ONE.format(UNIT.format(content, "")), text)
    found = re.search(rf"<target{STATE}>(.*)</target>", written, re.DOTALL)
    assert found
    return found[1]


OLD = "<xliff version='1.2'><file {}><body><trans-unit id='1'><source>A</source></trans-unit></body></file></xliff>"
NEW = "<xliff version='2.0' {}><file><unit id='u'><segment><source>A</source></segment></unit></file></xliff>"


@pytest.mark.parametrize(
    ("document", "source", "target"),
    [(OLD, "source-language", "target-language"), (NEW, "srcLang", "trgLang")],
)
def test_other_languages_are_refused(document: str, source: str, target: str) -> None:
    """A file that states both, and another way than it is to be translated; whatever the region, and if one is open."""
    for stated in (f"{source}='en-US' {target}='de-AT'", f"{source}='EN' {target}='de'", f"{source}='en'"):
        assert ">a</" in rewrite(Format.XLIFF, document.format(stated), str.lower, ("en", "de"))
    for stated in (f"{source}='en' {target}='fr'", f"{source}='fr' {target}='de'", f"{source}='de' {target}='en'"):
        with pytest.raises(InvalidDocument, match="line 1: source and target language are stated"):
            rewrite(Format.XLIFF, document.format(stated), str.lower, ("en", "de"))


def test_who_asks_for_another_way_is_told(client: httpx.Client) -> None:
    """The text is named, with a direction that was asked for and one that was found out."""
    good, bad = (ONE.replace('"de"', f'"{target}"').format(UNIT.format("It is cold.", "")) for target in ("de", "fr"))
    for direction in ("en-de", "auto"):
        answer = client.post("/translate", params={"dir": direction, "format": "xliff"}, json={"text": [good, bad]})
        assert answer.status_code == 422, answer.text
        (error,) = answer.json()["errors"]
        assert (error["location"], "line 1: source and target" in error["detail"]) == ("body.text.1", True)


@given(CONTENT, TEXTS)
@hypothesis_settings(max_examples=60)
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
        ("One <x id='1'/> two", "{1} Zwei", "<x id='1'/> Zwei"),
        ("Save &amp;As...", "Sichern als...", "Sichern &amp;als..."),
        ("<g id='1'>_Open</g> <x id='2' equiv-text='{{n}}'/>",
         "Auf {{n}}", "<g id='1'>_Auf </g><x id='2' equiv-text='{{n}}'/>"),
    ],
)  # fmt: skip
def test_contents(content: str, text: str, written: str) -> None:
    """Text is escaped; what stands for a value goes where the value went, and to the end if it went nowhere."""
    assert target(content, lambda _: text) == written


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


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("The file <x id='1'/> is here.", "The file {1} is here."),
        ("<x id='NAME'/>, page <ph id='p.2'/> (<ph id='3'> </ph>)", "{NAME}, page {p.2} ({3})"),
        ("<g id='1'><x id='1'/></g> of <x id='2'/>", "{1} of {2}"),
        ("Name:<x id='1'/>Save<x id='2'/> it", "Name:Save it"),
        ("A <x id='1' ctype='image'/> b <ph id='2'>[img]</ph> c", "A b c"),
        ("A <x id='START_LINK'/>b<x id='CLOSE_LINK'/> c", "A b c"),
        ("A {1} <x id='1'/> b", "A {1} b"),
        ("A <x id='a b'/> c", "A c"),
    ],
)
def test_what_tells_nothing_of_itself_is_a_word_where_one_would_be(content: str, text: str) -> None:
    """A sentence is read with a word there; beside a letter it is taken for formatting, and what says so is some."""
    (block,) = blocks(content)
    assert block.text == text
    assert len(block.inlines) + len(block.kept) == content.count("<") - content.count("</ph")


@pytest.mark.parametrize(
    ("content", "text", "written"),
    [
        ("Click <x id='1' ctype='image'/> now", "Jetzt klicken", "Jetzt <x id='1' ctype='image'/> klicken"),
        ("Click <ph id='1'>[i]</ph> now", "Jetzt, hier", "Jetzt <ph id='1'>[i]</ph>, hier"),
        ("Click <!--c--> <x id='1' ctype='i'/> now", "Jetzt hier", "Jetzt <!--c--> <x id='1' ctype='i'/> hier"),
        ("Click<x id='1' ctype='image'/> now", "Jetzt hier", "Jetzt<x id='1' ctype='image'/> hier"),
        ("Click <x id='1' ctype='image'/>now", "Jetzt hier", "Jetzt<x id='1' ctype='image'/> hier"),
        (" Click <x id='1' ctype='image'/> ", "Jetzt ", "Jetzt<x id='1' ctype='image'/> "),
    ],
)
def test_spaces_around_a_mark(content: str, text: str, written: str) -> None:
    """A mark between spaces keeps one on either side wherever it goes; another gets none."""
    document = parse(Format.XLIFF, ONE.format(UNIT.format(content, "")))
    (block,) = document.blocks
    assert "  " not in block.text.strip()
    moved = tuple(replace(inline, at=len("Jetzt")) for inline in block.inlines)
    assert f">{written}</target>" in document.render([replace(block, text=text, inlines=moved)])


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("Name<x id='1' ctype='lb'/>Address", "Name\nAddress"),
        ("Name<x id='LINE_BREAK' equiv-text='&lt;br/>'/> <g id='2'>Address</g>", "Name\n Address"),
        ("<g id='1'>Name <ph id='2'>&lt;BR></ph>Address</g>", "Name \nAddress"),
        ("One <x id='1'/><x id='2' ctype='lb'/><x id='3' ctype='lb'/>two", "One \n\ntwo"),
        ("Name<x id='1' ctype='image'/>Address", "NameAddress"),
        ("Name <x id='1' equiv-text='&lt;broad>'/> Address", "Name Address"),
    ],
)
def test_line_breaks_end_a_sentence(content: str, text: str) -> None:
    """What breaks the line is a line break for who reads the text, and only itself in the target."""
    (block,) = blocks(content)
    assert block.text == text
    assert target(content, lambda text: text) == content


def test_line_breaks_of_version_2() -> None:
    """They are told by their kind, or by what the original has."""
    source = "<source>One<ph id='1' {}/>two</source>"
    document = "<xliff version='2.0' srcLang='en' trgLang='de'><file id='f'><unit id='u'><originalData><data id='d'>"
    document += "&lt;br/></data></originalData><segment>{}</segment></unit></file></xliff>"
    for attribute in ("subType='xlf:lb'", "dataRef='d'", "disp='&lt;br>'"):
        (block,) = parse(Format.XLIFF, document.format(source.format(attribute))).blocks
        assert block.text == "One\ntwo"
    (block,) = parse(Format.XLIFF, document.format(source.format("type='fmt'"))).blocks
    assert block.text == "Onetwo"


@pytest.mark.parametrize(
    "content",
    ["12 <x id='COUNT'/>", "<mrk mtype='protected'>Visual Studio</mrk> 5", "<ph id='1'>%s</ph>"],
)
def test_without_words_a_source_is_its_own_translation(content: str) -> None:
    """Nothing is asked for, and the state does not speak of a machine."""
    source = ONE.format(UNIT.format(content, ""))
    assert not parse(Format.XLIFF, source).blocks
    written = f'<target state="translated">{content}</target>'
    assert rewrite(Format.XLIFF, source, str.upper) == source.replace("</source>", f"</source>{written}")


@pytest.mark.parametrize(
    ("state", "prepared", "is_open"),
    [
        (" state='initial'", "A b", True),
        (" state='initial' subState='x:y'", "A b", True),
        (" state='initial'", "C", False),
        (" state='translated'", "A b", False),
        ("", "A b", False),
        ("", "", True),
    ],
)
def test_copies_in_version_2(state: str, prepared: str, *, is_open: bool) -> None:
    """A copy of the source is no translation if its segment says that it is as it was at first."""
    source = "<xliff version='2.0' srcLang='en' trgLang='de'><file id='f'><unit id='u'>"
    source += f"<segment{state}><source>A b</source><target>{prepared}</target></segment></unit></file></xliff>"
    written = rewrite(Format.XLIFF, source, str.swapcase)
    assert (
        written == source if not is_open else '<segment state="translated"><source>A b</source><target>a B<' in written
    )


def test_line_ends_of_windows() -> None:
    """A line break in a translation is written as those of the document are."""
    source = ONE.format(
        UNIT.format("A\nb <x id='LINE_BREAK'/>\nc", "").replace("<source", "<source xml:space='preserve'")
    )
    written = rewrite(Format.XLIFF, source, str.swapcase).replace("\n", "\r\n")
    assert "a\r\nB" in written
    assert rewrite(Format.XLIFF, source.replace("\n", "\r\n"), str.swapcase) == written


def test_a_prepared_target_with_a_space_before_its_end() -> None:
    """No second one is written."""
    source = ONE.format(UNIT.format("A b", "<target xml:space='preserve' />"))
    assert f"<target xml:space='preserve'{STATE}>a B</target>" in rewrite(Format.XLIFF, source, str.swapcase)


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
    assert answer.json()["errors"] == [{"location": "body.text.1", "detail": "line 1: a document type is not allowed"}]
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
        ONE.format(UNIT.format("a <x id='1'/> <x ctype='b'/> " * (FLOOD // 28), "")),
        ONE.format(UNIT.format("a<x ctype='lb'/>" * (FLOOD // 16), "")),
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
