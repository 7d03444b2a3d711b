"""Prices, ages and times from which on something is: *ab 12 €*."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from model.bundle import DE_EN
from service.pipeline.edits import apply
from service.pipeline.protection.rereading import in_known_constructions
from service.pipeline.protection.restoration import restore
from service.pipeline.protection.stand_ins import protect
from service.pipeline.repairs.lower_bounds import check_lower_bounds
from service.pipeline.substitution.lower_bounds import find_lower_bounds

if TYPE_CHECKING:
    import httpx

BOUND_S = 2.0
"""Of processor time, for 100,000 characters; a tenth of a second is needed."""


@pytest.mark.parametrize(
    ("german", "read", "written", "expected"),
    [
        ("Zimmer ab 89 $", "Zimmer über 89 $", "Rooms over $89", "Rooms from $89"),
        ("Tee ab 2 $, Saft ab 3 $", "Tee über 2 $, Saft über 3 $", "Tea over $2, juice over $3", None),
        ("Post 5 $ (ab 50 $ frei)", "Post 5 $ (über 50 $ frei)", "Post $5 (free over $50)", "Post $5 (free from $50)"),
        ("Kinder ab 6 Jahren zahlen.", "Kinder über 6 Jahren zahlen.", "Children above 6 pay.", "Children from 6 pay."),
        ("Nur ab zwei Personen.", "Nur über zwei Personen.", "Only more than two people.", "Only from two people."),
    ],
)
def test_what_is_read(german: str, read: str, written: str, expected: str | None) -> None:
    """The network reads *über*; what it writes for that becomes *from*, each."""
    protected = in_known_constructions(protect(german, [], []), "de", None)
    assert protected.text == read
    assert restore(protected, written, [], DE_EN).text == (expected or written.replace("over", "from"))


@pytest.mark.parametrize(
    "german",
    [
        "Ab 12 €",
        "Wir liefern ab 12 Uhr.",
        "Das gilt ab dem 5. Mai.",
        "Er lehnt 5 € ab.",
        "Er redet über Preise ab 5 €.",
        "Es gibt mehr als zehn Zimmer ab 89 €.",
        "Das gilt ab 2024.",
    ],
)
def test_what_is_not(german: str) -> None:
    """Where the text begins the network knows it; times, dates, prefixes of verbs; and another *über*."""
    assert find_lower_bounds(german) == ([], ())


@pytest.mark.parametrize(
    ("english", "german", "expected"),
    [
        ("Tickets from €12", "Karten von 12 €", "Karten ab 12 €"),
        ("From $9.50 a month", "Von 9,50 Dollar im Monat", "Ab 9,50 Dollar im Monat"),
        ("Flights from only £49", "Flüge von nur 49", "Flüge ab nur 49"),
        ("Open from 3 pm.", "Offen von 15 Uhr.", "Offen ab 15 Uhr."),
        ("Open from 10.", "Offen von 10 Uhr.", "Offen ab 10 Uhr."),
        ("Open from 3 pm to 6 pm", "Offen von 15 Uhr", "Offen von 15 Uhr"),
        ("It fell from $12.", "Es fiel von 12 $.", "Es fiel von 12 $."),
        ("From $5 to $10", "Von 5 $", "Von 5 $"),
        ("Now $10, down from $12", "Jetzt 10 $, von 12 $", "Jetzt 10 $, von 12 $"),
        ("The train from 3 pm is late.", "Der Zug von 15 Uhr ist spät.", "Der Zug von 15 Uhr ist spät."),
        ("From €5 on", "Von 5 € an", "Von 5 € an"),
        ("Free and available from 1 March", "Frei und vom 1. März verfügbar", "Frei und ab dem 1. März verfügbar"),
        ("Valid from Monday.", "Gültig von Montag.", "Gültig ab Montag."),
        ("Open from May 3 to June 1", "Offen vom 3. Mai bis 1. Juni", "Offen vom 3. Mai bis 1. Juni"),
        ("A letter from May 3", "Ein Brief vom 3. Mai", "Ein Brief vom 3. Mai"),
        ("A fine of €12", "Eine Strafe von 12 €", "Eine Strafe von 12 €"),
    ],
)
def test_what_is_put_right(english: str, german: str, expected: str) -> None:
    """*Von* becomes *ab*, but not between two prices or times, nor where something is named by its time."""
    assert apply(german, [*check_lower_bounds(english, german)]).text == expected


@pytest.mark.parametrize("unit", ["from $1 ", "from ", "up from $", "ab 1 ", "ab $"])
def test_floods_take_no_time(unit: str) -> None:
    """Whatever begins one of these is searched in time that is bounded."""
    text = (unit * 100_000)[:100_000]
    started = time.process_time()
    list(check_lower_bounds(text, "von 1 " * 10_000))
    find_lower_bounds(text)
    assert time.process_time() - started < BOUND_S


def test_through_the_service(client: httpx.Client) -> None:
    """Both ways."""
    for direction, text, wanted in (
        ("de-en", "Wir haben Zimmer ab 89 € pro Nacht.", "from €89"),
        ("en-de", "You can come from 3 pm.", "ab 15 Uhr"),
    ):
        answer = client.post("/translate", params={"dir": direction}, json={"text": text})
        assert wanted in answer.json()["translations"][0]["text"]
