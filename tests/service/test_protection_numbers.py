"""Numbers of a sentence and its translation: equal however written; put right, or told of, where they differ."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from model.bundle import DE_EN, DIRECTIONS, EN_DE
from service.pipeline.edits import apply
from service.pipeline.numbers.checking import check_numbers
from service.pipeline.protection.restoration import restore
from service.pipeline.protection.stand_ins import protect
from service.types import Link, Span

if TYPE_CHECKING:
    import httpx

    from model.bundle import Direction

EQUAL = [
    ("The price is 1,250.50 dollars.", "Der Preis ist 1.250,50 Dollar."),
    ("12,000 people, 3.5%", "12.000 Menschen, 3,50 %"),
    ("over 5,000 of 7 million", "über 5000 von 7.000.000"),
    ("2.5 billion", "2,5 Milliarden"),
    ("a population of 1 250 000", "eine Bevölkerung von 1.250.000"),
    ("1,250 and 1,300", "1’250 und 1\u00a0300"),
    ("on 3/10/2024 at 4:30 pm", "am 3.10.2024 um 16.30 Uhr"),
    ("at 4 pm", "um 16 Uhr"),
    ("at 4 p.m.", "um 16:00 Uhr"),
    ("at 4.30 pm", "um 16.30 Uhr"),
    ("at 4:30 pm", "um 16 Uhr 30"),
    ("at 4 pm", "um 4 Uhr nachmittags"),
    ("at four pm", "um vier Uhr nachmittags"),
    ("at 4 pm today", "heute Nachmittag um 4 Uhr"),
    ("at 8 in the evening", "um 20 Uhr"),
    ("at 8 in the evening", "um 8 Uhr abends"),
    ("at 8 am", "um 8 Uhr morgens"),
    ("at 8 am", "um 8.00 Uhr"),
    ("at 12:30 am", "um 0:30 Uhr"),
    ("at 12:30 am", "um 12:30 Uhr nachts"),
    ("at 12 am", "um Mitternacht"),
    ("at 12 pm", "um 12 Uhr mittags"),
    ("from 9 to 5 pm", "von 9 bis 17 Uhr"),
    ("2-4 pm", "14–16 Uhr"),
    ("at half past 7", "um halb 8"),
    ("at half past 12", "um halb 1"),
    ("at quarter to 5", "um dreiviertel 5"),
    ("at 4:15", "um Viertel nach 4"),
    ("at 7:30", "um halb 8"),
    ("5k runners of 5 hundred", "5000 Läufer von 500"),
    ("2bn for 12 thousand", "2 Mrd. für 12 Tsd."),
    ("15 people, 1,000 times", "fünfzehn Menschen, tausendmal"),
    ("fourteen at midnight", "14 um 24 Uhr"),
    ("10,000 and 20,000", "20 000 und 10 000"),
    ("July 4, 2024", "4.7.2024"),
    ("the 2nd of 12", "der zweite von zwölf"),
    ("for 5 years", "fünfjährig"),
    ("twelve men in 100 days", "12 Männer in hundert Tagen"),
    ("Python 3.11 and 10:30", "Python 3.11 und 10:30"),
    ("007 of the 1990s", "7 der 1990er"),
    ("no number", "keine Zahl"),
    ("at 4 pm in May with four dogs", "um vier Uhr im Mai mit vier Hunden"),
    ("2 dogs at 2 pm", "2 Hunde um 14 Uhr"),
    ("the 2 dogs on 2 March", "die 2 Hunde am 2. März"),
    ("Version 3.5 and figure 1.1", "Version 3.5 und Abbildung 1.1"),
    ("0.125 of it", "0,125 davon"),
    ("his seventeenth birthday", "sein 17. Geburtstag"),
    ("the twentieth century", "das 20. Jahrhundert"),
    ("the twenty-first of them", "der 21. von ihnen"),
    ("the thirty-two marks", "die 32 Merkmale"),
    ("97 years", "siebenundneunzig Jahre"),
    ("the 21st", "der einundzwanzigste"),
    ("14 years and 3 hours", "14 Jahre und 3 Stunden"),
    ("at 18:00 hours", "um 18 Uhr"),
    ("(SN 22.137)", "(SN 22.137)"),
    ("(SN 22.137)", "(Nummer 22.137)"),
    ("from (3,1) to (3,5)", "von (3,1) bis (3,5)"),
    ("from (3.1) to (3.5)", "von (3,1) bis (3,5)"),
    ("a 2x1,1x1 grid", "ein 2x1,1x1-Raster"),
    ("with ttyS0,9600n8", "mit ttyS0,9600n8"),
    ("Section 3.101 and § 3.102", "Abschnitt 3.101 und § 3.102"),
    ("an 802.11g network", "ein 802.11g-Netz"),
    ("in version 1.8g-5woody1", "in Version 1.8g-5woody1"),
    ("5% of it", "5 Prozent davon"),
    ("Versions 3.4 and 3.5 are 1.5 times faster than 2.6.", "Versionen 3.4 und 3.5 sind 1,5 Mal schneller als 2.6."),
    ("Python 3.11 is 1.2 times as fast, from 3.9 to 3.10", "Python 3.11 ist 1,2 Mal so schnell, von 3.9 bis 3.10"),
    ("5 to 10% of it", "5 bis 10% davon"),
    ("5% to 10% of it", "5 bis 10 % davon"),
    ("5 percent of it", "5% davon"),
    ("5% of 5 dogs", "5 von 5 % Hunden"),
    ("a 5% share", "ein 5-prozentiger Anteil"),
    ("a 5% share", "ein 5er-Anteil"),
    ("rated 7.9/10 or 4.5/5", "mit 7,9/10 oder 4,5/5 bewertet"),
    ("a ratio of 1.5:1", "ein Verhältnis von 1,5:1"),
    ("1,250/2,000 tickets", "1.250/2.000 Karten"),
    ("0.5/1.5 mg", "0,5/1,5 mg"),
    ("in 1:23.45", "in 1:23,45"),
    ("iOS 9.3/10", "iOS 9.3/10"),
    ("10.0.0.1:8080", "10.0.0.1:8080"),
    ("open 8:00/9:00", "um 8.00/9.00 Uhr"),
]

DIFFERENT = [
    ("in 2009", "im Jahr 200", "im Jahr 2009", True),
    ("1,235 candidates", "1,235 Kandidaten", "1.235 Kandidaten", True),
    ("costs 3.75 euros", "kostet 3,57 Euro", "kostet 3,75 Euro", True),
    ("leaves at 4 pm", "fährt um 4 Uhr", "fährt um 16 Uhr", True),
    ("leaves at 4:30 p.m.", "fährt um 4:30 Uhr", "fährt um 16:30 Uhr", True),
    ("leaves at 12:30 am", "fährt um 12:30 Uhr", "fährt um 0:30 Uhr", True),
    ("leaves at 4 pm", "fährt um 4 Uhr morgens", "fährt um 4 Uhr morgens", False),
    ("from 2 to 4 pm", "von 2 bis 4 Uhr", "von 2 bis 4 Uhr", False),
    ("at half past 7", "um halb 7", "um halb 7", False),
    ("at half past 7", "um 8", "um 8", False),
    ("at 4:15", "um viertel vor 4", "um viertel vor 4", False),
    ("2,500,000 people", "2,6 Millionen Menschen", "2,6 Millionen Menschen", False),
    ("2.5 million people", "2,6 Millionen Menschen", "2,5 Millionen Menschen", True),
    ("2 million people", "3 Milliarden Menschen", "3 Milliarden Menschen", False),
    ("5,000.50 dollars", "5.000.,50 Dollar", "5.000.,50 Dollar", False),
    ("21 dogs", "2 oder 1 Hunde", "2 oder 1 Hunde", False),
    ("10 of 20", "10 von 20 von 30", "10 von 20 von 30", False),
    ("from 10 to 20", "von 1 bis 2", "von 1 bis 2", False),
    ("the 15th of May", "der Mai", "der Mai", False),
    ("no number", "99 Zahlen", "99 Zahlen", False),
    ("It is 2 pm and two dogs run.", "Es ist 2 Uhr und zwei Hunde.", "Es ist 14 Uhr und zwei Hunde.", True),
    ("at 3:30 pm on March 5", "um 3:30 Uhr am 5. März", "um 15:30 Uhr am 5. März", True),
    ("It is 2 pm and two dogs run.", "Es ist 2 und zwei Hunde.", "Es ist 2 und zwei Hunde.", False),
    ("at 4 pm in April", "um 4 Uhr im April", "um 16 Uhr im April", True),
    ("2 dogs at 2 pm", "um 2 Uhr 2 Hunde", "um 14 Uhr 2 Hunde", True),
    ("three of us at 3 pm", "um 3 Uhr drei von uns", "um 15 Uhr drei von uns", True),
    ("at 3:30 on March 5", "um 15:30 Uhr am 5. März", "um 3:30 Uhr am 5. März", True),
    ("1,000 of 2,500 and 1,000", "1,000 von 2,500 und 1,000", "1.000 von 2.500 und 1.000", True),
    ("costs €5.99 or £4.50", "kostet €5.99 oder £4,50", "kostet 5,99 € oder 4,50 £", True),
    ("from 28 to 69 million", "von 28 bis 69 Millionen", "von 28 bis 69 Millionen", True),
    ("28 million to 69 million", "28 bis 69 Millionen", "28 bis 69 Millionen", True),
    ("28 million to 69 million", "28 Millionen auf 69.", "28 Millionen auf 69 Millionen.", True),
    ("1 billion and 2 million", "1 und 2", "1 Milliarde und 2 Millionen", True),
    ("2 of 2 million", "2 von 2", "2 von 2", False),
    ("an 8 million dollar house", "ein 8-Millionen-Haus", "ein 8-Millionen-Haus", True),
    ("won 2–0 on Friday", "gewann am Freitag 2 0", "gewann am Freitag 2–0", True),
    ("won 2–0 on Friday", "gewann am Freitag 2 00", "gewann am Freitag 2–0", True),
    ("won 2–1 on Friday", "gewann am Freitag 1 10", "gewann am Freitag 2–1", True),
    ("won 2-0 on Friday", "gewann am Freitag 20", "gewann am Freitag 2-0", True),
    ("the 1–1 draw", "das 11 Unentschieden", "das 1–1 Unentschieden", True),
    ("gate D81, room F12", "Tor 81, Zimmer12", "Tor D81, Zimmer F12", True),
    ("gate D81, part T713", "Gate 81, Teil T 713", "Gate D81, Teil T 713", True),
    ("21 players of U21, Q32 of 32", "21 Spieler unter 21, 32 von 32", "21 Spieler unter 21, 32 von 32", True),
    ("in 1:43.26 on a 1:50,000 map", "in 1:43.26 auf Karte 1:50.000", "in 1:43,26 auf Karte 1:50.000", True),
    ("in two laps", "in 1:43.26 Runden", "in 1:43.26 Runden", False),
    ("holds 13.2 gal", "hält 13.2 Gal", "hält 13,2 Gal", True),
    ("won 2-1 and lost 0-1", "gewann 1 2 und verlor 0 1", "gewann 2-1 und verlor 0-1", True),
    ("won 2–1, lost 1–2", "gewann 2-1, verlor 1-2", "gewann 2-1, verlor 1-2", True),
    ("He won 11–5.", "Er gewann 11.5.", "Er gewann 11–5.", True),
    ("from 0–60 mph in 2020–21", "von 0 bis 060 mph 2020/21", "von 0 bis 60 mph 2020/21", True),
    ("on 555-12-34 and 2024-03-12", "unter 555 12 34 und 2024-03-12", "unter 555 12 34 und 2024-03-12", True),
    ("up to 71", "auf 7 1", "auf 71", True),
    ("7 of 1 for 3.05", "7 von 1 für 3,0 5", "7 von 1 für 3,05", True),
    ("up to 712 or 71", "auf 71 2 oder 7 1", "auf 71 2 oder 7 1", False),
    ("rose by 3.5%", "stieg um 3.5 %", "stieg um 3,5 %", True),
    ("We measured 1.7, 40.8 and 43.9.", "Wir maßen 1,7, 40.8 und 43.9.", "Wir maßen 1,7, 40,8 und 43,9.", True),
    ("up from 6.887 to 166.031", "von 6.887 auf 166.031", "von 6,887 auf 166,031", True),
    ("a range of 2.50–4.0", "von 2,50–4.0", "von 2,50–4,0", True),
    ("8.88 euros, and the rest is 12.2", "8,88 Euro, und der Rest ist 12.2", "8,88 Euro, und der Rest ist 12,2", True),
    ("a range of 1.2–3.4", "Bereich 1.2–3.4", "Bereich 1,2–3,4", True),
    ("TLS 1.0/1.1, Python 3.9–3.11", "TLS 1.0/1.1, Python 3.9–3.11", "TLS 1.0/1.1, Python 3.9–3.11", True),
    ("between 6.4 and 1,200", "zwischen 6.4 und 1.200", "zwischen 6,4 und 1.200", True),
    ("a loss of -1.2, a gain of +3.4", "-1.2 Verlust, +3.4 Gewinn", "-1,2 Verlust, +3,4 Gewinn", True),
    ("95% CI 1.2–3.4, pH 7.4", "95% CI 1.2–3,4, pH 7.4", "95% CI 1,2–3,4, pH 7,4", True),
    (
        "1.500 by rule 3.101 on 192.168.x.x",
        "1.500 nach 3.101 auf 192.168.x.x",
        "1.500 nach 3.101 auf 192.168.x.x",
        True,
    ),
    ("the mean of 7.7 (SD 2.4)", "der Mittelwert von 7.7 (SD 2.4)", "der Mittelwert von 7,7 (SD 2,4)", True),
    ("a 1.6-litre engine, a 2.5-fold rise", "1.6-Liter-Motor, 2.5-fach", "1,6-Liter-Motor, 2,5-fach", True),
    ("pears at 2.49/kg", "Birnen zu 2.49/kg", "Birnen zu 2,49/kg", True),
    ("by 10% in 2021", "um 10% im Jahr 2021 %", "um 10% im Jahr 2021", True),
    ("4% in 2019, 6% in 2023", "4 im Jahr 2019, 6 % im Jahr 2023%", "4% im Jahr 2019, 6 % im Jahr 2023", True),
    ("rose 5% in 2022", "stiegen im Jahr 20225%", "stiegen im Jahr 2022 5%", True),
    ("61% in 2021", "6% im Jahr 2021 um 61", "6% im Jahr 2021 um 61", False),
    ("a 2.5-inch disk of 1.5 GB", "eine 2.5-Zoll-Platte von 1.5 GB", "eine 2,5-Zoll-Platte von 1,5 GB", True),
    ("costs $5.00", "kostet 5.00 $", "kostet 5,00 $", True),
    ("1.5 million people", "1.5 Millionen Menschen", "1,5 Millionen Menschen", True),
    ("2.5 years", "2.5 Jahre", "2,5 Jahre", True),
    ("at 2:00 PM, ending at 2:00 AM", "um 2:00 Uhr, enden um 2:00 Uhr", "um 14:00 Uhr, enden um 2:00 Uhr", True),
    ("at 2 AM, ending at 2 PM", "um 2 Uhr, enden um 2 Uhr", "um 2 Uhr, enden um 14 Uhr", True),
    ("2 PM, 2 AM, 2 PM", "2 Uhr, 2 Uhr, 2 Uhr", "14 Uhr, 2 Uhr, 14 Uhr", True),
    ("a max of 2:00, at 2:00 PM", "maximal 2:00, um 2:00 Uhr", "maximal 2:00, um 14:00 Uhr", True),
    ("2 PM and 2 AM", "2 Uhr morgens und 2 Uhr", "2 Uhr morgens und 2 Uhr", False),
    ("12:00 AM - 11:00 PM", "12:00 AM - 11:00 Uhr", "12:00 AM - 23:00 Uhr", True),
    ("at 4 PM", "um 5 AM", "um 4 PM", True),
    ("at 12:00 am on Monday", "um 12:00 am Montag", "um 0:00 am Montag", True),
    ("costs 230.000 €", "kostet 230.000 €", "kostet 230.000 €", True),
    ("costs $5.000 or $10.000", "kostet $5.000 oder $10.000", "kostet 5.000 $ oder 10.000 $", True),
    ("HUF 500.000 each", "je 500.000", "je 500.000", True),
    ("costs $0.125", "kostet 0.125 $", "kostet 0,125 $", True),
    ("$1.250 million", "1.250 Millionen $", "1,250 Millionen $", True),
    ("1.255 km", "1.255 km", "1,255 km", True),
    ("SN 22.13", "SN 22.14", "SN 22.13", True),
    ("$12.00 now, $8.00 later", "12.00 Dollar nun, 8.00 Dollar später", "12,00 Dollar nun, 8,00 Dollar später", True),
    ("99 of 100", "99.00 von 100", "99.00 von 100", False),
    ("a ratio of 1.5:1", "ein Verhältnis von 1.5:1", "ein Verhältnis von 1,5:1", True),
    ("5.5/6.1 mmol/l", "5.5/6.1 mmol/l", "5,5/6,1 mmol/l", True),
    ("1,250/2,000 tickets", "1,250/2000 Karten", "1.250/2000 Karten", True),
]


def repaired(source: str, target: str, links: list[Link], direction: Direction) -> tuple[str, bool]:
    """The translation after repair, and whether it is sound then, as it is where it is only judged."""
    repair = check_numbers(source, target, links, direction)
    assert check_numbers(source, target, links, direction, judged=True).sound == repair.sound
    return apply(target, repair.edits).text, repair.sound


@pytest.mark.parametrize(("english", "german"), EQUAL)
def test_equal_numbers(english: str, german: str) -> None:
    """Both languages' ways to write one number are equal, either way round: nothing is changed, nothing is flagged."""
    assert repaired(english, german, [], EN_DE) == (german, True)
    assert repaired(german, english, [], DE_EN) == (english, True)


