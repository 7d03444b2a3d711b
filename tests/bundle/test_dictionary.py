"""What single words may become: the file, and looking words up in it."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.bundle import (
    DE_EN,
    EN_DE,
    Dictionary,
    ManifestError,
    dictionary_file,
    read_dictionaries,
    write_dictionary_file,
)

if TYPE_CHECKING:
    from pathlib import Path

ENTRIES = {
    "eliminate": ["beseitigen", "eliminieren"],
    "throat": ["Kehle"],
    "May": ["Mai"],
    "may": ["darf", "kann"],
    "Milk": ["Himmelsmilch", "Milk"],
    "milk": ["Milch", "Vollmilch"],
    "Polish": ["Polish", "polnisch", "Polnisch"],
    "polish": ["aufpoliert"],
    "Version": ["Version"],
    "version": ["Versionsnummer"],
    "Office": ["Office"],
    "office": ["Büro", "Office-Suite"],
    "it": ["es"],
    "Berlin": ["Berlin"],
    "élan": ["Schwung"],
    "access": ["Zugriff"],
    "access-key": ["Zugriffstaste"],
    "Straße": ["street"],
    "tür": ["door"],
    "dass": ["that"],
}


@pytest.fixture(scope="module")
def dictionary(tmp_path_factory: pytest.TempPathFactory) -> Dictionary:
    """A small one, written and read."""
    path = tmp_path_factory.mktemp("dictionary") / dictionary_file(EN_DE)
    write_dictionary_file(path, ENTRIES)
    return Dictionary.open(path)


def test_every_word_is_found(dictionary: Dictionary) -> None:
    """Whatever its place in the file, a word has its translations in their order."""
    assert len(dictionary) == len(ENTRIES)
    known_once = {word: ENTRIES[word] for word in ENTRIES if word.islower() or word.lower() not in ENTRIES}
    assert {word: list(dictionary.translations(word)) for word in known_once} == known_once


@pytest.mark.parametrize(
    ("word", "translations"),
    [
        ("Eliminate", ("Beseitigen", "Eliminieren")),
        ("ELIMINATE", ("BESEITIGEN", "ELIMINIEREN")),
        ("berlin", ("Berlin",)),
        ("Throat", ("Kehle",)),
        ("May", ("Darf", "Mai", "Kann")),
        ("MAY", ()),
        ("IT", ()),
        ("It", ("Es",)),
        ("", ()),
        ("acces", ()),
        ("zoo", ()),
        ("\ud800", ()),
        ("strasse", ("street",)),
        ("STRASSE", ("STREET",)),
        ("Tuer", ("Door",)),
        ("daß", ("that",)),
        ("Élan", ("Schwung",)),
    ],
)
def test_capitals(dictionary: Dictionary, word: str, translations: tuple[str, ...]) -> None:
    """A word in other capitals or spelling than listed is found, and gives those; an abbreviation is another word."""
    assert dictionary.translations(word) == translations


@pytest.mark.parametrize(
    ("word", "translations", "german"),
    [
        ("Milk", ("Milch", "Himmelsmilch", "Vollmilch"), ("Himmelsmilch", "Milch", "Vollmilch")),
        ("Polish", ("Polnisch", "Aufpoliert"), ("Polnisch", "Aufpoliert")),
        ("Version", ("Versionsnummer", "Version"), ("Version", "Versionsnummer")),
        ("Office", ("Büro", "Office-Suite"), ("Büro", "Office-Suite")),
    ],
)
def test_words_with_a_capital_and_without(
    dictionary: Dictionary, word: str, translations: tuple[str, ...], german: tuple[str, ...]
) -> None:
    """What may become one thing with a capital and another without may become both; itself only if it is made so."""
    assert dictionary.translations(word) == translations
    assert dictionary.translations(word, nouns_have_capitals=True) == german


_WORDS = st.text("abß", min_size=1, max_size=6)


@given(st.dictionaries(_WORDS, st.lists(st.sampled_from("xyz"), min_size=1)), st.lists(st.text("abß\t\nx")))
def test_every_word_and_no_other_is_found(entries: dict[str, list[str]], others: list[str]) -> None:
    """Of however many lines: what is in the file as a word is found, and what is there otherwise is not."""
    lines = ("\t".join([word, *entries[word]]) for word in sorted(entries, key=str.encode))
    dictionary = Dictionary("".join(f"{line}\n" for line in lines).encode())
    assert {word: [*dictionary.translations(word)] for word in entries} == entries
    others += [f"{word}\t{its[0]}" for word, its in entries.items()]
    assert [word for word in others if word in dictionary] == [word for word in others if word in entries]


@given(st.sets(_WORDS | st.just("Ab")), st.text("abßA", min_size=1, max_size=4))
def test_beginnings_of_words(words: set[str], letters: str) -> None:
    """Letters begin a word if one is longer, be it with a capital."""
    dictionary = Dictionary("".join(f"{word}\tx\n" for word in sorted(words, key=str.encode)).encode())
    forms = (letters, letters.capitalize())
    expected = any(word.startswith(form) and word != form for word in words for form in forms)
    assert dictionary.has_beginning(letters) == expected


@given(st.sampled_from(sorted(ENTRIES)), st.integers(0, 9), st.sampled_from("xeäß"), st.sampled_from("xX"))
def test_words_that_are_alike(word: str, place: int, letter: str, case: str) -> None:
    """A word of the dictionary is found by what one slip makes of it, in whatever case, and a short one by itself."""
    dictionary = Dictionary("".join(f"{one}\tx\n" for one in sorted(ENTRIES, key=str.encode)).encode())
    before, after = word[:place], word[place:]
    swapped = before + after[:2][::-1] + after[2:]
    for slip in (before + letter + after, before + after[1:], before + letter + after[1:], swapped):
        if slip:
            assert word in dictionary.alike(slip.upper() if case == "X" and "ß" not in slip else slip)
    assert "Berlin" not in dictionary.alike("throat")
    assert Dictionary(b"").alike(word) == []


@pytest.mark.parametrize(
    "text",
    [b"b\tx\na\ty\n", b"a\tx\na\ty\n", b"a\n", b"\tx\n", b"a\t\n", b"a\t\xff\n", b"a\tx\nb\ty"],
    ids=["not-in-order", "twice", "no-translation", "no-word", "empty-translation", "not-utf-8", "cut-off"],
)
def test_malformed_lines(tmp_path: Path, text: bytes) -> None:
    """A file whose words would not be found, or have nothing to say, is refused."""
    path = tmp_path / dictionary_file(DE_EN)
    path.write_bytes(gzip.compress(text))
    with pytest.raises(ManifestError, match=r"dictionary\.de-en\.tsv\.gz is no dictionary"):
        Dictionary.open(path)


@pytest.mark.parametrize("content", [b"", b"plain text", gzip.compress(b"a\tb\n")[:-9]], ids=["empty", "plain", "cut"])
def test_damaged_file(tmp_path: Path, content: bytes) -> None:
    """What gzip cannot read is refused."""
    path = tmp_path / dictionary_file(DE_EN)
    path.write_bytes(content)
    with pytest.raises(ManifestError, match="is no dictionary"):
        Dictionary.open(path)


def test_no_words(tmp_path: Path) -> None:
    """A dictionary may be empty."""
    path = tmp_path / dictionary_file(DE_EN)
    write_dictionary_file(path, {})
    assert Dictionary.open(path).translations("Haus") == ()


def test_files_that_are_named(tmp_path: Path) -> None:
    """Of a folder only the dictionaries that are asked for are read."""
    write_dictionary_file(tmp_path / dictionary_file(EN_DE), ENTRIES)
    assert set(read_dictionaries(tmp_path, [dictionary_file(EN_DE), "weights.safetensors"])) == {EN_DE}
    assert read_dictionaries(tmp_path, []) == {}


def test_same_words_same_file(tmp_path: Path) -> None:
    """What was found in another order is written alike, at any time."""
    for name, entries in (("one", ENTRIES), ("two", dict(reversed(ENTRIES.items())))):
        write_dictionary_file(tmp_path / name, entries)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
