"""Words in a row that follow themselves, and adverbs that a clause has twice, are written once."""

from __future__ import annotations

import re
import time
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from model.bundle import EN_DE
from service.pipeline.edits import apply
from service.pipeline.protection.restoration import restore
from service.pipeline.protection.stand_ins import protect
from service.pipeline.repairs.doubled import find_doubled

BOUND_S = 5.0
"""Of processor time."""

WORDS = st.sampled_from(re.findall(r"\S+", "Gras heute Abend nur im the a here only, and to Von von die X1 gern."))


def without_doubled(source: str, target: str, language: str) -> str:
    """The translation, of a language, as it is to be."""
    return apply(target, [*find_doubled(source, target, language)]).text


@pytest.mark.parametrize(
    ("source", "german", "expected"),
    [
        ("with us tonight?", "heute Abend heute Abend mit uns?", "heute Abend mit uns?"),
        ("in the next days", "in den in den nächsten Tagen", "in den nächsten Tagen"),
        ("She adds.", "Fügt sie fügt sie hinzu.", "Fügt sie hinzu."),
        ("in the grass", "im Gras Gras Gras", "im Gras"),
        ("only briefly", "nur nur kurz", "nur kurz"),
        ("to lead their lives", "ihr Leben leben", "ihr Leben leben"),
        ("values that the table has", "Werte, die die Tabelle hat", "Werte, die die Tabelle hat"),
        ("country after country country", "Land Land", "Land Land"),
        ("the city, the city of gold", "Die Stadt die Stadt aus Gold", "Die Stadt die Stadt aus Gold"),
        ("from town to town to sell", "von Stadt zu Stadt zu gehen", "von Stadt zu Stadt zu gehen"),
        ("time and again", "Wieder und wieder und wieder", "Wieder und wieder und wieder"),
        ("on the bus yesterday", "gestern meinen Hut gestern im Bus", "gestern meinen Hut im Bus"),
        ("your pills this morning?", "heute Morgen die Pillen heute Morgen?", "heute Morgen die Pillen?"),
        ("There was a shop.", "Früher war früher ein Laden.", "Früher war ein Laden."),
        ("then and only then", "nur morgens und nur dann", "nur morgens und nur dann"),
        ("Only if you are sure", "Nur morgens nur dann", "Nur morgens nur dann"),
        ("here now and now there", "jetzt hier, jetzt dort", "jetzt hier, jetzt dort"),
        ("only here, only now", "nur da nur heute", "nur da nur heute"),
        ("morning after morning", "Morgen für Morgen", "Morgen für Morgen"),
        ("yesterday in the morning", "gestern hastig gestern Morgen", "gestern hastig gestern Morgen"),
    ],
)
def test_german(source: str, german: str, expected: str) -> None:
    """The first stays; so does all where the sentence has the like, or another clause begins between them."""
    assert without_doubled(source, german, "de") == expected


@pytest.mark.parametrize(
    ("source", "english", "expected"),
    [
        ("jeden der Pixel", "each of the pixels pixels", "each of the pixels"),
        ("nach dem Ende des Amtes", "by the end of the of the office", "by the end of the office"),
        ("um die Stadt nicht", "the city the city", "the city"),
        ("Sie hatte gewonnen.", "She had had it.", "She had had it."),
        ("Melden Sie sich an.", "Log in in the app.", "Log in in the app."),
        ("So ist es, wie es ist.", "It is very very very very good.", "It is very very very very good."),
        ("von Zeit zu Zeit", "from time to time to time", "from time to time to time"),
        ("Wer blind ist, ist blind.", "Who is blind is blind.", "Who is blind is blind."),
        ("Gilt nur für Gäste.", "This only applies only to guests.", "This only applies to guests."),
        ("Es wird automatisch verlängert.", "It automatically extends automatically.", "It automatically extends."),
        ("Jetzt weiß ich es.", "Now I know it now.", "Now I know it."),
        ("Jetzt und jetzt", "Now I know it now.", "Now I know it now."),
        ("Hier ist, was ich habe.", "Here is what I have here.", "Here is what I have here."),
        ("Könnten Sie bitte kommen?", "Could you please come, please?", "Could you please come?"),
        ("Bitte, kommen Sie bitte!", "Please come, please!", "Please come, please!"),
        ("Tee bitte.", "Please, please.", "Please, please."),
        ("Bitte sag: bitte", "Please say please.", "Please say please."),
    ],
)
def test_english(source: str, english: str, expected: str) -> None:
    """The same in English."""
    assert without_doubled(source, english, "en") == expected


@example(["heute", "Abend"], "de")
@given(st.lists(WORDS, max_size=12), st.sampled_from(["en", "de"]))
def test_what_is_left_is_in_order(words: list[str], language: str) -> None:
    """A sentence said twice is told; edits do not meet, and leave out whole words, each with the space before it."""
    text = " ".join(words)
    edits = [*find_doubled("", text, language)]
    assert not any(one.span.meets(other.span) for one, other in pairwise(edits))
    left = apply(text, edits).text
    assert left.split() == left.split(" ") or not left
    rest = iter(words)
    assert all(word in rest for word in left.split())


@pytest.mark.parametrize("text", ["heute Abend ", "nur dort hier jetzt ", "a b c d a b c e ", "of the "])
def test_floods_take_no_time(text: str) -> None:
    """Time is in proportion to the length."""
    started = time.process_time()
    for language in ("en", "de"):
        without_doubled("", text * 10_000, language)
        without_doubled(text * 10_000, "the dog the dog now or now", language)
    assert time.process_time() - started < BOUND_S


def test_what_was_kept_is_not_left_out() -> None:
    """What was kept from the network stays as often as the sentence has it."""
    protected = protect("Open {fooBar} and {fooBar} there.", [], [])
    restored = restore(protected, "Dort öffnen öffnen X1 X2 dort.", [], EN_DE)
    assert restored.text == "Dort öffnen {fooBar} {fooBar}."
