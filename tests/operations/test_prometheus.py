"""A real Prometheus scrapes the service as it is run; every query of the dashboard and of the alerts is put to it."""

from __future__ import annotations

import json
import math
import re
import shutil
import subprocess
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import httpx
import pytest
import yaml

from tests.operations.support import ROOT, documents
from tests.service.processes import free_port, started
from tests.service.support import BUNDLE, PATIENCE_S

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

pytestmark = pytest.mark.skipif(
    shutil.which("prometheus") is None, reason="prometheus is not installed (Debian's package is named so)"
)

DEPLOYED = ROOT / "deploy" / "prometheus"
DASHBOARD = json.loads((ROOT / "deploy" / "grafana" / "dashboards" / "reder.json").read_text(encoding="utf-8"))
MAY_BE_EMPTY = {"Firing alerts"}
ON_A_SLOW_MACHINE = {"RederLatencyHigh", "RederQueueAgeHigh", "RederTargetDown"}
"""Alerts that may be about to fire, but do not: a scrape may take longer than a second."""

IN_THE_TEST = {"$__rate_interval": "1m", "$instance": ".*"}
"""What Grafana puts in the place of its variables."""

START_S = 60.0
"""How long it may take until the service has been scraped and has run its round trip; on an idle machine a few s."""


@dataclass(frozen=True, slots=True)
class Prometheus:
    """A Prometheus that runs, and what it has scraped: a service that was sent `translated` requests."""

    client: httpx.Client
    translated: int = 0

    def ask(self, query: str) -> list[dict[str, Any]]:
        """The result of an instant query: vectors only."""
        answer = self.client.get("/api/v1/query", params={"query": query}).json()
        assert answer["status"] == "success", answer
        result: list[dict[str, Any]] = answer["data"]["result"]
        return result

    def values(self, query: str) -> list[float]:
        """The numbers of the result."""
        return [float(series["value"][1]) for series in self.ask(query)]


def eventually(condition: Callable[[], bool], what: str) -> None:
    """Wait for what Prometheus finds out by itself."""
    deadline = time.monotonic() + START_S
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.2)


def configuration(target: str) -> str:
    """The shipped configuration, but for the target, and faster."""
    (shipped,) = documents(DEPLOYED / "prometheus.yml")
    shipped["global"] = dict.fromkeys(shipped["global"], "1s")
    shipped["rule_files"] = [str(DEPLOYED / name) for name in shipped["rule_files"]]
    (job,) = shipped["scrape_configs"]
    job["static_configs"] = [{"targets": [target]}]
    return yaml.safe_dump(shipped)


@contextmanager
def running(folder: Path, target: str) -> Iterator[Prometheus]:
    """Prometheus as a process of its own that scrapes one target."""
    (folder / "prometheus.yml").write_text(configuration(target), encoding="utf-8")
    port = free_port()
    command = ["prometheus", f"--config.file={folder / 'prometheus.yml'}", f"--storage.tsdb.path={folder / 'data'}"]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen([*command, f"--web.listen-address=127.0.0.1:{port}"], stderr=log)
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE_S, trust_env=False) as client:
            eventually(lambda: process.poll() is not None or is_ready(client), "Prometheus is not ready")
            assert process.poll() is None, (folder / "log").read_text(encoding="utf-8")
            yield Prometheus(client)
    finally:
        process.terminate()
        process.wait(PATIENCE_S)


def is_ready(client: httpx.Client) -> bool:
    """Whether Prometheus answers queries."""
    try:
        return client.get("/-/ready").is_success
    except httpx.TransportError:
        return False


