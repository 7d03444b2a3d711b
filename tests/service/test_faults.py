"""When the engine fails: who is affected, for how long, and that nobody waits for ever."""

from __future__ import annotations

import pkgutil
import time
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING

import httpx
import pytest

from model.bundle import Task
from service.app import load
from service.errors import EngineDied, EngineOutOfMemory
from service.pipeline.batching.lane import EngineState
from service.pipeline.translator import Translator
from tests.service.bundles import copy, poison
from tests.service.support import captured_logs, distinct, serve, serve_faulty, wait_until

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from service.app import Loaded
    from service.pipeline.translator import _Job
    from service.settings import Settings
    from service.types import Translation, Written
    from tests.service.support import FaultyEngine, Served

POISON = "This snowman ~ is poison."


def post(served: Served, text: str | list[str], quality: str = "fast") -> httpx.Response:
    """One request."""
    return served.client.post(f"/translate?dir=en-de&quality={quality}", json={"text": text})


def is_ready(served: Served) -> bool:
    """Whether requests should be sent there."""
    return served.client.get("/readyz").status_code == 200


def queued_behind_one(
    served: Served, engine: FaultyEngine, pool: ThreadPoolExecutor, texts: list[str]
) -> list[Future[httpx.Response]]:
    """Send one request that the closed gate holds in the engine, then the others, until all of them wait."""
    engine.gate.clear()
    first = pool.submit(post, served, "First.")
    wait_until(lambda: len(engine.calls) == 1)
    others = [pool.submit(post, served, text) for text in texts]
    wait_until(lambda: served.metric("reder_queue_items") == len(texts))
    return [first, *others]


def test_a_poison_sentence_fails_alone(settings: Settings, loaded: Loaded) -> None:
    """In one batch with a sentence on which the engine raises, all others are answered, and the service stays ready."""
    with serve_faulty(settings, loaded) as (served, engine), ThreadPoolExecutor(16) as pool:
        engine.poison = loaded.bundle.tokenizer.encode("~")[-1]
        texts = [f"Two men talk about {number}." for number in range(12)]
        answers = queued_behind_one(served, engine, pool, [*texts[:5], POISON, *texts[5:]])
        engine.gate.set()
        codes = [answer.result().status_code for answer in answers]
        assert codes == [200] * 6 + [503] + [200] * 7
        problem = answers[6].result().json()
        assert problem["type"] == "urn:reder:problem:engine-failed"
        assert "snowman" not in answers[6].result().text
        assert max(len(call.batch.ids) for call in engine.calls) > 1
        assert served.metric("reder_batch_failures_total", kind="error") > 1
        assert served.client.get("/readyz").status_code == 200


def test_poison_fails_its_request_only(settings: Settings, loaded: Loaded) -> None:
    """One bad sentence of a request fails that request, and the next request is fine."""
    with serve_faulty(settings, loaded) as (served, engine):
        engine.poison = loaded.bundle.tokenizer.encode("~")[-1]
        assert post(served, ["Two men talk.", POISON]).status_code == 503
        assert post(served, ["Two men talk.", "A dog runs."]).status_code == 200


@pytest.mark.parametrize("quality", ["fast", "best"])
def test_poison_takes_nobody_else_down(settings: Settings, loaded: Loaded, quality: str) -> None:
    """However often it is sent, alone or many at once, and though nothing else is: the service stays ready."""
    with serve_faulty(settings, loaded) as (served, engine):
        engine.poison = loaded.bundle.tokenizer.encode("~")[-1]
        for texts in [[POISON]] * 40 + [distinct(POISON, 16)]:
            engine.calls.clear()
            refused = post(served, texts, quality)
            assert refused.json()["type"] == "urn:reder:problem:engine-failed"
            assert len(engine.calls) <= 2 * len(texts)  # that it is told from an engine that fails costs one more
            assert is_ready(served)
        assert served.client.get("/healthz").status_code == 200
        assert post(served, "Two men talk.", quality).status_code == 200


