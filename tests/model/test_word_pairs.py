"""What candidates of a search teach of pairs of words."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from model.bundle import DIRECTIONS, Bundle, read_word_pairs, word_pairs_file
from model.config import SourceWeights
from model.data.corpus import CorpusError, Pair
from model.descriptions import WORD_PAIRS
from model.word_pairs import learn, rewarded, write_word_pairs
from tests.model import toy

if TYPE_CHECKING:
    from model.data.packed import PackedCorpus

SMALL = Path(__file__).parents[2] / "bundles" / "reder-small"
VERBS = [
    ("cooked", "kochte", "kocht"),
    ("danced", "tanzte", "tanzt"),
    ("played", "spielte", "spielt"),
    ("worked", "arbeitete", "arbeitet"),
    ("waited", "wartete", "wartet"),
    ("travelled", "reiste", "reist"),
]


def test_rewards() -> None:
    """Half for being right, half for being close to what is right; the latter alone where others may be right too."""
    right = ["Ein Hund rennt.", "Ein Hund läuft."]
    candidates = [("Ein Hund lief.", -1.0), ("Ein Hund läuft.", -1.5), ("Katzen!", -2.0)]
    found = rewarded("A dog runs.", right, candidates, by_people=False)
    close, exact, none = found.rewards
    assert exact == pytest.approx(1)
    assert 0.5 > close > none == pytest.approx(0, abs=0.05)
    assert found.totals.tolist() == [-1.0, -1.5, -2.0]
    free = rewarded("A dog runs.", right, candidates, by_people=True)
    assert free.rewards[0] == pytest.approx(2 * close)
    assert free.rewards[1] == pytest.approx(1)
    assert free.by_people
    assert not found.by_people


def test_a_tense_is_learned() -> None:
    """From sentences whose first candidate is in the present, it is known of a verb that was in none of them."""
    *taught, (english, past, present) = VERBS
    lists = [
        rewarded(
            f"{who} {verb}.", [f"{wer} {was}."], [(f"{wer} {ist}.", -1.0), (f"{wer} {was}.", -2.0)], by_people=False
        )
        for verb, was, ist in taught
        for who, wer in (("The man", "Der Mann"), ("She", "Sie"), ("A woman", "Eine Frau"))
    ]
    then, now = learn(lists * 5).gains(f"The child {english}.", [f"Das Kind {past}.", f"Das Kind {present}."])
    assert then > now + 1


def test_lengths_stay() -> None:
    """Where less is wrong in what is short, a word is worth as much as keeps what people wrote as long as it was."""
    long, short, right = "Der Hund rennt jetzt sehr schnell dort.", "Der Hund rennt.", "Der Hund rennt."
    lists = [
        rewarded(f"The dog runs {where}.", [right], [(long, -1.0), (short, -1.1)], by_people=True)
        for where in "abcdefgh"
    ]
    learned = learn(lists * 5)
    assert learned.per_word > 0
    gains = learned.gains("The dog runs a.", [long, short])
    assert gains[0] - gains[1] == pytest.approx(-0.1, abs=0.01)
    assert learn([replace(one, by_people=False) for one in lists]).per_word == 0


def test_word_pairs_of_a_bundle(corpus: PackedCorpus, tmp_path: Path) -> None:
    """A real search, of sentences of the grammar and of a corpus: files that can be read, and what they are from."""
    learned = write_word_pairs(Bundle.open(SMALL, verify=False), corpus, tmp_path, sentences=12, pairs=6)
    read = read_word_pairs(tmp_path, [word_pairs_file(direction) for direction in DIRECTIONS])
    assert {*read} == {*DIRECTIONS}
    assert all(6 < sentences <= 18 for sentences in learned.values())
    description = json.loads((tmp_path / WORD_PAIRS).read_text(encoding="utf-8"))
    assert description["sentences"] == learned
    assert description["network"] == "reder-small"
    assert set(description["sources"]) <= set(corpus.source_names)


def test_what_is_drawn(vocabulary: Path, tmp_path: Path) -> None:
    """No sentence of a source without weight, or of other lengths; too few, and a source that is none, are refused."""
    (tmp_path / "packed").mkdir()
    pairs = [
        *[Pair("a man stands there", "ein Mann steht dort", "none")] * 9,
        *[Pair("two dogs run there", "zwei Hunde laufen dort", "some")] * 3,
        Pair("dogs", "Hunde", "some"),
    ]
    corpus = toy.packed(pairs, vocabulary, tmp_path / "packed")
    bundle, weights = Bundle.open(SMALL, verify=False), SourceWeights(weights={"none": 0.0})
    write_word_pairs(bundle, corpus, tmp_path / "pairs", sentences=0, pairs=3, weights=weights)
    description = json.loads((tmp_path / "pairs" / WORD_PAIRS).read_text(encoding="utf-8"))
    assert description["sources"] == ["some"]
    with pytest.raises(CorpusError, match="has no 4 pairs"):
        write_word_pairs(bundle, corpus, tmp_path, sentences=0, pairs=4, weights=weights)
    with pytest.raises(CorpusError, match="weights names sources"):
        write_word_pairs(bundle, corpus, tmp_path, sentences=0, pairs=1, weights=SourceWeights(weights={"x": 1.0}))