@pytest.mark.parametrize(("source", "target", "expected", "sound"), DIFFERENT)
def test_different_numbers(source: str, target: str, expected: str, *, sound: bool) -> None:
    """One wrong number for one is put right, as the language writes it; where it is not clear which, it is told."""
    assert repaired(source, target, [], EN_DE) == (expected, sound)


@pytest.mark.parametrize(
    ("german", "english"),
    [
        ("heute Abend, also um 8 Uhr,", "tonight, that is at 8 pm,"),
        ("Das Abendessen ist um 8 Uhr.", "Dinner is at 8 pm."),
        ("in der Nacht zum Montag um 4 Uhr", "on Monday night at 4 pm"),
        ("von 10 bis 3 Uhr nachmittags", "from 10 am to 3 pm"),
        ("um 4", "at 4 pm"),
    ],
)
def test_the_wrong_half_of_the_day_is_told(german: str, english: str) -> None:
    """A time beside "am" or "pm" stays, and is told of, where the source leaves open which half of the day it is."""
    assert repaired(german, english, [], DE_EN) == (english, False)


@pytest.mark.parametrize(
    ("german", "english", "expected"),
    [
        ("um 15 Uhr", "at 15pm", "at 3 pm"),
        ("um 14 Uhr", "at 14 AM.", "at 2 PM."),
        ("um 13.45 Uhr", "at 13:45 p.m.", "at 1:45 p.m."),
        ("von 9 bis 20 Uhr", "from 9 to 20pm", "from 9 to 8 pm"),
        ("um 24 Uhr", "at 24 pm", "at 12 am"),
        ("um 0.30 Uhr", "at 0:30 a.m.", "at 12:30 a.m."),
        ("um 19 Uhr", "at 9pm", "at 7 pm"),
        ("um 19.30 Uhr", "at 9am", "at 7:30 pm"),
        ("um 20.15 Uhr", "at 90:15pm", "at 8:15 pm"),
        ("um 16 Uhr", "at 4 am", "at 4 pm"),
        ("um 16 Uhr", "at 5 pm", "at 4 pm"),
        ("um 12 Uhr", "at 1 am", "at 12 pm"),
        ("um 0:30 Uhr", "at 12:30 pm", "at 12:30 am"),
        ("um 15 Uhr und um 16 Uhr", "at 15pm and at 16am", "at 3 pm and at 4 pm"),
        ("2020 um 15 Uhr", "2021 at 15pm", "2020 at 3 pm"),
        ("Das Treffen ist um 9 Uhr.", "The meeting is at 9pm.", "The meeting is at 9 am."),
        ("um 8 Uhr", "at 9 pm", "at 8 am"),
        ("um 6:15 Uhr", "at 6:15pm", "at 6:15 am"),
        ("An Weihnachten um 10 Uhr", "at 10 P.M. on Christmas", "at 10 A.M. on Christmas"),
        ("am Vormittag um 10 Uhr", "in the morning at 10 pm", "in the morning at 10 am"),
        ("um 9 Uhr neun Gäste", "at 9 pm nine guests", "at 9 am nine guests"),
        ("von 8 bis 11 Uhr", "from 8 to 11 pm", "from 8 to 11 am"),
        ("um 9 Uhr morgens", "at 9pm", "at 9 am"),
        ("um 9 Uhr abends", "at 9am", "at 9 pm"),
        ("um 4 Uhr nachmittags", "at 4 a.m.", "at 4 p.m."),
        ("um 3 Uhr nachts", "at 3 pm", "at 3 am"),
    ],
)
def test_english_has_twelve_hours(german: str, english: str, expected: str) -> None:
    """A time of 24 hours before am or pm is written with twelve, and so is that of the source for a wrong one.

    Written German has 24 hours: 9 Uhr is in the morning, unless the sentence speaks of a later part of the day.
    """
    assert repaired(german, english, [], DE_EN) == (expected, True)


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("am 12.03.2024", "on 12,03,2024", "on 12.03.2024"),
        ("on 3/12/2024 and 1.2.3", "am 3,12,2024 und 1,2,3", "am 3/12/2024 und 1.2.3"),
        ("1,2,3", "1,2,3", "1,2,3"),
        ("1.234.567,8", "1,234,567.8", "1,234,567.8"),
        ("on 3/10/2024", "am 3.10.2024", "am 3.10.2024"),
        ("12.03.2024", "12,04,2024", "12.03.2024"),
    ],
)
def test_commas_in_a_date(source: str, target: str, expected: str) -> None:
    """A date or a version that came out as a list is written as in the source; lists and dates otherwise stay."""
    assert repaired(source, target, [], DE_EN) == (expected, True)


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("um 0,6 oder 1,2", "by 0,6 or 1,2", "by 0.6 or 1.2"),
        ("IIS 6,1 und WSDL 1,1", "IIS 6,1 and WSDL 1,1", "IIS 6.1 and WSDL 1.1"),
        ("BASF 3.500 Mitarbeiter", "BASF 3.500 employees", "BASF 3,500 employees"),
        ("DM 5.000", "DM 5.000", "DM 5,000"),
        ("Yards (3.437)", "yards (3.437)", "yards (3,437)"),
        ("3,5x4,5 cm", "3,5x4,5 cm", "3.5x4.5 cm"),
        ("230.000 €", "230.000 €", "€230,000"),
        ("zu 2.500 $ netto", "at $ 2,500 net", "at $2,500 net"),
        ("5 $, 10 Leute", "5 $ 10 people", "$5 10 people"),
        ("von 5-10 $", "of 5-10 $", "of $5-10"),
        ("-3,5 Mio. $", "-3.5 million $", "-$3.5 million"),
        ("unter 0345-12.345", "at 0345-12.345", "at 0345-12.345"),
        ("bei –5 Grad", "at 5 degrees", "at –5 degrees"),
        ("kalt (-78 K)", "cold (78 K)", "cold (-78 K)"),
        ("um ~30%, bei ~5 l", "by 30%, at ~5 l", "by 30%, at ~5 l"),
        ("dauert ~20 Tage", "takes 20 days", "takes ~20 days"),
        ("dauert ~20 Tage", "takes about 20 days", "takes about 20 days"),
        ("unter -5 Grad", "below 5 degrees", "below 5 degrees"),
        ("von 3 -5 und - 7", "from 3 5 and 7", "from 3 5 and 7"),
        ("in 04109 Leipzig, 007", "in 4109 Leipzig, 7", "in 04109 Leipzig, 7"),
        ("Raum 3.012", "room 3.012", "room 3.012"),
        ("Raum 2.14", "room 2,14", "room 2.14"),
        ("0,5 oder 0,500 g", "0.5 or 0.500 g", "0.5 or 0.500 g"),
        ("3,5 Milliarden für 2 Mio. $", "3.5 billions for $2 millions", "3.5 billion for $2 million"),
        ("3 Millionen Leute", "3 millions of people", "3 millions of people"),
    ],
)
def test_copied_numbers_are_localised(source: str, target: str, expected: str) -> None:
    """German notation that came through into English is put right, where it is no name."""
    assert repaired(source, target, [], DE_EN) == (expected, True)


