"""Which words there are, and what the search makes of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from model.bundle import BLANK_ID, ManifestError, Tokenizer, prefix_beam_search
from model.bundle.beam import Fluency
from model.bundle.language_model import LanguageModel
from model.bundle.lexicon import Lexicon, word_table, words_in
from model.ngrams import estimate, save

WORDS = ("es", "regnet", "die", "übersetzung", "ist", "gut", "e", "mail", "don", "t")


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    """The vocabulary of a shipped bundle."""
    return Tokenizer(Path("bundles/reder-small/tokenizer.model"))


@pytest.fixture(scope="module")
def ngrams(tokenizer: Tokenizer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A language model that has hardly read anything, and these words."""
    path = tmp_path_factory.mktemp("words") / "ngrams.de.npz"
    some = np.array([40, 41, 42, 40, 41])
    size = tokenizer.vocabulary_size
    save(estimate(some, np.array([0, 3, 5]), vocabulary_size=size, order=2, threshold=0.0), path, words=WORDS)
    return path


@pytest.fixture(scope="module")
def lexicon(tokenizer: Tokenizer, ngrams: Path) -> Lexicon:
    """As it is read from a file."""
    found = Lexicon.open(ngrams, tokenizer)
    assert found
    return found


def searched(tokenizer: Tokenizer, ids: np.ndarray, logs: np.ndarray, fluency: Fluency, source: str) -> str:
    """What a wide search finds best."""
    found = prefix_beam_search(ids, logs, beam=20, blank_id=BLANK_ID, fluency=fluency, source=tokenizer.encode(source))
    return tokenizer.decode(found[0].ids)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Es regnet.", 0),
        ("ES REGNET", 0),
        ("Es regnnet.", 1),
        ("Die Übersetzungsetzung ist gut.", 1),
        ("(Die Übersetzung) ist gut, Die-Übersetzung?", 0),
        ("E-Mail, don't!", 0),
        ("12 3,5 % x86 ...", 1),  # the x
        ("", 0),
        ("Es regnet éine", 0),  # with a letter in bytes, which is not judged
        ("éine regnnet", 1),  # but what comes after it is
    ],
)
def test_counts_what_is_no_word(lexicon: Lexicon, tokenizer: Tokenizer, text: str, count: int) -> None:
    """Words are told apart from what is none, token by token, whatever stands around them."""
    assert lexicon.flaws(tokenizer.encode(text)).unknown == count


def test_a_word_by_itself(lexicon: Lexicon) -> None:
    """It is there, whatever its capitals, or it is not."""
    assert all(word in lexicon and word.upper() in lexicon for word in WORDS)
    assert not any(word in lexicon for word in ("regnnet", "übersetzungsetzung", "", "\ud800"))


def tokens(tokenizer: Tokenizer, *pieces: str) -> list[int]:
    """Those that write just these."""
    return [tokenizer.written.index(piece) for piece in pieces]


def test_a_word_is_its_letters_however_they_are_cut(lexicon: Lexicon, tokenizer: Tokenizer) -> None:
    """A network may write a word in other tokens than the vocabulary would."""
    cut = tokens(tokenizer, " re", "g", "n", "e", "t")
    assert cut != tokenizer.encode("regnet")
    assert lexicon.flaws(cut).unknown == 0
    assert lexicon.flaws(cut[:-1]).unknown == 1


def test_words_of_the_source_are_spared(lexicon: Lexicon, tokenizer: Tokenizer) -> None:
    """A name need not be known to be written again."""
    text = tokenizer.encode("Es regnet, Kwasniewski.")
    assert lexicon.flaws(text).unknown == 1
    assert lexicon.flaws(text, tokenizer.encode("It rains, KWASNIEWSKI!")).unknown == 0


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Die Übersetzung Übersetzung ist gut.", 1),
        ("Die die Übersetzung ist ist gut gut", 3),
        ("Die, die Übersetzung. Übersetzung ist gut", 0),
        ("e's's, e’e", 2),
        ("es ist es ist", 0),
        ("3 3 es-es", 0),
        ("é é", 0),  # in bytes, which are not judged
        ("", 0),
    ],
)
def test_counts_words_that_follow_themselves(lexicon: Lexicon, tokenizer: Tokenizer, text: str, count: int) -> None:
    """A word right after itself, however they are cut into tokens; not one with a sign in between."""
    assert lexicon.flaws(tokenizer.encode(text)).repeated == count
    assert lexicon.flaws(tokens(tokenizer, *" es es")).repeated == 1


