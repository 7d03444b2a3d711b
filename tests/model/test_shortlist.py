"""Which token of a corpus becomes which."""

from __future__ import annotations

import json
from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np
import pytest

from model.bundle import BLANK_ID, DIRECTIONS, EN_DE, Shortlist, shortlist_file
from model.config import SourceWeights
from model.data.corpus import CorpusError, Pair
from model.descriptions import SHORTLISTS
from model.shortlist import chosen_tokens, write_shortlists
from tests.model import toy

if TYPE_CHECKING:
    from pathlib import Path

    from model.data.packed import PackedCorpus

needs_eflomal = pytest.mark.skipif(find_spec("eflomal") is None, reason="eflomal is not installed: '.[align]'")
SIZE = 64


@needs_eflomal
def test_what_is_common_by_weight(vocabulary: Path, tmp_path: Path) -> None:
    """Words of a source that counts more are common, though another has more text; a source that is none is refused."""
    (tmp_path / "packed").mkdir()
    pairs = [Pair("a man stands", "ein Mann steht", "much")] * 30 + [
        Pair("two dogs run", "zwei Hunde laufen", "little")
    ]
    corpus = toy.packed(pairs, vocabulary, tmp_path / "packed")
    tokenizer = corpus.tokenizer()

    def common(weight: float) -> int:
        weights = SourceWeights(weights={"little": weight})
        write_shortlists(corpus, tmp_path / str(weight), weights=weights)
        shortlist = Shortlist.open(tmp_path / str(weight) / shortlist_file(EN_DE), tokenizer.vocabulary_size)
        return int(np.isin(tokenizer.encode("zwei Hunde laufen"), shortlist.common).sum())

    assert common(100.0) > common(0.0)
    with pytest.raises(CorpusError, match="weights names sources"):
        write_shortlists(corpus, tmp_path, weights=SourceWeights(weights={"nowhere": 1.0}))


@needs_eflomal
def test_shortlists_of_a_corpus(corpus: PackedCorpus, tmp_path: Path) -> None:
    """Aligned for real, they have nearly all tokens of people's translations, and far from all of the vocabulary."""
    sizes = write_shortlists(corpus, tmp_path)
    vocabulary = corpus.tokenizer().vocabulary_size
    for direction in DIRECTIONS:
        shortlist = Shortlist.open(tmp_path / shortlist_file(direction), vocabulary)
        assert sizes[str(direction)] == len(shortlist.tokens) > 0
        sides = corpus.english, corpus.german
        source, target = sides if direction.source == "en" else sides[::-1]
        listed = [shortlist.listed(source[number].tolist()) for number in range(len(corpus))]
        found = [np.isin(target[number], one).mean() for number, one in enumerate(listed)]
        assert np.mean(found) > 0.9
        assert np.mean([len(one) for one in listed]) < 0.6 * vocabulary
    description = json.loads((tmp_path / SHORTLISTS).read_text(encoding="utf-8"))
    assert description == {
        "vocabulary": corpus.tokenizer().digest,
        "pairs": len(corpus),
        "tokens": sizes,
        "sources": corpus.source_names,
    }


def test_pairs_that_cannot_be_aligned(vocabulary: Path, tmp_path: Path) -> None:
    """Of sentences that are all too long there is nothing to write; a pattern that fits no source is an error."""
    (tmp_path / "packed").mkdir()
    endless = toy.packed([Pair("the dog " * 70, "der Hund " * 70, "endless")] * 3, vocabulary, tmp_path / "packed")
    with pytest.raises(CorpusError, match="has no pairs"):
        write_shortlists(endless, tmp_path / "models")
    with pytest.raises(CorpusError, match="comes from nowhere"):
        write_shortlists(endless, tmp_path / "models", excluded_sources=["nowhere"])


def chosen(links: dict[tuple[int, int], int]) -> Shortlist:
    """Of pairs of tokens, and how often they are linked, as often as the target is used."""
    (sources, targets), counts = np.array(list(links)).T, np.array(list(links.values()))
    return chosen_tokens(sources, targets, counts, np.bincount(targets, counts, SIZE))


def test_common_tokens_and_others() -> None:
    """The blank and what is used most often are common; of the others what is linked twice, with another token."""
    links = {(10, 20): 500, (11, 21): 400, (12, 22): 300, (10, 30): 5, (12, 30): 2, (12, 31): 1, (33, 33): 9}
    shortlist = chosen(links)
    assert shortlist.common.tolist() == [BLANK_ID, 20, 21, 22]  # a sixteenth of all
    assert shortlist.listed([10]).tolist() == [BLANK_ID, 10, 20, 21, 22, 30]
    assert shortlist.listed([12]).tolist() == [BLANK_ID, 12, 20, 21, 22, 30]
    assert len(shortlist.tokens) == 2


def test_the_most_often_linked() -> None:
    """Of the many that a token is linked with, those count that it is linked with most often."""
    common = {(9, token): 100 + token for token in range(61, 64)}
    shortlist = chosen({**common, (10, 30): 3, (10, 31): 5, (10, 32): 4, (11, 30): 3})
    assert shortlist.listed([10]).tolist() == [BLANK_ID, 10, 31, 61, 62, 63]  # a 160th of all, rounded up
    assert shortlist.listed([11]).tolist() == [BLANK_ID, 11, 30, 61, 62, 63]
