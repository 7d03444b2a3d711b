"""Abbreviations and units that have others for counterparts."""

from __future__ import annotations

import pytest

from model.bundle import DE_EN, EN_DE, Direction
from service.pipeline.finders.counterparts import find_counterparts


@pytest.mark.parametrize(
    ("text", "direction", "written"),
    [
        ("Nurse (m/f/d), full-time", EN_DE, ["m/w/d"]),
        ("Koch (m/w/d) oder Köchin (w/m/d)", DE_EN, ["m/f/d", "f/m/d"]),
        ("Das BIP stieg. Es gelten die AGB.", DE_EN, ["GDP", "Terms and Conditions"]),
        ("Dep. 08:15, arr. 10:51; Encl.: 2", EN_DE, ["Abf.", "Ank.", "Anl."]),
        ("May–June (ext. 4417)", EN_DE, ["Durchwahl", "Mai–Juni"]),
        ("in Jan.-Mar., not a May-day or 3 May–5 June", EN_DE, ["Januar-März"]),
        ("Q4 2024 results", EN_DE, ["Q4"]),
        ("Okt. – Dez.", DE_EN, ["October – December"]),
        ("Order #12 and Order No. 13", EN_DE, ["Bestellung #", "Bestellung Nr."]),
        ("invoices nos. 3 and 4", EN_DE, ["Nr."]),
        ("in 79 AD, at 15:00 CET", EN_DE, ["n. Chr.", "MEZ"]),
        ("N/A", EN_DE, ["k. A."]),
        ("The Q4 results, in Q2, for Q1.", EN_DE, ["Q4", "Q2", "Q1"]),
        ("higher than Q1 2024, the (Q2 2024) results, in Q3 2024", EN_DE, ["Q1", "Q2"]),
        ("Umsatz in Q1 2024", DE_EN, ["Q1"]),
        ("Born (DD/MM/YYYY), as YYYY-MM-DD.", EN_DE, ["TT/MM/JJJJ", "JJJJ-MM-TT"]),
        ("geboren (TT.MM.JJJJ)", DE_EN, ["DD.MM.YYYY"]),
        ("It is N/A. So is the year 79 AD.", EN_DE, ["k. A.", "n. Chr."]),
        ("ASS 100 mg, das EKG und das MRT", DE_EN, ["ASA", "ECG", "MRI"]),
        ("Gleis 8, Abschnitt C–E; § 9 Rn. 5; das Gleis, das Gleis-8", DE_EN, ["Platform", "para.", "C–E"]),
        ("Auf Gleis 8", DE_EN, ["platform"]),
        ("gez. Dr. Vogel, Frankfurt a. M.", DE_EN, ["(signed)", "Frankfurt am Main"]),
        ("Alter: k. A.; Preis: k.A.", DE_EN, ["N/A", "N/A"]),
        ("Debug mode: off", EN_DE, ["aus"]),
        ("Wi-Fi: ON", EN_DE, ["EIN"]),
        ("On", EN_DE, ["Ein"]),
        ("Dunkelmodus: Aus", DE_EN, ["Off"]),
        ("WLAN: an", DE_EN, ["on"]),
        ("Elapsed: 3m 20s, 1h45m and 2d 5h 10m", EN_DE, ["3m 20s", "1h45m", "2d 5h 10m"]),
        ("4er-Set Gläser, ein 3er Set, im 6er-Pack", DE_EN, ["Set of 4", "set of 3", "pack of 6"]),
        ("Shirt, red, S–XXL, 3XL or XS, fits S/M", EN_DE, ["S–XXL", "3XL", "XS", "S/M"]),
    ],
)
def test_what_is_written(text: str, direction: Direction, written: list[str]) -> None:
    """Each has that of the other language."""
    found = list(find_counterparts(text, direction))
    assert [one.target for one in found] == written


def test_the_point_of_a_sentence_stays() -> None:
    """An abbreviation may end one."""
    text = "Er wohnt in Frankfurt a. M."
    assert [text[found.span.end :] for found in find_counterparts(text, DE_EN)] == ["."]


@pytest.mark.parametrize(
    ("text", "direction"),
    [
        ("In order #12, Order # and Order 5 pizzas", EN_DE),
        ("The world, an AD", EN_DE),
        ("A suite (arr. John Stone), Dep. Director", EN_DE),
        ("In Q1 2024, Q3/2024, the Audi Q3-S and Q55", EN_DE),
        ("BIP-Wachstum, bip", DE_EN),
        ("the 1920s, a 20m dive, 5m 30 people, 3m 20th", EN_DE),
        ("Go on", EN_DE),
        ("on", EN_DE),
        ("An", DE_EN),  # of a mail
        ("Komm, schalt es aus", DE_EN),
        ("Er-Set, 4er-Settings, ein 4er, XX und XLS, S. 5, M-S-Bahn, A/S/M", DE_EN),
        ("a/m/f/d/b, GDP.org, Enforcement Technology (CET)", EN_DE),
    ],
)
def test_what_is_not(text: str, direction: Direction) -> None:
    """Units are beside a number, and none is part of a word or a path."""
    assert not list(find_counterparts(text, direction))
