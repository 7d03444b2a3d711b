"""Text that attacks: whatever Unicode allows is answered in bounded time, and no stage loses a character of it."""

from __future__ import annotations

import json
import random
import re
import sys
import time
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from model.bundle.tokenizer import normalise
from service.pipeline.detokenisation import one_line
from service.pipeline.segmentation.sentences import cut, segment
from service.pipeline.tokenisation import tokenise
from tests.service.support import PATIENCE_S, CopyingEngine, serve
from tests.soak.texts import ALPHABET, UNITS, flood, random_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from service.app import Loaded
    from service.pipeline.pieces import Tokenised
    from service.settings import Settings
    from service.types import Segmented
    from tests.service.support import Served

CHARACTERS = 100_000
BOUND_S = 5.0
"""For both stages of a flood; a second or less on a quiet machine. Quadratic ones took 8 to 60."""

HARDEST = (
    "mail without end",
    "a word of combining marks",
    "closing quotes",
    "quotes of two kinds",
    "one word",
    "one-letter lines",
    "ligatures that are sentences",
)
"""Those that took longest before, and those that give most pieces; `make soak` sends them all."""

ANY = st.text(st.characters(exclude_categories=["Cs"]), max_size=300)
AWKWARD = st.text(st.sampled_from(ALPHABET), max_size=300)
RUNS = st.lists(st.tuples(st.sampled_from(ALPHABET), st.integers(1, 40)), max_size=30).map(
    lambda runs: "".join(character * count for character, count in runs)
)
TEXTS = ANY | AWKWARD | RUNS
EN_DE = "/translate?dir=en-de"


@pytest.fixture(scope="module")
def copying(settings: Settings, loaded: Loaded) -> Iterator[Served]:
    """A service whose network copies at no cost: what is tested is all else."""
    with serve(settings, replace(loaded, engine=CopyingEngine())) as served:
        yield served


def rebuilt(gaps: tuple[str, ...], parts: list[str]) -> str:
    """Gaps and what lies between them."""
    return "".join(chain.from_iterable(zip(gaps, (*parts, ""), strict=True)))


def stages(text: str, loaded: Loaded, language: str = "en") -> tuple[Segmented, Tokenised]:
    """A text through segmentation and tokenisation, as in the service."""
    segmented = segment(text, language)
    return segmented, tokenise(segmented, loaded.bundle.tokenizer, max_tokens=loaded.bundle.manifest.max_source_tokens)


@given(text=TEXTS, language=st.sampled_from(["en", "de"]), repeated=st.sampled_from([1, 1, 1, 40]))
def test_no_stage_loses_a_character(loaded: Loaded, text: str, language: str, repeated: int) -> None:
    """Gaps and sentences are the text, gaps and pieces too, and every piece fits the network; also in a long line."""
    text *= repeated
    segmented, tokenised = stages(text, loaded, language)
    assert rebuilt(segmented.gaps, list(segmented.sentences)) == text
    assert rebuilt(tokenised.gaps, [piece.text for piece in tokenised.pieces]) == text
    assert all(len(piece.ids) <= loaded.bundle.manifest.max_source_tokens for piece in tokenised.pieces)


@given(text=TEXTS)
def test_normalisation_settles_and_survives_the_tokenizer(loaded: Loaded, text: str) -> None:
    """Normalising twice is normalising once, and gives a form that NFC leaves alone; what is encoded comes back."""
    normal = normalise(text)
    assert normalise(normal) == normal
    assert unicodedata.is_normalized("NFC", normal)
    tokenizer = loaded.bundle.tokenizer
    assert tokenizer.decode(tokenizer.encode(text)).split() == normal.split()


@given(text=TEXTS.filter(lambda text: len(text.strip()) > 1))
@example("0\n>0")
def test_a_cut_loses_nothing(text: str) -> None:
    """Whatever is cut in two, the parts are the text, and each is so much shorter that cutting comes to an end."""
    sentence = text.strip()
    left, gap, right = cut(sentence)
    assert left + gap + right == sentence
    assert not gap.strip() or re.fullmatch(r"[ \t]*\r?\n(?:[ \t]*>)+[ \t]*", gap)  # between lines that are quoted
    assert 0 < len(left) < len(sentence)
    assert 0 < len(right) < len(sentence)


@given(data=st.data())
def test_any_tokens_become_one_clean_line(loaded: Loaded, data: st.DataObject) -> None:
    """Whatever a network writes, the text is one line without control characters, and can be sent as UTF-8."""
    ids = data.draw(st.lists(st.integers(0, loaded.bundle.tokenizer.vocabulary_size - 1), max_size=60))
    text = one_line(ids, loaded.bundle.tokenizer)
    assert len(text.splitlines()) <= 1
    assert not any(unicodedata.category(character) in ("Cc", "Cs") for character in text)
    assert text.encode() is not None


