"""What the pages and their files are served with, and the figures of the status page."""

from __future__ import annotations

import asyncio
import gzip
import re
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib import resources
from typing import TYPE_CHECKING

import pytest

from service.http.page import PATHS
from service.http.status import status_report
from service.observability.activity import Activity
from service.observability.metrics import Metrics
from tests.service.support import serve, serve_faulty, wait_until

if TYPE_CHECKING:
    import httpx

    from service.app import Loaded
    from service.settings import Settings
    from tests.service.support import Served

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        (BROWSER, "text/html"),
        ("text/html", "text/html"),
        ("application/json;q=0.5, text/html;q=0.6", "text/html"),
        ("*/*", "application/json"),
        ("", "application/json"),
        ("application/json", "application/json"),
        ("text/html;q=0, */*", "application/json"),
        ("text/html;q=nonsense;;, ,;q=", "text/html"),
    ],
)
def test_who_gets_the_page(client: httpx.Client, accept: str, kind: str) -> None:
    """Browsers get the page at /, programs the index that they have always got; caches are told so."""
    answer = client.get("/", headers={"Accept": accept})
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith(kind)
    assert "accept" in answer.headers["vary"].lower()
    assert ("<textarea" in answer.text) == (kind == "text/html")


@pytest.mark.parametrize("path", ["/", "/status"])
def test_pages_load_nothing_from_elsewhere(client: httpx.Client, path: str) -> None:
    """The policy allows this service alone and nothing inline, and the page needs nothing else."""
    answer = client.get(path, headers={"Accept": BROWSER})
    policy = dict(one.split(" ", 1) for one in answer.headers["content-security-policy"].split("; "))
    assert policy["default-src"] == policy["base-uri"] == policy["form-action"] == policy["frame-ancestors"] == "'none'"
    assert {value for name, value in policy.items() if name.endswith("-src")} == {"'none'", "'self'"}
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert re.findall(r"https?:|<style|style=|<script>|\son\w+=|javascript:", answer.text) == []
    assert len(re.findall(r"(?:src|href)=\"assets/", answer.text)) >= 5


def test_the_documentation_is_never_blank(client: httpx.Client) -> None:
    """Without JavaScript, or where Swagger UI does not arrive, it says what it needs and where the description is."""
    shown = re.sub(r"<script.*?</script>|<head>.*?</head>", "", client.get("/docs").text, flags=re.DOTALL)
    assert "needs JavaScript, and files from cdn.jsdelivr.net" in shown
    (path,) = re.findall(r'href="([^"]+)"', shown)
    assert client.get(f"/{path}").json()["openapi"]


def test_every_file_is_served(client: httpx.Client) -> None:
    """All that lies in the folder is served, but for the pages' own files, and nothing else."""
    folder = {file.name for file in (resources.files("service") / "page").iterdir()}
    assert folder - {"index.html", "status.html"} == {path.split("/")[-1] for path in PATHS - {"/status"}}
    for path in PATHS:
        answer = client.get(path)
        assert answer.status_code == 200
        assert b'?v=0"' not in answer.content
    for path in ("/assets/index.html", "/assets/", "/assets/../page.py", "/assets/%2e%2e/page.py", "/assets/base.css/"):
        assert client.get(path).status_code == 404


def test_files_are_kept_for_ever_but_never_too_long(client: httpx.Client) -> None:
    """Under the version that the page names a file may be kept for ever; under another, or none, it is asked for."""
    page = client.get("/", headers={"Accept": BROWSER})
    assert page.headers["cache-control"] == "no-cache"
    named = re.findall(r"(?:src|href)=\"(assets/[^\"]+)\"", page.text)
    for path in named:
        assert "immutable" in client.get(f"/{path}").headers["cache-control"]
    scripts = [client.get(f"/{path}").text for path in named if ".js" in path]
    imported = {match for script in scripts for match in re.findall(r"from \"\./([^\"]+)\"", script)}
    assert {f"assets/{path}" for path in imported} <= set(named)  # one version, and each is loaded once
    bare = named[0].split("?")[0]
    for path in (f"/{bare}", f"/{bare}?v=0123456789abcdef"):
        assert client.get(path).headers["cache-control"] == "no-cache"


