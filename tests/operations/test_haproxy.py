"""deploy/haproxy/haproxy.cfg with real replicas behind it: nothing is lost when one dies or is restarted."""

from __future__ import annotations

import grp
import json
import os
import pwd
import re
import shutil
import signal
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from service.settings import Settings
from tests.operations.support import ROOT
from tests.service.processes import Running, free_port, started
from tests.service.support import BUNDLE, NO_TLS, PATIENCE_S, distinct, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CONFIGURATION = ROOT / "deploy" / "haproxy" / "haproxy.cfg"
CALLERS = 8
ENOUGH = 40
"""Answers to wait for before and after something happens to a replica."""

SMALL_QUEUE: dict[str, Any] = {
    "drain_delay_s": 2,
    "queue_tokens": 1024,
    "batch_tokens": 1024,
    "trusted_proxies": "127.0.0.1",
}


@dataclass(frozen=True, slots=True)
class Balanced:
    """Two replicas, and HAProxy before them as it is shipped; only its addresses and its user are of this machine."""

    url: str
    status_url: str
    replicas: tuple[Running, Running]
    log: Path

    def wait_until_noticed(self) -> None:
        """Wait until HAProxy sends requests to as many replicas as are running."""
        running = sum(replica.process.poll() is None for replica in self.replicas)
        wait_until(lambda: self.metric("haproxy_backend_active_servers", proxy="replicas") == running)

    def metric(self, name: str, **labels: str) -> float:
        """One sample of HAProxy's metrics."""
        found = [
            float(sample[2])
            for sample in re.finditer(rf"^{name}\{{(.*)\}} (\S+)$", self._metrics(), flags=re.MULTILINE)
            if dict(re.findall(r'(\w+)="([^"]*)"', sample[1])) == labels
        ]
        assert len(found) == 1, f"{name}{labels}: {len(found)} samples"
        return found[0]

    def _metrics(self) -> str:
        return httpx.get(f"{self.status_url}/metrics", trust_env=False, verify=NO_TLS).text


@dataclass(slots=True)
class Load:
    """What callers got who ask again and again: statuses, and in place of one the error that broke off a request."""

    outcomes: list[int | str] = field(default_factory=list)

    def wait_for_more(self) -> None:
        """Wait until enough further requests are over."""
        goal = len(self.outcomes) + ENOUGH
        wait_until(lambda: len(self.outcomes) >= goal)


@pytest.fixture(scope="module")
def haproxy() -> str:
    """The program."""
    program = shutil.which("haproxy", path=f"{os.environ['PATH']}:/usr/sbin")
    if program is None:
        pytest.skip("haproxy is not installed (Debian: apt-get install haproxy)")
    return program


@pytest.fixture(scope="module")
def balanced(haproxy: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Balanced]:
    """See `Balanced`."""
    folder = tmp_path_factory.mktemp("balanced")
    bind, status = (f"127.0.0.1:{free_port()}" for _ in range(2))
    with (
        started(BUNDLE, folder / "replica-1", **SMALL_QUEUE) as one,
        started(BUNDLE, folder / "replica-2", **SMALL_QUEUE) as two,
        (folder / "haproxy").open("wb") as log,
    ):
        one.ready()
        two.ready()
        environment = unprivileged() | {
            "REDER_LB_BIND": bind,
            "REDER_LB_STATUS": status,
            "REDER_REPLICA_1": f"127.0.0.1:{one.port}",
            "REDER_REPLICA_2": f"127.0.0.1:{two.port}",
        }
        process = subprocess.Popen([haproxy, "-db", "-f", CONFIGURATION], env=environment, stdout=log, stderr=log)
        try:
            balanced = Balanced(f"http://{bind}", f"http://{status}", (one, two), folder / "haproxy")
            wait_until(lambda: process.poll() is not None or is_up(f"{balanced.status_url}/metrics"))
            assert process.poll() is None, balanced.log.read_text(encoding="utf-8")
            balanced.wait_until_noticed()
            yield balanced
        finally:
            process.kill()
            process.wait()


