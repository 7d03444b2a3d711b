"""Too much, too late, or nobody there any more."""

from __future__ import annotations

import json
import os
import socket
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from service.engine.cores import step_back
from service.pipeline.segmentation.sentences import segment
from tests.service.support import FaultyEngine, distinct, serve, serve_faulty, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from model.bundle import Direction
    from service.app import Loaded
    from service.settings import Settings
    from service.types import Batch, Frames, Segmented, Span
    from tests.service.support import Served

EN_DE = "/translate?dir=en-de"


@pytest.fixture
def held(settings: Settings, loaded: Loaded) -> Iterator[tuple[Served, FaultyEngine]]:
    """A service with a queue of 64 tokens, whose engine is held up until the test opens the gate."""
    with serve_faulty(settings, loaded, held=True, queue_tokens=64, batch_tokens=64) as both:
        yield both


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has priorities of threads")
def test_requests_go_before_inference(settings: Settings, loaded: Loaded) -> None:
    """The engine's thread steps back for those that refuse and answer."""
    found = []

    class Nosy(FaultyEngine):
        def infer(self, direction: Direction, batch: Batch) -> Frames:
            found.append(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))
            return super().infer(direction, batch)

    with serve(settings, replace(loaded, engine=Nosy(loaded.engine))) as asked:
        assert asked.client.post(EN_DE, json={"text": "Two men talk."}).status_code == 200
    assert min(found) > os.getpriority(os.PRIO_PROCESS, threading.get_native_id())


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has priorities of threads")
def test_threads_step_back_once() -> None:
    """One that is started by a thread that has stepped back has its priority, not a lower one."""

    def priority() -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    def both() -> tuple[int, int]:
        with ThreadPoolExecutor(1, initializer=step_back) as second:
            return priority(), second.submit(priority).result()

    with ThreadPoolExecutor(1, initializer=step_back) as first:
        outer, inner = first.submit(both).result()
    assert outer == inner > os.getpriority(os.PRIO_PROCESS, os.getpid())


def test_overload_is_429_with_retry_after(held: tuple[Served, FaultyEngine]) -> None:
    """When the queue is full a request is refused at once and told when to come back; those accepted are answered."""
    served, engine = held
    sentence = "The dog runs through the grass and jumps."
    with ThreadPoolExecutor(64) as pool:
        accepted = [pool.submit(served.client.post, EN_DE, json={"text": sentence})]
        wait_until(lambda: len(engine.calls) == 1)
        while served.metric("reder_queue_tokens") + len(engine.calls[0].batch.ids[0]) <= 64:
            waiting = served.metric("reder_queue_items")
            accepted.append(pool.submit(served.client.post, EN_DE, json={"text": sentence}))
            wait_until(lambda waiting=waiting: served.metric("reder_queue_items") > waiting)  # type: ignore[misc]
        refused = served.client.post(EN_DE, json={"text": sentence})
        assert refused.status_code == 429
        assert refused.json()["type"] == "urn:reder:problem:overloaded"
        assert int(refused.headers["retry-after"]) >= 1
        assert served.metric("reder_rejected_total", reason="overloaded") == 1
        assert served.client.get("/readyz").status_code == 200
        engine.gate.set()
        assert [answer.result().status_code for answer in accepted] == [200] * len(accepted)


def test_refusing_costs_little(held: tuple[Served, FaultyEngine], monkeypatch: pytest.MonkeyPatch) -> None:
    """A request that will not fit is refused from its characters: its text is neither split nor tokenised."""
    served, engine = held
    sentence = "The dog runs through the grass and jumps."
    split: list[str] = []

    def noting(text: str, language: str, kept: Sequence[Span]) -> Segmented:
        split.append(text)
        return segment(text, language, kept)

    monkeypatch.setattr("service.pipeline.reading.segment", noting)
    with ThreadPoolExecutor(2) as pool:
        running = pool.submit(served.client.post, EN_DE, json={"text": sentence})
        wait_until(lambda: len(engine.calls) == 1)
        waiting = pool.submit(served.client.post, EN_DE, json={"text": " ".join(distinct(sentence, 3))})
        wait_until(lambda: served.metric("reder_queue_items") > 0)
        assert served.client.post(EN_DE, json={"text": " ".join(distinct(sentence, 4))}).status_code == 429
        assert split == [sentence, " ".join(distinct(sentence, 3))]
        engine.gate.set()
        assert running.result().status_code == waiting.result().status_code == 200


