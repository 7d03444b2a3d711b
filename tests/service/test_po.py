"""Format po: messages without a translation get one, marked fuzzy; the Translate Toolkit reads the result."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from translate.storage.pypo import pofile

from service.formats import parse
from service.formats.accelerators import take_out
from service.types import Block, Format
from tests.service.documents import (
    FLOOD,
    check_flood,
    from_gallery,
    read_or_refuse,
    refusal,
    rewrite,
    swapped,
    translate_document,
)

if TYPE_CHECKING:
    import httpx

TEXTS = st.text(st.one_of(st.sampled_from('\\"n \n\t%'), st.characters(exclude_categories=["Cc", "Cs"])), max_size=90)
SOURCES = TEXTS.filter(lambda text: any(map(str.isalpha, text)) and not take_out(Block(text))[1])
LINES = ['msgid ""', 'msgid "a"', 'msgstr ""', 'msgstr "b"', 'msgctxt "c"', 'msgid_plural "d"', 'msgstr[0] ""']
LINES += ['msgstr[1] ""', '"e\\n"', "#, c-format", '#| msgid "f"', "#: g:1", '#~ msgid "h"', "", "?"]

CATALOGUE = from_gallery("shop.po")


def without_translations(catalogue: str) -> str:
    """All lines but the translations and their `fuzzy`."""
    rest = re.sub(r'^msgstr.*\n(?:".*\n)*', "", catalogue, flags=re.MULTILINE)
    return rest.replace("#, fuzzy\n", "").replace("#, fuzzy, ", "#, ")


@given(st.lists(SOURCES, min_size=1, max_size=4, unique=True), TEXTS)
@hypothesis_settings(max_examples=60)
def test_each_message_gets_its_translation(sources: list[str], text: str) -> None:
    """Whatever is in them: a catalogue written by another program is read, and that program reads what was written."""
    store = pofile()
    for source in sources:
        store.addsourceunit(source)
    catalogue = bytes(store).decode()
    assert [block.text for block in parse(Format.PO, catalogue).blocks] == sources
    read = pofile.parsestring(rewrite(Format.PO, catalogue, lambda _: text).encode())
    units = [unit for unit in read.units if not unit.isheader()]
    assert [(unit.source, unit.target) for unit in units] == [(source, text) for source in sources]
    assert all(unit.isfuzzy() for unit in units)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (r'"Language: en\n"', r'"Language: de\n"'),
        (r'"Language: en_US\n"', r'"Language: de\n"'),
        (r'"Project-Id-Version: A\nLanguage:en\n"', r'"Project-Id-Version: A\nLanguage:de\n"'),
        *[(same, same) for same in (r'"Language: de\n"', r'"Language: fr\n"', r'"Language: \n"')],
        *[(same, same) for same in (r'"X-Source-Language: en\n"', r'"Language-Team: en\n"')],
    ],
)
def test_the_language_of_the_header(before: str, after: str) -> None:
    """Where it is that of the messages, it is that of the translations then; anything else in the header stays."""
    rest = '# Language: en\nmsgid ""\nmsgstr ""\n{}\n\n#, fuzzy\nmsgid "Language: en"\nmsgstr "{}"\n'
    written = rewrite(Format.PO, rest.format(before, ""), str.upper, ("en", "de"))
    assert written == rest.format(after, "LANGUAGE: EN")


@given(st.lists(st.sampled_from(LINES), max_size=12).map("\n".join))
def test_anything_is_read_or_refused(source: str) -> None:
    """Lines in any order are refused, or come back with every line that was not an empty translation."""
    written = read_or_refuse(Format.PO, source)
    if written is not None:
        assert read_or_refuse(Format.PO, written) == written


def test_a_finished_catalogue_comes_back_byte_for_byte() -> None:
    """Where every message has a translation there is nothing to do, whatever the layout of the file."""
    source = 'msgid   "a"\r\nmsgstr\t"b"\r\n\r\n  msgid "c"\n  "d"\nmsgstr[0] "e"\n#, fuzzy\nmsgid "x"\nmsgstr ""\n"y"'
    assert read_or_refuse(Format.PO, source) == source


def test_flags_plurals_and_line_ends() -> None:
    """`fuzzy` joins the other flags, stands before the old source, and a missing plural form is added."""
    source = '#, c-format\r\n#| msgid "o"\r\nmsgid "a %d"\r\nmsgid_plural "b %d"\r\nmsgstr[0] ""\r\n'
    assert rewrite(Format.PO, source, str.upper) == (
        '#, fuzzy, c-format\r\n#| msgid "o"\r\nmsgid "a %d"\r\nmsgid_plural "b %d"\r\n'
        'msgstr[0] "A %D"\r\nmsgstr[1] "B %D"\r\n'
    )
    assert rewrite(Format.PO, 'msgid "a"\r\nmsgstr ""\r\n', str.upper) == '#, fuzzy\r\nmsgid "a"\r\nmsgstr "A"\r\n'
    source = '#| msgid "o"\nmsgid "a"\nmsgstr ""'
    assert rewrite(Format.PO, source, str.upper) == '#, fuzzy\n#| msgid "o"\nmsgid "a"\nmsgstr "A"'


@pytest.mark.parametrize(
    ("msgid", "msgstr"),
    [
        (r"gr\303\274n", "GRÜN"),
        (r"gr\xc3\xBCn \342\202\254", "GRÜN €"),
        (r"gr\374n", "GRÜN"),
        (r"\101b\\303\303\274", r"AB\\303Ü"),
    ],
)
def test_bytes_that_are_escaped(msgid: str, msgstr: str) -> None:
    """They are UTF-8, as `msgcat --escape` writes it; what is not is a character each."""
    assert rewrite(Format.PO, f'msgid "{msgid}"\nmsgstr ""\n', str.upper).endswith(f'msgstr "{msgstr}"\n')


def test_an_accelerator_is_none_in_a_keyboard_shortcut() -> None:
    """The sign goes before a letter of the label, not of the keys after the tab."""
    written = rewrite(Format.PO, 'msgid "&Copy\\tCtrl+C"\nmsgstr ""\n', lambda _: "Zwei\tStrg+C")
    assert written.endswith('msgstr "&Zwei\\tStrg+C"\n')


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('msgid "a"\r\nmsgstr ""\r\n', '#, fuzzy\r\nmsgid "a"\r\nmsgstr "A"\r\n'),
        ('#, c-format\nmsgid "a"\nmsgstr ""\n', '#, fuzzy, c-format\nmsgid "a"\nmsgstr "A"\n'),
        ('#| msgid "o"\nmsgid "a"\nmsgstr ""\n', '#, fuzzy\n#| msgid "o"\nmsgid "a"\nmsgstr "A"\n'),
        ('msgid "a"\nmsgstr "b"\n', 'msgid "a"\nmsgstr "b"\n'),
        ("", ""),
    ],
)
def test_a_byte_order_mark_comes_first(source: str, expected: str) -> None:
    """Whatever is written before the first message stands after it."""
    assert rewrite(Format.PO, f"\ufeff{source}", str.upper) == f"\ufeff{expected}"


@pytest.mark.parametrize(
    ("msgid", "msgstr"),
    [
        (r"see `the \"a\" <b c>`_ and :ref:`c <d e>`.", r"SEE `THE \"A\" <b c>`_ AND :ref:`C <d e>`."),
        ("a |b-c| of |d", "A |b-c| OF |D"),
        ("`a <b>` and :doc:`c`, `d`_", "`A <B>` AND :DOC:`C`, `D`_"),
    ],
)
def test_links_of_restructured_text(msgid: str, msgstr: str) -> None:
    """Sphinx's catalogues: the text of a link is text, and where it leads and names of substitutions are not."""
    source = f'msgid "{msgid}"\nmsgstr ""\n'
    assert swapped(Format.PO, source) == f'#, fuzzy\nmsgid "{msgid}"\nmsgstr "{msgstr}"\n'


