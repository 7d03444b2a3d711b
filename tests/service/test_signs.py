"""Signs that are no words: runs of them keep their length, smileys stay as they are."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from model.bundle import DE_EN
from service.pipeline.finders.signs import find_signs
from service.pipeline.protection.restoration import restore
from service.pipeline.protection.stand_ins import protect
from service.types import Link, Span

if TYPE_CHECKING:
    import httpx

BOUND_S = 1.0
"""Of processor time, for 40,000 characters."""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I, ____, live in ________.", ["____", "________"]),
        ("Date:____ Ort____, Datum", ["____", "____"]),
        ("a === b, ### and ~~~, *** or ---", ["===", "###", "~~~", "***", "---"]),
        ("rwx---rwx, s***t, ABB___X, snake__case, a == b -- c ** d", []),
        ("It costs $$$... Really??? Yes!!! ---> here", []),
        ("That is funny :-D so ;) or :( and :)), really =)", [":-D", ";)", ":(", ":))", "=)"]),
        ('"""Return x.""" or ""a""', ['"""', '"""']),
        ("« Previous | Next »", ["«", "»"]),
        ("‹ Back, »a«, «b» and 3 »c", ["‹"]),
        ("Note: (see above; below) 10:30, a:b, f(x;) <3 and http://", []),
    ],
)
def test_what_is_found(text: str, expected: list[str]) -> None:
    """Three equal signs or more that are no part of a word, and smileys; no punctuation."""
    assert [text[span.start : span.end] for span in find_signs(text)] == expected


def test_quotes_of_docstrings_are_not_read() -> None:
    """They stand around what the network reads, so that it begins with a capital, and are put back around it."""
    text = '"""Liest sie"""'
    protected = protect(text, [*find_signs(text)], [])
    assert protected.text == "Liest sie"
    links = [Link(Span(0, 5), Span(0, 5)), Link(Span(6, 9), Span(6, 10))]
    assert restore(protected, "Reads them", links, DE_EN).text == '"""Reads them"""'


@pytest.mark.parametrize("unit", ["-", "_", "=a", '"', "« ", "- ", ":-", ":(", "_a", "--- ", "*", ";"])
def test_floods_take_no_time(unit: str) -> None:
    """Time grows with the length of the text, whatever it holds."""
    text = (unit * 40_000)[:40_000]
    started = time.process_time()
    list(find_signs(text))
    assert time.process_time() - started < BOUND_S


@pytest.mark.parametrize(
    ("direction", "text", "kept"),
    [
        ("de-en", "Ort, Datum ____ Unterschrift ____", [" ____ ", " ____"]),
        ("de-en", "1 Einleitung ........ 3", [" ........ 3"]),
        ("de-en", "=== Einstellungen ===", ["=== ", " ==="]),
        ("en-de", "We use === here.", ["==="]),
        ("en-de", "« Previous | Next »", ["« ", " »"]),
        ("de-en", '"""Liest die Datei."""', ['"""']),
        ("de-en", "Was?????? Nein!!!!", ["?????? ", "!!!!"]),
    ],
)
def test_runs_come_through(client: httpx.Client, direction: str, text: str, kept: list[str]) -> None:
    """As long as they were, where they were, with the words around them translated."""
    translation = client.post("/translate", params={"dir": direction}, json={"text": text}).json()["translations"][0]
    assert translation["text"] != text
    assert all(translation["text"].count(one) == text.count(one) for one in kept), translation["text"]
    assert translation["text"].count("____") == text.count("____")
