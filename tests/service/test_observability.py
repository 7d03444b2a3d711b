"""What is told of a running service: its metrics, the headers of its answers, and the document that lists both."""

from __future__ import annotations

import re
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from prometheus_client.metrics import MetricWrapperBase

from tests.service.support import serve_faulty, wait_until

if TYPE_CHECKING:
    import httpx

    from service.app import Loaded
    from service.observability.metrics import Metrics
    from service.settings import Settings
    from tests.service.support import Served

DOCUMENT = (Path(__file__).parents[2] / "docs" / "observability.md").read_text(encoding="utf-8")
SUFFIXES = {"counter": "_total", "info": "_info"}


def rows(metrics: Metrics) -> list[str]:
    """One line of the document's table for each metric, in the order of the code."""
    return [row(metric) for metric in vars(metrics).values() if isinstance(metric, MetricWrapperBase)]


def row(metric: MetricWrapperBase) -> str:
    """Name as it is scraped, type, labels, meaning."""
    kind = str(metric._type)
    names = metric._labelnames if kind != "info" else [*metric._value]  # type: ignore[attr-defined]
    labels = ", ".join(f"`{name}`" for name in names) or "-"
    return f"| `{metric._name}{SUFFIXES.get(kind, '')}` | {kind} | {labels} | {metric._documentation}. |"


def test_every_metric_is_documented(served: Served) -> None:
    """docs/observability.md has one row for each metric of a running service, and no other."""
    documented = [line for line in DOCUMENT.splitlines() if line.startswith("| `reder_")]
    expected = rows(served.context.metrics)
    assert documented == expected, "the table must be:\n" + "\n".join(expected)


@pytest.mark.parametrize("quality", ["fast", "best"])
def test_server_timing_is_documented(client: httpx.Client, quality: str) -> None:
    """Every stage that an answer's Server-Timing names is in the document, and all of them fit into the total."""
    answer = client.post(f"/translate?dir=en-de&quality={quality}", json={"text": "A dog runs."})
    timing = re.findall(r"(\w+);dur=([\d.]+)", answer.headers["server-timing"])
    stages = {stage: float(milliseconds) for stage, milliseconds in timing}
    total = stages.pop("total")
    assert {"receive", "parse", "tokenise", "queue", "detokenise"} <= set(stages)
    assert {stage for stage in stages if f"| `{stage}` |" not in DOCUMENT} == set()
    assert sum(stages.values()) <= total + 0.1 * len(stages)  # each is rounded to a tenth


def test_stages_of_other_apis_are_counted(served: Served) -> None:
    """What Server-Timing says of DeepL's XML, the metrics have too."""
    before = {stage: served.metric("reder_stage_duration_seconds_count", stage=stage) for stage in ("parse", "detect")}
    fields = {"text": "A <b>dog</b> runs.", "target_lang": "DE", "tag_handling": "xml"}
    answer = served.client.post("/v2/translate", data=fields)
    for stage, count in before.items():
        assert f"{stage};dur=" in answer.headers["server-timing"]
        assert served.metric("reder_stage_duration_seconds_count", stage=stage) > count


def test_headers_are_in_the_api_document(client: httpx.Client) -> None:
    """Every answer of every operation is documented with the headers that every answer has."""
    document = client.get("/openapi.json").json()
    assert set(document["components"]["headers"]) == {"X-Request-Id", "Server-Timing"}
    operations = [operation for path in document["paths"].values() for operation in path.values()]
    responses = [response for operation in operations for response in operation["responses"].values()]
    assert {tuple(response["headers"]) for response in responses} == {("X-Request-Id", "Server-Timing")}
    for path in ("/healthz", "/no/such/path"):
        assert {"x-request-id", "server-timing"} <= set(client.get(path).headers)


def test_batches_tell_how_full_they_were(served: Served) -> None:
    """A batch's fill is what was run of what may be run at once, and its time is counted."""
    labels = {"dir": "de-en", "task": "greedy"}
    before = {name: served.metric(name, **labels) for name in BATCHES}
    served.client.post("/translate?dir=de-en", json={"text": ["Guten Morgen.", "Zwei Kinder spielen im Schnee."]})
    moved = {name: served.metric(name, **labels) - before[name] for name in BATCHES}
    assert moved["reder_batch_fill_ratio_count"] == moved["reder_batch_duration_seconds_count"] == 1
    assert moved["reder_batch_duration_seconds_sum"] > 0
    fill = moved["reder_batch_padded_tokens_sum"] / served.metric("reder_batch_budget_tokens")
    assert moved["reder_batch_fill_ratio_sum"] == pytest.approx(fill)


BATCHES = (
    "reder_batch_fill_ratio_count",
    "reder_batch_fill_ratio_sum",
    "reder_batch_padded_tokens_sum",
    "reder_batch_duration_seconds_count",
    "reder_batch_duration_seconds_sum",
)


def test_age_of_the_oldest_waiting_sentence(settings: Settings, loaded: Loaded) -> None:
    """It grows from scrape to scrape while the engine is busy with another request, and is 0 when none waits."""
    with serve_faulty(settings, loaded, held=True) as (served, engine):
        threads = [
            threading.Thread(target=served.client.post, args=("/translate?dir=en-de",), kwargs={"json": {"text": text}})
            for text in ("A dog runs.", "A cat sleeps.")
        ]
        try:
            for number, thread in enumerate(threads):
                thread.start()
                wait_until(lambda number=number: len(engine.calls) == 1 and queued(served) == number)  # type: ignore[misc]
            first = served.metric("reder_queue_oldest_age_seconds")
            wait_until(lambda: served.metric("reder_queue_oldest_age_seconds") > first + 0.1)
        finally:
            engine.gate.set()
            for thread in threads:
                thread.join()
        assert served.metric("reder_queue_oldest_age_seconds") == 0


def queued(served: Served) -> float:
    """Sentences that wait."""
    return served.metric("reder_queue_items")
