"""The measurement of the engine on a GPU, as far as it goes without one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest

from benchmarks import ceiling, gpu
from benchmarks.ceiling import Ceiling
from benchmarks.gpu import batches_of, repeated, summarise, throughput_table
from benchmarks.multiply_adds import multiply_adds
from model.config import PRESETS, ModelConfig
from service.engine.sessions import CPU
from service.types import Batch
from tests.benchmarks.support import golden, here, write_set
from tests.cli.support import BUNDLE

if TYPE_CHECKING:
    from pathlib import Path

CONFIG = ModelConfig(vocabulary_size=300, **PRESETS["tiny"])


def test_sentences_go_round_until_there_are_tokens_enough() -> None:
    """In order, and never fewer than fill a batch."""
    assert repeated([(1, 2), (3,)], 1)[:3] == [(1, 2), (3,), (1, 2)]
    assert sum(map(len, repeated([(1, 2), (3,)], 1000))) in {1000, 1001}


def test_batches_hold_all_sentences_and_keep_their_budget() -> None:
    """They are full: what one can hold is in one, whatever a batch of the service may have of sentences."""
    sources = repeated([(1,) * 12, (2,) * 9], 2000)
    small, large = batches_of(sources, 64), batches_of(sources, 4096)
    assert all(batch.ids.size <= 64 for batch in small)
    assert len(large) == 1
    for batches in (small, large):
        assert sum(len(batch.ids) for batch in batches) == len(sources)


def test_throughput_counts_padding_as_work_and_not_as_tokens() -> None:
    """Of a batch with one short sentence, in two seconds; and its share of the ceiling of its own precision."""
    batch = Batch(ids=np.ones((2, 4), np.int64), lengths=np.array([4, 2]))
    found = summarise([batch], CONFIG, first_s=3.0, later_s=2.0)
    count = multiply_adds(CONFIG, 2, 4).weights
    assert (found.sentences_per_s, found.tokens_per_s) == (1.0, 3.0)
    assert found.padded_over_real == pytest.approx(8 / 6)
    assert found.multiply_adds_per_s == count / 2
    ceilings = {"fp16, large": count * 1.0, "fp32, large": count * 2.0}
    lines = throughput_table({"cuda fp16, 8 tokens": found, "cuda fp32, 8 tokens": found}, ceilings).splitlines()
    assert lines[2].endswith("| 50% | 1.50 |")
    assert lines[3].endswith("| 25% | 1.50 |")


@pytest.mark.parametrize("precision", ["int8", "fp32"])
def test_ceiling_runs_every_shape(precision: str) -> None:
    """The best shape counts, or all of them together."""
    ceiling = Ceiling(precision, shapes=[(64, 32, 16), (8, 8, 8)])
    assert ceiling.measure_together() > 0
    assert ceiling.measure() > 0


def test_run_measures_on_the_processor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All but the memory of the card, on the shipped bundle."""
    monkeypatch.setitem(ceiling._LARGE, CPU, ((64, 64, 64),))  # what is large takes seconds
    monkeypatch.setattr(gpu, "MIDDLE_ROWS", 64)
    write_set(tmp_path, "real", *golden(4))
    run = here(
        *("gpu", "--provider", "cpu", "--bundle", BUNDLE, "--sentences", tmp_path / "real", "--alone", 3),
        *("--tokens", 50, "--budget", 256, "--rounds", 1, "--output", tmp_path),
    )
    assert run.exit_code == 0, run.stderr
    found = json.loads((tmp_path / "gpu.json").read_text(encoding="utf-8"))
    assert {name: [len(times) for times in rounds] for name, rounds in found["alone_s"].items()} == {
        "cpu fp32": [3],
        "cpu int8": [3],
    }
    assert set(found["throughput"]) == {"cpu fp32, 256 tokens", "cpu int8, as served"}
    assert all(one["tokens_per_s"] > 0 for one in found["throughput"].values())
    assert "fp32, large" in run.stdout
