"""To a pattern that ignores case, ſ is an s, and ı and İ are an i: every stage looks up what its patterns find."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.bundle import EN_DE
from service.pipeline.normalisation.number_words import in_figures
from service.pipeline.normalisation.time_expressions import write_out
from service.pipeline.numbers.checking import check_numbers
from service.pipeline.numbers.numerals import read_numbers
from service.pipeline.numbers.words import Words

if TYPE_CHECKING:
    from collections.abc import Callable

CASES = {"s": "sSſ", "i": "iIıİ", "k": "kK\u212a", "ß": "ßẞ"}


def in_words_of(language: str) -> Callable[[str], object]:
    """What words stand for."""
    return lambda text: [value for value in range(100) if Words(text, language).has_number(str(value))]


def meant_in(language: str) -> Callable[[str], object]:
    """What the numbers of a text come to."""
    return lambda text: [number.meant for number in read_numbers(text, language)]


def written_out_in(language: str) -> Callable[[str], object]:
    """As it is read."""
    return lambda text: write_out(text, language).text


def figures_in(language: str) -> Callable[[str], object]:
    """With figures for words."""
    return lambda text: in_figures(text, language).text


def month_put_right(text: str) -> object:
    """What is written for a wrong month of a translation."""
    return check_numbers("on 5 May", f"am 5. {text}", (), EN_DE)


@pytest.mark.parametrize(
    ("look_up", "text", "expected"),
    [
        (meant_in("en"), "5 million", [("5000000",)]),
        (meant_in("en"), "5 thousand, quarter past 6, 2 pm", [("5000",), ("6", "15"), ("14",)]),
        (meant_in("de"), "5 Milliarden, dreiviertel 6", [("5000000000",), ("5", "45")]),
        (in_words_of("en"), "sixty-six", [6, 60, 66]),
        (in_words_of("de"), "sechsunddreißig", [6, 36]),
        (written_out_in("en"), "1 half past six", "1 6:30"),
        (written_out_in("de"), "1 dreiviertel sieben", "1 6:45"),
        (figures_in("en"), "six thousand sixteen", "6016"),
        (figures_in("en"), "seventeen sixty-six", "1766"),
        (figures_in("de"), "sechsunddreißig", "36"),
        (month_put_right, "Juni", month_put_right("Juni")),
        (month_put_right, "August", month_put_right("August")),
        (month_put_right, "Oktober", month_put_right("Oktober")),
    ],
)
@given(data=st.data())
def test_any_case(look_up: Callable[[str], object], text: str, expected: object, data: st.DataObject) -> None:
    """The same is found whatever the case of each letter."""
    letters = (data.draw(st.sampled_from(CASES.get(char.lower(), char.lower() + char.upper()))) for char in text)
    assert look_up("".join(letters)) == expected