def test_the_search_shuns_words_that_follow_themselves(lexicon: Lexicon, tokenizer: Tokenizer, ngrams: Path) -> None:
    """Of two texts the one that says nothing twice wins over a likelier one, unless the source says something twice."""
    gut, ist = tokens(tokenizer, " gut", " ist")
    ids = np.array([[ist, BLANK_ID], [gut, BLANK_ID], [BLANK_ID, gut], [gut, BLANK_ID]])
    logs = np.log([[0.9, 0.1], [0.9, 0.1], [0.9, 0.1], [0.7, 0.3]])

    fluency = Fluency(LanguageModel.open(ngrams), 0.0, 0.0, lexicon)

    def best(cost: float, source: str) -> str:
        return searched(tokenizer, ids, logs, replace(fluency, repeated_word_cost=cost), source)

    assert best(0.0, "It is good.") == "ist gut gut"
    assert best(4.0, "It is good.") == "ist gut"
    assert best(4.0, "It is very very good.") == "ist gut gut"


def test_the_search_prefers_words(lexicon: Lexicon, tokenizer: Tokenizer, ngrams: Path) -> None:
    """Of two texts the one that is made of words wins over a likelier one, unless the word stands in the source."""
    start, once_more, end = tokens(tokenizer, " reg", "n", "net")
    ids = np.array([[start, BLANK_ID], [once_more, BLANK_ID], [end, BLANK_ID]])
    logs = np.log([[0.9, 0.1], [0.6, 0.4], [0.9, 0.1]])

    fluency = Fluency(LanguageModel.open(ngrams), 0.0, 0.0, lexicon)

    def best(cost: float, source: str) -> str:
        return searched(tokenizer, ids, logs, replace(fluency, unknown_word_cost=cost), source)

    assert best(0.0, "It rains.") == "regnnet"
    assert best(9.0, "It rains.") == "regnet"
    assert best(9.0, "It regnnet.") == "regnnet"


def test_tokens_of_another_vocabulary_are_refused(lexicon: Lexicon, tokenizer: Tokenizer) -> None:
    """They would lead out of what is known of each token."""
    for token in (-1, tokenizer.vocabulary_size):
        with pytest.raises(ValueError, match="no such token"):
            lexicon.flaws([5, token])


def test_files_without_words_have_no_lexicon(tokenizer: Tokenizer, ngrams: Path, tmp_path: Path) -> None:
    """Language models of earlier releases have none; arrays that do not fit together are named."""
    with np.load(ngrams) as archive:
        arrays = dict(archive)
    path = tmp_path / "ngrams.de.npz"
    np.savez(path, **{name: array for name, array in arrays.items() if not name.startswith("word_")})
    assert Lexicon.open(path, tokenizer) is None
    for wrong in (
        {"word_buckets": arrays["word_buckets"][:-1]},
        {"word_prints": arrays["word_prints"][:-1]},
        {"word_prints": np.zeros((len(arrays["word_prints"]), 0))},
    ):
        np.savez(path, **(arrays | wrong))
        with pytest.raises(ManifestError, match=r"words in ngrams\.de\.npz are malformed"):
            Lexicon.open(path, tokenizer)


def test_a_large_lexicon_hardly_takes_a_word_for_another(tokenizer: Tokenizer) -> None:
    """All words are found; of as many that were not put in, hardly any."""
    inside = [f"{number:x}".translate(str.maketrans("0123456789", "ghijklmnop")) for number in range(40_000)]
    lexicon = Lexicon(word_table(inside), tokenizer)

    def unknown(words: list[str]) -> int:
        return lexicon.flaws(tokenizer.encode(" ".join(words))).unknown

    assert unknown(inside) == 0
    assert unknown([f"q{word}" for word in inside]) > len(inside) * 0.999


@pytest.mark.parametrize("length", [1, 127, 128, 129, 256, 1000])
def test_words_of_any_length_are_found(tokenizer: Tokenizer, length: int) -> None:
    """The search finds a word by the hash by which it was put in, however many blocks of letters that reads."""
    word = "".join("abcdefghij"[number % 10] for number in range(length))
    lexicon = Lexicon(word_table([word, "ä" * length]), tokenizer)
    assert lexicon.flaws(tokenizer.encode(f"{word} {'ä' * length}")).unknown == 0
    assert lexicon.flaws(tokenizer.encode(f"{word}a {'ä' * length}a")).unknown == 2


def test_words_are_runs_of_letters() -> None:
    """Digits, signs and underscores part them; case does not count."""
    found = words_in("Der 2. Weltkrieg: O'Neill_x, naïve ÄRZTE")
    assert found == ["der", "weltkrieg", "o", "neill", "x", "naïve", "ärzte"]
