"""Plain words of a sentence, only, again, today: a candidate that has them all comes before one that has lost some."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from model.bundle import DE_EN, DIRECTIONS, EN_DE, Direction
from service.pipeline.lists import WAYS, rows_of
from service.pipeline.repairs.lost_words import count_lost
from tests.service.support import translate

if TYPE_CHECKING:
    import httpx

BOUND_S = 2.0
"""Of processor time."""


@pytest.mark.parametrize(
    ("direction", "source", "target", "lost"),
    [
        (DE_EN, "Er isst nur Brot.", "He eats bread.", 1),
        (DE_EN, "Er isst nur Brot.", "He eats only bread.", 0),
        (DE_EN, "Er kommt heute auch.", "He comes.", 2),
        (DE_EN, "Er kommt heute auch.", "He is coming, too.", 1),
        (DE_EN, "Das ist immer noch so.", "That is still so.", 0),
        (DE_EN, "Wer das auch immer war.", "Whoever that was.", 0),
        (DE_EN, "Sie sind heutig und nurmehr alt.", "They are old.", 0),
        (EN_DE, "He always has two dogs.", "Er hat Hunde.", 2),
        (EN_DE, "He always has two dogs.", "Er hat immer beide Hunde.", 0),
        (EN_DE, "We met on Friday.", "Wir trafen uns am Karfreitagabend.", 0),
        (EN_DE, "Always is a word.", "Das ist ein Wort.", 0),
        (EN_DE, "She has been waiting for two days.", "Sie wartet zwei Tage.", 1),
        (EN_DE, "They've been waiting here since Monday.", "Sie warten seit Montag hier.", 0),
        (EN_DE, "It hasn't been raining for a long time.", "Es regnet lange nicht.", 0),
        (EN_DE, "She has been waiting for you.", "Sie hat auf dich gewartet.", 0),
    ],
)
def test_count(direction: Direction, source: str, target: str, lost: int) -> None:
    """Each listed word within a sentence that nothing stands for; words of German may be parts of others."""
    assert count_lost(source, target, direction) == lost


@pytest.mark.parametrize("direction", DIRECTIONS, ids=str)
def test_the_list(direction: Direction) -> None:
    """Each word is there once, and what stands for it is enough for it; with nothing it is lost."""
    rows = [
        (word, others.split(", ")) for way, word, others in rows_of("lost_words.tsv") if way in WAYS[str(direction)]
    ]
    assert len({word for word, _ in rows}) == len(rows)
    for word, others in rows:
        assert len({*others}) == len(others)
        sentence = f"Sie, {word} ist."
        assert count_lost(sentence, "xyz", direction) == 1
        assert all(count_lost(sentence, f"xyz {other}", direction) == 0 for other in others)


@pytest.mark.parametrize(
    ("direction", "sentence", "word"),
    [
        ("de-en", "Tom hat den Fehler sofort bemerkt.", "immediately"),
        ("de-en", "Ich weiß es selbst.", "myself"),
        ("en-de", "I always take notes.", "immer"),
        ("en-de", "I will give it to him tomorrow.", "morgen"),
    ],
)
def test_the_service_takes_another(client: httpx.Client, direction: str, sentence: str, word: str) -> None:
    """The bundle's likeliest translation of each lacks the word, one of the next has it: that is the translation."""
    for quality in ("good", "best"):
        (translation,) = translate(client, direction, sentence, quality=quality)
        assert word in translation["text"]


def test_floods_take_no_time() -> None:
    """100,000 characters take linear time."""
    start = time.process_time()
    for flood in ("nur ", "auch immer ", "noch ", ", ", "all all right ", "x" * 9 + " "):
        text = flood * (100_000 // len(flood))
        for direction in DIRECTIONS:
            count_lost(text, text, direction)
            count_lost(text, "x " * 50_000, direction)
    assert time.process_time() - start < BOUND_S
