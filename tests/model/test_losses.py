"""The CTC objective against PyTorch's own, against enumeration, and at its edges."""

from __future__ import annotations

import itertools
from typing import NamedTuple

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor
from torch.nn import functional

from model import sparse_softmax
from model.bundle import BLANK_ID
from model.data.batches import Padded, pad
from model.losses import IGNORED, Loss, alignable, cross_entropy, ctc_loss
from model.sparse_softmax import own_scores

VOCABULARY = 11


class Case(NamedTuple):
    """One batch."""

    logits: Tensor
    frame_lengths: Tensor
    targets: Tensor
    target_lengths: Tensor

    def loss(self, label_smoothing: float = 0.0) -> Loss:
        """What this project computes."""
        target = Padded(self.targets, self.target_lengths)
        own = own_scores(self.logits, self.frame_lengths, target, with_mean=label_smoothing > 0)
        return ctc_loss(own, label_smoothing=label_smoothing)


@pytest.fixture
def case() -> Case:
    """Padding on both sides, repeats, a token used twice apart, and one empty target."""
    generator = torch.Generator().manual_seed(1)
    logits = 2 * torch.randn(4, 10, VOCABULARY, generator=generator, dtype=torch.float64)
    targets = torch.tensor([[3, 3, 5, 3, 9], [4, 5, 4, 7, 7], [8, 2, 7, 7, 7], [6, 6, 6, 6, 6]])
    return Case(logits.requires_grad_(), torch.tensor([10, 8, 6, 4]), targets, torch.tensor([5, 3, 2, 0]))


def reference(case: Case, label_smoothing: float = 0.0) -> Tensor:
    """PyTorch's CTC over the whole vocabulary, and the mean over it for smoothing."""
    log_probs = case.logits.log_softmax(dim=2)
    nll = functional.ctc_loss(
        log_probs.transpose(0, 1),
        case.targets,
        case.frame_lengths,
        case.target_lengths,
        blank=BLANK_ID,
        reduction="sum",
        zero_infinity=True,
    )
    counts = torch.arange(case.logits.shape[1]) < case.frame_lengths.unsqueeze(1)
    uniform = -(log_probs.mean(dim=2) * counts).sum()
    return (1 - label_smoothing) * nll + label_smoothing * uniform


def gradient(loss: Tensor, logits: Tensor) -> Tensor:
    """Of the loss with respect to the logits."""
    (result,) = torch.autograd.grad(loss, logits)
    return result


@pytest.mark.parametrize("label_smoothing", [0.0, 0.1, 0.6])
def test_equals_pytorch(case: Case, label_smoothing: float) -> None:
    """Value and gradient are those of PyTorch's CTC on the full log softmax, smoothed or not."""
    loss = case.loss(label_smoothing)
    expected = reference(case, label_smoothing)
    torch.testing.assert_close(loss.total.double(), expected, rtol=1e-5, atol=1e-5)
    torch.testing.assert_close(loss.nll.double(), reference(case), rtol=1e-5, atol=1e-5)
    torch.testing.assert_close(gradient(loss.total, case.logits), gradient(expected, case.logits), rtol=1e-4, atol=1e-5)


def test_gradient_follows_upstream(case: Case) -> None:
    """A factor on the loss is a factor on the gradient."""
    once = gradient(case.loss(0.1).total, case.logits)
    torch.testing.assert_close(gradient(-0.25 * case.loss(0.1).total, case.logits), -0.25 * once)


def test_padding_frames_get_no_gradient(case: Case) -> None:
    """Frames past a sentence's end are left alone."""
    grown = gradient(case.loss(0.1).total, case.logits)
    assert bool(grown[0].any())
    assert not bool(grown[2, 6:].any())


@pytest.mark.parametrize("target", [[], [1], [1, 2], [2, 2], [1, 2, 1]])
def test_equals_sum_over_alignments(target: list[int]) -> None:
    """The likelihood is the sum over every frame sequence that collapses to the target, counted one by one."""
    frames, vocabulary = 4, 3
    logits = torch.randn(1, frames, vocabulary, generator=torch.Generator().manual_seed(2), dtype=torch.float64)
    probabilities = logits[0].softmax(dim=1)
    total = 0.0
    for path in itertools.product(range(vocabulary), repeat=frames):
        if collapsed(path) == target:
            total += float(torch.stack([probabilities[t, token] for t, token in enumerate(path)]).prod())
    targets = Padded(torch.tensor([[*target, 0]]), torch.tensor([len(target)]))
    loss = ctc_loss(own_scores(logits, torch.tensor([frames]), targets))
    assert float(loss.nll.neg().exp()) == pytest.approx(total, rel=1e-5)


@pytest.mark.parametrize("label_smoothing", [0.0, 0.1])
def test_unalignable_target_counts_for_nothing(case: Case, label_smoothing: float) -> None:
    """A target too long for its frames changes neither the loss nor any other sentence's gradient."""
    lengths = case.frame_lengths.clone()
    lengths[0] = 5  # five tokens with one repeat need six frames
    crowded = case._replace(frame_lengths=lengths)
    rest = Case(*(tensor[1:] for tensor in crowded))
    loss = crowded.loss(label_smoothing)
    torch.testing.assert_close(loss.total, rest.loss(label_smoothing).total)
    torch.testing.assert_close(loss.nll, rest.loss(label_smoothing).nll)
    grown = gradient(loss.total, case.logits)
    torch.testing.assert_close(grown[1:], gradient(rest.loss(label_smoothing).total, case.logits)[1:])
    assert not bool(grown[0].any())


