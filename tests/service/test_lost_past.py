"""A translation that speaks of now, of what is over: a candidate that has the tense comes before it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from service.pipeline.repairs.lost_past import loses_past
from tests.service.support import translate

if TYPE_CHECKING:
    import httpx

BOUND_S = 2.0
"""Of processor time."""


@pytest.mark.parametrize(
    ("english", "german", "is_lost"),
    [
        ("Nobody lived near Prague.", "Niemand lebt in der Nähe von Prag.", True),
        ("Nobody lived near Prague.", "Niemand lebte in der Nähe von Prag.", False),
        ("Nobody lived near Prague.", "Niemand hat in der Nähe von Prag gelebt.", False),
        ("The van stopped.", "Der Lieferwagen hält.", True),
        ("The van stopped.", "Der Lieferwagen hielt an.", False),
        ("He fell into the water.", "Er ist ins Wasser.", True),
        ("Were they afraid?", "Haben sie Angst?", True),
        ("Were they afraid?", "Waren sie bange?", False),
        ("They used to have a dog.", "Sie haben früher einen Hund.", True),
        ("They used to have a dog.", "Sie hatten früher einen Hund.", False),
        # present, or no past that is meant
        ("She is used to it, and they are used to rain.", "Sie kennen Regen.", False),
        ("The closed door is red.", "Die Tür ist rot.", False),
        ("He is satisfied with it.", "Er ist damit froh.", False),
        ("There are any seats left.", "Es gibt noch Plätze.", False),
        ("If I lived here, I'd laugh.", "Falls ich hier lebe, lache ich.", False),
        ("It's time you went.", "Es ist Zeit, geh.", False),
        ("We need it.", "Wir brauchen das.", False),
    ],
)
def test_tense(english: str, german: str, *, is_lost: bool) -> None:
    """A verb that is in no other tense, and no word that may be one in German, or a participle."""
    assert loses_past(english, german) is is_lost


@pytest.mark.parametrize(("sentence", "verbs"), [("The soldier fell into the water.", ("fiel", "gefallen"))])
def test_through_the_service(client: httpx.Client, sentence: str, verbs: tuple[str, ...]) -> None:
    """The verb is there, and in the past."""
    (translation,) = translate(client, "en-de", sentence, quality="good")
    assert any(verb in translation["text"] for verb in verbs)


@pytest.mark.parametrize("text", ["he closed ", "was ", "er lacht ", "x" * 9 + " "])
def test_floods_take_no_time(text: str) -> None:
    """Time is in proportion to the length."""
    started = time.process_time()
    flood = text * (100_000 // len(text))
    loses_past(flood, flood)
    loses_past("He closed it.", flood)
    assert time.process_time() - started < BOUND_S
