"""Word links: from where the network wrote, put right where words look alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.bundle import DE_EN, EN_DE, Dictionary
from service.pipeline.alignment.links import Aligned, LazyLinks, align, words
from service.types import Link, Span

if TYPE_CHECKING:
    import httpx

    from model.bundle import Direction

WORDS = st.lists(
    st.sampled_from(["Haus", "house", "1990", ",", "x", "Präsident", "president", "😀", "ab-cd"]), max_size=20
)


def aligned(parts: list[str]) -> Aligned:
    """A text of which every word is one token."""
    text = " ".join(parts)
    spans, place = [], 0
    for part in parts:
        spans.append((place, place + len(part)))
        place += len(part) + 1
    return Aligned(text, spans)


def linked(source: Aligned, target: Aligned, origins: list[int]) -> list[tuple[str, str]]:
    """The words that are linked."""
    return [
        (source.text[link.source.start : link.source.end], target.text[link.target.start : link.target.end])
        for link in align(source, target, origins)
    ]


@given(source=WORDS, target=WORDS, data=st.data())
def test_links_join_whole_words(source: list[str], target: list[str], data: st.DataObject) -> None:
    """Whatever the frames say: in the order of the source, none twice, two whole words each, marks with marks alone."""
    one, other = aligned(source), aligned(target)
    origins = [data.draw(st.integers(0, len(source) - 1)) for _ in target] if source else []
    links = align(one, other, origins) if source else align(one, Aligned("", ()), [])
    ours, theirs = set(words(one.text)), set(words(other.text))
    assert len(set(links)) == len(links)
    assert [link.source.start for link in links] == sorted(link.source.start for link in links)
    for link in links:
        assert link.source in ours
        assert link.target in theirs
        texts = one.text[link.source.start : link.source.end], other.text[link.target.start : link.target.end]
        assert len({text[0].isalnum() for text in texts}) == 1


def test_the_frames_tell_what_became_of_what() -> None:
    """A compound has two origins; a mark that was written at a word's place is not linked with it."""
    source, target = aligned(["wine", "glasses", "break"]), aligned(["Weingläser", "zerbrechen", "."])
    assert linked(source, target, [0, 2, 2]) == [("wine", "Weingläser"), ("break", "zerbrechen")]
    halves = Aligned(target.text, ((0, 4), (4, 10), (11, 21), (22, 23)))
    assert linked(source, halves, [0, 1, 2, 2])[:2] == [("wine", "Weingläser"), ("glasses", "Weingläser")]


def test_what_looks_alike_belongs_together() -> None:
    """A year, a name and a cognate are linked although another word was written at their place."""
    source = aligned(["In", "1990", "Anna", "saw", "the", "president"])
    target = aligned(["Anna", "sah", "1990", "den", "Präsidenten", "presidential"])
    found = linked(source, target, [1, 3, 2, 4, 4, 0])
    assert {("1990", "1990"), ("Anna", "Anna"), ("president", "presidential")} <= set(found)
    assert ("1990", "Anna") not in found


def test_words_that_translate_each_other_belong_together() -> None:
    """By either dictionary, although the frames say otherwise; of several the one that the frames say is nearest."""
    source = aligned(["please", "do", "not", "open", "the", "red", "door", "or", "the", "blue", "door"])
    target = aligned(["öffne", "bitte", "die", "rote", "Tür", "oder", "die", "blaue", "Tür", "nicht"])
    known = Dictionary("blue\tblaue\ndoor\tTür\nnot\tnicht\nopen\töffnen\tÖffne\n".encode())
    back = Dictionary("Tür\tdoor\nbitte\tPlease\n".encode())
    origins = [0, 3, 4, 5, 6, 7, 8, 9, 9, 10]
    links = [(link.source, link.target) for link in align(source, target, origins, known, back)]
    spans = words(source.text), words(target.text)
    pairs = {(spans[0].index(one), spans[1].index(other)) for one, other in links}
    assert {(0, 1), (2, 9), (3, 0), (5, 3), (6, 4), (9, 7), (10, 8)} <= pairs
    assert len([one for one, _ in pairs if one in {0, 2, 3, 6, 9, 10}]) == 6


