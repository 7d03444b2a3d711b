"""POST /translate: order, gaps, long texts, and the same answer alone and in a crowd."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.service.support import CopyingEngine, SilentEngine, serve, translate

if TYPE_CHECKING:
    import httpx

    from service.app import Loaded
    from service.settings import Settings

SENTENCES = {
    "en-de": [
        "A dog runs through the grass.",
        "Two men talk.",
        "The old woman, who had never seen the sea before, bought a small red boat and gave it to her neighbour.",
        "Good morning!",
        "Why are you late?",
    ],
    "de-en": [
        "Ein Hund läuft durch das Gras.",
        "Zwei Männer reden.",
        "Die alte Frau, die das Meer nie zuvor gesehen hatte, kaufte ein kleines rotes Boot für ihren Nachbarn.",
        "Guten Morgen!",
        "Warum kommst du zu spät?",
    ],
}


@pytest.mark.parametrize("direction", ["en-de", "de-en"])
def test_alone_and_in_a_crowd(client: httpx.Client, direction: str) -> None:
    """Many texts in one request come back in order, each as it comes back alone and among concurrent requests."""
    alone = [translate(client, direction, text)[0] for text in SENTENCES[direction]]
    crowd = SENTENCES[direction] * 6
    with ThreadPoolExecutor(8) as pool:
        concurrent = list(pool.map(lambda text: translate(client, direction, text)[0], crowd))
    together = translate(client, direction, crowd)
    assert [one["text"] for one in together] == [one["text"] for one in alone] * 6
    assert [one["text"] for one in concurrent] == [one["text"] for one in alone] * 6
    assert all(0 <= one["confidence"] <= 1 for one in together)
    assert [one["confidence"] for one in together] == pytest.approx([one["confidence"] for one in alone] * 6, abs=1e-3)


def test_directions_at_the_same_time(client: httpx.Client) -> None:
    """Concurrent requests of both directions each get their own."""
    expected = {way: translate(client, way, texts) for way, texts in SENTENCES.items()}
    ways = ["en-de", "de-en"] * 10
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda way: translate(client, way, SENTENCES[way]), ways))
    for way, answer in zip(ways, answers, strict=True):
        assert [one["text"] for one in answer] == [one["text"] for one in expected[way]]


@pytest.mark.parametrize("quality", ["fast", "best"])
def test_gaps_and_empty_texts_survive(client: httpx.Client, quality: str) -> None:
    """White space, blank lines, bullets, and what has no letters stand where they stood; alone they are certain."""
    texts = ["A dog runs.", "Two men talk."]
    first, second = (one["text"] for one in translate(client, "en-de", texts, quality=quality))
    text = "\n  A dog runs.\t \r\n\r\n- Two men talk.\n\n 42 \n"
    empty, one, blank, number = translate(client, "en-de", ["", text, " \n", "1984"], quality=quality)
    assert one["text"] == f"\n  {first}\t \r\n\r\n- {second}\n\n 42 \n"
    assert [empty, blank, number] == [{"text": text, "confidence": 1.0} for text in ("", " \n", "1984")]


def test_long_text_is_never_cut(settings: Settings, loaded: Loaded) -> None:
    """With an engine that copies, sentences, lists and words far beyond the network's length come back whole."""
    engine = CopyingEngine()
    clause = "the quick brown fox jumps over the lazy dog, and nobody minds; "
    texts = [
        clause.strip() * 40,
        "word " * 800 + "end",
        "Donaudampfschiff" * 300,
        "日本語" * 500,
        "a\u0308\u0323" * 500,
    ]
    with serve(settings, replace(loaded, engine=engine)) as served:
        for text in texts:
            assert translate(served.client, "en-de", text)[0]["text"] == text
    assert 0 < engine.longest <= loaded.bundle.manifest.max_source_tokens


@pytest.mark.parametrize("quality", ["fast", "best"])
def test_no_words_found_is_told(settings: Settings, loaded: Loaded, quality: str) -> None:
    """Where the network writes nothing, the translation is empty with confidence 0, and numbers still pass."""
    with serve(settings, replace(loaded, engine=SilentEngine())) as served:
        assert translate(served.client, "en-de", ["Two men talk.", "1984"], quality=quality) == [
            {"text": "", "confidence": 0.0},
            {"text": "1984", "confidence": 1.0},
        ]


def test_headers(client: httpx.Client) -> None:
    """An answer carries its id, the caller's if that is sane, and where its time went."""
    response = client.post("/translate?dir=en-de", json={"text": "Hello."}, headers={"X-Request-Id": "abc-123"})
    assert response.headers["x-request-id"] == "abc-123"
    for stage in ("tokenise", "queue", "inference", "total"):
        assert f"{stage};dur=" in response.headers["server-timing"]
    forged = client.get("/healthz", headers={"X-Request-Id": "a b <script>"})
    assert len(forged.headers["x-request-id"]) == 32
