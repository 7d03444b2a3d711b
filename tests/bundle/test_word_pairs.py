"""What a word of a sentence says for a word of its translation."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.bundle import DE_EN, EN_DE, ManifestError, WordPairs, read_word_pairs, word_pairs_file
from model.bundle.word_pairs import STEP, differences

if TYPE_CHECKING:
    from pathlib import Path

SIZE = 1 << 14
LIVED = "She lived here."
THEN, NOW = "Sie wohnte hier.", "Sie wohnt hier."


def favouring(source: str, translation: str, other: str) -> WordPairs:
    """Whatever one translation of a sentence has and the other lacks gets the largest weight."""
    weights = np.zeros(SIZE, np.int8)
    for places, shares in differences(source, [translation, other], SIZE):
        weights[places[:, shares[0] > 0]] = 127
    return WordPairs(weights)


def test_what_speaks_for_one_of_two() -> None:
    """Gains are sums of weights of what only one has; in whatever order they stand, each keeps its own."""
    pairs = favouring(LIVED, THEN, NOW)
    then, now = pairs.gains(LIVED, [THEN, NOW])
    assert then > 127 * STEP > now == pytest.approx(0)
    assert pairs.gains(LIVED, [NOW, THEN]) == [now, then]


def test_ends_of_words_are_learned_for_others() -> None:
    """The end of a longer word stands for it: what is known of *lived* and *wohnte* helps with *cooked*."""
    then, now = favouring(LIVED, THEN, NOW).gains("She cooked.", ["Sie kochte.", "Sie kocht."])
    assert then > now


def test_what_all_have_says_nothing() -> None:
    """Of the same translation twice, of one alone, and of none there is nothing to add."""
    pairs = WordPairs(np.full(SIZE, 127, np.int8))
    assert pairs.gains(LIVED, [THEN, THEN]) == [0, 0]
    assert pairs.gains(LIVED, [THEN]) == [0]
    assert pairs.gains(LIVED, []) == []


def test_a_word_says_less_in_a_long_sentence() -> None:
    """Of many words each says less of one that it stands far from."""
    weights = WordPairs(np.full(SIZE, 1, np.int8))
    words = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
    per_word = [weights.gains(" ".join(words[:length]), ["Haus", ""])[0] / length for length in (3, 12)]
    assert per_word[0] > 1.3 * per_word[1] > 0


def test_what_a_word_is_worth() -> None:
    """Where no pair says anything, the longer translation gains, and by as much as another loses."""
    shorter, longer = WordPairs(np.zeros(SIZE, np.int8), 0.25).gains(LIVED, ["Sie lebte.", "Sie hat hier gelebt."])
    assert longer == -shorter == 0.25


@given(source=st.text(), translations=st.lists(st.text(), max_size=5))
def test_any_text(source: str, translations: list[str]) -> None:
    """One number for each translation, whatever is in them, and for the same the same."""
    pairs = WordPairs(np.arange(SIZE, dtype=np.int64).astype(np.int8))
    gains = pairs.gains(source, [*translations, *translations])
    assert len(gains) == 2 * len(translations)
    assert np.isfinite(gains).all()
    assert gains[: len(translations)] == pytest.approx(gains[len(translations) :], abs=1e-4)


def test_a_file_has_it_all(tmp_path: Path) -> None:
    """What is written is read, for the directions whose files are listed."""
    pairs = replace(favouring(LIVED, THEN, NOW), per_word=0.125)
    pairs.save(tmp_path / word_pairs_file(EN_DE))
    read = read_word_pairs(tmp_path, [word_pairs_file(EN_DE)])
    assert list(read) == [EN_DE]
    assert np.array_equal(read[EN_DE].weights, pairs.weights)
    assert read[EN_DE].per_word == pairs.per_word


@pytest.mark.parametrize(
    "arrays",
    [
        {},
        {"weight": np.zeros(SIZE, np.int8)},
        {"weights": np.zeros(SIZE, np.float32)},
        {"weights": np.zeros(SIZE + 1, np.int8)},
        {"weights": np.zeros(0, np.int8)},
        {"weights": np.zeros((2, SIZE), np.int8)},
    ],
    ids=["nothing", "another name", "another type", "no power of two", "none", "a table"],
)
def test_other_files_are_refused(tmp_path: Path, arrays: dict[str, Any]) -> None:
    """The message names the file, and what it should have."""
    path = tmp_path / word_pairs_file(DE_EN)
    with path.open("wb") as file:
        np.savez_compressed(file, **arrays)
    with pytest.raises(ManifestError, match=r"word_pairs.de-en.npz has no weights of word pairs: int8"):
        WordPairs.open(path)


@pytest.mark.parametrize(
    "arrays",
    [{}, {"per_word": np.float64(0)}, {"per_word": np.zeros(1, np.float32)}, {"per_word": np.float32(np.nan)}],
    ids=["nothing", "another type", "several", "no number"],
)
def test_what_a_word_is_worth_must_be_there(tmp_path: Path, arrays: dict[str, Any]) -> None:
    """One finite number; and what is no file of arrays is told apart."""
    path = tmp_path / word_pairs_file(DE_EN)
    with path.open("wb") as file:
        np.savez_compressed(file, weights=np.zeros(SIZE, np.int8), **arrays)
    with pytest.raises(ManifestError, match=r"word_pairs.de-en.npz does not say what a word is worth: one float32"):
        WordPairs.open(path)
    path.write_bytes(b"junk")
    with pytest.raises(ManifestError, match=r"word_pairs.de-en.npz has no arrays that can be read"):
        WordPairs.open(path)
