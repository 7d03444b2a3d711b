"""English and German constructions that the network gets wrong are read as others."""

from __future__ import annotations

import pytest

from service.pipeline.edits import apply
from service.pipeline.substitution.constructions.english import ENGLISH
from service.pipeline.substitution.constructions.german import GERMAN

CONSTRUCTIONS = {"en": ENGLISH, "de": GERMAN}
READ = {
    "en": [
        ("He was told to wait.", "It was said to him that he should wait."),
        ("I've been told to stop smoking.", "It was said to me that I should stop smoking."),
        ("We were told that the train was late.", "We heard that the train was late."),
        ("We were given a different room.", "We received a different room."),
        ("I was sent the wrong item.", "I received the wrong item."),
        ("You will be sent an email.", "You will receive an email."),
        ("She was offered a job.", "Someone offered her a job."),
        ("I have been offered a new job.", "Someone has offered me a new job."),
        ("We were shown the house.", "Someone showed us the house."),
        ("I was charged 50 euros.", "I had to pay 50 euros."),
        ("I needn't go to work today.", "I don't need to go to work today."),
        ("He needn't know it.", "He doesn't need to know it."),
        ("I'm used to working at night.", "I am accustomed to working at night."),
        ("She isn't used to getting up early.", "She isn't accustomed to getting up early."),
        ("They made us wait for an hour.", "They forced us to wait for an hour."),
        ("He made me clean the kitchen.", "He forced me to clean the kitchen."),
        ("We get on well.", "We understand each other well."),
        ("They don't get along.", "They don't understand each other."),
        ("I'll pick you up at eight.", "I will pick you up at eight."),
        ("We're running out of time.", "We have almost no time left."),
        ("He's running out of money.", "He has almost no money left."),
        ("Had I known, I would have come.", "If I had known, I would have come."),
        ("Had you asked me, I would have helped you.", "If you had asked me, I would have helped you."),
        ("I'll take an umbrella in case it rains.", "I'll take an umbrella for the case that it rains."),
        ("Never put metal in the microwave.", "Do not put metal in the microwave."),
        ("Let's go to the beach, shall we?", "Let's go to the beach?"),
        ("Look out, there's a car coming!", "Be careful, there's a car coming!"),
        ("I was told the office was closed.", "I heard that the office was closed."),
        ("I was promised a refund.", "Someone promised me a refund."),
        ("I was charged twice for the same order.", "I had to pay twice for the same order."),
        ("You will be charged a fee.", "You will have to pay a fee."),
        ("He was fined 200 euros.", "He had to pay a fine of 200 euros."),
        ("Get 20% off your first order.", "Get a discount of 20% on your first order."),
        ("They have put up the rent again.", "They have increased the rent again."),
        ("Is there something wrong with my order?", "Is there a problem with my order?"),
        ("There is nothing wrong with the printer.", "There is no problem with the printer."),
        ("I'm sorry about the delay.", "I apologize for the delay."),
        ("We are sorry for the inconvenience.", "We apologize for the inconvenience."),
        ("Sorry for keeping you waiting.", "Sorry that you had to wait."),
        ("My car has broken down.", "My car no longer works."),
        ("We are out of milk.", "We have run out of milk."),
        ("The window won't open.", "The window cannot be opened."),
        ("My phone won't charge.", "My phone cannot be charged."),
        ("My car won't start this morning.", "My car does not start this morning."),
        ("I'll collect the children at three.", "I'll pick up the children at three."),
        ("The car crashed into a tree.", "The car drove against a tree."),
        ("The bus crashed into a truck.", "The bus collided with a truck."),
        ("When are you moving?", "When are you moving house?"),
        ("We are moving to Berlin next month.", "We are moving house to Berlin next month."),
        ("The meeting has been moved to Thursday.", "The meeting will now take place on Thursday."),
        ("Turn the key to the left.", "Rotate the key to the left."),
        ("Change the batteries every year.", "Replace the batteries every year."),
        ("We painted the walls yesterday.", "We repainted the walls yesterday."),
        ("I would like to return the shoes.", "I would like to send the shoes back."),
        ("Can I return them?", "Can I send them back?"),
        ("Can I extend my stay?", "Can I prolong my stay?"),
        ("You should see a doctor.", "You should go to a doctor."),
        ("I've been meaning to call you.", "I wanted to call you."),
        ("Would Tuesday at ten work for you?", "Would Tuesday at ten be good for you?"),
        ("Does 3 pm work for you?", "Would 3 pm be good for you?"),
        ("Friday works for me.", "Friday is okay for me."),
        ("Monday doesn't work for us.", "Monday is not possible for us."),
        ("Can you get me a glass of water?", "Can you bring me a glass of water?"),
        ("It's a five-minute walk from the station.", "It's five minutes on foot from the station."),
        ("Your letter dated 3 May has arrived.", "Your letter from 3 May has arrived."),
        ("As of 1 October the price is higher.", "From 1 October the price is higher."),
        ("The form is to be signed by both parties.", "The form must be signed by both parties."),
        ("The battery is low.", "The battery is almost empty."),
        ("My phone died.", "The battery of my phone was empty."),
        ("Have you heard from Anna lately?", "Have you heard from Anna recently?"),
        ("I haven't slept well lately.", "I haven't slept well in the last few weeks."),
        ("She left Berlin for good.", "She left Berlin forever."),
        ("Keep this medicine out of the reach of children.", "Make sure that children cannot reach this medicine."),
        ("Keep the windows closed.", "The windows must remain closed."),
        ("It was not so hard after all.", "In the end, it was not so hard."),
        ("I've had a cough for two weeks.", "For two weeks I've had a cough."),
        ("We were told not to park here.", "It was said to us that we should not park here."),
        ("I have been given a new laptop.", "I have received a new laptop."),
        ("You have been charged twice.", "You have paid twice."),
        ("He was fined for speeding.", "He had to pay a fine for speeding."),
        ("Save 20% on your first order.", "Get a discount of 20% on your first order."),
        ("They want to put up the prices.", "They want to increase the prices."),
        ("Sorry about the mistake.", "I apologize for the mistake."),
        ("The machines have broken down.", "The machines no longer work."),
        ("A driver will collect you at the airport.", "A driver will pick you up at the airport."),
        ("She saw a doctor yesterday.", "She went to a doctor yesterday."),
        ("Would Friday morning work?", "Would Friday morning be good?"),
        ("It is a 20 minute drive.", "It is 20 minutes by car."),
        ("My phone is dead.", "The battery of my phone is empty."),
    ],
    "de": [
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
        (
            "Hätte ich das gewusst, wäre ich zu Hause geblieben.",
            "Wenn ich das gewusst hätte, wäre ich zu Hause geblieben.",
        ),
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
    ],
}
OTHERS = {
    "en": [
        "They were sent a week ago.",
        "He was charged with murder.",
        "He used to work here, and we get on the bus.",
        "I told him to wait, and he will return the call.",
        "Change the board filters in the panel.",
        "Returns the last item of the list.",
        "How does this work while the map is moving?",
        "He turned the page, and she paints every day.",
        "The company is a force for good.",
        "In case of fire, break the glass.",
        "Had enough? He won't open the door.",
        "They collect stamps and save 5% of the traffic.",
        "The text that is to be translated is short.",
    ],
    "de": [
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
}


def read(text: str, language: str) -> tuple[str, set[int]]:
    """What the network reads for a text, and the numbers of the constructions that are in it."""
    there = set()
    for number, construction in enumerate(CONSTRUCTIONS[language]):
        if edit := construction.find(text):
            text = apply(text, [edit]).text
            there.add(number)
    return text, there


@pytest.mark.parametrize(
    ("language", "text", "expected"), [(language, *pair) for language, pairs in READ.items() for pair in pairs]
)
def test_what_is_read(language: str, text: str, expected: str) -> None:
    """A sentence of the same meaning."""
    assert read(text, language)[0] == expected


@pytest.mark.parametrize("language", CONSTRUCTIONS)
def test_none_is_without_an_example(language: str) -> None:
    """Each construction is in one of these sentences."""
    there = set().union(*(read(text, language)[1] for text, _ in READ[language]))
    assert [one for number, one in enumerate(CONSTRUCTIONS[language]) if number not in there] == []


@pytest.mark.parametrize(
    ("language", "text"), [(language, text) for language, texts in OTHERS.items() for text in texts]
)
def test_what_is_not(language: str, text: str) -> None:
    """The same words in another sense."""
    assert read(text, language)[0] == text
