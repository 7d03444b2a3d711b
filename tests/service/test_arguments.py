"""$1 and $2 of a message are placeholders, and prices are none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from service.pipeline.finders.placeholders import find_placeholders

if TYPE_CHECKING:
    import httpx


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("$1 of $2", ["$1", "$2"]),
        ("Replace $2 with $1, then $3.", ["$2", "$1", "$3"]),
        ("$1 sent $2 to $1.", ["$1", "$2", "$1"]),
        ("$1 of $3", []),
        ("Only $1", []),
        ("$1 of $2.50", []),
        ("$1-$2 or $1/$2", []),
        ("$1 of $20", []),
        ("from $1 to $2, or 5 $", []),
        ("It costs $1 or $2.", []),
        ("Sie zahlt $1 oder $2.", []),
        ("$1 million of $2 million", []),
        ("$1 or 2 €, not $2", []),
    ],
)
def test_arguments(text: str, found: list[str]) -> None:
    """They are numbered from 1, and there is no other dollar nor a word of money."""
    assert [text[span.start : span.end] for span in find_placeholders(text)] == found


@pytest.mark.parametrize(("direction", "text"), [("en-de", "$1 of $2"), ("de-en", "Seite $1 von $2")])
def test_arguments_through_the_service(client: httpx.Client, direction: str, text: str) -> None:
    """They stay as they are."""
    answer = client.post("/translate", params={"dir": direction}, json={"text": text}).json()
    words = answer["translations"][0]["text"].split()
    assert [word for word in words if "$" in word] == ["$1", "$2"]
