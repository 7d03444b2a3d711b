"""Names of places that the network does not know."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from model.bundle import DE_EN, DIRECTIONS, EN_DE, Direction
from service.pipeline.finders.places import find_places, names_of_places

if TYPE_CHECKING:
    import httpx

BOUND_S = 5.0
"""Of processor time; a tenth of it is enough."""


@pytest.mark.parametrize(
    ("text", "direction", "found"),
    [
        ("She moved from Nice to Cologne.", EN_DE, ["Nice: Nizza", "Cologne: Köln"]),
        ("Cologne's and Lucerne’s lakes", EN_DE, ["Cologne's: Kölns", "Lucerne’s: Luzerns"]),
        ("Tuscany is near Tuscany.", EN_DE, ["Tuscany: Toskana", "Tuscany: der Toskana"]),
        ("The Hague, Lower Saxony", EN_DE, ["The Hague: Den Haag", "Lower Saxony: Niedersachsen"]),
        ("Salzgitter, Baden-Baden", DE_EN, ["Salzgitter: Salzgitter", "Baden-Baden: Baden-Baden"]),
        ("Das Bad in Bad Zwischenahn", DE_EN, ["Bad Zwischenahn: Bad Zwischenahn"]),
        ("Bad Kreuznach (St. Pölten)", DE_EN, ["Bad Kreuznach: Bad Kreuznach", "St. Pölten: St. Pölten"]),
        ("Erfurts Dom, der Erfurter Dom, die Erfurter", DE_EN, ["Erfurts: Erfurt's", "Erfurter: Erfurt"]),
        ("Celler Schloss, Solinger Messer", DE_EN, ["Celler: Celle", "Solinger: Solingen"]),
        ("Die Steiermark und der Bodensee", DE_EN, ["Die Steiermark: Styria", "der Bodensee: Lake Constance"]),
        ("In Gießen, aus Siegen und nach Island", DE_EN, ["Gießen: Giessen", "Siegen: Siegen", "Island: Iceland"]),
    ],
)
def test_what_is_written(text: str, direction: Direction, found: list[str]) -> None:
    """Each is called as the other language does, with its article, genitive or adjective."""
    matches = find_places(text, direction)
    assert [f"{text[one.span.start : one.span.end]}: {one.target}" for one in matches] == found


@pytest.mark.parametrize(
    ("text", "direction"),
    [
        ("It is nice. Nice work, Milan Kundera and Hermann Hesse.", EN_DE),
        ("Das Erlangen, das Gießen, Siegen ist Bowen Island und Baden.", DE_EN),
        ("Köln-Ehrenfeld, Kölnisch Wasser, www.Erfurt.de, @Erfurt", DE_EN),
        ("WIR WOHNEN IN ERFURT", DE_EN),
        ("Ein Hamburger Menü für die Erfurter", DE_EN),
    ],
)
def test_what_is_not(text: str, direction: Direction) -> None:
    """Other words, parts of words and of addresses, and names of persons are none."""
    assert not list(find_places(text, direction))


@pytest.mark.parametrize("direction", DIRECTIONS, ids=str)
def test_all_of_them(direction: Direction) -> None:
    """Each that is listed is found in its place, and once."""
    for name in names_of_places(direction):
        (match,) = find_places(f"so it is in {name}.", direction)
        assert f"so it is in {name}."[match.span.start : match.span.end] == name


def test_floods() -> None:
    """A hundred thousand characters take no longer than other text."""
    started = time.process_time()
    for flood in ("in der ", "Erfurt ", "Bad ", "St. ", "der Steiermark "):
        list(find_places(flood * (100_000 // len(flood)), DE_EN))
    assert time.process_time() - started < BOUND_S


def test_through_the_service(client: httpx.Client) -> None:
    """They are in the translation."""
    texts = {"en-de": "She lives in Nice.", "de-en": "Sie wohnt in Salzgitter."}
    for direction, expected in (("en-de", "Nizza"), ("de-en", "Salzgitter")):
        answer = client.post("/translate", params={"dir": direction}, json={"text": texts[direction]})
        assert expected in answer.json()["translations"][0]["text"]