@pytest.mark.parametrize(
    ("german", "english"), [("um 16 Uhr", "at 4 pm"), ("15 PM-Werte", "15 PMs"), ("um 9", "at 8 pm")]
)
def test_other_times_stay(german: str, english: str) -> None:
    """What is right, no time, or of no certain hour."""
    assert repaired(german, english, [], DE_EN)[0] == english


def test_links_tell_which_number_is_wrong() -> None:
    """Of two wrong numbers each is put right by its link, even if their order has changed."""
    source, target = "from 10 to 20", "bis 2 von 1"
    links = [Link(Span(5, 7), Span(10, 11)), Link(Span(11, 13), Span(4, 5))]
    assert repaired(source, target, links, EN_DE) == ("bis 20 von 10", True)
    crossed = [Link(Span(0, 13), Span(0, 11))]
    assert repaired(source, target, crossed, EN_DE) == (target, False)


@pytest.mark.parametrize(
    ("source", "target", "expected", "sound"),
    [
        ("im Jahr 1995 in Rom", "in Rome in 95", "in Rome in 1995", True),
        ("im Jahr 2008 in Rom", "in Rome of 008", "in Rome of 2008", True),
        ("im Jahr 1981 in Rom", "in Rome in 19181", "in Rome in 1981", True),
        ("1995 und 1996", "in 95 and 1996", "in 1995 and 1996", True),
        ("1995 und 1895", "in 95 and 95", "in 95 and 95", False),
        ("1995 Gäste", "the 59 guests", "the 59 guests", False),
        ("im Jahr 1995", "in 5", "in 5", False),
        ("die Winterspiele 2022", "the winter games2, in 2022", "the winter games, in 2022", True),
        ("die Winterspiele 2022", "the winter games2", "the winter games2", False),
        ("im 18. Jahrhundert", "18th century in Rome1th", "18th century in Rome1th", False),
        ("Kohlendioxid 2022", "CO2 in 2022", "CO2 in 2022", False),
    ],
)
def test_pieces_of_numbers(source: str, target: str, expected: str, *, sound: bool) -> None:
    """What lost a digit or two is made whole where one number alone can be meant, whatever the links say.

    Digits that a number left behind at the end of a word go; what may be a name stays, and is told of.
    """
    links = [Link(Span(0, len(source)), Span(0, 2))]
    assert repaired(source, target, links, DE_EN) == (expected, sound)


