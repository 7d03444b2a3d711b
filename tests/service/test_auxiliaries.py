"""German verbs that have *sein* in the perfect get it where the network has written *haben*."""

from __future__ import annotations

import time

import pytest

from model.bundle import EN_DE
from service.pipeline.edits import apply
from service.pipeline.protection.restoration import restore
from service.pipeline.protection.stand_ins import protect
from service.pipeline.repairs.auxiliaries import check_auxiliaries

BOUND_S = 2.0
"""Of processor time."""


def checked(german: str) -> str:
    """The translation as it is to be."""
    return apply(german, sorted(check_auxiliaries(german), key=lambda edit: edit.span.start)).text


@pytest.mark.parametrize(
    ("german", "expected"),
    [
        ("Dann hätte er zu Hause geblieben.", "Dann wäre er zu Hause geblieben."),
        ("Er sagte, dass ich eingeschlafen habe.", "Er sagte, dass ich eingeschlafen bin."),
        ("Haben Sie früh aufgestanden?", "Sind Sie früh aufgestanden?"),
        ("Sie hat spät angekommen und hat gelacht.", "Sie ist spät angekommen und hat gelacht."),
        ("Wir haben vor Jahren hierhergekommen.", "Wir sind vor Jahren hierhergekommen."),
        ("Er muss lange geblieben haben.", "Er muss lange geblieben sein."),
        ("Wir gehen, wenn sie zurückgekehrt haben.", "Wir gehen, wenn sie zurückgekehrt sind."),
    ],
)
def test_sein(german: str, expected: str) -> None:
    """In the same person, tense and mood, wherever it stands in the clause; the infinitive after a modal verb."""
    assert checked(german) == expected


@pytest.mark.parametrize(
    ("german", "expected"),
    [
        ("Sie wurde heute gespeichert worden.", "Sie wurde heute gespeichert."),
        ("Wurden sie gewarnt worden?", "Wurden sie gewarnt?"),
        ("Sie wurde geplant und ist gebaut worden.", "Sie wurde geplant und ist gebaut worden."),
        ("Es wurde groß, gebaut worden ist es.", "Es wurde groß, gebaut worden ist es."),
        ("Es wurde gesagt, es sei gebaut worden.", "Es wurde gesagt, es sei gebaut worden."),
    ],
)
def test_worden(german: str, expected: str) -> None:
    """Not after *wurde*; but where another auxiliary has it."""
    assert checked(german) == expected


@pytest.mark.parametrize(
    "german",
    [
        "Er hat gesagt, dass sie angekommen ist.",
        "Er hat den Brief bekommen, begonnen und begangen.",
        "Sie hat gelacht und ist gegangen.",
        "Der Film hat mir gefallen, weil er Glück hat.",
        "Er hat einen angekommenen Zug.",
        "Ich habe ihn gesehen als er gekommen ist.",
    ],
)
def test_what_is_right_stays(german: str) -> None:
    """Verbs with *haben*, and where *haben* belongs to another verb."""
    assert checked(german) == german


def test_beside_what_is_put_back() -> None:
    """What was kept from the network comes back as well."""
    protected = protect("Peter Smith would have stayed.", [], [])
    assert restore(protected, "Peter Smith hätte geblieben.", [], EN_DE).text == "Peter Smith wäre geblieben."


@pytest.mark.parametrize("unit", ["hat ", "geblieben ", "geblieben haben ", "er kann hat ein ", "zu ", "wurde "])
def test_floods_take_no_time(unit: str) -> None:
    """Time is in proportion to the length."""
    started = time.process_time()
    checked(unit * (100_000 // len(unit)))
    assert time.process_time() - started < BOUND_S
