"""Slips of the network: marks and spaces that are too many, and words that are glued, put right where they are none."""

from __future__ import annotations

import time
from functools import partial
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from model.bundle import DE_EN, EN_DE
from service.pipeline.edits import apply
from service.pipeline.protection.restoration import restore
from service.pipeline.protection.stand_ins import protect
from service.pipeline.repairs.slips import find_slips, find_spaces

BOUND_S = 5.0
"""Of processor time."""

TEXT = "Center -A- Baum,und,. (a )b.. wordWort SkateFlip P Wurf the, "
WORDS = st.sampled_from(TEXT.split())


def without_slips(source: str, target: str, language: str) -> str:
    """The translation, of a language, as it is to be."""
    edits = sorted(find_slips(source, target, language), key=lambda edit: (edit.span.start, edit.span.end))
    return apply(target, edits).text


@pytest.mark.parametrize(
    ("source", "german", "expected"),
    [
        ("the browser plug-in", "das Browser- Plugin", "das Browser-Plugin"),
        ("Take it off, please.", "Ziehen Sie es bitte hier bitte aus.", "Ziehen Sie es bitte hier aus."),
        ("At the end of June.", "Am Ende Juni.", "Ende Juni."),
        ("At the end of the day.", "Am Ende des Tages.", "Am Ende des Tages."),
        ("What is the order number?", "Was ist die Bestellungsnummer?", "Was ist die Bestellnummer?"),
        ("I don't think so.", "Ich glaube ich nicht.", "Ich glaube nicht."),
        ("He was hit by a car.", "Er wurde von einem Auto geschlagen.", "Er wurde von einem Auto angefahren."),
        ("He was ill for three weeks.", "Er war seit drei Wochen krank.", "Er war drei Wochen lang krank."),
        ("She lived there for 5 years.", "Sie lebte seit 5 Jahren dort.", "Sie lebte 5 Jahre lang dort."),
        ("I've been ill for three weeks.", "Ich bin seit drei Wochen krank.", "Ich bin seit drei Wochen krank."),
        (
            "I'm so cold. Aren't you cold?",
            "Ich bin so kalt. Bist du nicht kalt?",
            "Mir ist so kalt. Ist dir nicht kalt?",
        ),
        ("I am cold towards them.", "Ich bin kalt zu ihnen.", "Ich bin kalt zu ihnen."),
        ("The bus runs daily.", "Der Bus läuft täglich.", "Der Bus fährt täglich."),
        ("The bus engine is on.", "Der Busmotor läuft.", "Der Busmotor läuft."),
        ("We are on holiday.", "Wir sind im Ferien.", "Wir sind im Urlaub."),
        ("It is five minutes on foot.", "Es ist fünf Minuten am Fuß.", "Es ist fünf Minuten zu Fuß."),
        ("The foot of the hill", "Am Fuß des Hügels", "Am Fuß des Hügels"),
        ("the browser- Plugin", "das Browser- Plugin", "das Browser- Plugin"),
        ("text and image frames", "Text- und Bildrahmen", "Text- und Bildrahmen"),
        ("the Notification Center app", "die Notification Center -Anwendung", "die Notification Center-Anwendung"),
        ("devices and device classes", "Geräte und -Klassen", "Geräte und -Klassen"),
        ("the element", "das -Element", "das -Element"),
        ("The element", "Das- Element", "Das- Element"),
        ("It works.", "Es geht,.", "Es geht."),
        ("the 1000th small child", "das 1000. kleine Kind", "das 1000. kleine Kind"),
        ("from 1 May 2024 to June", "vom 1. Mai 2024. bis Juni", "vom 1. Mai 2024 bis Juni"),
        ("On Friday, May 3, she left", "Am Freitag, der 3. Mai ging sie", "Am Freitag, dem 3. Mai ging sie"),
        ("call 0345 600 0000", "0345 600.0000 anrufen", "0345 600 0000 anrufen"),
        ("+44 (0)20 3312 6666", "+44 (0) 20 3312 6666", "+44 (0)20 3312 6666"),
        ("10 000 000 people", "10.000.000 Leute", "10.000.000 Leute"),
        ("from 24 to 26 December", "von 24. bis zum 26. Dezember", "vom 24. bis zum 26. Dezember"),
        ("Emergency exit – keep clear", "Notausgang - – freihalten", "Notausgang – freihalten"),
        ("Is it far?", "Ist es weit??", "Ist es weit?"),
        ("I wait since a long time.", "Ich warte seit lange Zeit.", "Ich warte seit langer Zeit."),
        (
            "He lives there since long.",
            "Er lebt seit lange dort, seit lange.",
            "Er lebt seit langem dort, seit langem.",
        ),
        ("It takes a long time.", "Es dauert lange Zeit, sehr lange.", "Es dauert lange Zeit, sehr lange."),
        ("He has to get up.", "Er muss um acht auf aufstehen.", "Er muss um acht aufstehen."),
        ("on a table he cleared", "auf aufgeräumten Tischen", "auf aufgeräumten Tischen"),
        ("It is hard to shop.", "Es ist schwer, zu einzukaufen.", "Es ist schwer, einzukaufen."),
        ("of values to be given", "zu anzugebenden Werten", "zu anzugebenden Werten"),
        ("It rains for 3 days.", "Es regnet seit 3 Tage, seit zwei Tage.", "Es regnet seit 3 Tagen, seit zwei Tagen."),
        ("Within two working days.", "In zwei Arbeitstage.", "In zwei Arbeitstagen."),
        ("They have risen since last year.", "Sie sind seit letztes Jahr höher.", "Sie sind seit letztem Jahr höher."),
        ("Since last year the bank closed", "Seit letztes Jahr die Bank schloss", "Seit letztes Jahr die Bank schloss"),
        ("Since this update was installed", "Seit dieses Update lief, ist Ruhe", "Seit dieses Update lief, ist Ruhe"),
        ("of 2 years old cars", "von 2 Jahre alten Autos, bis zu 3 Tage", "von 2 Jahre alten Autos, bis zu 3 Tage"),
        ("It was an hour late.", "Er hatte heute eine Stunde zu spät.", "Er hatte heute eine Stunde Verspätung."),
        ("He called an hour late.", "Er hat eine Stunde zu spät angerufen.", "Er hat eine Stunde zu spät angerufen."),
        ("I cannot come.", "Ich kann nicht, nicht kommen.", "Ich kann nicht kommen."),
        ("Is it far??", "Ist es weit??", "Ist es weit??"),
        ("open from 7.00 to 10.30", "von 7,00 bis 10.30 Uhr offen", "von 7.00 bis 10.30 Uhr offen"),
        ("It leaves at 23.55.", "Er geht um 23,55 Uhr.", "Er geht um 23.55 Uhr."),
        ("from 1 May, on 2 May", "Von 1. Mai, um 2. Mai", "Vom 1. Mai, am 2. Mai"),
        ("1 in 5. May is warm", "1 von 5. Mais sind warm", "1 von 5. Mais sind warm"),
        ("24 goals in 53 matches in 1980", "24 Tore in 53en im Jahr 1980t", "24 Tore in 53 im Jahr 1980"),
        ("1980 in the 1980s", "1980 in den 1980er Jahren", "1980 in den 1980er Jahren"),
        ("30 s in the 1980s", "30s in den 1980ern", "30s in den 1980ern"),
        ("Part 2: Phoenix", "Teil 2:Phoenix", "Teil 2: Phoenix"),
        ("std:vec", "std:vec:vec", "std:vec:vec"),
        ("at 10 a.m. ET on Monday", "um 10 Uhr. ET am Montag", "um 10 Uhr ET am Montag"),
        ("Up at 10 a.m. Then we ran", "Um 10 Uhr. Dann liefen wir", "Um 10 Uhr. Dann liefen wir"),
        ("in ~20 minutes", "in ~ 20 Minuten", "in ~20 Minuten"),
        ("It works, really.", "Es geht,, wirklich.", "Es geht, wirklich."),
        ("of Foo Inc.", "von Foo Inc..", "von Foo Inc."),
        ("It works ...", "Es geht ...", "Es geht ..."),
        ("at 8 p.m.", "um 8 p.m...", "um 8 p.m."),
        ("It works…", "Es geht...", "Es geht..."),
        ("Loading", "Wird geladen...", "Wird geladen..."),
        ("Move, copy", "Verschieben,kopieren", "Verschieben, kopieren"),
        ("a,b and c", "a,b und c", "a,b und c"),
        ("1,5 and 2,5", "1,5 und 2,5", "1,5 und 2,5"),
        ("OK / Cancel", "OK/ Abbrechen", "OK / Abbrechen"),
        ("OK/Cancel or /home", "OK/ Abbrechen oder /home", "OK/ Abbrechen oder /home"),
        ("an image control", "ein BildSteuerelement", "ein Bild-Steuerelement"),
        ("a Chinese toy", "ein chinesischenSpielzeug", "ein chinesischen Spielzeug"),
        ("on Youtube", "auf YouTube", "auf YouTube"),
        ("makes a pitch", "macht einen P Wurf", "macht einen Wurf"),
        ("John's new pitch", "Johns s neuer Wurf", "Johns neuer Wurf"),
        ("the C program", "das C Programm", "das C Programm"),
        ("5 litres of water", "5 l Wasser", "5 l Wasser"),
    ],
)
def test_german_slips(source: str, german: str, expected: str) -> None:
    """What hardly a text has goes; what the sentence has too, or is no slip, stays."""
    assert without_slips(source, german, "de") == expected


