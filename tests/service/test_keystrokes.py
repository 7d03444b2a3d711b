"""Keys that are pressed while others are held have the name that is on keyboards of the other language."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from model.bundle import DE_EN, EN_DE, Direction
from service.pipeline.finders.keystrokes import find_keys
from tests.service.support import CopyingEngine, serve

if TYPE_CHECKING:
    from service.app import Loaded
    from service.settings import Settings

BOUND_S = 2.0
"""Of processor time."""


def named(sentence: str, direction: Direction) -> list[tuple[str, str]]:
    """The keys that are found, each as it stands there and with its name in the other language."""
    return [(sentence[span.start : span.end], target) for span, target in find_keys(sentence, direction)]


@pytest.mark.parametrize(
    ("sentence", "keys"),
    [
        ("Press Ctrl+Alt+Del.", [("Del", "Entf")]),
        ("Press Ctrl + Page Up or Shift+Home", [("Page Up", "Bild auf"), ("Home", "Pos1")]),
        ("CTRL-ALT-DELETE", [("DELETE", "ENTF")]),
        ("Zoom with Ctrl++, Ctrl + - and Alt+Shift+-.", [("+", "+"), ("-", "-"), ("-", "-")]),
        ("C++, 2+-1, Ctrl+C+, Alt-", []),
        ("Press Ctrl+C, Alt+F4 or Shift+Tab.", []),
        ("Press Del.", []),
        (
            "Press Shift + Cmd+Delete (Cmd++, Ctrl/CMD+S), not C+Cmd.",
            [("Shift + Cmd+Delete", "Umschalt + Cmd+Entf"), ("Cmd++", "Cmd++"), ("CMD+S", "CMD+S")],
        ),
        ("at the shift-end, and Windows-Home", []),
        ("Ctrl+Enterprise and C+Ctrl+Enter+X", []),
    ],
)
def test_into_german(sentence: str, keys: list[tuple[str, str]]) -> None:
    """Only in combinations, and only keys that are called otherwise: the rest the network knows."""
    assert named(sentence, EN_DE) == keys


@pytest.mark.parametrize(
    ("sentence", "keys"),
    [
        ("Umschalt+Entf löscht die Datei.", [("Entf", "Delete")]),
        ("Strg+Pos1, Strg + Bild ab", [("Pos1", "Home"), ("Bild ab", "Page Down")]),
        ("STRG+EINGABE", [("EINGABE", "ENTER")]),
        ("Strg-Ende", [("Ende", "End")]),
        ("Strg++", [("+", "+")]),
        ("Cmd+Umschalt+P", [("Cmd+Umschalt+P", "Cmd+Shift+P")]),
        ("die Strg+-Taste", []),
        ("Alt-Ende", []),
        ("Strg+F", []),
    ],
)
def test_into_english(sentence: str, keys: list[tuple[str, str]]) -> None:
    """The same the other way."""
    assert named(sentence, DE_EN) == keys


def test_floods_take_no_time() -> None:
    """Time is in proportion to the length."""
    started = time.process_time()
    named("Cmd + " * 20_000, EN_DE)
    assert time.process_time() - started < BOUND_S


def test_served(settings: Settings, loaded: Loaded) -> None:
    """Around an engine that copies, also within markup; a glossary and code come first."""
    body = {
        "text": [
            "Press Ctrl+Alt+Del.",
            "<p>Press <b>Shift</b>+<b>Del</b>.</p>",
            "<p><code>Shift+Del</code> it</p>",
        ]
    }
    terms = {"text": "Press Ctrl+Del.", "glossary": [{"source": "Del", "target": "Lösch"}]}
    with serve(settings, replace(loaded, engine=CopyingEngine())) as served:
        answer = served.client.post("/translate?dir=en-de&format=html", json=body)
        ours = served.client.post("/translate?dir=en-de", json=terms)
    assert [one["text"] for one in answer.json()["translations"]] == [
        "Press Ctrl+Alt+Entf.",
        "<p>Press <b>Shift</b>+<b>Entf</b>.</p>",
        "<p><code>Shift+Del</code> it</p>",
    ]
    assert ours.json()["translations"][0]["text"] == "Press Ctrl+Lösch."
