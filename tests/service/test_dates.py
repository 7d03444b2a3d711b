"""Dates: a month that the network dropped is put back, a wrong one put right, all others stay."""

from __future__ import annotations

import pytest

from model.bundle import DE_EN, EN_DE, Direction
from service.pipeline.edits import apply
from service.pipeline.numbers.checking import check_numbers
from service.pipeline.numbers.words import Words


def checked(source: str, target: str, direction: Direction) -> tuple[str, bool]:
    """The translation as it is put right, and whether nothing is wrong after that."""
    repair = check_numbers(source, target, (), direction)
    return apply(target, repair.edits).text, repair.sound


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("Am 28. Juni starb er.", "On 28, he died.", "On June 28, he died."),
        ("geboren am 17. September 2007", "born on 17, 2007", "born on September 17, 2007"),
        ("Montag, 3. Juni, 9 Uhr", "Monday, 3rd, 9am", "Monday, June 3rd, 9 am"),
        ("am Di., 7. Oktober", "on Tue, 7", "on Tue, October 7"),
        ("am 20. März im Büro", "at the 20th in the office", "at the 20th of March in the office"),
        ("vom 1. Juni bis 31. August 2025", "from August 1st to 31, 2025", None),  # of which of the two is August?
        ("Stand 1. Januar 2024", "Step 1, 2024", "Step January 1, 2024"),
        ("vom 24. Dezember bis 1. Januar", "from December 24th to 1", "from December 24th to January 1"),
        ("Ab 1. Okt. geöffnet", "Open from 1", "Open from October 1"),
        ("am 5. Mai gegen den VfB", "on5 against VfB", "on May 5 against VfB"),
        (
            "Am 24. Dezember sind 24 Kinder da.",
            "On the 24th, there are 24 children.",
            "On the 24th of December, there are 24 children.",
        ),
    ],
)
def test_lost_months_into_english(source: str, target: str, expected: str | None) -> None:
    """The month goes to its day, as English writes dates; where it is not clear which number that is, it is told."""
    assert checked(source, target, DE_EN) == (expected or target, expected is not None)


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("On October 7 an engine broke.", "Am 7. brach ein Motor.", "Am 7. Oktober brach ein Motor."),
        ("On 16 October, in Spain", "Am 16, in Spanien", "Am 16. Oktober, in Spanien"),
        ("by May 5th, 2026", "bis zum 5. 2026", "bis zum 5. Mai 2026"),
        ("by the 5th of May", "bis zum 5. März", "bis zum 5. Mai"),
        ("on July 15, 2026", "am 15 Juni 2026", "am 15 Juli 2026"),
        ("March 12th, 2024", "12., 2024", "12. März, 2024"),
        ("On November 8, 2021", "am 8. November2021", "am 8. November 2021"),
    ],
)
def test_lost_months_into_german(source: str, target: str, expected: str) -> None:
    """The same the other way."""
    assert checked(source, target, EN_DE) == (expected, True)


@pytest.mark.parametrize(
    ("source", "target", "direction"),
    [
        ("Am 3. Juni 2024", "On June 3, 2024", DE_EN),
        ("Am 3. Juni 2024", "On the 3rd of June 2024", DE_EN),
        ("Am 3. Juni 2024", "On 06/03/2024", DE_EN),
        ("Im Juni, am 3.", "In June, on the 3rd", DE_EN),
        ("Am 3. Juni", "In June, on the 3rd", DE_EN),
        ("Am 3. Juni", "On the third of June", DE_EN),
        ("You may 3 times try.", "Sie dürfen es 3 Mal versuchen.", EN_DE),
        ("We march 5 miles.", "Wir marschieren 5 Meilen.", EN_DE),
        ("In May 2024 we moved.", "Im Mai 2024 zogen wir um.", EN_DE),
        ("On February 6th", "Am 6. february", EN_DE),
        ("On January 15", "Am 15. January", EN_DE),
        ("Am 6. Februar", "on february 6th", DE_EN),
        ("March 19-21", "(March 19-21)", EN_DE),
        ("from 10 August to 16 August", "vom 10.–16. August", EN_DE),
        ("from 10 August to 16 August", "vom 10.-16. August", EN_DE),
        ("8.–10. September", "8-10 September", DE_EN),
        ("vom 9. bis 11. Dezember", "from 9 to December 11", DE_EN),
        ("am 1., 2. und 3. Mai", "on 1, 2 and 3 May", DE_EN),
        ("Between 3 and 5 May", "Zwischen dem 3. und 5. Mai", EN_DE),
        ("April 1 to 3 and May 1", "1. bis 3. April und 1. Mai", EN_DE),
    ],
)
def test_dates_that_are_there(source: str, target: str, direction: Direction) -> None:
    """They stay, however they are written, and so does what is none."""
    assert checked(source, target, direction) == (target, True)


