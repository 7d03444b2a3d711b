"""The round trip runs by itself, and nobody waits for it but those who ask for it.

Where scores do not matter, the engine copies: that is quick, and keeps the order of calls.
"""

from __future__ import annotations

import time
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from model.bundle import Task
from tests.service.support import PATIENCE_S, CopyingEngine, FaultyEngine, distinct, serve_faulty, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

    import httpx

    from service.app import Loaded
    from service.settings import Settings
    from tests.service.support import Call, Served

LONGEST_SENTENCE = 2
"""Rows that one canary sentence may come to: the segmentation takes a few for two."""


@contextmanager
def scheduled(settings: Settings, loaded: Loaded, **changes: object) -> Iterator[tuple[Served, FaultyEngine]]:
    """A service whose canary sentences run every 50 ms, from the start on, unless told otherwise."""
    often = settings.model_copy(update={"canary_on_start": True, "canary_interval_s": 0.05} | changes)
    with serve_faulty(often, replace(loaded, engine=CopyingEngine())) as both:
        yield both


def post(served: Served, number: int) -> httpx.Response:
    """A request that is no canary sentence."""
    return served.client.post("/translate?dir=en-de", json={"text": f"Request {number} is for number {number}."})


@contextmanager
def held(served: Served, engine: FaultyEngine, pool: ThreadPoolExecutor) -> Iterator[Future[httpx.Response]]:
    """A request in the engine, held up in its search, which no round trip does. Holds the others up with it."""
    engine.at = frozenset({Task.SEARCH})
    engine.gate.clear()
    answer = pool.submit(served.client.post, "/translate?dir=en-de&quality=best", json={"text": "Request."})
    wait_until(lambda: engine.at_gate(Task.SEARCH))
    try:
        yield answer
    finally:
        engine.gate.set()


def hold_canary(engine: FaultyEngine) -> None:
    """Hold up the engine's next call, which is of a canary sentence."""
    engine.gate.clear()
    wait_until(lambda: engine.held)


def last_run(served: Served) -> float:
    """When the last run ended."""
    return served.metric("reder_round_trip_timestamp_seconds")


def of_users(loaded: Loaded, calls: list[Call]) -> list[bool]:
    """Whether calls of the engine were for users' requests."""
    (mark,) = {loaded.bundle.tokenizer.encode(f"Request {number} is for")[0] for number in range(10)}
    return [bool((call.batch.ids[:, 0] == mark).all()) for call in calls]


def test_it_runs_at_its_interval(settings: Settings, loaded: Loaded) -> None:
    """Without being asked: scores appear, and again; readiness says how old they are."""
    copying = replace(loaded, engine=CopyingEngine())
    with serve_faulty(settings, copying, held=True, canary_interval_s=0.3) as (served, engine):
        readiness = served.client.get("/readyz").json()
        assert (readiness["round_trip"], readiness["round_trip_age_s"]) == ("pending", None)
        engine.gate.set()
        wait_until(lambda: last_run(served) > 0)
        first = last_run(served)
        readiness = served.client.get("/readyz").json()
        assert readiness["round_trip"] in ("ok", "degraded")
        assert 0 <= readiness["round_trip_age_s"] < 60
        assert served.metric("reder_round_trip_score", dir="en-de", score="chrf") > 0
        wait_until(lambda: last_run(served) > first)
        assert served.metric("reder_round_trip_failures_total") == served.metric("reder_round_trip_skipped_total") == 0


def test_without_an_interval_it_runs_once(settings: Settings, loaded: Loaded) -> None:
    """Zero is after the start only."""
    with scheduled(settings, loaded, canary_interval_s=0.0) as (served, engine):
        wait_until(lambda: last_run(served) > 0)
        calls = len(engine.calls)
        time.sleep(0.3)
        assert len(engine.calls) == calls


def test_requests_come_first(settings: Settings, loaded: Loaded) -> None:
    """Requests that come while a sentence of the round trip is in the engine wait for that one sentence only."""
    with scheduled(settings, loaded) as (served, engine), ThreadPoolExecutor(8) as pool:
        hold_canary(engine)
        engine.calls[:-1] = []
        answers = [pool.submit(post, served, number) for number in range(8)]
        wait_until(lambda: served.metric("reder_queue_items") == 8)
        before = last_run(served)
        engine.gate.set()
        assert {answer.result().status_code for answer in answers} == {200}
        wait_until(lambda: last_run(served) > before)
        users = of_users(loaded, engine.calls)
        canaries = [call for call, user in zip(engine.calls, users, strict=True) if not user]
        assert users[0] is False
        assert sum(len(call.batch.ids) for call, user in zip(engine.calls, users, strict=True) if user) == 8
        assert users.index(False, 1) > len(users) - 1 - users[::-1].index(True)
        assert max(len(call.batch.ids) for call in canaries) <= LONGEST_SENTENCE


