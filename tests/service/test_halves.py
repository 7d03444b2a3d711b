"""Whether English times are in the half of the day that the German sentence says, and in none where it says none."""

import re
from itertools import pairwise

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.pipeline.edits import apply
from service.pipeline.repairs.halves import check_halves
from tests.service.support import translate


def repaired(sentence: str, target: str) -> str:
    """The translation with its times in the halves of the day that the sentence says."""
    return apply(target, check_halves(sentence, target)).text


@pytest.mark.parametrize(
    ("sentence", "target", "expected"),
    [
        ("Es geht um 8 Uhr los.", "It starts at 8:00 a.m.", "It starts at 8 o'clock."),
        ("Um 8 Uhr gehe ich.", "At 8:00 p.m. I go.", "At 8 o'clock I go."),
        ("Um 9 und 12 Uhr ist Zeit.", "Time is at 9am and 12:00 pm.", "Time is at 9 o'clock and 12 o'clock."),
        ("Von 8 bis 5 Uhr.", "From 8:00 a.m. to 5:00 a.m.", "From 8 o'clock to 5 o'clock."),
    ],
)
def test_open_times(sentence: str, target: str, expected: str) -> None:
    """Where the sentence leaves the half open, the translation does, too."""
    assert repaired(sentence, target) == expected


@pytest.mark.parametrize(
    ("sentence", "target", "expected"),
    [
        ("Um 5 Uhr heute Abend.", "At 5:00 a.m. this evening.", "At 5:00 p.m. this evening."),
        ("Heute Abend um 8 Uhr.", "At 8:00 am tonight.", "At 8:00 p.m. tonight."),
        ("Um 12 Uhr nachts.", "At 12:00 p.m.", "At 12:00 a.m."),
        ("Um 20 Uhr.", "At 8:00 a.m.", "At 8:00 p.m."),
        ("Er kam heute Morgen gegen 10 Uhr.", "He came at 10:00 p.m..", "He came at 10:00 a.m."),
        ("Jeden Morgen um 6 Uhr.", "Every morning at 6pm.", "Every morning at 6:00 a.m."),
    ],
)
def test_told_halves(sentence: str, target: str, expected: str) -> None:
    """A part of the day, before or after, or 24 hours tell the half, whatever the network has written."""
    assert repaired(sentence, target) == expected


@pytest.mark.parametrize(
    ("sentence", "target"),
    [
        ("Um 8 Uhr abends und um 8 Uhr morgens.", "At 8:00 a.m. and at 8:00 a.m."),  # which is which?
        ("Um 8 Uhr und um 20 Uhr.", "At 8:00 a.m. and 8:00 p.m."),
        ("Von 9 bis 17 Uhr.", "From 9:00 a.m. to 5:00 p.m."),
        ("Um 8:30 Uhr.", "At 8:30 a.m."),
        ("Der Zug um 7:15 Uhr oder um 9 Uhr.", "The train at 7:15 a.m. or at 9:00 a.m."),  # as in a timetable
        ("Um 8 Uhr.", "At eight o'clock."),
        ("Sie hat 8 Uhren.", "She is 8 am clocks."),
        ("Am 8. Mai.", "On May 8."),
    ],
)
def test_times_that_stay(sentence: str, target: str) -> None:
    """Times that the sentence says in 24 hours stay, as does what cannot be told, and what has no half."""
    assert repaired(sentence, target) == target


@pytest.mark.parametrize(
    ("sentence", "time"),
    [
        ("Wir treffen uns heute Abend um 8 Uhr.", r"8:00 p\.m\."),
        ("Setze den Wecker auf 6 Uhr abends.", r"6:00 p\.m\.|18:00"),
        ("Der Laden ist von 2 bis 6 Uhr nachmittags geöffnet.", r"(?:2:00 p\.m\.|14:00).* to 6:00 p\.m\."),
        ("Er stand um 5 Uhr morgens auf.", r"5:00 a\.m\."),
        ("Eine Entscheidung wird um 11 Uhr erwartet.", r"(?:11|eleven) o'clock"),
        ("Sie steht um 7 Uhr auf.", r"seven o'clock"),
        ("Der Bus fährt um 7:15 Uhr.", r"7:15 a\.m\."),
    ],
)
def test_times_through_the_service(client: httpx.Client, sentence: str, time: str) -> None:
    """Whichever stage sees a time first, it is in the half of the day that is meant."""
    (translation,) = translate(client, "de-en", sentence)
    assert re.search(time, translation["text"])


@given(
    st.text(st.sampled_from("0123 :.UhrumabendsHte")),
    st.lists(st.sampled_from(["8:00 a.m.", "8 p.m.", "12:00pm", " ", "at", "9", "."]), max_size=12),
)
def test_whatever_the_texts(sentence: str, target: list[str]) -> None:
    """Edits are in order once sorted, and within the translation."""
    text = " ".join(target)
    edits = sorted(check_halves(sentence, text), key=lambda edit: edit.span.start)
    assert all(one.span.end <= other.span.start for one, other in pairwise(edits))
    assert all(0 <= edit.span.start < edit.span.end <= len(text) for edit in edits)