def test_refused_before_anything_is_read(settings: Settings, loaded: Loaded) -> None:
    """Where there is no room for anybody a request is refused unread, as its API tells it; the rest goes on."""
    with serve_faulty(settings, loaded, queue_s=1e-6) as (served, engine), ThreadPoolExecutor(2) as pool:
        assert served.client.post(EN_DE, json={"text": "A dog."}).status_code == 200  # now the rate is known
        engine.gate.clear()
        accepted = [pool.submit(served.client.post, EN_DE, json={"text": "A dog."})]
        wait_until(lambda: len(engine.calls) == 2)
        accepted.append(pool.submit(served.client.post, EN_DE, json={"text": "A cat."}))
        wait_until(lambda: served.metric("reder_queue_items") == 1)
        for path, told in (("/translate?dir=en-de", "detail"), ("/translate", "error"), ("/v2/translate", "message")):
            refused = served.client.post(path, content=b"this is no JSON")
            assert refused.status_code == 429
            assert "s of work" in refused.json()[told]
            assert int(refused.headers["retry-after"]) >= 1
        assert served.client.get("/").status_code == 200
        engine.gate.set()
        assert [answer.result().status_code for answer in accepted] == [200, 200]
        assert served.client.post(EN_DE, content=b"this is no JSON").status_code == 415
        labels = {"route": "/translate", "dir": "none", "quality": "none", "code": "429"}
        assert served.metric("reder_requests_total", **labels) == 2


def test_refused_unread_for_its_size_or_its_time(held: tuple[Served, FaultyEngine]) -> None:
    """Where there is room, but not for a body of this size, or no time for more, a request is refused unread."""
    served, engine = held
    sentence = "The dog runs through the grass and jumps."
    engine.gate.set()
    assert served.client.post(EN_DE, json={"text": sentence}).status_code == 200  # now it is known how fast it is
    engine.gate.clear()

    def answered(size: int, **headers: str) -> int:
        return served.client.post(EN_DE, content=b"{" * size, headers=headers).status_code

    with ThreadPoolExecutor(2) as pool:
        running = pool.submit(served.client.post, EN_DE, json={"text": sentence})
        wait_until(lambda: len(engine.calls) == 2)
        waiting = pool.submit(served.client.post, EN_DE, json={"text": " ".join(distinct(sentence, 3))})
        wait_until(lambda: served.metric("reder_queue_items") > 0)
        assert answered(10) == 415
        assert answered(6 * len(sentence)) == 429
        assert answered(10, **{"X-Timeout-Ms": "1"}) == 429
        assert answered(10, **{"X-Timeout-Ms": "9" * 5000}) == 422
        engine.gate.set()
        assert running.result().status_code == waiting.result().status_code == 200


def test_an_array_cannot_slip_past(held: tuple[Served, FaultyEngine]) -> None:
    """One request of more tokens than may ever wait is too large, not something to retry."""
    served, engine = held
    refused = served.client.post(EN_DE, json={"text": distinct("The dog runs through the grass.", 30)})
    assert refused.status_code == 413
    assert not engine.calls


def test_a_deadline_is_504_and_frees_the_queue(held: tuple[Served, FaultyEngine]) -> None:
    """A request whose time is up gets 504; its sentences leave the queue and are never run."""
    served, engine = held
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(served.client.post, EN_DE, json={"text": "First."})
        wait_until(lambda: len(engine.calls) == 1)
        late = served.client.post(EN_DE, json={"text": "Two men talk."}, headers={"X-Timeout-Ms": "700"})
        assert late.status_code == 504
        assert late.json()["type"] == "urn:reder:problem:deadline-exceeded"
        assert served.metric("reder_queue_items") == 0
        assert served.metric("reder_dropped_items_total") == 1
        engine.gate.set()
        assert first.result().status_code == 200
        assert served.client.post(EN_DE, json={"text": "Last."}).status_code == 200
    assert len(engine.calls) == 2


