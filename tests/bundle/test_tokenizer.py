"""Normalisation and the tokenizer: nothing is unknown, nothing that users type is lost."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

import pytest
import sentencepiece
from hypothesis import given
from hypothesis import strategies as st

from model.bundle import BLANK_ID, UNKNOWN_ID, ManifestError, Tokenizer, fold, normalise
from model.data.corpus import CorpusError, Pair
from model.data.vocabulary import train_vocabulary
from tests.model import toy

if TYPE_CHECKING:
    from pathlib import Path

any_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
"""All of Unicode that UTF-8 can write."""

KEPT = ["x²", "m³", "½", "™", "…", "№ 20", "°C", "„Straße“", "–", "œuvre", "ﷺ", "日本語", "👩‍👩‍👧"]
FOLDED = {
    "full-width letters": ("Ｈｅｌｌｏ！", "Hello!"),
    "half-width katakana with voicing": ("ｶﾞ", "ガ"),
    "ligatures": ("ﬁne oﬃce ﬂow", "fine office flow"),
    "no-break space": ("10\u00a0km", "10 km"),
    "narrow no-break space": ("z.\u202fB.", "z. B."),
    "soft hyphen": ("Donau\u00addampfschiff", "Donaudampfschiff"),
    "no width": ("\u202aDonau\u200b\u2060\u200cdampf\u200eschiff\u202c \u2066auf\u2069", "Donaudampfschiff auf"),
    "byte-order mark": ("\ufeffHallo", "Hallo"),
    "decomposed umlaut": ("u\u0308ber", "über"),
}


def spaced(text: str) -> str:
    """Words with one space between."""
    return " ".join(text.split())


@pytest.mark.parametrize("text", KEPT)
def test_normalise_keeps_what_nfkc_destroys(text: str) -> None:
    """Superscripts, fractions, symbols, ellipses and quotes stay as typed."""
    assert normalise(text) == text


@pytest.mark.parametrize(("text", "expected"), FOLDED.values(), ids=FOLDED.keys())
def test_normalise_folds_mere_variants(text: str, expected: str) -> None:
    """Width, ligatures, no-break spaces and composition are made uniform; soft hyphens and marks go."""
    assert normalise(text) == expected


@given(any_text)
def test_normalise_is_idempotent_and_composed(text: str) -> None:
    """Normalising twice changes nothing more, and the result is in NFC."""
    once = normalise(text)
    assert normalise(once) == once
    assert unicodedata.is_normalized("NFC", once)


def test_normalise_is_idempotent_for_every_character() -> None:
    """No single character of Unicode needs a second pass."""
    every = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]
    assert [char for char in every if normalise(normalise(char)) != normalise(char)] == []


@given(any_text)
def test_round_trip_of_any_text(tokenizer: Tokenizer, text: str) -> None:
    """Any text encodes without an unknown or blank, and decodes to its normalised self, white space collapsed."""
    ids = tokenizer.encode(text)
    assert UNKNOWN_ID not in ids
    assert BLANK_ID not in ids
    assert all(0 < token < tokenizer.vocabulary_size for token in ids)
    assert spaced(tokenizer.decode(ids)) == spaced(normalise(text))


@pytest.mark.parametrize(
    "text",
    [
        "Die Frau kauft 12 Blumen.",
        "x² + y² = ½ …",
        "日本語 🙂 👩‍👩‍👧 \U0010ffff",
        "<blank> <unk> <0x41> <s>",
        "low_line ▁ lower eighth block",
        "a\tb\nc\x00d",
        "e\u0301 \u0301 q\u0301\u0323",
    ],
)
def test_round_trip_of_awkward_text(tokenizer: Tokenizer, text: str) -> None:
    """Other scripts, names of special tokens, SentencePiece's own space sign and controls all survive."""
    assert spaced(tokenizer.decode(tokenizer.encode(text))) == spaced(normalise(text))


@pytest.mark.parametrize("text", ["", " ", "   ", "\u00a0 \u00a0"])
def test_blank_text_has_no_tokens(tokenizer: Tokenizer, text: str) -> None:
    """Text of spaces alone encodes to nothing, and nothing decodes to the empty text."""
    assert tokenizer.encode(text) == []
    assert tokenizer.decode([]) == ""


def test_lone_surrogate_is_refused(tokenizer: Tokenizer) -> None:
    """Half a surrogate pair is no text: the error is UnicodeEncodeError, alone and in a batch."""
    with pytest.raises(UnicodeEncodeError):
        tokenizer.encode("a\ud800b")
    with pytest.raises(UnicodeEncodeError):
        tokenizer.encode_batch(["fine", "a\ud800b"])


@given(st.lists(any_text, max_size=4))
def test_batch_equals_one_by_one(tokenizer: Tokenizer, texts: list[str]) -> None:
    """Encoding many texts at once changes none."""
    assert tokenizer.encode_batch(texts) == [tokenizer.encode(text) for text in texts]


