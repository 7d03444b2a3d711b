"""The plan: within budget, the oldest first, and cheaper than first come, first served."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from service.pipeline.batching.planning import BatchBudget, plan

LENGTHS = st.lists(st.integers(1, 200), min_size=1, max_size=80)
BUDGETS = st.builds(
    BatchBudget,
    tokens=st.integers(200, 2000),
    items=st.integers(1, 32),
    overhead=st.integers(0, 300),
    padded=st.booleans(),
)


@given(LENGTHS, BUDGETS)
def test_a_plan_keeps_to_the_budget_and_takes_the_first(lengths: list[int], budget: BatchBudget) -> None:
    """Tokens and items are within bounds, padding counted if there is any; the first is in, nothing twice."""
    chosen = plan(lengths, budget)
    assert 0 in chosen
    assert len(set(chosen)) == len(chosen) <= budget.items
    taken = [lengths[index] for index in chosen]
    assert (max(taken) * len(taken) if budget.padded else sum(taken)) <= budget.tokens


@given(LENGTHS, BUDGETS)
def test_planning_again_and_again_serves_everything(lengths: list[int], budget: BatchBudget) -> None:
    """Every sentence is run exactly once."""
    waiting = list(enumerate(lengths))
    ran: list[int] = []
    while waiting:
        chosen = set(plan([length for _, length in waiting], budget))
        ran += [waiting[index][0] for index in chosen]
        waiting = [item for index, item in enumerate(waiting) if index not in chosen]
    assert sorted(ran) == list(range(len(lengths)))


def test_a_sentence_over_the_budget_goes_alone() -> None:
    """After the budget was halved for want of memory, a long sentence may exceed it: it is still served."""
    assert plan([500, 3, 3], BatchBudget(tokens=100, items=8, overhead=10)) == [0]


def test_without_padding_the_first_go_first() -> None:
    """As many as fit, in their order."""
    assert plan([5, 100, 6, 98, 5, 99], BatchBudget(tokens=210, items=16, overhead=50, padded=False)) == [0, 1, 2, 3]
    assert plan([5, 100, 6, 98], BatchBudget(tokens=210, items=2, overhead=50, padded=False)) == [0, 1]
    assert plan([500, 3, 3], BatchBudget(tokens=100, items=8, overhead=10, padded=False)) == [0]


def test_alike_lengths_go_together() -> None:
    """The first is short: short ones join it, long ones wait for each other."""
    chosen = plan([5, 100, 6, 98, 5, 99], BatchBudget(tokens=1000, items=16, overhead=50))
    assert sorted(chosen) == [0, 2, 4]


def test_buckets_waste_less_than_first_come_first_served() -> None:
    """Over a backlog of mixed lengths, fewer padded tokens are computed than in order of arrival."""
    lengths = [random.Random(seed).choice([4, 8, 12, 20, 30, 60, 120]) for seed in range(200)]
    budget = BatchBudget(tokens=1024, items=32, overhead=64)
    in_order = [lengths[start : start + 8] for start in range(0, len(lengths), 8)]
    waiting, planned = list(lengths), []
    while waiting:
        chosen = set(plan(waiting, budget))
        planned.append([waiting[index] for index in chosen])
        waiting = [length for index, length in enumerate(waiting) if index not in chosen]

    def padded(batches: list[list[int]]) -> int:
        return sum(max(batch) * len(batch) for batch in batches)

    assert padded(planned) < 0.6 * padded(in_order)
