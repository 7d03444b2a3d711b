"""Long documents in parts: put together again, what became of the parts is what the whole becomes."""

from __future__ import annotations

from pathlib import PurePath

import pytest

from service.formats import SUFFIXES, split
from service.types import Format
from tests.service.documents import from_gallery, swapped

VTT = "WEBVTT\n\nNOTE none of it\n\nname\n00:01.000 --> 00:02.000\nFish &amp; chips\n\n00:03.000 --> 00:04.000\nYes.\n"
PO = (
    'msgid ""\nmsgstr "charset=CHARSET\\n"\n# note\n'
    '#, c-format\nmsgid "One"\nmsgid_plural "%d"\nmsgstr[0] ""\n#~ msgid "No"'
)


def parts_and_whole(form: Format, source: str, characters: int) -> tuple[int, str, str]:
    """How many parts there are, what becomes of them, and of the whole."""
    parts = split(form, source, characters)
    assert "".join(part.text for part in parts) == source
    assert split(form, source, len(source)) == split(Format.TEXT, source, 1)
    return len(parts), "".join(part.stretch(swapped(form, part.document)) for part in parts), swapped(form, source)


@pytest.mark.parametrize("characters", [1, 150, 400])
@pytest.mark.parametrize("name", ["film.srt", "film.vtt", "manual.md", "shop.po", "shop.json"])
def test_the_gallery(name: str, characters: int) -> None:
    """Documents of each kind, three times over."""
    source, form = from_gallery(name), SUFFIXES[PurePath(name).suffix]
    source = f"[{source},{source},{source}]" if form is Format.JSON else source * 3
    count, found, whole = parts_and_whole(form, source, characters)
    assert count > 1
    assert found == whole


@pytest.mark.parametrize(
    ("form", "source", "count"),
    [
        (Format.JSON, '{"a": {"b": ["Eins", 2, {"c": "Zwei"}]}, "d,}": "Drei"}\n', 4),
        (Format.JSON, '["plain", "\\u00fcber", "a \\/ b"]', 3),  # what has no escape must be escaped as the others are
        (Format.JSON, '["plain", "über", "\\u00e4 und ä"]', 3),
        (Format.JSON, '"one text"', 1),
        (Format.MARKDOWN, "---\ntitle: no text\n---\n\nSee [it][A].\n\n---\n\nAnd [a].\n\n[a]: /x\n", 4),
        (Format.MARKDOWN, "> one\n\n- two\n\n  two\n\n      code\n\n~~~\nopen\n\ncode\n", 3),
        (Format.MARKDOWN, "<pre>\n\nno text\n\n</pre>\n\n| a |\n|---|\n| b |\nc\n\nd", 3),
        (Format.SRT, "1\n00:00:01,000 --> 00:00:02,000\n42\n2\n00:00:03,000 --> 00:00:04,000\nTwo\n\nlines", 2),
        (Format.SRT, VTT, 2),
        (Format.SRT, VTT.replace("chips\n\n", "chips\n"), 1),  # the name of a caption cannot be told from text
        (Format.PO, PO, 3),
        (Format.HTML, "<p>One</p>\n\n<p>Two</p>", 1),
    ],
)
def test_cut_wherever_it_can_be(form: Format, source: str, count: int) -> None:
    """At every place where that changes nothing, and at no other."""
    assert parts_and_whole(form, source, 1) == (count, swapped(form, source), swapped(form, source))