def test_an_answer_that_is_no_number_fails_its_request_only(settings: Settings, loaded: Loaded, tmp_path: Path) -> None:
    """A sentence at which the network itself overflows is refused, with every quality; those beside it are answered."""
    folder = copy(settings.bundle, tmp_path / "overflowing", precision="fp32")
    poison(folder, loaded.bundle.tokenizer.encode("~")[-1])
    overflowing = settings.model_copy(update={"bundle": folder})
    with serve(overflowing, load(overflowing)) as served:
        for quality in ("fast", "good", "best"):
            refused = post(served, ["Two men talk.", POISON], quality)
            assert (refused.status_code, refused.json()["type"]) == (503, "urn:reder:problem:engine-failed")
            assert post(served, "Two men talk.", quality).status_code == 200
            assert is_ready(served)


@pytest.mark.parametrize(
    ("task", "error"),
    [
        *((task, RuntimeError("CUDA failure 700: an illegal memory access was encountered")) for task in Task),
        (Task.GREEDY, EngineOutOfMemory("no memory, not even for one")),
    ],
)
def test_an_engine_that_fails_on_everything_is_told_and_recovers(
    settings: Settings, loaded: Loaded, task: Task, error: Exception
) -> None:
    """One batch tells: callers get 503 and readiness is false; liveness stays. When it works again, all is well."""
    quality = "fast" if task is Task.GREEDY else "best"
    with serve_faulty(settings, loaded) as (served, engine):
        assert post(served, "Two men talk.", quality).status_code == 200
        engine.at, engine.error = frozenset({task}), error
        refused = post(served, distinct("The dog runs.", 64), quality)
        assert refused.status_code == 503
        assert refused.json()["type"] == "urn:reder:problem:engine-unavailable"
        assert "fails" in refused.json()["detail"]
        assert "retry-after" in refused.headers
        assert len(engine.calls) < 32  # the others of its batch are not tried
        readiness = served.client.get("/readyz")
        assert readiness.status_code == 503
        assert readiness.json()["reasons"] == ["engine failing"]
        assert served.client.get("/healthz").status_code == 200
        assert served.metric("reder_engine_up") == 0
        assert post(served, "A new one.", quality).status_code == 503
        engine.error = None
        wait_until(lambda: is_ready(served))
        assert post(served, "Two men talk.", quality).status_code == 200
        assert served.metric("reder_engine_up") == 1


def test_all_who_wait_for_an_engine_that_fails_are_told(settings: Settings, loaded: Loaded) -> None:
    """Other requests in its batch and in the queue fail with the first, at once; nothing waits any more."""
    with serve_faulty(settings, loaded) as (served, engine), ThreadPoolExecutor(16) as pool:
        answers = queued_behind_one(served, engine, pool, [f"Two men talk about {number}." for number in range(12)])
        engine.error = RuntimeError("broken")
        engine.gate.set()
        problems = {answer.result().json()["type"] for answer in answers}
        assert problems == {"urn:reder:problem:engine-unavailable"}
        assert served.metric("reder_queue_tokens") == 0
        assert served.metric("reder_promised_tokens") == 0


def test_an_engine_that_goes_on_failing_is_dead(settings: Settings, loaded: Loaded) -> None:
    """After the time that a call may take it is given up: liveness turns red too, so that somebody restarts it."""
    with serve_faulty(settings, loaded, engine_timeout_s=1.5) as (served, engine), captured_logs() as logs:
        engine.error = RuntimeError("broken")
        started = time.monotonic()
        assert post(served, "Two men talk.").status_code == 503
        assert served.client.get("/healthz").status_code == 200
        wait_until(lambda: served.client.get("/healthz").status_code == 503)
        assert 1.5 < time.monotonic() - started < 10
        assert served.client.get("/readyz").json()["reasons"] == ["engine dead"]
        assert post(served, "Two men talk.").json()["type"] == "urn:reder:problem:engine-unavailable"
        assert [line["event"] for line in logs if line["event"].startswith("engine")] == ["engine_fails", "engine_died"]


