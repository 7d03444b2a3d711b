"""Accept: text/event-stream: segments come as they are ready, and the end, good or bad, is told."""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from tests.service.support import FaultyEngine, distinct, serve, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

    import httpx

    from model.bundle import Direction
    from service.app import Loaded
    from service.settings import Settings
    from service.types import Batch, Frames
    from tests.service.support import Served

STREAM = {"Accept": "text/event-stream"}
TEXT = "  Two men talk.\n\nA dog runs through the grass.\tGood morning! "
GERMAN = "Der Hund läuft am Strand entlang. Zwei Männer reden."
LONG = "".join(f"{sentence} " for sentence in distinct("A dog runs through the grass.", 64))


@contextmanager
def opened(client: httpx.Client, query: str, text: str | list[str]) -> Iterator[Iterator[tuple[str, Any]]]:
    """The events of an answer that must begin well, each with its data, as they come."""
    with client.stream("POST", f"/translate?{query}", json={"text": text}, headers=STREAM) as answer:
        assert answer.status_code == 200, answer.read()
        assert answer.headers["content-type"] == "text/event-stream; charset=utf-8"
        assert answer.headers["cache-control"] == "no-store"
        yield events_of(answer.iter_lines())


def events_of(lines: Iterator[str]) -> Iterator[tuple[str, Any]]:
    """Events as a browser would read them."""
    fields: dict[str, str] = {}
    for line in lines:
        if line:
            name, _, value = line.partition(": ")
            assert name in ("event", "data")
            fields[name] = value
        else:
            yield fields.pop("event"), json.loads(fields.pop("data"))
    assert not fields, "the stream ends within an event"


def streamed(client: httpx.Client, query: str, text: str | list[str]) -> tuple[list[Any], Any]:
    """The segments and the whole answer of a stream that must end well."""
    with opened(client, query, text) as events:
        *segments, (last, whole) = events
    assert last == "done"
    assert {name for name, _ in segments} <= {"segment"}
    return [data for _, data in segments], whole


def test_the_same_in_pieces(client: httpx.Client) -> None:
    """Segments put between what stood between them are the answer, which is the one without a stream."""
    segments, whole = streamed(client, "dir=en-de", [TEXT, "Good morning!"])
    assert whole == client.post("/translate?dir=en-de", json={"text": [TEXT, "Good morning!"]}).json()
    assert sorted((one["text"], one["index"]) for one in segments) == [(0, 0), (0, 1), (0, 2), (1, 0)]
    first = sorted((one for one in segments if one["text"] == 0), key=lambda one: int(one["index"]))
    told = whole["translations"][0]["text"]
    for one in first:
        assert TEXT[one["source"]["start"] : one["source"]["end"]] == one["source"]["text"]
        assert told[one["target"]["start"] : one["target"]["end"]] == one["target"]["text"]
        assert sorted(one) == ["confidence", "index", "source", "target", "text"]
    for before, after in pairwise(first):
        gaps = [text[before[side]["end"] : after[side]["start"]] for side, text in (("source", TEXT), ("target", told))]
        assert gaps[0] == gaps[1]


@pytest.mark.parametrize("query", ["dir=en-de&details=true", "dir=en-de&quality=best&alternatives=2"])
def test_details_come_with_the_segments(client: httpx.Client, query: str) -> None:
    """What was asked for of each segment is in its event as in the whole, and in the answer without a stream."""
    segments, whole = streamed(client, query, TEXT)
    told = {one["index"]: {name: one[name] for name in one if name not in ("text", "index")} for one in segments}
    assert [told[place] for place in sorted(told)] == whole["translations"][0]["segments"]
    at_once = client.post(f"/translate?{query}", json={"text": TEXT}).json()
    assert [one["target"] for one in at_once["translations"][0]["segments"]] == [
        told[place]["target"] for place in sorted(told)
    ]
    for one in told.values():
        assert 0 < one["reverse_score"] <= 1
        assert isinstance(one["flags"], list)
        for source_start, source_end, target_start, target_end in one["alignment"]:
            assert one["source"]["text"][source_start:source_end].strip()
            assert one["target"]["text"][target_start:target_end].strip()
        if "alternatives" in query:
            assert len(one["alternatives"]) <= 2
            assert one["target"]["text"] not in one["alternatives"]
        else:
            assert "alternatives" not in one


def test_both_ways_in_one_stream(client: httpx.Client) -> None:
    """With dir=auto the segments of all texts come in one stream, under their places in the request."""
    segments, whole = streamed(client, "dir=auto&target=en", [TEXT, GERMAN])
    assert {(one["text"], one["index"]) for one in segments} == {(1, 0), (1, 1)}
    assert [one["unchanged"] for one in whole["translations"]] == [True, False]
    segments, whole = streamed(client, "dir=auto", [GERMAN, TEXT])
    assert sorted((one["text"], one["index"]) for one in segments) == [(0, 0), (0, 1), (1, 0), (1, 1), (1, 2)]
    assert [one["dir"] for one in whole["translations"]] == ["de-en", "en-de"]


