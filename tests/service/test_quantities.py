"""Quantities, with units that the networks know too little."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from model.bundle import DE_EN, DIRECTIONS, EN_DE, Direction
from service.pipeline.edits import apply
from service.pipeline.finders.quantities import find_quantities, units, without_megabytes
from service.pipeline.protection.rereading import in_megabytes
from service.pipeline.protection.restoration import restore
from service.pipeline.protection.stand_ins import protect

if TYPE_CHECKING:
    import httpx

BOUND_S = 2.0
"""Of processor time."""


@pytest.mark.parametrize(
    ("text", "direction", "found"),
    [
        ("500 g flour, 1.5 l milk and 5-10 kg ice", EN_DE, ["500 g", "15 l", "10 kg"]),
        ("16 A at 230 V, a 5 kW motor.", EN_DE, ["16 A", "230 V", "5 kW"]),
        ("1 ½ cups of flour, 2 tbsp of oil, 1/2 tsp. salt", EN_DE, ["1½ Tassen", "2 EL", "12 TL"]),
        ("2 EL Öl, 1 Teelöffel Salz, ½ Pck. Hefe", DE_EN, ["2 tbsp", "1 tsp", "½ packet of"]),
        ("45 sq m, 500 sq. ft. and 6 square feet", EN_DE, ["45 Quadratmeter", "500 Quadratfuß", "6 Quadratfuß"]),
        ("9 ft. wide, 40 acres, 10 ounces of tea, 1,500 ft.", EN_DE, ["9 Fuß", "40 Acres", "10 Unzen", "1500 Fuß"]),
        ("1 oz of tea and 2 oz. of sugar", EN_DE, ["1 Unze", "2 Unzen"]),
        (
            "1.580 kJ/376 kcal, 50 Franken, 2,5 Mio. Franken",
            DE_EN,
            ["1580 kJ", "50 francs", "25 million francs"],
        ),
        ("150 PS und X2 kg", DE_EN, ["150 hp", "X2 kg"]),
        ("12 Hektar, 1 Hektar, 9 Volt", DE_EN, ["12 hectares", "1 hectare", "9 volts"]),
        ("2.000 EUR oder 5 CHF", DE_EN, ["2000 EUR", "5 CHF"]),
        ("1 Franken, 1 Mio. Franken, 2 Kilo", DE_EN, ["1 franc", "1 million francs", "2 kilos"]),
        ("3 cubic metres, 1 kilogram, 9 volts", EN_DE, ["3 Kubikmeter", "1 Kilogramm", "9 Volt"]),
        ("of 5,000 square kilometers", EN_DE, ["5000 Quadratkilometer"]),
        ("auf 5.000 Quadratkilometern", DE_EN, ["5000 square kilometers"]),
        ("3 drops of oil, 1 clove of garlic", EN_DE, ["3 Tropfen", "1 Knoblauchzehe"]),
        ("1,5 Prozentpunkte, 1 Kilowatt", DE_EN, ["15 percentage points", "1 kilowatt"]),
        ("Mix 250g flour, 7g yeast and 1.5l milk (45W).", EN_DE, ["250 g", "7 g", "15 l", "45 W"]),
        ("Add 10g yeast. Oracle 11g needs 100ml, Cut 200g.", EN_DE, ["100 ml", "200 g"]),
    ],
)
def test_what_is_found(text: str, direction: Direction, found: list[str]) -> None:
    """A number, or the stand-in of one, with what its unit is called in the other language."""
    quantities = find_quantities(text, "X", direction)
    assert [f"{one.number} {one.output}" for one in quantities] == found


@pytest.mark.parametrize(
    "text",
    [
        "802.11g, the 60s, Oracle 11g, 5G, 4g, A7 l, RM-1 A and RS-232 V",
        "seat 14A, 2l, A7kg, X2ml and 5W-30",
        "5 g/l, 100 g-Packung, 3 t.test, 3 km, 20 cm, 5 m and 50 Hz",
        "um 20 h, bis 22.05 h",
        "X1 Fr. 20, 5 Fr. 30",
        "In 2012 A new law came.",
        "The world cup, cups of tea, a g and a kg",
        "A file of 5 MB on a disk of 300 g",
    ],
)
def test_what_is_not(text: str) -> None:
    """Codes, parts of words, units that the networks know; and none where megabytes are spoken of."""
    assert find_quantities(text, "X", EN_DE) == []


@pytest.mark.parametrize(
    ("written", "expected", "is_sound"),
    [
        ("100 MB Zucker, 50 MB Butter, 2 MB Salz", "100 g Zucker, 50 kg Butter, 2 TL Salz", True),
        ("50 MB Butter, 2MB Salz und 100-MB Zucker", "50 kg Butter, 2 TL Salz und 100-g Zucker", True),
        ("100 MB- Zucker, 50 Megabytes Butter, 2 MBs", "100 g Zucker, 50 kg Butter, 2 TL", True),
        ("100 MB- und 50 MB-Beutel, 2 MB", "100 g- und 50 kg-Beutel, 2 TL", True),
        ("10 MB Zucker, 50 MB Butter, MB Salz", "10 g Zucker, 50 kg Butter, TL Salz", True),
        ("100 Zucker, 50 MB Butter, 2 MB Salz", "100 g Zucker, 50 kg Butter, 2 TL Salz", True),
        ("Zucker, 50 MB Butter, 2 MB Salz", "Zucker, 50 kg Butter, 2 TL Salz", False),
        ("100 €, 100 %, 50 MB Butter, 2 MB Salz", "100 €, 100 %, 50 kg Butter, 2 TL Salz", False),
        ("100 MBzucker, 50 MB Butter, 2 MB Salz", "100 g zucker, 50 kg Butter, 2 TL Salz", True),
        ("100 MB, 50 MB, 2 MB, 7 MB", "100 g, 50 kg, 2 TL, 7 TL", True),
    ],
)
def test_what_becomes_of_megabytes(written: str, expected: str, is_sound: bool) -> None:  # noqa: FBT001
    """Each gets the unit of its number, others those that are left, in order; a lost one stands beside its number."""
    quantities = find_quantities("100 g sugar, 50 kg butter and 2 tsp salt", "", EN_DE)
    edits, sound = without_megabytes(written, quantities)
    assert apply(written, edits).text == expected
    assert sound == is_sound


@pytest.mark.parametrize("text", ["bis 20.15 h ", "um 20 h ", "Oracle 11g "])
def test_floods_take_no_time(text: str) -> None:
    """Time is in proportion to the length."""
    started = time.process_time()
    find_quantities(text * 10_000, "X", DE_EN)
    assert time.process_time() - started < BOUND_S


def test_no_of_is_doubled() -> None:
    """A unit that ends with one, as "pinch of", does without where the network has written it."""
    quantities = find_quantities("1 Prise Salz", "", DE_EN)
    for written in ("1 MB of salt", "1 MB salt"):
        assert apply(written, without_megabytes(written, quantities)[0]).text == "1 pinch of salt"


def test_through_protection() -> None:
    """The network reads megabytes; whatever it writes, the units come back, among all else that does."""
    protected = in_megabytes(protect("Mix {a} with 1.5 kg of <b>salt</b>.", [], []), EN_DE)
    assert protected.text == "Mix X1 with 1.5 MB of salt."
    assert in_megabytes(protect("A climb of 90 ft.", [], []), EN_DE).text == "A climb of 90 MB."
    assert in_megabytes(protect("Mix 250ml.", [], []), EN_DE).text == "Mix 250 MB."
    restored = restore(protected, "Mischen Sie X1 mit 1.5 MB Salz.", [], EN_DE)
    assert restored.text.startswith("Mischen Sie {a} mit 1,5 kg ")
    lost = restore(protected, "Mischen Sie X1 mit Salz.", [], EN_DE)
    assert "number" in lost.flags


def test_an_entity_is_no_number() -> None:
    """The stand-in of a sign makes no quantity of the letter after it, one of a placeholder does."""
    assert in_megabytes(protect("It is &lt; t or {a} kg.", [], []), EN_DE).text == "It is X1 t or X2 MB."


@pytest.mark.parametrize("direction", DIRECTIONS, ids=str)
def test_units_through_the_service(client: httpx.Client, direction: Direction) -> None:
    """Each unit is in the translation of a short sentence, and no megabyte is."""
    pairs = units(direction)
    sentence = "It weighs 12 {}." if direction.source == "en" else "Es wiegt 12 {}."
    texts = [sentence.format(unit) for unit in pairs]
    answer = client.post("/translate", params={"dir": str(direction)}, json={"text": texts})
    translations = [one["text"] for one in answer.json()["translations"]]
    assert [text for text, unit in zip(translations, pairs.values(), strict=True) if f"12 {unit}" not in text] == []
    assert not any("MB" in text for text in translations)


@pytest.mark.parametrize(("english", "german"), [("1.5 kg", "1,5 kg"), ("2 tbsp", "2 EL"), ("3 l - 5 l", "3 l - 5 l")])
def test_without_words(client: httpx.Client, english: str, german: str) -> None:
    """A quantity alone is not for the network."""
    for direction, text, expected in (("en-de", english, german), ("de-en", german, english)):
        (answer,) = client.post("/translate", params={"dir": direction}, json={"text": [text]}).json()["translations"]
        assert answer["text"] == expected
        assert answer["confidence"] == 1


def test_megabytes_stay(client: httpx.Client) -> None:
    """A text that speaks of megabytes itself has them in its translation."""
    answer = client.post("/translate", params={"dir": "en-de"}, json={"text": "The file of 12 MB weighs 3 kg."})
    assert "12 MB" in answer.json()["translations"][0]["text"]
