"""Matching of bigrams: against all alignments, its gradient, and as a share of the loss."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
import torch
from torch import Tensor

from model.bigram_matching import bigram_f1
from model.bundle import BLANK_ID, EN_DE
from model.config import TrainConfig
from model.data.batches import Batch, pad
from model.losses import ctc_loss
from model.objective import DuplexObjective
from model.precision import mixed_precision
from model.reder import Reder
from model.sparse_softmax import own_scores
from tests.model import toy

if TYPE_CHECKING:
    from collections.abc import Sequence

FRAMES, VOCABULARY = 6, 4
TARGETS = [[1, 2, 2, 3, 1], [3, 1, 3], [2, 1, 2, 1], [1, 1, 1], [3, 2, 1]]
"""A token twice in a row, a bigram twice, one token alone; and of the last more frames than it is read from."""
FRAME_LENGTHS = torch.tensor([6, 6, 5, 6, 4])
START, END = -1, -2


@pytest.fixture
def logits() -> Tensor:
    """What a network that knows little would give."""
    generator = torch.Generator().manual_seed(1)
    return 1.5 * torch.randn(len(TARGETS), FRAMES, VOCABULARY, generator=generator)


def score(logits: Tensor, targets: Sequence[Sequence[int]] = TARGETS) -> Tensor:
    """`bigram_f1` of padded targets."""
    return bigram_f1(own_scores(logits, FRAME_LENGTHS[: len(targets)], pad(targets)))


def by_enumeration(logits: Tensor, target: Sequence[int], *, merged: bool = True) -> float:
    """The same of one sentence, from its every alignment; without `merged`, what a frame repeats is counted again."""
    probabilities = logits.double().softmax(dim=1)
    expected: dict[tuple[int, int], float] = defaultdict(float)
    tokens = 0.0
    for alignment in itertools.product(range(VOCABULARY), repeat=len(logits)):
        chance = float(probabilities[torch.arange(len(logits)), torch.tensor(alignment)].prod())
        written = [token for token, _ in itertools.groupby(alignment) if token != BLANK_ID]
        counted = written if merged else [token for token in alignment if token != BLANK_ID]
        tokens += chance * len(counted)
        for bigram in itertools.pairwise([START, *written, END]):
            expected[bigram] += chance
    wanted = Counter(itertools.pairwise([START, *target, END]))
    matched = sum(min(expected[bigram], count) for bigram, count in wanted.items())
    return 2 * matched / (len(target) + 1 + tokens + 1)


def test_equals_enumeration(logits: Tensor) -> None:
    """Where the target has all tokens, the score is that of expected counts over all alignments, repeats merged."""
    for place, target in enumerate(TARGETS):
        if set(target) == {1, 2, 3}:
            found = float(score(logits)[place])
            assert found == pytest.approx(by_enumeration(logits[place, : FRAME_LENGTHS[place]], target), abs=1e-5)


def test_other_tokens_count_in_each_frame(logits: Tensor) -> None:
    """Where it has one that never repeats itself, those it lacks are counted frame by frame, as documented."""
    apart = logits.clone()
    apart[0, ::2, 1] = -torch.inf  # token 1 never in two frames that follow each other
    found = float(score(apart[:1], [[1]])[0])
    assert found == pytest.approx(by_enumeration(apart[0], [1], merged=False), abs=1e-5)


def test_perfect_and_empty_translations() -> None:
    """What is the target for sure has a score of one; nothing at all matches no bigram of a target."""
    sure = torch.full((2, FRAMES, VOCABULARY), -40.0)
    for frame, token in enumerate([1, 1, 0, 2, 0, 2]):
        sure[0, frame, token] = 40.0
    sure[1, :, BLANK_ID] = 40.0
    assert score(sure, [[1, 2, 2], [1, 2, 2]]).tolist() == pytest.approx([1.0, 0.0])


def test_order_of_parts_hardly_matters() -> None:
    """Two halves of a target exchanged lose the bigrams at their seams, not those within."""
    exchanged = torch.full((1, FRAMES, 8), -40.0)
    for frame, token in enumerate([4, 5, 6, 1, 2, 3]):
        exchanged[0, frame, token] = 40.0
    assert score(exchanged, [[1, 2, 3, 4, 5, 6]]).item() == pytest.approx(4 / 7, abs=1e-5)


def test_gradient_equals_differences(logits: Tensor) -> None:
    """Each derivative is what a small change of the logit makes of the score; padding frames have none."""
    logits.requires_grad_()
    (gradient,) = torch.autograd.grad(score(logits).sum(), logits)
    step = 1e-2
    for place in itertools.product(range(len(TARGETS)), range(FRAMES), range(VOCABULARY)):
        change = torch.zeros_like(logits)
        change[place] = step
        with torch.no_grad():
            slope = (score(logits + change).sum() - score(logits - change).sum()) / (2 * step)
        assert gradient[place].item() == pytest.approx(slope.item(), abs=1e-4)
    assert not gradient[4, 4:].any()


@pytest.mark.parametrize("ctc_weight", [0.0, 0.25])
def test_part_of_the_loss(ctc_weight: float) -> None:
    """The loss is CTC and missing bigrams, each with its weight; the curves have both, whatever the weights."""
    torch.manual_seed(1)
    network = Reder(replace(toy.tiny(), dropout=0.0)).train()
    batch = Batch(pad([[5, 6, 7, 8], [9, 10]]), pad([[6, 7, 8], [11, 11, 12]]))
    config = TrainConfig(label_smoothing=0.0, ctc_weight=ctc_weight, bigram_weight=2.0)
    terms = DuplexObjective(network, config)(batch, EN_DE, update=0, seed=1)
    with mixed_precision(torch.device("cpu")):
        scores = network(EN_DE, batch.english.ids, batch.english.lengths, seed=1)
    target = batch.german
    own = own_scores(scores.logits, scores.lengths, target)
    ctc, found = ctc_loss(own), bigram_f1(own)
    missing = ((1 - found) * target.lengths).sum()
    torch.testing.assert_close(terms.total, ctc_weight * ctc.total + 2 * missing)
    torch.testing.assert_close(terms.nll, ctc.nll)
    torch.testing.assert_close(terms.means["bigram_f1"], 1 - missing / target.lengths.sum())


def test_training_raises_the_score() -> None:
    """A few updates on one batch, by matching alone, make its bigrams likelier."""
    torch.manual_seed(1)
    network = Reder(replace(toy.tiny(), dropout=0.0)).train()
    batch = Batch(pad([[5, 6, 7, 8], [9, 10]]), pad([[6, 7, 8], [11, 11, 12]]))
    objective = DuplexObjective(network, TrainConfig(label_smoothing=0.0, ctc_weight=0.0, bigram_weight=1.0))
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-2)
    scores = []
    for update in range(30):
        terms = objective(batch, EN_DE, update=update, seed=1)
        scores.append(terms.means["bigram_f1"].item())
        optimizer.zero_grad()
        terms.total.backward()
        optimizer.step()
    assert scores[-1] > scores[0] + 0.3
