"""A caller's glossary: terms are found in a sentence, and stand in the translation exactly as given."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from service.pipeline.finders.glossary import find_terms
from service.pipeline.finders.placeholders import find_placeholders
from service.types import Span, Term

if TYPE_CHECKING:
    import httpx

BOUND_S = 5.0
"""Of processor time, where half a second is needed; what grew with terms times words took over a minute."""

TERMS = [Term(source, source.upper()) for source in ("house", "white house", "plan", "Haus", "C++", "e-mail", "bus")]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The House is near the white house.", ["House", "white house"]),
        ("Houses, house's and HOUSE", ["Houses", "house", "HOUSE"]),
        ("A warehouse, a housed dog, a house-boat, an in-house test", []),
        ("plans, but no plane and no planet; buses, no busen", ["plans"]),
        ("Das Haus, des Hauses, dem Hause; die Häuser hausen", ["Haus", "Hauses", "Hause"]),
        ("C++ and C, e-mails and mail", ["C++", "e-mails"]),
        ("house{house}house/house https://house.org", ["house", "house", "house"]),
        ("the white\u00a0house", ["white\u00a0house"]),
        ("", []),
    ],
)
def test_what_is_found(sentence: str, expected: list[str]) -> None:
    """Whole words in any case, the longest term first, with the endings of simple inflection; not within other words.

    Nor within what is kept as it is.
    """
    found = find_terms(sentence, TERMS, find_placeholders(sentence))
    assert [sentence[match.span.start : match.span.end] for match in found] == expected


def test_a_shorter_term_where_the_longest_is_part_of_a_word() -> None:
    """Of terms that begin at one place the longest that is whole words counts."""
    terms = [Term("data", "Daten"), Term("data base", "Datenbank")]
    assert [match.target for match in find_terms("The data base-driven data base", terms, [])] == [
        "Daten",
        "Datenbank",
    ]


def test_the_first_of_equal_terms_counts() -> None:
    """Two entries for one term: the first one given is used, wherever it stands."""
    terms = [Term("dog", "Hund"), Term("Dog", "Köter"), Term("dogs", "Hunde")]
    assert [match.target for match in find_terms("Dog dog dogs", terms, [])] == ["Hund", "Hund", "Hunde"]
    assert find_terms("dog", terms, [Span(0, 3)]) == []
    assert find_terms("dog", [Term("?!", "x"), Term(" ", "y")], []) == []


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("It is an IT company.", ["IT"]),
        ("Tell us about the US.", ["US"]),
        ("Who is the WHO? Us or Who?", ["WHO"]),
        ("Our PCs, two PC and a PC's disk; the pcs, a Pc", ["PCs", "PC", "PC"]),
        ("HTMLs and the MP3s, no mp3s", ["HTMLs", "MP3s"]),
        ("Its use: ITs and itself, US-based, USE and USED", ["ITs"]),
        ("R&D, r&d and the R & D", ["R&D", "R & D"]),
        ("The GNU GPL, the gnu GPL, the GNU gpl and GNU GPLs", ["GNU GPL", "GNU GPLs"]),
        ("TELL US ABOUT THE US.", ["US", "US"]),
        ("IT", ["IT"]),
        ("Web, WEB and web", ["Web", "WEB", "web"]),
        ("a c and A C++, C", ["c", "C", "C"]),
    ],
)
def test_a_term_in_capitals_is_found_in_capitals(sentence: str, expected: list[str]) -> None:
    """An acronym is another word than that of the same letters; of one letter, or with small ones, a term is none."""
    terms = [Term(source, "x") for source in ("IT", "US", "WHO", "PC", "HTML", "MP3", "R&D", "GNU GPL", "Web", "C")]
    found = find_terms(sentence, terms, [])
    assert [sentence[match.span.start : match.span.end] for match in found] == expected


@pytest.mark.parametrize("sources", [("it", "IT"), ("IT", "it")])
def test_an_acronym_beside_its_ordinary_word(sources: tuple[str, str]) -> None:
    """With an entry for each, in whatever order, each word has its own; the first of two acronyms counts."""
    terms = [*(Term(source, source) for source in sources), Term("IT", "other")]
    assert [match.target for match in find_terms("It is it, IT.", terms, [])] == ["it", "it", "IT"]


@pytest.mark.parametrize(
    ("sentence", "term", "expected"),
    [
        ("He works at Acme Inc.", Term("Acme Inc.", "Acme GmbH"), "Acme Inc"),
        ('He said: "I work at Acme Inc."', Term("Acme Inc.", "Acme GmbH"), "Acme Inc"),
        ("We know the firm (Acme Inc.)", Term("Acme Inc.", "Acme GmbH"), "Acme Inc."),
        ("acme inc.", Term("Acme Inc.", "Acme GmbH"), "acme inc."),
        ("I like Yahoo!", Term("Yahoo!", "Jahu"), "Yahoo"),
        ("Is it Acme Inc.?", Term("Acme Inc.", "Acme GmbH"), "Acme Inc."),
        ("Acme Inc. is here.", Term("Acme Inc.", "Acme GmbH"), "Acme Inc."),
        ("Acme Inc.", Term("Acme Inc.", "Acme GmbH"), "Acme Inc."),
        ("Write it so, e.g.", Term("e.g.", "z. B."), "e.g."),
    ],
)
def test_the_mark_of_a_term_that_ends_a_sentence(sentence: str, term: Term, expected: str) -> None:
    """It ends the sentence, too, and stays there if the term's translation has none."""
    (match,) = find_terms(sentence, [term], [])
    assert sentence[match.span.start : match.span.end] == expected


