"""Distillation of packed corpora: ids in, ids out, each source sentence once, resumable."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from model.bundle import DE_EN, EN_DE
from model.data.corpus import CorpusError
from model.data.packed import PackedCorpus, Side, write_packed
from model.data.packed_distillation import PackedDistillation, distill_packed, is_complete

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

ENGLISH = [[5, 6, 7], [8, 9], [5, 6, 7], [10], [11, 12, 13, 14, 15]]
GERMAN = [[25, 26], [27], [28, 29], [30], [31]]
SOURCES = ["stories", "talk"]


class Teacher:
    """Answers with the source backwards, ids one higher; fails on a source of one token; remembers the questions."""

    def __init__(self) -> None:
        self.asked: list[list[int]] = []

    def __call__(self, sources: Sequence[NDArray[Any]]) -> list[list[int]]:
        """Target ids of each."""
        self.asked += [ids.tolist() for ids in sources]
        return [[int(token) + 1 for token in ids[::-1]] if len(ids) > 1 else [] for ids in sources]


@pytest.fixture
def corpus(vocabulary: Path, tmp_path: Path) -> PackedCorpus:
    """Five pairs from two collections; two have the same English."""
    folder = tmp_path / "packed"
    folder.mkdir()
    (folder / "tokenizer.model").write_bytes(vocabulary.read_bytes())
    english, german = (Side.of(side, np.uint16) for side in (ENGLISH, GERMAN))
    sources = np.array([0, 0, 0, 1, 1], np.uint16)
    return write_packed(PackedCorpus(folder, english, german, sources, SOURCES), about={})


def task(corpus: PackedCorpus, answers: Teacher, **changes: object) -> PackedDistillation:
    """Two sentences in a shard."""
    values = {"corpus": corpus, "output": corpus.path.parent / "out", "teacher": "t", "translate": answers}
    return PackedDistillation(**values | {"direction": EN_DE, "shard_sentences": 2} | changes)  # type: ignore[arg-type]


def pairs(corpus: PackedCorpus) -> set[tuple[tuple[int, ...], tuple[int, ...], str]]:
    """English, German and source of every pair."""
    return {
        (tuple(corpus.english[n].tolist()), tuple(corpus.german[n].tolist()), corpus.source_names[corpus.sources[n]])
        for n in range(len(corpus))
    }


def test_keeps_sources_and_takes_the_teachers_targets(corpus: PackedCorpus) -> None:
    """Each source sentence comes out once, with the teacher's target; where it found none the pair is left out."""
    teacher = Teacher()
    assert pairs(distill_packed(task(corpus, teacher))) == {
        ((5, 6, 7), (8, 7, 6), "stories.en-de"),
        ((8, 9), (10, 9), "stories.en-de"),
        ((11, 12, 13, 14, 15), (16, 15, 14, 13, 12), "talk.en-de"),
    }
    assert len(teacher.asked) == 4
    back = distill_packed(task(corpus, Teacher(), direction=DE_EN, output=corpus.path.parent / "back"))
    assert pairs(back) == {((27, 26), (25, 26), "stories.de-en"), ((30, 29), (28, 29), "stories.de-en")}


def test_result_joins_the_corpus(corpus: PackedCorpus) -> None:
    """What is written has the vocabulary of the corpus, and a recipe can name it beside that."""
    assert len(corpus.joined([distill_packed(task(corpus, Teacher()))])) == 5 + 3


def test_shares_and_longest(corpus: PackedCorpus) -> None:
    """A source with a share of nothing is left out, and so is a sentence that is too long."""
    teacher = Teacher()
    distill_packed(task(corpus, teacher, shares=[("stor*", 1.0), ("*", 0.0)], longest=2))
    assert teacher.asked == [[8, 9]]


def test_goes_on_where_it_stopped(corpus: PackedCorpus) -> None:
    """What was translated is not translated again; what is written in the end is the same."""
    teacher = Teacher()
    whole = pairs(distill_packed(task(corpus, teacher, output=corpus.path.parent / "whole")))
    first = task(corpus, Teacher())
    distill_packed(first)
    assert is_complete(first)
    (first.output / "shards" / "00001.npz").unlink()
    assert not is_complete(first)
    again = Teacher()
    assert pairs(distill_packed(task(corpus, again))) == whole
    assert again.asked == teacher.asked[2:]


def test_refuses_to_mix_teachers(corpus: PackedCorpus) -> None:
    """A folder that holds another teacher's work is an error."""
    distill_packed(task(corpus, Teacher()))
    with pytest.raises(CorpusError, match="holds another distillation"):
        distill_packed(task(corpus, Teacher(), teacher="another"))


def test_refuses_to_mix_corpora(corpus: PackedCorpus) -> None:
    """Shards say which pairs they translate by number: they are not continued with other pairs of that place."""
    distill_packed(task(corpus, Teacher()))
    other = replace(corpus, german=corpus.german.rows(np.arange(len(corpus))[::-1]))
    with pytest.raises(CorpusError, match="holds another distillation"):
        distill_packed(task(other, Teacher()))


def test_leaves_a_prepared_corpus_alone(corpus: PackedCorpus) -> None:
    """A folder with a corpus that was prepared, such as the one to translate, is refused before anything is written."""
    before = {path: path.read_bytes() for path in corpus.path.iterdir()}
    teacher = Teacher()
    with pytest.raises(CorpusError, match="holds a corpus that is no distillation"):
        distill_packed(task(corpus, teacher, output=corpus.path))
    assert {path: path.read_bytes() for path in corpus.path.iterdir()} == before
    assert not teacher.asked


def test_nothing_is_an_error(corpus: PackedCorpus) -> None:
    """Where no time was left to translate anything, that is said."""
    with pytest.raises(CorpusError, match="nothing was translated"):
        distill_packed(task(corpus, Teacher()), minutes=0)
