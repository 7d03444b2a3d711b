"""Minimum risk: as defined, together with the language models of a bundle, and as a part of the loss."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import torch
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF

from model.bundle import BLANK_ID, DE_EN, Bundle, ManifestError, Tokenizer, prefix_beam_search
from model.checkpoint import load_network
from model.config import TrainConfig
from model.data.batches import Batch, Padded, pad
from model.losses import ctc_loss
from model.minimum_risk import MinimumRisk, Risk, risk_of
from model.objective import DuplexObjective
from model.reder import FrameScores, Reder
from model.sparse_softmax import log_normaliser, own_scores
from model.train import Trainer
from tests.model import toy
from tests.model.run_training import SETTINGS

if TYPE_CHECKING:
    from model.data.packed import PackedCorpus

SMALL = Path(__file__).parents[2] / "bundles" / "reder-small"
PAIRS = [
    ("Zwei Hunde spielen im Schnee.", "Two dogs are playing in the snow."),
    ("Das Museum öffnet morgen um neun Uhr.", "Tomorrow the museum opens at nine o'clock."),
    ("Klicken Sie auf die Schaltfläche.", "Click the button."),
]


@pytest.fixture(scope="module")
def bundle() -> Bundle:
    """A shipped one."""
    return Bundle.open(SMALL, verify=False)


@pytest.fixture(scope="module")
def network() -> Reder:
    """That bundle's, in training."""
    network = load_network(SMALL / "weights.safetensors")
    assert isinstance(network, Reder)
    return network.train()


@pytest.fixture(scope="module")
def batch(bundle: Bundle) -> Batch:
    """Three sentences, and what people made of them."""
    german, english = zip(*PAIRS, strict=True)
    return Batch(
        pad(bundle.tokenizer.encode_batch(list(english))),
        pad(bundle.tokenizer.encode_batch(list(german))),
    )


@pytest.fixture(scope="module")
def scores(network: Reder, batch: Batch) -> FrameScores:
    """What the network says of each frame."""
    with torch.no_grad():
        logits, lengths = network(DE_EN, batch.german.ids, batch.german.lengths, seed=1)
    return FrameScores(logits.float().requires_grad_(), lengths)


def searched(search: MinimumRisk, scores: FrameScores, source: Padded, target: Padded) -> Risk:
    """The risk of one batch from German."""
    normaliser = log_normaliser(scores.logits.detach())
    found = search.find(DE_EN, scores, normaliser, source, target)
    return risk_of(own_scores(scores.logits, scores.lengths, target, others=found.tokens), found)


def test_equals_its_definition(bundle: Bundle, batch: Batch, scores: FrameScores) -> None:
    """Value and gradient are those of the reward expected over what the bundle's own search finds, by CTC of each."""
    risk = searched(MinimumRisk.as_served(SMALL, bundle.tokenizer), scores, batch.german, batch.english)
    (found,) = torch.autograd.grad(risk.total, scores.logits)
    log_probs, ids = scores.logits.detach().log_softmax(dim=2).topk(8, dim=2)
    expected = torch.zeros(())
    for row, (german, english) in enumerate(PAIRS):
        frames = slice(0, int(scores.lengths[row]))
        candidates = prefix_beam_search(
            ids[row, frames].numpy(),
            log_probs[row, frames].numpy(),
            beam=10,
            blank_id=BLANK_ID,
            fluency=bundle.fluency()[DE_EN],
            source=bundle.tokenizer.encode(german),
        )[:8]
        likelihoods, rewards = [], []
        for candidate in candidates:
            target = pad([candidate.ids])
            nll = ctc_loss(own_scores(scores.logits[[row]], scores.lengths[[row]], target)).total
            likelihoods.append(candidate.gain - nll)
            text = bundle.tokenizer.decode(list(candidate.ids))
            scored = [metric.sentence_score(text, [english]).score for metric in (BLEU(effective_order=True), CHRF())]
            rewards.append(sum(scored) / 200)
        chances = torch.stack(likelihoods).softmax(dim=0)
        expected = expected + (1 - (chances * torch.tensor(rewards)).sum()) * batch.english.lengths[row]
    (gradient,) = torch.autograd.grad(expected, scores.logits)
    torch.testing.assert_close(risk.total, expected, rtol=1e-4, atol=1e-4)
    torch.testing.assert_close(risk.reward, 1 - expected.detach() / batch.english.lengths.sum(), rtol=1e-4, atol=1e-4)
    torch.testing.assert_close(found, gradient, rtol=1e-3, atol=1e-4)


def test_search_in_other_processes(bundle: Bundle, batch: Batch, scores: FrameScores) -> None:
    """What two processes find of a batch is what one finds, sentence by sentence."""
    normaliser = log_normaliser(scores.logits.detach())
    sides = batch.german, Padded(batch.english.ids, batch.english.lengths * torch.tensor([1, 0, 1]))
    one, two = (
        MinimumRisk.as_served(SMALL, bundle.tokenizer, processes).find(DE_EN, scores, normaliser, *sides)
        for processes in (1, 2)
    )
    assert (one.rows, one.candidates, one.rewards) == (two.rows, two.candidates, two.rewards)
    assert one.rows == [0, 2]
    assert one.tokens.ids.equal(two.tokens.ids)


def test_nothing_to_learn(bundle: Bundle, batch: Batch, scores: FrameScores) -> None:
    """Where no sentence has a target there is no risk and no gradient."""
    nothing = Padded(batch.english.ids, torch.zeros_like(batch.english.lengths))
    risk = searched(MinimumRisk(bundle.tokenizer, {}), scores, batch.german, nothing)
    (gradient,) = torch.autograd.grad(risk.total, scores.logits)
    assert risk.total.item() == risk.reward.item() == 0
    assert not gradient.any()


def test_training_raises_what_is_expected(bundle: Bundle, network: Reder, batch: Batch) -> None:
    """A few updates on one batch, by the risk alone, lead the search to better translations."""
    config = TrainConfig(label_smoothing=0.0, ctc_weight=0.0, risk_weight=2.0, searched_with=SMALL)
    student = Reder(network.config).train()
    student.load_state_dict(network.state_dict())
    objective = DuplexObjective(student, config, MinimumRisk.as_served(SMALL, bundle.tokenizer))
    optimizer = torch.optim.Adam(student.parameters(), lr=1e-4)
    rewards = []
    for update in range(8):
        terms = objective(batch, DE_EN, update=update, seed=1)
        rewards.append(terms.means["expected_reward"].item())
        assert terms.total.item() == pytest.approx(2 * (1 - rewards[-1]) * batch.english.lengths.sum().item(), rel=1e-4)
        optimizer.zero_grad()
        terms.total.backward()
        optimizer.step()
    assert rewards[-1] > rewards[0] + 0.03


def test_bundle_of_another_vocabulary(corpus: PackedCorpus, tmp_path: Path) -> None:
    """Its language models would judge other words: the run does not start."""
    settings = replace(SETTINGS, risk_weight=1.0, searched_with=SMALL)
    with pytest.raises(ManifestError, match="the network has 380"):
        Trainer(toy.recipe(corpus.path, settings), corpus, tmp_path)


def test_bundle_of_other_words(tmp_path: Path) -> None:
    """So would those of a vocabulary that has as many tokens, but one of them another."""
    other = tmp_path / "tokenizer.model"
    pieces = (SMALL / "tokenizer.model").read_bytes()
    other.write_bytes(pieces.replace("▁Hund".encode(), "▁Hunk".encode(), 1))
    with pytest.raises(ManifestError, match="another vocabulary than the network"):
        MinimumRisk.as_served(SMALL, Tokenizer(other))
