"""English streets with the number of a house: they stay."""

from __future__ import annotations

import time

import pytest

from model.bundle import DE_EN, EN_DE
from service.pipeline.finders.addresses import find_addresses

BOUND_S = 2.0
"""Of processor time, for 100,000 characters."""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("118 Queen's Road", ["118 Queen's Road"]),
        ("Flat 4, 22 Baker’s Row or 12-14 St. John's Rd.", ["22 Baker’s Row", "12-14 St. John's Rd."]),
        ("from 221B Baker Street to 14 High St, Ely", ["221B Baker Street", "14 High St"]),
        ("In 2012 Wall Street fell, on 3 May Bond Street was closed.", []),
        ("We met 3 times on the road to Church Street, 5 miles down Mill Lane.", []),
    ],
)
def test_addresses(text: str, found: list[str]) -> None:
    """The network made a "Königin Straßen" of one."""
    assert [written for _, written in find_addresses(text, EN_DE)] == found
    assert not list(find_addresses(text, DE_EN))


@pytest.mark.parametrize("unit", ["1 High ", "1 High Street ", "12"])
def test_floods_take_no_time(unit: str) -> None:
    """Time is in proportion to the length."""
    started = time.process_time()
    list(find_addresses(unit * (100_000 // len(unit)), EN_DE))
    assert time.process_time() - started < BOUND_S