@pytest.mark.parametrize(
    ("source", "english", "expected"),
    [
        ("Bis wann brauchen Sie es?", "What do you need it?", "By when do you need it?"),
        ("Er spielt gern Fußball.", "He likes to playing soccer.", "He likes playing soccer."),
        ("Er begann zu singen.", "He began to sing and started to bring it.", ""),
        ("Ich habe mich daran gewöhnt.", "I used to it.", "I got used to it."),
        ("Ich bin daran gewöhnt.", "I'm used to it.", ""),
        ("Als er gegessen hatte, ging er.", "After having had eaten, he left.", "After having eaten, he left."),
        ("Das glaube ich nicht.", "I don't think so that.", "I don't think so."),
        ("Ich konnte es lesen.", "I able to read it.", "I was able to read it."),
        ("Wir konnten es lesen.", "We were able to read it.", ""),
        ("Das Feuer wurde gelöscht.", "The fire was deleted.", "The fire was extinguished."),
        ("Bis wann gilt es?", "What is it valid?", "Until when is it valid?"),
        ("Was brauchen Sie?", "What do you need?", "What do you need?"),
        ("Der Bus fährt nicht.", "The bus is doesn't go.", "The bus doesn't go."),
        ("Was es ist, stört nicht.", "What it is doesn't matter.", "What it is doesn't matter."),
        ("Wir kennen uns gut.", "We know you well.", "We know each other well."),
        ("Wir haben uns nicht gesehen.", "We didn't see us.", "We didn't see each other."),
        ("Wir sehen uns das Haus an.", "We look at us.", "We look at us."),
        ("Wir kennen Sie und uns.", "We know you and us.", "We know you and us."),
        ("Wir haben keine Milch mehr.", "We're no of milk.", "We have no milk."),
        ("Wir sind offen und fertig.", "We're open and I'm ready.", "We're open and I'm ready."),
        ("in Portland (Oregon)", "in PortlandOregon", "in Portland Oregon"),
        ("Basic-IDE", "the Basic- IDE", "the Basic-IDE"),
        ("30 US-Dollar oder 2 Mio. Dollar", "$30 US dollars or $2 million dollars", "$30 or $2 million"),
        ("$30 Dollar", "$30 dollars", "$30 dollars"),
        ("Die mit * markierten Felder", "Fields marked with * *", "Fields marked with *"),
        ("* * *", "* * *", "* * *"),
        ("eine Umhängetasche", "a black e bag", "a black bag"),
        ("ein Lego-Set", "a Lego- set", "a Lego-set"),
        ("Vor- und Nachteile", "pre- sale", "pre- sale"),
        ("von 8 bis 20 Uhr", "from 8:00 a. to 20:00 p.", "from 8:00 a.m. to 8:00 p.m."),
        ("am 22. und 11.", "on the 22th and 11st, a 3th", "on the 22nd and 11th, a 3rd"),
        ("22th St.", "22th St.", "22th St."),
        ("in eine Firma", "in a the firm of the its own", "in the firm of its own"),
        ("Note a the", "grade a the best", "grade a the best"),
        ("Reichweite: 10 m", "Range: 10 feet", "Range: 10 m"),
        ("10 m oder 33 Fuß", "10 m or 33 feet", "10 m or 33 feet"),
        ("33 ft", "33 feet", "33 feet"),
        ("Brief Nr. 3 an Nr. Anna", "letter Nr. 3 to Nr. Anna", "letter No. 3 to Nr. Anna"),
        ("5 bis 10 Euro", "5 to 10 eur", "5 to 10 euros"),
        ("10 Mio. Euro", "10 million eur", "10 million euros"),
        ("Warst du je in Paris?", "Have you ever been in Paris?", "Have you ever been to Paris?"),
        ("Ich war nie in Gefahr.", "I have never been in danger.", "I have never been in danger."),
        ("Kanal zuweisen", "S channel assigned", "Channel assigned"),
        ("Du darfst bleiben.", "You may to stay.", "You may stay."),
        ("Ich finde sie nirgends.", "I can't find them nowhere.", "I can't find them anywhere."),
        ("Er kam nicht, und niemand ging.", "He didn't come, and nobody left.", "He didn't come, and nobody left."),
        ("Das muss man sehen.", "It is a must to see.", "It is a must to see."),
    ],
)
def test_english_slips(source: str, english: str, expected: str) -> None:
    """The same in English, where two words that were glued are two words."""
    assert without_slips(source, english, "en") == (expected or english)


