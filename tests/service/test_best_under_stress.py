"""quality=best when there is too much, too late, nobody there, or an engine that fails; above all half way through."""

from __future__ import annotations

import asyncio
import json
import socket
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from model.bundle import EN_DE, Task
from service.app import run
from service.errors import Draining
from service.observability.metrics import Metrics
from service.types import Quality, Request
from tests.service.support import FaultyEngine, distinct, serve_faulty, text_threads_taken, wait_until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import httpx

    from service.app import Loaded
    from service.settings import Settings
    from service.types import Translated
    from tests.service.support import Served

BEST = "/translate?dir=en-de&quality=best"
SENTENCE = "The dog runs through the grass and jumps."


@contextmanager
def faulty(settings: Settings, loaded: Loaded, at: Task) -> Iterator[tuple[Served, FaultyEngine]]:
    """A service around an engine that can be held up and told to fail at a task."""
    with serve_faulty(settings, loaded) as (served, engine):
        engine.at = frozenset({at})
        yield served, engine


def post(served: Served, text: str | list[str], quality: str = "best") -> httpx.Response:
    """One request."""
    return served.client.post(f"/translate?dir=en-de&quality={quality}", json={"text": text})


def held_at(task: Task, served: Served, engine: FaultyEngine, pool: ThreadPoolExecutor) -> Future[httpx.Response]:
    """A best request whose first batch of this task is in the engine, and stays there until the gate opens."""
    engine.gate.clear()
    answer = pool.submit(post, served, SENTENCE)
    wait_until(lambda: engine.at_gate(task))
    return answer


def translation(response: httpx.Response) -> str:
    """Of a request of one text."""
    return str(response.json()["translations"][0]["text"])


def tasks(engine: FaultyEngine) -> list[Task]:
    """What the engine was asked for, in order."""
    return [call.task for call in engine.calls]


@pytest.mark.parametrize("task", [Task.SEARCH, Task.SCORE])
def test_the_deadline_covers_all_stages(settings: Settings, loaded: Loaded, task: Task) -> None:
    """Whichever stage its time ends in, the answer is 504, and nothing of the request waits or is promised."""
    with faulty(settings, loaded, task) as (served, engine):
        engine.gate.clear()
        late = served.client.post(BEST, json={"text": SENTENCE}, headers={"X-Timeout-Ms": "3000"})
        assert late.status_code == 504
        assert late.json()["type"] == "urn:reder:problem:deadline-exceeded"
        assert engine.at_gate(task)
        assert served.metric("reder_promised_tokens") == served.metric("reder_queue_tokens") == 0
        engine.gate.set()
        assert post(served, SENTENCE).status_code == 200


def test_a_caller_who_leaves_half_way_costs_no_more(settings: Settings, loaded: Loaded) -> None:
    """When the client closes its connection between search and scoring, the scoring is never run."""
    body = json.dumps({"text": SENTENCE}).encode()
    head = f"POST {BEST} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    with faulty(settings, loaded, Task.SEARCH) as (served, engine):
        engine.gate.clear()
        with socket.create_connection(served.address) as connection:
            connection.sendall(head.encode() + body)
            wait_until(lambda: engine.at_gate(Task.SEARCH))
            with text_threads_taken(served.context):
                engine.gate.set()
                wait_until(lambda: not served.context.batcher.engine_busy)
                assert served.metric("reder_promised_tokens") > 0
                connection.close()
                wait_until(lambda: served.metric("reder_promised_tokens") == 0)
        assert post(served, SENTENCE, "fast").status_code == 200
        assert tasks(engine) == [Task.SEARCH, Task.GREEDY]


def test_what_is_promised_leaves_less_room(settings: Settings, loaded: Loaded) -> None:
    """While one best request is searched, others are refused on account of its scoring; its scoring never is."""
    tokens = len(loaded.bundle.tokenizer.encode(SENTENCE))
    passes = 1 + loaded.bundle.manifest.search.candidates
    tight = settings.model_copy(update={"queue_tokens": tokens * passes, "batch_tokens": tokens * passes})
    with faulty(tight, loaded, Task.SEARCH) as (served, engine), ThreadPoolExecutor(2) as pool:
        best = held_at(Task.SEARCH, served, engine, pool)
        assert served.metric("reder_queue_tokens") == 0
        assert served.metric("reder_promised_tokens") == tokens * (passes - 1)
        accepted = pool.submit(post, served, SENTENCE, "fast")
        wait_until(lambda: served.metric("reder_queue_tokens") == tokens)
        for quality in Quality:
            refused = post(served, SENTENCE, quality)
            assert refused.status_code == 429
            assert int(refused.headers["retry-after"]) >= 1
        engine.gate.set()
        assert [best.result().status_code, accepted.result().status_code] == [200, 200]
        assert post(served, SENTENCE).status_code == 200
        assert post(served, distinct(SENTENCE, 2), "fast").status_code == 200
        assert post(served, distinct(SENTENCE, 2)).status_code == 413