def test_a_long_line_has_the_sentences_of_its_parts() -> None:
    """A line of very many sentences is split where each by itself ends, wherever the window over it begins."""
    sentences = [f'He paid {number} Euro (z. B. on 3. May), and said: "Dr. Smith is in." ' for number in range(300)]
    assert list(segment("".join(sentences), "en").sentences) == [sentence.strip() for sentence in sentences]


@pytest.mark.parametrize("unit", HARDEST)
def test_floods_take_linear_time(loaded: Loaded, unit: str) -> None:
    """A text of the longest length that is nothing but one thing, again and again, is prepared in bounded time."""
    text = flood(UNITS[unit], CHARACTERS)
    started = time.process_time()
    segmented, tokenised = stages(text, loaded, "de")
    assert time.process_time() - started < BOUND_S
    assert rebuilt(segmented.gaps, list(segmented.sentences)) == text
    assert rebuilt(tokenised.gaps, [piece.text for piece in tokenised.pieces]) == text


def test_every_plane_is_answered(copying: Served) -> None:
    """Characters of all 17 planes, unassigned ones and noncharacters among them, come back as they are composed."""
    source = random.Random(17)
    planes = [range(plane * 0x10000, (plane + 1) * 0x10000) for plane in range((sys.maxunicode + 1) // 0x10000)]
    texts = []
    for plane in planes:
        characters = [chr(code) for code in source.sample(plane, 60)]
        texts.append("a " + "".join(c for c in characters if unicodedata.category(c) not in ("Cc", "Cs")))
    response = copying.client.post(EN_DE, json={"text": texts})
    assert response.status_code == 200
    for text, translated in zip(texts, response.json()["translations"], strict=True):
        assert translated["text"].split() == normalise(text).split()


def test_random_text_is_answered(copying: Served) -> None:
    """Runs and mixtures of everything awkward are translated, none of them is an error."""
    source = random.Random(5)
    for _ in range(20):
        text = random_text(source, 2000)
        response = copying.client.post(EN_DE, json={"text": [text, text[:50]]})
        assert response.status_code == 200, json.dumps(text)
        assert len(response.json()["translations"]) == 2


def test_the_longest_texts_over_http(copying: Served) -> None:
    """100,000 characters without a space are translated; as many spaces are nothing to translate; more are too much."""
    text = ("Donaudampfschiff" * CHARACTERS)[:CHARACTERS]
    whole = copying.client.post(EN_DE, json={"text": text})
    assert whole.status_code == 200
    assert whole.json()["translations"][0]["text"] == text
    assert copying.client.post(EN_DE, json={"text": " " * CHARACTERS}).status_code == 422
    assert copying.client.post(EN_DE, json={"text": " " * 1_000_000}).status_code == 413


def test_a_flood_holds_up_nobody_else(copying: Served) -> None:
    """While a text is worked on that takes long, others are answered: the work comes in small pieces."""
    body = {"text": flood(UNITS["closing quotes"], CHARACTERS)}
    waits = []
    with ThreadPoolExecutor(1) as pool:
        flooded = pool.submit(copying.client.post, EN_DE, json=body)
        while not flooded.done():
            started = time.perf_counter()
            assert copying.client.get("/healthz").status_code == 200
            waits.append(time.perf_counter() - started)
    assert flooded.result().status_code == 200
    assert max(waits) < PATIENCE_S / 5


@pytest.mark.parametrize(
    ("content", "status"),
    [
        (b'{"text": "' + bytes(range(0x80, 0x100)) + b'"}', 400),
        (b'\xff\xfe{\x00"\x00t\x00', 400),
        (b"\x1f\x8b\x08\x00" + b"\x00" * 50, 400),
        (b'{"text": "\xf0\x9f\x98"}', 400),
        (b'{"text": "\xc0\x80"}', 400),
        (b'{"text": "\xf4\x90\x80\x80"}', 400),
        (b'{"text": "\\ud83d"}', 400),
        (b'{"text": "\\ud83d\\ude00 a"}', 200),
        (b'{"text": "\\u0000"}', 422),
        (b'{"text": "\x00"}', 400),
    ],
    ids=[
        "Latin-1",
        "UTF-16",
        "gzip",
        "half a character",
        "long NUL",
        "too high",
        "half a pair",
        "pair",
        "NUL",
        "raw NUL",
    ],
)
def test_binary_as_text(copying: Served, content: bytes, status: int) -> None:
    """Bytes that are not text are refused and not guessed at; an escaped surrogate pair is a character."""
    response = copying.client.post(EN_DE, content=content, headers={"Content-Type": "application/json"})
    assert response.status_code == status


@hypothesis_settings(max_examples=60)
@given(texts=st.lists(TEXTS, min_size=1, max_size=4))
def test_any_text_over_http(copying: Served, texts: list[str]) -> None:
    """Every text is answered: translated, or refused for a control character or for having nothing but white space."""
    response = copying.client.post(EN_DE, json={"text": texts})
    assert response.status_code in (200, 422)
    if response.status_code == 200:
        assert len(response.json()["translations"]) == len(texts)
