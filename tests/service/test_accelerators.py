"""The key of a menu entry: out before translation, back in after it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.formats.accelerators import put_back, take_out
from service.types import Block, Inline, InlineKind, Span


@pytest.mark.parametrize(
    ("source", "plain", "translation", "expected"),
    [
        ("_Print", "Print", "Drucken", "_Drucken"),
        ("Save _As", "Save As", "Speichern als", "Speichern _als"),
        ("E&xit", "Exit", "Beenden", "&Beenden"),
        ("E_xit", "Exit", "Beenden", "_Beenden"),
        ("User_name X_1 MY_name", "User_name X_1 MY_name", "x", "x"),
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
        ("&Copy\tCtrl+C", "Copy\tCtrl+C", "Kopieren\tStrg+C", "&Kopieren\tStrg+C"),
        ("&Go (Ctrl+G)", "Go (Ctrl+G)", "Los (Strg+G)", "&Los (Strg+G)"),
        ("&Go\tCtrl+G", "Go\tCtrl+G", "…\tStrg+G", "…\tStrg+G"),
        ("Ö&ffnen", "Öffnen", "Open", "&Open"),
        ("This is _very_ big", "This is _very_ big", "x", "x"),
        ("(_see below_)", "(_see below_)", "x", "x"),
        ("_blank", "_blank", "leer", "leer"),
        ("Open _with", "Open with", "Öffnen mit", "_Öffnen mit"),
        ("Edit _config.yml or _my_name", "Edit _config.yml or _my_name", "x", "x"),
        ("Follow @_ann", "Follow @_ann", "x", "x"),
        ("_Hi {{ my name }}", "Hi {{ my name }}", "{{ my name }}: hallo", "{{ my name }}: _hallo"),
        ("We love rock&roll.", "We love rock&roll.", "x", "x"),
        ("A bed&breakfast near the lake", "A bed&breakfast near the lake", "x", "x"),
        ("Add to Fa&vorites...", "Add to Favorites...", "Vorne", "&Vorne"),
        ("R&D", "R&D", "F&E", "F&E"),
        ("Q & A", "Q & A", "x", "x"),
    ],
)
def test_labels(source: str, plain: str, translation: str, expected: str) -> None:
    """The sign stands before the same letter, at the head of a word if it can; else before the first word.

    In a placeholder or an address it is none.
    """
    found, accelerator = take_out(Block(source))
    assert found.text == plain
    assert put_back(Block(translation), accelerator).text == expected


def test_markup_stays_where_it_is() -> None:
    """The sign is in the element in which its word is; what is kept has none."""
    inlines = Inline(0, "<b>", InlineKind.OPEN, 0), Inline(5, "</b>", InlineKind.CLOSE, 0)
    block = Block("&File {0}", inlines, (Span(6, 9),))
    plain, accelerator = take_out(block)
    assert plain == Block("File {0}", (inlines[0], Inline(4, "</b>", InlineKind.CLOSE, 0)), (Span(5, 8),))
    assert put_back(plain, accelerator) == block
    assert take_out(Block("_File", kept=(Span(0, 5),))) == (Block("_File", kept=(Span(0, 5),)), "")


@given(st.text(st.sampled_from("ab A_&~;%\u00df\u0130"), max_size=12), st.text(max_size=12))
def test_only_one_sign_comes_and_goes(source: str, translation: str) -> None:
    """Whatever the texts: what is taken out is one sign, and what is put back is that or nothing."""
    plain, accelerator = take_out(Block(source))
    assert len(source) - len(plain.text) == bool(accelerator)
    written = put_back(Block(translation), accelerator).text
    places = range(len(translation) + 1)
    assert written in {translation, *(translation[:at] + accelerator[:1] + translation[at:] for at in places)}
