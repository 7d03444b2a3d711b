"""Format json: string values are translated; everything else comes back byte for byte."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from service.formats import parse, split
from service.formats.accelerators import take_out
from service.types import Block, Format
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

TEXTS = st.text(st.one_of(st.sampled_from('"\\/<é\n\x1f'), st.characters()), max_size=12).filter(
    lambda text: (
        not take_out(Block(text))[1] and not text.startswith("@") and not re.search(r"\w\.\w|\w-\w|[a-z][A-Z]", text)
    )
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)

MESSAGES = from_gallery("shop.json")


def in_values(value: Any, text: str) -> Any:  # noqa: ANN401 - JSON
    """The value with `text` for every string that has a letter, or a number with a point in it, keys excepted."""
    if isinstance(value, str):
        return text if any(map(str.isalpha, value)) or re.search(r"\d[.,]\d", value) else value
    if isinstance(value, list):
        return [in_values(one, text) for one in value]
    return {key: in_values(one, text) for key, one in value.items()} if isinstance(value, dict) else value


@given(VALUES, TEXTS.filter(lambda text: not text.isspace()), st.booleans(), st.sampled_from([None, 0, 3]))
@example(value="0.0", text="", ascii_only=True, indent=None)
@hypothesis_settings(max_examples=60)
def test_values_change_and_nothing_else(value: object, text: str, ascii_only: bool, indent: int | None) -> None:  # noqa: FBT001 - drawn
    """With its own texts a document is itself; with others, a JSON parser finds those in place of the old ones."""
    source = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    assert read_or_refuse(Format.JSON, source) == source
    inlines = any(block.inlines for block in parse(Format.JSON, source).blocks)
    changed = rewrite(Format.JSON, source, lambda _: text)
    assert inlines or json.loads(changed) == in_values(value, text)
    escaped = source.isascii() and source != json.dumps(value, ensure_ascii=False, indent=indent)
    assert changed.isascii() or not escaped


def test_layout_and_escapes_are_those_of_the_document() -> None:
    """White space before a colon; what the document only ever has escaped is written so, and nothing else."""
    source = '\ufeff{ "a"\t\r\n : "b\\/c \\u003c \\u00e4",\n"d":"e"}'
    assert rewrite(Format.JSON, source, lambda _: 'x/<ö>"\n') == source.replace(
        '"b\\/c \\u003c \\u00e4"', r'"x\/\u003c\u00f6>\"\n"'
    ).replace('"e"', r'"x\/\u003c\u00f6>\"\n"')


def test_an_accelerator_comes_back() -> None:
    """Read without its sign, a label has it again; an identifier and words around a sign have none."""
    source = '{"a": "Save &As...", "b": "_blank", "c": "R&D", "d": "Drag&drop"}'
    assert [block.text for block in parse(Format.JSON, source).blocks] == ["Save As...", "_blank", "R&D", "Drag&drop"]
    assert read_or_refuse(Format.JSON, source) == source
    assert (
        rewrite(Format.JSON, source, str.upper) == '{"a": "SAVE &AS...", "b": "_BLANK", "c": "R&D", "d": "DRAG&DROP"}'
    )


@pytest.mark.parametrize(
    ("source", "texts"),
    [
        ('{"@@locale": "en", "a": "B c", "@a": {"type": "text", "d": [{"e": "f"}], "g": "h"}, "i": "j"}', ["B c", "j"]),
        ('{"@type": "Person", "name": "A b", "c": {"@id": "d", "e": "f"}, "@": ["g", "h"]}', ["A b", "f"]),
        ('{"@{user} wrote": "A b"}', ["A b"]),
        ('["d41d8cd98f00b204e9800998ecf8427e", "Europe/Berlin", "Europe", "decade", "1234567"]', ["Europe", "decade"]),
        (
            '{"icon": "arrow-left", "Type" : "button", "class": "btn primary", "title": "left", "mytype": "text"}',
            ["btn primary", "left", "text"],
        ),
        (
            '["menu.file.open", "firstName", "DateTime", "e.g.", "z.B", "a-day-at-the-sea", "e-mail", "Ende.Neu"]',
            ["DateTime", "e.g.", "z.B", "e-mail", "Ende.Neu"],
        ),
    ],
)
def test_metadata_and_identifiers_are_no_text(source: str, texts: list[str]) -> None:
    """Programs read them; each part of a document that is sent in parts knows where it is in the whole."""
    assert [block.text for block in parse(Format.JSON, source).blocks] == texts
    parts = split(Format.JSON, source, 1)
    assert [block.text for part in parts for block in parse(Format.JSON, part.document).blocks] == texts


@pytest.mark.parametrize(
    ("locale", "written"),
    [("en", "de"), ("en_US", "de"), ("fr", "fr"), ("english", "english")],
)
def test_the_locale_of_a_file(locale: str, written: str) -> None:
    """Where it is the language of the messages, it is that of the translations then, as Flutter demands of ARB."""
    source = '{{"@@locale" : "{}", "a": "{}", "@a": {{"b": "\\"@@locale\\": \\"en\\""}}}}'
    assert rewrite(Format.JSON, source.format(locale, "x"), str.upper, ("en", "de")) == source.format(written, "X")


@given(st.text(st.sampled_from('{}[]",:\\u0aé1-.enIN \n\ud800'), max_size=30))
def test_anything_is_read_or_refused(source: str) -> None:
    """What is accepted is what Python's parser accepts, and comes back as it was."""
    try:
        json.loads(source)
        valid = not any(name in source for name in ("NaN", "Infinity"))
    except ValueError:
        valid = False
    assert (read_or_refuse(Format.JSON, source) == source) is valid


