"""Prices are read with words for what scales them, and without dashes for cents."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.pipeline.normalisation.prices import spell_out
from service.types import Span


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("$22–$26/hr, €9.50/user/mo, $5k/year", "$22–$26 per hour, €9.50 per user per month, $5,000 per year"),
        ("60 km/hr, $5/hrs and $x/hr", "60 km/hr, $5/hrs and $x/hr"),
        ("a $1.2bn deal, £3m and €45mn", "a $1.2 billion deal, £3 million and €45 million"),
        ("US$2.5M, $5tn, a $50k loan", "US$2.5 million, $5 trillion, a $50,000 loan"),
        ("X1 3.4bn and Q12 50k, EX1 3bn", "X1 3.4 billion and Q12 50,000, EX1 3bn"),
        ("$1.5k, €12.25K and $0.5k", "$1,500, €12,250 and $0.5k"),
        ("$1.2345k, $5m-plus, 50k, 5m, $5 months, $4K5", "$1.2345k, $5m-plus, 50k, 5m, $5 months, $4K5"),
    ],
)
def test_english(text: str, read: str) -> None:
    """What scales an amount of money, glued to it, is a word; without a sign, m may be metres."""
    assert spell_out(text, "en").text == read


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("5,- €, 15,–€, 1.500,-- Euro, EUR 8,-", "5 €, 15€, 1.500 Euro, EUR 8"),
        ("Fr. 20.- pro Person, CHF 1'200.–", "Fr. 20 pro Person, CHF 1.200"),
        ("1'250 Fr., 1’234’567.50 CHF, 6'2 und 1'2345", "1.250 Fr., 1.234.567,50 CHF, 6'2 und 1'2345"),
        ("15 Euro/Std., 20 EUR/Tag", "15 Euro pro Std., 20 EUR/Tag"),
        ("Der Kurs Euro/Dollar fällt.", "Der Kurs Euro/Dollar fällt."),
        ("3,4 Mrd. X1 und 2 Mio. X2, 5 Mrd. Xaver", "3,4 Milliarden X1 und 2 Millionen X2, 5 Mrd. Xaver"),
        ("850 €/Monat, 5 € / Kind, 8 €/h", "850 € pro Monat, 5 € / Kind, 8 €/h"),
        ("VB 1.299,-, 3,-5 €, Fr. 20.-A, 5,50 €, 1,- 2", "VB 1.299, 3,-5 €, Fr. 20.-A, 5,50 €, 1,- 2"),
    ],
)
def test_german(text: str, read: str) -> None:
    """There are no dashes for cents beside a currency, a slash before a word is one, and Swiss numbers are German."""
    assert spell_out(text, "de").text == read


@given(st.text(st.sampled_from("0123.,-–—$€kmbnCHFr EUR")), st.sampled_from(["de", "en"]))
def test_whatever_the_text(text: str, language: str) -> None:
    """Places are found again."""
    edited = spell_out(text, language)
    whole = edited.back(Span(0, len(edited.text)))
    assert whole.start == 0
    assert not text[whole.end :].strip(",.-–—")  # dashes at the end have no place


@pytest.mark.parametrize("unit", ["$1", "CHF 1", "1,-", "CHF 1.-", "$ 1m ", "Fr. 1'"])
@pytest.mark.parametrize("language", ["de", "en"])
def test_repetitions_take_linear_time(unit: str, language: str) -> None:
    """Nothing is tried in many ways; else this would not come to an end."""
    spell_out(unit * 20_000, language)
