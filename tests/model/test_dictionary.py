"""Which word of a corpus becomes which."""

from __future__ import annotations

import json
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

from model.bundle import DE_EN, DIRECTIONS, EN_DE, Dictionary, dictionary_file
from model.data.corpus import CorpusError, Pair
from model.descriptions import DICTIONARY
from model.dictionary import Uses, base_form, translations, write_dictionary
from tests.model import toy

if TYPE_CHECKING:
    from pathlib import Path

    from model.data.packed import PackedCorpus

needs_eflomal = pytest.mark.skipif(find_spec("eflomal") is None, reason="eflomal is not installed: '.[align]'")


@needs_eflomal
def test_dictionary_of_a_corpus(corpus: PackedCorpus, tmp_path: Path) -> None:
    """Aligned for real, verbs of the toy languages find each other, both ways, and sources are recorded."""
    sizes = write_dictionary(corpus, tmp_path)
    english, german = (Dictionary.open(tmp_path / dictionary_file(direction)) for direction in DIRECTIONS)
    assert sizes == {"en-de": len(english), "de-en": len(german)}
    verbs = [pair for verb in toy.VERBS for pair in zip(verb.english, verb.german, strict=True)]
    found = [english.translations(ours)[:1] == (theirs,) for ours, theirs in verbs]
    found += [german.translations(theirs)[:1] == (ours,) for ours, theirs in verbs]
    assert sum(found) >= 0.8 * len(found)  # the aligner draws lots
    description = json.loads((tmp_path / DICTIONARY).read_text(encoding="utf-8"))
    assert description == {"pairs": len(corpus), "words": sizes, "sources": corpus.source_names}


@needs_eflomal
def test_sources_that_are_left_out(corpus: PackedCorpus, tmp_path: Path) -> None:
    """Pairs of an excluded source do not count; a pattern that fits none is an error."""
    first = corpus.source_names[0]
    write_dictionary(corpus, tmp_path, excluded_sources=[first])
    description = json.loads((tmp_path / DICTIONARY).read_text(encoding="utf-8"))
    assert description["pairs"] < len(corpus)
    assert first not in description["sources"]
    with pytest.raises(CorpusError, match="comes from nowhere"):
        write_dictionary(corpus, tmp_path, excluded_sources=["nowhere"])


def test_pairs_that_cannot_be_aligned(vocabulary: Path, tmp_path: Path) -> None:
    """Without a word on both sides of any pair there is nothing to write."""
    (tmp_path / "packed").mkdir()
    numbers = toy.packed([Pair("1 2 3", "1 2 3", "numbers")] * 3, vocabulary, tmp_path / "packed")
    with pytest.raises(CorpusError, match="has no pairs"):
        write_dictionary(numbers, tmp_path / "models")


def test_links_become_translations() -> None:
    """Words in a row make one translation, without its article; gaps, and links that one way alone has, make none."""
    uses = Uses()
    source, target = ["Zugriffstasten", "gibt", "es", "hier"], ["the", "access", "keys", "are", "here"]
    links = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 3), (2, 3), (3, 4)]
    uses.count(source, target, links, {(0, 2), (1, 3), (3, 4)}, "en")
    assert uses.pairs == {("Zugriffstasten", "access keys"): 1, ("hier", "here"): 1}
    assert uses.words == dict.fromkeys(source, 1)


def counted(**uses: dict[str, int]) -> Uses:
    """Words, and how often each has been linked with what."""
    result = Uses()
    for word, found in uses.items():
        result.words[word] = sum(found.values())
        result.pairs.update({(word, translation): count for translation, count in found.items()})
    return result


def test_likeliest_first() -> None:
    """What a word becomes most often; of two of them that which hardly another word becomes; nothing rare."""
    uses = counted(
        remnant={"Rest": 45, "Überrest": 40, "Überbleibsel": 14, "Ding": 1},
        rest={"Rest": 900},
        once={"einmal": 2},
    )
    assert translations(uses, EN_DE) == {"remnant": ["Überrest", "Rest", "Überbleibsel"], "rest": ["Rest"]}


def test_word_that_becomes_anything() -> None:
    """Where no translation is likely, there is no entry."""
    assert translations(counted(thing={f"Ding{n}": 2 for n in range(40)}), EN_DE) == {}


def test_forms_of_an_adjective_count_together() -> None:
    """German adjectives are listed as they stand alone; English words have no such endings."""
    uses = counted(
        essential={"wesentlichen": 4, "wesentliche": 4, "wesentlich": 3, "großes": 4, "großen": 6, "groß": 2}
    )
    assert translations(uses, EN_DE)["essential"] == ["groß", "wesentlich"]
    assert translations(counted(Fluss={"fluen": 4, "fluer": 4}), DE_EN)["Fluss"] == ["fluen", "fluer"]


def test_other_spellings_are_no_words() -> None:
    """What is as rare beside another word as a slip of the pen, or as Swiss or old spelling, has no entry."""
    uses = counted(
        See={"lake": 99},
        see={"lake": 9},
        Essen={"food": 50},
        essen={"eat": 40},
        Straße={"street": 50},
        Strasse={"street": 5},
        dass={"that": 90},
        daß={"that": 5},
        für={"for": 99},
        fuer={"for": 4},
        Masse={"mass": 9},
    )
    assert set(translations(uses, DE_EN)) == {"See", "Essen", "essen", "Straße", "dass", "für", "Masse"}


def test_capitals_of_titles_do_not_count() -> None:
    """English words are listed once, as they are written most; German ones differ by their capitals."""
    uses = counted(Grund={"reason": 9, "Reason": 4, "ground": 8})
    assert translations(uses, DE_EN)["Grund"] == ["reason", "ground"]
    assert translations(counted(love={"Liebe": 9, "liebe": 4}), EN_DE)["love"] == ["Liebe", "liebe"]


@pytest.mark.parametrize(
    ("word", "siblings", "base"),
    [
        ("roten", {"rot": 9, "roten": 20, "rotes": 1}, "rot"),
        ("rotes", {"rot": 1, "rotes": 1}, "rot"),
        ("neuesten", {"neuesten": 9, "neuester": 3}, "neueste"),
        ("beweglichen", {"beweglichen": 1}, "beweglich"),
        ("langanhaltenden", {"langanhaltenden": 1}, "langanhaltend"),
        ("lieben", {"lieben": 320, "liebe": 300, "liebt": 55, "lieb": 66, "liebes": 10}, "lieben"),
        ("Roten", {"Rot": 9, "Roten": 2, "Rotes": 1}, "Roten"),
        ("speichern", {"speichern": 9, "speichere": 2}, "speichern"),
        ("gibt", {"gibt": 2}, "gibt"),
    ],
)
def test_base_form(word: str, siblings: dict[str, int], base: str) -> None:
    """An ending is taken off what other endings beside it show to be an adjective, or its own last letters do."""
    assert base_form(word, siblings) == base
