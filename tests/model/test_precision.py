"""Matrices are multiplied in bfloat16 where that is fast, in float32 elsewhere."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from model.architecture import for_inference
from model.baselines.dual import Dual
from model.config import TrainConfig
from model.optim import Optimizers
from model.precision import mixed_precision, product_dtype
from model.reder import Reder
from tests.model import toy

CPU, GPU = torch.device("cpu"), torch.device("cuda")


@pytest.fixture(params=[True, False], ids=["bfloat16", "float32"])
def has_bfloat16(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """A CPU that multiplies bfloat16, and one that does not."""
    has: bool = request.param
    monkeypatch.setattr("model.precision._cpu_has_bfloat16", lambda: has)
    return has


def test_products(*, has_bfloat16: bool) -> None:
    """Products in the context have the CPU's type; a GPU's is bfloat16 whatever the CPU is."""
    expected = torch.bfloat16 if has_bfloat16 else torch.float32
    with mixed_precision(CPU):
        assert (torch.ones(2, 3) @ torch.ones(3, 2)).dtype == product_dtype(CPU) == expected
    assert product_dtype(GPU) == torch.bfloat16


def test_muon(*, has_bfloat16: bool) -> None:
    """PyTorch's Muon, which knows bfloat16 alone, where a CPU has it; this project's where not."""
    muon, _ = Optimizers(Reder(toy.tiny()), TrainConfig(optimizer="muon"))._optimizers
    assert type(muon).__name__ == ("Muon" if has_bfloat16 else "GroupedMuon")


@pytest.mark.skipif(torch.cuda.is_available(), reason="says what happens without a GPU")
def test_translating(*, has_bfloat16: bool) -> None:
    """The baseline translates in what the CPU multiplies, REDER in float32 in any case."""
    baseline = for_inference(Dual(replace(toy.tiny(), architecture="dual")))
    assert next(baseline.parameters()).dtype == (torch.bfloat16 if has_bfloat16 else torch.float32)
    assert next(for_inference(Reder(toy.tiny())).parameters()).dtype == torch.float32