def test_the_configuration_is_sound(haproxy: str) -> None:
    """HAProxy accepts it without a warning."""
    command = [haproxy, "-c", "-f", str(CONFIGURATION)]
    environment = unprivileged()
    run = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", check=False, timeout=60)
    assert (run.returncode, run.stdout + run.stderr) == (0, "Configuration file is valid\n")


def test_a_rolling_restart_costs_no_request(balanced: Balanced) -> None:
    """Under load each replica in turn is told to end, drains, and is started again: all requests are answered 200."""
    balanced.wait_until_noticed()
    with load(balanced.url, pause_s=0.05) as callers:
        for replica in balanced.replicas:
            callers.wait_for_more()
            assert replica.end() == 0
            replica.start()
            replica.ready()
            balanced.wait_until_noticed()
        callers.wait_for_more()
    assert set(callers.outcomes) == {200}


def test_a_replica_that_dies_costs_no_request(balanced: Balanced) -> None:
    """Under load one replica is killed with requests in it: all are answered 200, those by the other replica.

    It stays dead: the tests below need one replica only.
    """
    one, _ = balanced.replicas
    balanced.wait_until_noticed()
    redispatched = balanced.metric("haproxy_backend_redispatch_warnings_total", proxy="replicas")
    with load(balanced.url) as callers:
        callers.wait_for_more()
        one.end(signal.SIGKILL)
        callers.wait_for_more()
    assert set(callers.outcomes) == {200}
    assert balanced.metric("haproxy_backend_redispatch_warnings_total", proxy="replicas") > redispatched


def test_a_full_queue_is_told_to_the_caller(balanced: Balanced) -> None:
    """429 comes from the replica, with Retry-After and problem, and is not asked for a second time."""
    balanced.wait_until_noticed()
    before = attempts(balanced)
    text = " ".join(distinct("The old man who lives by the river talks to his neighbour about the weather.", 25))
    with ThreadPoolExecutor(4 * CALLERS) as pool:
        answers = list(pool.map(lambda _: translate(balanced.url, text), range(4 * CALLERS)))
    assert {answer.status_code for answer in answers} == {200, 429}
    for refused in (answer for answer in answers if answer.status_code == 429):
        assert int(refused.headers["Retry-After"]) >= 1
        assert refused.json()["type"] == "urn:reder:problem:overloaded"
    assert attempts(balanced) - before == len(answers)


def test_what_is_too_large_stops_at_the_balancer(balanced: Balanced) -> None:
    """A body beyond the service's own limit is refused before a replica sees it, with a problem."""
    before = attempts(balanced)
    answer = translate(balanced.url, "x" * Settings().max_body_bytes)
    assert (answer.status_code, answer.json()["type"]) == (413, "urn:reder:problem:too-large")
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.json()["request_id"] == answer.headers["X-Request-Id"]
    assert attempts(balanced) == before


@pytest.mark.parametrize("path", ["/admin", "/admin/bundle", "/%61dmin/bundle", "/ADMIN/bundle", "/metrics"])
def test_what_concerns_one_replica_is_not_passed_on(balanced: Balanced, path: str) -> None:
    """Callers reach neither administration nor metrics, however they write the path."""
    before = attempts(balanced)
    answer = httpx.post(f"{balanced.url}{path}", json={}, trust_env=False, verify=NO_TLS)
    assert (answer.status_code, answer.json()["status"]) == (404, 404)
    assert attempts(balanced) == before


def test_only_what_changes_nothing_is_retried(balanced: Balanced) -> None:
    """Requests are retried whatever their method, so what is not read-only must be under /admin, or be judged here."""
    document = httpx.get(f"{balanced.url}/openapi.json", trust_env=False, verify=NO_TLS).json()
    writing = {path for path, methods in document["paths"].items() if methods.keys() - {"get", "head"}}
    reading = {"/detect", "/translate", "/v2/languages", "/v2/translate"}
    assert {path for path in writing if not path.startswith("/admin")} == reading