@pytest.mark.parametrize(
    ("source", "target", "expected", "sound"),
    [
        ("It fell 39 cents.", "Es fiel am Donnerstag39 Cent.", "Es fiel am Donnerstag 39 Cent.", True),
        ("at 20:45", "um19:45", "um 20:45", True),
        ("at 3 pm on 5 May", "am5 um 3 Uhr am 5. Mai", "am um 15 Uhr am 5. Mai", True),
        ("2022 in 2022", "2022 in2022", "2022 in 2022", True),
        ("a 4 by 5 grid", "ein 4x5-Gitter", "ein 4x5-Gitter", True),
        ("2 mp3 of 5", "2 mp3 von5", "2 mp3 von5", True),
        ("carbon dioxide of 5", "CO2 von 5", "CO2 von 5", False),
    ],
)
def test_numbers_written_as_one_with_a_word(source: str, target: str, expected: str, *, sound: bool) -> None:
    """They get a space, or go if they are there again; not where the sentence has the like, nor what may be a name."""
    assert repaired(source, target, [], EN_DE) == (expected, sound)


def test_a_lost_number_comes_back_between_its_neighbours() -> None:
    """What stood before and after it stand side by side in the translation: there it goes. Else it is told."""
    source = "Only 30 people came."
    near = [Link(Span(0, 4), Span(0, 3)), Link(Span(8, 14), Span(4, 12)), Link(Span(15, 19), Span(13, 18))]
    assert repaired(source, "Nur Menschen kamen.", near, EN_DE) == ("Nur 30 Menschen kamen.", True)
    apart = [Link(Span(0, 4), Span(0, 3)), Link(Span(8, 14), Span(10, 18))]
    assert repaired(source, "Nur kamen Menschen.", apart, EN_DE) == ("Nur kamen Menschen.", False)


