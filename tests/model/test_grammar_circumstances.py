"""Constructed sentences about places, times, groups, questions within sentences, offers, wishes and preferences."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from model.grammar.drawing import Draw
from model.grammar.kinds import (
    amounts,
    attributes,
    coordination,
    departures,
    directions,
    groups,
    indirect_questions,
    offers,
    places,
    preferences,
    questions,
    things,
    times,
    wishes,
)
from model.grammar.reading import read_lexicon
from model.grammar.sentences import draw_sentence

if TYPE_CHECKING:
    from model.grammar.lexicon import Lexicon
    from model.grammar.sentences import Kind

EVERYTHING = read_lexicon()


def few(
    *,
    nouns: str = "",
    verbs: str = "read",
    place: str = "Japan",
    time: str = "",
    attribute: str = "",
    opening: str = "do you know",
    group: str = "all of us",
) -> Lexicon:
    """A lexicon of few words, so that not many draws have all sentences: lists with ; between, and a brother."""
    chosen = set(verbs.split("; "))
    return replace(
        EVERYTHING,
        nouns=tuple(noun for noun in EVERYTHING.nouns if noun.english in {"brother", *nouns.split("; ")}),
        verbs=tuple(verb for verb in EVERYTHING.verbs if verb.english.base in chosen),
        adverbs=(),
        manners=(),
        modals=tuple(modal for modal in EVERYTHING.modals if modal.auxiliary == "will"),
        names=EVERYTHING.names[:2],
        places=tuple(one for one in EVERYTHING.places if one.english == place),
        times=tuple(one for one in EVERYTHING.times if one.english == time) or EVERYTHING.times,
        attributes=tuple(one for one in EVERYTHING.attributes if not attribute or attribute in one.heads),
        question_openings=tuple(one for one in EVERYTHING.question_openings if one.english == opening),
        groups=tuple(one for one in EVERYTHING.groups if one.english == group),
    )


def drawn(kind: Kind, lexicon: Lexicon, draws: int = 1500) -> dict[str, set[str]]:
    """All English ways of so many sentences, each with the German ones that translate it."""
    draw, ways = Draw(lexicon, 1), dict[str, set[str]]()
    for _ in range(draws):
        sentence = draw_sentence(draw, kind)
        for english in sentence.english:
            ways.setdefault(english, set()).update(sentence.german)
    return ways


def test_named_places() -> None:
    """Where, whither and whence; a country with an article has it after each preposition."""
    last = {verb.english.base: {one.german for one in verb.phrases} for verb in EVERYTHING.verbs if verb.phrases}
    assert {"in Japan", "in der Schweiz", "in den USA"} <= last["live"]
    assert {"nach Japan", "in die Schweiz", "in die USA"} <= last["return"]
    assert {"aus Japan", "aus der Türkei", "aus den Niederlanden"} <= last["come back"]
    assert last["return"] - last["drive"] >= {"nach Japan", "in die USA"}
    (verb,) = (one for one in few(verbs="return").verbs if one.phrases)
    verb = replace(verb, phrases=tuple(one for one in verb.phrases if one.english == "to Japan"))
    ways = drawn(places.named_place, replace(few(), verbs=(verb,)), 4000)
    assert ways["She is not returning to Japan."] == {"Sie kehrt nicht nach Japan zurück."}
    assert "Ist er nach Japan zurückgekehrt?" in ways["Did he return to Japan?"]


def test_tenses_of_questions() -> None:
    """When somebody did something, how often they do it; how long they did it is not asked of the present."""
    ways = drawn(questions.when_or_where, few(nouns="book"), 800)
    right = ("When is", "When did", "How often does", "How often have", "How long did", "Why have", "Why are")
    assert [one for one in right if not any(way.startswith(one) for way in ways)] == []
    wrong = ("When has", "When have", "How long has", "How long have", "How long do ", "How often is", "How often are")
    assert [way for way in ways if way.startswith(wrong)] == []


def test_been_to() -> None:
    """German has the preterite, and the perfect of sein."""
    ways = drawn(places.been_to, few())
    assert ways["I have never been to Japan."] == {
        "Ich war noch nie in Japan.",
        "Ich bin noch nie in Japan gewesen.",
        "Ich war nie in Japan.",
    }
    assert "Waren Sie schon einmal in Japan?" in ways["Have you ever been to Japan?"]


def test_near_and_born_in() -> None:
    """The neighbourhood of a city, and where somebody was born."""
    ways = drawn(places.near, few(nouns="brother; village", verbs="live", place="Munich"))
    assert ways["The village is near Munich."] == {
        "Das Dorf liegt in der Nähe von München.",
        "Das Dorf ist in der Nähe von München.",
    }
    assert "Peter wohnt in der Nähe von München." in ways["Peter lives near Munich."]
    assert "Wir wurden in Japan geboren." in drawn(places.born_in, few())["We were born in Japan."]


def test_place_and_time() -> None:
    """German says when before where, English after it."""
    last_year = tuple(one for one in EVERYTHING.adverbs if one.english == "last year")
    lexicon = replace(few(verbs="get married", place="Italy"), adverbs=last_year)
    assert drawn(places.place_and_time, lexicon)["They got married in Italy last year."] == {
        "Sie heirateten letztes Jahr in Italien.",
        "Sie haben letztes Jahr in Italien geheiratet.",
    }


def test_attributes() -> None:
    """What is behind a noun keeps its case whatever that of the noun is, and the verb agrees with the first."""
    lexicon = few(nouns="key; house", verbs="lose", attribute="key")
    assert (
        "Er verlor den Schlüssel zum Haus."
        in drawn(attributes.attributed_object, lexicon)["He lost the key to the house."]
    )
    lexicon = few(nouns="shower; room", attribute="shower")
    assert drawn(attributes.described, lexicon)["The shower in our room is broken."] == {
        "Die Dusche in unserem Zimmer ist kaputt."
    }
    lexicon = few(nouns="man; dog", verbs="smoke", attribute="man")
    assert (
        "Der Mann mit dem Hund raucht." in drawn(attributes.attributed_subject, lexicon)["The man with the dog smokes."]
    )


def test_amounts() -> None:
    """German has nothing between a measure and what it is of."""
    ways = drawn(amounts.amount, few(nouns="lamp", verbs="order"), 8000)
    assert ways["I would like a cup of coffee, please."] == {
        "Ich möchte bitte eine Tasse Kaffee.",
        "Ich hätte gern eine Tasse Kaffee, bitte.",
    }


def test_departures() -> None:
    """The place belongs to the train."""
    ways = drawn(departures.train_to, few(place="Berlin"))
    assert "Der Zug nach Berlin fährt um sechs Uhr ab." in ways["The train to Berlin leaves at six o'clock."]
    assert "Wann geht der Flug nach Berlin?" in ways["When does the flight to Berlin leave?"]


def test_times() -> None:
    """Hours are counted to the next half, days of the week in order; the German dative follows vor and in."""
    expected = {
        "at half past {hour}": ("at half past six", "um halb sieben"),
        "at a quarter to {next}": ("at a quarter to six", "um Viertel vor sechs"),
        "from {weekday} to {day}": ("from Monday to Wednesday", "von Montag bis Mittwoch"),
        "{number} {days} ago": ("two years ago", "vor zwei Jahren"),
        "for {number} {days}": ("for three days", "drei Tage lang"),
        "between {hour} and {to}": ("between nine and twelve", "zwischen neun und zwölf Uhr"),
        "on {weekday} {part}": ("on Thursday afternoon", "am Donnerstagnachmittag"),
        "last {season}": ("last summer", "letzten Sommer"),
        "on {weekday}s": ("on Sundays", "sonntags"),
        "in {month}": ("in May", "im Mai"),
    }
    for name, (english, german) in expected.items():
        draw = Draw(few(time=name), 1)
        said = [times.draw_time(draw)[1] for _ in range(800)]
        assert (english, german) in {(one.english, one.german[0]) for one in said}, name
        assert not [one for one in said for text in (one.english, *one.german) if "{" in text]
        assert "from Friday to Monday" not in {one.english for one in said}


def test_times_in_clauses() -> None:
    """German has a time before what else is in the middle; the future is not said with a verb of the past."""
    lexicon = few(verbs="visit", nouns="brother", time="next month")
    ways = drawn(times.timed, lexicon)
    assert ways["She will visit him next month."] == {
        "Sie wird ihn nächsten Monat besuchen.",
        "Sie wird ihn im nächsten Monat besuchen.",
    }
    assert not [way for way in ways if "visited" in way]


def test_groups() -> None:
    """German may have a plural where English has none: everyone, alle."""
    ways = drawn(groups.several, few(verbs="smile", group="everyone"))
    assert ways["Everyone is smiling."] == {"Alle lächeln.", "Jeder lächelt."}
    ways = drawn(groups.several, few(verbs="shave"))
    assert ways["All of us shave."] == {"Wir alle rasieren uns."}
    ways = drawn(groups.to_several, few(verbs="help", group="most of them"))
    assert "Ich helfe den meisten von ihnen." in ways["I help most of them."]
    ways = drawn(groups.several, few(verbs="smile", group="neither of us"))
    assert "Keiner von uns beiden lächelt." in ways["Neither of us is smiling."]


def test_things() -> None:
    """Nothing is nichts, whichever way English denies it."""
    ways = drawn(things.something, few(nouns="lamp", verbs="buy"))
    assert (
        ways["He did not buy anything."]
        == ways["He bought nothing."]
        == {"Er kaufte nichts.", "Er hat nichts gekauft."}
    )
    assert ways["She buys something new."] == {"Sie kauft etwas Neues."}
    assert "Möchten Sie etwas trinken?" in drawn(things.something_to, few())["Would you like something to drink?"]


def test_indirect_questions() -> None:
    """The verb is last in German; English has the order of a statement."""
    ways = drawn(indirect_questions.embedded, few(nouns="book", verbs="read"), 3000)
    assert "Weißt du, wann er das Buch liest?" in ways["Do you know when he reads the book?"]
    assert {"Weißt du, was er las?", "Wissen Sie, was er gelesen hat?"} <= ways["Do you know what he read?"]
    assert "Weißt du, wer das Buch liest?" in ways["Do you know who is reading the book?"]
    ways = drawn(indirect_questions.asked_if, few(verbs="smile"), 3000)
    assert ways["He asked me if I could smile."] == {
        "Er fragte mich, ob ich lächeln könnte.",
        "Er fragte mich, ob ich lächeln könne.",
        "Er hat mich gefragt, ob ich lächeln könnte.",
        "Er hat mich gefragt, ob ich lächeln könne.",
    }
    ways = drawn(indirect_questions.what_to_do, few(nouns="book"))
    assert ways["Nobody knew what to do."] == {"Niemand wusste, was er tun sollte."}


def test_directions() -> None:
    """The nearest of a kind, inflected; and when it opens."""
    ways = drawn(directions.where_is, few(nouns="pharmacy"))
    assert ways["Do you know where the nearest pharmacy is?"] == {
        "Weißt du, wo die nächste Apotheke ist?",
        "Wissen Sie, wo die nächste Apotheke ist?",
    }
    ways = drawn(directions.on_the_way, few(nouns="museum; train; hat; car"))
    assert "Wissen Sie, wann der Zug abfährt?" in ways["Do you know when the train leaves?"]
    assert "Weißt du, wie man zum Museum kommt?" in ways["Do you know how to get to the museum?"]


def test_offers() -> None:
    """Please stands where an adverb does in German, and a time after it."""
    ways = drawn(offers.requested, few(nouns="bill", verbs="send", time="by tomorrow"), 4000)
    assert (
        "Könnten Sie mir bitte bis morgen die Rechnung schicken?"
        in ways["Could you please send me the bill by tomorrow?"]
    )
    ways = drawn(offers.permission, few(nouns="window", verbs="open"))
    assert {"Darf ich das Fenster öffnen?", "Darf ich das Fenster aufmachen?"} <= ways["May I open the window?"]
    ways = drawn(offers.minding, few(nouns="window", verbs="open"))
    assert "Stört es Sie, wenn ich das Fenster öffne?" in ways["Do you mind if I open the window?"]
    assert "Würde es Ihnen etwas ausmachen, das Fenster aufzumachen?" in ways["Would you mind opening the window?"]
    ways = drawn(offers.instruction, few(verbs="turn"))
    assert "Biegen Sie an der Ampel links ab." in ways["Turn left at the traffic light."]


def test_wishes() -> None:
    """German has the subjunctive, and no dass."""
    ways = drawn(wishes.wish, few(verbs="sleep", nouns="house"))
    assert ways["I wish I had more time."] == {"Ich wünschte, ich hätte mehr Zeit."}
    assert "Wir wünschten, wir würden in Berlin wohnen." in ways["We wish we lived in Berlin."]
    ways = drawn(wishes.in_your_place, few(verbs="smile"))
    assert {"Wenn ich du wäre, würde ich lächeln.", "An deiner Stelle würde ich lächeln."} <= ways[
        "If I were you, I would smile."
    ]
    ways = drawn(wishes.if_had, few(verbs="smile"), 3000)
    assert ways["If I had known that, I would have smiled."] == {"Wenn ich das gewusst hätte, hätte ich gelächelt."}


def test_coordination() -> None:
    """Two subjects have a plural verb, and are we with I among them; two objects have their own cases."""
    ways = drawn(coordination.two_subjects, few(nouns="brother; sister", verbs="relax"))
    assert ways["My brother and I relax."] == {"Mein Bruder und ich entspannen uns."}
    ways = drawn(coordination.two_objects, few(nouns="lamp; key", verbs="lose"))
    for english, german in (
        ("either the key or the lamp", "entweder den Schlüssel oder die Lampe"),
        ("not only the key but also the lamp", "nicht nur den Schlüssel, sondern auch die Lampe"),
        ("neither the lamp nor the key", "weder die Lampe noch den Schlüssel"),
    ):
        said = [way for one, translations in ways.items() if one.endswith(f" {english}.") for way in translations]
        assert said
        assert all(german in way for way in said)
    ways = drawn(coordination.two_predicates, few(verbs="smile; shave"))
    assert ways["She smiled and shaved."] == {"Sie lächelte und rasierte sich.", "Sie hat gelächelt und sich rasiert."}


def test_preferences() -> None:
    """German says with lieber what is preferred."""
    ways = drawn(preferences.preferring, few())
    assert ways["I prefer tea to coffee."] == {"Ich trinke lieber Tee als Kaffee.", "Ich mag Tee lieber als Kaffee."}
    assert drawn(preferences.rather, few(verbs="relax"))["He would rather relax."] == {
        "Er würde sich lieber entspannen."
    }