def test_what_has_not_changed_is_not_sent_again(client: httpx.Client) -> None:
    """With its tag a file is answered 304; compressed and plain have different tags and the same content."""
    plain = client.get("/assets/base.css", headers={"Accept-Encoding": "identity"})
    with client.stream("GET", "/assets/base.css", headers={"Accept-Encoding": "gzip"}) as packed:
        assert packed.headers["content-encoding"] == "gzip"
        assert gzip.decompress(b"".join(packed.iter_raw())) == plain.content
    assert packed.headers["etag"] != plain.headers["etag"]
    again = client.get("/assets/base.css", headers={"If-None-Match": packed.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == packed.headers["etag"]
    assert "content-security-policy" in again.headers


@pytest.mark.parametrize("header", ["identity", "gzip;q=0", "br, gzip; q=0.0", "identity;q=1, gzip;q=0.5", "*;q=0"])
def test_who_wants_no_gzip_gets_none(client: httpx.Client, header: str) -> None:
    """To name it is not to ask for it."""
    assert "content-encoding" not in client.get("/assets/base.css", headers={"Accept-Encoding": header}).headers


def test_the_status_of_a_service(served: Served) -> None:
    """Health, engine, queue and the runs of the canary sentences so far, with what they were held against."""
    before = served.client.get("/status.json").json()
    canary = served.client.get("/roundtrip").json()
    report = served.client.get("/status.json").json()
    assert (report["status"], report["reasons"]) == ("ready", [])
    assert report["bundle"] == served.context.bundle.manifest.name
    assert report["uptime_s"] > 0
    assert (report["engine"]["state"], report["engine"]["precision"]) == ("running", "fp32")
    assert report["queue"] == {"tokens": 0, "limit_tokens": 65_536, "sentences": 0, "oldest_age_s": 0.0}
    runs = report["round_trip"]["runs"]
    assert len(runs) == len(before["round_trip"]["runs"]) + 1
    assert (runs[-1]["bundle"], runs[-1]["status"]) == (report["bundle"], canary["status"])
    assert runs[-1]["finished_at"] == canary["finished_at"]
    for direction, expected in canary["directions"].items():
        result = runs[-1]["directions"][direction]
        assert (result["chrf"], result["failures"]) == (expected["chrf"], expected["failures"])
        assert result["min_chrf"] == expected["thresholds"]["min_chrf"]


def test_the_status_when_things_go_wrong(settings: Settings, loaded: Loaded) -> None:
    """A run that fails is in the history, and a draining service says why it is unready."""
    with serve_faulty(settings, loaded) as (served, engine):
        engine.poison = loaded.bundle.tokenizer.encode(loaded.bundle.canary("en")[0])[0]
        assert served.client.get("/roundtrip").status_code == 503
        (run,) = served.client.get("/status.json").json()["round_trip"]["runs"]
        assert (run["status"], run["directions"]) == ("failed", {})
        served.context.serving.draining = True
        report = served.client.get("/status.json").json()
        assert report["status"] == "unready"
        assert report["reasons"] == ["draining: the service is shutting down"]


def test_activity_counts_by_the_second(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rates are what was added in a step over its length, without probes; durations leave out refusals, too."""
    clock = [100.0]
    monkeypatch.setattr("service.observability.activity.time.monotonic", lambda: clock[0])
    metrics = Metrics()
    requests = metrics.request_seconds.labels("/translate", "en-de", "fast", "200")
    requests.observe(20.0)  # before the first step
    activity = Activity(metrics)
    clock[0] += 5
    for seconds in (0.011, 0.012, 0.013, 0.3):
        requests.observe(seconds)
    metrics.request_seconds.labels("/healthz", "none", "none", "200").observe(0.001)
    for route in ("/translate", "/v2/translate"):
        for direction in ("none", "none", "en-de"):  # before it was known what to do, and after
            metrics.request_seconds.labels(route, direction, "none", "429").observe(0.001)
    metrics.batch_items.labels("en-de", "greedy").observe(30)
    metrics.real_tokens.labels("en-de", "greedy").inc(400)
    metrics.queue_tokens.set(7)
    activity.take()
    step = activity.steps[-1]
    assert (step.requests_per_s, step.sentences_per_s, step.tokens_per_s, step.queue_tokens) == (2.0, 6.0, 80.0, 7)
    assert step.median_s is not None
    assert step.p95_s is not None
    assert 0.01 < step.median_s < 0.02
    assert 0.25 < step.p95_s <= 0.5
    clock[0] += 5
    activity.take()
    assert (activity.steps[-1].requests_per_s, activity.steps[-1].median_s) == (0.0, None)


def test_requests_that_are_refused_early_are_activity(settings: Settings, loaded: Loaded) -> None:
    """Those that find no room are counted, though nobody has looked at what they want."""
    full = serve_faulty(settings, loaded, held=True, max_requests=1)
    with full as (served, engine), ThreadPoolExecutor(1) as pool:
        accepted = pool.submit(served.client.post, "/translate?dir=en-de", json={"text": "A dog."})
        wait_until(lambda: len(engine.calls) == 1)
        for path in ("/translate?dir=en-de", "/translate", "/v2/translate"):
            assert served.client.post(path, content=b"unread").status_code == 429
        served.context.activity.take()
        steps = served.client.get("/status.json").json()["activity"]["steps"]
        assert sum(step["requests_per_s"] for step in steps) > 0
        assert {step["median_ms"] for step in steps} == {None}
        engine.gate.set()
        assert accepted.result().status_code == 200


def test_activity_is_kept(settings: Settings, loaded: Loaded, monkeypatch: pytest.MonkeyPatch) -> None:
    """A running service takes steps by itself, remembers no more than so many, and stops with its server."""
    monkeypatch.setattr("service.observability.activity.STEP_S", 0.001)
    with serve(settings, loaded) as served:
        steps = served.context.activity.steps
        wait_until(lambda: len(steps) == steps.maxlen)
        first = steps[0]
        wait_until(lambda: steps[0] is not first)
        told = served.client.get("/status.json").json()["activity"]["steps"]
        assert len(told) == steps.maxlen
        assert [step["at"] for step in told] == sorted(step["at"] for step in told)
    taken = list(steps)
    time.sleep(0.05)
    assert list(steps) == taken


def test_the_engine_is_that_of_the_bundle_told_of(served: Served) -> None:
    """While another bundle takes over, name, state and engine are of one generation: the one the request has."""
    current = served.context.serving.current
    other = replace(current, engine_info=replace(current.engine_info, provider="another"))
    report = asyncio.run(status_report(replace(served.context, generation=other)))
    assert report.engine.provider == "another"
