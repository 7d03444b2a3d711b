"""English says in the perfect since when something has been so, German in the present."""

import time

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.pipeline.edits import apply
from service.pipeline.repairs.perfect import check_perfect
from tests.service.support import translate

BOUND_S = 2.0
"""Of processor time."""


def repaired(sentence: str, target: str) -> str:
    """The translation with the tense that English wants."""
    return apply(target, [*check_perfect(sentence, target)]).text


@pytest.mark.parametrize(
    ("sentence", "target", "expected"),
    [
        ("Seit wann kennst du ihn?", "How long do you know him?", "How long have you known him?"),
        ("Wie lange wohnt er schon hier?", "How long is he live here?", "How long has he lived here?"),
        ("Wie lange hat sie schon einen Hund?", "How long has she have a dog?", "How long has she had a dog?"),
        ("Seit wann ist das Fenster kaputt?", "How long is the window broken?", "How long has the window been broken?"),
        ("Wie lange regnet es schon?", "How long has it raining?", "How long has it been raining?"),
        (
            "Seit wann arbeiten Ihre Eltern hier?",
            "How long do your parents work?",
            "How long have your parents worked?",
        ),
        ("Wie lange gibt es das schon?", "How long is there that?", "How long has there been that?"),
    ],
)
def test_questions(sentence: str, target: str, expected: str) -> None:
    """Since when something has been so is asked with have and a participle."""
    assert repaired(sentence, target) == expected


@pytest.mark.parametrize(
    ("sentence", "target", "expected"),
    [
        ("Wir haben den Hund seit einem Jahr.", "We have the dog for a year.", "We have had the dog for a year."),
        ("Es regnet seit gestern.", "It's raining since yesterday.", "It has been raining since yesterday."),
        ("Seit 1976 kenne ich ihn.", "I know him since 1976.", "I have known him since 1976."),
        ("Sie ist seit Mai krank.", "She is ill since May.", "She has been ill since May."),
        ("Er wohnt seit Jahren hier.", "He lives here for years.", "He has lived here for years."),
    ],
)
def test_statements(sentence: str, target: str, expected: str) -> None:
    """So is what has been so for some time."""
    assert repaired(sentence, target) == expected


@pytest.mark.parametrize(
    ("sentence", "target"),
    [
        ("Wie lange bleibst du?", "How long do you stay?"),
        ("Wie lange waren Sie schon krank?", "How long were you sick?"),
        ("Wie lange hast du schon gewartet?", "How long have you waited?"),
        ("Seit wann wohnst du hier?", "How long have you lived here?"),
        ("Ich warte seit einer Stunde.", "I have waited for an hour."),
        ("Ich warte seit einer Stunde.", "I've been waiting for an hour."),
        ("Er wartet seit einer Stunde.", "He's been waiting for an hour."),
        ("Es ist die erste Übung seit 2001.", "It is the first exercise since 2001."),
        ("Seit er hier war, kenne ich ihn.", "I know him since he was here."),
        ("Er kommt für eine Stunde.", "He comes for an hour."),
    ],
)
def test_what_stays(sentence: str, target: str) -> None:
    """What has that tense, is over or lies ahead, and the first since some time."""
    assert repaired(sentence, target) == target


def test_through_the_service(client: httpx.Client) -> None:
    """A question that the network asks in the present has the perfect."""
    (translation,) = translate(client, "de-en", "Seit wann kennst du ihn?")
    assert translation["text"].startswith("How long have you ")


@pytest.mark.parametrize("unit", ["Seit wann ", "seit ", "How long do ", "I know since ", "for a ", "has ", "ge"])
def test_floods_take_no_time(unit: str) -> None:
    """100,000 characters take linear time."""
    start = time.process_time()
    for sentence, target in (("Seit wann ", "How long do you "), ("", "I know "), ("Wie lange ", "")):
        [*check_perfect(sentence + unit * 10_000, target + unit * 10_000)]
    assert time.process_time() - start < BOUND_S


@given(
    st.lists(st.sampled_from(["Seit wann", "seit", "Wie lange", "schon", "hat", " ", "?"])),
    st.lists(st.sampled_from(["How long", "do", "is", "I", "he", "have", "know", "since", " ", "'s", "for a day"])),
)
def test_whatever_the_texts(sentence: list[str], target: list[str]) -> None:
    """At most one verb is written, within the translation."""
    edits = [*check_perfect("".join(sentence), "".join(target))]
    assert len(edits) <= 1
    assert all(edit.span.end <= len("".join(target)) for edit in edits)