def test_the_log_holds_ids_and_no_text(balanced: Balanced) -> None:
    """One line of JSON a request, with the id that the caller and the replica know; never the query, which is text."""
    answer = httpx.get(
        f"{balanced.url}/roundtrip",
        params={"dir": "en-de", "text": "Geheimnis"},
        headers={"X-Request-Id": "told-1", "X-Forwarded-For": "192.0.2.1"},
        trust_env=False,
    )
    assert (answer.status_code, answer.headers["X-Request-Id"]) == (200, "told-1")
    wait_until(lambda: "told-1" in balanced.log.read_text(encoding="utf-8"))
    log = balanced.log.read_text(encoding="utf-8")
    lines = [json.loads(line) for line in log.splitlines() if line.startswith("{")]
    assert lines[-1]["request_id"] == "told-1"
    assert lines[-1]["replica"] in {"one", "two"}
    assert "Geheimnis" not in log


def test_without_a_replica_the_caller_gets_a_problem(balanced: Balanced) -> None:
    """Both replicas gone: 503 with Retry-After in the service's own form, and the balancer itself is unready."""
    for replica in balanced.replicas:
        replica.end(signal.SIGKILL)
    wait_until(lambda: not is_up(f"{balanced.url}/readyz"))
    answer = translate(balanced.url, "A dog runs.")
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.json().keys() == {"type", "title", "status", "detail", "request_id"}


def test_times_and_sizes_agree_with_the_service() -> None:
    """The replica's answer is waited for longer than it may take, its limit of a body is the balancer's."""
    text = CONFIGURATION.read_text(encoding="utf-8")
    seconds = {name: float(number) for name, number in re.findall(r"^\s+timeout (\S+)\s+(\d+)s$", text, re.MULTILINE)}
    settings = Settings()
    assert min(seconds["server"], seconds["client"]) > settings.timeout_s
    (limit,) = re.findall(r"req\.body_size gt (\d+)", text)
    assert int(limit) == settings.max_body_bytes
    assert f"more than {limit} bytes" in text
    (hard_stop,) = re.findall(r"hard-stop-after (\d+)s", text)
    (round_trip,) = re.findall(r"set-timeout server (\d+)s if { path /roundtrip }", text)
    assert int(round_trip) > settings.canary_timeout_s
    assert int(hard_stop) > max(settings.timeout_s, settings.canary_timeout_s)


@contextmanager
def load(url: str, *, pause_s: float = 0.0) -> Iterator[Load]:
    """Callers that ask again, after a pause, when they are answered; from start to end of the context."""
    callers, over = Load(), threading.Event()

    def call() -> None:
        with httpx.Client(base_url=url, timeout=PATIENCE_S, trust_env=False, verify=NO_TLS) as client:
            while not over.wait(pause_s):
                try:
                    answer = client.post("/translate?dir=en-de", json={"text": "Two dogs run in the snow."})
                    callers.outcomes.append(answer.status_code if answer.json() else "empty")
                except (httpx.HTTPError, ValueError) as error:
                    callers.outcomes.append(repr(error))

    threads = [threading.Thread(target=call) for _ in range(CALLERS)]
    for thread in threads:
        thread.start()
    try:
        yield callers
    finally:
        over.set()
        for thread in threads:
            thread.join(PATIENCE_S)
    assert not any(thread.is_alive() for thread in threads)


def unprivileged() -> dict[str, str]:
    """The environment, and that HAProxy is to run as whoever runs the tests."""
    user, group = pwd.getpwuid(os.getuid()).pw_name, grp.getgrgid(os.getgid()).gr_name
    return os.environ | {"REDER_LB_USER": user, "REDER_LB_GROUP": group}


def attempts(balanced: Balanced) -> float:
    """Requests sent to replicas so far, retries included."""
    sent = sum(
        balanced.metric("haproxy_server_sessions_total", proxy="replicas", server=name) for name in ("one", "two")
    )
    return sent + balanced.metric("haproxy_backend_retry_warnings_total", proxy="replicas")


def translate(url: str, text: str) -> httpx.Response:
    """One request."""
    return httpx.post(
        f"{url}/translate?dir=en-de", json={"text": text}, timeout=PATIENCE_S, trust_env=False, verify=NO_TLS
    )


def is_up(url: str) -> bool:
    """Whether it answers with success."""
    try:
        return httpx.get(url, trust_env=False, verify=NO_TLS).is_success
    except httpx.TransportError:
        return False
