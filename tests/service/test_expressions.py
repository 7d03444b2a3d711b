"""Expressions that are not their words are read as plain ones."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from service.pipeline.normalisation.expressions import expressions_and_plain_words, with_plain_words

if TYPE_CHECKING:
    import httpx

BOUND_S = 2.0
"""Of processor time."""


@pytest.mark.parametrize(
    ("text", "language", "read"),
    [
        ("Every now and then he comes; now and again, not.", "en", "Sometimes he comes; sometimes, not."),
        ("She lost her temper, making up her mind.", "en", "She got angry, deciding."),
        ("At 18 he left, to die at 82.", "en", "At the age of 18 he left, to die at the age of 82."),
        ("By the way, he retired at 65.", "en", "Incidentally, he retired at the age of 65."),
        ("She turned forty last week.", "en", "She became forty years old last week."),
        (
            "He turns 18 tomorrow and has turned 17.",
            "en",
            "He becomes 18 years old tomorrow and has become 17 years old.",
        ),
        ("Er ist Mitte vierzig, sie Ende zwanzig.", "de", "Er ist etwa 45 Jahre alt, sie fast 30 Jahre alt."),
        ("Er ist Anfang sechzig.", "de", "Er ist knapp über 60 Jahre alt."),
        ("She died in her eighties.", "en", "She died between eighty and ninety."),
        ("I was about to say: she's scared.", "en", "I was just going to say: she's afraid."),
        ("Wer es eilig hat, hat es nicht eilig.", "de", "Wer es eilig hat, ist nicht in Eile."),
        ("It is in need of repair, in return for help.", "en", "It needs repair, in exchange for help."),
        ("It has come to nothing; they come to nothing.", "en", "It has failed; they fail."),
        ("I can’t wait to see it, by the way.", "en", "I look forward to seeing it, by the way."),
        ("By the way, we’re out of the office by Friday.", "en", "Incidentally, we're absent until Friday."),
        ("Please feel free to call; feel free to write.", "en", "Please feel free to call; please write."),
        ("They feel free to lie, and feel free to.", "en", "They feel free to lie, and please."),
        (
            "We have run out of the house. We have run out of tea.",
            "en",
            "We have run out of the house. We have no more tea.",
        ),
        ("You’d better go; he is not likely to wait.", "en", "You should go; he will probably not wait."),
        (
            "The lease agreement, our lease and a rash decision",
            "en",
            "The lease agreement, our lease agreement and a hasty decision",
        ),
        ("Der Kurs fällt heute leider aus.", "de", "Der Kurs wird leider heute abgesagt."),
        ("It took me an hour. It took her mother to Rome.", "en", "I needed an hour. It took her mother to Rome."),
        (
            "Zur Zeit kommt es zu Staus, wie zur Zeit der Römer.",
            "de",
            "Momentan gibt es Staus, wie zur Zeit der Römer.",
        ),
        ("Früher oder später, hin und wieder.", "de", "Irgendwann, manchmal."),
        ("Er lebt nach wie vor hier.", "de", "Er lebt immer noch hier."),
    ],
)
def test_what_is_read(text: str, language: str, read: str) -> None:
    """In the form of the expression, with its capital and for whom it is."""
    assert with_plain_words(text, language).text == read


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Now and then-ish, all of a suddenly, from time to time's", "en"),
        ("He lost the temper. EVERY NOW AND THEN", "en"),
        ("For good reasons: hands down, on the dot, take after meals, told not to mention it", "en"),
        ("He died at 8; it runs at 82 km/h, up at 65.5 percent.", "en"),
        ("They suit you. She went out of the office by the way we came.", "en"),
        ("It took her breath away. He gave her a ring. The phone was charged twice.", "en"),
        ("Melden Sie sich bei Ihrem Konto an, wenn wir Eis essen gehen.", "de"),
        ("Das Licht fällt aus, und der Prozess gegenüber", "de"),
        ("Nach wie vorher, Ab und Zug", "de"),
        ("They draw lots of pictures on the whole page; look at best practices, without saying a word", "en"),
        ("Das basiert auf dem Spiel; das Verhältnis von Nutzen und Risiko", "de"),
    ],
)
def test_what_stays(text: str, language: str) -> None:
    """Other words, and what is written in another way."""
    assert with_plain_words(text, language).text == text


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_list(language: str) -> None:
    """Each expression is there once, is found, and what is read instead is none."""
    listed = [expression for expression, _ in expressions_and_plain_words(language)]
    assert len(listed) == len(set(listed))
    for expression, plain in expressions_and_plain_words(language):
        assert with_plain_words(f"X {expression}.", language).text == f"X {plain}."
        assert with_plain_words(plain, language).text == plain


def test_floods_take_no_time() -> None:
    """Time is in proportion to the length."""
    started = time.process_time()
    for flood in (
        "now and then ",
        "now and ",
        "make up one's ",
        "turned 40 ",
        "has turned ",
        "Mitte vierzig ",
        "Mitte ",
    ):
        for language in ("en", "de"):
            with_plain_words(flood * (100_000 // len(flood)), language)
    assert time.process_time() - started < BOUND_S


def test_through_the_service(client: httpx.Client) -> None:
    """What they mean is in the translation, and they are in the source of its segments."""
    text = "It happened all of a sudden."
    answer = client.post("/translate", params={"dir": "en-de", "details": "true"}, json={"text": text})
    translation = answer.json()["translations"][0]
    assert "plötzlich" in translation["text"]
    assert translation["segments"][0]["source"]["text"] == text
