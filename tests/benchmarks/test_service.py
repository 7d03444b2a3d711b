"""The service under load: what the generator counts, the arithmetic of the figures, a run against a real service."""

from __future__ import annotations

import json
import random
import threading
from contextlib import contextmanager
from dataclasses import fields, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import accumulate, takewhile
from typing import TYPE_CHECKING

import pytest

from benchmarks.generator import Answer, Outcome, Plan, Post, run
from benchmarks.scrape import Snapshot
from benchmarks.sentences import Sentence
from benchmarks.service_runs import Loaded, bare_slowdown_p99, middle, summarise
from benchmarks.service_tables import load_table, summary
from benchmarks.workload import MIXED, SINGLE, Ask, asks
from model.bundle import DE_EN, EN_DE
from tests.benchmarks.support import golden, here, write_set
from tests.cli.support import BUNDLE, one_line

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

POSTS = [Post("/good", "1", 1), Post("/full", "2", 1)]


@contextmanager
def server() -> Iterator[tuple[str, list[str]]]:
    """A server that answers 200 to /good and 429 to anything else; gives its address and the bodies it was sent."""
    bodies: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            bodies.append(self.rfile.read(int(self.headers["Content-Length"])).decode())
            self.send_response(200 if self.path == "/good" else 429)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        http.daemon_threads = True
        thread = threading.Thread(target=http.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{http.server_port}", bodies
        http.shutdown()
        thread.join()


def test_closed_loop_sends_as_many_as_asked() -> None:
    """Clients share the requests, starting with the first asked for, and every answer is noted with its status."""
    with server() as (url, bodies):
        outcome = run(Plan(url=url, posts=POSTS, clients=3, limit=7, first=1))
    assert sorted(bodies) == ["1"] * 3 + ["2"] * 4
    assert outcome.statuses == {200: 3, 429: 4}
    assert {answer.post for answer in outcome.accepted} == {0}
    assert 0 < outcome.cpu_s < outcome.run_s
    assert all(0 < answer.seconds < outcome.run_s for answer in outcome.answers)


def test_open_loop_keeps_to_its_times() -> None:
    """Requests are due at the times that the seed gives, whatever the server does; a rate of 40 makes about 40."""
    seconds, rate, seed = 1.0, 40.0, 3
    intervals = random.Random(seed)
    times = accumulate(intervals.expovariate(rate) for _ in range(1000))
    due = list(takewhile(lambda moment: moment < seconds, times))
    assert 20 < len(due) < 60
    with server() as (url, bodies):
        outcome = run(Plan(url=url, posts=POSTS, rate=rate, seconds=seconds, seed=seed))
    assert len(bodies) == len(due)
    assert sorted(answer.started for answer in outcome.answers) == pytest.approx(due, abs=1e-5)


def test_no_server_is_no_answer() -> None:
    """A request that nobody answers is counted as such, and is not accepted."""
    outcome = run(Plan(url="http://127.0.0.1:9", posts=POSTS, clients=1, limit=2))
    assert outcome.statuses == {0: 2}
    assert outcome.accepted == []


def test_figures_of_a_load() -> None:
    """Throughput is in sentences, slow-down relative to the engine, and the rest from the service's own metrics."""
    one, two = Sentence("One.", (5, 6)), Sentence("Two.", (7,))
    sent = [Ask(EN_DE, (one,)), Ask(EN_DE, (one, two))]
    answers = [Answer(0, 0.0, 0.2, 200), Answer(1, 0.0, 0.4, 200), Answer(0, 0.1, 0.1, 429), Answer(0, 0.1, 9.0, 0)]
    served = frozenset({("route", "/translate"), ("code", "200")})
    grown = {
        ("reder_padded_tokens_total", frozenset({("dir", "en-de")})): 30.0,
        ("reder_padded_tokens_total", frozenset({("dir", "de-en")})): 10.0,
        ("reder_real_tokens_total", frozenset({("dir", "en-de")})): 32.0,
        ("reder_request_duration_seconds_count", served): 2.0,
        ("reder_request_duration_seconds_sum", served): 0.5,
        ("reder_stage_duration_seconds_sum", frozenset({("stage", "inference")})): 0.3,
        ("reder_stage_duration_seconds_sum", frozenset({("stage", "queue")})): 0.1,
        ("reder_stage_duration_seconds_sum", frozenset({("stage", "tokenise")})): 0.05,
        ("process_cpu_seconds_total", frozenset()): 3.0,
    }
    outcome = Outcome(answers, elapsed=2.0, cpu_s=0.5, run_s=2.5)
    found = summarise(outcome, Snapshot(grown), sent, [0.1, 0.1], 200.0)
    assert (found.sentences_per_s, found.requests_per_s) == (1.5, 1.0)
    assert (found.accepted, found.refused, found.failed) == (2, 1, 1)
    assert found.p50 == pytest.approx(0.3)
    assert found.slowdown_p99 == pytest.approx(2.0), "of requests of one sentence alone"
    assert found.padded_over_real == 40 / 32
    assert found.outside_s == pytest.approx(0.05)
    assert (found.generator_cores, found.service_cores) == (0.2, 1.2)


def test_slowdown_of_a_bare_queue() -> None:
    """Requests wait for those before them and for nothing else; arrays take their time, and are not told of."""
    one, two = Sentence("One.", (5, 6)), Sentence("Two.", (7,))
    sent = [Ask(EN_DE, (one,)), Ask(EN_DE, (one, two))]
    answers = [Answer(0, 0.2, 9.0, 200), Answer(1, 0.0, 9.0, 200), Answer(0, 0.0, 9.0, 429)]
    found = bare_slowdown_p99(Outcome(answers, elapsed=2.0, cpu_s=0.5, run_s=2.5), sent, [0.1, 0.3])
    assert found == pytest.approx((0.3 + 0.1 - 0.2) / 0.1)


def test_summary_puts_the_right_figures_in_relation() -> None:
    """Each ratio is of the loads that its name says, and what was not measured is left out."""
    zero = Loaded(**dict.fromkeys((field.name for field in fields(Loaded)), 0))
    found = {
        ("1 client", SINGLE): replace(zero, outside_s=0.002),
        ("64 clients", SINGLE): replace(zero, sentences_per_s=90.0, padded_over_real=1.1),
        ("50 %", SINGLE): replace(zero, slowdown_p99=3.0, bare_slowdown_p99=2.5),
        ("80 %", SINGLE): replace(zero, p99=0.2),
        ("120 %", SINGLE): replace(zero, p99=0.5, accepted=75, refused=25),
        ("120 %", MIXED): replace(zero, p99=0.5),
    }
    ratios = summary(found, {SINGLE: {512: 80.0, 1024: 100.0}}, [200.0, 201.0, 203.0])
    assert list(ratios.values()) == [2.0, 0.9, 1.1, 3.0, 2.5, 2.5, 0.25, 200.0, 203.0]
    assert load_table(found).count("\n") == 1 + len(found)


def test_medians_of_rounds() -> None:
    """Of several rounds the median of each figure, and the sum of each count."""
    rounds = [
        summarise(Outcome([Answer(0, 0.0, s, 200)], 1.0, 0.0, 1.0), Snapshot({}), [Ask(EN_DE, ())], None, 0.0)
        for s in (0.3, 0.1, 0.2)
    ]
    assert (middle(rounds).p99, middle(rounds).accepted) == (0.2, 3)


def test_requests_take_turns_and_hold_every_sentence() -> None:
    """Directions alternate; of mixed requests every fifth of a direction is an array of eight; none is left out."""
    sentences = {way: [Sentence(f"{way} {n}", (n + 2,)) for n in range(30)] for way in (EN_DE, DE_EN)}
    for shape, sizes in ((SINGLE, [1] * 30), (MIXED, [1, 1, 1, 1, 8, 1, 1, 1, 1, 8, 1, 1, 1, 1, 2])):
        made = asks(sentences, shape)
        assert [ask.direction for ask in made] == [EN_DE, DE_EN] * len(sizes)
        assert [len(ask.sentences) for ask in made[::2]] == sizes
        assert [one for ask in made[1::2] for one in ask.sentences] == sentences[DE_EN]
    assert json.loads(asks(sentences, SINGLE)[0].post().body) == {"text": "en-de 0"}
    assert len(json.loads(asks(sentences, MIXED)[8].post().body)["text"]) == 8


def test_run_against_a_real_service(tmp_path: Path) -> None:
    """Every load is put on a real service, which translates all it accepts; its metrics and memory are read."""
    write_set(tmp_path, "real", *golden(10))
    run_ = here(
        *("service", "--bundle", BUNDLE, "--set", tmp_path / "real", "--sentences", 10, "--rounds", 1),
        *("--seconds", 1.5, "--clients", 1, "--level", 50, "--memory-requests", 100, "--output", tmp_path),
        *("--setting", "batch_items=4", "--shape", SINGLE),
    )
    assert run_.exit_code == 0, run_.stderr
    found = json.loads((tmp_path / "service.json").read_text(encoding="utf-8"))
    assert found["settings"] == {"quality": "fast", "batch_items": "4"}
    loads = {(one["load"], one["requests"]): one for one in found["loads"]}
    assert set(loads) == {(load, SINGLE) for load in ("1 client", "64 clients", "50 %")}
    for name, one in loads.items():
        assert one["failed"] == 0, name
        if name[0] != "50 %":  # at half of a little, in half a second, chance may send nothing
            assert one["accepted"] > 0, name
            assert one["padded_over_real"] >= 1, name
            assert one["outside_s"] > 0, name
            assert one["resident_mib"] > 50, name
    assert all(rate > 0 for rates in found["offline_sentences_per_s"].values() for rate in rates.values())
    assert len(found["resident_mib"]) == 2
    assert "| throughput at 64 clients / engine offline at its best, single | " in run_.stdout


@pytest.mark.parametrize(
    ("options", "said"),
    [(("--setting", "no_such=1"), "--setting no_such=1"), (("--setting", "batch_items=x"), "batch_items")],
)
def test_wrong_setting_is_a_clear_error(options: tuple[str, str], said: str) -> None:
    """A setting that the service does not have, or cannot take, is named before anything starts."""
    run_ = here("service", "--bundle", BUNDLE, *options)
    assert run_.exit_code == 2
    assert run_.stdout == ""
    assert said in one_line(run_.stderr)