@pytest.mark.parametrize(
    ("source", "target", "direction"),
    [
        ("on 14 November, aged six to fourteen", "sechs bis 14 Jahren", EN_DE),
        ("Am 2. Februar für zwei", "for 2 people", DE_EN),
        ("Step of May 3", "Schritt 3. kann", EN_DE),
        ("am 3. März um 9:00 Uhr", "at 3:3 at 9:00", DE_EN),
        ("am 1. Mai, dann am 1. und 2. November", "then on November 1 and 2", DE_EN),
    ],
)
def test_other_numbers_are_no_days(source: str, target: str, direction: Direction) -> None:
    """A number of things, a step or a day of another month is not given the month; that one is missing is told."""
    assert checked(source, target, direction) == (target, False)


def test_a_garbled_number_is_no_date() -> None:
    """What has points and commas is told: its digits do not stand for a month."""
    source, target = "ab dem 2. Februar 287,00 EUR", "from February 2, 287.0002,2"
    assert not checked(source, target, DE_EN)[1]


def test_a_month_without_a_day_is_not_taken_for_a_wrong_one() -> None:
    """That of "im Mai" has got the day of another: told, for nobody knows which of the two is meant."""
    source, target = "Ab dem 1. Januar für einen Beginn im Mai", "For a start in May 1"
    assert checked(source, target, DE_EN) == (target, False)


@pytest.mark.parametrize(
    ("source", "target", "expected", "direction"),
    [
        ("May 2024", "Mai 2024 Mai", "Mai 2024", EN_DE),
        (
            "The deadline is May 31, 2024.",
            "Die Frist ist der 31. Mai 2024. Mai.",
            "Die Frist ist der 31. Mai 2024.",
            EN_DE,
        ),
        ("January 5", "Januar 5. Januar", "5. Januar", EN_DE),
        ("Frist: 30. Juni 2025", "Deadline: June 30 June 2025", "Deadline: June 30, 2025", DE_EN),
        ("am 7. November 1985", "on November 7th November 1985", "on November 7th, 1985", DE_EN),
        ("Montag, 3. Juni 2024 09:14", "Monday, June 3 2024 June 09:14", "Monday, June 3, 2024 09:14", DE_EN),
        ("In May, on May 5", "Im Mai 5. Mai", "Im Mai 5. Mai", EN_DE),
        ("am 5. und 10. Mai", "May 5, May 10", "May 5, May 10", DE_EN),
        ("am 1. Juli 2020 einigen", "agree on 1 July 1 July 2020", "agree on July 1, 2020", DE_EN),
    ],
)
def test_a_month_said_twice(source: str, target: str, expected: str, direction: Direction) -> None:
    """One of the two goes, unless the sentence has two, or another day is beside it."""
    assert checked(source, target, direction) == (expected, True)


@pytest.mark.parametrize(
    ("text", "language", "months"),
    [
        ("Am 3. Okt. kam die Post, Mitte des Januars nicht.", "de", {"10", "1"}),
        ("Die Mail vom Oktoberfest schrieb Augustin.", "de", set()),
        ("Oct 3, and in MAY", "en", {"10", "5"}),
        ("Maybe a marching band", "en", set()),
    ],
)
def test_months_among_words(text: str, language: str, months: set[str]) -> None:
    """Names of months, whole and short, in any case; not words that begin like one."""
    words = Words(text, language)
    assert {month for month in map(str, range(13)) if words.has_month(month)} == months
