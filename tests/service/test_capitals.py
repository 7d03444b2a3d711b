"""Names that have a capital within come out as they went in."""

from __future__ import annotations

import time

import pytest

from service.pipeline.edits import apply
from service.pipeline.repairs.capitals import find_names

BOUND_S = 2.0
"""Of processor time, for 100,000 characters; a tenth of a second is needed."""


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("Per Karte oder PayPal.", "By card, or payPal.", "By card, or PayPal."),
        ("iPhone oder YouTube?", "IPhone or Youtube?", "iPhone or YouTube?"),
        ("PayPal ist da.", "PayPal is here.", "PayPal is here."),
        ("PayPals Chef", "The head of Paypal", "The head of Paypal"),
        ("paypal", "PayPal", "PayPal"),
        ("Siehe PayPal.de", "See paypal.de", "See paypal.de"),
        ("Paypal", "payPal", "payPal"),
    ],
)
def test_names_with_a_capital_within(source: str, target: str, expected: str) -> None:
    """Words alone, as they are in the sentence: none of another form, and no part of an address."""
    assert apply(target, [*find_names(source, target)]).text == expected


@pytest.mark.parametrize("unit", ["aB", "aB ", "a", "Aa "])
def test_floods_take_no_time(unit: str) -> None:
    """Whatever may begin a name is searched in time that is bounded."""
    text = (unit * 100_000)[:100_000]
    started = time.process_time()
    list(find_names(text, text))
    assert time.process_time() - started < BOUND_S