def test_translated_by_the_service(client: httpx.Client) -> None:
    """Keys, numbers, white space and escapes of the file are as before; its sentences are German, line by line."""
    translated = translate_document(client, Format.JSON, MESSAGES)
    before, after = json.loads(MESSAGES), json.loads(translated)
    assert list(after) == list(before)
    assert after["cart"]["codes"] == before["cart"]["codes"]
    assert after["cart"]["empty"].count("\n") == 1
    assert after["cart"]["empty"] != before["cart"]["empty"]
    assert after["cart.count"].count("{count}") == 1
    assert after["footer"].count('<a href="/hours">') == after["footer"].count("</a>") == 1
    assert "<\\/a>" in translated
    assert translated.isascii()
    assert translated.startswith('{\n  "_comment" : "')
    assert '",\n    "cart.count":\t"' in translated


def test_nothing_to_translate(client: httpx.Client) -> None:
    """A document without text is its own translation."""
    assert translate_document(client, Format.JSON, '{"id": 1, "codes": ["42"]}\n') == '{"id": 1, "codes": ["42"]}\n'


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ('{"a": 1,\n "b" 2}', "line 2, column 6: Expecting ':' delimiter"),
        ('{"a": 1,\n "secret\t": 2}', "line 2, column 9: Invalid control character at"),
        ('["a NaN",\n\n NaN]', "line 3, column 2: NaN and Infinity are not allowed"),
        ("", "line 1, column 1: Expecting value"),
        ("[" * FLOOD, "nested too deeply"),
    ],
)
def test_refusals_say_where(source: str, reason: str) -> None:
    """The line and column, and what was expected there."""
    assert refusal(Format.JSON, source) == reason


@pytest.mark.parametrize(
    "source",
    [
        '"' + "\\" * FLOOD + '"',
        '"' + "\\ud800" * (FLOOD // 6) + 'x"',
        "[" + '"x",' * (FLOOD // 4) + "1]",
        '["x"' + " " * FLOOD + "]",
        "9" * FLOOD,
        '{"a":' * (FLOOD // 5),
    ],
)
def test_floods(source: str) -> None:
    """Escapes, strings, digits and depth without end take time in proportion."""
    check_flood(Format.JSON, source)
