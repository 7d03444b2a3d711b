"""How long ago something was: the words for it stay together where the network would lose some."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from model.bundle import DE_EN, EN_DE, Direction
from service.pipeline.finders.ago import find_ago

if TYPE_CHECKING:
    import httpx

BOUND_S = 1.0
"""Of processor time, for 40,000 characters."""


@pytest.mark.parametrize(
    ("text", "direction", "written"),
    [
        ("{n} days ago", EN_DE, ["vor {n} Tagen"]),
        ("%d day ago", EN_DE, ["vor %d Tag"]),
        ("Posted %s ago by %s", EN_DE, ["vor %s"]),
        ("Your trial expired {{n}} hours ago.", EN_DE, ["vor {{n}} Stunden"]),
        ("3 weeks ago", EN_DE, ["vor 3 Wochen"]),
        ("1 min ago", EN_DE, ["vor 1 Minute"]),
        ("An hour ago", EN_DE, ["vor einer Stunde"]),
        ("a month ago", EN_DE, ["vor einem Monat"]),
        ("a few seconds ago", EN_DE, ["vor ein paar Sekunden"]),
        ("vor %d Minuten", DE_EN, ["%d minutes ago"]),
        ("Ihr Test ist vor {n} Tagen abgelaufen.", DE_EN, ["{n} days ago"]),
        ("Zuletzt synchronisiert vor {time}", DE_EN, ["{time} ago"]),
        ("vor %s", DE_EN, ["%s ago"]),
        ("vor 5 Min.", DE_EN, ["5 minutes ago"]),
        ("Aktualisiert vor 1 Stunde", DE_EN, ["1 hour ago"]),
        ("vor einer Stunde", DE_EN, ["an hour ago"]),
        ("vor wenigen Sekunden", DE_EN, ["a few seconds ago"]),
    ],
)
def test_what_is_written(text: str, direction: Direction, written: list[str]) -> None:
    """Beside a placeholder anywhere, beside a number in a label."""
    assert [one.target for one in find_ago(text, direction)] == written


@pytest.mark.parametrize(
    ("text", "direction"),
    [
        ("It happened 3 years ago.", EN_DE),
        ("Long ago, in Chicago", EN_DE),
        ("Er kam vor 5 Minuten.", DE_EN),
        ("Vor 3 Jahren zog sie um, und er blieb.", DE_EN),
        ("vor {name}", DE_EN),
        ("Davor 5 Minuten, vor 3 Leuten, vor 5 Minutenzeigern, vor einem Haus", DE_EN),
    ],
)
def test_what_is_not(text: str, direction: Direction) -> None:
    """Sentences, which the network knows, and who or what stands before someone."""
    assert not list(find_ago(text, direction))


@pytest.mark.parametrize("unit", ["vor ", "vor 5 ", "{", "ago ", "a ago ", "5", "{a"])
@pytest.mark.parametrize("direction", [EN_DE, DE_EN], ids=str)
def test_floods_take_no_time(unit: str, direction: Direction) -> None:
    """Time grows with the length of the text, whatever it holds."""
    text = "vor ago " + (unit * 40_000)[:40_000]
    started = time.process_time()
    list(find_ago(text, direction))
    assert time.process_time() - started < BOUND_S


def test_through_the_service(client: httpx.Client) -> None:
    """As all of a text, which has then no more for the network to read."""
    body = {"text": ["vor {n} Tagen", "Vor 5 Minuten"]}
    answer = client.post("/translate", params={"dir": "de-en"}, json=body).json()
    assert [one["text"] for one in answer["translations"]] == ["{n} days ago", "5 minutes ago"]
