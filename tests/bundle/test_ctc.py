"""Collapse of CTC frames, and the likelihood of targets."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.bundle import BLANK_ID, Collapsed, collapse, log_likelihood

LONGEST = 12

frames = st.lists(st.tuples(st.integers(0, 4), st.floats(-30.0, 0.0, width=32)), min_size=1, max_size=LONGEST)


def batch_of(rows: list[list[tuple[int, float]]], filler: int = 3) -> list[Collapsed]:
    """Collapse rows of (id, log probability), padded with frames that must not count."""
    ids = np.full((len(rows), LONGEST), filler, dtype=np.int64)
    log_probs = np.full((len(rows), LONGEST), -99.0, dtype=np.float32)
    for number, row in enumerate(rows):
        ids[number, : len(row)] = [token for token, _ in row]
        log_probs[number, : len(row)] = [value for _, value in row]
    return collapse(ids, log_probs, np.array([len(row) for row in rows]), blank_id=BLANK_ID)


@given(st.lists(frames, min_size=1, max_size=4))
def test_equals_plain_python(rows: list[list[tuple[int, float]]]) -> None:
    """Repeats merge, blanks go, padding is ignored, confidence is the frames' geometric mean."""
    for row, result in zip(rows, batch_of(rows), strict=True):
        assert result.ids == [token for token, _ in itertools.groupby(token for token, _ in row) if token != BLANK_ID]
        assert result.confidence == pytest.approx(math.exp(sum(value for _, value in row) / len(row)), rel=1e-4)
        assert 0 <= result.confidence <= 1


@pytest.mark.parametrize(
    ("ids", "expected"),
    [
        ([5, 5, 5], [5]),
        ([5, 0, 5], [5, 5]),
        ([0, 0, 0], []),
        ([0, 5, 5, 0, 6, 6, 0], [5, 6]),
        ([5, 6, 5], [5, 6, 5]),
    ],
)
def test_known_cases(ids: list[int], expected: list[int]) -> None:
    """The textbook cases: a run is one token, a blank between equals keeps both."""
    assert batch_of([[(token, -0.1) for token in ids]])[0].ids == expected


def test_padding_that_repeats_the_last_frame() -> None:
    """Padding adds nothing, whether or not it repeats the last real frame."""
    row = [(3, -0.5), (4, -0.5)]
    assert batch_of([row], filler=4) == batch_of([row], filler=2) == batch_of([row], filler=0)


def test_confidence_stays_within_one() -> None:
    """Log probabilities a rounding error above zero still give a confidence of at most one."""
    assert batch_of([[(5, 1e-3), (6, 1e-3)]])[0].confidence == 1.0


def test_confidence_of_impossible_frame_is_zero() -> None:
    """A log probability of minus infinity gives zero, not a NaN."""
    assert batch_of([[(5, -math.inf), (6, 0.0)]])[0].confidence == 0.0


def test_plain_types() -> None:
    """Results hold Python numbers, so that they serialise as they are."""
    result = batch_of([[(5, -0.5)]])[0]
    assert [type(token) for token in result.ids] == [int]
    assert type(result.confidence) is float


@pytest.mark.parametrize("seed", range(5))
def test_likelihood_equals_enumeration(seed: int) -> None:
    """The likelihood of a target is the summed probability of every path that collapses to it, repeats included."""
    generator = np.random.default_rng(seed)
    log_probs = np.log(generator.dirichlet(np.ones(4), (3, 5)))
    targets, target_lengths = np.array([[1, 1, 2], [3, 0, 0], [2, 1, 3]]), np.array([3, 1, 3])
    frame_lengths = np.array([5, 4, 2])
    found = log_likelihood(
        log_probs[:, :, BLANK_ID],
        np.take_along_axis(log_probs, np.repeat(targets[:, None], 5, axis=1), axis=2),
        frame_lengths,
        targets,
        target_lengths,
    )
    for row, length in enumerate(frame_lengths):
        total = 0.0
        for path in itertools.product(range(4), repeat=int(length)):
            text = [token for token, _ in itertools.groupby(path) if token != BLANK_ID]
            if text == targets[row, : target_lengths[row]].tolist():
                total += math.exp(sum(log_probs[row, frame, token] for frame, token in enumerate(path)))
        assert math.exp(found[row]) == pytest.approx(total, rel=1e-9)
    assert found[2] == -math.inf  # three tokens do not fit on two frames