@pytest.fixture(scope="module")
def prometheus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prometheus]:
    """One that has scraped a service before, during and after requests of every kind, and its round trip."""
    folder = tmp_path_factory.mktemp("prometheus")
    with (
        started(BUNDLE, folder / "service-log", canary_on_start=True) as replica,
        running(folder, replica.url.removeprefix("http://")) as prometheus,
        replica.client() as client,
    ):
        replica.ready()
        sent = 0
        for _ in range(2):  # a rate needs two scrapes between which something happened
            for query in (
                "dir=en-de&quality=fast",
                "dir=de-en&quality=good",
                "dir=en-de&quality=best",
                "dir=de-en&quality=best",
            ):
                assert client.post(f"/translate?{query}", json={"text": ["Hello.", "A long day."]}).is_success
                sent += 1
            assert client.post("/translate?dir=en-de", json={"text": ""}).status_code == 422
            seen = f'sum(reder_requests_total{{route="/translate", code="200"}}) == {sent}'
            eventually(lambda seen=seen: bool(prometheus.ask(seen)), "the requests do not appear")  # type: ignore[misc]
        eventually(lambda: bool(prometheus.ask("reder_round_trip_timestamp_seconds > 0")), "there is no round trip")
        yield Prometheus(prometheus.client, translated=sent)


def panels() -> dict[str, list[str]]:
    """Title -> queries of every panel of the dashboard that has any."""
    return {
        panel["title"]: [target["expr"] for target in panel["targets"]]
        for panel in DASHBOARD["panels"]
        if panel["type"] != "row"
    }


def as_grafana_asks(query: str) -> str:
    """The query with values in the place of variables."""
    for variable, value in IN_THE_TEST.items():
        query = query.replace(variable, value)
    assert "$" not in query, "a variable that is not known here"
    return query


def test_the_service_is_scraped(prometheus: Prometheus) -> None:
    """Prometheus reaches the service and counts what it was sent, no more and no less."""
    assert prometheus.values("max_over_time(up[1m])") == [1]
    assert prometheus.values('sum(reder_requests_total{route="/translate", code="200"})') == [prometheus.translated]
    assert prometheus.values('sum(reder_rejected_total{reason="invalid-request"})') == [2]


def test_what_is_served_is_a_label(prometheus: Prometheus) -> None:
    """Provider and precision, name and digest of the bundle can be joined to any other metric of the replica."""
    (engine,) = prometheus.ask("reder_engine_info")
    assert engine["metric"]["provider"] == "cpu"
    (bundle,) = prometheus.ask("reder_engine_up * on (instance) group_left (name, manifest) reder_bundle_info")
    assert re.fullmatch(r"[0-9a-f]{12}", bundle["metric"]["manifest"])


@pytest.mark.parametrize("title", panels())
def test_panel_shows_something(prometheus: Prometheus, title: str) -> None:
    """Every query of the panel is valid, and gives numbers after traffic where it must."""
    for query in map(as_grafana_asks, panels()[title]):
        numbers = [value for value in prometheus.values(query) if not math.isnan(value)]
        assert numbers or title in MAY_BE_EMPTY, query


def test_variables_of_the_dashboard(prometheus: Prometheus) -> None:
    """The replicas to choose from are found."""
    (variable,) = DASHBOARD["templating"]["list"]
    metric, label = re.fullmatch(r"label_values\((\w+), (\w+)\)", variable["query"]["query"]).groups()  # type: ignore[union-attr]
    values = prometheus.client.get(f"/api/v1/label/{label}/values", params={"match[]": metric}).json()["data"]
    assert len(values) == 1


def test_alerts_can_be_evaluated(prometheus: Prometheus) -> None:
    """Every alert is evaluated without an error, is about metrics that are there, and none fires on a healthy one."""
    eventually(lambda: all(rule["health"] != "unknown" for rule in rules(prometheus)), "alerts are not evaluated")
    assert {rule["name"]: rule.get("lastError") for rule in rules(prometheus) if rule["health"] != "ok"} == {}
    names = {
        name for rule in rules(prometheus) for name in re.findall(r"\b(?:reder_|process_)\w+|\bup\b", rule["query"])
    }
    assert {"up", "reder_queue_oldest_age_seconds", "reder_rejected_total"} <= names
    assert {name for name in names if not prometheus.ask(f"count({name})")} == set()
    assert {rule["name"] for rule in rules(prometheus) if rule["state"] == "firing"} == set()
    assert {rule["name"] for rule in rules(prometheus) if rule["state"] == "pending"} <= ON_A_SLOW_MACHINE


def rules(prometheus: Prometheus) -> list[dict[str, Any]]:
    """The alerts, as Prometheus has read them."""
    groups = prometheus.client.get("/api/v1/rules").json()["data"]["groups"]
    return [rule for group in groups for rule in group["rules"]]
