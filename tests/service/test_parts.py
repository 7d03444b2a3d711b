"""A batch cut for several cores: every row runs once, the work is even, and nobody sees the seams."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.bundle import DE_EN
from service.engine.onnx import OnnxEngine
from service.engine.parts import PART_TOKENS, cut
from service.types import Batch

if TYPE_CHECKING:
    from service.app import Loaded

LENGTHS = st.lists(st.integers(1, 200), min_size=1, max_size=80)


def tokens(lengths: list[int], cores: int) -> list[int]:
    """Tokens of each part."""
    return [sum(lengths[rows]) for rows in cut(np.array(lengths), cores)]


@given(LENGTHS, st.integers(1, 16))
def test_parts_are_neighbours_and_leave_nothing_out(lengths: list[int], cores: int) -> None:
    """One after the other, none empty, they are the batch."""
    parts = cut(np.array(lengths), cores)
    assert list(itertools.chain.from_iterable(lengths[rows] for rows in parts)) == lengths
    assert all(lengths[rows] for rows in parts)


@given(LENGTHS, st.integers(1, 16))
def test_no_part_is_larger_than_its_share_by_more_than_a_row(lengths: list[int], cores: int) -> None:
    """A share is at most what one core computes at its best, and half a row may hang over at either end."""
    share = min(PART_TOKENS, sum(lengths) / cores)
    assert max(tokens(lengths, cores)) <= share + max(lengths)


@pytest.mark.parametrize("cores", [2, 3, 8])
@pytest.mark.parametrize("rows", [8, 64, 200])
def test_every_core_has_as_many_parts(rows: int, cores: int) -> None:
    """With rows enough for all, no core waits while another still works."""
    parts = tokens([28] * rows, cores)
    assert len(parts) % cores == 0
    assert max(parts) - min(parts) <= 28


@pytest.fixture(scope="module")
def engine(loaded: Loaded) -> OnnxEngine:
    """Two threads whatever the machine has, and exact."""
    return OnnxEngine(loaded.bundle, provider="cpu", precision="fp32", threads=2)


@pytest.fixture(scope="module")
def sentences(loaded: Loaded) -> list[list[int]]:
    """Token ids of real sentences and of their beginnings, shortest first: enough for two parts a core."""
    sources = loaded.bundle.tokenizer.encode_batch(loaded.bundle.canary("de"))
    beginnings = sorted((list(ids[:end]) for ids in sources for end in range(1, len(ids) + 1)), key=len)
    assert sum(map(len, beginnings)) > 2 * PART_TOKENS
    return beginnings


def test_sentences_in_parts_are_translated_as_each_alone(engine: OnnxEngine, sentences: list[list[int]]) -> None:
    """The best token of each frame, and its probability, in the caller's order."""
    frames = engine.infer(DE_EN, Batch.pad(sentences))
    for row, ids in enumerate(sentences):
        alone = engine.infer(DE_EN, Batch.pad([ids]))
        count = int(alone.lengths[0])
        assert frames.lengths[row] == count
        assert frames.ids[row, :count].tolist() == alone.ids[0].tolist()
        np.testing.assert_allclose(frames.log_probs[row, :count], alone.log_probs[0], atol=1e-3)


def test_sentences_in_parts_are_searched_and_scored_as_each_alone(
    engine: OnnxEngine, sentences: list[list[int]]
) -> None:
    """The other two tasks: several tokens a frame, and targets of other lengths than their sources."""
    targets = [ids[: 1 + row % 5] for row, ids in enumerate(sentences)]
    choices = engine.search(DE_EN, Batch.pad(sentences))
    scores = engine.score(DE_EN, Batch.pad(sentences), Batch.pad(targets))
    for row, (ids, target) in enumerate(zip(sentences, targets, strict=True)):
        alone = engine.search(DE_EN, Batch.pad([ids]))
        np.testing.assert_allclose(choices.log_probs[row, : alone.lengths[0]], alone.log_probs[0], atol=1e-3)
        assert scores[row] == pytest.approx(engine.score(DE_EN, Batch.pad([ids]), Batch.pad([target]))[0], abs=1e-2)