def test_likely_target_has_small_loss_and_gradient() -> None:
    """Where the network is certain of the right frames the loss is near zero, and so is its gradient."""
    logits = torch.full((1, 4, VOCABULARY), -40.0)
    for frame, token in enumerate([5, BLANK_ID, 5, 6]):
        logits[0, frame, token] = 40.0
    logits.requires_grad_()
    loss = ctc_loss(own_scores(logits, torch.tensor([4]), pad([[5, 5, 6]])))
    assert float(loss.nll.detach()) == pytest.approx(0.0, abs=1e-4)
    assert float(gradient(loss.total, logits).abs().max()) < 1e-4


def test_block_size_changes_nothing(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """Crossing the vocabulary sentence by sentence gives what one pass over the batch gives."""
    results = []
    for block in (1, 10 * VOCABULARY * 3, 1 << 30):
        monkeypatch.setattr(sparse_softmax, "_BLOCK", block)
        total = case.loss(0.1).total
        results.append((total.detach(), gradient(total, case.logits)))
    for total, grown in results[1:]:
        torch.testing.assert_close(total, results[0][0])
        torch.testing.assert_close(grown, results[0][1])


def test_bfloat16_logits_are_summed_in_float32(case: Case) -> None:
    """Logits in bfloat16 give the loss of the same rounded numbers in full precision, and a bfloat16 gradient."""
    rounded = case.logits.detach().bfloat16()
    exact = case._replace(logits=rounded.double().requires_grad_())
    coarse = case._replace(logits=rounded.requires_grad_())
    loss = coarse.loss(0.1).total
    torch.testing.assert_close(loss.double(), exact.loss(0.1).total.double(), rtol=1e-3, atol=0)
    grown = gradient(loss, coarse.logits)
    assert grown.dtype == torch.bfloat16
    torch.testing.assert_close(grown.double(), gradient(exact.loss(0.1).total, exact.logits), rtol=0.02, atol=0.01)


@given(target=st.lists(st.integers(1, 3), max_size=6), frames=st.integers(0, 8))
def test_alignable_equals_existence_of_a_path(target: list[int], frames: int) -> None:
    """A target is alignable exactly when some sequence of that many frames collapses to it."""
    # every outcome of some frames: the tokens so far, and the last frame
    states: set[tuple[tuple[int, ...], int]] = {((), BLANK_ID)}
    for _ in range(frames):
        states = {
            ((*tokens, frame) if frame not in (BLANK_ID, last) else tokens, frame)
            for tokens, last in states
            for frame in (BLANK_ID, 1, 2, 3)
            if len(tokens) <= len(target)
        }
    reachable = {tokens for tokens, _ in states}
    result = alignable(torch.tensor([[*target, 1]]), torch.tensor([len(target)]), torch.tensor([frames]))
    assert bool(result[0]) == (tuple(target) in reachable)


def test_alignable_ignores_padding() -> None:
    """Equal ids in the padding are no repeats."""
    targets = torch.tensor([[5, 6, 0, 0, 0], [5, 5, 5, 0, 0]])
    assert alignable(targets, torch.tensor([2, 3]), torch.tensor([2, 4])).tolist() == [True, False]


def collapsed(path: tuple[int, ...]) -> list[int]:
    """Merge repeats, then drop blanks."""
    return [token for token, _ in itertools.groupby(path) if token != BLANK_ID]


@pytest.mark.parametrize("label_smoothing", [0.0, 0.1])
def test_cross_entropy_equals_pytorch(label_smoothing: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Value and gradient are those of PyTorch's cross-entropy, ignored positions and several blocks included."""
    monkeypatch.setattr(sparse_softmax, "_BLOCK", 2 * 6 * VOCABULARY)
    generator = torch.Generator().manual_seed(2)
    logits = torch.randn(5, 6, VOCABULARY, generator=generator, dtype=torch.float64)
    labels = torch.randint(0, VOCABULARY, (5, 6), generator=generator).masked_fill_(torch.rand(5, 6) < 0.3, IGNORED)
    ours, theirs = logits.clone().requires_grad_(), logits.clone().requires_grad_()
    loss = cross_entropy(ours, labels, label_smoothing=label_smoothing)
    expected = functional.cross_entropy(
        theirs.transpose(1, 2), labels, ignore_index=IGNORED, label_smoothing=label_smoothing, reduction="sum"
    )
    loss.total.backward()
    expected.backward()
    torch.testing.assert_close(loss.total, expected, check_dtype=False)
    plain = functional.cross_entropy(logits.transpose(1, 2), labels, ignore_index=IGNORED, reduction="sum")
    torch.testing.assert_close(loss.nll, plain, check_dtype=False)
    assert ours.grad is not None
    torch.testing.assert_close(ours.grad, theirs.grad, rtol=1e-5, atol=1e-6)
