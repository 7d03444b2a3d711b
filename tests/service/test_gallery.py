"""The gallery: a document of each kind, before and after its text was rewritten."""

from __future__ import annotations

import pytest

from service.types import Format
from tests.service.documents import GALLERY, from_gallery, swapped

FORMATS = {"html": Format.HTML, "md": Format.MARKDOWN, "srt": Format.SRT, "vtt": Format.SRT, "po": Format.PO}
FORMATS |= {"xliff": Format.XLIFF, "json": Format.JSON}
BEFORE = sorted(path.name for path in GALLERY.iterdir() if ".after." not in path.name)


@pytest.mark.parametrize("name", BEFORE)
def test_only_text_changes(name: str) -> None:
    """What is text has its case swapped, attributes of a page included; everything else is as it was, byte for byte."""
    stem, kind = name.split(".")
    after = swapped(FORMATS[kind], from_gallery(name), attributes=name == "page.html")
    assert after == from_gallery(f"{stem}.after.{kind}")


def test_every_format_is_shown() -> None:
    """A new format needs a document here."""
    assert {FORMATS[name.split(".")[1]] for name in BEFORE} == set(Format) - {Format.TEXT}
