"""What is no German or English, whatever was meant, and candidates that have less of it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from service.pipeline.lists import lines_of
from service.pipeline.repairs.flaws import count_flaws

if TYPE_CHECKING:
    import httpx

BOUND_S = 2.0
"""Of processor time, for 5,000 characters: a piece has at most 128 tokens."""


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Wir haben uns auf die richtige qualifiziert.", "de"),
        ("Er zeigte über den, der da war.", "de"),
        ("Er fährt mit einer graue Rampe.", "de"),
        ("Eine Frau in einem weißer Kleid springt.", "de"),
        ("Trotz der wiederholter Anfragen kam nichts.", "de"),
        ("Er war ein hochwertige Berater.", "de"),
        ("Es gibt eine begrenzte Zahlungen.", "de"),
        ("Die einzige Verletzungen war eine gebrochene Nase.", "de"),
        ("Das ist ein Fälschung.", "de"),
        ("Er schloss mit dem gemeinsamen Verpflichtung.", "de"),
        ("Mein Bruder ist wird im Sommer verheiratet.", "de"),
        ("Ein Modus, der für die Kontrolle zu ist.", "de"),
        ("Zum wurden fast 100 Einwohner evakuiert.", "de"),
        ("Ein Kind hält ein Spielzeug in.", "de"),
        ("The beginning of the of the war.", "en"),
        ("The of the garden helped.", "en"),
        ("He was had already been blamed.", "en"),
        ("They are putting tns under a train.", "en"),
        ("A man iss a bicycle.", "en"),
        ("This was the.", "en"),
        ("We focus on the difficulties of in their own country.", "en"),
        ("You do not want to in all of them.", "en"),
        ("The company hopes to be to grow.", "en"),
        ("Two people are sitting on a bench a bench.", "en"),
        ("She posed with a woman a picture.", "en"),
        ("It survived the hurricane the hurricane.", "en"),
        ("The store is closes at eight.", "en"),
        ("The printer will no longer working.", "en"),
        ("He asked why they did not complaining.", "en"),
        ("The people who working there are friendly.", "en"),
        ("I'm sorry I'ming so late.", "en"),
        ("They's here.", "en"),
        ("The study was announce in May.", "en"),
        ("They have always exist.", "en"),
        ("A woman is follows two others.", "en"),
        ("This button will creates a copy.", "en"),
        ("She was just been told.", "en"),
        ("They talk while they standing there.", "en"),
        ("That would became known.", "en"),
        ("It will take a many years.", "en"),
        ("In an any large city.", "en"),
        ("It was for his my life.", "en"),
        ("A of strengthening it.", "en"),
        ("Do't ask.", "en"),
        ("Könnten Sie mich anrufen, wenn du Zeit hast?", "de"),
        ("Wenn du nach Prag fährst, nehmen Sie den Zug.", "de"),
        ("Ich weiß nicht, ob du regelmäßig üben.", "de"),
        ("Ich kann meine Gl nicht finden.", "de"),
        ("My daughter is probably pray.", "en"),
        ("We're arrive as soon as possible.", "en"),
    ],
)
def test_what_cannot_be(text: str, language: str) -> None:
    """Articles without a noun, adjectives that do not go with them, verbs too many, and pieces of words."""
    assert count_flaws("", text, language) == 1


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Er spielte mit der von ihm bezahlten Mannschaft in den für ihn schönsten Stadien.", "de"),
        ("Das ist das Haus, in dem gewohnt wird, und die Tür, auf die er zeigt.", "de"),
        ("Ein Fechter kämpft mit einem anderen, auf der einen und der anderen Seite, am besten draußen.", "de"),
        ("Es liegt in seinem bzw. in ihrem Haus, mit einem.", "de"),
        ("Was er hat, wird er behalten, und was er war und ist, kann er bleiben.", "de"),
        ("Es ist so, als wäre er da, und besser als sonst ist es immer.", "de"),
        ("Eine hohe Mauer, ein hoher Berg, einen hohen Turm, am hohen Ufer, des hohen Turms, zum alten Hof.", "de"),
        ("In einem dieser Häuser, in eine dieser Städte, ein bisschen Zeit, eine unter vielen.", "de"),
        ("Ein wegen Mordes Verurteilter sprach mit einer ihrer Freundinnen, und mit einem, der heute Zeit hat.", "de"),
        ("Es sind 5 km, d. h. 5.000 m, bzw. 5 mm, s. S. 7, am z. B. 3. Mai um 5 h.", "de"),
        ("Probleme, die neue Messungen zeigen: seit Ende der achtziger Jahre alle solche Erfahrungen.", "de"),
        ("Er hilft einem Jungen, der andere Meinungen hat, und diese Leistungen.", "de"),
        ("Das ist das eine Problem, dem Hoffnung fehlt; ist das eine Einladung zum Sprung im Aufschwung?", "de"),
        ("Öffne die Datei a.ts oder <b>en</b> mit -s.", "de"),
        ("The to-do list of the a-side; he had had it, and so is what it was.", "en"),
        ("It is 5 km at 9 a.m. on the 4th, or 3 mph, i.e. nothing to be sorry for.", "en"),
        ("His designs are works of art, and those who bring nothing do not sing, isn't it? I'd've gone.", "en"),
        ("The on/off switch of the in-house team, from in-app purchases.", "en"),
        ("Vitamin A is good for what is, was and will be; plan A was better. Vitamin A is a vitamin.", "en"),
        ("All you have to do is press a key; there are matches and shows; have a look.", "en"),
        ("A and B are letters, and when you bring him her book, she will.", "en"),
        ("Sie sagt, dass du kommst. Sie hat dich gesehen.", "de"),
        ("Ich weiß nicht, ob du kommen kannst, und was du getan hast.", "de"),
        ("Es läuft mit 50 Hz auf Dr. Mc Donalds Lkw.", "de"),
        ("That is really like it, and it is family.", "en"),
    ],
)
def test_what_people_write(text: str, language: str) -> None:
    """Relative clauses, participles before nouns, abbreviations, units and markup are no flaws."""
    assert count_flaws("", text, language) == 0


@pytest.mark.parametrize(
    ("source", "target", "language", "flaws"),
    [
        ("A dog sticks his face in the water.", "Ein Hund hält sein Gesicht im Wasser Gesicht.", "de", 1),
        ("People play in a fountain.", "Leute spielen in einem Brunnen in der Dämmerung Brunnen spielen.", "de", 2),
        ("A dog sees another dog.", "Ein Hund sieht einen anderen Hund.", "de", 0),
        ("A man in a red hat", "Ein Mann, Mann mit rotem Hut", "de", 0),
        ("who came, came later", "die kamen, kamen später", "de", 0),
        ("It is not what it was.", "Es war nicht das, was es nicht sein wird.", "de", 0),
        ("Er macht ein Foto mit ihr.", "He takes a picture with her picture.", "en", 1),
        ("Das Gartentor im Gartenzaun", "the garden gate in the garden fence", "en", 0),
        ("Ein Fußballspiel nach dem Handballspiel", "a football game after the handball game", "en", 0),
    ],
)
def test_words_that_are_there_once_more(source: str, target: str, language: str, flaws: int) -> None:
    """Unless two of the sentence are alike, or parts of compounds are; function words may be there as often."""
    assert count_flaws(source, target, language) == flaws


def test_function_words_are_listed_once() -> None:
    """In the language of either direction."""
    words = [(line[:2], word) for line in lines_of("function_words.txt") for word in line[4:].split()]
    assert len(words) == len(set(words))
    assert {language for language, _ in words} == {"de", "en"}
    assert all(word.isalpha() and word.islower() and len(word) >= 3 for _, word in words)


def test_what_the_sentence_has() -> None:
    """A fragment that is there in the source is the sentence's own; each of the others counts once."""
    assert count_flaws("Drücken Sie s oder t.", "Press s or t.", "en") == 0
    assert count_flaws("Drücken Sie s.", "Press s, t or t.", "en") == 1


@pytest.mark.parametrize(
    "unit", ["ist ", "in der ", "eine e ", "a ", "the ", "en ", "x", "wird so und ", "in der so ", "-"]
)
@pytest.mark.parametrize("language", ["de", "en"])
def test_floods_take_no_time(unit: str, language: str) -> None:
    """What the network may write of one word over and over is counted at once."""
    text = unit * (5_000 // len(unit))
    started = time.process_time()
    count_flaws(text, text, language)
    assert time.process_time() - started < BOUND_S


@pytest.mark.parametrize(
    ("source", "direction"),
    [
        ("Tom lives near us.", "en-de"),
        ("I'm as busy as Tom.", "en-de"),
        ("Tom lernt gerne in der Bibliothek.", "de-en"),
    ],
)
def test_the_service_takes_another(client: httpx.Client, source: str, direction: str) -> None:
    """The bundle's likeliest translation of each has a flaw, one of the next has none: that is the translation."""
    for quality in ("good", "best"):
        answer = client.post(f"/translate?dir={direction}&quality={quality}", json={"text": source}).json()
        assert count_flaws(source, answer["translations"][0]["text"], direction.split("-")[1]) == 0, answer
