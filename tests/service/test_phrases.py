"""Phrases: sentences that are not their words are looked up, whole ones only."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from model.bundle import DE_EN, EN_DE, Bundle, Direction
from service.pipeline.finders.letters import find_formulas, find_signatures
from service.pipeline.finders.phrases import find_phrase
from service.pipeline.lists import lines_of
from service.pipeline.pieces import Protected
from service.pipeline.protection.restoration import restore
from tests.cli.support import BUNDLE

if TYPE_CHECKING:
    import httpx

    from tests.service.support import Served

BOUND_S = 5.0
"""Of processor time, for 100,000 characters."""

MARKS = frozenset("!?…:;")
"""What a phrase ends with in both languages or in none: others are abbreviations."""

EVENING = {
    EN_DE: ("have a nice evening", "einen schönen Abend noch"),
    DE_EN: ("einen schönen Abend noch", "have a nice evening"),
}
LISTED = [tuple(line.split("\t")) for line in lines_of("phrases.tsv")]


def formulas(text: str, direction: Direction) -> list[tuple[str, str]]:
    """What is found within a sentence, and its translation."""
    return [(text[span.start : span.end], written) for span, written in find_formulas(text, direction)]


def filled(phrase: str) -> str:
    """A phrase with a name in it."""
    for slot, name in (("{name}", "Smith"), ("{her}", "Anna"), ("{him}", "Peter"), ("{slot}", "{{name}}")):
        phrase = phrase.replace(slot, name)
    return phrase


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("Kind regards,", "Mit freundlichen Grüßen"),
        ("kind regards", "mit freundlichen Grüßen"),
        ("sold out", "ausverkauft"),
        ("Click here", "Hier klicken"),
        ("Order number:", "Auftragsnummer:"),
        ("Email address", "E-Mail-Adresse"),
        ("ZIP code:", "Postleitzahl:"),
        ("Fixed", "Behoben"),
        ("What's Changed", "Was sich geändert hat"),
        ("Merry Christmas!", "Frohe Weihnachten!"),
        ("MERRY CHRISTMAS!", "FROHE WEIHNACHTEN!"),
        ("What’s up?", "Was gibt's?"),
        ("Best,", "Viele Grüße"),
        ("Cheers,", "Viele Grüße"),
        ("Cheers!", "Prost!"),
        ("Dear Sir or Madam:", "Sehr geehrte Damen und Herren,"),
        ("Dear Mr. Miller,", "Sehr geehrter Herr Miller,"),
        ("Dear Ms von der Leyen,", "Sehr geehrte Frau von der Leyen,"),
        ("Dear Mrs. Smith-O’Neill", "Sehr geehrte Frau Smith-O’Neill"),
        ("Hi Anna,", "Hallo Anna,"),
        ("Dear Anna,", "Liebe Anna,"),
        ("Dear Peter Smith", "Lieber Peter Smith"),
        ("Dear {{first_name}},", "Hallo {{first_name}},"),
        ("Dear %s,", "Hallo %s,"),
        ("DEAR MS MILLER,", "SEHR GEEHRTE FRAU MILLER,"),
        ("DEAR ANNA,", "LIEBE ANNA,"),
        ("ATTENTION:", "ACHTUNG:"),
        ("Dear Tom and Lucy,", "Hallo Tom und Lucy,"),
        ("Hi Anna, Ben & Lisa,", "Hallo Anna, Ben und Lisa,"),
        ("Zoom out", "Verkleinern"),
        ("Returns:", "Rückgabe:"),
        ("In progress", "In Bearbeitung"),
        ("TBC", "Wird noch bestätigt"),
        ("Save as…", "Speichern unter…"),
        ("Saving %s...", "%s wird gespeichert..."),
        ("by {author}", "von {author}"),
        ("RE:", "AW:"),
        ("TO:", "AN:"),
        ("Gn8!", "Gute Nacht!"),
        ("I’m lost.", "Ich habe mich verlaufen."),
        ("I am lost", "Ich habe mich verlaufen"),
        ("You can't miss it!", "Sie können es nicht verfehlen!"),
        ("You cannot miss it.", "Sie können es nicht verfehlen."),
        ("My car will not start.", "Mein Auto springt nicht an."),
        ("Freeze!", "Keine Bewegung!"),
        ("This is Anna speaking.", "Hier spricht Anna."),
        ("HERE YOU ARE!", "BITTE SCHÖN!"),
        ("I don’t have a clue.", "Ich habe keinen blassen Schimmer."),
        ("Count me out!", "Ohne mich!"),
        ("The early bird catches the worm.", "Morgenstund hat Gold im Mund."),
        ("Please wipe your feet.", "Bitte Füße abtreten."),
        ("I hope you are well.", "Ich hoffe, es geht Ihnen gut."),
        ("Time’s up!", "Die Zeit ist um!"),
        ("Incl. VAT.", "Inkl. MwSt."),
        ("About time!", "Das wurde aber auch Zeit!"),
        ("It's a deal.", "Abgemacht."),
    ],
)
def test_into_german(source: str, target: str) -> None:
    """In capitals if the source is; with the punctuation of a German letter; a name stays, or what stands for one."""
    assert find_phrase(source, EN_DE) == target


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("Mit freundlichen Grüßen", "Kind regards"),
        ("Gute Besserung!", "Get well soon!"),
        ("Sehr geehrter Herr Dr. Müller,", "Dear Dr Müller,"),
        ("Sehr geehrte Frau Müller-Lüdenscheidt,", "Dear Ms Müller-Lüdenscheidt,"),
        ("Liebe Anna,", "Dear Anna,"),
        ("Liebe Mitglieder,", "Dear members,"),
        ("Gesundheit!", "Bless you!"),
        ("Natürlich!", "Of course!"),
        ("Noch {time}", "{time} left"),
        ("LG,", "Best wishes,"),
        ("Vielen Dank.", "Thank you very much."),
        ("außer Betrieb", "out of order"),
        ("Achtung", "Warning"),
        ("Lieber Hans-Peter,", "Dear Hans-Peter,"),
        ("Hallo ${name},", "Hello ${name},"),
        ("Hallo {name}", "Hello {name}"),
        ("Sehr geehrte Frau Prof. Dr. Meier,", "Dear Professor Meier,"),
        ("Sehr geehrter Herr Dr. med. Vogel,", "Dear Dr Vogel,"),
        ("Liebe Familie Koch,", "Dear Koch family,"),
        ("LG Anna", "Best wishes, Anna"),
        ("Sportliche Grüße", "Best wishes"),
        ("Danke & Gruß", "Thanks and regards"),
        ("gez. Hübner", "(signed) Hübner"),
        ("i. A. Petra Lang", "p.p. Petra Lang"),
        ("Schmeckt’s?", "Do you like it?"),
        ("Was fehlt dir?", "What's wrong?"),
        ("Mist!", "Damn!"),
        ("Jetzt reicht’s!", "That's enough!"),
        ("Der Apfel fällt nicht weit vom Stamm.", "Like father, like son."),
        ("BADEN AUF EIGENE GEFAHR", "SWIM AT YOUR OWN RISK"),
        ("Wie besprochen,", "As discussed,"),
        ("Ich verstehe nur Bahnhof.", "It's all Greek to me."),
        ("Auf Wiederhören.", "Goodbye."),
        ("Ätsch!", "Ha ha!"),
        ("Ich hab mich verlaufen.", "I'm lost."),
        ("WIR WÜRDEN GERN ZAHLEN", "WE'D LIKE TO PAY"),
        ("Augenblick!", "Wait a moment!"),
        ("Wir haben es eilig.", "We're in a hurry."),
    ],
)
def test_into_english(source: str, target: str) -> None:
    """The same the other way."""
    assert find_phrase(source, DE_EN) == target


@pytest.mark.parametrize(
    ("text", "direction"),
    [
        ("Best", EN_DE),  # sorted by what is best
        ("Love", EN_DE),
        ("Hello Kitty", EN_DE),
        ("Good night.", EN_DE),  # the network knows it; gn8 is short for it in both languages
        ("Dear Applicant,", EN_DE),
        ("Hi Mom,", EN_DE),
        ("Liebe Mitarbeiter,", DE_EN),  # any noun has a capital letter
        ("Lieber Herr Kommissar Fischler!", DE_EN),
        ("Gesundheit", DE_EN),  # a topic
        ("LG", DE_EN),
        ("Freeze", EN_DE),  # a button
        ("Freeze! he cried.", EN_DE),
        ("Speaking", EN_DE),  # what a test of a language has, too
        ("Mist", DE_EN),
        ("Klasse", DE_EN),
        ("I'm lost in thought.", EN_DE),
        ("Was macht das?", DE_EN),  # what does that do, and how much is it
        ("Aufsteigend", DE_EN),  # ascending, whatever is sorted
        ("No entry", EN_DE),  # in a list
        ("Dear customers, we are closed.", EN_DE),
        ("Merry Christmas to all of you!", EN_DE),
        ("Kind regards, Anna", EN_DE),
        ("Mit freundlichen Grüßen", EN_DE),  # the other language
        ("Sehr geehrter Herr,", EN_DE),
        ("Liebe Grüße und bis bald", DE_EN),
        ("Dear " + "Anna " * 40, EN_DE),
        ("", EN_DE),
        (",", DE_EN),
    ],
)
def test_what_is_no_phrase(text: str, direction: Direction) -> None:
    """A word that has another meaning by itself, a sentence that goes on, or the wrong way."""
    assert find_phrase(text, direction) is None


@pytest.mark.parametrize(
    ("text", "direction", "found"),
    [
        ("Dear Mr Baker, thank you.", EN_DE, [("Dear Mr Baker", "Sehr geehrter Herr Baker")]),
        ("Hi Anna, how are you?", EN_DE, [("Hi Anna", "Hallo Anna")]),
        ("Dear {{name}}, thank you.", EN_DE, [("Dear {{name}}", "Hallo {{name}}")]),
        (
            "Liebe Anna, lieber Peter, wir kommen.",
            DE_EN,
            [("Liebe Anna", "Dear Anna"), ("lieber Peter", "dear Peter")],
        ),
        ("Viele Grüße, Anna", DE_EN, [("Viele Grüße", "Best wishes"), ("Anna", "Anna")]),
        (
            "Alles Gute zum Geburtstag, liebe Oma!",
            DE_EN,
            [("Alles Gute zum Geburtstag", "Happy birthday"), ("liebe", "dear")],
        ),
        ("Happy birthday, Tom!", EN_DE, [("Happy birthday", "Alles Gute zum Geburtstag")]),
        ("Good luck, {name}!", EN_DE, [("Good luck", "Viel Glück")]),
        ("Good luck, Brazil, and", EN_DE, []),
        ("Hallo liebe Vereinsmitglieder, wir", DE_EN, [("liebe", "dear")]),
        ("Ich mag dich, liebe Anna", DE_EN, []),
        ("Gruß Ben", DE_EN, [("Gruß", "Regards,"), ("Ben", "Ben")]),
        ("Danke & Gruß Oli", DE_EN, [("Danke & Gruß", "Thanks and regards,"), ("Oli", "Oli")]),
        ("Viele Grüße Mama", DE_EN, [("Viele Grüße", "Best wishes,")]),
        ("Viele Grüße Anna und Tom", DE_EN, [("Viele Grüße", "Best wishes,")]),
        ("Viele Grüße Bis bald", DE_EN, []),
        ("Viele Grüße Anna Lee", DE_EN, [("Viele Grüße", "Best wishes,"), ("Anna Lee", "Anna Lee")]),
        ("Grüße Anna von mir.", DE_EN, []),
        ("Best, Will Baker", EN_DE, [("Best", "Viele Grüße"), ("Will Baker", "Will Baker")]),
        ("Viele Grüße aus München!", DE_EN, [("Viele Grüße", "Best wishes")]),
        ("Viele Grüße, Deine Anna", DE_EN, [("Viele Grüße", "Best wishes")]),
        ("VG, Anna", DE_EN, [("VG", "Best wishes"), ("Anna", "Anna")]),
        ("Liebe Eltern der Klasse 3b,", DE_EN, [("Liebe", "Dear")]),
        ("Sehr geehrte Fans, liebe Vereinsmitglieder, wir", DE_EN, [("Sehr geehrte", "Dear"), ("liebe", "dear")]),
        ("Liebe Vereinsmitglieder!", DE_EN, [("Liebe", "Dear")]),
        ("Lieber Tee als Kaffee, bitte.", DE_EN, []),
        ("Liebe und Hass, beide Gefühle", DE_EN, []),
        ("Liebe Deutschland und Ihr Land", DE_EN, []),
        ("Best, but not good.", EN_DE, []),
        ("Best regards, The Support Team", EN_DE, []),
        ("Liebe Grüße und bis bald", DE_EN, []),
        ("Merry Christmas, everyone!", EN_DE, []),
        ("Congratulations from all of us!", EN_DE, []),
    ],
)
def test_within_a_sentence(text: str, direction: Direction, found: list[tuple[str, str]]) -> None:
    """What letters begin and end with is found where the sentence goes on, and who signs; nothing else is."""
    assert formulas(text, direction) == found


@pytest.mark.parametrize(
    ("text", "direction", "names"),
    [
        ("Best regards,\nWill", EN_DE, ["Will"]),
        ("Bis bald!\nLG  \n\n  Lisa  \n", DE_EN, ["Lisa"]),
        ("> Mit freundlichen Grüßen\n> Dr. Gerd Zimmermann\n> Leiter", DE_EN, ["Dr. Gerd Zimmermann"]),
        ("Kind regards\nThe Support Team", EN_DE, []),
        ("Mit freundlichen Grüßen\nIhr Kundenservice", DE_EN, []),
        ("Mit freundlichen Grüßen\n\nAnlagen", DE_EN, []),
        ("Kind regards\nWe are here.", EN_DE, []),
        ("Congratulations!\nWill Baker", EN_DE, []),
        ("Thx,\nWill Baker\nDanke!\nBis Morgen\nThanks,\nBest Wishes", EN_DE, ["Will Baker"]),
        ("Best\nbuy", EN_DE, []),
        ("Yours sincerely,\nMrs. H. Patel", EN_DE, []),
    ],
)
def test_signatures(text: str, direction: Direction, names: list[str]) -> None:
    """A line of capitalised words below the end of a letter, or thanks, is a name, but for those who sign otherwise."""
    assert [text[span.start : span.end] for span in find_signatures(text, direction)] == names


@pytest.mark.parametrize("unit", ["Liebe Anna, ", "Best,\n", "LG\nA", "Best ", "\n", " ", ">", "Dr. ", "A "])
def test_floods_take_no_time(unit: str) -> None:
    """A letter that begins, or ends, and does not stop takes time in proportion to its length."""
    text = unit * (100_000 // len(unit))
    started = time.process_time()
    for direction in (EN_DE, DE_EN):
        list(find_formulas(text, direction))
        list(find_signatures(text, direction))
    assert time.process_time() - started < BOUND_S


@pytest.mark.parametrize(
    ("direction", "source", "target"),
    [
        (EN_DE, "Ok, have a great trip!", "Ok, gute Reise!"),
        (EN_DE, "Great, thank you, see you later.", "Großartig, danke, bis später."),
        (EN_DE, "You're welcome, have a nice evening.", "Gern geschehen, einen schönen Abend noch."),
        (EN_DE, "Yes, the house is old.", None),
        (EN_DE, "Best, Tom", None),
        (EN_DE, "Yes, Have a nice day", None),
        (EN_DE, "Great, great, great, see you later", None),
        (DE_EN, "Wunderbar, guten Appetit.", "Wonderful, enjoy your meal."),
        (DE_EN, "Keine Ursache, auf Wiedersehen!", "You're welcome, goodbye!"),
        (DE_EN, "Danke, alles Gute.", "Thanks, all the best."),
        (DE_EN, "Rot, guten Appetit", None),
    ],
)
def test_several_phrases(direction: Direction, source: str, target: str | None) -> None:
    """Phrases with commas between them are looked up one by one; all must be phrases, and the first no single word."""
    assert find_phrase(source, direction) == target


@pytest.mark.parametrize("direction", [EN_DE, DE_EN], ids=str)
def test_every_line_of_the_list_is_used(direction: Direction) -> None:
    """Each is found in its directions as it is written, none is there twice, and both sides have the same end mark."""
    english_first = direction == EN_DE
    known = set()
    for english, way, german, *place in LISTED:
        source, target = (english, german) if english_first else (german, english)
        if place == ["before"]:
            evening, in_target = EVENING[direction]
            source, target = f"{source}, {evening}", f"{target}, {in_target}"
        if way in ("=", ">" if english_first else "<"):
            assert source.casefold() not in known, source
            assert source[-1] == target[-1] or MARKS.isdisjoint((source[-1], target[-1])), source
            known.add(source.casefold())
            found = find_phrase(filled(source), direction)
            assert found is not None
            assert found.casefold().rstrip(",") == filled(target).casefold().rstrip(","), source


def test_a_letter(client: httpx.Client) -> None:
    """The phrases of a text are looked up, what is between them is translated, in any format and quality."""
    letter = "<p>Dear Mr <b>Miller</b>,</p>\n<p>Two men talk.</p>\n<p>Kind regards<br>Anna</p>"
    for quality in ("fast", "good", "best"):
        answer = client.post(f"/translate?dir=en-de&format=html&quality={quality}", json={"text": letter})
        text = answer.json()["translations"][0]["text"]
        assert text.startswith("<p>Sehr geehrter Herr <b>Miller</b>,</p>\n<p>Zwei ")
        assert "<p>Mit freundlichen Grüßen<br>" in text


def test_a_letter_in_few_lines(client: httpx.Client) -> None:
    """What it begins and ends with, in the lines of its sentences, and who signs it; a glossary comes first."""
    texts = ["Dear {{name}}, two men talk. Best regards, Will Baker", "Dear Mr Miller, two men talk.\n\nBest,\nWill"]
    answer = client.post("/translate?dir=en-de", json={"text": texts})
    one, other = (translation["text"] for translation in answer.json()["translations"])
    assert one.startswith("Hallo {{name}}, ")
    assert one.endswith(" Mit besten Grüßen, Will Baker")
    assert other.startswith("Sehr geehrter Herr Miller, ")
    assert other.endswith("\n\nViele Grüße\nWill")
    terms = [{"source": "Will", "target": "Wille"}]
    answer = client.post("/translate?dir=en-de", json={"text": texts[1], "glossary": terms})
    assert answer.json()["translations"][0]["text"].endswith("\nWille")


def test_after_a_greeting(client: httpx.Client) -> None:
    """German goes on with a small letter, but for nouns, Sie and items of a list; English with a capital."""
    english = ["Thank you for your order.", "The man sleeps.", "Dogs sleep.", "- The dog"]
    german = ["vielen Dank für Ihre Bestellung.", "der Hund schläft."]
    begin = "Dear Mr Miller,\n\n"
    answers = [
        client.post(f"/translate?dir={direction}", json={"text": [greeting + one for one in texts]}).json()
        for direction, greeting, texts in (("en-de", begin, english), ("de-en", "Hallo Anna,\n\n", german))
    ]
    firsts = [[one["text"].partition("\n\n")[2] for one in answer["translations"]] for answer in answers]
    assert firsts[0][0] == german[0]
    assert firsts[1][0] == english[0]
    assert [one[:2] for one in firsts[0][1:]] == ["de", "Hu", "- "]
    assert firsts[0][3][2].isupper()
    assert firsts[1][1][0].isupper()
    polite = Protected("Your dog sleeps.", "Your dog sleeps.", is_greeted=True)
    dictionaries = Bundle.open(BUNDLE, verify=False).dictionaries()
    assert restore(polite, "Ihr Hund schläft.", (), EN_DE, dictionaries).text == "Ihr Hund schläft."


def test_details_of_a_phrase(client: httpx.Client) -> None:
    """It is a segment like others, and certain."""
    answer = client.post("/translate?dir=de-en&details=true", json={"text": "Hallo Welt! Zwei Männer reden."})
    first, second = answer.json()["translations"][0]["segments"]
    assert (first["target"]["text"], first["confidence"]) == ("Hello World!", 1.0)
    assert second["confidence"] < 1.0


def test_terms_of_the_caller_come_first(client: httpx.Client) -> None:
    """A glossary that says otherwise is obeyed."""
    body = {"text": "Kind regards", "glossary": [{"source": "regards", "target": "Grüßle"}]}
    text = client.post("/translate?dir=en-de", json=body).json()["translations"][0]["text"]
    assert "Grüßle" in text


def test_phrases_cost_the_engine_nothing(served: Served) -> None:
    """A text of phrases alone is answered without it."""
    before = served.metric("reder_real_tokens_total", direction="en-de", task="greedy")
    answer = served.client.post("/translate?dir=en-de&quality=fast", json={"text": "Happy birthday!"})
    assert answer.json()["translations"][0] == {"text": "Alles Gute zum Geburtstag!", "confidence": 1.0}
    assert served.metric("reder_real_tokens_total", direction="en-de", task="greedy") == before


def test_tags_around_a_phrase(client: httpx.Client) -> None:
    """They stay around it; those around a part of it are the network's business."""
    texts = ["No account? <1>Sign up</1>", "<0>Sign in</0>"]
    answer = client.post("/translate?dir=en-de", json={"text": texts})
    written = [one["text"] for one in answer.json()["translations"]]
    assert written[0].endswith(" <1>Registrieren</1>")
    assert written[1] == "<0>Anmelden</0>"