def test_the_server_caps_the_deadline(settings: Settings, loaded: Loaded) -> None:
    """A caller who asks for an hour gets the server's maximum."""
    with serve_faulty(settings, loaded, held=True, timeout_s=0.1) as (served, _):
        response = served.client.post(EN_DE, json={"text": "A dog runs."}, headers={"X-Timeout-Ms": "3600000"})
        assert response.status_code == 504


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        (EN_DE, {"text": "Two men talk."}),
        ("/translate", {"q": "Two men talk.", "source": "en", "target": "de"}),
        ("/v2/translate", {"text": ["Two men talk."], "source_lang": "EN", "target_lang": "DE"}),
    ],
    ids=["ours", "libretranslate", "deepl"],
)
def test_a_caller_who_leaves_costs_nothing(
    held: tuple[Served, FaultyEngine], path: str, fields: dict[str, object]
) -> None:
    """When a waiting client closes its connection, its sentence is never run, and that is no error of ours."""
    served, engine = held
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(served.client.post, EN_DE, json={"text": "First."})
        wait_until(lambda: len(engine.calls) == 1)
        body = json.dumps(fields).encode()
        head = (
            f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        with socket.create_connection(served.address) as connection:
            connection.sendall(head.encode() + body)
            wait_until(lambda: served.metric("reder_queue_items") == 1)
        wait_until(lambda: served.metric("reder_queue_items") == 0)
        engine.gate.set()
        assert first.result().status_code == 200
    assert len(engine.calls) == 1
    labels = {"route": path.partition("?")[0], "dir": "en-de", "quality": "fast"}
    wait_until(lambda: served.metric("reder_requests_total", code="499", **labels) == 1)
    assert served.metric("reder_rejected_total", reason="client-disconnected") == 1
    assert served.metric("reder_rejected_total", reason="internal-error") == 0


def test_late_binding_batches_what_waits(settings: Settings, loaded: Loaded) -> None:
    """Requests pile up behind a busy engine; when it frees they run together: one direction a batch, oldest first."""
    with serve_faulty(settings, loaded, held=True) as (served, engine), ThreadPoolExecutor(9) as pool:
        answers = [pool.submit(served.client.post, EN_DE, json={"text": "First."})]
        wait_until(lambda: len(engine.calls) == 1)
        for number in range(8):
            way = "de-en" if number % 2 == 0 else "en-de"
            answers.append(pool.submit(served.client.post, f"/translate?dir={way}", json={"text": f"Hallo {number}."}))
            wait_until(lambda number=number: served.metric("reder_queue_items") == number + 1)  # type: ignore[misc]
        engine.gate.set()
        assert {answer.result().status_code for answer in answers} == {200}
    assert [(str(call.direction), len(call.batch.ids)) for call in engine.calls] == [
        ("en-de", 1),
        ("de-en", 4),
        ("en-de", 4),
    ]


def test_accepted_requests_are_finished_on_shutdown(settings: Settings, loaded: Loaded) -> None:
    """Told to end, the server first answers what it has accepted."""
    with ThreadPoolExecutor(2) as pool, serve_faulty(settings, loaded, held=True) as (served, engine):
        answers = [pool.submit(served.client.post, EN_DE, json={"text": "First."})]
        wait_until(lambda: len(engine.calls) == 1)
        answers.append(pool.submit(served.client.post, EN_DE, json={"text": "Second."}))
        wait_until(lambda: served.metric("reder_queue_items") == 1)
        served.server.should_exit = True
        wait_until(lambda: not served.server.servers[0].is_serving())
        engine.gate.set()
        assert [answer.result().status_code for answer in answers] == [200, 200]
