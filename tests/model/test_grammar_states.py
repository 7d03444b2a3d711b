"""Constructed sentences of how somebody or something is: proud of him, getting dark, mine, broken, ninety."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

import pytest

from model.grammar.categories import Person
from model.grammar.drawing import Draw
from model.grammar.kinds import (
    attitudes,
    belonging,
    bodies,
    consequences,
    impressions,
    spans,
    supplies,
    weather,
)
from model.grammar.reading import read_lexicon
from model.grammar.sentences import draw_sentence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from model.grammar.lexicon import Lexicon
    from model.grammar.sentences import Kind
    from model.grammar.writing import Sentence

_Item = TypeVar("_Item")

_MANY = 20_000
"""How many sentences are drawn at most until one is the one that is looked for."""

_OFTEN = 40

LEXICON = read_lexicon()


def drawn(kind: Kind, english: str) -> Sentence:
    """A sentence of a kind, by a way to say it in English of its words as far as there are some."""
    draw = Draw(_words_of(english), 1)
    for _ in range(_MANY):
        sentence = draw_sentence(draw, kind)
        if english in sentence.english:
            return sentence
    pytest.fail(f"never drawn: {english}")


def german(kind: Kind, english: str) -> tuple[str, ...]:
    """All ways to say it in German."""
    return drawn(kind, english).german


def _words_of(english: str) -> Lexicon:
    """The lexicon in which what occurs in a sentence is more frequent, or is all that there is."""

    def kept(items: Sequence[_Item], words: Callable[[_Item], Iterable[str]]) -> tuple[_Item, ...]:
        return tuple(item for item in items if any(one in english for one in words(item))) or tuple(items)

    attitudes_kept = kept(LEXICON.adjectives_with_prepositions, lambda one: one.english)
    return replace(
        LEXICON,
        nouns=(*LEXICON.nouns, *_found(LEXICON.nouns, english, lambda one: one.english)),
        names=(*LEXICON.names, *_found(LEXICON.names, english, lambda one: one.name)),
        adjectives=(
            *LEXICON.adjectives,
            *_found(LEXICON.adjectives, english, lambda one: one.english_comparative or one.english),
        ),
        adverbs=tuple(one for one in LEXICON.adverbs if one.english in english),
        verbs=(
            *LEXICON.verbs,
            *(
                replace(one, phrases=kept(one.phrases, lambda phrase: (phrase.english,)))
                for one in _found(LEXICON.verbs, english, lambda one: one.english.base)
            ),
        ),
        modals=(*LEXICON.modals, *_found(LEXICON.modals, english, lambda one: one.auxiliary)),
        adjectives_with_prepositions=tuple(
            one._replace(phrases=kept(one.phrases, lambda phrase: (phrase.english,))) for one in attitudes_kept
        ),
        impressions=tuple(
            one._replace(phrases=kept(one.phrases, lambda phrase: (phrase.english,)))
            for one in kept(LEXICON.impressions, lambda one: (form for way in one.english for form in way.split(", ")))
        ),
        weather=kept(LEXICON.weather, lambda one: (one.rest.english or one.english.split(", ")[0],)),
        treatments=kept(LEXICON.treatments, lambda one: one.english.split(", ")),
        body_parts=kept(LEXICON.body_parts, lambda one: (one.noun.english, one.noun.english_plural)),
        illnesses=kept(LEXICON.illnesses, lambda one: (one.english,)),
        supplies=kept(LEXICON.supplies, lambda one: (one.english,)),
        ages=kept(LEXICON.ages, lambda one: (one.english,)),
    )


def _found(items: Sequence[_Item], english: str, word: Callable[[_Item], str]) -> list[_Item]:
    """Those that occur in a sentence, several times."""
    return [item for item in items if word(item) in english] * _OFTEN


@pytest.mark.parametrize(
    ("english", "expected"),
    [
        ("She is allergic to nuts.", ("Sie ist allergisch gegen Nüsse.", "Sie ist gegen Nüsse allergisch.")),
        ("He is happy with it.", ("Er ist damit zufrieden.", "Er ist zufrieden damit.")),
        ("We are not afraid of it.", ("Wir haben keine Angst davor.",)),
        ("They are used to the noise.", ("Sie sind an den Lärm gewöhnt.", "Sie sind gewöhnt an den Lärm.")),
        ("He is similar to her.", ("Er ist ihr ähnlich.",)),
        ("He is rude to me.", ("Er ist unhöflich zu mir.", "Er ist zu mir unhöflich.")),
        (
            "Are they interested in music?",
            ("Interessieren sie sich für Musik?", "Sind sie an Musik interessiert?", "Sind sie interessiert an Musik?"),
        ),
        (
            "I am worried about her.",
            ("Ich mache mir Sorgen um sie.", "Ich bin besorgt um sie.", "Ich bin um sie besorgt."),
        ),
    ],
)
def test_adjectives_with_prepositions(english: str, expected: tuple[str, ...]) -> None:
    """The object may come before the adjective in German; some have no preposition, and some are verbs."""
    assert german(attitudes.attitude, english) == expected


def test_objects_asked_for() -> None:
    """English ends with the preposition, German begins with it."""
    assert german(attitudes.object_of_attitude, "What is he proud of?") == ("Worauf ist er stolz?",)
    assert german(attitudes.object_of_attitude, "Who is she married to?") == ("Mit wem ist sie verheiratet?",)
    assert german(attitudes.object_of_attitude, "What is she interested in?") == (
        "Wofür interessiert sie sich?",
        "Woran ist sie interessiert?",
    )


def test_no_longer_before_preposition() -> None:
    """Keine Angst mehr vor, not keine Angst vor … mehr."""
    assert german(attitudes.attitude, "She is no longer afraid of death.") == ("Sie hat keine Angst mehr vor dem Tod.",)


def test_impressions() -> None:
    """The German prefix is apart, adverbs stand before the adjective, and getting is what one is doing now."""
    assert german(impressions.impression, "She looks tired.") == ("Sie sieht müde aus.",)
    assert german(impressions.impression, "That sounds strange.") == ("Das klingt seltsam.",)
    older = drawn(impressions.impression, "He is getting older.")
    assert older.english[:3] == ("He is getting older.", "He's getting older.", "He is becoming older.")
    assert older.german == ("Er wird älter.",)


def test_wellbeing() -> None:
    """It goes better to me, or I feel so myself."""
    assert german(impressions.wellbeing, "I feel better.") == (
        "Mir geht es besser.",
        "Es geht mir besser.",
        "Ich fühle mich besser.",
    )
    assert german(impressions.asked_wellbeing, "How is she?") == ("Wie geht es ihr?",)
    assert "Ich hoffe, dass es ihr bald besser geht." in german(
        impressions.wishing_well, "I hope she feels better soon."
    )


def test_weather() -> None:
    """It rains where and when, in any order in German; what is to come is also a present."""
    assert german(weather.weather, "It is getting dark outside.") == (
        "Es wird draußen dunkel.",
        "Draußen wird es dunkel.",
    )
    assert german(weather.weather, "Will it rain tomorrow?")[0] == "Wird es morgen regnen?"
    assert german(weather.weather, "It will snow tomorrow.") == (
        "Es wird morgen schneien.",
        "Es schneit morgen.",
        "Morgen wird es schneien.",
        "Morgen schneit es.",
    )
    assert "It has rained yesterday." not in drawn(weather.weather, "It rained yesterday.").english


def test_weather_as_condition() -> None:
    """German has the verb after the condition, and rather the present."""
    assert german(weather.if_weather, "If it rains tomorrow, we will stay at home.") == (
        "Wenn es morgen regnet, bleiben wir zu Hause.",
        "Wenn es morgen regnet, werden wir zu Hause bleiben.",
    )


def test_consequences() -> None:
    """German has the object that English lacks, in the noun's gender; je has the verb last, desto has it next."""
    assert german(consequences.too_heavy_to, "The soup is too hot to eat.") == (
        "Die Suppe ist zu heiß, um sie zu essen.",
    )
    assert german(consequences.so_heavy_that, "The letter is so long that he cannot read it.") == (
        "Der Brief ist so lang, dass er ihn nicht lesen kann.",
    )
    assert german(consequences.the_more_one_does, "The more he works, the less he sleeps.") == (
        "Je mehr er arbeitet, desto weniger schläft er.",
        "Je mehr er arbeitet, umso weniger schläft er.",
    )
    assert german(consequences.the_more_one_is, "The older he gets, the richer he is.") == (
        "Je älter er wird, desto reicher ist er.",
        "Je älter er wird, umso reicher ist er.",
    )
    assert german(consequences.enough_to, "He is not old enough to smoke.") == (
        "Er ist nicht alt genug, um zu rauchen.",
    )