def test_poison_in_scoring_fails_its_request_only(settings: Settings, loaded: Loaded) -> None:
    """When scoring fails on one sentence, its request gets 503; best and fast requests next to it are answered."""
    with faulty(settings, loaded, Task.SCORE) as (served, engine), ThreadPoolExecutor(8) as pool:
        engine.poison = loaded.bundle.tokenizer.encode("~")[-1]
        answers = [held_at(Task.SCORE, served, engine, pool)]
        for text, quality in [(SENTENCE, "best"), ("This snowman ~ is poison.", "best"), (SENTENCE, "fast")]:
            waiting = served.metric("reder_queue_items")
            answers.append(pool.submit(post, served, text, quality))
            wait_until(lambda waiting=waiting: served.metric("reder_queue_items") > waiting)  # type: ignore[misc]
        engine.gate.set()
        assert [answer.result().status_code for answer in answers] == [200, 200, 503, 200]
        assert answers[2].result().json()["type"] == "urn:reder:problem:engine-failed"
        assert "snowman" not in answers[2].result().text
        assert translation(answers[0].result()) == translation(answers[1].result())
        assert served.metric("reder_promised_tokens") == 0
        assert served.client.get("/readyz").status_code == 200


def test_scoring_that_runs_out_of_memory(settings: Settings, loaded: Loaded) -> None:
    """It is run in halves, and the answer is the same."""
    with faulty(settings, loaded, Task.SCORE) as (served, engine):
        expected = post(served, [SENTENCE, "Two men talk."])
        engine.memory = 24
        response = post(served, [SENTENCE, "Two men talk."])
        assert response.json() == expected.json()
        assert served.metric("reder_batch_failures_total", kind="out_of_memory") > 0


def test_a_hang_half_way_is_told(settings: Settings, loaded: Loaded) -> None:
    """While the engine hangs in somebody's scoring, that caller gets 503; when it returns, all is well."""
    hasty = settings.model_copy(update={"engine_timeout_s": 1.5})
    with faulty(hasty, loaded, Task.SCORE) as (served, engine), ThreadPoolExecutor(1) as pool:
        answer = held_at(Task.SCORE, served, engine, pool)
        assert answer.result().json()["type"] == "urn:reder:problem:engine-unavailable"
        engine.gate.set()
        wait_until(lambda: served.client.get("/readyz").status_code == 200)
        assert post(served, SENTENCE).status_code == 200


def test_the_server_ends_half_way(settings: Settings, loaded: Loaded) -> None:
    """Told to end while a best request is searched, the server still scores and answers it."""
    with ThreadPoolExecutor(1) as pool, faulty(settings, loaded, Task.SEARCH) as (served, engine):
        answer = held_at(Task.SEARCH, served, engine, pool)
        served.server.should_exit = True
        wait_until(lambda: not served.server.servers[0].is_serving())
        engine.gate.set()
        assert answer.result().status_code == 200
        assert tasks(engine) == [Task.SEARCH, Task.SCORE]


def test_draining_waits_for_what_is_between_stages(settings: Settings, loaded: Loaded) -> None:
    """Nothing waits and nothing runs, but a request has been searched and not scored: it is finished, new ones not."""
    engine = FaultyEngine(loaded.engine)
    engine.at = frozenset({Task.SEARCH})
    engine.gate.clear()
    request = Request(EN_DE, (SENTENCE,), Quality.BEST)

    async def until(condition: Callable[[], bool]) -> None:
        await asyncio.to_thread(wait_until, condition)

    async def drain_half_way() -> Translated:
        async with run(settings, replace(loaded, engine=engine), Metrics()) as context:
            accepted = asyncio.create_task(context.translator.translate(request, timeout_s=20))
            await until(lambda: engine.at_gate(Task.SEARCH))
            with text_threads_taken(context):
                engine.gate.set()
                await until(lambda: not context.batcher.engine_busy)
                draining = asyncio.create_task(context.batcher.stop(timeout_s=20))
                await asyncio.sleep(0.1)
                assert not draining.done()
                with pytest.raises(Draining):
                    await context.translator.translate(request, timeout_s=20)
            await draining
            return await accepted

    assert asyncio.run(drain_half_way()).translations[0].text
    assert tasks(engine) == [Task.SEARCH, Task.SCORE]


def test_draining_waits_no_longer_than_it_may(settings: Settings, loaded: Loaded) -> None:
    """A request that is still between search and scoring when the time is over fails, and says why."""
    request = Request(EN_DE, (SENTENCE,), Quality.BEST)
    engine = FaultyEngine(loaded.engine)
    engine.at = frozenset({Task.SEARCH})
    engine.gate.clear()

    async def drain_too_long() -> None:
        async with run(settings, replace(loaded, engine=engine), Metrics()) as context:
            accepted = asyncio.create_task(context.translator.translate(request, timeout_s=20))
            await asyncio.to_thread(wait_until, lambda: engine.at_gate(Task.SEARCH))
            with text_threads_taken(context):
                engine.gate.set()
                await asyncio.to_thread(wait_until, lambda: not context.batcher.engine_busy)
                await context.batcher.stop(timeout_s=0.1)
            with pytest.raises(Draining):
                await accepted

    asyncio.run(drain_too_long())
    assert tasks(engine) == [Task.SEARCH]
