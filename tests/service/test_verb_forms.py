"""English verbs have the form that the verb before them wants."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.bundle import DE_EN
from service.pipeline.conjugation import THIRD_PERSON, english_forms
from service.pipeline.edits import apply
from service.pipeline.lists import lines_of
from service.pipeline.protection.restoration import restore
from service.pipeline.protection.stand_ins import protect
from service.pipeline.repairs.flaws import count_flaws
from service.pipeline.repairs.verb_forms import check_verb_forms, listed_verbs

WORDS = frozenset({"close", "complain", "own", "plan", "relate", "start", "visit"})
"""Besides those that are listed."""


def corrected(english: str) -> str:
    """As it is to be."""
    return apply(english, sorted(check_verb_forms(english, WORDS), key=lambda edit: edit.span.start)).text


@pytest.mark.parametrize(
    ("english", "expected"),
    [
        ("I'm used to get up early.", "I'm used to getting up early."),
        ("We're looking forward to begin.", "We're looking forward to beginning."),
        ("I don't feel like to cook or to cooking.", "I don't feel like cooking or to cooking."),
        ("She felt like to cooking.", "She felt like cooking."),
        ("I'm call you, we're still have time.", "I call you, we still have time."),
        ("You're welcome, I'm open to change.", "You're welcome, I'm open to change."),
        ("Have you have breakfast yet?", "Have you had breakfast yet?"),
        ("So, has he already forget it?", "So, has he already forgotten it?"),
        ("He has lost his job last year.", "He lost his job last year."),
        ("They have been moved to Spain two days ago.", "They were moved to Spain two days ago."),
        ("I have been in Rome yesterday.", "I was in Rome yesterday."),
        (
            "We've been here two years ago, and I've seen it last week.",
            "We were here two years ago, and I saw it last week.",
        ),
        # used for it, and what may be a noun, or goes on
        (
            "Knives are used to cut bread, and he used to cut it.",
            "Knives are used to cut bread, and he used to cut it.",
        ),
        ("We look forward to spring.", "We look forward to spring."),
        ("You can have it affect them.", "You can have it affect them."),
        ("She has been to Rome last year.", "She has been to Rome last year."),
        ("It has been so since last year.", "It has been so since last year."),
        ("They may have lost it last year.", "They may have lost it last year."),
    ],
)
def test_what_else_is_beside_a_verb(english: str, expected: str) -> None:
    """The form in -ing after some words, a participle in questions, and the past beside a time that is over."""
    assert corrected(english) == expected


@pytest.mark.parametrize(
    ("english", "expected"),
    [
        ("They did not responded.", "They did not respond."),
        ("It didn't even stopped.", "It didn't even stop."),
        ("Don't worried.", "Don't worry."),
        ("They did not applied for it.", "They did not apply for it."),
        ("It doesn't closed and doesn't owned it.", "It doesn't close and doesn't own it."),
        ("He did not complaining.", "He did not complain."),
        ("It will not starting now.", "It will not start now."),
        ("I didn't got lost, she didn't said it.", "I didn't get lost, she didn't say it."),
        ("They didn't eaten and did not seen it.", "They didn't eat and did not see it."),
        ("This will replaces it and would specifies it.", "This will replace it and would specify it."),
        ("It does not discusses it.", "It does not discuss it."),
        ("to pays and to modifies", "to pay and to modify"),
        ("She would gave it.", "She would give it."),
        ("They have announce it.", "They have announced it."),
        ("It has also gave us much.", "It has also given us much."),
        ("He hasn't choose one and had began.", "He hasn't chosen one and had begun."),
        ("It has stop and has occur.", "It has stopped and has occurred."),
        ("They have offer it and did not admitting it.", "They have offered it and did not admit it."),
        ("The firm is announces it.", "The firm announces it."),
        ("The firm is sets ten prices.", "The firm sets ten prices."),
        ("She is lifts a box and is milks it.", "She lifts a box and is milks it."),
        ("It is already applies here.", "It already applies here."),
    ],
)
def test_verbs_after_verbs(english: str, expected: str) -> None:
    """In the form that they have elsewhere, or without the first; what is no verb alone stays."""
    assert corrected(english) == expected
    assert corrected(expected) == expected


@pytest.mark.parametrize(
    "english",
    [
        "Do not bring it, they don't need to feed him, it did not shed it, don't cling, he will not embed it.",
        "It can stripped, must excluded: it may be meant to be, or not.",
        "I don't visiteded it, he did not xyzed.",
        "He looks forward to starting, a can opening, the will became, it is not applies.",
        "All you have to do is press a key. I have use for it. It has finished. We have come. It had cut us.",
        "It is used to announce. She is brought in. They announce it, he announces it. Is announces it?",
        "It is sometimes the best, is always all that is his, is across the street, is this a box? It is news.",
        "It does so, and did well. They did nothing. I did some shopping. He did finished work.",
    ],
)
def test_what_may_be_meant_stays(english: str) -> None:
    """What people write, and what has more than one way to be put right."""
    assert corrected(english) == english


def test_another_candidate_is_not_needed() -> None:
    """What is put right is no flaw any more."""
    wrong = "It has announce it, will replaces it and is applies."
    assert count_flaws("", wrong, "en") == 3
    assert count_flaws("", corrected(wrong), "en") == 0


def test_beside_what_is_put_back() -> None:
    """Along with everything else, before a placeholder."""
    protected = protect("Er hat {name} nicht verkündet.", [], [])
    assert restore(protected, "He did not announces X1.", [], DE_EN).text == "He did not announce {name}."


def test_the_list_of_verbs_has_each_form_once() -> None:
    """Base forms, third persons and pasts; these are of irregular verbs, of which there are three forms each."""
    lines = [line.partition(": ") for line in lines_of("verbs.txt")]
    assert {kind for kind, _, _ in lines} == {"base", "third", "past", "irregular"}
    forms = [form for kind, _, its in lines if kind != "irregular" for form in its.split()]
    assert len(forms) == len(set(forms)) > 700
    assert all(form.endswith("s") for kind, _, its in lines if kind == "third" for form in its.split())
    assert all(english_forms([corrected(f"to {form}")[3:]])[THIRD_PERSON] == form for form in listed_verbs()["third"])
    irregular = [form.split("-") for kind, _, its in lines if kind == "irregular" for form in its.split()]
    assert listed_verbs()["past"] <= {past for _, past, _ in irregular}
    assert len({base for base, _, _ in irregular}) == len(irregular)


@given(st.lists(st.sampled_from(["did", "not", "is", "to", "will", "has", "gave", "stopped", "announces", "starting"])))
def test_words_stay_as_many(words: list[str]) -> None:
    """Of a text that is none, but for an "is" that is too many."""
    left = corrected(" ".join(words)).split()
    assert len(left) >= len(words) - words.count("is")