def test_translated_by_the_service(client: httpx.Client) -> None:
    """Another program finds German, marked fuzzy, in each message that had none; comments and old texts are there."""
    translated = translate_document(client, Format.PO, CATALOGUE)
    dogs, morning, night, woman, menu = [
        unit for unit in pofile.parsestring(translated.encode()).units if not unit.isheader() and not unit.isobsolete()
    ]
    assert (night.target, night.isfuzzy()) == ("Schlaf gut!", False)
    assert all(unit.isfuzzy() for unit in (dogs, morning, woman))
    assert (morning.target, morning.getcontext()) == ("Guten Morgen!", "morning")
    one, many = dogs.target.strings
    assert one != many
    assert many.count("%d") == 1
    assert one.endswith("\n")
    assert many.endswith("\n")
    assert woman.target.startswith("Die alte Frau, ")
    assert menu.target.count("_") == 1
    assert without_translations(translated) == without_translations(CATALOGUE)
    assert '"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n' in translated
    assert '"Content-Type: text/plain; charset=UTF-8\\n"\n' in translated


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ('msgid "a"\nmsgstr "b"\nsecret\n', "line 3: not a line of a gettext catalogue"),
        ('msgid "a"\nmsgstr "b\n', "line 2: not a line of a gettext catalogue"),
        ('\nmsgid "a"\n\nmsgctxt "b"\nmsgid "c"\nmsgstr ""\n', "line 2: a message without msgstr"),
        ('msgid "a"\n\nmsgid "b"\nmsgstr ""\n', "line 3: the second msgid of one message"),
        ('msgctxt "a"\nmsgstr "b"\n', "line 1: a message without msgid"),
        ('msgid "a"\nmsgstr "b"\nmsgstr "c"\n', "line 3: the second msgstr of one message"),
        ('msgid "a"\nmsgstr ""\nmsgstr[1] ""\n', "line 3: the second msgstr of one message"),
    ],
)
def test_refusals_say_where(source: str, reason: str) -> None:
    """The line, and what is wrong with it."""
    assert refusal(Format.PO, source) == reason


@pytest.mark.parametrize(
    "source",
    [
        'msgid "a"\nmsgstr ""\n' * (FLOOD // 20),
        'msgid ""\n' + '"a"\n' * (FLOOD // 4) + 'msgstr ""\n',
        'msgid "' + "\\\\" * (FLOOD // 2) + 'a"\nmsgstr ""\n',
        'msgid "' + "a " * (FLOOD // 2) + '"\nmsgstr ""\n',
        'msgid "' + "a\\n" * (FLOOD // 3) + '"\nmsgstr ""\n',
        'msgid "' + "\\" * FLOOD,
        " " * FLOOD + "x",
        "#\n" * (FLOOD // 2),
        'msgid "a"\nmsgid_plural "b"\n' + "#\n" * (FLOOD // 2) + 'msgstr[0] ""\n',
    ],
)
def test_floods(source: str) -> None:
    """Messages, strings, escapes, spaces and comments without end take time in proportion."""
    check_flood(Format.PO, source)
