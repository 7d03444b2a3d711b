"""What operators and tools look at: health, metrics, the OpenAPI document."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.service.support import captured_logs, wait_until

if TYPE_CHECKING:
    import httpx

    from service.app import Loaded
    from tests.service.support import Served


def test_healthy(client: httpx.Client) -> None:
    """Alive and ready, without a reason not to be."""
    assert client.get("/healthz").json() == {"status": "alive"}
    readiness = client.get("/readyz")
    assert readiness.status_code == 200
    body = readiness.json()
    assert (body["status"], body["reasons"], body["engine"], body["draining"]) == ("ready", [], "running", False)


def test_metrics_count_what_happens(served: Served, loaded: Loaded) -> None:
    """One request of two texts moves requests, durations, stages, batches and tokens by what it is."""
    texts = ["A dog runs.", "Two men talk to each other."]
    real = sum(len(loaded.bundle.tokenizer.encode(text)) for text in texts)
    labels = {"route": "/translate", "dir": "en-de", "quality": "fast", "code": "200"}
    batch = {"dir": "en-de", "task": "greedy"}
    stages = ("validate", "segment", "tokenise", "queue", "inference", "detokenise")

    def sample() -> dict[str, float]:
        names = {
            "requests": served.metric("reder_requests_total", **labels),
            "durations": served.metric("reder_request_duration_seconds_count", **labels),
            "items": served.metric("reder_batch_items_sum", **batch),
            "real": served.metric("reder_real_tokens_total", **batch),
            "padded": served.metric("reder_padded_tokens_total", **batch),
        }
        return names | {stage: served.metric("reder_stage_duration_seconds_count", stage=stage) for stage in stages}

    before = sample()
    assert served.client.post("/translate?dir=en-de", json={"text": texts}).status_code == 200
    after = sample()
    moved = {name: after[name] - before[name] for name in before}
    assert moved.pop("padded") >= real
    assert moved == {"requests": 1, "durations": 1, "items": 2, "real": real} | dict.fromkeys(stages, 1)


def test_metrics_say_what_is_served(served: Served, loaded: Loaded) -> None:
    """Bundle, provider, precision and queue are there."""
    exposition = served.client.get("/metrics").text
    assert f'name="{loaded.bundle.manifest.name}"' in exposition
    assert "_created" not in exposition  # would double the samples of counters
    assert 'provider="cpu"' in exposition
    assert 'precision="fp32"' in exposition
    assert served.metric("reder_queue_tokens") == served.metric("reder_queue_items") == 0
    assert served.metric("reder_promised_tokens") == 0
    assert served.metric("reder_engine_up") == 1


def test_rejections_are_counted_by_reason(served: Served) -> None:
    """A wrong request is counted under its kind of problem, an unknown path under no path of its own."""
    before = served.metric("reder_rejected_total", reason="not-found")
    with captured_logs() as logs:
        served.client.get("/no/such/path")
        wait_until(lambda: any(line["event"] == "request" and line["route"] == "other" for line in logs))
    # Only of this route: the line of the metrics asked for above is written after the answer, so maybe within these.
    (told,) = [line for line in logs if line["event"] == "request" and line["route"] == "other"]
    assert (repr(told["status"]), told["problem"]) == ("404", "not-found")  # as the console shows it
    assert served.metric("reder_rejected_total", reason="not-found") == before + 1
    assert "/no/such/path" not in served.client.get("/metrics").text


def test_the_index(client: httpx.Client, loaded: Loaded) -> None:
    """The root says what this is; its links lead somewhere."""
    index = client.get("/").json()
    assert index["bundle"] == loaded.bundle.manifest.name
    assert index["directions"] == ["en-de", "de-en"]
    assert {client.get(link).status_code for link in index["links"].values()} == {200}


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/docs", "/health", "/healthz", "/languages", "/metrics", "/openapi.json", "/readyz"),
        *("/status", "/status.json", "/assets/base.css", "/frontend/settings"),
    ],
)
def test_head(client: httpx.Client, path: str) -> None:
    """What needs no key answers HEAD as GET, but for the body, as monitors and crawlers ask."""
    head, whole = client.head(path), client.get(path)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-type"] == whole.headers["content-type"]
    assert int(head.headers["content-length"]) > 0


def test_head_is_for_what_needs_no_key(client: httpx.Client) -> None:
    """Elsewhere it is not allowed, and no operation of the document is there twice for it."""
    refused = client.head("/roundtrip")
    assert (refused.status_code, refused.headers["allow"]) == (405, "GET")
    operations = client.get("/openapi.json").json()["paths"]
    assert [path for path, methods in operations.items() if "head" in methods] == []
    ids = [one["operationId"] for methods in operations.values() for one in methods.values()]
    assert len(ids) == len(set(ids))


def test_openapi_documents_requests_and_errors(client: httpx.Client) -> None:
    """The body of /translate and every error of it are documented, and every reference resolves."""
    document = client.get("/openapi.json").json()
    operation = document["paths"]["/translate"]["post"]
    schemas = document["components"]["schemas"]
    body = operation["requestBody"]["content"]["application/json"]["schema"]
    assert body == {"$ref": "#/components/schemas/TranslateRequest"}
    assert [one["type"] for one in schemas["TranslateRequest"]["properties"]["text"]["anyOf"]] == ["string", "array"]
    parameters = {parameter["name"]: parameter for parameter in operation["parameters"]}
    options = {"dir", "target", "quality", "format", "details", "alternatives", "attributes"}
    assert set(parameters) == {*options, "X-Timeout-Ms"}
    assert schemas["Quality"]["enum"] == ["fast", "good", "best"]
    assert "By default `good`, unless the service is set otherwise." in parameters["quality"]["description"]
    assert not parameters["quality"]["required"]
    errors = {code: response for code, response in operation["responses"].items() if code != "200"}
    assert set(errors) == {"400", "408", "413", "415", "422", "429", "503", "504"}
    for response in errors.values():
        assert response["content"]["application/problem+json"] == {"schema": {"$ref": "#/components/schemas/Problem"}}
    references = {one.split('"')[0] for one in client.get("/openapi.json").text.split("#/components/schemas/")[1:]}
    assert references <= set(schemas)


def test_openapi_has_no_parameter_that_is_null(client: httpx.Client) -> None:
    """What may be left out is not required, and null is no value of it: generators of clients would send the word."""
    paths = client.get("/openapi.json").json()["paths"]
    parameters = [
        one for methods in paths.values() for operation in methods.values() for one in operation.get("parameters", [])
    ]
    assert {one["name"] for one in parameters} >= {"X-Timeout-Ms", "quality", "source_lang"}
    assert [one["name"] for one in parameters if "null" in json.dumps(one["schema"])] == []


def test_openapi_says_what_is_answered(client: httpx.Client) -> None:
    """Every answer that is JSON has a schema, of which generators of clients make types; probes' too, either status."""
    paths = client.get("/openapi.json").json()["paths"]
    answers = [
        (path, status, answer.get("content", {}).get("application/json", {"schema": "other"}))
        for path, methods in paths.items()
        for operation in methods.values()
        for status, answer in operation["responses"].items()
    ]
    assert [(path, status) for path, status, answer in answers if not answer["schema"]] == []
    invalid = {path for path, status, _ in answers if status == "422"}
    assert invalid == {"/translate", "/roundtrip", "/admin/bundle"}, "others say 400, and none in FastAPI's own form"
