"""The simulation of the batching plan: its arithmetic on queues one can work out by hand, and a run on real lengths."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.planner import POLICIES, simulate
from service.pipeline.batching.planning import BatchBudget
from tests.benchmarks.support import golden, here, write_set
from tests.cli.support import BUNDLE, one_line

if TYPE_CHECKING:
    from pathlib import Path

BUDGET = BatchBudget(tokens=40, items=64, overhead=5)
FIFO, SORTED, PLANNED = POLICIES


@pytest.mark.parametrize("policy", POLICIES)
def test_equal_lengths_cost_only_overhead(policy: str) -> None:
    """Four sentences of ten tokens fill a batch of 40: nothing is padded, and each batch costs five tokens more."""
    outcome = simulate(POLICIES[policy], [10] * 40, 4, BUDGET)
    assert (outcome.cost, outcome.padded, outcome.items) == (45 / 40, 1.0, 4.0)
    assert outcome.wait == 0.0, "all that waits leaves with the next batch"


def test_order_of_arrival_pads() -> None:
    """First in, first out, a sentence of one token and one of nine share 18; planned, each goes with its like."""
    lengths, cheap = [1, 9] * 40, BatchBudget(tokens=40, items=2, overhead=1)
    assert simulate(POLICIES[FIFO], lengths, 4, cheap).padded == 18 / 10
    assert simulate(POLICIES[PLANNED], lengths, 4, cheap).padded < 1.05


def test_deep_queue_is_sorted() -> None:
    """A queue of 64 is sorted before it is cut into two batches of 32, one of 31 is not."""
    lengths, wide = [1, 9] * 64, BatchBudget(tokens=1000, items=64, overhead=0)
    assert simulate(POLICIES[SORTED], lengths, 64, wide).padded == 1.0
    assert simulate(POLICIES[SORTED], lengths, 32, wide).padded == 18 / 10


@given(st.lists(st.integers(1, 60), min_size=1, max_size=80))
def test_batches_are_within_the_budget(lengths: list[int]) -> None:
    """Whatever waits, every policy takes something, nothing twice, and never more than fits."""
    for policy in POLICIES.values():
        batches = policy(lengths, BUDGET)
        taken = [index for batch in batches for index in batch]
        assert taken
        assert len(taken) == len(set(taken))
        for batch in batches:
            assert len(batch) == 1 or len(batch) * max(lengths[index] for index in batch) <= BUDGET.tokens


def test_run_on_real_lengths(tmp_path: Path) -> None:
    """The command's table and file agree, and on real lengths the plan costs less than its rivals at every depth."""
    write_set(tmp_path, "real", *golden(10))
    run = here(
        *("planner", "--texts", tmp_path / "real.en", "--tokenizer", BUNDLE / "tokenizer.model"),
        *("--depth", 8, "--depth", 64, "--sentences", 2000, "--output", tmp_path),
    )
    assert run.exit_code == 0, run.stderr
    found = json.loads((tmp_path / "planner.json").read_text(encoding="utf-8"))["outcomes"]
    for line in [line for line in run.stdout.splitlines() if line.startswith("|")][2:]:
        policy, *cells = (cell.strip() for cell in line.strip("|").split("|"))
        by_depth = found[policy]
        wanted = [by_depth[depth][kind] for kind in ("cost", "padded") for depth in ("8", "64")]
        assert cells == [f"{value:.2f}" for value in wanted]
    for depth in ("8", "64"):
        assert found[PLANNED][depth]["cost"] < min(found[FIFO][depth]["cost"], found[SORTED][depth]["cost"])


def test_no_sentences_is_a_clear_error(tmp_path: Path) -> None:
    """A file that is not there is named, and no made-up lengths take its place."""
    run = here("planner", "--texts", tmp_path / "none.en", "--output", tmp_path)
    assert run.exit_code == 2
    assert run.stdout == ""
    assert f"{tmp_path / 'none.en'} cannot be read" in one_line(run.stderr)
    assert not (tmp_path / "planner.json").exists()