def test_belonging() -> None:
    """Mine agrees with what it stands for in German, and is rather what belongs to me."""
    assert german(belonging.belonging, "This coat is mine.") == (
        "Dieser Mantel gehört mir.",
        "Dieser Mantel ist meiner.",
    )
    assert german(belonging.belonging, "The car is mine.") == ("Das Auto gehört mir.", "Das Auto ist meins.")
    assert german(belonging.is_mine, "Is this hers?") == ("Gehört das ihr?", "Ist das ihres?")
    assert german(belonging.older_than_mine, "Her brother is taller than mine.") == (
        "Ihr Bruder ist größer als meiner.",
    )
    assert german(belonging.friend_of_mine, "Paul is a friend of mine.") == ("Paul ist ein Freund von mir.",)
    assert german(belonging.friend_of_mine, "Maria is a friend of ours.") == ("Maria ist eine Freundin von uns.",)


def test_bodies() -> None:
    """German says to whom a part of the body belongs by a dative."""
    assert german(bodies.hurting, "My back hurts.") == (
        "Mir tut der Rücken weh.",
        "Der Rücken tut mir weh.",
        "Mein Rücken tut weh.",
        "Mein Rücken schmerzt.",
    )
    assert german(bodies.hurting, "Your feet hurt a lot.")[0] in {
        "Dir tun die Füße sehr weh.",
        "Ihnen tun die Füße sehr weh.",
        "Dir taten die Füße sehr weh.",
        "Ihnen taten die Füße sehr weh.",
    }
    assert german(bodies.treating, "She broke her arm.")[0] == "Sie hat sich den Arm gebrochen."
    assert german(bodies.treating, "I am washing my hands.") == ("Ich wasche mir die Hände.",)
    assert german(bodies.treating, "He is brushing his teeth.") == ("Er putzt sich die Zähne.",)
    assert german(bodies.having_illness, "I do not have a headache.") == ("Ich habe keine Kopfschmerzen.",)