def test_a_busy_service_skips_runs(settings: Settings, loaded: Loaded) -> None:
    """While requests leave no moment, runs are given up, counted as skipped and not as failed; later they run again."""
    with (
        scheduled(settings, loaded, canary_timeout_s=1.0) as (served, engine),
        ThreadPoolExecutor(1) as pool,
        held(served, engine, pool) as answer,
    ):
        engine.calls.clear()
        # The first run may have had a sentence in the queue already, and fail of that.
        wait_until(lambda: served.metric("reder_round_trip_skipped_total") > 0)
        skipped, failures = (served.metric(f"reder_round_trip_{name}_total") for name in ("skipped", "failures"))
        wait_until(lambda: served.metric("reder_round_trip_skipped_total") > skipped)
        assert served.metric("reder_round_trip_failures_total") == failures
        assert not engine.calls
        assert served.client.get("/readyz").status_code == 200
        before, canary = last_run(served), served.context.canary
        canary._times = replace(canary._times, timeout_s=PATIENCE_S)  # enough on a slow machine, too
        engine.gate.set()
        assert answer.result().status_code == 200
        wait_until(lambda: last_run(served) > before)


def test_who_asks_does_not_stand_back(settings: Settings, loaded: Loaded) -> None:
    """Somebody who asks for the round trip is a user too: it takes its turn in the queue, at once and whole."""
    with (
        scheduled(settings, loaded, canary_on_start=False, canary_interval_s=0.5) as (served, engine),
        ThreadPoolExecutor(2) as pool,
        held(served, engine, pool) as answer,
    ):
        report = pool.submit(served.client.get, "/roundtrip")
        wait_until(lambda: served.metric("reder_queue_items") >= len(loaded.bundle.canary("en")))
        engine.gate.set()
        assert (answer.result().status_code, report.result().status_code) == (200, 200)


def test_who_asks_while_the_queue_is_full_is_refused(settings: Settings, loaded: Loaded) -> None:
    """That is told to them alone: the run is one that was skipped, and none that failed."""
    room = 2 * sum(len(loaded.bundle.tokenizer.encode(sentence)) for sentence in loaded.bundle.canary("en"))
    tight: dict[str, object] = {"queue_tokens": room, "batch_tokens": room, "canary_on_start": False}
    with (
        scheduled(settings, loaded, canary_interval_s=0.0, **tight) as (served, engine),
        ThreadPoolExecutor(2) as pool,
        held(served, engine, pool),
    ):
        texts = distinct("Request.", 1 + room // 8)
        waiting = pool.submit(served.client.post, "/translate?dir=en-de", json={"text": texts})
        wait_until(lambda: served.metric("reder_queue_tokens") > room / 2)
        assert served.client.get("/roundtrip").status_code == 429
        assert served.client.get("/readyz").json()["round_trip"] == "pending"
        assert served.metric("reder_round_trip_skipped_total") == 1
        assert served.metric("reder_round_trip_failures_total") == 0
        engine.gate.set()
        assert waiting.result().status_code == 200


def test_who_asks_has_all_of_the_time(settings: Settings, loaded: Loaded) -> None:
    """A run that has stood back for most of its time is no failure for somebody who joins it, nor a skipped one."""
    with (
        scheduled(settings, loaded, canary_timeout_s=3.0) as (served, engine),
        ThreadPoolExecutor(2) as pool,
        held(served, engine, pool),
    ):
        wait_until(lambda: served.metric("reder_round_trip_skipped_total") > 0)
        skipped, failures = (served.metric(f"reder_round_trip_{name}_total") for name in ("skipped", "failures"))
        time.sleep(2.2)  # of the next run's time
        report = pool.submit(served.client.get, "/roundtrip")
        time.sleep(1.0)  # what was left of it, and more
        engine.gate.set()
        assert report.result().status_code == 200
        assert served.client.get("/readyz").json()["round_trip"] == "degraded"  # the engine copies
        assert served.metric("reder_round_trip_skipped_total") == skipped
        assert served.metric("reder_round_trip_failures_total") == failures


def test_it_never_overlaps_itself(settings: Settings, loaded: Loaded) -> None:
    """While a run is held up no other begins, however short the interval; who asks then gets the result of this one."""
    with scheduled(settings, loaded, canary_interval_s=0.01) as (served, engine), ThreadPoolExecutor(1) as pool:
        hold_canary(engine)
        before = last_run(served)
        engine.calls.clear()
        report = pool.submit(served.client.get, "/roundtrip")
        time.sleep(0.3)
        assert not engine.calls
        assert served.metric("reder_queue_items") == 0
        assert last_run(served) == before
        engine.gate.set()
        assert report.result().status_code == 200
        assert last_run(served) > before


def test_a_failure_is_counted_and_it_goes_on(settings: Settings, loaded: Loaded) -> None:
    """A run that fails makes nobody unready; the next is tried as if nothing had been."""
    with scheduled(settings, loaded) as (served, engine):
        engine.poison = loaded.bundle.tokenizer.encode(loaded.bundle.canary("en")[0])[0]
        wait_until(lambda: served.metric("reder_round_trip_failures_total") >= 2)
        readiness = served.client.get("/readyz")
        assert (readiness.status_code, readiness.json()["round_trip"]) == (200, "failed")
        assert readiness.json()["round_trip_age_s"] >= 0
        before = last_run(served)
        engine.poison = None
        wait_until(lambda: last_run(served) > before)
        assert served.client.get("/readyz").json()["round_trip"] == "degraded"  # the engine copies


def test_it_finds_an_engine_that_fails_on_everything(settings: Settings, loaded: Loaded) -> None:
    """Though nobody sends a request, the service turns unready, and ready again when the engine works."""
    with scheduled(settings, loaded) as (served, engine):
        engine.error = RuntimeError("broken")
        wait_until(lambda: served.client.get("/readyz").json()["reasons"] == ["engine failing"])
        engine.error = None
        wait_until(lambda: served.client.get("/readyz").status_code == 200)