class HeldEngine(FaultyEngine):
    """Runs two batches, and no other until its gate is opened."""

    def infer(self, direction: Direction, batch: Batch) -> Frames:
        """Shut the gate behind the second."""
        frames = super().infer(direction, batch)
        if len(self.calls) == 2:
            self.gate.clear()
        return frames


@pytest.fixture
def held(settings: Settings, loaded: Loaded) -> Iterator[tuple[Served, HeldEngine]]:
    """A service with small batches whose engine stops after two of them."""
    engine = HeldEngine(loaded.engine)
    with serve(settings, replace(loaded, engine=engine), batch_items=8, drain_timeout_s=1.0) as served:
        try:
            yield served, engine
        finally:
            engine.gate.set()


def begin(events: Iterator[tuple[str, Any]], engine: HeldEngine) -> None:
    """Read the first event, and see that the engine is held."""
    assert next(events)[0] == "segment"
    wait_until(lambda: len(engine.calls) == 3)
    assert not engine.gate.is_set()


def test_segments_come_before_the_end(held: tuple[Served, HeldEngine]) -> None:
    """The first are there while the engine still has the rest of a long text before it."""
    served, engine = held
    with opened(served.client, "dir=en-de", LONG) as events:
        begin(events, engine)
        engine.gate.set()
        rest = [name for name, _ in events]
    assert rest == ["segment"] * (LONG.count(".") - 1) + ["done"]


def test_who_leaves_is_no_longer_worked_for(held: tuple[Served, HeldEngine]) -> None:
    """When a client closes a stream, what waits for it is dropped, and the service goes on."""
    served, engine = held
    with opened(served.client, "dir=en-de", LONG) as events:
        begin(events, engine)
    wait_until(lambda: served.metric("reder_rejected_total", reason="client-disconnected") == 1)
    engine.gate.set()
    wait_until(lambda: served.metric("reder_dropped_items_total") > 0)
    assert served.metric("reder_promised_tokens") == 0
    assert served.client.post("/translate?dir=en-de", json={"text": "Hello."}).status_code == 200


def test_a_failure_half_way_is_an_event(held: tuple[Served, HeldEngine]) -> None:
    """What would have been a status is the last event: the same problem, and no `done` after it."""
    served, engine = held
    with opened(served.client, "dir=en-de", LONG) as events:
        begin(events, engine)
        engine.poison = int(engine.calls[-1].batch.ids[0, 1])  # not the article, which most texts have
        engine.gate.set()
        *_, (last, problem) = events
    assert last == "error"
    assert (problem["type"], problem["status"]) == ("urn:reder:problem:engine-failed", 503)
    assert served.metric("reder_rejected_total", reason="engine-failed") == 1
    labels = {"route": "/translate", "dir": "en-de", "quality": "fast"}
    assert served.metric("reder_requests_total", **labels, code="503") == 1  # though the answer began with 200


def test_a_deadline_half_way_is_an_event(held: tuple[Served, HeldEngine]) -> None:
    """A stream has the same time as any other answer."""
    served, _ = held
    body, headers = {"text": LONG}, STREAM | {"X-Timeout-Ms": "3000"}
    with served.client.stream("POST", "/translate?dir=en-de", json=body, headers=headers) as answer:
        *_, (last, problem) = events_of(answer.iter_lines())
    assert (last, problem["status"]) == ("error", 504)


def test_a_stream_ends_cleanly_when_the_service_does(held: tuple[Served, HeldEngine]) -> None:
    """What cannot be finished in the time for shutting down ends with an event that says so."""
    served, engine = held
    with opened(served.client, "dir=en-de", LONG) as events:
        begin(events, engine)
        served.server.should_exit = True
        *_, (last, problem) = events
    assert (last, problem["type"]) == ("error", "urn:reder:problem:draining")


def test_a_deadline_before_the_first_segment_is_a_status(held: tuple[Served, HeldEngine]) -> None:
    """As long as nothing is streamed, an error is answered as always."""
    served, engine = held
    engine.gate.clear()
    headers = STREAM | {"X-Timeout-Ms": "500"}
    answer = served.client.post("/translate?dir=en-de", json={"text": "A dog runs."}, headers=headers)
    assert (answer.status_code, answer.headers["content-type"]) == (504, "application/problem+json")


@pytest.mark.parametrize(("query", "text"), [("dir=en-de", ""), ("dir=auto", "a\0"), ("dir=en-de&target=en", "Hello.")])
def test_a_wrong_request_has_its_status(client: httpx.Client, query: str, text: str) -> None:
    """It is a problem like any other."""
    answer = client.post(f"/translate?{query}", json={"text": text}, headers=STREAM)
    assert (answer.status_code, answer.headers["content-type"]) == (422, "application/problem+json")