def test_what_dictionaries_put_first_is_worth_a_longer_way() -> None:
    """Further down they have much that is of no use, as that nicht is be."""
    source, target = aligned(["Es", "darf", "nicht", "leer", "sein"]), aligned(["it", "must", "not", "be", "empty"])
    known, back = Dictionary(b"nicht\tnot\tno\tbut\tbe\n"), Dictionary(b"be\tnicht\tsein\nnot\tnicht\n")
    links = align(source, target, [0, 1, 1, 2, 3], known, back)
    assert [source.text[link.source.start : link.source.end] for link in links if link.target == Span(8, 11)] == [
        "nicht"
    ]


def test_a_verb_that_denies_belongs_to_the_denial() -> None:
    """Not to the verb, which is nearer."""
    source, target = aligned(["You", "cannot", "undo", "it"]), aligned(["Du", "kannst", "das", "nicht", "ändern"])
    links = align(source, target, [0, 1, 3, 1, 2], Dictionary(b"cannot\tkannst\tnicht\n"))
    assert [target.text[link.target.start : link.target.end] for link in links if link.source == Span(4, 10)] == [
        "nicht"
    ]


def test_all_words_of_a_compound_belong_to_it() -> None:
    """By a phrase or a part that the dictionaries have, either way; not a word that stands elsewhere."""
    german = aligned(["Benutzerkonto", "und", "Wildblumen", "im", "Schwimmbad"])
    english = aligned(["user", "account", "and", "wild", "flowers", "in", "pool", "for", "swimming", "flowers"])
    words_of = {
        DE_EN: Dictionary(b"Benutzerkonto\taccount\nSchwimmbad\tpool\tswimming pool\nWildblumen\twild\n"),
        EN_DE: Dictionary(b"flowers\tBlumen\nuser\tBenutzer\n"),
    }
    expected = {("Benutzerkonto", "account"), ("Benutzerkonto", "user"), ("Wildblumen", "flowers")}
    links = align(german, english, [0, 0, 1, 2, 1, 3, 4, 3, 1, 1], words_of[DE_EN], words_of[EN_DE])
    found = {
        (german.text[link.source.start : link.source.end], english.text[link.target.start : link.target.end])
        for link in links
    }
    assert expected <= found
    assert ("Schwimmbad", "swimming") not in found
    assert len([link for link in links if link.target.start == english.text.rindex("flowers")]) == 1
    links = align(english, german, [0, 2, 3, 5, 6], words_of[EN_DE], words_of[DE_EN])
    found = {
        (german.text[link.target.start : link.target.end], english.text[link.source.start : link.source.end])
        for link in links
    }
    assert expected <= found


def test_links_are_worked_out_once_and_only_for_those_who_look() -> None:
    """They cost nothing to those who do not."""
    calls = []

    def work_out() -> tuple[Link, ...]:
        calls.append(1)
        return (Link(Span(0, 1), Span(0, 1)),)

    links = LazyLinks(work_out)
    assert not calls
    assert [len(links), *links, links[0]] == [1, *work_out(), *work_out()]
    assert len(calls) == 3


@pytest.mark.parametrize(
    ("direction", "text", "expected"),
    [
        (EN_DE, "Two dogs play in the park.", {("Two", "Zwei"), ("dogs", "Hunde"), ("play", "spielen"), (".", ".")}),
        (DE_EN, "Ein Mann mit einem roten Hut.", {("Mann", "man"), ("roten", "red"), ("Hut", "hat"), (".", ".")}),
    ],
)
@pytest.mark.parametrize("quality", ["fast", "best"])
def test_words_of_the_real_network(
    client: httpx.Client, quality: str, direction: Direction, text: str, expected: set[tuple[str, str]]
) -> None:
    """Over HTTP, with either quality: plain words are linked with their translations."""
    params = {"dir": str(direction), "quality": quality, "details": "true"}
    response = client.post("/translate", params=params, json={"text": [text]})
    (segment,) = response.json()["translations"][0]["segments"]
    source, target = segment["source"]["text"], segment["target"]["text"]
    assert expected <= {(source[a:b], target[c:d]) for a, b, c, d in segment["alignment"]}