def test_numbers_of_what_is_kept_do_not_count() -> None:
    """Digits in an address, in a placeholder or in a stand-in are nobody's number."""
    protected = protect("Open https://example.org/2024/10 on 5 May, {0}.", [], [])
    restored = restore(protected, "Öffnen Sie X1 am 6 Mai, X2.", [], EN_DE)
    assert restored.text == "Öffnen Sie https://example.org/2024/10 am 5 Mai, {0}."
    assert restored.flags == ()
    assert restore(protected, "Öffnen Sie X1 und X2 am 6, 7 Mai.", [], EN_DE).flags == ("number",)


@hypothesis_settings(max_examples=200)
@example(["1", "1"], "0'11", EN_DE)
@example([], "0:00.0", EN_DE)
@example(["Mai", "1"], "1", DE_EN)
@given(
    st.lists(st.sampled_from(["1", "12", "2024", "1,250.5", "1.250", "3:30 pm", "0", "00", "two", "Mai", "½", "٣"])),
    st.text("0123456789.,:/ '’amp\u00a0", max_size=60),
    st.sampled_from(DIRECTIONS),
)
def test_repairs_are_of_numbers_only(source: list[str], target: str, direction: Direction) -> None:
    """Whatever is compared: edits are in order, apart, and replace digits, or put a space or a month beside them."""
    text = " ".join(source)
    known = text.replace("3:30 pm", "3:30 pm 15:30")
    repair = check_numbers(text, target, [], direction)
    bounds = [bound for edit in repair.edits for bound in (edit.span.start, edit.span.end)]
    assert bounds == sorted(bounds)
    for edit in repair.edits:
        span, number = edit.span, edit.text
        if (span.start, number) == (span.end, " "):
            assert target[span.start - 1].isalnum()
            assert target[span.end].isdigit() or re.match("[ap]", target[span.end :])  # 3 pm for 3pm
            continue
        if span.start == span.end and re.fullmatch(r"\.? Mai|May | of May", number):
            assert "Mai" in source
            continue
        replaced = re.fullmatch(r"\d[\d.,:/'’\u00a0]*(?P<half>\s?[ap])?", target[span.start : span.end])
        assert replaced
        digits = re.sub(r"\D", "", number)
        assert digits in re.sub(r"[^\d ]", "", known) or replaced["half"]  # 3 pm for 15 pm, whatever was meant
    assert repair.sound or text != target or direction.source == direction.target or "," in text or "." in text


def test_the_same_text_is_sound() -> None:
    """Sentences without separators in their numbers, compared with themselves, have no wrong number."""
    readme = Path(__file__).parents[2].joinpath("README.md").read_text(encoding="utf-8")
    for line in readme.splitlines():
        if not re.search(r"\d[.,]\d", line):
            assert repaired(line, line, [], EN_DE) == (line, True), line


def test_numbers_through_the_service(client: httpx.Client) -> None:
    """The bundle's own translations have each number of the source as the target language writes it."""
    texts = ["The town has 8,733 people.", "About 100,000 people came in 2011.", "It costs 1,250.50 dollars."]
    answer = client.post("/translate?dir=en-de", json={"text": texts}).json()
    for one, numbers in zip(answer["translations"], [["8.733"], ["100.000", "2011"], ["1.250,50"]], strict=True):
        assert all(number in one["text"] for number in numbers), one["text"]
