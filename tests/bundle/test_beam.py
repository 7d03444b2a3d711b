"""CTC prefix beam search."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from model.bundle import BLANK_ID, LanguageModel
from model.bundle.beam import Candidate, Fluency, prefix_beam_search
from model.ngrams import estimate, save

FRAMES, VOCABULARY = 5, 4


def search(
    token_ids: np.ndarray, log_probs: np.ndarray, *, beam: int, fluency: Fluency | None = None
) -> list[Candidate]:
    """Search one sentence."""
    lengths = np.array([len(token_ids)])
    (found,) = prefix_beam_search(
        token_ids[None], log_probs[None], lengths, beam=beam, blank_id=BLANK_ID, fluency=fluency
    )
    return found


@pytest.fixture(scope="module")
def fluency(tmp_path_factory: pytest.TempPathFactory) -> Fluency:
    """A language model of random text in which 2 follows 1 and 3 follows 2."""
    path = tmp_path_factory.mktemp("model") / "ngrams.npz"
    texts = np.random.default_rng(3).choice([1, 2, 3, 1, 2, 1], (200, 4))
    texts[::2] = [1, 2, 3, 1]
    save(estimate(texts.ravel(), np.arange(201) * 4, vocabulary_size=VOCABULARY, order=3, threshold=0.0), path)
    return Fluency(LanguageModel.open(path), weight=0.7, bonus=1.5)


def gain(fluency: Fluency, text: tuple[int, ...]) -> float:
    """What the language model adds to a text: token by token, and its end."""
    context, total = np.array([fluency.model.start]), 0.0
    for token in (*text, BLANK_ID):
        (log_prob,) = fluency.model.log_probs(context, np.array([0]), np.array([token])).tolist()
        total += fluency.weight * log_prob + fluency.bonus * (token != BLANK_ID)
        context = fluency.model.extended(context, np.array([token]))
    return total


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


@pytest.mark.parametrize("seed", range(8))
def test_exact_with_a_language_model(fluency: Fluency, seed: int) -> None:
    """With room for every prefix each text has its mass, and just what the language model adds; hopeless ones aside."""
    token_ids, log_probs = random_frames(seed)
    found = search(token_ids, log_probs, beam=400, fluency=fluency)
    masses = all_paths(log_probs)
    likely = {text: mass for text, mass in masses.items() if mass > 1e-3}
    assert {c.ids: pytest.approx(math.exp(c.log_prob), rel=1e-2) for c in found if c.ids in likely} == likely
    assert [c.gain for c in found] == pytest.approx([gain(fluency, c.ids) for c in found], abs=1e-5)
    assert [c.total for c in found] == sorted((c.total for c in found), reverse=True)
    assert found[0].ids == max(masses, key=lambda text: math.log(masses[text]) + gain(fluency, text))


def test_a_language_model_chooses_among_likely_words(fluency: Fluency) -> None:
    """Where the network cannot tell words apart, texts of equal mass come in the order of their fluency."""
    probabilities = np.full((3, VOCABULARY), 1 / 3)
    probabilities[:, BLANK_ID] = 1e-6
    token_ids, log_probs = np.tile(np.arange(VOCABULARY), (3, 1)), np.log(probabilities).astype(np.float32)
    found = [c for c in search(token_ids, log_probs, beam=40, fluency=fluency) if len(c.ids) == 3]
    assert len(found) > 4
    gains = [gain(fluency, c.ids) for c in found]
    assert gains == pytest.approx(sorted(gains, reverse=True))


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
@pytest.mark.parametrize("fluent", [False, True])
def test_batch_equals_each_sentence_alone(fluency: Fluency, beam: int, *, fluent: bool) -> None:
    """Sentences of different lengths, searched together, give what each gives alone; padding is never read."""
    asked = fluency if fluent else None
    generator = np.random.default_rng(7)
    lengths = np.array([2, 5, 1, 4])
    log_probs = np.log(generator.dirichlet(np.full(VOCABULARY, 0.5), (4, FRAMES))).astype(np.float32)
    token_ids = np.tile(np.arange(VOCABULARY), (4, FRAMES, 1))
    together = prefix_beam_search(token_ids, log_probs, lengths, beam=beam, blank_id=BLANK_ID, fluency=asked)
    for row, length in enumerate(lengths):
        alone = search(token_ids[row, :length], log_probs[row, :length], beam=beam, fluency=asked)
        assert [c.ids for c in together[row]] == [c.ids for c in alone]
        assert [c.total for c in together[row]] == pytest.approx([c.total for c in alone])


def test_prefix_that_was_dropped_and_found_again_counts_once() -> None:
    """A narrow beam drops prefixes and meets them again; no text is ever listed twice."""
    for seed in range(200):
        found = search(*random_frames(seed, sharpness=0.3), beam=3)
        assert len({c.ids for c in found}) == len(found)
