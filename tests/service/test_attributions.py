"""The line before what a mail quotes keeps its name and its verb."""

from __future__ import annotations

import pytest

from model.bundle import DE_EN, EN_DE, Direction
from service.pipeline.finders.attributions import find_attribution


def written(text: str, direction: Direction) -> list[tuple[str, str]]:
    """What is found, and what the other language has for it."""
    found = list(find_attribution(text, direction))
    return [(text[one.span.start : one.span.end], one.target) for one in found]


@pytest.mark.parametrize(
    ("text", "source", "target"),
    [
        (
            "On Mon, Jan 8, 2024 at 9:15 AM Ann Lee <a1@x.de> wrote:",
            "at 9:15 AM Ann Lee <a1@x.de> wrote",
            "um 9:15 Uhr schrieb Ann Lee <a1@x.de>",
        ),
        ("On 5 March 2024 at 10:12, Ann Lee wrote:", "at 10:12, Ann Lee wrote", "um 10:12 Uhr schrieb Ann Lee"),
        ("On 8 Jan 2024, at 10:12, Ann Lee wrote:", ", at 10:12, Ann Lee wrote", " um 10:12 Uhr schrieb Ann Lee"),
        ("On 1/8/24 9:15 p.m., Ann Lee wrote:", "9:15 p.m., Ann Lee wrote", "um 21:15 Uhr schrieb Ann Lee"),
        ("On 5 March 2024, Ann Lee wrote:", ", Ann Lee wrote", " schrieb Ann Lee"),
        ("On Friday, Ann de Vries, MD\n> wrote:", ", Ann de Vries, MD\n> wrote", " schrieb Ann de Vries, MD"),
    ],
)
def test_into_german(text: str, source: str, target: str) -> None:
    """The verb is before the name there, without a comma, and the time, of 24 hours, before the verb."""
    assert written(text, EN_DE) == [(source, target)]


@pytest.mark.parametrize(
    ("text", "source", "target"),
    [
        (
            "Am Di., 5. März 2024 um 10:12 Uhr schrieb Anna Lee:",
            "um 10:12 Uhr schrieb Anna Lee",
            "at 10:12 Anna Lee wrote",
        ),
        ("Am 5.3.24 um 10:12 schrieb Lee <a1@x.de>:", "um 10:12 schrieb Lee <a1@x.de>", "at 10:12 Lee <a1@x.de> wrote"),
        ("Am Montag schrieb Anna Lee:", "schrieb Anna Lee", "Anna Lee wrote"),
    ],
)
def test_into_english(text: str, source: str, target: str) -> None:
    """And after it here."""
    assert written(text, DE_EN) == [(source, target)]


@pytest.mark.parametrize(
    ("text", "direction"),
    [
        ("On page 12 he wrote:", EN_DE),
        ("On Friday, Ann Lee wrote a letter:", EN_DE),
        ("On Friday, Ann Lee wrote.", EN_DE),
        ("Am Freitag schrieb sie dazu:", DE_EN),
        ("Am Freitag schrieb Anna Lee einen Brief.", DE_EN),
    ],
)
def test_other_sentences(text: str, direction: Direction) -> None:
    """Nothing else is such a line."""
    assert not written(text, direction)


@pytest.mark.parametrize("unit", ["On Friday, A", "Am 5 schrieb A ", "A, ", "On 5 A wrote", "schrieb\n>", "at 5:00 "])
@pytest.mark.parametrize(("beginning", "direction"), [("On 5 ", EN_DE), ("Am 5 ", DE_EN)])
def test_hostile_texts(beginning: str, unit: str, direction: Direction) -> None:
    """Time does not grow faster than the text."""
    assert not written(f"{beginning}{unit * (100_000 // len(unit))}:", direction)
