"""The comparison of batchers: throughput at a limit of the 99th percentile, and a run against two real servers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from benchmarks.batchers import VARIANTS, Point, at_limit, compare, post, render, typical
from benchmarks.peer_server import BENTOML, LITSERVE, LOCK, OURS
from tests.benchmarks.support import golden, here, write_set
from tests.cli.support import BUNDLE

if TYPE_CHECKING:
    from pathlib import Path

CLIMB = [Point(1, 100.0, 10.0, 0.0), Point(2, 150.0, 20.0, 0.0), Point(4, 170.0, 40.0, 0.0), Point(8, 160.0, 80.0, 0.0)]


@pytest.mark.parametrize(
    ("limit", "rate"),
    [(5, None), (10, 100.0), (15, 125.0), (20, 150.0), (30, 160.0), (40, 170.0), (60, 170.0), (500, 170.0)],
)
def test_throughput_at_a_limit(limit: float, rate: float | None) -> None:
    """The best number of clients within the limit, or the line to the first beyond it; nothing if none is within."""
    assert at_limit(CLIMB, limit) == rate


def test_failures_do_not_count() -> None:
    """What loses more than a request in a hundred has no throughput, however fast it is."""
    assert at_limit([Point(1, 100.0, 10.0, 0.0), Point(2, 900.0, 10.0, 0.02)], 50) == 100.0


def test_medians_of_climbs() -> None:
    """Medians over the rounds; a number of clients that one round did not reach is left out."""
    rounds = [
        [Point(1, rate, p99, 0.0), *([Point(2, 1.0, 1.0, 0.0)] if rate < 30 else [])]
        for rate, p99 in ((10.0, 3.0), (30.0, 1.0), (20.0, 2.0))
    ]
    assert typical(rounds) == [Point(1, 20.0, 2.0, 0.0)]


def test_best_setting_counts_for_each_limit() -> None:
    """Of a server's settings the best one at each limit; the ratio says how much more this service does."""
    best = compare({f"{OURS} | as it is": CLIMB, "P | a": CLIMB[:1], "P | b": [Point(1, 85.0, 30.0, 0.0)]}, [15, 30])
    assert best == {OURS: {15: 125.0, 30: 160.0}, "P": {15: 100.0, 30: 100.0}}
    assert render(best, [15, 30]).splitlines()[2:] == [
        f"| {OURS} | 125.0 | 160.0 | 1.00 | 1.00 |",
        "| P | 100.0 | 100.0 | 1.25 | 1.60 |",
    ]


def test_every_server_is_asked_in_its_own_way() -> None:
    """Each server with a batcher of its own is tried with two settings at least; requests differ only in their form."""
    tried = [variant.server for variant in VARIANTS]
    assert {server: tried.count(server) for server in tried} == {OURS: 1, LOCK: 1, LITSERVE: 4, BENTOML: 3}
    bodies = {server: json.loads(post(server, "Two men talk.").body) for server in dict.fromkeys(tried)}
    assert bodies == {
        OURS: {"text": "Two men talk."},
        LOCK: {"text": "Two men talk."},
        LITSERVE: {"text": "Two men talk."},
        BENTOML: {"texts": ["Two men talk."]},
    }


def test_run_against_real_servers(tmp_path: Path) -> None:
    """This service and FastAPI with a lock translate alike, and both answer every request under load."""
    write_set(tmp_path, "real", *golden(10))
    run = here(
        *("batchers", "--only", LOCK, "--bundle", BUNDLE, "--texts", tmp_path / "real.en", "--sentences", 10),
        *("--rounds", 1, "--seconds", 3, "--clients", 1, "--clients", 4, "--limit-ms", 60_000, "--output", tmp_path),
    )
    assert run.exit_code == 0, run.stderr
    found = json.loads((tmp_path / "batchers.json").read_text(encoding="utf-8"))
    assert {name: [point["clients"] for point in points] for name, points in found["points"].items()} == {
        f"{OURS} | as it is": [1, 4],
        f"{LOCK} | as it is": [1, 4],
    }
    for name, points in found["points"].items():
        assert all(point["failed"] == 0 and point["sentences_per_s"] > 0 for point in points), name
    rates = {server: by_limit["60000"] for server, by_limit in found["sentences_per_s_at_limit_ms"].items()}
    assert f"| {LOCK} | {rates[LOCK]:,.1f} | {rates[OURS] / rates[LOCK]:,.2f} |" in run.stdout


def test_unknown_server_is_a_usage_error() -> None:
    """A server that is not compared is refused before anything starts."""
    run = here("batchers", "--only", "nginx")
    assert run.exit_code == 2
    assert "nginx" in run.stderr
