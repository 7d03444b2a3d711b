"""Signs of the translation that must match those of the sentence: quotation marks, brackets, dots at the end."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from model.bundle import DE_EN, EN_DE
from service.pipeline.edits import apply
from service.pipeline.protection.restoration import restore
from service.pipeline.protection.stand_ins import protect
from service.pipeline.repairs.punctuation import check_punctuation
from service.types import Link, Span

PAIRED = re.compile(r'["“”„«»()\[\]]')
CHANGEABLE = re.compile(rf"{PAIRED.pattern}|[.,\s]")
"""Dots come and go at the end, a second comma goes beside a quotation mark, and white space before a comma."""

REPAIRED = [
    # apart from the word before it
    ("Der Kern, der schmilzt.", "The , which melts .", "", "en", "The, which melts."),
    # one of a pair lost
    ("„Ich liebe dich“, sagte er.", '"I love you, he said.', "0-0 1-1 2-2 3-4 4-3", "en", '"I love you," he said.'),
    ("„Nein!“, schrie er.", "\"No', he cried.", "0-0 1-2 2-1", "en", '"No", he cried.'),
    ('Click "Export all".', 'Auf "Alles exportieren klicken.', "0-3 1-2 2-1", "de", 'Auf "Alles exportieren" klicken.'),
    ('He said, "Come in!"', 'Er sagte: "Komm herein!', "0-0 1-1 2-2 3-3", "de", 'Er sagte: "Komm herein!"'),
    ('"Come in," he said.', 'Komm herein", sagte er.', "0-0 1-1 2-3 3-2", "de", '"Komm herein", sagte er.'),
    ('use "a" and "b" now', 'nutze "a" und "b jetzt', "0-0 1-1 2-2 3-3 4-4", "de", 'nutze "a" und "b" jetzt'),
    (
        "the file (see below) is",
        "die Datei (siehe unten ist",
        "0-0 1-1 2-2 3-3 4-4",
        "de",
        "die Datei (siehe unten) ist",
    ),
    ('the cloud ("x")', 'die Wolke ("x', "0-0 1-1 2-2", "de", 'die Wolke ("x")'),
    ('the cloud ("x")', 'die Wolke x")', "0-0 1-1 2-2", "de", 'die Wolke ("x")'),
    ("He is here.”", "Er ist hier.", "0-0 1-1 2-2", "de", "Er ist hier.“"),
    ("“He is here.", "Er ist hier.", "0-0 1-1 2-2", "de", "„Er ist hier."),
    ("Feld „A“: „1“ (x)", "field 'A': \"1' (x)", "", "en", 'field "A": "1" (x)'),
    # something beside them for nothing
    ('the "force particles" by', 'die " Partikel" durch', "", "de", 'die "Partikel" durch'),
    ("„Wir“ sind", "“We ” are", "", "en", "“We” are"),
    ('so " x " is', 'so ist " x "', "", "de", 'so ist " x "'),
    # doubled
    ('"No" he said', '"Nein"", sagte er', "", "de", '"Nein", sagte er'),
    ("„Hallo“, sagte er", '"Hello"," he said', "", "en", '"Hello," he said'),
    ("(founded in 1998) now", "(1998 gegründet)) jetzt", "", "de", "(1998 gegründet) jetzt"),
    ('Datei "X1" fehlt.', "The file 'X1 is missing.", "0-1 1-2 2-4", "en", "The file 'X1' is missing."),
    # points of a.m. and p.m.
    ("9–18 Uhr", "9:00 a.m. to 6:00 pm", "", "en", "9:00 a.m. to 6:00 p.m."),
    ("bis 22 Uhr", "until 10:00p.m", "", "en", "until 10:00p.m."),
    ("15 Uhr: Fest", "3:00 p.m: party", "", "en", "3:00 p.m.: party"),
    ("Es ist 8 bis 9 Uhr.", "It is 8 a.m to 9 am.", "", "en", "It is 8 a.m. to 9 a.m."),
    # two hyphens
    ("Rom – Bern 2:1", "Rome -- Bern 2:1", "", "en", "Rome – Bern 2:1"),
    ("Rom -- Bern 2:1", "Rome -- Bern 2:1", "", "en", "Rome -- Bern 2:1"),
    # after a sign
    ("mehr (+4,4 %).", "more (+4.4%.", "0-0 1-1 2-2", "en", "more (+4.4%)."),
    # set apart
    ("order #12, #13", "Bestellung # 12, #13", "", "de", "Bestellung #12, #13"),
    # of several styles
    ('"I think so," said Mary.', '„Ich glaube", sagte Maria.', "", "de", "„Ich glaube“, sagte Maria."),
    ('"%s" is', '"X1“ ist', "", "de", '"X1" ist'),
    ("“We won,” he said", "»Wir haben gewonnen«, sagte er", "", "de", "„Wir haben gewonnen“, sagte er"),
    ("„Wir“ und „ihr“", '“We” and "you"', "", "en", "“We” and “you”"),
    ("„Wir“ und „ihr“", '"We” and "you"', "", "en", '"We" and "you"'),
    # single ones, of which the network makes others
    ("no module 'a'.", "kein Modul 'a«.", "", "de", "kein Modul 'a'."),
    ("'a' to 'b'", "„a' in „b'", "", "de", "„a“ in „b“"),
    ("'a' into 'b'", '»a" in "b"', "", "de", "„a“ in „b“"),
    ("‚Wir‘ wissen", "'We’ know", "", "en", "'We' know"),
    ("Lukas' und 'alte'", "Lukas' and \"old'", "", "en", 'Lukas\' and "old"'),
    ("a 'great success' now", 'ein "großer Erfolg jetzt', "0-0 1-1 2-2 3-3", "de", 'ein "großer Erfolg" jetzt'),
    ("'I am,' he said", '"Ich bin,", sagte er', "", "de", '"Ich bin", sagte er'),
    ("„Ich bin“, sagte er", '"I am,", he said', "", "en", '"I am," he said'),
    # a link in Markdown
    ("the [guide](X1)", "die [Anleitung] (X1)", "", "de", "die [Anleitung](X1)"),
]

LEFT = [
    # apart in the sentence, too
    ("Hallo , Welt !", "Hello , world !", "", "en"),
    ("a # 5 or #6", "ein # 5 oder # 6", "", "de"),
    ("f(a)", "f(a) (b)", "", "de"),
    ("[a] (b)", "[a] (b)", "", "de"),
    ("[a] b", "[a] (b)", "", "de"),
    # apostrophes
    ("the dogs' house", "das \"Haus der Hunde'", "", "de"),
    ("rock 'n' roll", "Rock \"n' Roll", "", "de"),
    ("the '90s and the dogs' house", "die '90er und das Haus“ der Hunde", "", "de"),
    ("'Ne Frau, Lukas' Haus", "'N woman, Lukas“ house", "", "en"),
    ("the boys' toys' boxes", "die “Kisten'", "", "de"),
    ("6' x 8' or 5'", "6' x 8“ oder 5'", "", "de"),
    ("Home › Shoes › Red", "Start › Schuhe » Rot", "", "de"),
    ("the ' sign", "das Zeichen", "0-0 1-1", "de"),
    ("they don't, can't", "sie “nicht, nicht'", "", "de"),
    ("'a' is 'b'", "'a' ist 'b'", "", "de"),
    ('a,",",b', 'a,",",b', "", "de"),
    ("„Wir“ haben", '"We" have', "0-0 1-1", "en"),  # usual in English, too
    ('a 5" and a 7" pipe', "ein 5 und ein 7 Zoll", "0-0 1-1 2-2 3-3 4-4 5-5", "de"),  # inches
    ("Great :)", "Toll", "0-0", "de"),
    ("a) one b) two", "a eins b) zwei", "0-0 1-1 2-2 3-3", "de"),
    ("die Funktion „word“", "the 'word' function", "0-0 1-2 2-1", "en"),  # of another kind, but a pair
    ('the "old big" house', 'das "alte Haus große', "0-0 1-1 2-3 3-2", "de"),  # no longer together
    ("der Ordner „Neu“ fehlt", "the New folder is gone", "0-0 1-2 2-1 3-3 3-4", "en"),  # as names of commands are
    ('one "two" three', 'eins "" "zwei', "0-0 1-1", "de"),
    ('in the "new house', "im neuen Haus", "0-0 1-0 2-1 3-2", "de"),  # in the middle, and never closed
    ("no marks", 'keine "Zeichen', "0-0 1-1", "de"),
    ("nothing (here)", "", "", "de"),
]


AT_THE_END = [
    ("Please wait...", "Bitte warten Sie.…", "de", "Bitte warten Sie..."),
    ("Loading...", "Laden.. …", "de", "Laden..."),
    ("Save As…", "Speichern unter …", "de", "Speichern unter …"),
    ("Wird geladen…", "Loads..", "en", "Loads…"),
    ("Speichern unter …", "Save As.", "en", "Save As…"),
    ("und so weiter …", "and so on …", "en", "and so on …"),
    ("Open...", "Öffnen", "de", "Öffnen..."),
    ("It is 5...", "Es ist 5.…", "de", "Es ist 5..."),
    ("Open.", "Öffnen.…", "de", "Öffnen.…"),
    ("Open....", "Öffnen.", "de", "Öffnen."),
    ("Open...", "", "de", ""),
    ("...", "…", "de", "…"),
    ("Page 3 of 12", "Seite 3 von 12.", "de", "Seite 3 von 12"),
    ("7-9 Uhr", "7:00 am to 9:00am.", "en", "7:00 a.m. to 9:00a.m."),
    ("7-9am", "7:00 am to 9:00am.", "en", "7:00 am to 9:00am"),
    ("Laden: 45 %", "Loading: 45%.", "en", "Loading: 45%"),
    ("A man is on a roof", "Ein Mann ist auf einem Dach.", "de", "Ein Mann ist auf einem Dach"),
    ("Bread, butter and so on", "Brot, Butter usw.", "de", "Brot, Butter usw."),
    ("until the 3rd", "bis zum 3.", "de", "bis zum 3."),
    ("in 79 CE", "79 n. Chr.", "de", "79 n. Chr."),
    ("Read (this)", "Lesen.", "de", "Lesen."),
]


def linked(source: str, target: str, pairs: str) -> list[Link]:
    """Links of words, which are numbered: 0-1 joins the first of the source with the second of the target."""
    ours, theirs = ([Span(*word.span()) for word in re.finditer(r"\w+", text)] for text in (source, target))
    numbers = (pair.split("-") for pair in pairs.split())
    return [Link(ours[int(one)], theirs[int(other)]) for one, other in numbers]


def checked(source: str, target: str, links: list[Link], language: str) -> str:
    """The translation after it."""
    edits = check_punctuation(source, target, links, language)
    return apply(target, edits).text


@pytest.mark.parametrize(("source", "target", "pairs", "language", "expected"), REPAIRED)
def test_marks_stand_in_pairs(source: str, target: str, pairs: str, language: str, expected: str) -> None:
    """A lost mark comes back beside its words, a doubled one goes, and both of a pair have one style."""
    assert checked(source, target, linked(source, target, pairs), language) == expected


@pytest.mark.parametrize(("source", "target", "pairs", "language"), LEFT)
def test_marks_that_stay(source: str, target: str, pairs: str, language: str) -> None:
    """What is no pair, is one of another kind, or has no clear place stays as the network wrote it."""
    assert checked(source, target, linked(source, target, pairs), language) == target


@pytest.mark.parametrize(("source", "target", "language", "expected"), AT_THE_END)
def test_dots_at_the_end(source: str, target: str, language: str, expected: str) -> None:
    """A translation ends with the dots that its sentence ends with, and with no other point before them."""
    assert checked(source, target, [], language) == expected


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("Nur für Kinder!", "For children only.", "For children only!"),
        ("in dem Arm,", "in his arm.", "in his arm,"),
        ("a) die Erde;", "a) the earth.", "a) the earth;"),
        ("„Komm her!“", '"Come here."', '"Come here!"'),
        ("Kommst du?", "You come.", "You come?"),
        ("Bis 17 Uhr!", "Until 5:00 p.m.", "Until 5:00 p.m."),
        ("Kommt!", "Come...", "Come..."),
        ("Komm.", "Come!", "Come!"),
    ],
)
def test_marks_at_the_end(source: str, target: str, expected: str) -> None:
    """A translation has no point for another mark that its sentence, or line of a poem, ends with."""
    assert checked(source, target, [], "en") == expected


def test_marks_beside_what_is_kept() -> None:
    """They stand around what a stand-in stood for, also where the network has lost one."""
    protected = protect('Open "{a}" now.', [], [])
    for written in ('"X1 jetzt öffnen.', 'X1" jetzt öffnen.'):
        links = linked(protected.text, written, "0-2 1-0 2-1")
        assert restore(protected, written, links, EN_DE).text == '"{a}" jetzt öffnen.'
    tagged = protect('Open "<b>this</b>" now.', [], [])
    assert restore(tagged, 'Open "this now.', linked(tagged.text, 'Open "this now.', "0-0 1-1 2-2"), DE_EN).text in {
        'Open "<b>this</b>" now.',
        'Open "<b>this"</b> now.',
    }


@hypothesis_settings(max_examples=200)
@given(st.text('a .,"“„»()[]1', max_size=30), st.text('a .,"“„»()[]1', max_size=30))
def test_nothing_but_marks_changes(source: str, target: str) -> None:
    """Whatever both texts are, words stay, and no more marks are there than the sentence or the network had."""
    links = [Link(Span(0, len(source)), Span(0, len(target)))] if source and target else []
    text = checked(source, target, links, "en")
    assert CHANGEABLE.sub("", text) == CHANGEABLE.sub("", target)
    assert len(PAIRED.findall(text)) <= max(len(PAIRED.findall(source)), len(PAIRED.findall(target))) + 2


@pytest.mark.parametrize("unit", ['"a ', '"', "(", "(a) ", "“a” ", "'", "'a' ", "s' ", "] "])
def test_hostile_text_is_checked_in_time(unit: str) -> None:
    """100,000 characters of marks, of which all but one came through."""
    text = (unit * 100_000)[:100_000]
    started = time.process_time()
    checked(text, text[1:], [Link(Span(0, 10), Span(0, 10))] * 1000, "de")
    assert time.process_time() - started < 5
