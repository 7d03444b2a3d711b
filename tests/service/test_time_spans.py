"""How long ago something was, and how much is left: words for it stay together where the network loses some."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from model.bundle import DE_EN, EN_DE, Direction
from service.pipeline.finders.time_spans import find_time_spans

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
        ("5 minutes left", EN_DE, ["Noch 5 Minuten"]),
        ("Only {n} days remaining!", EN_DE, ["Nur noch {n} Tage!"]),
        ("1 day left.", EN_DE, ["Noch 1 Tag."]),
        ("{n} left", EN_DE, ["übrig"]),
        ("Only 2 free seats left!", EN_DE, ["übrig"]),
        ("Noch 2 Tage", DE_EN, ["2 days left"]),
        ("nur noch {n} Stunden!", DE_EN, ["Only {n} hours left!"]),
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
    assert [one.target for one in find_time_spans(text, direction)] == written


@pytest.mark.parametrize(
    ("text", "direction"),
    [
        ("It happened 3 years ago.", EN_DE),
        ("Long ago, in Chicago", EN_DE),
        ("Turn left", EN_DE),
        ("3 of them left, and he left 5 minutes later", EN_DE),
        ("Noch 2 Tage, dann fahren wir.", DE_EN),
        ("Noch 2 Tagebücher", DE_EN),
        ("Er kam vor 5 Minuten.", DE_EN),
        ("Vor 3 Jahren zog sie um, und er blieb.", DE_EN),
        ("vor {name}", DE_EN),
        ("Davor 5 Minuten, vor 3 Leuten, vor 5 Minutenzeigern, vor einem Haus", DE_EN),
    ],
)
def test_what_is_not(text: str, direction: Direction) -> None:
    """Sentences, which the network knows, and who or what stands before someone."""
    assert not list(find_time_spans(text, direction))


@pytest.mark.parametrize("unit", ["vor ", "vor 5 ", "5 a ", "{", "ago ", "a ago ", "5", "{a"])
@pytest.mark.parametrize("direction", [EN_DE, DE_EN], ids=str)
def test_floods_take_no_time(unit: str, direction: Direction) -> None:
    """Time grows with the length of the text, whatever it holds."""
    text = "vor ago " + (unit * 40_000)[:40_000]
    started = time.process_time()
    list(find_time_spans(text, direction))
    assert time.process_time() - started < BOUND_S


def test_through_the_service(client: httpx.Client) -> None:
    """As all of a text, which has then no more for the network to read."""
    body = {"text": ["vor {n} Tagen", "Vor 5 Minuten", "Noch 2 Tage"]}
    answer = client.post("/translate", params={"dir": "de-en"}, json=body).json()
    assert [one["text"] for one in answer["translations"]] == ["{n} days ago", "5 minutes ago", "2 days left"]
