"""Ordinal numbers: days of months are read in figures, times in words, and all but the first few as third."""

import time
from itertools import pairwise

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.pipeline.edits import apply
from service.pipeline.lists import rows_of
from service.pipeline.numbers.ordinals import ordinal_in_words, read_ordinals
from tests.service.support import translate

BOUND_S = 2.0
"""Of processor time."""


def read(text: str, language: str) -> str:
    """What the network reads for the ordinals of a text."""
    return apply(text, sorted(read_ordinals(text, language), key=lambda edit: edit.span.start)).text


@pytest.mark.parametrize(
    ("number", "english", "german"),
    [
        (1, "first", "erst"),
        (3, "third", "dritt"),
        (7, "seventh", "siebt"),
        (8, "eighth", "acht"),
        (12, "twelfth", "zwölft"),
        (19, "nineteenth", "neunzehnt"),
        (20, "twentieth", "zwanzigst"),
        (25, "twenty-fifth", "fünfundzwanzigst"),
        (99, "ninety-ninth", "neunundneunzigst"),
        (120, "one hundred and twentieth", "hundertzwanzigst"),
    ],
)
def test_in_words(number: int, english: str, german: str) -> None:
    """As they are written; German ones without their endings."""
    assert ordinal_in_words(number, "en") == english
    assert ordinal_in_words(number, "de") == german


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "on the twentieth of May, the first day of June", "on the 20th of May, the 1st day of June"),
        ("en", "on May the twenty-second, on July third", "on May the 22nd, on July 3rd"),
        (
            "en",
            "the twentieth floor, March first, May fifth of six",
            "the twentieth floor, March first, May fifth of six",
        ),
        ("de", "am zwanzigsten Mai, Erster April, der dritte Juni", "am 20. Mai, 1. April, der 3. Juni"),
        ("de", "der zwanzigste Tag, am dritten Maier", "der zwanzigste Tag, am dritten Maier"),
    ],
)
def test_days(language: str, text: str, expected: str) -> None:
    """Those of months are in figures, where a verb cannot be meant."""
    assert read(text, language) == expected


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "for the 20th time, the 3rd consecutive time", "for the twentieth time, the third consecutive time"),
        ("en", "20 times, the 20th timeout, in the 20th century", "20 times, the 20th timeout, in the 20th century"),
        ("de", "zum 21. Mal, das 10. Mal", "zum einundzwanzigsten Mal, das zehnte Mal"),
        ("de", "am 20. Mai, zum 20. Malheur", "am 20. Mai, zum 20. Malheur"),
    ],
)
def test_times(language: str, text: str, expected: str) -> None:
    """How often something is done is in words."""
    assert read(text, language) == expected


def test_the_list_has_all() -> None:
    """From the sixth on all ordinals to the ninety-ninth are read as third, but no form that is a number or a verb."""
    rows = {german.split(", ")[0]: (way, english) for way, english, german, *_ in rows_of("substitutes")}
    for number in range(6, 100):
        way, english = rows[f"{ordinal_in_words(number, 'de')}e"]
        assert english.split(", ")[0] == ordinal_in_words(number, "en")
        assert way == (">" if number == 8 else "=")


@pytest.mark.parametrize(
    ("direction", "sentence", "has"),
    [
        ("en-de", "Today is her thirtieth birthday.", "dreißigste"),
        ("en-de", "This is the 20th time.", "zwanzigste"),
        ("en-de", "One tenth of the people left.", "Zehntel"),
        ("en-de", "She was born on the twelfth of July.", "12. Juli"),
        ("de-en", "Im neunzehnten Jahrhundert war alles anders.", "nineteenth century"),
        ("de-en", "Ich achte auf meine Gesundheit.", "health"),
        ("de-en", "Ich habe acht Minuten gewartet.", "eight minutes"),
    ],
)
def test_through_the_service(client: httpx.Client, direction: str, sentence: str, has: str) -> None:
    """The translation has the ordinal or the fraction that the network alone takes for another one."""
    (translation,) = translate(client, direction, sentence)
    assert has in translation["text"]


@pytest.mark.parametrize("unit", ["twentieth ", "May the ", "on May ", "zwanzigsten ", "zum 2. ", "20th ", "1"])
def test_floods_take_no_time(unit: str) -> None:
    """100,000 characters take linear time."""
    start = time.process_time()
    for language in ("en", "de"):
        [*read_ordinals(f"May Mai {unit * 10_000}", language)]
    assert time.process_time() - start < BOUND_S


@given(
    st.lists(st.sampled_from(["May", "Mai", "the", "third", "of", "dritten", "zum", "3.", "3rd", "time", "Mal", " "]))
)
def test_whatever_the_text(parts: list[str]) -> None:
    """Nothing is read twice."""
    for language in ("en", "de"):
        spans = sorted((edit.span for edit in read_ordinals("".join(parts), language)), key=lambda span: span.start)
        assert all(one.end <= other.start for one, other in pairwise(spans))
