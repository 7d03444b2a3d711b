"""The measurement of training: every operation has its place, and a recipe is measured from end to end."""

from __future__ import annotations

import json
import re
from functools import partialmethod
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from benchmarks.__main__ import app
from benchmarks.training import kind_of
from model.data.vocabulary import train_vocabulary
from model.reder import Reder
from tests.model import toy

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("operation", "kind"),
    [
        ("aten::mm", "matrix products"),
        ("aten::addmm", "matrix products"),
        ("aten::_ctc_loss_backward", "CTC"),
        ("aten::_softmax_backward_data", "softmax and normalisers"),
        ("aten::copy_", "copies and casts"),
        ("aten::gather", "lookups"),
        ("aten::_scaled_dot_product_flash_attention", "attention kernels"),
        ("aten::gelu_backward", "the rest"),
        ("Optimizer.step#AdamW.step", "the rest"),
    ],
)
def test_kind_of_an_operation(operation: str, kind: str) -> None:
    """Operations are told apart by the profiler's names, backward passes and in-place forms included."""
    assert kind_of(operation) == kind


@pytest.mark.filterwarnings("ignore:The .grad attribute of a Tensor that is not a leaf")
@pytest.mark.parametrize("compiled", ["false", "true"])
def test_measures_a_recipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compiled: str) -> None:
    """The command prints a speed, a utilisation, and shares that add up to the whole, also of compiled layers."""
    monkeypatch.setattr(Reder, "compile_layers", partialmethod(Reder.compile_layers, backend="eager"))
    monkeypatch.setattr("benchmarks.training._CEILING_SIZE", 64)  # what is large takes seconds
    pairs = toy.sentences(60)
    train_vocabulary(pairs, tmp_path / "tokenizer.model", size=toy.VOCABULARY_SIZE, max_sentences=100)
    (tmp_path / "packed").mkdir()
    toy.packed(pairs, tmp_path / "tokenizer.model", tmp_path / "packed")
    recipe = tmp_path / "recipe.toml"
    packed = json.dumps(str(tmp_path / "packed"))
    train = f"batch_tokens = 300\ncompile = {compiled}"
    recipe.write_text(f'[model]\npreset = "tiny"\n[data]\npacked = {packed}\n[train]\n{train}\n', encoding="utf-8")
    run = CliRunner().invoke(app, ["training", str(recipe), "--updates", "2"])
    assert run.exit_code == 0, run.output
    assert re.search(r"[\d,]+ tokens/s; .* utilisation \d+%", run.stdout)
    shares = [int(share) for share in re.findall(r"\| (\d+)% \|", run.stdout)]
    assert sum(shares) == pytest.approx(100, abs=len(shares))
    assert "matrix products" in run.stdout
