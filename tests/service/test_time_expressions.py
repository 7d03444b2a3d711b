"""Dates, times of day and seconds: read as the network has often seen them, where they are such."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.pipeline.normalisation.time_expressions import write_out
from service.types import Span

if TYPE_CHECKING:
    import httpx


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Am 12.03.2024 kam sie.", "Am 12. März 2024 kam sie."),
        ("Geboren am 7. 8. 1955 in Ulm", "Geboren am 7. August 1955 in Ulm"),
        ("Rechnung v. 12.03. und Brief vom 2.5.", "Rechnung vom 12. März und Brief vom 2. Mai."),
        ("Sa., 11.5.: Flohmarkt", "Sa., 11. Mai: Flohmarkt"),
        ("von 01.03.–31.03.2024", "von 1. März bis 31. März 2024"),
        (
            "Vom 24.12. bis zum 1.1., am 24., 25. und 26.5.",
            "Vom 24. Dezember bis zum 1. Januar, am 24., 25. und 26. Mai.",
        ),
        ("vom 10.-16.8.2008 (18.7.1999)", "vom 10. bis 16. August 2008 (18. Juli 1999)"),
        ("Ferien 25.03. - 06.04., Sa., d. 3.8.", "Ferien 25. März bis 6. April, Sa., d. 3. August"),
        ("am 24.12. u. 31.12., vom 3.4. sowie 5.4.", "am 24. Dezember u. 31. Dezember, vom 3. April sowie 5. April."),
        ("1. - 12. April, 25. März – 6. Apr.", "1. bis 12. April, 25. März bis 6. April."),
        ("Gültig ab 31.12.24.", "Gültig ab 31. Dezember 2024."),
        ("seit dem 1.1.99", "seit dem 1. Januar 1999"),
        (
            "Am Do., dem 13.06., und zwischen dem 24.12. und dem 1.1.",
            "Am Do., dem 13. Juni, und zwischen dem 24. Dezember und dem 1. Januar.",
        ),
        (
            "bis spätestens 31.5. oder bis einschließlich 6.1.",
            "bis spätestens 31. Mai oder bis einschließlich 6. Januar.",
        ),
        ("Der Workshop (14.–15.10.) und der 3.4.", "Der Workshop (14. bis 15. Oktober) und der 3. April."),
        ("Elternabend 14.6., 19.30 Uhr; Datum: 03.05.24", "Elternabend 14. Juni, 19:30 Uhr; Datum: 3. Mai 2024"),
        ("X1, 12.12.2024", "X1, 12. Dezember 2024"),
        ("Labor (02.05.), Teil (2.5.)", "Labor (2. Mai), Teil (2.5.)"),
        ("31. Dez. 2023, 3. Sept., Okt. 2022", "31. Dezember 2023, 3. September, Oktober 2022"),
    ],
)
def test_german_dates(text: str, read: str) -> None:
    """They get the name of the month; a point that ends the sentence, too, stays: where no word is small is none."""
    assert write_out(text, "de").text == read


@pytest.mark.parametrize(
    "text",
    [
        "12.03.2024",
        "12.03.2024 – 15.03.2024",
        "Version 12.03.2024",
        "Siehe Abschnitt 3.4. der Anleitung.",
        "Wir raten zum 2.4.17 Kernel.",
        "Die Serie bis 2.6.32.46 und IP 10.1.12.5",
        "paket-1.2.2003-1.dsc",
        "1.1. Allgemeines",
        "Der 2.1. Abschnitt und (3.4.)",
        "Es ist bis 15.4 zu liefern, 13.13.2024, 32.1.2024.",
        "Der Jan kommt im Dez und Mai 2024.",
        "Die Jan-März-Ausgabe, Mai-Ausgabe",
    ],
)
def test_no_german_dates(text: str) -> None:
    """What stands alone, a section, a version or no date stays."""
    assert write_out(text, "de").text == text


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Um 10 Uhr, 12.30 Uhr und 14 Uhr 30", "Um 10:00 Uhr, 12:30 Uhr und 14:30 Uhr"),
        ("Sa. 10–14 Uhr, von 8 bis 18.30 Uhr", "Sa. 10:00 Uhr bis 14:00 Uhr, von 8:00 Uhr bis 18:30 Uhr"),
        ("Um 14 Uhr 30 Leute", "Um 14:00 Uhr 30 Leute"),
        ("um halb acht, halb 9 und Viertel vor eins", "um 7:30, 8:30 und 12:45"),
        ("Um dreiviertel acht abends, viertel nach 3", "Um 19:45 Uhr, 3:15"),
        ("um 8 Uhr abends, um 8 Uhr am Abend", "um 20:00 Uhr, um 20:00 Uhr am Abend"),
        ("heute Abend um 8 Uhr, Freitagabend gegen 7.30 Uhr", "heute Abend um 20:00 Uhr, Freitagabend gegen 19:30 Uhr"),
        ("von 2 bis 6 Uhr nachmittags, 5 Uhr morgens", "von 14:00 Uhr bis 18:00 Uhr, 5:00 Uhr"),
        ("2 Uhr nachts, 11 Uhr nachts, 12 Uhr nachts", "2:00 Uhr, 23:00 Uhr, 0:00 Uhr"),
        ("12 Uhr mittags, mittags um 1 Uhr", "12:00 Uhr, mittags um 13:00 Uhr"),
        ("am Abend bis 1 Uhr, in der Nacht ab 10 Uhr", "am Abend bis 1:00 Uhr, in der Nacht ab 22:00 Uhr"),
        ("am Vormittag um 9 Uhr, morgen um 9 Uhr", "am Vormittag um 9:00 Uhr, morgen um 9:00 Uhr"),
        ("Es ist halb zwölf Uhr.", "Es ist 11:30 Uhr."),
        ("8:30 Uhr, 14:30:15 Uhr, 25 Uhr, 5 Uhren", "8:30 Uhr, 14:30:15 Uhr, 25 Uhr, 5 Uhren"),
        ("8.00 - 12 Uhr, 14:00-16:00 Uhr", "8:00 Uhr bis 12:00 Uhr, 14:00 Uhr bis 16:00 Uhr"),
        ("um 10: 00 Uhr", "um 10: 00 Uhr"),
        ("um 5 nach 12, gegen zehn vor acht Uhr", "um 12:05, gegen 7:50 Uhr"),
        ("ab 17h, Beginn: 20.30 h, ab 2 h, ca. 4:30 h", "ab 17:00 Uhr, Beginn: 20:30 Uhr, ab 2 h, ca. 4:30 h"),
        ("von 9.30 h bis 11:15 h, in einer Zeit von 2:15 h", "von 9:30 Uhr bis 11:15 Uhr, in einer Zeit von 2:15 h"),
        ("Um 19h, gegen 20 h, um 2 h verlängert", "Um 19:00 Uhr, gegen 20:00 Uhr, um 2 h verlängert"),
        ("10 vor 8, bis 5 vor 20 Jahren, ist 5 vor 3 Punkten", "10 vor 8, bis 5 vor 20 Jahren, ist 5 vor 3 Punkten"),
        ("3-mal, 2mal, 1-mal, 2 mal, 2 mal 3, 4-malig", "3 Mal, 2 Mal, einmal, 2 Mal, 2 mal 3, 4-malig"),
        ("halb 2000, Viertel nach drei Minuten, halb so viel", "halb 2000, Viertel nach drei Minuten, halb so viel"),
    ],
)
def test_german_times(text: str, read: str) -> None:
    """They get a colon, and 24 hours where it is said in which half of the day they are."""
    assert write_out(text, "de").text == read


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Mar 4, 2024, 5 Sept. and Oct 12th", "March 4, 2024, 5 September and October 12th"),
        ("Due 5 Mar.", "Due 5 March"),
        ("Mar is Jan's dog. Dec 377, Oct 5.3", "Mar is Jan's dog. Dec 377, Oct 5.3"),
        ("on 3/5/2024, 2024-03-05 or 05.03.2024", "on 3/5/2024, 2024-03-05 or 05.03.2024"),
        ("by 12/31/2023, from 31/12/2023", "by December 31, 2023, from 31 December 2023"),
        ("12/31/2023", "12/31/2023"),
        ("from 01/04/2024 to 31/03/2027", "from 1 April 2024 to 31 March 2027"),
        ("from 05/06/2025 to 06/20/2025", "from May 6, 2025 to June 20, 2025"),
        ("on 01/04/2024, 31/03/2027 or 03/31/2027", "on 01/04/2024, 31 March 2027 or March 31, 2027"),
        ("When: Friday, May 2 & Saturday, May 3", "When: Friday, 2 May & Saturday, 3 May"),
        ("on 08/08/2026, not 8/08/2026", "on 8 August 2026, not 8 August 2026"),
        ("at 13/13/2024, a/12/31/2023, 1/12/31/2023", "at 13/13/2024, a/12/31/2023, 1/12/31/2023"),
        ("from 2 pm to 4 p.m.", "from 14:00 to 16:00."),
        ("When: Saturday, 2–4 p.m.", "When: Saturday, 14:00–16:00"),
        ("9am-5pm, 2 to 4 pm, 9 to 5 pm", "9:00-17:00, 14:00 to 16:00, 9:00 to 17:00"),
        ("between 9 a.m. and 1 p.m., not 5 and 6 pm", "between 9:00 and 13:00, not 5 and 6 pm"),
        ("from 11:30 PM until 1 AM, 12 to 1 pm", "from 23:30 until 1:00, 12:00 to 13:00"),
        ("at 2 pm, 2-4, 2 to 4 people", "at 2 pm, 2-4, 2 to 4 people"),
        ("Late (11:00 p.m.). Ann (10:23 AM): Hi (at 12 am)", "Late (23:00). Ann (10:23): Hi (0:00)"),
        ("It is at 3 pm on 5 May. At 9:30 on May 12th", "It is on 5 May at 15:00. On 12th May at 9:30"),
        ("until 7 p.m. on Friday, June 12, 2026", "until Friday, 12 June 2026 at 19:00"),
        ("on Oct 21, 2024, at 3:30 p.m.", "on 21 October 2024 at 15:30."),
        ("Sent: Monday, March 3, 2025 9:14 AM", "Sent: Monday, 3 March 2025, 9:14 AM"),
        ("Saturday, July 19th, from 6 pm (Friday, May 2)", "Saturday, 19th July, from 6 pm (Friday, 2 May)"),
        ("Come on Friday, June 4, or: Friday, June 4-6", "Come on Friday, June 4, or: Friday, June 4-6"),
        ("at 3 pm on 5 May or at 4 pm on 6 May", "at 3 pm on 5 May or on 6 May at 16:00"),
        ("at 3 pm on 5 May and 6 May, at 3 pm on May 5-7", "at 3 pm on 5 May and 6 May, at 3 pm on May 5-7"),
        ("at 3 on 5 May, on 5 May at 3 dogs, (at 11)", "at 3 on 5 May, on 5 May at 3 dogs, (at 11)"),
        ("It's half past seven, a quarter to 8 or ten past nine.", "It's 7:30, 7:45 or 9:10."),
        ("at quarter past twelve o'clock, half past 3 pm", "at 12:15, 3:30 pm"),
        ("at five to two, it's already ten to 8, by twenty to nine.", "at 1:55, it's already 7:50, by 8:40."),
        (
            "from five to two, five to ten friends, at ten to twelve shops, is five to two",
            "from five to two, five to ten friends, at ten to twelve shops, is five to two",
        ),
        ("at 5 o'clock in the afternoon, at five o'clock in the morning", "at 5 pm, at 5 am"),
        ("at twenty to eight in the evening, at 7:30 in the morning", "at 7:40 pm, at 7:30 am"),
        ("at eight in the evening, 5 o'clock at night", "at eight in the evening, 5 o'clock at night"),
        ("half\u00a0past seven, a quarter\u2003to 5", "7:30, 4:45"),
        (
            "from a quarter to one third, walk past one, half past 3%",
            "from a quarter to one third, walk past one, half past 3%",
        ),
        ("Expires in 60s. Timeout: 1s", "Expires in 60 seconds. Timeout: 1 second"),
        ("every 2.5s, a span as 5min 20s", "every 2.5 seconds, a span as 5min 20s"),
        ("In Q1 2024, by Q3/2026", "In the first quarter of 2024, by the third quarter of 2026"),
        ("from Q4 of 2023 to Q2 2024.", "from the fourth quarter of 2023 to the second quarter of 2024."),
        ("in Q1 2024 results, in Q5 2024, in Q1 12%", "in Q1 2024 results, in Q5 2024, in Q1 12%"),
        ("from the eighties, the early Nineties", "from the 1980s, the early 1990s"),
        (
            "the twenties and thirties, from the fifties to the sixties",
            "the 1920s and 1930s, from the 1950s to the 1960s",
        ),
        ("in his fifties, temperatures in the eighties", "in his fifties, temperatures in the eighties"),
        ("in the 90s, in 60s style, in 1960s, in 70s and 80s", "in the 90s, in 60s style, in 1960s, in 70s and 80s"),
        ("an iPhone 5s, three Ju 88s, in 2005 S & T", "an iPhone 5s, three Ju 88s, in 2005 S & T"),
    ],
)
def test_english(text: str, read: str) -> None:
    """Months beside a day or a year, ranges of times, times with a date or in brackets, and seconds, but no decades."""
    assert write_out(text, "en").text == read


@given(st.text(st.sampled_from("0123.:-–, sapmUhrMarvombis\u00a0")), st.sampled_from(["de", "en"]))
def test_whatever_the_text(text: str, language: str) -> None:
    """Places are found again."""
    edited = write_out(text, language)
    assert edited.back(Span(0, len(edited.text))) == Span(0, len(text))


@pytest.mark.parametrize(
    "unit",
    [
        "1.1.1955, ",
        "1. 1. ",
        "10 bis ",
        "10 Uhr ",
        "1 am - ",
        "halb ",
        "half past ",
        "at five to ",
        "at 5 o'clock in the ",
        "12/31/",
        "in 5s ",
        "in Q1 2024 ",
        "the eighties and ",
        "5 Mar ",
        "on 5 May at ",
        "at 3 pm on ",
        "§",
    ],
)
@pytest.mark.parametrize("language", ["de", "en"])
def test_repetitions_take_linear_time(unit: str, language: str) -> None:
    """Nothing is tried in many ways; else this would not come to an end."""
    write_out(unit * 2000, language)


@pytest.mark.parametrize(
    ("direction", "text", "same"),
    [
        ("de-en", "Am 6.5. fahren wir nach Berlin.", "Am 6. Mai fahren wir nach Berlin."),
        ("de-en", "Sa., 11.5., um halb acht", "Samstag, 11. Mai, um 7:30"),
        ("en-de", "Tue, Mar 5, from 2 pm to 4 pm", "Tuesday, March 5, from 14:00 to 16:00"),
        ("de-en", "Der Kurs beginnt um zehn nach zwei.", "Der Kurs beginnt um 2:10."),
        ("en-de", "The course starts at 5 o'clock in the afternoon.", "The course starts at 5 pm."),
        ("en-de", "The call starts at 3:30 p.m. EST.", "The call starts at 3:30 p.m. EST."),
        ("en-de", "The meeting is at 3 pm on May 5.", "The meeting is on 5 May at 15:00."),
    ],
)
def test_the_same_translation(client: httpx.Client, direction: str, text: str, same: str) -> None:
    """A sentence is translated as the one that is written out, in one piece, and linked where it stands."""
    body = {"text": [text, same]}
    one, other = client.post(f"/translate?dir={direction}&details=true", json=body).json()["translations"]
    assert one["text"] == other["text"]
    (segment,) = one["segments"]
    assert all(0 <= start < end <= len(text) for start, end, *_ in segment["alignment"])


@pytest.mark.parametrize(
    ("direction", "texts", "translations"),
    [
        ("en-de", ["Mon", "Sat", "Sun", "mon"], ["Mo", "Sa", "So"]),
        ("de-en", ["Mo", "Do", "So.", "So"], ["Mon", "Thu"]),
        ("en-de", ["Sun: closed", "Wed:"], ["So: geschlossen", "Mi:"]),
        ("de-en", ["12.03.2024", "1.1.1999"], ["12.03.2024", "1.1.1999"]),
    ],
)
def test_cells(client: httpx.Client, direction: str, texts: list[str], translations: list[str]) -> None:
    """Short days become short days, a word among them only beside another; dates alone stay."""
    answer = client.post(f"/translate?dir={direction}", json={"text": texts}).json()
    assert [one["text"] for one in answer["translations"]][: len(translations)] == translations


def test_sun_alone(client: httpx.Client) -> None:
    """Without other days it is the star."""
    answer = client.post("/translate?dir=en-de", json={"text": "Sun"}).json()
    assert answer["translations"][0]["text"] == "Sonne"
