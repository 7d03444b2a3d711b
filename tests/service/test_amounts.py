"""Amounts: numbers that stand alone are localised where that is sure, currency signs neither lost nor doubled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from model.bundle import DE_EN, EN_DE
from service.pipeline.edits import apply
from service.pipeline.finders.dollars import find_prices, only_currency
from service.pipeline.numbers.amounts import is_amount, is_name, is_price, sign_of
from service.pipeline.numbers.checking import check_numbers
from service.pipeline.protection.rereading import in_dollars
from service.pipeline.protection.restoration import restore
from service.pipeline.protection.stand_ins import protect
from service.types import Span

if TYPE_CHECKING:
    import httpx

    from model.bundle import Direction

BOTH_WAYS = [
    ("1,250.50", "1.250,50"),
    ("<td>1,250.50</td>", "<td>1.250,50</td>"),
    ("1,000", "1.000"),
    ("-1,234,567", "-1.234.567"),
    ("€5.99", "5,99 €"),
    ("3.5%", "3,5%"),
    ("€150", "150 €"),
    ("€5–10", "5–10 €"),
    ("0.5 ‰", "0,5 ‰"),
    ("21.5 °", "21,5 °"),
    ("3.3 V", "3,3 V"),
    ("0.5 A", "0,5 A"),
    ("12.75 m²", "12,75 m²"),
    ("1.2 m³", "1,2 m³"),
    ("1,000-2,000", "1.000-2.000"),
    ("500-1,000", "500-1.000"),
    ("{0}: 1,000", "{0}: 1.000"),
    ("(1,250)", "(1.250)"),
    ("(3.5%)", "(3,5%)"),
    ("[€2.5]", "[2,5 €]"),
    ("1,250.50.", "1.250,50."),
    (
        "1,000 2,000 3,000 4,000 5,000 6,000 7,000 8,000 9,000 1,000",
        " ".join(f"{one}.000" for one in [*range(1, 10), 1]),
    ),
]

STAYS = [
    "3.5", "1.2.3", "127.0.0.1", "12/03/2024", "12.03.2024", "2024-03-12", "10:30", "18.30", "1,2,3", "#1,234",
    "#1.234", "12.345.678-9", "12,345,678-9", "0.125", "10.2024", "https://example.org/1,000/2.000", "2024",
    "3.101.", "3.101. 3.102.", "§ 3.101", "§§ 3.101", "[1,2]", "(3,4)", "[0,1] (0,0)",
]  # fmt: skip


@pytest.mark.parametrize(("english", "german"), BOTH_WAYS)
def test_numbers_without_words(client: httpx.Client, english: str, german: str) -> None:
    """What has no words is not for the network, but its numbers are written as the other language does."""
    for direction, text, expected in (("en-de", english, german), ("de-en", german, english)):
        (answer,) = client.post("/translate", params={"dir": direction}, json={"text": [text]}).json()["translations"]
        assert answer["text"] == expected


def test_percent_without_words(client: httpx.Client) -> None:
    """English has no space before the sign, German has it or not."""
    answer = client.post("/translate?dir=de-en", json={"text": ["5 %", "3,5 %", "+ 12 %"]}).json()
    assert [one["text"] for one in answer["translations"]] == ["5%", "3.5%", "+ 12%"]


@pytest.mark.parametrize("text", STAYS)
@pytest.mark.parametrize("direction", ["en-de", "de-en"])
def test_what_may_be_no_amount_stays(client: httpx.Client, direction: str, text: str) -> None:
    """Versions, addresses, dates, times, lists and numbers of things are no amounts in either language."""
    (answer,) = client.post("/translate", params={"dir": direction}, json={"text": [text]}).json()["translations"]
    assert answer["text"] == text


@pytest.mark.parametrize(
    ("before", "number", "after", "expected"),
    [
        ("$", "5", "", True),
        ("¤  ", "5.99", "", True),
        ("", "5", " €", True),
        ("-", "5", "%", True),
        ("", "2.5", "-inch disk", True),
        ("about ", "1.5", " GB", True),
        ("EUR ", "5.99", "", True),
        ("Version ", "3.5", " is", False),
        ("Python ", "3.11", " made", False),
        ("In ", "3.5", " A dialog", False),
        ("of ", "2.5", " Nm", True),
        ("of ", "5.6", " mmol/l", True),
        ("in 2020 ", "3.5", " $6", False),
        ("$3.50 $", "2.50", "", True),
        ("20 $ ", "3.5", "", False),
        ("seit ", "14", " Jahren", True),
        ("", "3", " Stunden.", True),
        ("", "2.5", " Jahre", True),
        ("", "2", " people", True),
        ("", "2.5", " Euro", True),
        ("", "2.5", " US-Dollar", True),
        ("", "2.5", " Dollarkurs", False),
        ("for ", "10", " days", True),
        ("DM ", "5.000", "", True),
        ("Python ", "3.5", " people", False),
        ("am ", "14", ". Mai", False),
        ("on ", "28", " Main Street", False),
        ("version ", "1.8", "g", False),
        ("in ", "1.8", "g-5woody1", False),
        ("in ", "0.2", "l-7.6", False),
        ("in ", "5.21", "l-1sarge1", False),
        ("Release ", "2.5", " km", False),
        ("an ", "802.11", "g network", False),
        ("", "1.8", "g of it", True),
        ("after ", "9.58", " s", True),
        ("in ", "0.5", " ms", True),
        ("an iPhone ", "5.5", "s", False),
        ("(p > ", "0.05", ")", True),
        ("K_d = ", "3.2", " ± 0.4", True),
        ("(SE = ", "1.1", ")", True),
        ("HTTP = ", "1.1", "", False),
        ("3.2 ± ", "0.4", "", True),
        ("Python >= ", "3.8", "", False),
    ],
)
def test_what_an_amount_is(before: str, number: str, after: str, *, expected: bool) -> None:
    """A sign or a unit of its own beside it makes an amount of a number."""
    span = Span(len(before), len(before) + len(number))
    assert is_amount(before + number + after, span) is expected


@pytest.mark.parametrize(
    ("before", "number", "after", "expected"),
    [
        ("SN ", "22.137", ")", True),
        ("AN ", "4.127", " von den Wundern", True),
        ("BASF ", "3.500", " Mitarbeiter", False),
        ("IIS ", "6,0", "", False),
        ("Abschnitt ", "3.101", " Grundlagen", True),
        ("Nr. ", "22.137", "", True),
        ("§ ", "3.101", "", True),
        (" ", "3.101", ". Grundlagen", True),
        ("Es sind ", "3.101", ". Das", False),
        ("von (", "3,1", ") bis", True),
        ("[", "1,2", "]", True),
        ("[", "3.101", "]", True),
        ("Yards (", "3.437", ") und", False),
        ("Yards (", "3,437", ") und", False),
        ("(", "3,1", " oder", False),
        ("2x", "1,1", "x1", True),
        ("", "3,5", "x4,5 cm", False),
        ("3,5x", "4,5", "x2 cm", False),
        ("ttyS", "0,9600", "n8", True),
        ("Ø", "3,5", "", False),
        ("um ", "0,6", "", False),
        ("etwa ", "3.101", " davon", False),
    ],
)
def test_what_a_name_is(before: str, number: str, after: str, *, expected: bool) -> None:
    """An index, coordinates, a part of a word, and what follows capitals or "Section" with a point."""
    span = Span(len(before), len(before) + len(number))
    assert is_name(before + number + after, span) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("230.000 €", True), ("230.000 EUR", True), ("230.000 euros", True), ("230.000 km", False), ("230.000", False)],
)
def test_what_a_price_is(text: str, *, expected: bool) -> None:
    """A sign, a code or a name of a currency makes one; other units do not."""
    assert is_price(text, Span(0, 7)) is expected


def test_what_is_seen_of_what_is_kept() -> None:
    """A sign that is kept from the network makes an amount, or a name, all the same; nothing else that is kept does."""
    signs = {"€": "¤", "£": "¤", "°": "°", "°C": "°", "§": "§", "§§": "§", "™": "", "€5": "", "": ""}
    assert {kept: sign_of(kept) for kept in signs} == signs


@pytest.mark.parametrize(
    ("source", "target", "direction", "expected", "sound"),
    [
        # lost
        ("Price: $1,250.50", "Preis: 1.250,50", EN_DE, "Preis: 1.250,50 $", True),
        ("They lost $5 million.", "Sie verloren 5 Millionen.", EN_DE, "Sie verloren 5 Millionen $.", True),
        ("$20 and $5", "20 und 5 $", EN_DE, "20 und 5 $", True),
        ("$20 or, later, $5", "20 oder später 5 $", EN_DE, "20 $ oder später 5 $", True),
        ("Preis: 20 $", "Price: 20", DE_EN, "Price: $20", True),
        ("Preis: 1.250,50 $", "Price: 1.250,50", DE_EN, "Price: $1,250.50", True),
        ("zwischen 5 $ und 10 $", "between $5 and 10", DE_EN, "between $5 and 10", True),
        ("zwischen 5 und 10 €", "between 5 and 10 €", DE_EN, "between €5 and €10", True),
        ("5 und 10 €", "5 and 10 €", DE_EN, "5 and €10", True),
        ("A £100 bill", "Ein 100er", EN_DE, "Ein 100er", False),
        ("$5 for 5 dogs", "5 für 5 Hunde", EN_DE, "5 für 5 Hunde", False),
        ("$5 for 5 people", "5 für 5 Leute", EN_DE, "5 $ für 5 Leute", True),
        ("eine Summe von 700 000 $", "a sum of 700 000", DE_EN, "a sum of $700 000", True),
        ("a sum of $700 000", "eine Summe von 700 000", EN_DE, "eine Summe von 700 000 $", True),
        ("a sum of $700,000", "eine Summe von 700 000", EN_DE, "eine Summe von 700 000 $", True),
        ("$1 250 000.50 for 3", "1 250 000,50 für 3", EN_DE, "1 250 000,50 $ für 3", True),
        ("1\u00a0000 $", "1\u00a0000", DE_EN, "$1\u00a0000", True),
        ("in 2020 $300", "2020 300", EN_DE, "2020 300 $", True),
        ("$5 at 5 pm", "5 um 17 Uhr", EN_DE, "5 $ um 17 Uhr", True),
        ("$5 for 5 km", "5 für 5 km", EN_DE, "5 $ für 5 km", True),
        ("It costs $5.", "Es kostet viel.", EN_DE, "Es kostet viel.", False),
        ("half a dollar and $5", "ein halber Dollar und 5", EN_DE, "ein halber Dollar und 5", False),
        ("It costs $500.", "Es kostet 500 Pfund.", EN_DE, "Es kostet 500 Pfund.", False),
        ("It costs $500.", "Es kostet 500 Kronen.", EN_DE, "Es kostet 500 Kronen.", False),
        ("It costs $500 now.", "Es kostet nun 500 Mal.", EN_DE, "Es kostet nun 500 $ Mal.", True),
        (
            "Pay $500, minus $25.",
            "Zahlen Sie 500 Dollar, minus 25 heute.",
            EN_DE,
            "Zahlen Sie 500 Dollar, minus 25 $ heute.",
            True,
        ),
        ("$100 when you spend $500", "100, wenn Sie 500 Dollar", EN_DE, "100 $, wenn Sie 500 Dollar", True),
        ("between $5 and $10", "zwischen 5 und 10 Dollar", EN_DE, "zwischen 5 und 10 Dollar", True),
        ("C$5 now, then $6", "jetzt 5 kanadische Dollar, dann 6 $", EN_DE, "jetzt 5 kanadische Dollar, dann 6 $", True),
        # doubled
        ("A ticket is $5.", "Ein Ticket ist $5 $.", EN_DE, "Ein Ticket ist 5 $.", True),
        ("3 x 49,90 $", "$3 x $49.90", DE_EN, "3 x $49.90", True),
        ("5, 10 und 20 $", "$5, $10 and $20", DE_EN, "$5, $10 and $20", True),
        ("zwischen 5 und 10 $", "between $5 and $10", DE_EN, "between $5 and $10", True),
        ("5 Dollar und 3 $", "$5 and $3", DE_EN, "$5 and $3", True),
        ("Total: $3.20", "Summe: $3.20 $", EN_DE, "Summe: 3,20 $", True),
        ("US$5", "US$5 $", EN_DE, "US$5", True),
        ("Es kostet 5 $.", "It costs $5 $.", DE_EN, "It costs $5.", True),
        ("5 Millionen $", "$5 million $", DE_EN, "$5 million", True),
        ("between $20 and $30", "zwischen 20 und $30 $", EN_DE, "zwischen 20 $ und 30 $", True),
        ("zwischen 5 $ und 10 $", "between $5 $ and 10", DE_EN, "between $5 and $10", True),
        ("Feb: $13,150", "Feb: $13.150 Dollar", EN_DE, "Feb: 13.150 Dollar", True),
        ("pudding – £6.50", "Pudding – £6,50 Pfund", EN_DE, "Pudding – 6,50 Pfund", True),
        (
            "a price of $1.2 million",
            "ein Preis von $1,2 Millionen Dollar",
            EN_DE,
            "ein Preis von 1,2 Millionen Dollar",
            True,
        ),
        ("It costs $89 dollars.", "Es kostet $89 Dollar.", EN_DE, "Es kostet $89 Dollar.", True),
        # in a range
        ("Tickets: $10–15", "Tickets: 10–15", EN_DE, "Tickets: 10–15 $", True),
        ("Tickets: $10-$15", "Tickets: 10-15", EN_DE, "Tickets: 10-15 $", True),
        ("Gehalt: 3.000–4.000 $", "Salary: 3,000–4,000", DE_EN, "Salary: $3,000–4,000", True),
        ("von 5 bis 10 $", "from 5 to 10", DE_EN, "from $5 to 10", True),
        ("Preis: 5,50/6,50 $", "Price: 5.50/6.50", DE_EN, "Price: $5.50/6.50", True),
        ("It costs $20-$25.", "Es kostet $20-25 $.", EN_DE, "Es kostet 20-25 $.", True),
        ("Es kostet 20-25 $.", "It costs $20-25 $.", DE_EN, "It costs $20-25.", True),
        ("$5 to 10 km", "5 bis 10 km", EN_DE, "5 $ bis 10 km", True),
        # beside another amount
        ("It costs $5.00 or ¤ 4.00.", "Es kostet 5,00 oder ¤ 4,00 $.", EN_DE, "Es kostet 5,00 $ oder ¤ 4,00.", True),
        ("It costs $5 or ¤ 4.", "Es kostet 5 $ oder ¤ 4 $.", EN_DE, "Es kostet 5 $ oder ¤ 4.", True),
        ("It costs $5 or ¥4.", "Es kostet 5 oder 4 $.", EN_DE, "Es kostet 5 $ oder 4 ¥.", True),
        ("for $2/hr", "für $2 pro Stunde", EN_DE, "für 2 $ pro Stunde", True),
        ("It costs $5 or ¥4.", "Es kostet ¥4 oder $5.", EN_DE, "Es kostet 4 ¥ oder $5.", True),
        # neither
        ("It costs $5.99.", "Es kostet $5,99.", EN_DE, "Es kostet 5,99 $.", True),
        ("It costs -$50.", "Es kostet -$50.", EN_DE, "Es kostet -50 $.", True),
        ("US$30 or a $5-10 fee", "US$30 oder eine $5-Gebühr", EN_DE, "US$30 oder eine $5-Gebühr", False),
        ("$50-$100 a day", "$ 50-100 pro Tag", EN_DE, "50-100 $ pro Tag", True),
        ("$50–$100 a day", "$50–$100 pro Tag", EN_DE, "50–100 $ pro Tag", True),
        ("$50–$100 a day", "$50–100 Dollar pro Tag", EN_DE, "50–100 Dollar pro Tag", True),
        ("a deposit of $50–$75", "Kaution von 50 $–$75", EN_DE, "Kaution von 50 $–75 $", True),
        ("It costs $5.", "Es kostet 5 Dollar.", EN_DE, "Es kostet 5 Dollar.", True),
        ("It costs $5.", "Es kostet fünf Dollar.", EN_DE, "Es kostet fünf Dollar.", True),
        ("from $325 million to $340 million", "325 auf 340 Mio. US-Dollar", EN_DE, "325 auf 340 Mio. US-Dollar", True),
        ("a $5-10 fee", "5-10 $ Gebühr", EN_DE, "5-10 $ Gebühr", True),
        ("It costs £20.", "Es kostet 20 Pfund.", EN_DE, "Es kostet 20 Pfund.", True),
        ("It costs 50¢.", "Es kostet 50 Cent.", EN_DE, "Es kostet 50 Cent.", True),
        ("It costs ₩500.", "Es kostet 500 Won.", EN_DE, "Es kostet 500 Won.", True),
        ("It costs ₽500.", "Es kostet 500 Rubel.", EN_DE, "Es kostet 500 Rubel.", True),
        ("It costs ¥500.", "Es kostet 500 Renminbi.", EN_DE, "Es kostet 500 Renminbi.", True),
        ("It costs ₤800.", "Es kostet 800 Pfund.", EN_DE, "Es kostet 800 Pfund.", True),
        ("It costs $500 pesos.", "Es kostet 500 Peso.", EN_DE, "Es kostet 500 Peso.", True),
        ("It costs $89 dollars.", "Es kostet 89 Dollar.", EN_DE, "Es kostet 89 Dollar.", True),
        ("Es kostet 500 ₽.", "It costs 500 roubles.", DE_EN, "It costs 500 roubles.", True),
        ("I have 5 dollars.", "Ich habe 5 $.", EN_DE, "Ich habe 5 $.", True),
        ("Ich habe 5 Dollar.", "I have $5.", DE_EN, "I have $5.", True),
        ("¤  5.99 now", "jetzt 5,99", EN_DE, "jetzt 5,99", True),
    ],
)
def test_currency_signs(source: str, target: str, direction: Direction, expected: str, *, sound: bool) -> None:
    """A lost sign comes back as the language writes it, a second one goes; where it is not clear, it is told of."""
    repair = check_numbers(source, target, [], direction)
    assert (apply(target, repair.edits).text, repair.sound) == (expected, sound)


@pytest.mark.parametrize(
    ("form", "source", "target"),
    [
        ("html", "<td>€1,500</td><td>1,250.50</td><td>1.2.3</td>", "<td>1.500 €</td><td>1.250,50</td><td>1.2.3</td>"),
        ("markdown", "| 1 | 2 |\n|---|---|\n| 8,080 | 3.5 |\n", "| 1 | 2 |\n|---|---|\n| 8.080 | 3.5 |\n"),
        ("json", '{"price": "€1,299.50", "version": "3.5"}', '{"price": "1.299,50 €", "version": "3.5"}'),
        ("srt", "1\n00:00:01,000 --> 00:00:02,000\n1,000\n", "1\n00:00:01,000 --> 00:00:02,000\n1.000\n"),
    ],
)
def test_numbers_alone_in_documents(client: httpx.Client, form: str, source: str, target: str) -> None:
    """A cell, a value or a caption of nothing but a number is written as the prose beside it."""
    answer = client.post(f"/translate?dir=en-de&format={form}", json={"text": source})
    assert answer.json()["translations"][0] == {"text": target, "confidence": 1.0}


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("from €4.1 million to 5 million €", "from ¤4.1 million to 5 million ¤"),
        ("12,50€ und 3 Mio. £, 39,7 Mrd €", "12,50¤ und 3 Mio. ¤, 39,7 Mrd ¤"),
        ("€5-€10, £ -3, 5 €/h, 5,- €", "¤5-¤10, ¤ -3, 5 ¤/h, 5,- ¤"),
        ("the €-symbol, 50-€-Schein, $5, 5 €uro", "the €-symbol, 50-€-Schein, $5, 5 €uro"),
    ],
)
def test_where_prices_are(text: str, marked: str) -> None:
    """A sign is of a price if it stands beside a number, or beside a million."""
    for span in find_prices(text, {"€", "£"}):
        text = f"{text[: span.start]}¤{text[span.end :]}"
    assert text == marked


@pytest.mark.parametrize(
    ("text", "expected"),
    [("€5 or €4", "€"), ("£5", "£"), ("€5 or £4", ""), ("€5 or $4", ""), ("€5, not dollars", ""), ("the €", "")],
)
def test_what_may_be_read_as_dollars(text: str, expected: str) -> None:
    """Prices of one currency may; where there are several, nobody could tell them apart afterwards."""
    assert only_currency(text, find_prices(text, {"€", "£"})) == expected


@pytest.mark.parametrize(
    ("source", "read", "target", "direction", "expected"),
    [
        ("It costs €5 {a}.", "It costs $5 X1.", "Es kostet 5 $ X1.", EN_DE, "Es kostet 5 € {a}."),
        ("It costs €5 million.", "It costs $5 million.", "Es kostet 5 Millionen.", EN_DE, "Es kostet 5 Millionen €."),
        ("It costs £5.", "It costs $5.", "Es kostet 5 US-Dollar.", EN_DE, "Es kostet 5 Pfund."),
        ("Es kostet 5 €.", "Es kostet 5 $.", "It costs US$5.", DE_EN, "It costs €5."),
        ("Es kostet 5 £.", "Es kostet 5 $.", "It costs 5 dollars.", DE_EN, "It costs 5 pounds."),
        ("Es kostet 5 €.", "Es kostet 5 $.", "It costs $5 $.", DE_EN, "It costs €5."),
    ],
)
def test_prices_read_as_dollars(source: str, read: str, target: str, direction: Direction, expected: str) -> None:
    """The network reads dollars; all that it writes of them is in the currency of the sentence."""
    sign = only_currency(source, find_prices(source, {"€", "£"}))
    protected = in_dollars(protect(source, [], []), sign)
    assert protected.text == read
    assert restore(protected, target, [], direction).text == expected


@pytest.mark.parametrize(
    ("source", "target", "direction", "expected"),
    [
        ("It costs £12.50 or €15.", "Es kostet X1 12,50 oder X2 15.", EN_DE, "Es kostet 12,50 £ oder 15 €."),
        ("It costs €5 million or £4.", "X1 5 Millionen oder X2 4.", EN_DE, "5 Millionen € oder 4 £."),
        ("a €5-10 fee, a £50-loan", "X1 5-10 Gebühr, X2 50-Kredit", EN_DE, "€5-10 Gebühr, £50-Kredit"),
        ("Es kostet 6 € oder 28 £.", "It costs 6 X1 or 28 X2.", DE_EN, "It costs €6 or £28."),
        ("Es kostet 6 € oder 28 $.", "It costs $6 X1 or $28.", DE_EN, "It costs €6 or $28."),
        ("3 Mrd. € oder 1.200 £/Tag", "3 billion X1 or 1,200 X2/day", DE_EN, "€3 billion or £1,200/day"),
        ("5–10 € oder -5 £", "5–10 X1 or -5 X2", DE_EN, "5–10 € or -5 £"),
        ("Es kostet £12.50 oder €15.", "It costs X1 12,50 or X2 15.", DE_EN, "It costs £12.50 or €15."),
    ],
)
def test_signs_that_are_kept(source: str, target: str, direction: Direction, expected: str) -> None:
    """Where there are several currencies, each sign is on the side of its number where the language has it."""
    protected = protect(source, find_prices(source, {"€", "£"}), [])
    assert restore(protected, target, [], direction).text == expected


@pytest.mark.parametrize(
    ("direction", "text", "price"), [("en-de", "It costs €5 here.", "€"), ("de-en", "Das kostet 12 £.", "£")]
)
def test_prices_through_the_service(client: httpx.Client, direction: str, text: str, price: str) -> None:
    """A sign that the vocabulary lacks is in the translation, and no dollar is."""
    answer = client.post("/translate", params={"dir": direction}, json={"text": text})
    (translation,) = answer.json()["translations"]
    assert translation["text"].count(price) == 1
    assert "$" not in translation["text"]
