"""German constructions that the network gets wrong are read as others."""

from __future__ import annotations

import pytest

from service.pipeline.edits import apply
from service.pipeline.substitution.constructions.german import GERMAN

READ = [
    ("Mir wurde das Handy gestohlen.", "Mein Handy wurde gestohlen."),
    ("Mir wurde gestern die Tasche gestohlen.", "Meine Tasche wurde gestern gestohlen."),
    ("Man hat uns das Auto gestohlen.", "Unser Auto wurde gestohlen."),
    ("Gestern wurde mir das Fahrrad geklaut.", "Gestern wurde mein Fahrrad gestohlen."),
    ("Uns wurde im Hotel die Kamera gestohlen.", "Unsere Kamera wurde im Hotel gestohlen."),
    ("Passt dir Montag?", "Wäre Montag gut für dich?"),
    ("Passt es dir am Freitag um drei?", "Wäre Freitag um drei gut für dich?"),
    ("Passt Ihnen der nächste Dienstag?", "Wäre der nächste Dienstag gut für Sie?"),
    ("Würde Ihnen Mittwoch um zehn passen?", "Wäre Mittwoch um zehn gut für Sie?"),
    ("Dienstag passt mir gut.", "Dienstag ist okay für mich."),
    ("Der Termin passt mir leider nicht.", "Der Termin ist leider nicht okay für mich."),
    ("Freitag um drei passt uns gut.", "Freitag um drei ist okay für uns."),
    ("Das macht mir keinen Spaß.", "Das macht keinen Spaß."),
    ("Das hat uns viel Spaß gemacht.", "Das hat viel Spaß gemacht."),
    ("Es macht mir Spaß, zu kochen.", "Es macht Spaß, zu kochen."),
    ("Das ist mir sehr peinlich.", "Das ist sehr peinlich für mich."),
    ("Das ist mir noch nie passiert.", "Das ist noch nie passiert."),
    ("Mir ist etwas Dummes passiert.", "Etwas Dummes ist mir passiert."),
    ("Mir fällt nichts ein.", "Ich habe keine Idee."),
    ("Mir fehlt die Zeit dafür.", "Ich habe nicht die Zeit dafür."),
    ("Uns fehlt das Geld.", "Wir haben nicht das Geld."),
    ("Falls du Hilfe brauchst, sag Bescheid.", "Falls du Hilfe brauchst, sag mir Bescheid."),
    ("Bitte sagen Sie Bescheid, wenn Sie fertig sind.", "Bitte sagen Sie mir Bescheid, wenn Sie fertig sind."),
    ("Als Kind wohnte ich in München.", "Als ich ein Kind war, wohnte ich in München."),
    ("Als Kind hatte er einen Hund.", "Als er ein Kind war, hatte er einen Hund."),
    ("Als Kinder spielten wir oft hier.", "Als wir Kinder waren, spielten wir oft hier."),
    ("Außer mir war niemand da.", "Niemand außer mir war da."),
    ("Hätte ich das gewusst, wäre ich zu Hause geblieben.", "Wenn ich das gewusst hätte, wäre ich zu Hause geblieben."),
    ("Hättest du mich gefragt, hätte ich dir geholfen.", "Wenn du mich gefragt hättest, hätte ich dir geholfen."),
    ("Das geht leider nicht.", "Das ist leider nicht möglich."),
    ("Man hat mir ein anderes Zimmer gegeben.", "Sie haben mir ein anderes Zimmer gegeben."),
    ("Man hat uns nicht informiert.", "Niemand hat uns informiert."),
    ("Mir ist leider ein Fehler unterlaufen.", "Ich habe leider einen Fehler gemacht."),
    ("Unser Drucker geht nicht mehr.", "Unser Drucker funktioniert nicht mehr."),
    ("Das Internet geht wieder.", "Das Internet funktioniert wieder."),
    ("Es hat geklappt!", "Es hat funktioniert!"),
    ("Hat alles geklappt?", "Hat alles funktioniert?"),
    ("Ihre Zahlung ist bei uns eingegangen.", "Deine Zahlung ist angekommen."),
    ("Das Angebot gilt bis Freitag.", "Das Angebot ist bis Freitag gültig."),
    ("Mit meiner Bestellung stimmt etwas nicht.", "Es gibt ein Problem mit meiner Bestellung."),
    ("Die Adresse stimmt nicht.", "Die Adresse ist falsch."),
    ("Ich finde mein Handy nicht.", "Ich kann mein Handy nicht finden."),
    ("Ich finde meine Schlüssel nirgends.", "Ich kann meine Schlüssel nicht finden."),
    ("Die Brücke ist wegen Bauarbeiten gesperrt.", "Die Brücke ist wegen Bauarbeiten geschlossen."),
    ("Das Museum hat montags geschlossen.", "Das Museum ist montags geschlossen."),
    ("Der Laden hat von neun bis sechs geöffnet.", "Der Laden ist von neun bis sechs offen."),
    ("Die Geschäfte haben sonntags zu.", "Die Geschäfte sind sonntags geschlossen."),
    ("Die Waschmaschine hat den Geist aufgegeben.", "Die Waschmaschine ist kaputt."),
    ("Er ist so gut wie nie zu Hause.", "Er ist fast nie zu Hause."),
    ("Hast du heute Abend schon was vor?", "Hast du heute Abend schon Pläne?"),
    ("Der Fahrer kam ins Krankenhaus.", "Der Fahrer wurde ins Krankenhaus gebracht."),
    ("Ich habe drei Kilo abgenommen.", "Ich habe drei Kilo verloren."),
    ("Wir bitten um Entschuldigung für die Verspätung.", "Wir entschuldigen uns für die Verspätung."),
    ("Ich schicke Ihnen gerne einen neuen Link.", "Ich schicke Ihnen einen neuen Link."),
    ("Wir beraten Sie gerne.", "Wir beraten Sie."),
    ("Bitte lassen Sie uns die Unterlagen zukommen.", "Bitte schicken Sie uns die Unterlagen."),
    ("Mich hat eine Wespe gestochen.", "Eine Wespe hat mich gestochen."),
    ("Mich stört der Lärm.", "Der Lärm stört mich."),
    ("Das Bad ist sehr klein.", "Das Badezimmer ist sehr klein."),
    ("Wir haben ein Zimmer mit Bad.", "Wir haben ein Zimmer mit Badezimmer."),
    ("Ich habe meinen Anschluss verpasst.", "Ich habe meinen Anschlusszug verpasst."),
    ("Ich bewerbe mich um die Stelle als Koch.", "Ich bewerbe mich um die Arbeitsstelle als Koch."),
    ("Hätten Sie am Montag Zeit?", "Haben Sie am Montag Zeit?"),
    ("Hättest du Lust auf einen Kaffee?", "Hast du Lust auf einen Kaffee?"),
    ("Die Brücke wird nächstes Jahr gebaut.", "Die Brücke wird nächstes Jahr gebaut werden."),
    ("Das Paket wird morgen geliefert.", "Das Paket wird morgen geliefert werden."),
    ("Mir wurde am Bahnhof das Portemonnaie gestohlen.", "Mein Portemonnaie wurde am Bahnhof gestohlen."),
    ("Gestern wurde uns die Kamera geklaut.", "Gestern wurde unsere Kamera gestohlen."),
    ("Uns ist ein Fehler unterlaufen.", "Wir haben einen Fehler gemacht."),
    ("Ihm fehlte die Kraft.", "Er hatte nicht die Kraft."),
    ("Das klappt nie.", "Das funktioniert nie."),
    ("Gestern ist Ihre Bestellung bei uns eingegangen.", "Gestern ist Ihre Bestellung angekommen."),
    ("Die Preise gelten nur bis Sonntag.", "Die Preise sind nur bis Sonntag gültig."),
    ("Wir finden unsere Koffer nicht.", "Wir können unsere Koffer nicht finden."),
    ("Die Läden haben am Sonntag geöffnet.", "Die Läden sind am Sonntag offen."),
    ("Ich will fünf Kilo abnehmen.", "Ich will fünf Kilo verlieren."),
    ("Ich bitte um Entschuldigung.", "Ich entschuldige mich."),
    ("Sie können uns die Unterlagen per Post zukommen lassen.", "Sie können uns die Unterlagen per Post schicken."),
    ("Haben Sie eine offene Stelle?", "Haben Sie eine offene Arbeitsstelle?"),
    ("Er sucht eine Stelle als Koch.", "Er sucht eine Arbeitsstelle als Koch."),
    ("Ihr Angebot hat uns gut gefallen.", "Dein Angebot hat uns gut gefallen."),
    ("Sie verfügen über gute Sprachkenntnisse.", "Du verfügst über gute Sprachkenntnisse."),
    ("Sie bringen Erfahrung im Verkauf mit.", "Du bringst Erfahrung im Verkauf mit."),
    ("Sie erreichen uns am besten per E-Mail.", "Du erreichst uns am besten per E-Mail."),
    ("Die neuen Züge werden nächstes Jahr geliefert.", "Die neuen Züge werden nächstes Jahr geliefert werden."),
    ("Mir wurde die Tasche gestohlen.", "Meine Tasche wurde gestohlen."),
    ("Jemand hat mir gestern die Jacke geklaut.", "Meine Jacke wurde gestern gestohlen."),
]


