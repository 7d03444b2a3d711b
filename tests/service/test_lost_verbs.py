"""A translation without its verb: a candidate that has it is taken."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from model.bundle import DE_EN, EN_DE, Dictionary, Direction
from service.pipeline.repairs.lost_verbs import has_lost_verb
from tests.service.support import translate

if TYPE_CHECKING:
    import httpx

WORDS = Dictionary(b"cheap\tbillig\nlook\taussehen\tBlick\nordering\tBestellung\nvan\tLieferwagen\n")
BOUND_S = 2.0
"""Of processor time."""


@pytest.mark.parametrize(
    ("source", "german", "is_lost"),
    [
        ("We studied in Prague all morning.", "Wir haben den ganzen Morgen in Prag.", True),
        ("We studied in Prague all morning.", "Wir haben den ganzen Morgen in Prag studiert.", False),
        ("He chose it, and they fled.", "Er hat es, und sie sind geflohen.", True),
        ("I think that he chose a car.", "Ich denke, dass er ein Auto hat.", True),
        ("I think that he chose it.", "Ich denke, dass er es gewählt hat.", False),
        ("She would choose it.", "Sie hat es wählen wollen.", False),
        ("She arrived at 4:15.", "Sie hat es um 4:15 erreicht.", False),
        ("He has a car.", "Er hat ein Auto.", False),  # it is the verb
        ("The man with a car laughs.", "Der Mann hat ein Auto.", False),
        ("She is afraid of dogs.", "Sie hat Angst vor Hunden.", False),
        ("They like to cook.", "Sie haben Kochen gern.", False),
        ("You know what they have.", "Du weißt, was sie haben.", False),
        ("He is in Prague.", "Er ist in Prag.", False),
        ("We prepared the house and the car.", "Wir haben das Haus und das Auto vorbereitet.", False),
        ("I would like to return it.", "Ich möchte die Schuhe, die ich gekauft habe.", True),
        ("I would like to return it.", "Ich möchte sie zurückgeben.", False),
        ("They could be cheap.", "Sie könnten billig sein.", False),
        ("I would like the soup.", "Ich möchte die Suppe.", False),
        ("He wants me to laugh.", "Er will, dass ich lache.", False),
    ],
)
def test_german(source: str, german: str, *, is_lost: bool) -> None:
    """*Haben* or a modal verb by itself, where there is another; not if that is *have*, nor in what is said with it."""
    assert has_lost_verb(source, german, EN_DE, None) is is_lost


@pytest.mark.parametrize(
    ("english", "is_lost"),
    [
        ("Does the van cheap?", True),
        ("Does the van look cheap?", False),
        ("Why does the van cheap?", True),
        ("Could the van to look cheap?", True),
        ("Could the van look to Prague?", False),
        ("When do you order?", False),
        ("Does she do it?", False),
        ("It is cheap, isn't it, or would he?", False),
        ("Who could disappear?", False),
        ("Does the van cheap.", False),
    ],
)
def test_english(english: str, *, is_lost: bool) -> None:
    """Questions in which no word after the subject may be a verb; of who and of tags nothing is said."""
    assert has_lost_verb("", english, DE_EN, WORDS) is is_lost
    assert not has_lost_verb("", english, DE_EN, None)


def test_to() -> None:
    """Who wants to has lost a verb before an article."""
    assert has_lost_verb("", "I want to the shoes I bought.", DE_EN, None)
    assert not has_lost_verb("", "I want to go to the shops, and you have to the end.", DE_EN, None)


@pytest.mark.parametrize(
    ("direction", "sentence", "verb"),
    [
        ("en-de", "I sold my cup.", "verkauft"),
        ("de-en", "Reist meine Mutter nach England?", "travel"),
    ],
)
def test_through_the_service(client: httpx.Client, direction: str, sentence: str, verb: str) -> None:
    """The likeliest candidate has lost the verb, and another one is taken."""
    (translation,) = translate(client, direction, sentence, quality="good")
    assert verb in translation["text"]


@pytest.mark.parametrize(
    ("direction", "text"), [(EN_DE, "wir haben in "), (DE_EN, "does the van, "), (DE_EN, "What does ")]
)
def test_floods_take_no_time(direction: Direction, text: str) -> None:
    """Time is in proportion to the length."""
    started = time.process_time()
    has_lost_verb("He laughed.", f"{text * (100_000 // len(text))}?", direction, WORDS)
    assert time.process_time() - started < BOUND_S
