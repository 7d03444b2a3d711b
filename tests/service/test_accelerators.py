"""The key of a menu entry: out before translation, back in after it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.formats.accelerators import put_back, take_out


@pytest.mark.parametrize(
    ("source", "plain", "translation", "expected"),
    [
        ("_Print", "Print", "Drucken", "_Drucken"),
        ("Save _As", "Save As", "Speichern als", "Speichern _als"),
        ("E&xit", "Exit", "Beenden", "&Beenden"),
        ("&Close %d files", "Close %d files", "%d Dateien schließen", "%d Dateien s&chließen"),
        ("~Delete", "Delete", "%d", "%d"),
        ("AT&T", "AT&T", "AT&T", "AT&T"),
        ("Salt &amp; pepper", "Salt &amp; pepper", "Salz", "Salz"),
        ("set my_name here", "set my_name here", "x", "x"),
        ("_One and _two", "_One and _two", "x", "x"),
        ("_Open {_name}", "Open {_name}", "{_name} öffnen", "{_name} _öffnen"),
        ("_Help at http://ex.com", "Help at http://ex.com", "Siehe http://ex.com", "Sie_he http://ex.com"),
        ("{_count} files", "{_count} files", "{_count} Dateien", "{_count} Dateien"),
        ("Missing $_GET", "Missing $_GET", "$_GET fehlt", "$_GET fehlt"),
        ("See http://ex.com/?q=x&lang=de", "See http://ex.com/?q=x&lang=de", "Siehe x", "Siehe x"),
        ("Use a=x&b", "Use a=x&b", "Nutze a=x&b", "Nutze a=x&b"),
        ("%(_count)s files", "%(_count)s files", "%(_count)s Dateien", "%(_count)s Dateien"),
    ],
)
def test_labels(source: str, plain: str, translation: str, expected: str) -> None:
    """The sign stands before the same letter, at the head of a word if it can; else before the first word.

    In a placeholder or an address it is none.
    """
    found, accelerator = take_out(source)
    assert found == plain
    assert put_back(translation, accelerator) == expected


@given(st.text(st.sampled_from("ab A_&~;%\u00df\u0130"), max_size=12), st.text(max_size=12))
def test_only_one_sign_comes_and_goes(source: str, translation: str) -> None:
    """Whatever the texts: what is taken out is one sign, and what is put back is that or nothing."""
    plain, accelerator = take_out(source)
    assert len(source) - len(plain) == bool(accelerator)
    written = put_back(translation, accelerator)
    places = range(len(translation) + 1)
    assert written in {translation, *(translation[:at] + accelerator[:1] + translation[at:] for at in places)}
