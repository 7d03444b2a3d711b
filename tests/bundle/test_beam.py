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
    return prefix_beam_search(token_ids, log_probs, beam=beam, blank_id=BLANK_ID, fluency=fluency)


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
    return sum(added(fluency, text[:end], token) for end, token in enumerate((*text, BLANK_ID)))


def added(fluency: Fluency, text: tuple[int, ...], token: int) -> float:
    """What it adds for one more token after a text, or for the end."""
    context = fluency.model.start
    for before in text:
        context = fluency.model.extended(context, before)
    return fluency.weight * fluency.model.log_prob(context, token) + fluency.bonus * (token != BLANK_ID)


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
    likely = {text: mass for text, mass in masses.items() if mass > 0.02}
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


@pytest.mark.parametrize("seed", range(20))
def test_a_narrow_beam_keeps_the_most_probable_prefixes(fluency: Fluency, seed: int) -> None:
    """What is left out unasked, because it cannot come near, would not have been among the best."""
    token_ids, log_probs = random_frames(seed, sharpness=0.5)
    kept: dict[tuple[int, ...], tuple[float, float]] = {
        (): (0.0, -math.inf)
    }  # masses that end in a blank and in the last token
    for frame in log_probs:
        grown: dict[tuple[int, ...], list[list[float]]] = {}
        for text, (blank, token) in kept.items():
            both = np.logaddexp(blank, token)
            grown.setdefault(text, [[], []])[0].append(both + frame[BLANK_ID])
            for written in range(1, VOCABULARY):
                again = text[-1:] == (written,)
                if again:
                    grown[text][1].append(token + frame[written])
                longer = (*text, written)
                mass = (blank if again else both) + frame[written] + added(fluency, text, written)
                grown.setdefault(longer, [[], []])[1].append(mass)
        masses = {text: [np.logaddexp.reduce([-np.inf, *one]) for one in both] for text, both in grown.items()}
        best = sorted(masses, key=lambda text: -np.logaddexp(*masses[text]))[:4]
        kept = {text: (masses[text][0], masses[text][1]) for text in best}
    found = search(token_ids, log_probs, beam=4, fluency=fluency)
    ends = {text: np.logaddexp(*kept[text]) + added(fluency, text, BLANK_ID) for text in kept}
    assert {c.ids: pytest.approx(c.total, abs=1e-4) for c in found} == ends


def test_prefix_that_was_dropped_and_found_again_counts_once() -> None:
    """A narrow beam drops prefixes and meets them again; no text is ever listed twice."""
    for seed in range(200):
        found = search(*random_frames(seed, sharpness=0.3), beam=3)
        assert len({c.ids for c in found}) == len(found)
