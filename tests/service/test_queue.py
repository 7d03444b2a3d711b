"""What waits for the engine: in which order it is taken, how much at once, and by several threads."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from itertools import count
from typing import TYPE_CHECKING, Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.bundle import DE_EN, EN_DE
from service.pipeline.batching.admission import Admission
from service.pipeline.batching.planning import BatchBudget
from service.pipeline.batching.queue import Item, Queue
from service.pipeline.batching.work import Greedy, Search

if TYPE_CHECKING:
    import asyncio

    from service.pipeline.batching.queue import Done
    from service.pipeline.batching.work import Work

GREEDY = Greedy(EN_DE)
PADDED = BatchBudget(tokens=1000, items=8, overhead=10)
UNPADDED = BatchBudget(tokens=512, items=32, overhead=10, padded=False)
WORKS = [Greedy(DE_EN), Greedy(EN_DE), Search(EN_DE)]


def item(due: float, *, length: int = 10, work: Work[Any, Any] = GREEDY) -> Item:
    """A row that nobody waits for."""
    return Item(work, None, length, due, Admission(length), cast("asyncio.Future[Done]", Future()))


ROWS = st.tuples(st.sampled_from(WORKS), st.floats(0, 9), st.integers(1, 600))


@given(st.lists(ROWS, min_size=1), st.sampled_from([PADDED, UNPADDED]))
def test_all_are_taken_once_and_who_is_due_first_is_next(
    rows: list[tuple[Work[Any, Any], float, int]], budget: BatchBudget
) -> None:
    """A batch has rows of equal work, among them the one that is due first of all; at the end nothing is left."""
    queue, padded = Queue(lanes=2, lookahead=32), budget.padded
    left = [item(due, length=length, work=work) for work, due, length in rows]
    queue.add(left)
    while left:
        first = min(left, key=lambda one: one.due)
        batch = queue.take(budget, idle=1)
        assert batch[0].due == first.due if not padded else first.due in {one.due for one in batch}
        assert len({one.work for one in batch}) == 1
        assert len(batch) == 1 or padded or sum(one.length for one in batch) <= 128
        assert set(batch) <= set(left)
        left = [one for one in left if one not in batch]
        assert len(queue) == len(left)
    assert queue.take(PADDED, idle=1) == []


def test_of_equals_who_came_first() -> None:
    """Rows that are due at once go in their order."""
    queue, rows = Queue(lanes=1, lookahead=32), [item(1.0, length=100) for _ in range(4)]
    queue.add(rows)
    assert [queue.take(UNPADDED, idle=1)[0] for _ in rows] == rows


@pytest.mark.parametrize(
    ("waiting", "lanes", "idle", "budget", "taken"),
    [
        pytest.param(8, 2, 1, PADDED, 8, id="one lane takes all"),
        pytest.param(8, 2, 2, PADDED, 4, id="two share"),
        pytest.param(8, 2, 1, UNPADDED, 1, id="without padding, few"),
        pytest.param(32, 2, 1, UNPADDED, 4, id="of more, more"),
        pytest.param(128, 2, 1, UNPADDED, 12, id="as many as are worth it"),
        pytest.param(8, 1, 1, UNPADDED, 2, id="one lane needs less in reserve"),
    ],
)
def test_how_many_are_taken_at_once(waiting: int, lanes: int, idle: int, budget: BatchBudget, taken: int) -> None:
    """With padding a batch, or a share for each idle lane; without, an eighth of what waits for two lanes."""
    queue = Queue(lanes, lookahead=128)
    queue.add(item(1.0) for _ in range(waiting))
    assert len(queue.take(budget, idle)) == taken


def test_who_leaves_is_not_taken() -> None:
    """Nor counted; what has been taken already cannot be taken out any more."""
    queue, rows = Queue(lanes=1, lookahead=32), [item(float(number)) for number in range(6)]
    queue.add(rows)
    gone = queue.take(UNPADDED, idle=1)
    assert queue.remove(rows[:3]) == [row for row in rows[:3] if row not in gone]
    assert queue.clear() == rows[3:]
    assert len(queue) == 0
    assert queue.oldest_age_s == 0


def test_threads_that_take_at_once() -> None:
    """While more is added all the time, no row is lost or taken twice."""
    queue, rows, turns = Queue(lanes=4, lookahead=32), [item(number % 7) for number in range(2000)], count()

    def work(number: int) -> list[Item]:
        taken: list[Item] = []
        while (turn := next(turns)) < len(rows):
            queue.add([rows[turn]])
            taken += queue.take(UNPADDED if number % 2 else PADDED, idle=1 + number)
        return taken

    with ThreadPoolExecutor(4) as threads:
        taken = [one for its in threads.map(work, range(4)) for one in its]
    taken += queue.clear()
    assert len(taken) == len(set(taken)) == len(rows)