def test_an_engine_that_fails_does_not_hold_up_the_end(settings: Settings, loaded: Loaded) -> None:
    """Told to end while it waits for the engine to recover, the service ends at once."""
    with serve_faulty(settings, loaded, drain_timeout_s=30.0) as (served, engine):
        engine.error = RuntimeError("broken")
        assert post(served, "Two men talk.").status_code == 503
        ending = time.monotonic()
    assert time.monotonic() - ending < 15


def test_out_of_memory_halves_the_batches(settings: Settings, loaded: Loaded) -> None:
    """Batches that do not fit are run in halves, later ones are planned smaller, and everybody is answered."""
    with serve_faulty(settings, loaded) as (served, engine):
        texts = distinct("The dog runs through the grass and jumps over the fence.", 40)
        expected = [one["text"] for one in post(served, texts).json()["translations"]]
        engine.memory = 64
        before = served.metric("reder_batch_budget_tokens")
        response = post(served, texts)
        assert response.status_code == 200
        assert [one["text"] for one in response.json()["translations"]] == expected
        assert served.metric("reder_batch_budget_tokens") < before
        assert served.metric("reder_batch_failures_total", kind="out_of_memory") > 0
        engine.calls.clear()
        assert post(served, texts).status_code == 200
        assert len(engine.calls[0].batch.ids) < 40


def test_memory_that_ran_out_is_still_used(settings: Settings, loaded: Loaded) -> None:
    """However often one batch fails on its way into halves, later ones are more than half of what would fit."""
    with serve_faulty(settings, loaded) as (served, engine):
        texts = distinct("The dog runs.", 64)
        engine.memory = 10 * max(len(loaded.bundle.tokenizer.encode(text)) for text in texts)
        assert post(served, texts).status_code == 200
        engine.calls.clear()
        assert post(served, texts).status_code == 200
        assert all(5 <= len(call.batch.ids) <= 10 for call in engine.calls[:-1])


def test_a_hung_engine_is_told_and_recovers(settings: Settings, loaded: Loaded) -> None:
    """While a call overruns, callers get 503 and readiness is false; liveness stays. When it returns, all is well."""
    with serve_faulty(settings, loaded, engine_timeout_s=1.5) as (served, engine), ThreadPoolExecutor(4) as pool:
        for answer in queued_behind_one(served, engine, pool, ["Two men talk.", "A dog runs."]):
            assert answer.result().status_code == 503
            assert answer.result().json()["type"] == "urn:reder:problem:engine-unavailable"
        assert post(served, "A new one.").status_code == 503
        readiness = served.client.get("/readyz")
        assert readiness.status_code == 503
        assert readiness.json()["reasons"] == ["engine hung"]
        assert served.client.get("/healthz").status_code == 200
        assert served.metric("reder_engine_up") == 0
        assert served.metric("reder_queue_tokens") == 0
        engine.gate.set()
        wait_until(lambda: served.client.get("/readyz").status_code == 200)
        assert post(served, "Two men talk.").status_code == 200


def test_an_engine_that_never_returns_is_dead(settings: Settings, loaded: Loaded) -> None:
    """After three times its allowed duration it is given up: liveness turns red too, so that somebody restarts it."""
    with (
        serve_faulty(settings, loaded, engine_timeout_s=0.1, drain_timeout_s=0.1) as (served, engine),
        ThreadPoolExecutor(1) as pool,
    ):
        engine.gate.clear()
        answer = pool.submit(post, served, "Two men talk.")
        wait_until(lambda: served.client.get("/healthz").status_code == 503)
        assert answer.result().status_code == 503
        assert served.context.batcher.engine_busy