@given(st.lists(st.integers(0, toy.VOCABULARY_SIZE - 1), max_size=20))
def test_any_ids_decode(tokenizer: Tokenizer, ids: list[int]) -> None:
    """Whatever a network puts out becomes valid text, that of SentencePiece: broken bytes turn into U+FFFD."""
    text = tokenizer.decode(ids)
    assert text.encode("utf-8").decode("utf-8") == text
    assert text == tokenizer._pieces.DecodeIds(ids)


def test_broken_bytes_decode_to_replacement(tokenizer: Tokenizer) -> None:
    """The first byte of a two-byte character alone is shown as U+FFFD."""
    first_byte = next(token for token in tokenizer.encode("ж") if tokenizer.pieces([token]) == ["<0xD0>"])
    assert "\ufffd" in tokenizer.decode([first_byte])


def test_special_ids_decode_to_nothing_readable(tokenizer: Tokenizer) -> None:
    """The blank leaves no trace in a text."""
    ids = tokenizer.encode("Ein Mann")
    assert tokenizer.decode([BLANK_ID, *ids, BLANK_ID]) == "Ein Mann"


def test_pieces_spell_the_text(tokenizer: Tokenizer) -> None:
    """The vocabulary's entries, put together, are the text; every digit is one of its own."""
    pieces = tokenizer.pieces(tokenizer.encode("12 Blumen"))
    assert "".join(pieces).replace("▁", " ") == " 12 Blumen"
    assert {"1", "2"} < set(pieces)


@given(st.text(st.characters(exclude_categories=["C", "Z"]), max_size=12))
def test_spelled_characters_are_those_of_several_bytes(tokenizer: Tokenizer, text: str) -> None:
    """A text none of whose characters is said to be spelled has no byte tokens, but for single ones."""
    text = normalise(text)
    spelled = tokenizer.spelled(text)
    assert spelled <= set(text)
    for char in set(text):
        pieces = [piece for piece in tokenizer.pieces(tokenizer.encode(char)) if piece.startswith("<0x")]
        assert (char in spelled) == (len(pieces) > 1), pieces


def test_composed_characters_are_not_spelled(tokenizer: Tokenizer) -> None:
    """A letter and its mark, which become one that the vocabulary has, are as good as that."""
    assert tokenizer.spelled("Mu\u0308ller") == set()
    assert tokenizer.spelled("Mü € ™ ü") == {"€", "™"}


def test_file_that_is_no_vocabulary(tmp_path: Path) -> None:
    """A missing file and a damaged one are errors that name it."""
    path = tmp_path / "tokenizer.model"
    with pytest.raises(ManifestError, match=r"tokenizer\.model is not a SentencePiece model"):
        Tokenizer(path)
    path.write_bytes(b"not a model")
    with pytest.raises(ManifestError, match=r"tokenizer\.model is not a SentencePiece model"):
        Tokenizer(path)


def test_vocabulary_with_other_special_ids(tmp_path: Path) -> None:
    """A SentencePiece model with its default special tokens has no blank at 0 and is refused."""
    path = tmp_path / "tokenizer.model"
    with path.open("wb") as file:
        sentencepiece.SentencePieceTrainer.Train(
            sentence_iterator=iter([pair.english for pair in toy.sentences(50)]),
            model_writer=file,
            vocab_size=60,
            minloglevel=2,
        )
    with pytest.raises(ManifestError, match="must reserve id 0 for blank and 1 for unknown"):
        Tokenizer(path)


def test_vocabulary_has_the_size_asked_for(tokenizer: Tokenizer) -> None:
    """Blank, unknown and bytes count towards the size."""
    assert tokenizer.vocabulary_size == toy.VOCABULARY_SIZE


def test_too_little_text_for_a_vocabulary(tmp_path: Path) -> None:
    """Asking for more tokens than the text supports is an error that says so, and leaves no file."""
    path = tmp_path / "tokenizer.model"
    with pytest.raises(CorpusError, match="cannot learn a vocabulary of 5000 tokens from 2 sentences"):
        train_vocabulary([Pair("A man.", "Ein Mann.", "x")], path, size=5000, max_sentences=10)
    assert not path.exists()


def test_vocabulary_is_reproducible(vocabulary: Path, tmp_path: Path) -> None:
    """The same text and seed give the same tokens, also when sentences are drawn at random."""
    again = tmp_path / "again.model"
    for size in (1000, 150):
        train_vocabulary(toy.sentences(200), again, size=toy.VOCABULARY_SIZE - 20, max_sentences=size)
        first = Tokenizer(again)
        train_vocabulary(toy.sentences(200), again, size=toy.VOCABULARY_SIZE - 20, max_sentences=size)
        second = Tokenizer(again)
        everything = range(first.vocabulary_size)
        assert first.pieces(everything) == second.pieces(everything)
    assert Tokenizer(vocabulary).vocabulary_size == toy.VOCABULARY_SIZE


def test_fold_keeps_letters_and_digits() -> None:
    """Folding removes case, punctuation, spacing and width, and nothing else."""
    assert fold("Die „STRASSE“ – Nr. 12!") == fold("die Straße nr １２") == "diestrassenr12"
    assert fold("a b") != fold("a c")
