"""The whole model learns: tokenizer, network, loss, optimiser, decoding and scoring together."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from model.bundle import DE_EN, EN_DE
from model.checkpoint import load_model
from model.decode import translate
from model.tasks import TorchRunner
from model.train import Trainer
from tests.model import toy

if TYPE_CHECKING:
    from pathlib import Path

    from model.data.corpus import Pair
    from model.data.packed import PackedCorpus


@pytest.fixture(scope="module")
def run(small_corpus: PackedCorpus, pairs: list[Pair], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run on 30 pairs, validated on the very same."""
    folder = tmp_path_factory.mktemp("overfit")
    recipe = toy.overfitting_recipe(small_corpus, pairs[:30], folder, "reder", label_smoothing=0.0)
    trainer = Trainer(recipe, small_corpus, folder)
    assert trainer.sampler.expected_pairs == 30
    trainer.run()
    trainer.write_mean()
    return folder


def test_overfits_thirty_pairs(run: Path) -> None:
    """After a hundred updates the network translates 30 pairs with a BLEU over 95 in both directions."""
    last = json.loads((run / "log.jsonl").read_text(encoding="utf-8").splitlines()[-1])
    bleu = {name: score[0] for name, score in last["scores"].items()}
    assert set(bleu) == {"toy en-de", "toy de-en"}
    assert min(bleu.values()) > 95


def test_saved_network_translates_there_and_back(run: Path, small_corpus: PackedCorpus, pairs: list[Pair]) -> None:
    """The network that was saved, loaded again, takes most sentences to German and back unchanged."""
    model, tokenizer = load_model(run / "mean.safetensors"), small_corpus.tokenizer()
    english = [pair.english for pair in pairs[:30]]
    german = translate(TorchRunner(model), tokenizer, EN_DE, english)
    back = translate(TorchRunner(model), tokenizer, DE_EN, german)
    assert sum(left == right for left, right in zip(back, english, strict=True)) > 27
    assert not set(german) & set(english)
