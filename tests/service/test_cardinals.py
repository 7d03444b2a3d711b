"""Numbers in words: which are read in figures, and are words again in the translation."""

import re
import time
from itertools import pairwise

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.bundle import DE_EN, EN_DE, Direction
from service.pipeline.edits import apply
from service.pipeline.normalisation.number_words import in_figures
from service.pipeline.numbers.cardinals import find_cardinals, in_words
from service.pipeline.numbers.rewording import reworded
from tests.service.support import translate

BOUND_S = 2.0
"""Of processor time."""
WORDS = ["twenty", "hundred", "and", "one", "a", "half", "day", "first", "ieth", "te", "zwanzig", "Uhr", "anderthalb"]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Twenty-three people and twenty three dogs came.", "23 people and 23 dogs came."),
        ("six hundred and twenty-five, one hundred fifty", "625, 150"),
        ("one thousand two hundred, two thousand and five", "1200, 2005"),
        ("One hundred and fifty thousand couples", "150,000 couples"),
        ("nineteen ninety-nine, twenty twenty-four", "1999, 2024"),
        ("a ninety-one-year-old man, a fourteen-day trial", "a 91-year-old man, a 14-day trial"),
        ("a thirty-year-old man, a twenty-minute walk", "a 30-year-old man, a 20-minute walk"),
        ("seventeen hundred soldiers, thirteen cats", "1700 soldiers, 13 cats"),
        ("two and a half years, twenty-three and a half days", "2.5 years, 23.5 days"),
        ("an hour and a half, seven years and a half from now", "1.5 hours, 7.5 years from now"),
        ("three and a half million", "3.5 million"),
        ("one hundred and two and a half days", "one hundred and 2.5 days"),
    ],
)
def test_english_numbers(text: str, read: str) -> None:
    """Compounds, hundreds and thousands are figures, and so are 13 to 19."""
    assert in_figures(text, "en").text == read


@pytest.mark.parametrize(
    "text",
    [
        "twelve people, twenty people, a hundred people, one thousand times",
        "hundreds of people, thousands, in the sixties, the nineteen eighties",
        "two or three hundred, five to six thousand",
        "twenty-five past two, twenty to nine, ten minutes past seven",
        "the twenty-first century, the thirteenth floor, twenty-something, fifty-fifty",
        "We saw Seventeen Again and Catch Twenty-Two.",
        "He is three and a half. The throne and a half of it, six of one and a half dozen",
        "twenty three-year-old children",
    ],
)
def test_english_words_that_stay(text: str) -> None:
    """What the network knows, what may be a range, times of day, ordinals and names are no figures."""
    assert in_figures(text, "en").text == text


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Vierzig Leute, dreiundzwanzig Hunde", "40 Leute, 23 Hunde"),
        ("zweihundertfünfzig, hundertzwei, eintausendzweihundert", "250, 102, 1200"),
        ("hundert Leute, fünfhundert Leute", "100 Leute, 500 Leute"),
        ("neunzehnhundertneunundachtzig, zweitausendfünf", "1989, 2005"),
        ("hunderttausend und hundertfünfzigtausend", "100.000 und 150.000"),
        ("ein dreißigjähriger Mann, zwanzigmal, vierzehntägig", "ein 30-jähriger Mann, 20 Mal, 14-tägig"),
        ("um sechs Uhr dreißig, um vierzehn Uhr", "um 6:30 Uhr, um 14 Uhr"),
        ("anderthalb Stunden, eineinhalb Jahre, zweieinhalb", "1,5 Stunden, 1,5 Jahre, zweieinhalb"),
    ],
)
def test_german_numbers(text: str, read: str) -> None:
    """So are German ones, tens among them, and what is written as one word with them."""
    assert in_figures(text, "de").text == read


@pytest.mark.parametrize(
    "text",
    [
        "zwölf Leute, ein paar hundert Leute, zweihundert, siebentausend",
        "einzig, fleißig, günstig, zehn, der zwanzigste Mai, hundertprozentig",
        "um zwanzig vor neun, fünfzehn nach acht",
        "in den Zwanzigern, die Zwanzig, ein Zwanzig-Jahres-Vertrag",
    ],
)
def test_german_words_that_stay(text: str) -> None:
    """Those that the network knows, other words, times of day and names are no figures."""
    assert in_figures(text, "de").text == text