def test_hostile_glossary_takes_no_time() -> None:
    """As many terms as one request may have, each a word longer than the last, on 100,000 characters of that word."""
    terms = [Term("a " * (number % 63 + 1) + str(number), "x") for number in range(256)]
    started = time.process_time()
    assert find_terms("a " * 50_000, terms, []) == []
    assert len(find_terms('"a. ' * 25_000, [Term("a.", "x")], [])) == 25_000
    assert time.process_time() - started < BOUND_S


@pytest.mark.parametrize(
    ("direction", "terms", "texts"),
    [
        (
            "en-de",
            [("bench", "Sitzgelegenheit"), ("newspaper", "Gazette"), ("young woman", "junge Dame"), ("file", "Akte")],
            ["A man reads a newspaper on a bench.", "Two young women meet a young woman.", "Please open the file."],
        ),
        (
            "de-en",
            [("Bank", "settee"), ("Zeitung", "gazette"), ("junge Frau", "young lady"), ("Datei", "dossier")],
            ["Ein Mann liest auf einer Bank Zeitung.", "Eine junge Frau wartet.", "Bitte öffnen Sie die Datei {x}."],
        ),
    ],
)
def test_exact_in_the_translation(
    client: httpx.Client, direction: str, terms: list[tuple[str, str]], texts: list[str]
) -> None:
    """Through the service, a translation has each term exactly as often as its text has it."""
    glossary = [{"source": source, "target": target} for source, target in terms]
    response = client.post("/translate", params={"dir": direction}, json={"text": texts, "glossary": glossary})
    assert response.status_code == 200, response.text
    plain = client.post("/translate", params={"dir": direction}, json={"text": texts}).json()["translations"]
    for text, with_terms, without in zip(texts, response.json()["translations"], plain, strict=True):
        for source, target in terms:
            assert with_terms["text"].count(target) == text.count(source), with_terms["text"]
            assert target not in without["text"]


def test_a_text_that_is_a_term(client: httpx.Client) -> None:
    """A text of nothing but a term is that term's translation, punctuation and white space around it kept."""
    body = {"text": ["  House! ", "HOUSES"], "glossary": [{"source": "house", "target": "Bude"}]}
    translations = client.post("/translate?dir=en-de", json=body).json()["translations"]
    assert [one["text"] for one in translations] == ["  Bude! ", "Bude"]
