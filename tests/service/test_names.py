"""Names of persons are found by a title or a given name, and are not translated."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from model.bundle import DE_EN, EN_DE, Direction
from model.bundle.dictionary import Dictionary
from service.pipeline.finders.names import find_labelled_names, find_names
from service.pipeline.protection.restoration import restore
from service.pipeline.protection.stand_ins import protect
from tests.service.support import CopyingEngine, serve

if TYPE_CHECKING:
    import httpx

    from service.app import Loaded
    from service.settings import Settings

BOUND_S = 2.0
"""Of processor time, for 100,000 characters; a tenth is needed."""

ENTRIES = {
    "Anspruch": "claim",
    "Blumen": "flowers",
    "Büro": "office",
    "Fleischer": "Fleischer",
    "Fußball": "soccer",
    "Haufen": "cluster",
    "Koch": "cook\tKoch",
    "Köln": "Cologne",
    "Müller": "Müller\tMiller",
    "Nichols": "Nichols",
    "Schneider": "tailor",
    "Vogel": "bird",
}
DICTIONARY = Dictionary("".join(f"{word}\t{it}\n" for word, it in sorted(ENTRIES.items(), key=str)).encode())


def found(text: str, direction: Direction) -> list[tuple[str, str]]:
    """What stands there, and how the other language writes it."""
    return [(text[span.start : span.end], it) for span, it in find_names(text, direction, DICTIONARY)]


@pytest.mark.parametrize(
    ("text", "name", "written"),
    [
        ("Frau Schneider ruft Sie zurück.", "Frau Schneider", "Ms Schneider"),
        ("Ich sprach mit Herrn Vogel.", "Herrn Vogel", "Mr Vogel"),
        ("Frau Prof. Dr. Sommer kommt.", "Frau Prof. Dr. Sommer", "Prof. Sommer"),
        ("von Herrn Dr. med. Klein", "Herrn Dr. med. Klein", "Dr Klein"),
        ("Herr Dipl.-Ing. Öztürk", "Herr Dipl.-Ing. Öztürk", "Mr Öztürk"),
        ("Herr und Frau Vogel kommen.", "Herr und Frau Vogel", "Mr and Mrs Vogel"),
        ("Das sagt Frau von der Leyen.", "Frau von der Leyen", "Ms von der Leyen"),
        ("Ich gab Frau Anna Vogel Blumen.", "Frau Anna Vogel", "Ms Anna Vogel"),
        ("Ich gab Frau Vogel Blumen.", "Frau Vogel", "Ms Vogel"),
        ("Das ist Frau Müllers Büro.", "Frau Müllers", "Ms Müller's"),
        ("Hier hat Herr Nichols Blumen.", "Herr Nichols", "Mr Nichols"),
        ("Ist es eine Frau Müller?", "Frau Müller", "Ms Müller"),
        ("Die Familie Koch ist da.", "Die Familie Koch", "The Koch family"),
        ("Wir sind bei Familie Koch.", "Familie Koch", "the Koch family"),
        ("Fam. Koch ist da.", "Fam. Koch", "The Koch family"),
        ("Heute ist Heike Krämer-Hoffmann da.", "Heike Krämer-Hoffmann", "Heike Krämer-Hoffmann"),
        ("Das sagt Dr. Vogel.", "Dr. Vogel", "Dr. Vogel"),
        (
            "von Prof. Dr. med. dent. Anna Koch-Schneider",
            "Prof. Dr. med. dent. Anna Koch-Schneider",
            "Prof. Anna Koch-Schneider",
        ),
        ("Das ist Dr. Öztürks Büro.", "Dr. Öztürks", "Dr. Öztürk's"),
        ("Der Autor ist K. F. Neumann.", "K. F. Neumann", "K. F. Neumann"),
        ("Abholung in 50823 Köln-Ehrenfeld.", "Köln-Ehrenfeld", "Köln-Ehrenfeld"),
        ("Wir baten Hrn. Koch und", "Hrn. Koch", "Mr Koch"),
        ("Termin mit Fr. Öztürk", "Fr. Öztürk", "Ms Öztürk"),
        ("99084 Erfurt", "Erfurt", "Erfurt"),
        ("50931 Köln", "Köln", "Köln"),
        ("79098 Freiburg im Breisgau", "Freiburg im Breisgau", "Freiburg im Breisgau"),
        ("06108 Halle (Saale)", "Halle (Saale)", "Halle (Saale)"),
        ("Von Anna K. am Montag", "Anna K.", "Anna K."),
        ("Jürgen Fleischer rief an.", "Jürgen Fleischer", "Jürgen Fleischer"),
        ("Hier kam Karl Otto Schneider.", "Karl Otto Schneider", "Karl Otto Schneider"),
    ],
)
def test_german(text: str, name: str, written: str) -> None:
    """After a title with its degrees, a given name and a postcode; an English doctor is no Mr, too."""
    assert found(text, DE_EN) == [(name, written)]


def test_names_with_a_label() -> None:
    """They stay, being alone: the network made a weaver of one, and an Apfel of another."""
    text = (
        "Nachname: Weber\nBrand: Apple | Name: Jane van Stone\nAutor: Unbekannt\nSurname: King Baker \nName: Koch sucht"
    )
    assert [text[span.start : span.end] for span in find_labelled_names(text)] == ["Weber", "Apple", "King Baker"]


def test_names_with_a_label_served(client: httpx.Client) -> None:
    """The label is translated."""
    body = {"text": ["Nachname: Koch", "Marke: Vogel"]}
    translations = client.post("/translate?dir=de-en", json=body).json()["translations"]
    assert [one["text"].rpartition(" ")[2] for one in translations] == ["Koch", "Vogel"]
    assert "Nachname" not in translations[0]["text"]


@pytest.mark.parametrize(
    "text",
    [
        "Guten Tag, Frau Doktor.",
        "Herr Präsident, Frau Ratspräsidentin, Herr Kommissar Fischler!",
        "Jede Frau Anspruch auf Schutz hat.",
        "Ein Mann spielt einer blonden Frau Schneider vor.",
        "Er kam mit seiner Frau Anna.",
        "Unser Herr Jesus und der Herr der Welt",
        "Der achte Herr von Laeroth",
        "Von Frau zu Frau, das Bett der Frau II",
        "Peter Fußball und Patrick Star-Haufen",
        "Wilhelm II. und Nick von SuSE",
        "FRAU MÜLLER",
        "12345 Fußball",
        "Do. u. Fr. Fußball",
        "Mo., Mi. und Fr. Pilates, am Fr. Zumba, Do., Fr. Yoga",
        "50000 Euro",
        "Mit 12345 Erfurtern, 99084 Erfurt-",
        "B. Vogel, z. B. Neumann, S. 3, J.R. und Dr. phil.",
    ],
)
def test_what_is_no_german_name(text: str) -> None:
    """Offices, wives, any woman, the Lord, and nouns that the dictionary knows."""
    assert found(text, DE_EN) == []


@pytest.mark.parametrize(
    ("text", "name", "written"),
    [
        ("Please ask Mr. Wood about it.", "Wood", "Wood"),
        ("Ms Young will call you.", "Ms Young", "Frau Young"),
        ("This is Mrs. Cook's office.", "Mrs. Cook's", "Frau Cooks"),
        ("Dr Hughes' office", "Dr Hughes'", "Dr. Hughes’"),
        ("Mr. and Mrs. Fisher are here.", "Mrs. Fisher", "Frau Fisher"),
        ("Mr John F. O'Brien came.", "John F. O'Brien", "John F. O'Brien"),
        ("Professor Stone teaches.", "Professor Stone", "Professor Stone"),
        ("We met Prof. Jane Stone.", "Prof. Jane Stone", "Prof. Jane Stone"),
        ("I met Alice Wong there.", "Alice Wong", "Alice Wong"),
        ("That is Alice Wong's house.", "Alice Wong's", "Alice Wongs"),
        ("Reviewed by Anna K. on 3 May.", "Anna K.", "Anna K."),
    ],
)
def test_english(text: str, name: str, written: str) -> None:
    """After a title, or a given name; whether a Mr is Herr or Herrn is left to the network."""
    assert found(text, EN_DE) == [(name, written)]


def test_a_genitive_makes_no_compound() -> None:
    """For "X1 house" the network writes one, whatever X1 stands for."""
    sentence = "Jane Lee's house"
    protected = protect(sentence, (), (), list(find_names(sentence, EN_DE, DICTIONARY)))
    assert restore(protected, "X1-Haus", (), EN_DE).text == "Jane Lees Haus"


@pytest.mark.parametrize("text", ["Mr President, Mr Speaker", "Peter Vogel", "Do you miss Anna?", "Ms. Marsh 144"])
def test_what_is_no_english_name(text: str) -> None:
    """Offices, manuscripts, and given names before a word that the dictionary knows."""
    assert found(text, EN_DE) == []


@pytest.mark.parametrize("direction", [EN_DE, DE_EN], ids=str)
@pytest.mark.parametrize(
    "unit", ["Frau ", "Herr und ", "Anna ", "Mr ", "Dr. ", "A. ", "von ", "A-", "a", "A", "Mr A’", "Familie "]
)
def test_floods_take_no_time(unit: str, direction: Direction) -> None:
    """What begins like a name and never ends takes time in proportion to its length."""
    text = "Frau Dr. A" + unit * (100_000 // len(unit))
    started = time.process_time()
    list(find_names(text, direction, DICTIONARY))
    assert time.process_time() - started < BOUND_S


def test_served(settings: Settings, loaded: Loaded) -> None:
    """The title is translated, the name stays; a glossary comes first."""
    with serve(settings, replace(loaded, engine=CopyingEngine())) as served:
        body = {"text": ["Frau Vogel ist da.", "Frau Vogel"], "glossary": [{"source": "Vogel", "target": "Bird"}]}
        plain = served.client.post("/translate?dir=de-en&quality=fast", json={"text": body["text"]}).json()
        terms = served.client.post("/translate?dir=de-en&quality=fast", json=body).json()
    assert [one["text"] for one in plain["translations"]] == ["Ms Vogel ist da.", "Ms Vogel"]
    assert [one["text"] for one in terms["translations"]] == ["Frau Bird ist da.", "Frau Bird"]
