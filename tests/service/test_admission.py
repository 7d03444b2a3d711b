"""What is let in, and what is promised to whom."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack

import pytest

from service.errors import Overloaded, TooLarge
from service.observability.metrics import Metrics
from service.pipeline.batching.admission import Gate


@pytest.fixture
def gate() -> Gate:
    """Room for 100 tokens."""
    return Gate(100, Metrics())


def test_what_is_promised_counts(gate: Gate) -> None:
    """Tokens count from admission on, once, whether they wait already or not; when they were run they count no more."""
    with gate.admit(80) as first:
        with pytest.raises(Overloaded, match="80 tokens are waiting already"):
            gate.check(21)
        gate.queue(30, first)
        gate.check(20)
        with pytest.raises(Overloaded):
            gate.check(21)
        gate.unqueue(30, first)
        gate.check(50)
        with pytest.raises(Overloaded):
            gate.check(51)
    gate.check(100)


def test_nobody_is_refused_half_way(gate: Gate) -> None:
    """With no room left, an admitted request queues what it was promised, and even more than that."""
    with gate.admit(40) as first, gate.admit(60) as second:
        gate.queue(60, second)
        gate.queue(55, first)
        with pytest.raises(Overloaded, match="115 tokens are waiting already"):
            gate.check(1)
        gate.unqueue(60, second)
        gate.unqueue(55, first)
    gate.check(100)


def test_an_expectation_is_revised(gate: Gate) -> None:
    """Others are let in by what a request turned out to be; one larger than expected is refused if there is no room."""
    with gate.admit(80) as first:
        gate.revise(20, first)
        gate.check(80)
        with gate.admit(50) as second:
            gate.revise(80, second)
            with pytest.raises(Overloaded, match="100 tokens are waiting already; at most 100 may"):
                gate.revise(81, second)
            with pytest.raises(TooLarge):
                gate.revise(101, second)
    gate.check(100)


def test_what_is_searched_is_before_others(gate: Gate) -> None:
    """Tokens that the engine is done with count for as long as something else is done with them, however it ends."""

    def fail() -> None:
        with gate.hold(70):
            gate.check(30)
            gate.check(31)

    with pytest.raises(Overloaded, match="70 tokens are waiting already"):
        fail()
    gate.check(100)


def test_more_than_there_is_room(gate: Gate) -> None:
    """What can never be admitted is told apart from what must wait."""
    with pytest.raises(TooLarge):
        gate.check(101)


def test_retry_after_follows_the_rate(gate: Gate) -> None:
    """Told are whole seconds until there is room: one while nothing is known, and a minute at most."""

    def told() -> int:
        with pytest.raises(Overloaded) as refused:
            gate.check(50)
        return refused.value.retry_after_s

    with gate.admit(100):
        assert told() == 1
        gate.note_run(10, seconds=1.0)
        assert told() == 5
        for _ in range(50):
            gate.note_run(100, seconds=1000.0)
        assert told() == 60


def test_time_limits_what_is_let_in(gate: Gate) -> None:
    """Who has little time is refused where those before would take most of it; with nobody before, never."""
    gate.check(100, within_s=0.001)
    with gate.admit(40):
        gate.check(60, within_s=0.001)
        gate.note_run(10, seconds=1.0)
        gate.check(10, within_s=10.1)
        with pytest.raises(Overloaded, match="not be done before the deadline") as refused:
            gate.check(10, within_s=5.0)
        assert refused.value.retry_after_s == 3
        with pytest.raises(Overloaded), gate.admit(10, within_s=5.0):
            pass
    gate.check(100, within_s=0.001)


def test_nobody_waits_for_too_long_a_queue() -> None:
    """Who would wait for others for too long is refused, whoever it is; a long request may come when few wait."""
    patient = Gate(100, Metrics(), longest_wait_s=3.0)
    patient.note_run(10, seconds=1.0)
    with patient.hold(30):
        patient.check(70)
        with patient.hold(20):
            with pytest.raises(Overloaded, match="more than 3 s of work") as refused:
                patient.check(1)
            assert refused.value.retry_after_s == 2
    patient.check(100)


def test_when_a_request_is_due() -> None:
    """Bit by bit, over four times as long as it takes by itself, as far as that is known; or over most of its time."""
    gate = Gate(100_000, Metrics())
    with gate.admit(500) as unknown:
        assert unknown.due(500) == unknown.since
        gate.note_run(100, 0.1)
        gate.revise(400, unknown)
        assert unknown.due(100) - unknown.since == pytest.approx(0.4)
        assert unknown.due(400) - unknown.since == pytest.approx(1.6)
        assert unknown.due(500) == unknown.due(400)
    with gate.admit(14_000, within_s=30.0) as long:
        assert long.due(14_000) - long.since == pytest.approx(21.0)
    with gate.admit(20, within_s=30.0) as short:
        assert short.due(20) - short.since == pytest.approx(0.08)


def test_what_is_due_later_is_not_before_a_request() -> None:
    """A sentence is let in although a document waits that takes long; another document, and what is overdue, counts."""
    gate = Gate(100_000, Metrics(), longest_wait_s=2.0)
    gate.note_run(1000, 1.0)
    with gate.admit(10_000, within_s=30.0) as document:
        gate.check(20, within_s=30.0)
        with pytest.raises(Overloaded, match="more than 2 s of work"):
            gate.check(9_000, within_s=30.0)
        gate.queue(4_000, document)
        document.since -= 12.0  # of what takes ten seconds, and is due over 21
        with pytest.raises(Overloaded, match=r"57\d\d tokens are waiting already, more than 2 s of work"):
            gate.check(20, within_s=30.0)
        gate.unqueue(4_000, document)
        gate.check(20, within_s=30.0)
    gate.check(9_000, within_s=30.0)


def test_what_has_been_let_in_is_not_held_up_for_long() -> None:
    """While a long request is under way that has little time, others are refused the sooner."""
    gate = Gate(100_000, Metrics(), longest_wait_s=5.0)
    gate.note_run(1000, 1.0)
    with gate.admit(100, within_s=30.0), gate.hold(1_400):
        gate.check(100, within_s=30.0)
        refused = pytest.raises(Overloaded, match=r"more than 1\.6 s of work")
        with gate.admit(2_000, within_s=8.0), gate.hold(400), refused:
            gate.check(100, within_s=30.0)


def test_empty_when_all_have_left(gate: Gate) -> None:
    """Whoever waits for the end waits for every admitted request, also for one that has nothing queued."""

    async def leave_one_by_one() -> list[bool]:
        done = []
        with ExitStack() as first, ExitStack() as second:
            first.enter_context(gate.admit(10))
            second.enter_context(gate.admit(0))
            waiting = asyncio.create_task(gate.empty())
            for request in (first, second):
                await asyncio.sleep(0)
                done.append(waiting.done())
                request.close()
            await waiting
        return done

    assert asyncio.run(leave_one_by_one()) == [False, False]
