"""What the network says at both of the places that German has for it: a verb, or a "nicht"."""

from __future__ import annotations

import pytest

from model.bundle import EN_DE
from service.pipeline.protection.restoration import restore
from service.pipeline.protection.stand_ins import protect


@pytest.mark.parametrize(
    ("source", "german", "expected"),
    [
        ("Choose a colour", "Wählen Sie eine Farbe auswählen", "Wählen Sie eine Farbe aus"),
        (
            "Unless otherwise stated, prices don't include VAT.",
            "Sofern nicht anders angegeben, enthalten die Preise keine Mehrwertsteuer nicht.",
            "Sofern nicht anders angegeben, enthalten die Preise keine Mehrwertsteuer.",
        ),
        ("Drag it here.", "Ziehen Sie es hierher ziehen.", "Ziehen Sie es hierher."),
        ("See Tools, at the top", "Mehr finden Sie unter Tools finden, oben", "Mehr finden Sie unter Tools, oben"),
        ("Showing 1-20 of 153", "Anzeigen von 1-20 von 153 anzeigen", "Anzeigen von 1-20 von 153"),
        ("Remove the cover", "Entfernen Abdeckung entfernen", "Abdeckung entfernen"),
        ("It won't ship before May.", "Es wird nicht vor Mai nicht verschickt.", "Es wird vor Mai nicht verschickt."),
        ("We do not feel the pull.", "Wir spüren nicht den Zug nicht.", "Wir spüren den Zug nicht."),
        ("We don't trade with them.", "Wir handeln nicht mit ihnen nicht.", "Wir handeln nicht mit ihnen."),
        (
            "It isn't supported yet.",
            "Es wird noch nicht hier nicht unterstützt.",
            "Es wird noch nicht hier unterstützt.",
        ),
        ("who doesn't like it", "der keinen Tee nicht mag", "der keinen Tee mag"),
        ("I cannot watch any longer", "Ich kann nicht mehr nicht mehr sehen", "Ich kann nicht mehr sehen"),
        ("People lie on it.", "Sie liegen auf dem Boden vor uns auf dem Boden.", "Sie liegen auf dem Boden vor uns."),
        ("Not fit for babies.", "Nicht geeignet für Babys nicht geeignet.", "Nicht geeignet für Babys."),
        ("Pls confirm.", "Bitte bestätigen Sie bitte.", "Bitte bestätigen Sie."),
        ("Loading, please wait", "Bitte, bitte warten", "Bitte warten"),
        ("Not available everywhere.", "Nicht in allen Ländern nicht verfügbar.", "Nicht in allen Ländern verfügbar."),
        ("It does not work.", "Es geht nicht nicht.", "Es geht nicht."),
        ("Al mentioned it to me", "Al erwähnte es mir gegenüber erwähnt", "Al erwähnte es mir gegenüber"),
        ("Updated just now", "Aktualisierte gerade eben aktualisiert", "Gerade eben aktualisiert"),
        ("who waits for me", "der Mann, der wartet auf mich wartet, und", "der Mann, der auf mich wartet, und"),
        ("And yet, he is a star.", "Und doch ist er ist ein Stern.", "Und doch ist er ein Stern."),
        ("It is unclear if it is.", "Es ist jetzt unklar ist, ob es so ist.", "Es ist jetzt unklar, ob es so ist."),
        ("I think it is one.", "Ich denke, dass es ist eines ist.", "Ich denke, dass es eines ist."),
        ("Cannot open {name}.", "Kann X1 kann nicht geöffnet werden.", "{name} kann nicht geöffnet werden."),
        (
            "Not found in {name}",
            "Es konnte in X1 konnte nicht gefunden werden",
            "Es konnte in {name} nicht gefunden werden",
        ),
        ("Cannot open it.", "Kann es kann nicht geöffnet werden.", "Es kann nicht geöffnet werden."),
        (
            "Could not find a in b.",
            "Die Datei konnte im Ordner konnte nicht gefunden werden.",
            "Die Datei konnte im Ordner nicht gefunden werden.",
        ),
    ],
)
def test_what_is_said_twice_is_said_once(source: str, german: str, expected: str) -> None:
    """Of a verb and of a "nicht" the one goes that is a word too many."""
    assert restore(protect(source, [], []), german, [], EN_DE).text == expected


@pytest.mark.parametrize(
    ("source", "german"),
    [
        ("It is on the floor next to you on the floor.", "Es ist auf dem Boden neben dir auf dem Boden."),
        ("$28 million to $69 million.", "28 Millionen Dollar bis 69 Millionen Dollar."),
        ("in a park.", "macht einem Park einen Trick in einem Park."),
        ("from year to year", "Es wird von Tag zu Tag und von Tag zu Tag besser"),
        ("It is cold in winter, in winter.", "Es ist kalt im Winter, im Winter."),
        ("Please, please wait", "Bitte, bitte warten"),
        ("Select it and choose it", "Wählen Sie es und anschließend auswählen"),
        ("Come to eat", "Essen Sie, bevor Sie essen"),
        ("To open the door, go", "Öffnen der Tür, um zu öffnen"),
        ("You cannot not answer.", "Man kann nicht auf Dauer nicht antworten."),
        ("He did not say that it isn't true.", "Er sagte nicht, dass es nicht stimmt."),
        ("Not all of it is not good.", "Es ist nicht alles daran nicht gut."),
        ("It is not unusual not to.", "Es ist nicht selten nicht so."),
        ("What is private offline is online", "Was ist privat offline ist privat online"),
        ("He has seen it - it was there.", "Er hat es - wie man gesehen hat - gesehen."),
        ("He is here and is there.", "Er ist hier und ist dort, ist aber nicht da."),
        ("It is more than it was.", "Es ist mehr als es ist, und war besser, was es war."),
        ("Closed doors were closed.", "Es wurden geschlossene Türen geschlossen, bestimmte wurden bestimmt."),
        ("He gives them books with them.", "Er gibt ihnen Bücher mit ihnen, und hilft ihnen zu helfen."),
        ("Arbeiten.", "Arbeiten von Menschen, die Arbeiten machen, und Daten, die warten."),
        ("The debit should be a must.", "Das Soll soll ein Muss sein, und das muss ein Muss sein."),
        ("We will be loved.", "Wir werden geliebt werden, weil wir haben müssen, was sie haben."),
    ],
)
def test_what_is_meant_twice_stays(source: str, german: str) -> None:
    """Two clauses have two verbs, and two denials."""
    assert restore(protect(source, [], []), german, [], EN_DE).text == german
