"""Inches are Zoll, of what is of that size as one word with it; quotation marks after a number are none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from model.bundle import DE_EN, EN_DE
from service.pipeline.finders.inches import find_inches

if TYPE_CHECKING:
    import httpx


@pytest.mark.parametrize(
    ("text", "german"),
    [
        ('3 x 24" monitors and a 15.6" laptop', ["24-Zoll", "15,6-Zoll"]),
        ('It is 27" wide and 3.5″ high.', ["27 Zoll", "3,5 Zoll"]),
        ('The screen measures 6.1".', ["6,1 Zoll"]),
        ('"Our 27" monitor", he said.', []),
        ('He said "yes" to the 27" monitor.', ["27-Zoll"]),
        ("a 6.7-inch display, 12 inch pizzas", ["6,7-Zoll", "12-Zoll"]),
        ('He is 6\'2" tall, the box 9" x 13", the screw 3/8", on "Windows 7" and on "Route 66".', []),
        ("12 inches long, 12-inch, 9 inch by 13", []),
    ],
)
def test_into_german(text: str, german: list[str]) -> None:
    """Each sign that closes no quotation, and the word before what is of that size."""
    assert [one.target for one in find_inches(text, EN_DE)] == german
    assert not list(find_inches(text, DE_EN))


def test_inches_through_the_service(client: httpx.Client) -> None:
    """None is lost."""
    text = ['A 24" bike', "I bought a 27-inch monitor."]
    answer = client.post("/translate", params={"dir": "en-de"}, json={"text": text}).json()
    assert ["-Zoll" in one["text"] for one in answer["translations"]] == [True, True]