@given(st.integers(13, 999), st.sampled_from(["en", "de"]))
def test_every_number(number: int, language: str) -> None:
    """Each number in words is read as itself, if it is read in figures."""
    found = [one.figures for one in find_cardinals(in_words(number, language), language)]
    known = number in {*range(20, 101, 10)} - {70} if language == "en" else number in {*range(200, 1000, 100)} - {500}
    assert found == ([] if known else [str(number)])


@pytest.mark.parametrize(
    ("direction", "sentence", "target", "expected"),
    [
        (DE_EN, "Vierzig Leute kamen.", "40 people came.", "Forty people came."),
        (DE_EN, "Es sind zweiunddreißig.", "There are 32.", "There are thirty-two."),
        (EN_DE, "Thirteen of thirteen.", "13 von 13.", "Dreizehn von dreizehn."),
        (EN_DE, "About three thousand came.", "Etwa 3000 kamen.", "Etwa dreitausend kamen."),
        (EN_DE, "It is two hundred and one.", "Es ist 201.", "Es ist zweihundertein."),
    ],
)
def test_words_again(direction: Direction, sentence: str, target: str, expected: str) -> None:
    """Figures that stand for words of the sentence become words, with a capital where the translation begins."""
    assert apply(target, reworded(sentence, target, direction)).text == expected


@pytest.mark.parametrize(
    ("direction", "sentence", "target"),
    [
        (DE_EN, "Er hatte fünfzig Dollar.", "He had $50."),
        (DE_EN, "Fünfzig von 50.", "50 of 50."),
        (DE_EN, "Dreißig Leute.", "30 people of 30."),
        (DE_EN, "Ein dreißigjähriger Mann.", "A 30-year-old man."),
        (EN_DE, "Fifteen percent.", "15% davon."),
        (EN_DE, "Seventeen came.", "17.5 kamen."),
        (EN_DE, "There are 15 people.", "Es gibt 15 Leute."),
    ],
)
def test_figures_that_stay(direction: Direction, sentence: str, target: str) -> None:
    """Figures with signs, those that the sentence has, and those that are more or fewer than the words stay."""
    assert reworded(sentence, target, direction) == []


@pytest.mark.parametrize(
    ("direction", "sentence", "number"),
    [
        ("de-en", "Vierzig Leute kamen.", r"[Ff]orty|40"),
        ("de-en", "Sechsundsechzig Leute kamen.", r"[Ss]ixty-six|66"),
        ("en-de", "Twenty-three people came.", r"[Dd]reiundzwanzig|23"),
        ("en-de", "There are six hundred and twenty-five people.", r"sechshundertfünfundzwanzig|625"),
    ],
)
def test_numbers_through_the_service(client: httpx.Client, direction: str, sentence: str, number: str) -> None:
    """The translation has the number, which the network alone garbles."""
    (translation,) = translate(client, direction, sentence)
    assert re.search(number, translation["text"])


@pytest.mark.parametrize(
    "text",
    [
        *("zehn" * 25_000 + "-x", "hundert" * 15_000, "sechs Uhr " * 10_000, "und" * 30_000 + "zig", "zehn " * 20_000),
        *("twenty " * 15_000, "one hundred and " * 6_000, "a " * 50_000, "two or " * 10_000 + "three hundred"),
        *("one and a half " * 8_000, "a day and " * 10_000, "half" * 25_000),
    ],
)
def test_floods_take_no_time(text: str) -> None:
    """100,000 characters take linear time."""
    start = time.process_time()
    for direction in (EN_DE, DE_EN):
        in_figures(text, direction.source)
        reworded(text, text, direction)
    assert time.process_time() - start < BOUND_S


@given(
    st.text(st.sampled_from("twenty-hundred andUhrzig0123 "))
    | st.lists(st.sampled_from([*WORDS, " ", "-", "3"])).map("".join),
    st.text(st.sampled_from("0123 ,.%forty")),
)
def test_whatever_the_texts(sentence: str, target: str) -> None:
    """Nothing is found twice, and edits are within the translation."""
    for language, direction in (("en", EN_DE), ("de", DE_EN)):
        spans = sorted((one.span for one in find_cardinals(sentence, language)), key=lambda span: span.start)
        assert all(one.end <= other.start for one, other in pairwise(spans))
        assert all(edit.span.end <= len(target) for edit in reworded(sentence, target, direction))
