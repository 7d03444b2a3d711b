"""The scaling study: updates that cost what they should, a loss that is CTC's, tables, and runs from shape to score."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
import torch
from typer.testing import CliRunner

from benchmarks.__main__ import app
from benchmarks.multiply_adds import multiply_adds
from benchmarks.scaling import Run, loss_per_token, model_config, render, updates_within
from model.bundle import DIRECTIONS, EN_DE
from model.data.batches import Batch, pad
from model.data.vocabulary import train_vocabulary
from model.losses import ctc_loss
from model.reder import Reder
from model.sparse_softmax import own_scores
from tests.benchmarks.support import run_here, table_rows
from tests.model import toy

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def command(tmp_path: Path) -> list[str]:
    """The command on a packed corpus and a validation set; runs and report go to the test's folder."""
    pairs = toy.sentences(60)
    train_vocabulary(pairs, tmp_path / "tokenizer.model", size=toy.VOCABULARY_SIZE, max_sentences=100)
    toy.validation_set(tmp_path, pairs[:4], "captions")
    (tmp_path / "packed").mkdir()
    toy.packed(pairs, tmp_path / "tokenizer.model", tmp_path / "packed")
    options = ["--packed", str(tmp_path / "packed"), "--validation", str(tmp_path / "captions")]
    return ["scaling", *options, "--folder", str(tmp_path / "runs"), "--output", str(tmp_path)]


def run(shape: str, budget: float, parameters: int, loss: float) -> Run:
    """A run whose loss is the same in both directions."""
    both = {str(direction): loss for direction in DIRECTIONS}
    return Run(shape, budget, parameters, 100, 250_000, 1.5, both, dict.fromkeys(both, 1.0), dict.fromkeys(both, 20.0))


@pytest.mark.parametrize(("shape", "layers", "width", "heads"), [("tiny", 2, 128, 4), ("4x320", 4, 320, 10)])
def test_shapes(shape: str, layers: int, width: int, heads: int) -> None:
    """A shape is a preset, or layers per end and width."""
    config = model_config(shape, 50)
    assert (config.layers_per_end, config.width, config.heads) == (layers, width, heads)
    assert (config.vocabulary_size, config.max_source_tokens, config.dropout) == (50, 64, 0.0)


@pytest.mark.parametrize("shape", ["huge", "2x100", "0x64", "2x64x3"])
def test_unknown_shape_is_refused(command: list[str], shape: str, tmp_path: Path) -> None:
    """What is neither preset nor layers and width ends the command before anything is trained."""
    refused = CliRunner().invoke(app, [*command, "--shape", shape])
    assert refused.exit_code == 2
    assert f"--shape {shape}" in refused.stderr
    assert not (tmp_path / "runs").exists()


def test_updates_cost_the_budget() -> None:
    """The last update is the one that reaches the budget: three times a forward pass each way, batch after batch."""
    configs = {"small": toy.tiny(), "deep": toy.tiny(layers_per_end=6)}
    batches = [Batch(pad([[5] * 7] * 3), pad([[6] * 9] * 3)), Batch(pad([[5] * 4]), pad([[6] * 2]))] * 50
    found = updates_within([1e-4, 2e-5], configs, batches)
    assert found.keys() == {(budget, shape) for budget in (1e-4, 2e-5) for shape in configs}
    for (budget, shape), updates in found.items():
        costs = [
            3 * (taken.weights + taken.attention)
            for batch in batches
            for taken in [
                multiply_adds(configs[shape], *batch.english.ids.shape),
                multiply_adds(configs[shape], *batch.german.ids.shape),
            ]
        ]
        assert sum(costs[: 2 * (updates - 1)]) < budget * 1e12 <= sum(costs[: 2 * updates])
    assert found[1e-4, "small"] > found[1e-4, "deep"] > found[2e-5, "deep"]


def test_loss_is_ctc_per_target_token() -> None:
    """Pairs in batches have the loss of each alone; a target that cannot be aligned does not count."""
    torch.manual_seed(1)
    network = Reder(replace(toy.tiny(), max_source_tokens=64)).eval()
    pairs = [([5, 6, 7], [8, 9]), ([9] * 40, [10, 11] * 20), ([12, 13, 14, 15], [16])]
    found = loss_per_token(network, [*pairs, ([7], [8, 9, 10])])["en-de"]
    total = torch.zeros(())
    for english, german in pairs:
        source, target = pad([english]), pad([german])
        scores = network(EN_DE, source.ids, source.lengths)
        total += ctc_loss(own_scores(scores.logits, scores.lengths, target)).nll
    assert found == pytest.approx(float(total.detach()) / 43, rel=1e-5)


def test_tables_mark_the_best_of_each_budget() -> None:
    """A table for each budget, then the loss of each shape at each."""
    few = [run("tiny", 4, 500_000, 5.0), run("small", 4, 5_000_000, 6.0)]
    text = render([*few, run("tiny", 16, 500_000, 4.5), run("small", 16, 5_000_000, 4.0)])
    assert "| 4e12 multiply-adds | parameters |" in text
    assert "| **tiny** | 0.50 M | 100 | 0.25 M | 1.5 | 5.00 | 5.00 | 1.0 | 1.0 | 20.0 | 20.0 |" in text
    assert text.splitlines()[-2:] == [
        "| tiny | 0.50 M | **5.00** after 0.25 M | 4.50 after 0.25 M |",
        "| small | 5.00 M | 6.00 after 0.25 M | **4.00** after 0.25 M |",
    ]


def test_runs_are_made_once(command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command trains each shape at each budget and scores it; called again it only reads, and minds the recipe."""
    run_here(monkeypatch, "scaling")
    options = [*command, "--shape", "1x32", "--shape", "2x32", "--budget", "0.0005", "--batch-tokens", "300"]
    first = CliRunner().invoke(app, options)
    assert first.exit_code == 0, first.output
    report = json.loads((tmp_path / "scaling.json").read_text(encoding="utf-8"))
    shallow, deep = report["runs"]
    assert (shallow["shape"], deep["shape"]) == ("1x32", "2x32")
    assert shallow["updates"] > deep["updates"] > 0
    assert shallow["tokens"] > deep["tokens"]
    assert deep["parameters"] == pytest.approx(2 * shallow["parameters"], rel=0.02)
    assert all(set(one["loss"]) == {"en-de", "de-en"} for one in report["runs"])
    assert table_rows(CliRunner().invoke(app, options).stdout) == table_rows(first.stdout) != []
    other = CliRunner().invoke(app, [*options, "--seed", "2"])
    assert other.exit_code == 2
    assert "another folder" in other.stderr
