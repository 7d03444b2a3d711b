"""German articles, adjectives and nouns go together."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.bundle import EN_DE
from service.pipeline.edits import apply
from service.pipeline.lists import lines_of
from service.pipeline.protection.restoration import restore
from service.pipeline.protection.stand_ins import protect
from service.pipeline.repairs.agreement import check_agreement, find_disagreements

WORDS = ["ein", "einem", "eines", "die", "des", "zur", "große", "großen", ",", "Hauses", "Küche", "Weg", "Wasser"]
BOUND_S = 2.0
"""Of processor time, for 5,000 characters: a piece has at most 128 tokens."""


def corrected(german: str) -> str:
    """The translation as it should read."""
    return apply(german, check_agreement(german)).text


@pytest.mark.parametrize(
    ("german", "expected"),
    [
        ("auf einem Maschine", "auf einer Maschine"),
        ("neben einem großen Felswand", "neben einer großen Felswand"),
        ("Ein schöner Insel", "Eine schöne Insel"),
        ("für einen neuen Menge", "für eine neue Menge"),
        ("einen gewissen Maß", "ein gewisses Maß"),
        ("eine weitere Flugzeug", "ein weiteres Flugzeug"),
        ("zur Bahnhof", "zum Bahnhof"),
        ("in einer kalten Winter", "in einem kalten Winter"),
        ("mit seiner Aspekt", "mit seinem Aspekt"),
        ("mein Schwester", "meine Schwester"),
        ("diese alte Grab", "dieses alte Grab"),
        ("Ihre Kunstwerk", "Ihr Kunstwerk"),
        ("Dieser Grab", "Dieses Grab"),
        ("jedes Verletzung", "jede Verletzung"),
        ("jeder Kunstwerk", "jedes Kunstwerk"),
        ("die Verbot der Folter", "das Verbot der Folter"),
        ("Im alten Küche", "In der alten Küche"),
        ("ins Werkstatt", "in die Werkstatt"),
        ("während des Welt", "während der Welt"),
        ("trotz des Verringerung", "trotz der Verringerung"),
        ("einem Studentin und dem Bundeskanzlerin", "einer Studentin und der Bundeskanzlerin"),
        ("unserem Außenküche", "unserer Außenküche"),
    ],
)
def test_articles_have_the_gender_of_their_noun(german: str, expected: str) -> None:
    """In the case that they show, listed nouns, compounds of these, and what ends as feminine nouns do."""
    assert corrected(german) == expected
    assert len(find_disagreements(german)) == german.count(" und ") + 1
    assert len(find_disagreements(expected)) == 0


@pytest.mark.parametrize(
    ("german", "expected"),
    [
        ("ein schmutzigen Schwimmbecken", "ein schmutziges Schwimmbecken"),
        ("ein ausländische Berater", "ein ausländischer Berater"),
        ("in einem asiatisches Kostüm", "in einem asiatischen Kostüm"),
        ("eine flaches Wasserfläche", "eine flache Wasserfläche"),
        ("das öffentliches Leben", "das öffentliche Leben"),
        ("einer kontaktlose Zahlung", "einer kontaktlosen Zahlung"),
        ("der lokaler Arbeit", "der lokalen Arbeit"),
        ("die Pracht der biblischer Wahrheiten", "die Pracht der biblischen Wahrheiten"),
        ("der gültiger Markenzeichen", "der gültigen Markenzeichen"),
        ("der kalter Wind", "der kalte Wind"),
        ("die junge Menschen", "die jungen Menschen"),
        ("Meine neue Wohnungen", "Meine neuen Wohnungen"),
    ],
)
def test_adjectives_end_as_they_do_after_their_article(german: str, expected: str) -> None:
    """Where gender and case tell how, or the noun is a plural."""
    assert corrected(german) == expected


@pytest.mark.parametrize(
    ("german", "expected"),
    [
        ("in der Nähe des Wasser", "in der Nähe des Wassers"),
        ("am Ende eines langen Tisch", "am Ende eines langen Tisches"),
        ("während unseres Bürgerkrieg", "während unseres Bürgerkriegs"),
        ("zu deinem Chefs", "zu deinem Chef"),
        ("auf einem Flusses", "auf einem Fluss"),
        ("ein Lichts", "ein Licht"),
    ],
)
def test_nouns_have_the_s_of_the_genitive_where_their_article_does(german: str, expected: str) -> None:
    """And only there."""
    assert corrected(german) == expected


@pytest.mark.parametrize(
    "german",
    ["eine Weg", "keine Weg", "das Stillstand", "dieses Insel", "der Haus", "in ihren Stadt", "ein starken Wind"],
)
def test_what_may_be_one_or_another_stays(german: str) -> None:
    """The case is not certain, or which word is wrong: that another candidate may have right."""
    assert corrected(german) == german
    assert len(find_disagreements(german)) == 1


@pytest.mark.parametrize(
    "german",
    [
        "Auf der einen Seite steht das eine Haus, auf der anderen die eine Tür.",
        "Der Raum, in dem Maschinen stehen, das Haus, dem Farbe fehlt, und das Tor, das Fahrer sehen.",
        "seiner Mitarbeiter, ihrer Lehrer, die Fenster, der Zeichen, den Wagen, meiner Zimmer",
        "ein Insel Staat, ein Kategorie 5-Sturm, im Maschinen-Raum",
        "des Menschen, des Kollegen, des Patienten, des Namens, des Hauses, des Islam, des Parks",
        "die Länder, meine Kinder, ihre Autos, der Jungen, den Frauen, in den Städten",
        "das Japanische, das Gute, ins Deutsche, das Band, der See, die See, der Leiter, die Leiter",
        "ein über Nacht gewachsener Baum, eine immer größere Menge, einer anderen Frau, dem heute Abend",
        "die Jahre, die junge Menschen prägen, die neue Wohnung, eine neue Wohnungen, die letzte Woche",
        "der achtziger Jahre, der vier Wohnungen, der größer Gewordene, der alte Mann, der alten Frauen",
        "dieser Mann, dieser Frau, dieser Zeichen, dieser Zimmer, jeder Mann, jeder Frau, jedes Haus, jedes Mannes",
        "kein Mensch, keine Menschen, einen Menschen, einem Menschen, unser Haus, ihr Frauen",
    ],
)
def test_what_people_write_stays(german: str) -> None:
    """Relative clauses, plurals, weak nouns, homonyms, names of two words."""
    assert corrected(german) == german
    assert len(find_disagreements(german)) == 0


def test_the_list_has_each_noun_once() -> None:
    """Of letters alone, with a capital, and with one gender."""
    nouns = [noun for line in lines_of("genders.txt") for noun in line.partition(": ")[2].split()]
    assert len(nouns) == len(set(nouns)) > 4_000
    assert {line.partition(": ")[0] for line in lines_of("genders.txt")} == {"f", "m", "n", "mn"}
    assert all(noun[0].isupper() and noun.isalpha() for noun in nouns)


def test_beside_what_is_put_back() -> None:
    """Articles are put right along with everything else, before a placeholder and at the beginning."""
    protected = protect("{name} is on a machine.", [], [])
    assert restore(protected, "X1 ist auf einem Maschine.", [], EN_DE).text == "{name} ist auf einer Maschine."
    protected = protect("An island.", [], [])
    assert restore(protected, "ein Insel.", [], EN_DE).text == "Eine Insel."


@given(st.lists(st.sampled_from(WORDS)))
def test_what_was_put_right_is_right(words: list[str]) -> None:
    """Whatever the words are, one round is enough for all that is certain."""
    once = corrected(" ".join(words))
    assert corrected(once) == once


@pytest.mark.parametrize("unit", ["ein ", "ein kleine ", "ein Haus ", "des Haus ", "einer großen", "Ein", "dem Küche "])
def test_floods_take_no_time(unit: str) -> None:
    """What the network may write of one word over and over is read at once."""
    text = unit * (5_000 // len(unit))
    started = time.process_time()
    corrected(text)
    assert time.process_time() - started < BOUND_S