def test_supplies() -> None:
    """Whatever way English says that there is no more, German has kein … mehr, in its case."""
    for english in ("We have no sugar left.", "We don't have any sugar left.", "We have run out of sugar."):
        assert german(supplies.having_left, english) == ("Wir haben keinen Zucker mehr.",)
    assert german(supplies.there_is_left, "There is no sugar left.") == (
        "Es ist kein Zucker mehr da.",
        "Es gibt keinen Zucker mehr.",
    )


def test_spans() -> None:
    """One becomes an age, needs time and has a delay in German."""
    assert german(spans.age, "She is ninety.") == ("Sie ist neunzig.", "Sie ist neunzig Jahre alt.")
    assert german(spans.birthday, "He turned forty yesterday.")[:3] == (
        "Er ist gestern vierzig geworden.",
        "Er ist gestern vierzig Jahre alt geworden.",
        "Er wurde gestern vierzig.",
    )
    assert german(spans.taking_time, "It took me two hours to get home.") == (
        "Ich habe zwei Stunden gebraucht, um nach Hause zu kommen.",
        "Ich brauchte zwei Stunden, um nach Hause zu kommen.",
    )
    assert german(spans.being_late, "The flight was delayed by two hours.") == (
        "Der Flug hatte zwei Stunden Verspätung.",
    )
    assert "She is two years older than I am." in drawn(spans.years_older, "She is two years older than me.").english


def test_verbs_that_are_irregular() -> None:
    """Sein has forms of its own."""
    be = next(one.german for one in read_lexicon().weather if one.english == "be")
    assert [be.present(person) for person in Person] == ["bin", "bist", "ist", "sind", "sind"]