def read(text: str) -> tuple[str, set[int]]:
    """What the network reads for a text, and the numbers of the constructions that are in it."""
    there = set()
    for number, construction in enumerate(GERMAN):
        if edit := construction.find(text):
            text = apply(text, [edit]).text
            there.add(number)
    return text, there


@pytest.mark.parametrize(("text", "expected"), READ)
def test_what_is_read(text: str, expected: str) -> None:
    """A sentence of the same meaning."""
    assert read(text)[0] == expected


def test_none_is_without_an_example() -> None:
    """Each construction is in one of these sentences."""
    there = set().union(*(read(text)[1] for text, _ in READ))
    assert [one for number, one in enumerate(GERMAN) if number not in there] == []


@pytest.mark.parametrize(
    "text",
    [
        "Ihr Bruder wohnt in Rom, ihre Bestellung ist da.",
        "Sie wohnen in Rom, und Sie verfügen das.",
        "Diese Methode gilt nur für Dateien, die Preise gelten für alle.",
        "Er ist auf die Frage eingegangen, und wir sind einen Handel eingegangen.",
        "Ich nehme ein Bad in Bad Homburg.",
        "Hätten Sie gern einen Kaffee?",
        "Hättest du etwas dagegen, wenn ich gehe?",
        "An dieser Stelle ist es dunkel.",
        "Das geht nicht so, das Konto ist gesperrt.",
        "Der Weg wird bald breiter.",
        "Ich arbeite gern, und ich würde Ihnen gern helfen.",
        "Er hat die Tür geschlossen.",
        "Ich finde das Buch nicht gut.",
    ],
)
def test_what_is_not(text: str) -> None:
    """The same words in another sense."""
    assert read(text)[0] == text
