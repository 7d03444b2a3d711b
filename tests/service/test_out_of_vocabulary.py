"""Characters that the vocabulary lacks survive a translation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.bundle import DIRECTIONS
from service.pipeline.finders.out_of_vocabulary import find_out_of_vocabulary

if TYPE_CHECKING:
    import httpx

    from model.bundle import Direction
    from service.app import Loaded

SIGNS = ("€", "™", "•", "°", "²", "½", "→", "😀", "👨\u200d👩\u200d👧", "❤\ufe0f", "é", "漢字")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is 30 °C, for €15.", ["°C", "€"]),
        ("5° Celsius, 90° C, 70 °F and 3 °Ca", ["°", "° C", "°F", "°"]),
        ("A 👨\u200d👩\u200d👧 and a ❤\ufe0f.", ["👨\u200d👩\u200d👧", "❤", "\ufe0f"]),
        ("André lives in São Paulo.", ["André", "São"]),
        ("10m² of CO₂ in Łódź", ["10m²", "CO₂", "Łódź"]),
        ("Die Ergebnisse¹ der company²³.", ["¹", "²³"]),
        ("GOsa² and m²", ["GOsa²", "m²"]),
        ("DIE GRÖẞE", []),
        ("1\ufe0f\u20e3 first", ["1\ufe0f\u20e3"]),
        ("Straße „hier“ – dort…", []),
        ("zero\u200bwidth, \u202eturned\u202c", []),
        ("a = b | c < d # e", []),
    ],
)
def test_what_is_found(loaded: Loaded, text: str, expected: list[str]) -> None:
    """Signs alone, with their joiners, the C of °C; letters with their word; nothing of the vocabulary, nor ASCII."""
    found = [text[span.start : span.end] for span in find_out_of_vocabulary(text, loaded.bundle.tokenizer)]
    assert found == expected


@given(text=st.text(max_size=40))
def test_spans_are_in_order(loaded: Loaded, text: str) -> None:
    """Whatever the text, spans do not overlap, and each has a character that the vocabulary lacks."""
    encodable = text.encode(errors="replace").decode()
    tokenizer, end = loaded.bundle.tokenizer, 0
    for span in find_out_of_vocabulary(encodable, tokenizer):
        assert end <= span.start < span.end <= len(encodable)
        assert tokenizer.spelled(encodable) & set(encodable[span.start : span.end])
        end = span.end


def test_terms_are_translated_all_the_same(client: httpx.Client) -> None:
    """A term of a glossary with such a letter is not kept, but becomes what the glossary says."""
    given = {"text": ["The café is open, André."], "glossary": [{"source": "café", "target": "Kaffeehaus"}]}
    (translation,) = client.post("/translate?dir=en-de", json=given).json()["translations"]
    assert "Kaffeehaus" in translation["text"]
    assert "café" not in translation["text"]
    assert "André" in translation["text"]


@pytest.mark.parametrize("direction", DIRECTIONS, ids=str)
@pytest.mark.parametrize("sign", SIGNS, ids=ascii)
def test_signs_come_through(client: httpx.Client, direction: Direction, sign: str) -> None:
    """In any place of a sentence, each comes back once, and no broken character comes with it."""
    words = {"en": ("Two dogs", "play in the snow."), "de": ("Zwei Hunde", "spielen im Schnee.")}[direction.source]
    texts = [f"{words[0]} {sign} {words[1]}", f"{sign} {' '.join(words)}", f"{' '.join(words)[:-1]} {sign}."]
    answer = client.post("/translate", params={"dir": str(direction)}, json={"text": texts}).json()
    for translation in answer["translations"]:
        assert translation["text"].count(sign) == 1
        assert "\ufffd" not in translation["text"]
        assert translation["text"] not in texts