@example("( )", "en")
@given(st.text(TEXT, max_size=60) | st.lists(WORDS).map(" ".join), st.sampled_from(["en", "de"]))
def test_what_the_sentence_has_stays(text: str, language: str) -> None:
    """A text is its own translation: nothing is a slip. And of another, edits do not meet."""
    for find in (partial(find_slips, language=language), find_spaces):
        assert not list(find(text, text))
        spans = sorted((edit.span for edit in find("", text)), key=lambda span: (span.start, span.end))
        assert not any(one.meets(other) for one, other in pairwise(spans))


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("(in English)", "( auf Englisch )", "(auf Englisch)"),
        ("so [the show] is", "so ist [ die Show]", "so ist [die Show]"),
        ("(x, by the way): a", "(übrigens,): ein", "(übrigens): ein"),
        ("f(x) and g()", "f( x) und g( )", "f(x) und g()"),
        ("( in English)", "( auf Englisch )", "( auf Englisch)"),
        ("( in English )", "( auf Englisch )", "( auf Englisch )"),
    ],
)
def test_spaces_in_brackets(source: str, target: str, expected: str) -> None:
    """They are taken away, unless the sentence has one on the same side."""
    assert apply(target, [*find_spaces(source, target)]).text == expected


@pytest.mark.parametrize("text", ["403en ", "0345 600 0000 "])
def test_floods_take_no_time(text: str) -> None:
    """Time is in proportion to the length."""
    started = time.process_time()
    without_slips(text * 10_000, text * 10_000, "de")
    assert time.process_time() - started < BOUND_S


def test_what_is_put_back_is_no_slip() -> None:
    """What was kept from the network, and numbers, come back as they are beside slips."""
    protected = protect("Open {fooBar} in the browser plug-in, 2 times.", [], [])
    restored = restore(protected, "X1 im Browser- Plugin öffnen,, 2-mal mal.", [], EN_DE)
    assert restored.text == "{fooBar} im Browser-Plugin öffnen, 2-mal mal."
    protected = protect("{aaaBbb} {aaaBbb} öffnen", [], [])
    assert restore(protected, "Open X1 X2", [], DE_EN).text == "Open {aaaBbb} {aaaBbb}"
