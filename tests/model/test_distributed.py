"""Two processes train the same network as one."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import torch

from model.checkpoint import load_model
from model.distributed import Group, join
from model.train import Trainer
from tests.model import toy
from tests.model.run_training import SETTINGS

if TYPE_CHECKING:
    from model.data.packed import PackedCorpus

ROOT = Path(__file__).parents[2]
PATIENCE = 180
"""Seconds until processes that do not end count as hanging."""

UPDATES = 2


def start(packed: Path, folder: Path) -> None:
    """Run two processes to their end, as torchrun would start them."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    group = {"WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
    command = [sys.executable, "-m", "tests.model.run_training", str(packed), str(folder), str(UPDATES)]
    processes = [
        subprocess.Popen(
            command, cwd=ROOT, env=os.environ | group | {"RANK": str(rank)}, stderr=subprocess.PIPE, text=True
        )
        for rank in range(2)
    ]
    try:
        for process in processes:
            _, errors = process.communicate(timeout=PATIENCE)
            assert process.returncode == 0, errors
    finally:
        for process in processes:
            process.kill()
            process.wait()


def test_two_processes_equal_one(small_corpus: PackedCorpus, tmp_path: Path) -> None:
    """Two processes with half a batch each agree bit for bit, and with one process that takes all of it."""
    start(small_corpus.path, tmp_path / "two")
    reports = [json.loads((tmp_path / "two" / f"rank-{rank}.json").read_text(encoding="utf-8")) for rank in range(2)]
    states = [load_model(tmp_path / "two" / f"rank-{rank}.safetensors").state_dict() for rank in range(2)]
    assert reports[0] == reports[1]
    assert all(torch.equal(tensor, states[1][name]) for name, tensor in states[0].items())

    one = Trainer(toy.recipe(small_corpus.path, SETTINGS, model=toy.tiny()), small_corpus, tmp_path / "one")
    before = {name: tensor.clone() for name, tensor in one.model.state_dict().items()}
    batches = one.sampler.batches(0)
    expected = [one._update(next(batches)) for _ in range(UPDATES + 1)][-1]

    # gradients are rounded to bfloat16 once in one process, twice in two
    assert reports[0]["tokens"] == expected.tokens
    assert reports[0]["losses"] == pytest.approx(expected.losses, rel=1e-3)
    assert reports[0]["gradient_norm"] == pytest.approx(expected.gradient_norm, rel=1e-2)
    after = one.model.state_dict()
    moved, apart = (
        sum(float((after[name].double() - other[name].double()).square().sum()) for name in after) ** 0.5
        for other in (before, states[0])
    )
    assert apart < 0.15 * moved


def test_group_of_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without torchrun there is one process: it leads, sums are its own values, and nothing waits."""
    for name in ("WORLD_SIZE", "RANK"):
        monkeypatch.delenv(name, raising=False)
    group = join()
    assert group == Group(rank=0, size=1)
    assert group.leads
    assert group.sum(torch.tensor([1.0, 2.0])).tolist() == [1.0, 2.0]
    parameter = torch.nn.Parameter(torch.zeros(2))
    group.sum_gradients([parameter])
    assert parameter.grad is None
    group.wait()
