"""CTC prefix beam search."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from model.bundle import BLANK_ID
from model.bundle.beam import Candidate, prefix_beam_search

FRAMES, VOCABULARY = 5, 4


def search(token_ids: np.ndarray, log_probs: np.ndarray, *, beam: int) -> list[Candidate]:
    """Search one sentence."""
    lengths = np.array([len(token_ids)])
    (found,) = prefix_beam_search(token_ids[None], log_probs[None], lengths, beam=beam, blank_id=BLANK_ID)
    return found


def random_frames(seed: int, sharpness: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """Every token on every frame, with random probabilities."""
    probabilities = np.random.default_rng(seed).dirichlet(np.full(VOCABULARY, sharpness), FRAMES)
    return np.tile(np.arange(VOCABULARY), (FRAMES, 1)), np.log(probabilities).astype(np.float32)


def all_paths(log_probs: np.ndarray) -> dict[tuple[int, ...], float]:
    """The mass of every text, by adding up every path."""
    masses: dict[tuple[int, ...], float] = {}
    for path in itertools.product(range(VOCABULARY), repeat=FRAMES):
        text = tuple(token for token, _ in itertools.groupby(path) if token != BLANK_ID)
        probability = math.exp(sum(float(log_probs[frame, token]) for frame, token in enumerate(path)))
        masses[text] = masses.get(text, 0.0) + probability
    return masses


@pytest.mark.parametrize("seed", range(8))
def test_exact_with_a_beam_wide_enough(seed: int) -> None:
    """With room for every prefix, the search finds every text and its whole mass, the most probable first."""
    token_ids, log_probs = random_frames(seed)
    found = search(token_ids, log_probs, beam=400)
    assert {c.ids: pytest.approx(math.exp(c.log_prob), rel=1e-5) for c in found} == all_paths(log_probs)
    assert [c.log_prob for c in found] == sorted((c.log_prob for c in found), reverse=True)


def test_prefers_the_heaviest_text_to_the_best_path() -> None:
    """Where many paths share a text, it wins though no single path of it is the best."""
    token_ids = np.array([[0, 1], [0, 1]])
    log_probs = np.log(np.array([[0.6, 0.4], [0.6, 0.4]], dtype=np.float32))
    best, *_ = search(token_ids, log_probs, beam=5)
    assert best.ids == (1,)  # 0.64 by three paths; the best path, two blanks, has 0.36
    assert math.exp(best.log_prob) == pytest.approx(0.64, rel=1e-5)


def test_beam_bounds_the_candidates() -> None:
    """No more candidates than the beam, and never more mass than there is."""
    found = search(*random_frames(1), beam=3)
    assert len(found) == 3
    assert sum(math.exp(c.log_prob) for c in found) <= 1 + 1e-6


def test_frames_may_list_few_tokens() -> None:
    """Frames that list only their best tokens, in any order and without the blank, are searched as they are."""
    token_ids = np.array([[2, 1], [1, 3]])
    log_probs = np.log(np.array([[0.7, 0.2], [0.5, 0.4]], dtype=np.float32))
    best, *_ = search(token_ids, log_probs, beam=4)
    assert best.ids == (2, 1)
    assert math.exp(best.log_prob) == pytest.approx(0.35, rel=1e-5)


@pytest.mark.parametrize("beam", [2, 4, 400])
def test_batch_equals_each_sentence_alone(beam: int) -> None:
    """Sentences of different lengths, searched together, give what each gives alone; padding is never read."""
    generator = np.random.default_rng(7)
    lengths = np.array([2, 5, 1, 4])
    log_probs = np.log(generator.dirichlet(np.full(VOCABULARY, 0.5), (4, FRAMES))).astype(np.float32)
    token_ids = np.tile(np.arange(VOCABULARY), (4, FRAMES, 1))
    together = prefix_beam_search(token_ids, log_probs, lengths, beam=beam, blank_id=BLANK_ID)
    for row, length in enumerate(lengths):
        alone = search(token_ids[row, :length], log_probs[row, :length], beam=beam)
        assert [c.ids for c in together[row]] == [c.ids for c in alone]
        assert [c.log_prob for c in together[row]] == pytest.approx([c.log_prob for c in alone])


def test_prefix_that_was_dropped_and_found_again_counts_once() -> None:
    """A narrow beam drops prefixes and meets them again; no text is ever listed twice."""
    for seed in range(200):
        found = search(*random_frames(seed, sharpness=0.3), beam=3)
        assert len({c.ids for c in found}) == len(found)
