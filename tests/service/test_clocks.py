"""The wall clock may jump, as it does when a machine is set right or wakes up; nothing but time stamps goes by it."""

from __future__ import annotations

import itertools
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from tests.service.support import PATIENCE_S, serve, serve_faulty, wait_until

if TYPE_CHECKING:
    from service.app import Loaded
    from service.settings import Settings

TEN_YEARS_S = 315_576_000
DEADLINE_S = 0.3


@pytest.fixture(autouse=True)
def jumping_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """By years, at every look."""
    real, jumps = time.time_ns, itertools.cycle([0, TEN_YEARS_S, -TEN_YEARS_S])
    monkeypatch.setattr(time, "time_ns", lambda: real() + next(jumps) * 10**9)
    monkeypatch.setattr(time, "time", lambda: real() / 1e9 + next(jumps))


def test_rate_limits_do_not_go_by_the_wall_clock(settings: Settings, loaded: Loaded) -> None:
    """A window that is used up stays so, and Retry-After is what is left of it."""
    with serve(settings, loaded, rate_limit_per_address="20/hour") as served:
        answers = [served.client.post("/translate?dir=en-de", json={"text": "Two dogs.."}) for _ in range(6)]
    assert [answer.status_code for answer in answers] == [200] * 2 + [429] * 4
    assert all(3600 - PATIENCE_S < int(answer.headers["retry-after"]) <= 3601 for answer in answers[2:])


def test_the_wall_clock_decides_nothing(settings: Settings, loaded: Loaded) -> None:
    """Deadlines, waits and durations are as ever, and so is the end."""
    with serve_faulty(settings, loaded, held=True) as (served, engine), ThreadPoolExecutor(1) as pool:
        first = pool.submit(served.client.post, "/translate?dir=en-de", json={"text": "First."})
        wait_until(lambda: len(engine.calls) == 1)
        asked = time.monotonic()
        late = served.client.post(
            "/translate?dir=en-de", json={"text": "Late."}, headers={"X-Timeout-Ms": str(round(DEADLINE_S * 1000))}
        )
        assert late.status_code == 504
        assert DEADLINE_S / 2 < time.monotonic() - asked < PATIENCE_S
        engine.gate.set()
        assert first.result().status_code == 200
        timings = [float(stage.partition("dur=")[2]) for stage in first.result().headers["server-timing"].split(",")]
        assert all(0 <= milliseconds < PATIENCE_S * 1000 for milliseconds in timings)
        canary = served.client.get("/roundtrip").json()
        assert all(0 < one["duration_s"] < PATIENCE_S for one in canary["directions"].values())
        assert served.client.get("/readyz").status_code == 200
        labels = {"route": "/translate", "dir": "en-de", "quality": "fast", "code": "200"}
        assert 0 < served.metric("reder_request_duration_seconds_sum", **labels) < PATIENCE_S
