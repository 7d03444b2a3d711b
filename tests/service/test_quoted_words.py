"""Single words in quotation marks or brackets are whole words in the translation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from model.bundle import DE_EN, EN_DE, Dictionary
from service.pipeline.edits import apply
from service.pipeline.repairs.quoted_words import find_quoted_words

if TYPE_CHECKING:
    import httpx

ENGLISH = Dictionary("art\tKunst\ndone\tfertig\nhouse\tHaus\nhouses\tHäuser\nlove\tLiebe\nsave\tspeichern\n".encode())
GERMAN = Dictionary("Haus\thouse\nHäuser\thouses\nLiebe\tlove\nSpeicher\tmemory\nfertig\tdone\n".encode())
DICTIONARIES = {EN_DE: ENGLISH, DE_EN: GERMAN}


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ('It is "Done" now.', 'Es ist jetzt "Te".', 'Es ist jetzt "Fertig".'),
        ("The “house” is red.", "Das „“ ist rot.", "Das „Haus“ ist rot."),
        ("The “house” is red.", "Das „aus“ ist rot.", "Das „Haus“ ist rot."),
        ("It is [done].", "Es ist [].", "Es ist [fertig]."),
        ('"Love" and "houses".', '"Lie\' und "Hhäus".', '"Liebe\' und "Häuser".'),
        # a word of some length may be right, and so is one that the dictionary has
        ('Click "Save".', 'Klicken Sie auf "Speicher".', ""),
        ('It is "done".', 'Es ist "fertig".', ""),
        ('He called it "art".', 'Er nannte es "Art".', ""),
        # which marks are whose is not known
        ('The "house" and "big house".', 'Das "H" und "große Haus".', ""),
        ('The "house".', "Das H.", ""),
    ],
)
def test_pieces(source: str, target: str, expected: str) -> None:
    """What is no word, or has few letters for a longer one, becomes what the dictionary has."""
    assert apply(target, find_quoted_words(source, target, DICTIONARIES, EN_DE)).text == (expected or target)


def test_without_dictionaries() -> None:
    """Then there is nothing to tell by."""
    assert [*find_quoted_words('The "house".', 'Das "H".', {EN_DE: ENGLISH}, EN_DE)] == []
    assert [*find_quoted_words('Das "Haus".', 'The "H".', DICTIONARIES, DE_EN)] != []


def test_through_the_service(client: httpx.Client) -> None:
    """With the bundle's own dictionary, nothing that stands in quotation marks is lost."""
    texts = ['The status is "Done" now.', "The word “house” is in the text.", "The status is [shipped]."]
    answer = client.post("/translate", params={"dir": "en-de"}, json={"text": texts})
    for one in answer.json()["translations"]:
        (inside,) = [word for word in one["text"].replace("[", '"').replace("„", '"').split('"') if word][1:2]
        assert len(inside.strip("“]. ")) > 3
