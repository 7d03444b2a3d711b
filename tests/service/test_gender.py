"""German words that name women and men at once are read as others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.bundle import DE_EN, Bundle
from service.pipeline.finders.placeholders import find_placeholders
from service.pipeline.normalisation.gender import with_one_gender
from service.types import Span
from tests.cli.support import BUNDLE

if TYPE_CHECKING:
    import httpx

DICTIONARY = Bundle.open(BUNDLE, verify=False).dictionaries()[DE_EN]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Die Mitarbeiter:innen", "Die Mitarbeiter"),
        ("Ärzt:innen und Patient*innen", "Ärzte und Patienten"),
        ("Kund_innen, Kund/innen, Kund/-innen, Kund(innen), KundInnen", "Kunden, Kunden, Kunden, Kunden, Kunden"),
        ("Klimaaktivist:innen und EDV-Lehrer:innen", "Klimaaktivisten und EDV-Lehrer"),
        ("Student(inn)en und Patient(inn)en", "Studenten und Patienten"),
        ("Jede:r Ärzt:in und eine:n Kolleg*in.", "Jeder Arzt und einen Kollege."),
        ("der/die Lehrer/in, die/den Leiter(in)", "der Lehrer, den Leiter"),
        ("der/die/das und/oder m/s, s/w", "der/die/das und/oder m/s, s/w"),
        ("LinkedIn, PlugIn, Ordner/in/x, Bürger:innenrat", "LinkedIn, PlugIn, Ordner/in/x, Bürger:innenrat"),
        ("Zupfer/in, als Zupfer/in oder Zupfer/in", "Zupfer, als Zupfer oder Zupfer"),
        (
            "im Sommer/in der Nacht, im Ausland/in der Stadt um 12:30",
            "im Sommer/in der Nacht, im Ausland/in der Stadt um 12:30",
        ),
    ],
)
def test_what_is_read(text: str, read: str) -> None:
    """However they are written, men's names are read, and of articles and endings one; prepositions and names stay."""
    edited = with_one_gender(text, DICTIONARY)
    assert edited.text == read
    assert edited.back(Span(0, len(read))) == Span(0, len(text))


@given(st.lists(st.sampled_from(["Kund", "er", "In", "innen", "in", ":", "*", "/", "(", ")", "der", "die", "r", " "])))
def test_whatever_the_text(parts: list[str]) -> None:
    """Places are found again."""
    text = "".join(parts)
    edited = with_one_gender(text, DICTIONARY)
    assert edited.back(Span(0, len(edited.text))) == Span(0, len(text))


def test_what_is_no_name_of_a_program() -> None:
    """An underscore makes no identifier of such a word."""
    assert find_placeholders("Liebe Kund_innen") == ()
    assert find_placeholders("file_in und Kund_innen_id") == (Span(0, 7), Span(12, 25))


def test_the_same_translation(client: httpx.Client) -> None:
    """A sentence with such words is translated as the one without."""
    body = {"text": ["Die Mitarbeiter:innen haben heute frei.", "Die Mitarbeiter haben heute frei."]}
    one, other = client.post("/translate?dir=de-en", json=body).json()["translations"]
    assert one["text"] == other["text"]