@pytest.mark.parametrize("error", [EngineDied("the device is gone"), SystemExit(1)])
def test_a_dead_engine_fails_all_who_wait(settings: Settings, loaded: Loaded, error: BaseException) -> None:
    """Whoever waits gets 503 at once, readiness and liveness turn red, and the server still answers."""
    with serve_faulty(settings, loaded) as (served, engine), ThreadPoolExecutor(4) as pool:
        engine.error = error
        answers = queued_behind_one(served, engine, pool, ["Two men talk.", "A dog runs."])
        engine.gate.set()
        assert [answer.result().status_code for answer in answers] == [503] * 3
        assert post(served, "A new one.").status_code == 503
        assert served.client.get("/readyz").json()["reasons"] == ["engine dead"]
        assert served.client.get("/healthz").json() == {"status": "dead"}
        assert served.context.batcher.state is EngineState.DEAD


def test_an_error_nobody_foresaw(settings: Settings, loaded: Loaded) -> None:
    """A bug of our own is a 500 in the same shape, without a traceback; the log has it."""
    with serve(settings, loaded) as served, captured_logs() as logs:
        del served.context.translator._limits
        response = served.client.post("/translate?dir=en-de", json={"text": "Hello."})
        assert response.status_code == 500
        assert response.headers["content-type"] == "application/problem+json"
        assert response.json()["request_id"] == response.headers["x-request-id"]
        assert "_limits" not in response.text
        assert "unexpected_error" in [line["event"] for line in logs]
        assert served.metric("reder_rejected_total", reason="internal-error") == 1


class Panic(BaseException):
    """As pyo3's PanicException: what a library in Rust raises, and no Exception."""


@pytest.mark.parametrize(
    ("stage", "query", "headers"),
    [
        ("service.pipeline.reading.segment", "dir=en-de", {}),
        ("service.pipeline.reading.segment", "dir=en-de", {"Accept": "text/event-stream"}),
        ("service.pipeline.detection.detect", "dir=auto", {}),
        ("service.http.forms.parse_json", "dir=en-de", {}),
    ],
)
def test_a_panic_of_a_library_is_an_error_like_any_other(
    settings: Settings,
    loaded: Loaded,
    monkeypatch: pytest.MonkeyPatch,
    stage: str,
    query: str,
    headers: dict[str, str],
) -> None:
    """In a text thread or the event loop, it is a problem with status 500, logged and counted; others are answered."""
    works: Callable[..., object] = pkgutil.resolve_name(stage)

    def panics(given: str | bytes, *others: object, **options: object) -> object:
        if "snowman" in str(given):
            raise Panic
        return works(given, *others, **options)

    def send(text: str) -> httpx.Response:
        return served.client.post(f"/translate?{query}", json={"text": text}, headers=headers)

    monkeypatch.setattr(stage, panics)
    with serve(settings, loaded) as served, captured_logs() as logs, ThreadPoolExecutor(8) as pool:
        failed, *others = pool.map(send, [POISON, *(f"Two men talk about {number}." for number in range(12))])
        assert [answer.status_code for answer in others] == [200] * 12
        assert failed.status_code == 500
        assert failed.json()["type"] == "urn:reder:problem:internal-error"
        assert failed.json()["request_id"] == failed.headers["x-request-id"]
        assert [line["event"] for line in logs].count("unexpected_error") == 1
        assert served.metric("reder_rejected_total", reason="internal-error") == 1


def test_a_panic_in_a_stream_breaks_it_off(settings: Settings, loaded: Loaded, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once segments have been sent, the connection is broken: the client does not take what came for the whole."""
    works = Translator._finish

    def panics(self: Translator, job: _Job, written: Sequence[Written]) -> list[Translation]:
        if "snowman" in job.request.texts[0]:
            raise Panic
        return works(self, job, written)

    monkeypatch.setattr(Translator, "_finish", panics)
    with serve(settings, loaded) as served:
        with (
            pytest.raises(httpx.RemoteProtocolError),
            served.client.stream(
                "POST", "/translate?dir=en-de", json={"text": POISON}, headers={"Accept": "text/event-stream"}
            ) as answer,
        ):
            assert "event: done" not in list(answer.iter_lines())
        assert post(served, "Two men talk.").status_code == 200
